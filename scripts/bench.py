"""Measures this machine's numbers for docs/benchmarks.md: loading the bundled data, and the demo's question without a model.

    python3 scripts/bench.py COEVO_BINARY

Prints Markdown. Each row is one run of the program in a fresh data directory under the system's temporary folder: wall and CPU
seconds and peak memory of the process as the kernel reports them. Python's standard library only.
"""

import gzip
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

FIXTURES = Path(__file__).resolve().parent.parent / "tests" / "fixtures"
WIKIDATA = [FIXTURES / "wikidata_slice" / f"{name}.nt.gz" for name in ("truthy", "labels", "literals", "qualifiers")]
PASSAGES = [FIXTURES / "multihop_text" / f"{name}_corpus.jsonl.gz" for name in ("musique_300", "2wiki_97")]
QUESTION = "Where was the director of Saving Private Ryan born?"


def measured(arguments):
    """Runs the program; wall seconds, CPU seconds, peak memory in MB. Ends the script when it fails."""
    start = time.monotonic()
    pid = os.posix_spawnp(arguments[0], [str(a) for a in arguments], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, 2, 1)])
    _, status, usage = os.wait4(pid, 0)
    wall = time.monotonic() - start
    if status != 0:
        sys.exit(f"bench: error: {' '.join(map(str, arguments[:3]))} … ended with {os.waitstatus_to_exitcode(status)}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def n_lines(paths):
    total = 0
    for path in paths:
        with gzip.open(path, "rb") as handle:
            total += sum(1 for _ in handle)
    return total


def megabytes(directory):
    return sum(f.stat().st_size for f in Path(directory).rglob("*") if f.is_file()) / 1e6


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: python3 scripts/bench.py COEVO_BINARY")
    coevo = sys.argv[1]
    with open("/proc/cpuinfo", encoding="utf-8") as handle:
        processor = next((line.split(":")[1].strip() for line in handle if line.startswith("model name")), "unknown processor")
    rows = []
    folder = tempfile.mkdtemp(prefix="coevo-bench-")
    try:
        location = os.path.join(folder, "data")
        n = n_lines(WIKIDATA)
        wall, cpu, memory = measured([coevo, "ingest", "wikidata", "--no-progress", "--location", location, *WIKIDATA])
        rows.append(("Wikidata slice, labels indexed", f"{n:,} triples", wall, cpu, memory, f"{n / wall:,.0f} triples/s"))
        graph_size = megabytes(location)
        n = n_lines(PASSAGES)
        wall, cpu, memory = measured([coevo, "ingest", "documents", "--no-progress", "--location", location, *PASSAGES])
        rows.append(("passages, embedded", f"{n:,} documents", wall, cpu, memory, f"{n / wall:,.1f} documents/s"))
        wall, cpu, memory = measured([coevo, "ingest", "wikidata", "--no-progress", "--location", location, *WIKIDATA])
        rows.append(("the slice again, unchanged", "4 files", wall, cpu, memory, ""))
        wall, cpu, memory = measured([coevo, "ask", "--location", location, "--strategy", "evidence-only", QUESTION])
        rows.append(("the demo's question, evidence-only, from a cold start", "1 question", wall, cpu, memory, ""))
        size = megabytes(location)
    finally:
        shutil.rmtree(folder)
    print(f"\n{processor}, {os.cpu_count()} cores; {time.strftime('%Y-%m-%d')}\n")
    print("| what | input | seconds | CPU seconds | peak memory | rate |\n|---|--:|--:|--:|--:|--:|")
    for what, what_in, wall, cpu, memory, rate in rows:
        print(f"| {what} | {what_in} | {wall:.1f} | {cpu:.1f} | {memory:,.0f} MB | {rate} |")
    print(f"\nOn disk: {graph_size:,.0f} MB after the slice, {size:,.0f} MB with passages and vectors.")


if __name__ == "__main__":
    main()
