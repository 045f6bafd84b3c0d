//! One way to run a blocking call from async code. It adds no threads of its own and hides no panic.

use crate::{Error, Result};

/// Runs `work` on the runtime's blocking pool. A panic in it continues in the caller.
pub(crate) async fn run<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => Err(Error::Stopping),
    }
}
