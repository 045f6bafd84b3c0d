//! What can prevent a reply. URLs in messages carry no user information, query or fragment.

use std::net::IpAddr;
use std::path::PathBuf;

/// The result of everything that goes through the door.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why there is no reply. A reply with an error status is not an error here.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The URL cannot be requested at all.
    #[error("{url}: not a URL that can be fetched: {reason}")]
    BadUrl {
        /// The URL as far as it may be shown.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A header, the key or the body cannot be sent.
    #[error("{url}: the request cannot be built: {reason}")]
    BadRequest {
        /// Where it would have gone.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The client itself could not be set up.
    #[error("the HTTP client cannot be set up: {reason}")]
    Setup {
        /// What is missing.
        reason: String,
    },
    /// No connection, after all attempts.
    #[error("{url}: no connection: {reason}")]
    Connect {
        /// Where it should have gone.
        url: String,
        /// The innermost cause.
        reason: String,
    },
    /// The connection broke after it was made.
    #[error("{url}: the connection broke: {reason}")]
    Broken {
        /// Where it went.
        url: String,
        /// The innermost cause.
        reason: String,
    },
    /// The time for the whole request (all attempts together) is over.
    #[error("{url}: no complete reply within {seconds} s")]
    Deadline {
        /// Where it went.
        url: String,
        /// The deadline.
        seconds: f64,
    },
    /// The address policy forbids this address.
    #[error("{host}: the address {address} is not public, and this request may only reach public ones")]
    AddressRefused {
        /// The name or address that was asked for.
        host: String,
        /// What it stands for.
        address: IpAddr,
    },
    /// The reply is larger than the request allows.
    #[error("{url}: the reply is larger than {limit} bytes")]
    TooLarge {
        /// Where it came from.
        url: String,
        /// The cap of the request.
        limit: u64,
    },
    /// More redirects than the request allows.
    #[error("{url}: more than {limit} redirects")]
    TooManyRedirects {
        /// Where it started.
        url: String,
        /// The cap of the request.
        limit: u8,
    },
    /// A redirect that must not be followed.
    #[error("{url}: refused to follow a redirect: {reason}")]
    BadRedirect {
        /// Where the redirect came from.
        url: String,
        /// Why it was refused.
        reason: String,
    },
    /// Replaying, and this request was never recorded.
    #[error("no recording of {method} {path} ({hash}) in {}", dir.display())]
    NoRecording {
        /// The method of the request.
        method: &'static str,
        /// The path of the request.
        path: String,
        /// Its hash: the recording would be `<hash>.json`.
        hash: String,
        /// The directory that is replayed.
        dir: PathBuf,
    },
    /// A recording that cannot be read.
    #[error("{}: not a readable recording: {reason}", path.display())]
    BadRecording {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Reading or writing a recording failed; the message names the path.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl Error {
    /// What a person can do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::BadUrl { .. } => "give an absolute URL that starts with http:// or https://",
            Self::Connect { .. } => "check that the server runs and that the address is right",
            Self::Deadline { .. } => "allow more time, or ask for less",
            Self::AddressRefused { .. } => "fetched documents may not point into a private network",
            Self::NoRecording { .. } => "the request differs from what was recorded: record it again",
            Self::BadRecording { .. } => "delete the file and record the request again",
            Self::BadRequest { .. }
            | Self::Setup { .. }
            | Self::Broken { .. }
            | Self::TooLarge { .. }
            | Self::TooManyRedirects { .. }
            | Self::BadRedirect { .. }
            | Self::Io(_) => return None,
        };
        Some(hint.to_owned())
    }
}
