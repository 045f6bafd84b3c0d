//! What ends a command: [`Failure`], one line with a hint and an exit code. The only place where the libraries' errors
//! are sorted into "the input says no" and "we failed".

use std::io;

/// Exit codes of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 1: the input or the answer says no.
    Refused,
    /// 2: we failed.
    Failed,
    /// 130: interrupted from the keyboard.
    Interrupted,
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) exit: Exit,
}

/// Result of a command.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

impl Exit {
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Refused => 1,
            Self::Failed => 2,
            Self::Interrupted => 130,
        }
    }
}

impl Failure {
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
            exit: Exit::Refused,
        }
    }

    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
            exit: Exit::Failed,
        }
    }

    pub(crate) fn interrupted() -> Self {
        Self {
            message: "interrupted".to_owned(),
            hint: Some("nothing is half-written; run the same command again to go on".to_owned()),
            exit: Exit::Interrupted,
        }
    }

    pub(crate) fn with_hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }

    fn of(error: &dyn std::error::Error, hint: Option<String>, exit: Exit) -> Self {
        Self {
            message: error.to_string(),
            hint,
            exit,
        }
    }

    fn or_hint(self, hint: &str) -> Self {
        if self.hint.is_some() {
            self
        } else {
            self.with_hint(hint)
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let (hint, exit) = of_io(&error);
        Self::of(&error, hint, exit)
    }
}

impl From<coevo_graph::Error> for Failure {
    fn from(error: coevo_graph::Error) -> Self {
        use coevo_graph::Error as E;
        let exit = match &error {
            E::NotInitialised(_)
            | E::NotEmpty(_)
            | E::Syntax(_)
            | E::Evaluation(_)
            | E::TooComplex { .. }
            | E::Update(_)
            | E::WrongFormat { .. }
            | E::Conflict { .. }
            | E::BadName { .. }
            | E::RdfSyntax(_)
            | E::NamedGraphsInGraph => Exit::Refused,
            E::Io(error) => of_io(error).1,
            _ => Exit::Failed,
        };
        let failure = Self::of(&error, error.hint(), exit);
        match error {
            E::Syntax(_) => {
                failure.or_hint("the error names line and column; the usual prefixes need no declaration")
            }
            _ => failure,
        }
    }
}

impl From<coevo_ingest::Error> for Failure {
    fn from(error: coevo_ingest::Error) -> Self {
        use coevo_ingest::Error as E;
        let exit = match error {
            E::Graph(error) => return error.into(),
            E::Vectors(_) | E::BadProfile { .. } | E::Stopped { .. } | E::Read { .. } => Exit::Failed,
            E::Io(error) => return error.into(),
            _ => Exit::Refused,
        };
        let failure = Self::of(&error, error.hint(), exit);
        match error {
            E::Open { .. } => failure.or_hint("check the path"),
            _ => failure,
        }
    }
}

impl From<coevo_vectors::Error> for Failure {
    fn from(error: coevo_vectors::Error) -> Self {
        Self::of(&error, error.hint(), Exit::Failed)
    }
}

impl From<coevo_http::Error> for Failure {
    fn from(error: coevo_http::Error) -> Self {
        let exit = match error {
            coevo_http::Error::BadUrl { .. } => Exit::Refused,
            _ => Exit::Failed,
        };
        Self::of(&error, error.hint(), exit)
    }
}

impl From<coevo_llm::Error> for Failure {
    fn from(error: coevo_llm::Error) -> Self {
        use coevo_llm::Error as E;
        let exit = match error {
            E::BudgetSpent { .. } | E::BadRecordings { .. } => Exit::Refused,
            _ => Exit::Failed,
        };
        Self::of(&error, error.hint(), exit)
    }
}

impl From<coevo_memory::Error> for Failure {
    fn from(error: coevo_memory::Error) -> Self {
        use coevo_memory::Error as E;
        let exit = match error {
            E::Graph(error) => return error.into(),
            E::UnknownClaim { .. } | E::Conflict { .. } | E::NotGrounded { .. } | E::TooMany { .. } => {
                Exit::Refused
            }
            _ => Exit::Failed,
        };
        Self::of(&error, error.hint(), exit)
    }
}

impl From<coevo_reason::Error> for Failure {
    fn from(error: coevo_reason::Error) -> Self {
        use coevo_reason::Error as E;
        let exit = match error {
            E::Graph(error) => return error.into(),
            E::Vectors(error) => return error.into(),
            E::Model(error) => return error.into(),
            E::Memory(error) => return error.into(),
            E::Io(error) => return error.into(),
            E::EmptyQuestion
            | E::QuestionTooLong { .. }
            | E::NothingFound { .. }
            | E::UnknownStrategy(_)
            | E::NoTrace(_) => Exit::Refused,
            _ => Exit::Failed,
        };
        Self::of(&error, error.hint(), exit)
    }
}

impl From<coevo_server::Error> for Failure {
    fn from(error: coevo_server::Error) -> Self {
        use coevo_server::Error as E;
        let exit = match error {
            E::Graph(error) => return error.into(),
            E::Memory(error) => return error.into(),
            E::Engine(error) => return error.into(),
            E::UnknownEntity { .. } => Exit::Refused,
            _ => Exit::Failed,
        };
        Self::of(&error, error.hint(), exit)
    }
}

impl From<coevo_eval::Error> for Failure {
    fn from(error: coevo_eval::Error) -> Self {
        let exit = match &error {
            coevo_eval::Error::Io(error) => of_io(error).1,
            _ => Exit::Refused,
        };
        Self::of(&error, error.hint(), exit)
    }
}

/// Whether a failed read or write is about what the user named, or about the machine.
fn of_io(error: &io::Error) -> (Option<String>, Exit) {
    let hint = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space and run the same command again"
        }
        io::ErrorKind::ReadOnlyFilesystem => "mount the disk read-write, or choose another directory",
        io::ErrorKind::PermissionDenied => "check who owns it, or choose another place",
        io::ErrorKind::NotFound => return (Some("check the path".to_owned()), Exit::Refused),
        io::ErrorKind::IsADirectory => {
            return (Some("name a file, not a directory".to_owned()), Exit::Refused);
        }
        io::ErrorKind::NotADirectory => return (Some("name a directory".to_owned()), Exit::Refused),
        _ => return (None, Exit::Failed),
    };
    (Some(hint.to_owned()), Exit::Failed)
}
