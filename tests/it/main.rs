//! Outer tests: they drive the real program as a person would, on small data that stands in the tests. No network, no
//! models, no file outside temporary directories.

mod cli_errors;
mod help;
mod ingest_query;
mod program;
mod recorded;
mod server;
mod settings;
