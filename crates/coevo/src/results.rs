//! Forms of query results: [`ResultFormat`] and the table that people read, made from SPARQL JSON or N-Triples so that a
//! directory and a server give the same one.

use crate::failure::{Failure, Result};
use crate::names::shorten;
use crate::table::Table;
use clap::ValueEnum;
use coevo_graph::{OutputFormat, QueryKind};
use oxrdf::Term;
use oxrdf::vocab::xsd;
use oxrdfio::{JsonLdProfileSet, RdfFormat};
use sparesults::{QueryResultsFormat, QueryResultsParser, SliceQueryResultsParserOutput};

/// Rows of a table at most.
pub(crate) const TABLE_ROWS: usize = 1000;

/// Forms of results as `--results-format` names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ResultFormat {
    Json,
    Csv,
    Tsv,
    Xml,
    Table,
    Nt,
    Ttl,
    Rdf,
    Jsonld,
}

impl ResultFormat {
    /// The serialisation; a table is made from JSON, or from N-Triples where the query gives triples.
    pub(crate) fn output(self, kind: QueryKind) -> OutputFormat {
        match self {
            Self::Json => OutputFormat::Solutions(QueryResultsFormat::Json),
            Self::Csv => OutputFormat::Solutions(QueryResultsFormat::Csv),
            Self::Tsv => OutputFormat::Solutions(QueryResultsFormat::Tsv),
            Self::Xml => OutputFormat::Solutions(QueryResultsFormat::Xml),
            Self::Table if kind != QueryKind::Graph => OutputFormat::Solutions(QueryResultsFormat::Json),
            Self::Table | Self::Nt => OutputFormat::Graph(RdfFormat::NTriples),
            Self::Ttl => OutputFormat::Graph(RdfFormat::Turtle),
            Self::Rdf => OutputFormat::Graph(RdfFormat::RdfXml),
            Self::Jsonld => OutputFormat::Graph(RdfFormat::JsonLd {
                profile: JsonLdProfileSet::empty(),
            }),
        }
    }

    /// What a server is asked for.
    pub(crate) fn accept(self) -> &'static str {
        match self {
            Self::Json => "application/sparql-results+json",
            Self::Csv => "text/csv",
            Self::Tsv => "text/tab-separated-values",
            Self::Xml => "application/sparql-results+xml",
            Self::Table => "application/sparql-results+json, application/n-triples;q=0.9",
            Self::Nt => "application/n-triples",
            Self::Ttl => "text/turtle",
            Self::Rdf => "application/rdf+xml",
            Self::Jsonld => "application/ld+json",
        }
    }
}

/// A whole, bounded result.
pub(crate) enum Body {
    /// SPARQL JSON.
    Json(Vec<u8>),
    /// N-Triples.
    Triples(Vec<u8>),
}

/// A table and whether it shows all rows.
pub(crate) struct Shown {
    pub(crate) text: String,
    pub(crate) capped: bool,
}

/// Lays a result out for people.
pub(crate) fn table(body: &Body) -> Result<Shown> {
    let json = match body {
        Body::Triples(triples) => {
            let text = String::from_utf8_lossy(triples);
            let capped = text.lines().nth(TABLE_ROWS).is_some();
            let lines = text.lines().take(TABLE_ROWS).flat_map(|line| [line, "\n"]);
            return Ok(Shown {
                text: lines.collect(),
                capped,
            });
        }
        Body::Json(json) => json,
    };
    let unreadable =
        |error: &dyn std::fmt::Display| Failure::failed(format!("the results cannot be read: {error}"));
    let parser = QueryResultsParser::from_format(QueryResultsFormat::Json);
    let solutions = match parser.for_slice(json).map_err(|error| unreadable(&error))? {
        SliceQueryResultsParserOutput::Boolean(value) => {
            return Ok(Shown {
                text: format!("{value}\n"),
                capped: false,
            });
        }
        SliceQueryResultsParserOutput::Solutions(solutions) => solutions,
    };
    let variables = solutions.variables().to_vec();
    let mut table = Table::new(variables.iter().map(|variable| format!("?{}", variable.as_str())));
    let mut n_rows = 0;
    let mut capped = false;
    for solution in solutions {
        let solution = solution.map_err(|error| unreadable(&error))?;
        if n_rows == TABLE_ROWS {
            capped = true;
            break;
        }
        n_rows += 1;
        table.row(
            variables
                .iter()
                .map(|variable| solution.get(variable).map(term).unwrap_or_default()),
        );
    }
    let rows = if n_rows == 1 { "row" } else { "rows" };
    Ok(Shown {
        text: format!("{table}({n_rows} {rows})\n"),
        capped,
    })
}

/// A term the way people read it: short IRIs, literals without quotes, the type only where it says something.
pub(crate) fn term(term: &Term) -> String {
    match term {
        Term::NamedNode(node) => shorten(node.as_str()),
        Term::BlankNode(node) => node.to_string(),
        Term::Literal(literal) => match literal.language() {
            Some(language) => format!("{}@{language}", literal.value()),
            None if is_plain(literal.datatype()) => literal.value().to_owned(),
            None => format!("{}^^{}", literal.value(), shorten(literal.datatype().as_str())),
        },
        #[expect(
            unreachable_patterns,
            reason = "oxrdf has triple terms with a feature that another crate may turn on"
        )]
        other => other.to_string(),
    }
}

fn is_plain(datatype: oxrdf::NamedNodeRef<'_>) -> bool {
    [
        xsd::STRING,
        xsd::INTEGER,
        xsd::DECIMAL,
        xsd::DOUBLE,
        xsd::BOOLEAN,
        xsd::DATE,
        xsd::DATE_TIME,
    ]
    .contains(&datatype)
}

#[cfg(test)]
mod tests {
    //! Tables from results.
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::{Body, table};

    #[test]
    fn rows_and_terms() {
        let json = r#"{"head": {"vars": ["x", "y"]}, "results": {"bindings": [
            {"x": {"type": "uri", "value": "http://www.wikidata.org/entity/Q42"},
             "y": {"type": "literal", "value": "Adams", "xml:lang": "en"}},
            {"y": {"type": "literal", "value": "7", "datatype": "http://www.w3.org/2001/XMLSchema#integer"}}]}}"#;
        let shown = table(&Body::Json(json.as_bytes().to_vec())).unwrap();
        assert_eq!(
            shown.text,
            "?x      ?y\n──────  ────────\nwd:Q42  Adams@en\n        7\n(2 rows)\n"
        );
        let yes = table(&Body::Json(br#"{"head": {}, "boolean": true}"#.to_vec())).unwrap();
        assert_eq!(yes.text, "true\n");
    }
}
