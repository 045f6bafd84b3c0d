//! The gate that every extracted triple goes through: [`gate`] checks form, then the quotation against the *stored*
//! passage, then the grounding of subject and object. What fails for its form or its quotation is refused with a
//! [`Reason`]; what is merely not grounded comes out with the missing half empty, for quarantine. Reads, never writes.

use crate::ground::occurrences;
use crate::names::{self, ENTITIES};
use crate::read::{Node, lexical};
use crate::surface::{Folded, fold};
use crate::value::{ValueProblem, check_value, validity};
use crate::{EntityRef, Error, EvidenceSpan, ExtractedTriple, Factors, ObjectRef, Result};
use coevo_graph::{Graph, vocab};
use oxrdf::{GraphName, Literal, NamedNode, NamedOrBlankNode, Quad, Term};
use std::ops::Range;

/// Longest quotation in characters: a sentence, generously.
const QUOTE_CHARS: usize = 4_000;
/// Longest mention, relation or value in characters.
const NAME_CHARS: usize = 400;
/// Aliases of one entity that are looked for.
const ALIASES: usize = 200;
/// Collections looked at for one passage.
const COLLECTIONS: usize = 64;

/// Words that stand for a name but are none: an entity cannot be found by them.
const PRONOUNS: [&str; 38] = [
    "he",
    "she",
    "it",
    "they",
    "him",
    "her",
    "them",
    "his",
    "hers",
    "its",
    "their",
    "theirs",
    "himself",
    "herself",
    "itself",
    "themselves",
    "this",
    "that",
    "these",
    "those",
    "who",
    "whom",
    "whose",
    "which",
    "what",
    "where",
    "when",
    "there",
    "here",
    "one",
    "i",
    "we",
    "you",
    "me",
    "my",
    "our",
    "your",
    "the",
];

/// Why an extracted triple was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The evidence is no passage of a document: it is memory, a verbalised triple, a prediction, or unknown.
    #[error("the evidence is not a passage of a stored document")]
    NotADocument,
    /// The passage does not hold the quotation at that place.
    #[error("the passage does not hold the quotation at that place")]
    QuoteNotInPassage,
    /// Subject and object are the same.
    #[error("subject and object are the same")]
    Reflexive,
    /// Confidence or a factor is no number in [0, 1].
    #[error("the {what} is not a number from 0 to 1")]
    OutOfRange {
        /// `confidence` or a factor.
        what: &'static str,
    },
    /// A mention or relation is a pronoun or holds no letter or digit.
    #[error("the {what} is not a name")]
    NotAName {
        /// `subject`, `relation` or `object`.
        what: &'static str,
    },
    /// A text is longer than memory keeps.
    #[error("the {what} is too long")]
    TooLong {
        /// Which text.
        what: &'static str,
    },
    /// A linked entity is one of the platform's own nodes, or belongs to another space.
    #[error("the {what} names an IRI that is not an entity of a knowledge graph or of this space")]
    ForeignIri {
        /// `subject` or `object`.
        what: &'static str,
    },
    /// The literal is not well-formed, or of a datatype that memory does not keep.
    #[error("the value is not a well-formed literal of a datatype that memory keeps")]
    BadLiteral,
    /// The claim stands grounded already; this quotation does not name its subject and object, so it adds nothing.
    #[error("the quotation does not name the subject and the object of a claim that is grounded already")]
    AddsNoEvidence,
    /// The claim has as much evidence as is kept.
    #[error("the claim has as much evidence as is kept")]
    EvidenceFull,
}

/// A triple that passed, with everything that is written about it.
pub(crate) struct Gated {
    pub(crate) claim: NamedNode,
    pub(crate) subject: NamedNode,
    pub(crate) predicate: NamedNode,
    pub(crate) object: Term,
    pub(crate) confidence: f32,
    pub(crate) factors: Factors,
    pub(crate) valid_from: Option<Literal>,
    pub(crate) valid_to: Option<Literal>,
    /// Dates that were given but that the quotation does not state.
    pub(crate) n_dates_dropped: usize,
    pub(crate) quotation: Quotation,
    pub(crate) grounded_subject: Option<String>,
    pub(crate) grounded_object: Option<String>,
    /// Labels of what memory minted.
    pub(crate) labels: Vec<(NamedNode, String)>,
}

/// A quotation that really stands in a stored passage.
pub(crate) struct Quotation {
    pub(crate) passage: NamedNode,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) quoted: String,
    pub(crate) root_source: Term,
    /// The quad with the passage's text: required again when the change is applied.
    pub(crate) stored_text: Quad,
}

impl Gated {
    pub(crate) fn is_grounded(&self) -> bool {
        self.grounded_subject.is_some() && self.grounded_object.is_some()
    }
}

/// Checks one triple. The outer error is a failed store.
pub(crate) fn gate(graph: &Graph, space: &str, triple: &ExtractedTriple) -> Result<Result<Gated, Reason>> {
    let form = match check_form(space, triple) {
        Ok(form) => form,
        Err(reason) => return Ok(Err(reason)),
    };
    let quotation = match find_quotation(graph, &triple.evidence)? {
        Ok(quotation) => quotation,
        Err(reason) => return Ok(Err(reason)),
    };
    let (subject_span, object_span) = spans(triple, &quotation.quoted);
    let surface = |span: Option<Range<usize>>| span.map(|span| quotation.quoted[span].to_owned());
    let typed = |date: &Option<String>| date.as_deref().and_then(|date| validity(date, &quotation.quoted));
    let valid_from = typed(&triple.valid_from);
    let valid_to = typed(&triple.valid_to);
    let n_dates_dropped = usize::from(triple.valid_from.is_some() && valid_from.is_none())
        + usize::from(triple.valid_to.is_some() && valid_to.is_none());
    Ok(Ok(Gated {
        claim: names::claim_iri(space, &form.subject, &form.predicate, &form.object),
        subject: form.subject,
        predicate: form.predicate,
        object: form.object,
        confidence: triple.confidence,
        factors: triple.factors,
        valid_from,
        valid_to,
        n_dates_dropped,
        grounded_subject: surface(subject_span),
        grounded_object: surface(object_span),
        labels: form.labels,
        quotation,
    }))
}

struct Form {
    subject: NamedNode,
    predicate: NamedNode,
    object: Term,
    labels: Vec<(NamedNode, String)>,
}

fn check_form(space: &str, triple: &ExtractedTriple) -> Result<Form, Reason> {
    let numbers = [("confidence", triple.confidence)];
    let factors = ["source factor", "corroboration factor", "alignment factor"]
        .into_iter()
        .zip(triple.factors.all());
    for (what, number) in numbers.into_iter().chain(factors) {
        // NaN is in no range.
        if !(0.0..=1.0).contains(&number) {
            return Err(Reason::OutOfRange { what });
        }
    }
    if is_longer(&triple.evidence.quoted, QUOTE_CHARS) {
        return Err(Reason::TooLong { what: "quotation" });
    }
    if is_longer(&triple.relation, NAME_CHARS) {
        return Err(Reason::TooLong { what: "relation" });
    }
    let mut labels = Vec::new();
    let predicate =
        names::relation_iri(&triple.relation).map_err(|_| Reason::NotAName { what: "relation" })?;
    labels.push((predicate.clone(), tidy(&triple.relation)));
    let subject = entity(space, &triple.subject, "subject", &mut labels)?;
    let object = match &triple.object {
        ObjectRef::Entity(entity_ref) => Term::from(entity(space, entity_ref, "object", &mut labels)?),
        ObjectRef::Value { text, literal } => {
            if is_longer(text, NAME_CHARS) || is_longer(literal.value(), NAME_CHARS) {
                return Err(Reason::TooLong { what: "object" });
            }
            if check_value(text, literal) == Err(ValueProblem::IllTyped) {
                return Err(Reason::BadLiteral);
            }
            Term::from(literal.clone())
        }
    };
    if object == Term::from(subject.clone()) {
        return Err(Reason::Reflexive);
    }
    Ok(Form {
        subject,
        predicate,
        object,
        labels,
    })
}

fn entity(
    space: &str,
    entity: &EntityRef,
    what: &'static str,
    labels: &mut Vec<(NamedNode, String)>,
) -> Result<NamedNode, Reason> {
    match entity {
        EntityRef::Linked { iri, mention, .. } => {
            if is_longer(mention, NAME_CHARS) {
                return Err(Reason::TooLong { what });
            }
            let own = iri.as_str().starts_with("urn:coevo:");
            let of_this_space = iri
                .as_str()
                .strip_prefix(ENTITIES)
                .and_then(|rest| rest.strip_prefix(space))
                .is_some_and(|rest| rest.starts_with(':'));
            if own && !of_this_space {
                return Err(Reason::ForeignIri { what });
            }
            Ok(iri.clone())
        }
        EntityRef::Open { mention } => {
            if is_longer(mention, NAME_CHARS) {
                return Err(Reason::TooLong { what });
            }
            if is_pronoun(mention) {
                return Err(Reason::NotAName { what });
            }
            let iri = names::entity_iri(space, mention).map_err(|_| Reason::NotAName { what })?;
            labels.push((iri.clone(), tidy(mention)));
            Ok(iri)
        }
    }
}

/// Where subject and object stand in the quotation. They may not share words.
fn spans(triple: &ExtractedTriple, quoted: &str) -> (Option<Range<usize>>, Option<Range<usize>>) {
    let text = Folded::new(quoted);
    let subject = entity_surfaces(&triple.subject).find_map(|surface| occurrences(surface, &text).next());
    let apart = |span: &Range<usize>| {
        subject
            .as_ref()
            .is_none_or(|s| span.end <= s.start || s.end <= span.start)
    };
    let other_words = |surface: &str| occurrences(surface, &text).find(apart);
    let object = match &triple.object {
        ObjectRef::Entity(entity) => entity_surfaces(entity).find_map(other_words),
        ObjectRef::Value { text, literal } => {
            check_value(text, literal).ok().and_then(|()| other_words(text))
        }
    };
    (subject, object)
}

/// The mention, then the aliases; pronouns find nothing.
fn entity_surfaces(entity: &EntityRef) -> impl Iterator<Item = &str> {
    let (mention, aliases) = match entity {
        EntityRef::Linked { mention, aliases, .. } => (mention, aliases.as_slice()),
        EntityRef::Open { mention } => (mention, [].as_slice()),
    };
    std::iter::once(mention.as_str())
        .chain(aliases.iter().take(ALIASES).map(String::as_str))
        .filter(|surface| !is_pronoun(surface))
}

/// Looks the passage up in the documents' graphs and compares the quotation with the stored text.
pub(crate) fn find_quotation(graph: &Graph, span: &EvidenceSpan) -> Result<Result<Quotation, Reason>> {
    let subject = NamedOrBlankNode::from(span.passage.clone());
    let texts: Vec<Quad> = graph
        .quads_now(Some(&subject), Some(&vocab::TEXT.into_owned()), None, None)
        .take(COLLECTIONS)
        .collect::<Result<_, _>>()?;
    let mut reason = Reason::NotADocument;
    for quad in texts.into_iter().filter(|quad| is_docs_graph(&quad.graph_name)) {
        let (passage_start, root_source) = match place_of(graph, &span.passage, &quad.graph_name) {
            Ok(Some(place)) => place,
            Ok(None) => continue,
            Err(Error::Damaged { node, what }) => {
                tracing::warn!(%node, %what, "a damaged passage is no evidence");
                continue;
            }
            Err(error) => return Err(error),
        };
        if !lexical(&quad.object).is_some_and(|text| stands_at(&text, passage_start, span)) {
            reason = Reason::QuoteNotInPassage;
            continue;
        }
        return Ok(Ok(Quotation {
            passage: span.passage.clone(),
            start: span.start,
            end: span.end,
            quoted: span.quoted.clone(),
            root_source,
            stored_text: quad,
        }));
    }
    Ok(Err(reason))
}

/// First character and root source of a passage in one collection. `None`: it is no passage there, or its document is an
/// export of memory.
fn place_of(graph: &Graph, passage: &NamedNode, name: &GraphName) -> Result<Option<(usize, Term)>> {
    let Some(passage) = Node::read(graph, passage, name)?.filter(|node| node.is_a(vocab::PASSAGE)) else {
        return Ok(None);
    };
    let root_source = root_source(graph, &passage, name)?;
    if lexical(&root_source).is_some_and(|source| is_memory(&source)) {
        return Ok(None);
    }
    Ok(Some((passage.number(vocab::OA_START)?, root_source)))
}

fn stands_at(text: &str, passage_start: usize, span: &EvidenceSpan) -> bool {
    let Some(skipped) = span.start.checked_sub(passage_start) else {
        return false;
    };
    let Some(length) = span.end.checked_sub(span.start).filter(|length| *length > 0) else {
        return false;
    };
    let mut rest = text.chars().skip(skipped);
    span.quoted.chars().count() == length && span.quoted.chars().all(|c| rest.next() == Some(c))
}

/// Passage → document → root source; a document that names none is its own.
fn root_source(graph: &Graph, passage: &Node, name: &GraphName) -> Result<Term> {
    let document = passage.node(vocab::IN_DOCUMENT)?;
    let node = Node::read(graph, &document, name)?;
    Ok(node
        .and_then(|node| node.get(vocab::ROOT_SOURCE).cloned())
        .unwrap_or(Term::from(document)))
}

fn is_docs_graph(name: &GraphName) -> bool {
    matches!(name, GraphName::NamedNode(name) if name.as_str().starts_with("urn:coevo:docs:"))
}

/// A document that is itself an export of memory is no evidence.
fn is_memory(root_source: &str) -> bool {
    [
        "memory", "claim", "claims", "answer", "answers", "evidence", "run", "question",
    ]
    .iter()
    .any(|kind| {
        root_source
            .strip_prefix("urn:coevo:")
            .and_then(|rest| rest.strip_prefix(kind))
            .is_some_and(|rest| rest.starts_with(':'))
    })
}

fn is_pronoun(mention: &str) -> bool {
    PRONOUNS.contains(&fold(mention).as_str())
}

fn is_longer(text: &str, limit: usize) -> bool {
    text.chars().nth(limit).is_some()
}

/// White space collapsed.
fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
