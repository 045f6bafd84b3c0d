//! `coevo serve`: SPARQL Protocol, REST and the page over a data directory.

use super::Context;
use crate::backend::server_options;
use crate::failure::{Exit, Failure, Result};
use crate::model::{self, Need};
use crate::opening::{Meaning, Missing, Opened};
use crate::store;
use clap::Args;
use coevo_server::Exposure;
use std::net::SocketAddr;
use std::path::PathBuf;
use tokio::net::TcpListener;

/// Serve a data directory over HTTP
///
/// SPARQL Protocol at /query, /update and /store (also /sparql), REST at /api/v1/…, a page at /. The directory is made
/// when it does not exist; it belongs to this process until it ends. Ctrl-C or SIGTERM lets running requests end and
/// flushes the store; a second one ends at once.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  coevo serve --location data
  coevo serve --location data --bind 127.0.0.1:0 --port-file port.txt
  coevo --set model.base_url=http://127.0.0.1:8080/v1 serve --location data")]
pub(crate) struct ServeArguments {
    /// Data directory [env: COEVO_LOCATION]
    #[arg(long, short = 'l', value_name = "DIR")]
    location: Option<PathBuf>,
    /// Address and port; port 0 takes a free one
    #[arg(long, short = 'b', value_name = "ADDR:PORT", default_value = "127.0.0.1:7878")]
    bind: String,
    /// Bind wider than loopback although nothing asks for a key
    #[arg(long)]
    insecure: bool,
    /// Write the port into this file once the server listens
    #[arg(long, value_name = "FILE")]
    port_file: Option<PathBuf>,
}

pub(crate) async fn run(context: &Context, arguments: ServeArguments) -> Result<()> {
    let dir = store::directory(arguments.location.as_ref(), &context.environment)?;
    let settings = context.settings()?;
    // The address comes first: a port in use should not cost the time of opening a store.
    let (listener, address) = listen(&arguments.bind, arguments.insecure).await?;
    let stop = Stop::install()?;
    let opened = Opened::open(
        &dir,
        &format!("serve on {address}"),
        Missing::Create,
        Meaning::Wanted,
        &settings,
    )?;
    for note in &opened.notes {
        context.talk.note(note);
    }
    let found = model::connect(&settings.model, Need::May).await?;
    match (&found.model, &found.missing) {
        (Some(model), _) => context.talk.note(&format!("model: {}", model.name())),
        (None, Some(missing)) => context
            .talk
            .warn(&format!("{missing}: questions are answered by evidence only")),
        (None, None) => {}
    }
    let graph = opened.graph.clone();
    let (location, engine) = opened.engine(found.model, found.missing, &settings)?;
    let exposure = if address.ip().is_loopback() {
        Exposure::Loopback
    } else {
        Exposure::Network
    };
    let router = coevo_server::router(engine, server_options(&settings, exposure));
    if let Some(path) = &arguments.port_file {
        write_port(path, address)?;
    }
    context
        .talk
        .note(&format!("listening on http://{address} (Ctrl-C stops)"));

    coevo_server::serve(listener, router, stop.requested()).await?;
    graph.flush().await?;
    drop(location);
    context.talk.note("stopped");
    Ok(())
}

async fn listen(bind: &str, insecure: bool) -> Result<(TcpListener, SocketAddr)> {
    let unusable = |reason: String| {
        Failure::refused(format!("{bind}: {reason}"))
            .with_hint("write --bind as ADDR:PORT, for example 127.0.0.1:7878")
    };
    let addresses: Vec<SocketAddr> = match tokio::net::lookup_host(bind).await {
        Ok(addresses) => addresses.collect(),
        Err(error) => return Err(unusable(error.to_string())),
    };
    if addresses.is_empty() {
        return Err(unusable("no such address".to_owned()));
    }
    if !insecure && addresses.iter().any(|address| !address.ip().is_loopback()) {
        return Err(Failure::refused(format!(
            "{bind} can be reached from other machines, and nothing asks for a key"
        ))
        .with_hint("bind to 127.0.0.1 behind a proxy that checks who asks, or say --insecure"));
    }
    let busy = |error: std::io::Error| {
        Failure::failed(format!("cannot listen on {bind}: {error}"))
            .with_hint("choose another port with --bind, or stop what uses it")
    };
    let listener = TcpListener::bind(addresses.as_slice()).await.map_err(busy)?;
    let address = listener.local_addr().map_err(busy)?;
    Ok((listener, address))
}

/// Whoever waits for the file finds it whole.
fn write_port(path: &std::path::Path, address: SocketAddr) -> Result<()> {
    let staged = path.with_extension("new");
    fs_err::write(&staged, format!("{}\n", address.port()))?;
    Ok(fs_err::rename(staged, path)?)
}

/// Signals that ask for the end.
struct Stop {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

impl Stop {
    fn install() -> Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Ends with the first signal; from then on another one ends the process at once.
    async fn requested(mut self) {
        self.next().await;
        tokio::spawn(async move {
            self.next().await;
            // The store's log makes this as safe as a power loss.
            std::process::exit(i32::from(Exit::Interrupted.code()));
        });
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
