//! A directory as a backend: [`Local`] queries, updates and asks the engine. What else it holds is read by the server's views.

use crate::backend::{AskOptions, QueryText};
use crate::failure::{Failure, Result};
use crate::output::Out;
use crate::results::{Body, ResultFormat, TABLE_ROWS};
use coevo_graph::{Cancel, Location, QueryKind, QueryOptions, UpdateOptions};
use coevo_reason::{Answer, AskRequest, Engine, EventSink, NumberedEvent};
use jiff::Timestamp;
use std::io::{self, Write};
use std::time::Duration;

/// Events that wait for a slow terminal.
const EVENTS: usize = 256;

/// An open directory.
pub(crate) struct Local {
    pub(crate) engine: Engine,
    query_deadline: Duration,
    /// Last, so that the lock outlives the store.
    _location: Location,
}

impl Local {
    pub(crate) fn new(location: Location, engine: Engine, query_deadline: Duration) -> Self {
        Self {
            engine,
            query_deadline,
            _location: location,
        }
    }

    pub(crate) async fn update(&self, update: &str) -> Result<()> {
        Ok(self
            .engine
            .graph()
            .update(update, &UpdateOptions::default())
            .await?)
    }

    /// A bounded result for a table.
    pub(crate) async fn query_to_memory(&self, query: &QueryText) -> Result<Body> {
        // One more row than is shown tells that there are more.
        let options = QueryOptions {
            max_rows: Some(TABLE_ROWS as u64 + 1),
            ..self.options(query)
        };
        let prepared = self.engine.graph().prepare(&query.text, &options)?;
        let _guard = CancelOnDrop(options.cancel);
        let is_graph = prepared.kind() == QueryKind::Graph;
        let format = ResultFormat::Table.output(prepared.kind());
        let bytes = blocking(move || {
            let mut bytes = Vec::new();
            prepared.write(format, &mut bytes).map(|_written| bytes)
        })
        .await??;
        Ok(if is_graph {
            Body::Triples(bytes)
        } else {
            Body::Json(bytes)
        })
    }

    pub(crate) async fn query_to_stdout(&self, query: &QueryText, format: ResultFormat) -> Result<()> {
        let options = self.options(query);
        let prepared = self.engine.graph().prepare(&query.text, &options)?;
        let _guard = CancelOnDrop(options.cancel);
        let format = format.output(prepared.kind());
        blocking(move || -> Result<()> {
            let mut out = Out::new();
            prepared.write(format, &mut out)?;
            Ok(out.flush()?)
        })
        .await?
    }

    fn options(&self, query: &QueryText) -> QueryOptions {
        QueryOptions {
            deadline: Some(query.timeout.unwrap_or(self.query_deadline)),
            ..QueryOptions::default()
        }
    }

    pub(crate) async fn ask(&self, options: &AskOptions) -> Result<Answer> {
        Ok(self.engine.ask(&request(options), &EventSink::silent()).await?)
    }

    pub(crate) async fn ask_streaming(
        &self,
        options: &AskOptions,
        print: impl Fn(&NumberedEvent) -> io::Result<()>,
    ) -> Result<Answer> {
        let request = request(options);
        let (sink, mut events) = EventSink::channel(EVENTS);
        let ask = async move {
            let answer = self.engine.ask(&request, &sink).await;
            // The reader below ends with the last sender.
            drop(sink);
            Ok(answer)
        };
        let read = async move {
            while let Some(event) = events.recv().await {
                print(&event)?;
            }
            Ok::<(), Failure>(())
        };
        // Only a reader that is gone ends the run early; a run that fails has its events printed first.
        let (answer, ()) = tokio::try_join!(ask, read)?;
        Ok(answer?)
    }
}

/// Stops a query on its worker thread when nobody waits for it any more.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

fn request(options: &AskOptions) -> AskRequest {
    let run = uuid::Uuid::now_v7().to_string();
    AskRequest {
        strategy: options.strategy,
        budget: options.budget,
        max_steps: options.max_steps,
        write_memory: options.write_memory,
        ..AskRequest::new(options.question.clone(), run, Timestamp::now())
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| Failure::failed(format!("a worker thread stopped unexpectedly: {error}")))
}
