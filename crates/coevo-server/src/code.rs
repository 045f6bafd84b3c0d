//! The one table of what can go wrong over HTTP: [`Code`] → name, status, title. Which error has which code stands in
//! `faults.rs`.

use axum::http::StatusCode;

/// A machine-readable reason, stable for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "every code has its title in the table below")]
pub enum Code {
    BadRequest,
    BadParameter,
    BadJson,
    SparqlSyntax,
    RdfSyntax,
    QueryFailed,
    UpdateFailed,
    BadName,
    BadQuestion,
    UnknownStrategy,
    OriginRefused,
    NoRoute,
    NoGraph,
    NoEntity,
    NoClaim,
    NoTrace,
    MethodNotAllowed,
    NotAcceptable,
    Conflict,
    BodyTooLarge,
    UnsupportedMediaType,
    HostRefused,
    NothingFound,
    BudgetSpent,
    Internal,
    StoreFailed,
    LabelsFailed,
    VectorsFailed,
    MemoryDamaged,
    TraceDamaged,
    FileFailed,
    ModelUnreachable,
    ModelRefused,
    ModelReply,
    NoModel,
    Overloaded,
    Stopping,
    QueryDeadline,
    ModelDeadline,
    DiskFull,
}

impl Code {
    /// All codes, by status.
    pub const ALL: [Self; 40] = [
        Self::BadRequest,
        Self::BadParameter,
        Self::BadJson,
        Self::SparqlSyntax,
        Self::RdfSyntax,
        Self::QueryFailed,
        Self::UpdateFailed,
        Self::BadName,
        Self::BadQuestion,
        Self::UnknownStrategy,
        Self::OriginRefused,
        Self::NoRoute,
        Self::NoGraph,
        Self::NoEntity,
        Self::NoClaim,
        Self::NoTrace,
        Self::MethodNotAllowed,
        Self::NotAcceptable,
        Self::Conflict,
        Self::BodyTooLarge,
        Self::UnsupportedMediaType,
        Self::HostRefused,
        Self::NothingFound,
        Self::BudgetSpent,
        Self::Internal,
        Self::StoreFailed,
        Self::LabelsFailed,
        Self::VectorsFailed,
        Self::MemoryDamaged,
        Self::TraceDamaged,
        Self::FileFailed,
        Self::ModelUnreachable,
        Self::ModelRefused,
        Self::ModelReply,
        Self::NoModel,
        Self::Overloaded,
        Self::Stopping,
        Self::QueryDeadline,
        Self::ModelDeadline,
        Self::DiskFull,
    ];

    /// The name that programs compare.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// The HTTP status.
    pub fn status(self) -> u16 {
        self.row().1
    }

    /// What kind of thing went wrong.
    pub fn title(self) -> &'static str {
        self.row().2
    }

    pub(crate) fn http_status(self) -> StatusCode {
        StatusCode::from_u16(self.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn row(self) -> (&'static str, u16, &'static str) {
        match self {
            Self::BadRequest => ("bad-request", 400, "The request cannot be understood"),
            Self::BadParameter => ("bad-parameter", 400, "A parameter is missing or wrong"),
            Self::BadJson => ("bad-json", 400, "The body is not the JSON that is wanted"),
            Self::SparqlSyntax => ("sparql-syntax", 400, "The query is not SPARQL 1.1"),
            Self::RdfSyntax => ("rdf-syntax", 400, "The data is not the RDF it is said to be"),
            Self::QueryFailed => ("query-failed", 400, "The query cannot be evaluated"),
            Self::UpdateFailed => ("update-failed", 400, "The update cannot be carried out"),
            Self::BadName => ("bad-name", 400, "A name is malformed"),
            Self::BadQuestion => ("bad-question", 400, "The question cannot be asked as it is"),
            Self::UnknownStrategy => ("unknown-strategy", 400, "There is no such strategy"),
            Self::OriginRefused => ("origin-refused", 403, "A page of another origin may not do this"),
            Self::NoRoute => ("no-route", 404, "There is nothing at this address"),
            Self::NoGraph => ("no-graph", 404, "There is no such graph"),
            Self::NoEntity => ("no-entity", 404, "There is no such entity"),
            Self::NoClaim => ("no-claim", 404, "There is no such claim"),
            Self::NoTrace => ("no-trace", 404, "There is no such trace"),
            Self::MethodNotAllowed => (
                "method-not-allowed",
                405,
                "This address does not take this method",
            ),
            Self::NotAcceptable => ("not-acceptable", 406, "Nothing that is acceptable can be given"),
            Self::Conflict => ("conflict", 409, "Somebody else was faster"),
            Self::BodyTooLarge => ("body-too-large", 413, "The body is too large"),
            Self::UnsupportedMediaType => (
                "unsupported-media-type",
                415,
                "This form of data is not taken here",
            ),
            Self::HostRefused => ("host-refused", 421, "This server does not go by that name"),
            Self::NothingFound => ("nothing-found", 422, "Nothing here matches the question"),
            Self::BudgetSpent => ("budget-spent", 422, "The budget is spent"),
            Self::Internal => ("internal", 500, "The server failed"),
            Self::StoreFailed => ("store-failed", 500, "The store failed"),
            Self::LabelsFailed => ("labels-failed", 500, "The label index failed"),
            Self::VectorsFailed => ("vectors-failed", 500, "Embedding or the vector index failed"),
            Self::MemoryDamaged => ("memory-damaged", 500, "A node of the memory is damaged"),
            Self::TraceDamaged => ("trace-damaged", 500, "A stored trace is damaged"),
            Self::FileFailed => ("file-failed", 500, "A file cannot be read or written"),
            Self::ModelUnreachable => ("model-unreachable", 502, "The chat model cannot be reached"),
            Self::ModelRefused => ("model-refused", 502, "The chat model refused"),
            Self::ModelReply => ("model-reply", 502, "The chat model's reply cannot be used"),
            Self::NoModel => ("no-model", 503, "No chat model is configured"),
            Self::Overloaded => ("overloaded", 503, "Too many requests at a time"),
            Self::Stopping => ("stopping", 503, "The server is stopping"),
            Self::QueryDeadline => ("query-deadline", 504, "The query took too long"),
            Self::ModelDeadline => ("model-deadline", 504, "The chat model took too long"),
            Self::DiskFull => ("disk-full", 507, "The disk is full"),
        }
    }
}
