"""Selects tests/fixtures/slice_small: a small, real, connected part of the Wikidata slice with its passages and questions.

    python3 scripts/small_slice.py FIXTURES QUESTIONS_JSONL OUT

Selection, in this order, until MAX_ENTITIES labelled entities are in (every step sorted, nothing random):
  1. the entities of the two-hop questions below and of the first N_QUESTIONS one-hop questions of QUESTIONS_JSONL;
  2. neighbours (one hop, then two) of those, not beyond hubs, at most PER_NODE a node;
Kept: every triple between two kept entities, every label, alias, description, sitelink, literal and qualified statement of a
kept entity (a statement when its value and all its entity-valued qualifiers are kept or labelled properties), and the labels
of every property used. Passages: those titled with a kept label, at most PER_TITLE a title, then filler in file order.
Python's standard library only; files are written with a fixed gzip timestamp.
"""

import gzip
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

MAX_ENTITIES = 1350
N_QUESTIONS = 40
PER_NODE = 40
HUB_DEGREE = 400
N_PASSAGES = 300
PER_TITLE = 3

# Checked by hand against the slice: each hop is one triple, each end the only one.
TWO_HOP = [
    {
        "id": f"two-hop-{number}",
        "question": question,
        "topic_entities": {topic: topic_label},
        "answers": [answer],
        "answer_ids": [answer_id],
        "gold_paths": [path],
        "hops": 2,
    }
    for number, (question, topic, topic_label, answer, answer_id, path) in enumerate(
        [
            ("Where was the director of Saving Private Ryan born?", "Q165817", "Saving Private Ryan", "Cincinnati", "Q43196", ["P57", "P19"]),
            ("In which city was the director of Unforgiven born?", "Q104137", "Unforgiven", "San Francisco", "Q62", ["P57", "P19"]),
            ("Where was the wife of Barack Obama born?", "Q76", "Barack Obama", "Chicago", "Q1297", ["P26", "P19"]),
            ("Where was the director of The Blues Brothers born?", "Q109767", "The Blues Brothers", "Chicago", "Q1297", ["P57", "P19"]),
            ("What was the capital of the empire that the Holy Roman Empire is named after?", "Q12548", "Holy Roman Empire", "Constantinople", "Q16869", ["P138", "P36"]),
            ("In which city was the husband of Mariah Carey born?", "Q41076", "Mariah Carey", "San Diego", "Q16552", ["P26", "P19"]),
        ],
        start=1,
    )
]

WD = "http://www.wikidata.org/entity/"
WDT = "http://www.wikidata.org/prop/direct/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ENTITY = re.compile(r"<http://www\.wikidata\.org/entity/([QP][0-9]+)>")
PROPERTY = re.compile(r"<http://www\.wikidata\.org/prop/(?:direct/|statement/|qualifier/)?(P[0-9]+)>")


def lines(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as handle:
        yield from handle


def write(path, text_lines):
    with open(path, "wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=9, mtime=0) as out:
        for line in text_lines:
            out.write(line.encode("utf-8"))


def entity(term):
    match = ENTITY.fullmatch(term)
    return match.group(1) if match else None


def numbered(identifier):
    return identifier[0], int(identifier[1:])


def main():
    fixtures, questions_path, out = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    slice_dir = fixtures / "wikidata_slice"
    out.mkdir(parents=True, exist_ok=True)

    labels = {}
    for line in lines(slice_dir / "labels.nt.gz"):
        subject, predicate, rest = line.split(" ", 2)
        if predicate == f"<{LABEL}>" and entity(subject):
            labels[entity(subject)] = json.loads(rest[: rest.rindex('"') + 1])

    neighbours = defaultdict(list)
    edges = []
    for line in lines(slice_dir / "truthy.nt.gz"):
        subject, predicate, rest = line.split(" ", 2)
        s, o = entity(subject), entity(rest.rsplit(" ", 1)[0])
        if s and o:
            edges.append((s, o, line))
            neighbours[s].append((predicate, o))
            neighbours[o].append((predicate, s))

    questions = list(TWO_HOP)
    with open(questions_path, encoding="utf-8") as handle:
        for line in handle:
            if len(questions) == len(TWO_HOP) + N_QUESTIONS:
                break
            question = json.loads(line)
            if all(q in labels for q in [*question["topic_entities"], *question["answer_ids"]]):
                wanted = ("id", "question", "topic_entities", "answers", "answer_ids", "gold_paths", "hops")
                questions.append({key: question[key] for key in wanted})

    kept, frontier = set(), []
    for question in questions:
        for q in [*question["topic_entities"], *question["answer_ids"]]:
            if q not in kept:
                kept.add(q)
                frontier.append(q)
    # A question's middle entities come first: the path has to be whole.
    for question in TWO_HOP:
        for q in question["topic_entities"]:
            first = f"<{WDT}{question['gold_paths'][0][0]}>"
            for predicate, other in neighbours[q]:
                if predicate == first and other not in kept:
                    kept.add(other)
                    frontier.insert(0, other)
    for _ in range(2):
        following = []
        for q in frontier:
            if len(neighbours[q]) > HUB_DEGREE:
                continue
            near = sorted({o for _, o in neighbours[q] if o in labels}, key=numbered)
            for other in near[:PER_NODE]:
                if other not in kept and len(kept) < MAX_ENTITIES:
                    kept.add(other)
                    following.append(other)
        frontier = following

    properties = set()

    def keep(line):
        properties.update(PROPERTY.findall(line))
        return line

    truthy = [keep(line) for s, o, line in edges if s in kept and o in kept]

    literals = []
    for line in lines(slice_dir / "literals.nt.gz"):
        if entity(line.split(" ", 1)[0]) in kept:
            literals.append(keep(line))

    def known(term):
        q = entity(term)
        return q is None or q in kept

    statements = defaultdict(list)
    for line in lines(slice_dir / "qualifiers.nt.gz"):
        subject, _, rest = line.split(" ", 2)
        value = rest.rsplit(" ", 1)[0]
        statements[value if "/entity/statement/" in value else subject].append((subject, value, line))
    qualifiers = []
    for group in statements.values():
        if all(known(subject) and known(value) for subject, value, _ in group):
            qualifiers.extend(keep(line) for _, _, line in group)

    described = kept | properties
    label_lines = []
    for line in lines(slice_dir / "labels.nt.gz"):
        subject, _, rest = line.split(" ", 2)
        about = entity(subject) or entity(rest.rsplit(" ", 1)[0])
        if about in described:
            label_lines.append(line)

    titles = {labels[q].lower() for q in kept if q in labels and q[0] == "Q"}
    chosen, filler, per_title = [], [], defaultdict(int)
    for name in ("musique_300_corpus", "2wiki_97_corpus"):
        for line in lines(fixtures / "multihop_text" / f"{name}.jsonl.gz"):
            record = json.loads(line)
            passage = {"pid": f"{name.rsplit('_', 1)[0]}:{record['pid']}", "title": record["title"], "text": record["text"]}
            plain = re.sub(r" \(.*\)$", "", record["title"]).lower()
            if plain in titles and per_title[plain] < PER_TITLE:
                # The demo's film has three passages and the last one names the director: titles of questions are not capped.
                chosen.append(passage)
                per_title[plain] += plain not in {labels[q].lower() for t in TWO_HOP for q in topics(t, neighbours)}
            else:
                filler.append(passage)
    chosen = chosen[:N_PASSAGES]
    chosen += filler[: N_PASSAGES - len(chosen)]

    write(out / "truthy.nt.gz", truthy)
    write(out / "labels.nt.gz", label_lines)
    write(out / "literals.nt.gz", literals)
    write(out / "qualifiers.nt.gz", qualifiers)
    write(out / "passages.jsonl.gz", (json.dumps(p, ensure_ascii=False) + "\n" for p in chosen))
    with open(out / "questions.jsonl", "w", encoding="utf-8", newline="\n") as handle:
        for question in questions:
            handle.write(json.dumps(question, ensure_ascii=False) + "\n")
    print(
        f"slice_small: {len(kept)} entities, {len(properties)} properties, {len(truthy)} triples, {len(label_lines)} names, "
        f"{len(literals)} literals, {len(qualifiers)} qualifier triples, {len(chosen)} passages "
        f"({sum(per_title.values())} titled with a kept label), {len(questions)} questions"
    )


def topics(question, neighbours):
    """The entities on a two-hop question's path: topics, middles, answers."""
    first = f"<{WDT}{question['gold_paths'][0][0]}>"
    middles = [o for q in question["topic_entities"] for predicate, o in neighbours[q] if predicate == first]
    return [*question["topic_entities"], *middles, *question["answer_ids"]]


if __name__ == "__main__":
    main()
