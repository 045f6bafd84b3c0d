//! What every handler has: [`Server`], and the [`Slot`] that bounds how many of them work.

use crate::ServerOptions;
use crate::code::Code;
use crate::problem::{Handled, Problem};
use coevo_reason::Engine;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The engine and the limits. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) engine: Engine,
    pub(crate) options: Arc<ServerOptions>,
    slots: Arc<Semaphore>,
}

/// A place among the requests that work. A response that streams keeps it until its end.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    _permit: Arc<OwnedSemaphorePermit>,
}

impl Server {
    pub(crate) fn new(engine: Engine, options: ServerOptions) -> Self {
        Self {
            engine,
            slots: Arc::new(Semaphore::new(
                options.max_concurrent.clamp(1, Semaphore::MAX_PERMITS),
            )),
            options: Arc::new(options),
        }
    }

    /// A place, or at once [`Code::Overloaded`]: a queue would only make everybody late.
    pub(crate) fn slot(&self) -> Handled<Slot> {
        let permit = Arc::clone(&self.slots).try_acquire_owned().map_err(|_full| {
            Problem::new(
                Code::Overloaded,
                format!("{} requests are being worked on", self.options.max_concurrent),
            )
            .with_hint("try again in a moment".to_owned())
        })?;
        Ok(Slot {
            _permit: Arc::new(permit),
        })
    }
}

/// Runs blocking work.
pub(crate) async fn blocking<T, E>(work: impl FnOnce() -> Result<T, E> + Send + 'static) -> Handled<T>
where
    T: Send + 'static,
    E: Into<Problem> + Send + 'static,
{
    tokio::task::spawn_blocking(work)
        .await
        .map_err(Problem::from)?
        .map_err(Into::into)
}
