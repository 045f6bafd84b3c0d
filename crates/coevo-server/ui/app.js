// The page: a question on the left, SPARQL on the right. Data reaches the document as text only, never as markup.
// Addresses: #ask?q=…[&run]  ·  #trace/ID  ·  #sparql?query=…[&run]

const SHOWN_ROWS = 1000;
const SHOWN_EVIDENCE = 12;
const SHOWN_CLAIMS = 20;

const EXAMPLES = [
  ["What is stored, by graph", "SELECT ?graph (COUNT(*) AS ?triples)\nWHERE { GRAPH ?graph { ?s ?p ?o } }\nGROUP BY ?graph ORDER BY DESC(?triples)"],
  ["An entity by its label", "SELECT DISTINCT ?entity ?label\nWHERE { ?entity rdfs:label ?label .\n  FILTER(LANG(?label) = \"en\") }\nLIMIT 20"],
  ["The most used properties", "SELECT ?property (COUNT(*) AS ?uses)\nWHERE { ?s ?property ?o }\nGROUP BY ?property ORDER BY DESC(?uses) LIMIT 25"],
  ["Claims and their quotations", "SELECT ?subject ?predicate ?object ?status ?quoted\nWHERE { GRAPH ?graph {\n  ?claim a c:Claim ; c:status ?status ; c:evidence/oa:exact ?quoted ;\n    rdf:subject ?subject ; rdf:predicate ?predicate ; rdf:object ?object } }\nLIMIT 50"],
  ["Documents", "SELECT ?document ?title\nWHERE { ?document a c:Document ; rdfs:label ?title }\nORDER BY ?title LIMIT 50"],
];

const $ = (id) => document.getElementById(id);
const number = new Intl.NumberFormat("en");
let prefixes = [];

// ---- small tools ------------------------------------------------------------------------------------------------

/** An element with attributes and children; strings become text. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const plural = (n, word) => `${number.format(n)} ${word}${n === 1 ? "" : "s"}`;

function shorten(iri) {
  for (const [prefix, namespace] of prefixes) {
    const local = iri.startsWith(namespace) ? iri.slice(namespace.length) : "";
    if (/^[\p{L}\p{N}_][\p{L}\p{N}_-]*$/u.test(local)) return `${prefix}:${local}`;
  }
  return iri;
}

/** A query with its IRIs as prefixed names; literals stay as they are. */
const pretty = (query) => query.replace(/"(?:[^"\\]|\\.)*"|<([^<>"{}|^`\\\s]+)>/g, (token, iri) => {
  const short = iri ? shorten(iri) : iri;
  return short === iri ? token : short;
});

/** A failure as a value: { title, detail, hint, request_id }. */
async function problemOf(response) {
  try {
    const problem = JSON.parse(await response.text());
    if (problem && problem.title) return problem;
  } catch { /* not one of ours */ }
  return { title: `The server answered with status ${response.status}`, detail: "", hint: "is something between this page and the server?" };
}

const unreachable = () => ({ title: "The server cannot be reached", detail: "", hint: "is it still running? Nothing typed here is lost." });

async function getJson(path) {
  let response;
  try {
    response = await fetch(path, { headers: { accept: "application/json" } });
  } catch {
    throw unreachable();
  }
  if (!response.ok) throw await problemOf(response);
  return response.json();
}

function showFailure(box, problem, detail = problem.detail) {
  box.replaceChildren(
    make("strong", {}, problem.title),
    detail ? make("p", {}, detail) : "",
    problem.hint ? make("p", {}, `What to do: ${problem.hint}`) : "",
    problem.request_id ? make("p", { class: "quiet" }, `Request ${problem.request_id}`) : "",
  );
  box.className = problem.code === "nothing-found" ? "note" : "failed";
  box.hidden = false;
}

/** A query as a link that opens and runs it on the right. */
const sparqlLink = (query) => `#sparql?${new URLSearchParams({ query: pretty(query) })}&run`;

const aboutNode = (iri) => `SELECT ?graph ?p ?o\nWHERE { GRAPH ?graph { <${iri}> ?p ?o } }\nLIMIT 200`;

async function loadPrefixes() {
  try {
    ({ prefixes } = await getJson("/api/v1/prefixes"));
  } catch { /* IRIs stay long; the status line says what is wrong */ }
}

// ---- what is here -----------------------------------------------------------------------------------------------

async function loadStatus() {
  try {
    const status = await getJson("/api/v1/status");
    const triples = status.graphs.reduce((sum, graph) => sum + graph.triples, 0);
    $("holdings").textContent = triples === 0
      ? "Nothing is loaded yet: `coevo ingest` fills this server's directory."
      : [
        plural(triples, "triple"), plural(status.graphs.length, "graph"), plural(status.labels, "name"),
        plural(status.passages_embedded, "passage"), plural(status.memory.proposed + status.memory.accepted, "claim"),
        status.model ? `model ${status.model}` : "no chat model",
      ].join(" · ");
    if (!status.model) {
      $("no-model").textContent = `No chat model, so answers are ${status.model_hint}.`;
      $("no-model").hidden = false;
      $("strategy-model").disabled = true;
    }
  } catch (problem) {
    $("holdings").textContent = `${problem.title}. ${problem.hint ?? ""}`;
  }
}

// ---- ask --------------------------------------------------------------------------------------------------------

let asking = null;

/** What has arrived of a run, and how it is shown. Live runs and stored traces go the same way. */
class Run {
  constructor() {
    this.evidence = [];
    this.steps = new Map();
    this.body = null;
    this.text = "";
    $("ask-failed").hidden = true;
    $("steps-list").replaceChildren();
    $("steps").hidden = false;
    $("answer").replaceChildren();
    this.summary("Working …");
  }

  summary(text) { $("steps-summary").textContent = text; }

  line(...children) {
    const item = make("li", {}, ...children);
    $("steps-list").append(item);
    $("steps-list").scrollTop = $("steps-list").scrollHeight;
    return item;
  }

  take(event) {
    const bold = (text) => make("b", {}, text);
    switch (event.event) {
      case "run.started":
        this.line("strategy ", bold(event.strategy), event.model ? `, model ${event.model}` : "");
        break;
      case "step.started":
        this.steps.set(event.id, { kind: event.kind, item: this.line(bold(event.kind), " …") });
        this.summary(`${event.kind} …`);
        break;
      case "step.ended": {
        const step = this.steps.get(event.id);
        if (!step) break;
        const why = event.reason ? `: ${event.reason}` : "";
        step.item.replaceChildren(bold(step.kind), event.outcome === "ok" ? " done" : ` ${event.outcome}${why}`);
        if (event.outcome === "failed") step.item.className = "wrong";
        break;
      }
      case "link": {
        const chosen = event.candidates.find((candidate) => candidate.iri === event.chosen);
        if (chosen) this.line("linked ", bold(event.mention), ` → ${chosen.label} (${shorten(chosen.iri)}, ${chosen.score.toFixed(2)})`);
        else this.line("no entity is good enough for ", bold(event.mention));
        break;
      }
      case "analysis":
        this.line("taken apart: ", event.subquestions.join(" · ") || "one question",
          event.depth ? ` (depth ${event.depth})` : "");
        break;
      case "sources":
        this.line(`sources: ${event.chosen.join(", ") || "none"}`, event.why ? ` (${event.why})` : "");
        break;
      case "expand":
        this.line(`${event.source}: ${number.format(event.found)} found`, event.cut ? `; cut: ${event.cut}` : "");
        break;
      case "prune":
        this.line(`${number.format(event.from)} → ${number.format(event.to)} by ${event.by}`);
        break;
      case "memory":
        this.line(`memory: ${event.added} added, ${event.merged} merged, ${event.retracted} taken back`,
          event.note ? ` (${event.note})` : "");
        break;
      case "evidence":
        this.evidence.push(event);
        this.summary(`${plural(this.evidence.length, "piece")} of evidence …`);
        break;
      case "token":
        this.text += event.text;
        this.draw(null);
        break;
      case "answer":
        this.body = event;
        this.draw(null);
        break;
      case "usage":
        this.usage = event;
        break;
      case "run.ended":
        this.summary(event.outcome === "ok" ? `Steps (${$("steps-list").children.length})` : `Run ${event.outcome}`);
        if (event.outcome !== "ok" && event.reason) {
          this.line(`${event.outcome}: ${event.reason}`).className = event.outcome === "failed" ? "wrong" : "";
        }
        break;
    }
  }

  /** Draws the answer: the whole one when it is there, else what has arrived. */
  draw(answer) {
    const body = answer?.answer ?? this.body;
    const evidence = answer?.evidence ?? this.evidence;
    const parts = [this.drawText(body, evidence)];
    for (const note of answer?.notes ?? []) parts.push(make("p", { class: "note" }, note));
    if (evidence.length) parts.push(make("h3", {}, `Evidence (${evidence.length})`), drawEvidence(evidence, body?.citations ?? []));
    if (answer) parts.push(...drawClaims(answer), drawUsage(answer.usage, answer));
    else if (this.usage) parts.push(drawUsage(this.usage, null));
    $("answer").replaceChildren(...parts);
  }

  drawText(body, evidence) {
    const states = {
      "insufficient": "The evidence is not enough for an answer.",
      "no-evidence": "Nothing here is evidence for an answer.",
      "capped": "A budget was spent: this is the best answer so far.",
    };
    const text = body?.text || this.text;
    const numberOf = new Map(evidence.map((item, index) => [item.id, index + 1]));
    const cites = (body?.citations ?? []).filter((id) => numberOf.has(id)).map((id) => make("sup", {},
      make("a", { href: "#", onclick: (click) => { click.preventDefault(); revealEvidence(id); } }, `[${numberOf.get(id)}]`)));
    const box = make("div", {}, make("p", { class: "text" }, text || (body ? "No answer" : ""), ...cites));
    if (body) {
      const support = body.verification === "none" ? "not supported by evidence" : `supported by ${body.verification.replaceAll("+", " and ")}`;
      box.append(make("p", { class: "quiet" }, [states[body.state], support].filter(Boolean).join(" · ")));
    }
    return box;
  }
}

const evidenceId = (id) => `evidence-${id}`;

function revealEvidence(id) {
  const item = $(evidenceId(id));
  if (!item) return;
  item.hidden = false;
  item.scrollIntoView({ block: "nearest" });
  item.focus();
}

function drawEvidence(evidence, citations) {
  const list = make("ol", { class: "evidence" });
  let hidden = 0;
  evidence.forEach((item, index) => {
    const isCited = citations.includes(item.id);
    const entry = make("li", { id: evidenceId(item.id), class: isCited ? "cited" : null, tabindex: "-1" },
      make("span", { class: "number" }, `[${index + 1}]`), make("div", {}, drawWords(item), drawAbout(item, isCited)));
    if (index >= SHOWN_EVIDENCE && !isCited) {
      entry.hidden = true;
      hidden += 1;
    }
    list.append(entry);
  });
  if (!hidden) return list;
  const more = make("button", { type: "button", class: "small", onclick: () => {
    for (const entry of list.children) entry.hidden = false;
    more.remove();
  } }, `show ${hidden} more`);
  return make("div", {}, list, make("p", {}, more));
}

function drawWords(item) {
  if (!item.path?.length) return make("blockquote", {}, `“${item.text}”`);
  const path = make("span", { class: "path" }, make("span", { class: "node", title: item.path[0].from }, item.path[0].from_label));
  for (const step of item.path) {
    const isForward = step.direction !== "backward";
    const label = isForward ? `—${step.predicate_label}→` : `←${step.predicate_label}—`;
    path.append(make("span", { class: "relation", title: step.predicate }, label),
      make("span", { class: "node", title: step.to }, step.to_label));
    if (step.qualifiers.length) path.append(" ", make("span", { class: "qualifiers" }, `(${step.qualifiers.join("; ")})`));
  }
  return path;
}

function drawAbout(item, isCited) {
  const query = item.sparql ?? (item.passage || item.claim ? aboutNode(item.claim ?? item.passage) : null);
  return make("div", { class: "about" },
    item.title ? make("span", {}, item.title) : null,
    make("span", {}, item.source),
    make("span", {}, "relevance ", make("meter", { min: 0, max: 1, value: item.relevance, title: item.relevance.toFixed(2) },
      item.relevance.toFixed(2))),
    isCited ? make("span", {}, "cited") : null,
    query ? make("button", { type: "button", class: "small", onclick: () => openQuery(pretty(query)) }, "open as SPARQL") : null);
}

function drawClaims(answer) {
  if (!answer.claims.length && !answer.quarantined) return [];
  const list = make("ul", { class: "claims" });
  for (const iri of answer.claims.slice(0, SHOWN_CLAIMS)) {
    const item = make("li", {}, make("a", { href: sparqlLink(aboutNode(iri)) }, shorten(iri)));
    list.append(item);
    getJson(`/api/v1/claims/${encodeURIComponent(iri)}`).then(({ claim }) => {
      item.replaceChildren(
        `${claim.subject_label ?? shorten(claim.subject)} — ${claim.predicate_label ?? shorten(claim.predicate)} → ${claim.object_label ?? shorten(claim.object)} `,
        make("a", { href: sparqlLink(aboutNode(iri)) }, claim.status),
        claim.evidence[0] ? make("div", { class: "quiet" }, `“${claim.evidence[0].quoted}”`) : "",
      );
    }, () => { /* the identifier stays */ });
  }
  const more = answer.claims.length - SHOWN_CLAIMS;
  return [
    make("h3", {}, `Claims kept (${answer.claims.length})`), list,
    more > 0 ? make("p", { class: "quiet" }, `and ${number.format(more)} more`) : "",
    answer.quarantined ? make("p", { class: "quiet" }, `${plural(answer.quarantined, "claim")} not grounded in a quotation: quarantined`) : "",
  ];
}

function drawUsage(usage, answer) {
  const parts = [plural(usage.calls, "model call"), plural(usage.prompt_tokens + usage.completion_tokens, "token"), `${usage.seconds.toFixed(1)} s`];
  if (usage.cost !== null && usage.cost !== undefined) parts.push(`cost ${usage.cost.toFixed(4)}`);
  if (answer) parts.push(answer.strategy);
  const line = make("p", { class: "quiet" }, parts.join(" · "));
  if (answer) line.append(" · ", make("a", { href: `#trace/${encodeURIComponent(answer.run)}` }, "trace"));
  return line;
}

/** Server-sent events out of a body, each as its parsed data. */
async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  let data = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    buffer += value;
    const lines = buffer.split("\n");
    buffer = lines.pop();
    for (const line of lines.map((text) => text.replace(/\r$/, ""))) {
      if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
      else if (line === "" && data.length) {
        yield JSON.parse(data.join("\n"));
        data = [];
      }
    }
  }
}

async function ask(question, { remember }) {
  asking?.abort();
  const control = new AbortController();
  asking = control;
  busy(true);
  const run = new Run();
  $("steps").open = true;
  let ended = false;
  try {
    const response = await fetch("/api/v1/ask/stream", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream, application/problem+json;q=0.9" },
      body: JSON.stringify({ question, strategy: $("strategy").value || null, write_memory: remember }),
      signal: control.signal,
    });
    if (!response.ok) {
      $("steps").hidden = true;
      showFailure($("ask-failed"), await problemOf(response));
      return;
    }
    for await (const event of eventsOf(response.body)) {
      if (event.event === "done") {
        ended = true;
        run.draw(event.answer);
        $("steps").open = false;
        history.replaceState(null, "", `#trace/${encodeURIComponent(event.answer.run)}`);
      } else if (event.event === "error") {
        ended = true;
        run.summary(event.problem.code === "nothing-found" ? "Nothing found" : "Run failed");
        showFailure($("ask-failed"), event.problem);
      } else run.take(event);
    }
    if (!ended) showFailure($("ask-failed"), { title: "The answer broke off", detail: "", hint: "the server may have stopped; what arrived stays here" });
  } catch (error) {
    if (control.signal.aborted) run.summary("Stopped: what had arrived stays here, nothing was kept");
    else showFailure($("ask-failed"), unreachable());
  } finally {
    if (asking === control) {
      asking = null;
      busy(false);
    }
  }
}

function busy(isBusy) {
  $("ask-run").disabled = isBusy;
  $("ask-stop").hidden = !isBusy;
}

async function openTrace(id) {
  asking?.abort();
  try {
    const trace = await getJson(`/api/v1/traces/${encodeURIComponent(id)}`);
    $("question").value = trace.question;
    const run = new Run();
    for (const event of trace.events) run.take(event);
    run.summary(`Steps (${trace.events.length} events, asked ${new Date(trace.asked_at).toLocaleString()})`);
    run.draw(trace.answer);
    if (!trace.answer) $("answer").prepend(make("p", { class: "note" }, "This run gave no answer; its steps say why."));
  } catch (problem) {
    $("steps").hidden = true;
    $("answer").replaceChildren();
    showFailure($("ask-failed"), problem);
  }
}

async function loadRecent() {
  const list = $("recent-list");
  list.replaceChildren(make("li", { class: "quiet" }, "Reading …"));
  try {
    const { traces } = await getJson("/api/v1/traces?limit=20");
    if (!traces.length) list.replaceChildren(make("li", { class: "quiet" }, "Nothing was asked yet."));
    else list.replaceChildren(...traces.map((trace) => make("li", {},
      make("a", { href: `#trace/${encodeURIComponent(trace.run)}` }, trace.question),
      make("span", { class: "quiet" }, trace.answer ? ` ${trace.answer}` : " no answer"))));
  } catch (problem) {
    list.replaceChildren(make("li", {}, problem.title));
  }
}

// ---- SPARQL -----------------------------------------------------------------------------------------------------

let querying = null;

async function runQuery() {
  querying?.abort();
  const control = new AbortController();
  querying = control;
  $("sparql-stop").hidden = false;
  $("sparql-failed").hidden = true;
  $("sparql-summary").textContent = "Running …";
  $("results").replaceChildren();
  const started = performance.now();
  try {
    const response = await fetch(`/query?max-rows=${SHOWN_ROWS + 1}`, {
      method: "POST",
      headers: { "content-type": "application/sparql-query", accept: "application/sparql-results+json, application/n-triples;q=0.9" },
      body: $("query").value,
      signal: control.signal,
    });
    if (!response.ok) {
      failQuery(await problemOf(response));
      return;
    }
    const text = await response.text();
    const isTriples = (response.headers.get("content-type") ?? "").startsWith("application/n-triples");
    const [n, what] = isTriples ? showTriples(text) : showSolutions(JSON.parse(text));
    const milliseconds = `${number.format(Math.round(performance.now() - started))} ms`;
    if (n === null) $("sparql-summary").textContent = milliseconds;
    else if (n > SHOWN_ROWS) $("sparql-summary").textContent = `First ${number.format(SHOWN_ROWS)} ${what}s shown; \`coevo query\` and /query give all · ${milliseconds}`;
    else $("sparql-summary").textContent = `${n === 0 ? `No ${what}s: nothing matches` : plural(n, what)} · ${milliseconds}`;
  } catch (error) {
    if (control.signal.aborted) $("sparql-summary").textContent = "Stopped";
    else failQuery(error instanceof SyntaxError || error instanceof TypeError
      ? { title: "The result broke off", detail: "", hint: "the deadline may have passed: narrow the query or add a LIMIT" } : unreachable());
  } finally {
    if (querying === control) {
      querying = null;
      $("sparql-stop").hidden = true;
    }
  }
}

function failQuery(problem) {
  $("sparql-summary").textContent = "";
  const place = /\b(\d+):(\d+)\b/.exec(problem.detail ?? "");
  if (problem.code !== "sparql-syntax" || !place) {
    showFailure($("sparql-failed"), problem);
    return;
  }
  const [line, column] = [Number(place[1]), Number(place[2])];
  showFailure($("sparql-failed"), problem, `Line ${line}, column ${column}: ${problem.detail}`);
  const lines = $("query").value.split("\n");
  const at = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
  $("query").focus();
  $("query").setSelectionRange(at, Math.min(at + 1, $("query").value.length));
}

function showSolutions(results) {
  if (typeof results.boolean === "boolean") {
    $("results").replaceChildren(make("p", { class: "truth" }, results.boolean ? "true" : "false"));
    return [null, "row"];
  }
  const rows = results.results.bindings;
  const names = results.head.vars;
  if (rows.length) {
    const head = make("thead", {}, make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, `?${name}`))));
    const body = make("tbody", {}, ...rows.slice(0, SHOWN_ROWS).map((row) => make("tr", {}, ...names.map((name) => cell(row[name])))));
    $("results").replaceChildren(make("table", {}, head, body));
  }
  return [rows.length, "row"];
}

function cell(term) {
  if (!term) return make("td", { class: "unbound" });
  if (term.type === "uri") return make("td", {}, make("a", { href: sparqlLink(aboutNode(term.value)), title: term.value }, shorten(term.value)));
  if (term.type === "bnode") return make("td", {}, `_:${term.value}`);
  const tag = term["xml:lang"] ? `@${term["xml:lang"]}` : term.datatype ? shorten(term.datatype) : "";
  return make("td", {}, term.value ?? JSON.stringify(term), tag ? make("span", { class: "tag" }, tag) : null);
}

function showTriples(text) {
  const lines = text.split("\n").filter((line) => line !== "");
  if (lines.length) $("results").replaceChildren(make("pre", {}, pretty(lines.slice(0, SHOWN_ROWS).join("\n"))));
  return [lines.length, "triple"];
}

function openQuery(query) {
  $("query").value = query;
  history.replaceState(null, "", `#sparql?${new URLSearchParams({ query })}`);
  if (matchMedia("(max-width: 1099px)").matches) $("sparql-title").scrollIntoView();
  runQuery();
}

// ---- addresses and events ---------------------------------------------------------------------------------------

function follow() {
  const [place, rest = ""] = location.hash.slice(1).split(/\?(.*)/s);
  const parameters = new URLSearchParams(rest);
  if (place.replace(/^\//, "").startsWith("trace/")) openTrace(decodeURIComponent(place.split("trace/")[1]));
  else if (place === "ask" && parameters.get("q")) {
    $("question").value = parameters.get("q");
    // A link may come from anywhere: what it asks leaves nothing behind.
    if (parameters.has("run")) ask(parameters.get("q"), { remember: false });
  } else if (place === "sparql" && parameters.get("query")) {
    $("query").value = parameters.get("query");
    if (parameters.has("run")) runQuery();
  }
}

$("ask-form").addEventListener("submit", (submit) => {
  submit.preventDefault();
  const question = $("question").value.trim();
  if (question) ask(question, { remember: $("remember").checked });
});
$("ask-stop").addEventListener("click", () => asking?.abort());
$("recent").addEventListener("toggle", () => { if ($("recent").open) loadRecent(); });
$("sparql-form").addEventListener("submit", (submit) => {
  submit.preventDefault();
  openQuery($("query").value);
});
$("sparql-stop").addEventListener("click", () => querying?.abort());
$("query").addEventListener("keydown", (key) => {
  if (key.key === "Enter" && (key.ctrlKey || key.metaKey)) {
    key.preventDefault();
    openQuery($("query").value);
  }
});
$("example").append(make("option", { value: "" }, "choose …"), ...EXAMPLES.map(([name], index) => make("option", { value: index }, name)));
$("example").addEventListener("change", () => {
  $("query").value = EXAMPLES[$("example").value][1];
  $("example").value = "";
});
$("query").value = EXAMPLES[0][1];
addEventListener("hashchange", follow);
loadStatus();
loadPrefixes().then(follow);
