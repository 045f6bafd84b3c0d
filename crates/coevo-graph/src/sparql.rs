//! SPARQL 1.1 query and update over the store: [`Graph::prepare`], [`PreparedQuery::write`], [`Graph::select`],
//! [`Graph::update`]. Results stream to a writer; syntax errors come before the first byte. Federation (`SERVICE`) and
//! `LOAD` are off.
//!
//! Where a query names no dataset, its default graph is the *knowledge*: the store's default graph, all `kg`, `docs` and
//! accepted-memory graphs. Claims, answers, proposals and jobs are reached through `GRAPH`.

use crate::{Error, Graph, Result, vocab};
use oxigraph::sparql::{CancellationToken, QueryEvaluationError, QueryResults, SparqlEvaluator};
use oxrdf::{GraphName, NamedNode, NamedOrBlankNode, Term, Triple, Variable};
use oxrdfio::{RdfFormat, RdfSerializer};
use sparesults::{QueryResultsFormat, QueryResultsSerializer};
use spargebra::SparqlParser;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Cancels what it was given to. Cheap to clone.
#[derive(Clone, Default)]
pub struct Cancel(CancellationToken);

impl Cancel {
    /// Stops the work at its next read of the store.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether [`Cancel::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

impl std::fmt::Debug for Cancel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cancel({})", self.is_cancelled())
    }
}

/// What the default graph of a query is when neither the query nor the protocol says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DefaultDataset {
    /// Default graph, knowledge graphs, documents, accepted memory.
    #[default]
    Knowledge,
    /// The store's default graph alone, as the SPARQL specification has it.
    Strict,
    /// The union of every graph.
    Everything,
}

/// How a query is run.
#[derive(Debug, Clone, Default)]
pub struct QueryOptions {
    /// `default-graph-uri` of the protocol; overrides `FROM`.
    pub default_graphs: Option<Vec<NamedNode>>,
    /// `named-graph-uri` of the protocol; overrides `FROM NAMED`.
    pub named_graphs: Option<Vec<NamedNode>>,
    /// The default graph when nothing names one.
    pub dataset: DefaultDataset,
    /// Terms for projected variables, so that templates need no string building.
    pub bindings: Vec<(Variable, Term)>,
    /// Wall time allowed.
    pub deadline: Option<Duration>,
    /// Rows or triples written at most; what is beyond is reported as capped.
    pub max_rows: Option<u64>,
    /// Stops the query from outside.
    pub cancel: Cancel,
}

/// How an update is run.
#[derive(Debug, Clone, Default)]
pub struct UpdateOptions {
    /// `using-graph-uri` of the protocol.
    pub using_graphs: Option<Vec<NamedNode>>,
    /// `using-named-graph-uri` of the protocol.
    pub using_named_graphs: Option<Vec<NamedNode>>,
}

/// The form of a query, which decides the formats it can be answered in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryKind {
    /// Rows.
    Select,
    /// A boolean.
    Ask,
    /// Triples (CONSTRUCT, DESCRIBE).
    Graph,
}

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputFormat {
    /// SPARQL results: JSON, XML, CSV, TSV.
    Solutions(QueryResultsFormat),
    /// RDF.
    Graph(RdfFormat),
}

/// What [`PreparedQuery::write`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Rows (or triples; 1 for ASK).
    pub rows: u64,
    /// Whether `max_rows` cut the result.
    pub capped: bool,
}

/// A bounded table of results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    /// Column names without `?`.
    pub variables: Vec<String>,
    /// Rows; an unbound variable is `None`.
    pub rows: Vec<Vec<Option<Term>>>,
    /// Whether more rows exist.
    pub capped: bool,
}

/// A query that parsed, ready to run once.
pub struct PreparedQuery {
    query: spargebra::Query,
    kind: QueryKind,
    graph: Graph,
    options: QueryOptions,
}

impl Graph {
    /// Parses a query. [`Error::Syntax`] names line and column.
    pub fn prepare(&self, query: &str, options: &QueryOptions) -> Result<PreparedQuery> {
        check_complexity(query)?;
        let query = parser()?.parse_query(query).map_err(Error::syntax)?;
        let kind = match &query {
            spargebra::Query::Select { .. } => QueryKind::Select,
            spargebra::Query::Ask { .. } => QueryKind::Ask,
            spargebra::Query::Construct { .. } | spargebra::Query::Describe { .. } => QueryKind::Graph,
        };
        Ok(PreparedQuery {
            query,
            kind,
            graph: self.clone(),
            options: options.clone(),
        })
    }

    /// Runs a SELECT and keeps at most `max_rows` rows (10,000 when unset).
    pub async fn select(&self, query: &str, options: &QueryOptions) -> Result<Rows> {
        let prepared = self.prepare(query, options)?;
        self.blocking(move |_| prepared.rows()).await
    }

    /// Runs a SPARQL 1.1 update atomically.
    pub async fn update(&self, update: &str, options: &UpdateOptions) -> Result<()> {
        check_complexity(update)?;
        let update = parser()?.parse_update(update).map_err(Error::syntax)?;
        let options = options.clone();
        self.blocking(move |graph| {
            let _writer = graph.writer();
            let mut prepared = SparqlEvaluator::new().for_update(update);
            if options.using_graphs.is_some() || options.using_named_graphs.is_some() {
                for dataset in prepared.using_datasets_mut() {
                    dataset.set_default_graph(to_graph_names(
                        options.using_graphs.as_deref().unwrap_or_default(),
                    ));
                    dataset.set_available_named_graphs(to_nodes(
                        options.using_named_graphs.as_deref().unwrap_or_default(),
                    ));
                }
            }
            prepared
                .on_store(graph.store())
                .execute()
                .map_err(|error| match error {
                    oxigraph::sparql::UpdateEvaluationError::Storage(error) => graph.storage_error(error),
                    other => Error::Update(Box::new(other)),
                })
        })
        .await
    }
}

impl PreparedQuery {
    /// The query's form.
    pub fn kind(&self) -> QueryKind {
        self.kind
    }

    /// Runs the query and streams its result. Blocking. An error after the first byte leaves the document unfinished.
    pub fn write(self, format: OutputFormat, out: &mut dyn Write) -> Result<Written> {
        let watch = Watch::start(&self.options);
        let limit = self.options.max_rows.unwrap_or(u64::MAX);
        let result = self.write_within(format, out, limit);
        watch.explain(result)
    }

    fn write_within(self, format: OutputFormat, out: &mut dyn Write, limit: u64) -> Result<Written> {
        let kind = self.kind;
        let wrong = || Error::WrongFormat {
            kind: kind.name(),
            format: format.name(),
        };
        match (self.execute()?, format) {
            (QueryResults::Boolean(value), OutputFormat::Solutions(format)) => {
                QueryResultsSerializer::from_format(format).serialize_boolean_to_writer(out, value)?;
                Ok(Written {
                    rows: 1,
                    capped: false,
                })
            }
            (QueryResults::Solutions(solutions), OutputFormat::Solutions(format)) => {
                let variables = solutions.variables().to_vec();
                let mut writer = QueryResultsSerializer::from_format(format)
                    .serialize_solutions_to_writer(out, variables)?;
                let mut rows = 0;
                let mut capped = false;
                for solution in solutions {
                    let solution = solution?;
                    if rows == limit {
                        capped = true;
                        break;
                    }
                    writer.serialize(&solution)?;
                    rows += 1;
                }
                writer.finish()?;
                Ok(Written { rows, capped })
            }
            (QueryResults::Graph(triples), OutputFormat::Graph(format)) => {
                write_triples(triples, format, out, limit)
            }
            _ => Err(wrong()),
        }
    }

    fn rows(self) -> Result<Rows> {
        let watch = Watch::start(&self.options);
        let limit = usize::try_from(self.options.max_rows.unwrap_or(10_000)).unwrap_or(usize::MAX);
        let kind = self.kind;
        let collect = || -> Result<Rows> {
            let QueryResults::Solutions(solutions) = self.execute()? else {
                return Err(Error::WrongFormat {
                    kind: kind.name(),
                    format: "rows".to_owned(),
                });
            };
            let variables: Vec<String> = solutions
                .variables()
                .iter()
                .map(|v| v.as_str().to_owned())
                .collect();
            let mut rows = Vec::new();
            for solution in solutions {
                let solution = solution?;
                if rows.len() == limit {
                    return Ok(Rows {
                        variables,
                        rows,
                        capped: true,
                    });
                }
                rows.push(solution.values().to_vec());
            }
            Ok(Rows {
                variables,
                rows,
                capped: false,
            })
        };
        let result = collect();
        watch.explain(result)
    }

    fn execute(self) -> Result<QueryResults<'static>> {
        let Self {
            query,
            graph,
            options,
            ..
        } = self;
        let mut prepared = SparqlEvaluator::new()
            .with_cancellation_token(options.cancel.0.clone())
            .for_query(query);
        for (variable, term) in options.bindings {
            prepared = prepared.substitute_variable(variable, term);
        }
        if options.default_graphs.is_some() || options.named_graphs.is_some() {
            let dataset = prepared.dataset_mut();
            dataset.set_default_graph(to_graph_names(
                options.default_graphs.as_deref().unwrap_or_default(),
            ));
            dataset.set_available_named_graphs(to_nodes(options.named_graphs.as_deref().unwrap_or_default()));
        } else if prepared.dataset().is_default_dataset() {
            match options.dataset {
                DefaultDataset::Strict => {}
                DefaultDataset::Everything => prepared.dataset_mut().set_default_graph_as_union(),
                DefaultDataset::Knowledge => {
                    let mut graphs = vec![GraphName::DefaultGraph];
                    graphs.extend(
                        graph
                            .graphs_where(vocab::is_knowledge_graph)?
                            .into_iter()
                            .map(GraphName::from),
                    );
                    prepared.dataset_mut().set_default_graph(graphs);
                }
            }
        }
        Ok(prepared.on_store(graph.store()).execute()?)
    }
}

impl Rows {
    /// The term of a column in a row.
    pub fn get(&self, row: usize, variable: &str) -> Option<&Term> {
        let column = self.variables.iter().position(|name| name == variable)?;
        self.rows.get(row)?.get(column)?.as_ref()
    }
}

impl QueryKind {
    fn name(self) -> &'static str {
        match self {
            Self::Select => "Select",
            Self::Ask => "Ask",
            Self::Graph => "Graph",
        }
    }
}

impl OutputFormat {
    fn name(self) -> String {
        match self {
            Self::Solutions(format) => format.media_type().to_owned(),
            Self::Graph(format) => format.media_type().to_owned(),
        }
    }
}

fn write_triples(
    triples: impl Iterator<Item = Result<Triple, QueryEvaluationError>>,
    format: RdfFormat,
    out: &mut dyn Write,
    limit: u64,
) -> Result<Written> {
    let mut writer = RdfSerializer::from_format(format).for_writer(out);
    let mut rows = 0;
    let mut capped = false;
    for triple in triples {
        let triple = triple?;
        if rows == limit {
            capped = true;
            break;
        }
        writer.serialize_triple(&triple)?;
        rows += 1;
    }
    writer.finish()?;
    Ok(Written { rows, capped })
}

/// Deepest nesting of brackets: the parser and the evaluator recurse, and a stack that overflows ends the program.
const MAX_NESTING: usize = 64;
/// Operators and `UNION`s outside of strings and IRIs: their chains recurse too.
const MAX_OPERATORS: usize = 1_000;

/// Refuses queries that would overflow the stack, before anything recurses over them. One pass over the bytes.
fn check_complexity(text: &str) -> Result<()> {
    let bytes = text.as_bytes();
    let (mut depth, mut operators, mut at) = (0_usize, 0_usize, 0_usize);
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'') => at = end_of_string(bytes, at, quote),
            b'#' => {
                let comment = bytes[at..].iter().take_while(|byte| **byte != b'\n').count();
                at += comment.saturating_sub(1);
            }
            b'<' => match end_of_iri(&bytes[at..]) {
                Some(length) => at += length - 1,
                None => operators += 1,
            },
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => depth = depth.saturating_sub(1),
            b'+' | b'-' | b'*' | b'/' | b'|' | b'&' | b'!' | b'^' | b'=' | b'>' => operators += 1,
            b'u' | b'U' if bytes[at..].len() >= 5 && bytes[at..at + 5].eq_ignore_ascii_case(b"union") => {
                operators += 1;
            }
            _ => {}
        }
        if depth > MAX_NESTING || operators > MAX_OPERATORS {
            return Err(Error::TooComplex {
                nesting: MAX_NESTING,
                operators: MAX_OPERATORS,
            });
        }
        at += 1;
    }
    Ok(())
}

/// Place of the last byte of a string that begins at `start`.
fn end_of_string(bytes: &[u8], start: usize, quote: u8) -> usize {
    let long = bytes[start..].starts_with(&[quote; 3]);
    let close: &[u8] = if long { &[quote; 3] } else { &[quote] };
    let mut at = start + close.len();
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            at += 1;
        } else if bytes[at..].starts_with(close) {
            return at + close.len() - 1;
        }
        at += 1;
    }
    bytes.len()
}

/// Length of an IRI in angle brackets; `None`: the `<` is an operator.
fn end_of_iri(bytes: &[u8]) -> Option<usize> {
    let length = bytes.iter().position(|byte| *byte == b'>')?;
    let forbidden = |byte: &u8| *byte <= b' ' || b"<\"{}|\\^`".contains(byte);
    (!bytes[1..length].iter().any(forbidden)).then_some(length + 1)
}

fn parser() -> Result<SparqlParser> {
    let mut parser = SparqlParser::new();
    for (prefix, iri) in vocab::PREFIXES {
        parser = parser
            .with_prefix(*prefix, *iri)
            .map_err(|error| Error::Io(io::Error::other(error)))?;
    }
    Ok(parser)
}

fn to_graph_names(graphs: &[NamedNode]) -> Vec<GraphName> {
    graphs.iter().cloned().map(GraphName::from).collect()
}

fn to_nodes(graphs: &[NamedNode]) -> Vec<NamedOrBlankNode> {
    graphs.iter().cloned().map(NamedOrBlankNode::from).collect()
}

/// Cancels a query when its deadline passes, even while no row comes out of it.
struct Watch {
    deadline: Option<(Duration, Instant)>,
    done: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    fn start(options: &QueryOptions) -> Self {
        let done = Arc::new((Mutex::new(false), Condvar::new()));
        let Some(allowed) = options.deadline else {
            return Self {
                deadline: None,
                done,
                thread: None,
            };
        };
        let cancel = options.cancel.clone();
        let waiting = Arc::clone(&done);
        let thread = std::thread::Builder::new()
            .name("query-deadline".to_owned())
            .spawn(move || {
                let (ended, signal) = &*waiting;
                let guard = ended.lock().unwrap_or_else(PoisonError::into_inner);
                let (guard, timeout) = signal
                    .wait_timeout_while(guard, allowed, |ended| !*ended)
                    .unwrap_or_else(PoisonError::into_inner);
                if timeout.timed_out() && !*guard {
                    cancel.cancel();
                }
            });
        Self {
            deadline: Some((allowed, Instant::now())),
            done,
            thread: thread.ok(),
        }
    }

    /// Tells a deadline from a caller that went away.
    fn explain<T>(&self, result: Result<T>) -> Result<T> {
        match (result, self.deadline) {
            (Err(Error::Cancelled), Some((allowed, started))) if started.elapsed() >= allowed => {
                Err(Error::Deadline {
                    seconds: allowed.as_secs_f64(),
                })
            }
            (result, _) => result,
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        *self.done.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.done.1.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic of the watchdog changes nothing about the result.
            drop(thread.join());
        }
    }
}

#[cfg(test)]
mod tests;
