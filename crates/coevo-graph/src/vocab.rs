//! The names of the store: graphs, the ontology `urn:coevo:ns#` (`schemas/memory.ttl`) and the prefixes that queries
//! may use without declaring them. Entry points: [`kg_graph`] and its siblings. Holds names only, no logic.

use crate::{Error, Result};
use oxrdf::{NamedNode, NamedNodeRef};

macro_rules! terms {
    ($($(#[$doc:meta])* $name:ident = $iri:literal;)*) => {
        $($(#[$doc])* pub const $name: NamedNodeRef<'static> = NamedNodeRef::new_unchecked($iri);)*
    };
}

terms! {
    /// Jobs, checkpoints, source registry.
    SYSTEM_GRAPH = "urn:coevo:system";
    /// A document: title, content hash, root source.
    DOCUMENT = "urn:coevo:ns#Document";
    /// A passage of a document with its character span.
    PASSAGE = "urn:coevo:ns#Passage";
    /// Passage → document.
    IN_DOCUMENT = "urn:coevo:ns#inDocument";
    /// The text of a passage.
    TEXT = "urn:coevo:ns#text";
    /// `blake3:…` of the content.
    CONTENT_HASH = "urn:coevo:ns#contentHash";
    /// Where the content comes from in the end; independence is counted by it.
    ROOT_SOURCE = "urn:coevo:ns#rootSource";
    /// A claim.
    CLAIM = "urn:coevo:ns#Claim";
    /// One piece of evidence of a claim.
    EVIDENCE = "urn:coevo:ns#Evidence";
    /// Claim → evidence.
    HAS_EVIDENCE = "urn:coevo:ns#evidence";
    /// A run of a strategy.
    RUN = "urn:coevo:ns#Run";
    /// A curator's decision.
    DECISION = "urn:coevo:ns#Decision";
    /// An answer that was given.
    ANSWER = "urn:coevo:ns#Answer";
    /// A question that was asked.
    QUESTION_CLASS = "urn:coevo:ns#Question";
    /// Claim → status.
    STATUS = "urn:coevo:ns#status";
    /// Status: waits for a decision.
    PROPOSED = "urn:coevo:ns#Proposed";
    /// Status: a live fact.
    ACCEPTED = "urn:coevo:ns#Accepted";
    /// Status: refused by a curator.
    REJECTED = "urn:coevo:ns#Rejected";
    /// Status: replaced by another claim.
    SUPERSEDED = "urn:coevo:ns#Superseded";
    /// Status: not grounded in its quotation; never evidence.
    QUARANTINED = "urn:coevo:ns#Quarantined";
    /// Revision number, from 1.
    REVISION = "urn:coevo:ns#revision";
    /// Confidence in [0, 1].
    CONFIDENCE = "urn:coevo:ns#confidence";
    /// Verification factor f1: prior of the source.
    FACTOR_SOURCE = "urn:coevo:ns#factorSource";
    /// Verification factor f2: independent corroboration.
    FACTOR_CORROBORATION = "urn:coevo:ns#factorCorroboration";
    /// Verification factor f3: alignment with the graph.
    FACTOR_ALIGNMENT = "urn:coevo:ns#factorAlignment";
    /// Start of validity as the text states it.
    VALID_FROM = "urn:coevo:ns#validFrom";
    /// End of validity as the text states it.
    VALID_TO = "urn:coevo:ns#validTo";
    /// The surface of the subject inside the quotation.
    GROUNDED_SUBJECT = "urn:coevo:ns#groundedSubject";
    /// The surface of the object inside the quotation.
    GROUNDED_OBJECT = "urn:coevo:ns#groundedObject";
    /// Run or answer → question.
    QUESTION = "urn:coevo:ns#question";
    /// Run → strategy name.
    STRATEGY = "urn:coevo:ns#strategy";
    /// Run → model name.
    MODEL = "urn:coevo:ns#model";
    /// Run or answer → file of the trace.
    TRACE = "urn:coevo:ns#trace";
    /// Decision → claim.
    ABOUT = "urn:coevo:ns#about";
    /// Decision → action.
    ACTION = "urn:coevo:ns#action";
    /// Action: accept.
    ACCEPT = "urn:coevo:ns#Accept";
    /// Action: reject.
    REJECT = "urn:coevo:ns#Reject";
    /// Decision → revision before.
    FROM_REVISION = "urn:coevo:ns#fromRevision";
    /// Decision → revision after.
    TO_REVISION = "urn:coevo:ns#toRevision";
    /// Decision → what undoes it.
    INVERSE = "urn:coevo:ns#inverse";
    /// Answer → how it is verified.
    VERIFICATION = "urn:coevo:ns#verification";
    /// Answer → fresh or stale.
    STATE = "urn:coevo:ns#state";
    /// State: nothing below changed since.
    FRESH = "urn:coevo:ns#Fresh";
    /// State: something below changed.
    STALE = "urn:coevo:ns#Stale";
    /// Answer → claim or passage.
    STANDS_ON = "urn:coevo:ns#standsOn";
    /// Answer → triple node.
    STANDS_ON_TRIPLE = "urn:coevo:ns#standsOnTriple";
    /// Triple node → graph.
    IN_GRAPH = "urn:coevo:ns#inGraph";
    /// A registered source file.
    SOURCE = "urn:coevo:ns#Source";
    /// Source → profile name.
    PROFILE = "urn:coevo:ns#profile";
    /// Source → graph it went into.
    INTO_GRAPH = "urn:coevo:ns#intoGraph";
    /// Source → file name.
    INPUT_NAME = "urn:coevo:ns#inputName";
    /// Source → bytes read.
    BYTES = "urn:coevo:ns#bytes";
    /// Source → records read.
    RECORDS = "urn:coevo:ns#records";
    /// Source → triples written.
    TRIPLES = "urn:coevo:ns#triples";
    /// Source → records rejected.
    REJECTS = "urn:coevo:ns#rejects";
    /// Source registry: the label index of this graph is older than its triples.
    LABELS_DUE = "urn:coevo:ns#labelsDue";
    /// Source → version of the profile it was read with.
    PROFILE_VERSION = "urn:coevo:ns#profileVersion";
    /// Source → names read.
    NAMES = "urn:coevo:ns#names";
    /// Source → alignments with other sources read.
    ALIGNMENTS = "urn:coevo:ns#alignments";
    /// Source → qualified statements read.
    STATEMENTS = "urn:coevo:ns#statements";
    /// Source → documents read.
    DOCUMENTS = "urn:coevo:ns#documents";
    /// Source → passages written.
    PASSAGES = "urn:coevo:ns#passages";
    /// Web Annotation: start of a span.
    OA_START = "http://www.w3.org/ns/oa#start";
    /// Web Annotation: end of a span.
    OA_END = "http://www.w3.org/ns/oa#end";
    /// Web Annotation: the quoted text.
    OA_EXACT = "http://www.w3.org/ns/oa#exact";
    /// PROV: derived from.
    PROV_WAS_DERIVED_FROM = "http://www.w3.org/ns/prov#wasDerivedFrom";
    /// PROV: generated by.
    PROV_WAS_GENERATED_BY = "http://www.w3.org/ns/prov#wasGeneratedBy";
    /// PROV: attributed to.
    PROV_WAS_ATTRIBUTED_TO = "http://www.w3.org/ns/prov#wasAttributedTo";
    /// PROV: at time.
    PROV_AT_TIME = "http://www.w3.org/ns/prov#atTime";
    /// PROV: started at.
    PROV_STARTED_AT_TIME = "http://www.w3.org/ns/prov#startedAtTime";
    /// PROV: ended at.
    PROV_ENDED_AT_TIME = "http://www.w3.org/ns/prov#endedAtTime";
    /// SKOS: alias.
    ALT_LABEL = "http://www.w3.org/2004/02/skos/core#altLabel";
    /// schema.org: description.
    DESCRIPTION = "http://schema.org/description";
    /// schema.org: article → entity.
    SCHEMA_ABOUT = "http://schema.org/about";
    /// schema.org: language of content.
    IN_LANGUAGE = "http://schema.org/inLanguage";
}

/// The ontology's namespace.
pub const NS: &str = "urn:coevo:ns#";

/// Prefixes known without a `PREFIX` line: the field's own, and ours.
pub const PREFIXES: &[(&str, &str)] = &[
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("prov", "http://www.w3.org/ns/prov#"),
    ("oa", "http://www.w3.org/ns/oa#"),
    ("schema", "http://schema.org/"),
    ("wikibase", "http://wikiba.se/ontology#"),
    ("wd", "http://www.wikidata.org/entity/"),
    ("wdt", "http://www.wikidata.org/prop/direct/"),
    ("wds", "http://www.wikidata.org/entity/statement/"),
    ("p", "http://www.wikidata.org/prop/"),
    ("ps", "http://www.wikidata.org/prop/statement/"),
    ("pq", "http://www.wikidata.org/prop/qualifier/"),
    ("pr", "http://www.wikidata.org/prop/reference/"),
    ("fb", "http://rdf.freebase.com/ns/"),
    ("c", NS),
    ("rel", "urn:coevo:rel:"),
];

/// `urn:coevo:kg:<source>`: triples of one knowledge graph. `source` is `[a-z0-9][a-z0-9._-]*`, at most 64 characters.
pub fn kg_graph(source: &str) -> Result<NamedNode> {
    graph("urn:coevo:kg:", source, "")
}

/// `urn:coevo:docs:<collection>`: documents and passages.
pub fn docs_graph(collection: &str) -> Result<NamedNode> {
    graph("urn:coevo:docs:", collection, "")
}

/// `urn:coevo:memory:<space>`: the live triples of accepted claims.
pub fn memory_graph(space: &str) -> Result<NamedNode> {
    graph("urn:coevo:memory:", space, "")
}

/// `urn:coevo:memory:<space>:proposed`: plain triples of proposed claims.
pub fn proposed_graph(space: &str) -> Result<NamedNode> {
    graph("urn:coevo:memory:", space, ":proposed")
}

/// `urn:coevo:claims:<space>`: claim nodes with provenance.
pub fn claims_graph(space: &str) -> Result<NamedNode> {
    graph("urn:coevo:claims:", space, "")
}

/// `urn:coevo:answers:<space>`: questions and answers.
pub fn answers_graph(space: &str) -> Result<NamedNode> {
    graph("urn:coevo:answers:", space, "")
}

/// Whether the default dataset of a query holds this graph: knowledge graphs, documents and accepted memory.
pub fn is_knowledge_graph(iri: &str) -> bool {
    iri.starts_with("urn:coevo:kg:") || iri.starts_with("urn:coevo:docs:") || is_memory_graph(iri)
}

/// Whether traversal walks this graph by default: knowledge graphs and accepted memory.
pub fn is_traversal_graph(iri: &str) -> bool {
    iri.starts_with("urn:coevo:kg:") || is_memory_graph(iri)
}

/// Whether this graph belongs to the platform (its names start with `urn:coevo:`).
pub fn is_own_graph(iri: &str) -> bool {
    iri.starts_with("urn:coevo:")
}

fn is_memory_graph(iri: &str) -> bool {
    iri.strip_prefix("urn:coevo:memory:")
        .is_some_and(|space| !space.contains(':'))
}

fn graph(prefix: &str, name: &str, suffix: &str) -> Result<NamedNode> {
    let valid = !name.is_empty()
        && name.len() <= 64
        && name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_' | b'.'))
        && name.as_bytes()[0].is_ascii_alphanumeric();
    if !valid {
        return Err(Error::BadName {
            name: name.chars().take(80).collect(),
        });
    }
    Ok(NamedNode::new_unchecked(format!("{prefix}{name}{suffix}")))
}
