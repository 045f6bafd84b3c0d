//! HTTP over an [`Engine`](coevo_reason::Engine): SPARQL Protocol, Graph Store Protocol, REST with server-sent events, and
//! the page. Entry points: [`router`] and [`serve`]; [`wire`] holds the bodies of REST and [`views`] fills them, which the
//! command line uses too.
//!
//! What it promises: results stream through bounded buffers; a client that leaves cancels its work; an error before the
//! first byte is a `problem+json` with the right status, one after it breaks the body off; a page of another origin changes
//! nothing here.
//! What it refuses: it reads no environment and no settings file, binds no address, and holds no knowledge of its own.
//! Time and identifiers of runs are made here: this is where requests come in.

mod accept;
mod api;
mod code;
mod convert;
mod description;
mod error;
mod faults;
mod formats;
mod guard;
mod health;
mod names;
mod options;
mod page;
mod parameters;
mod problem;
mod request;
mod router;
mod serve;
mod sparql;
mod state;
mod store;
mod stream;
pub mod views;
pub mod wire;

pub use code::Code;
pub use error::Error;
pub use options::{Exposure, ServerOptions};
pub use router::router;
pub use serve::serve;

#[cfg(test)]
mod tests;
