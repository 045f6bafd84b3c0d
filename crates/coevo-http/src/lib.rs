//! The one outbound door: every HTTP request that Coevo makes leaves through [`HttpClient`].
//!
//! It promises a deadline over the whole request (all attempts together), a bounded number of retries, a bounded reply, an
//! address policy that holds after name resolution and after every redirect, and recordings that replay an exchange
//! without a network. A reply of any status is a value; only what prevented a reply is an [`Error`].
//!
//! It knows nothing of models, pages or queries, keeps no cookies, decompresses nothing, uses no proxy, and follows a
//! redirect only when the request asks for it. Its sole retry loop is the only one in the project.

mod address;
mod backoff;
mod cassette;
mod client;
mod error;
mod request;
mod secret;
mod stream;
mod url;

#[cfg(test)]
mod fake;

pub use cassette::{Annotation, Cassette, Content, Recording, recordings};
pub use client::{HttpClient, HttpOptions};
pub use error::{Error, Result};
pub use request::{Addresses, Annotate, Method, Redirects, Request, Response, Retry};
pub use secret::Secret;
pub use stream::{BodyStream, StreamResponse};
pub use url::public_url;
