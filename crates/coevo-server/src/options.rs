//! What the binary decides for the server: [`ServerOptions`].

use std::time::Duration;

/// Who can reach the address that the server is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Exposure {
    /// This machine only: requests must name it in `Host`, so that a page elsewhere cannot rebind its name to it.
    #[default]
    Loopback,
    /// Other machines: any `Host` is taken.
    Network,
}

/// Limits and permissions.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// Longest time of a query; the `timeout` parameter can only shorten it.
    pub query_deadline: Duration,
    /// Longest time of a question: the budget in seconds of a request is cut to it.
    pub ask_deadline: Duration,
    /// Largest request body, in bytes, after decompression.
    pub max_body_bytes: usize,
    /// Requests that work at a time, streams included; more are refused with 503.
    pub max_concurrent: usize,
    /// Who can reach the server.
    pub exposure: Exposure,
    /// Host names (without port) taken besides loopback names and addresses.
    pub allowed_hosts: Vec<String>,
    /// Origins (`https://ui.example`) whose pages may use this server. Empty: no CORS at all.
    pub allowed_origins: Vec<String>,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            query_deadline: Duration::from_mins(1),
            ask_deadline: Duration::from_mins(30),
            max_body_bytes: 64 << 20,
            max_concurrent: 64,
            exposure: Exposure::Loopback,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
        }
    }
}
