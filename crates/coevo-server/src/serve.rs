//! The loop that takes connections: [`serve`].

use axum::Router;
use axum::serve::ListenerExt;
use std::future::Future;
use std::io;
use tokio::net::TcpListener;

/// Serves until `shutdown` is ready, then lets running requests end. Fails only when the listener does.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    // Rows and events go out as they come, not when a packet is full.
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection keeps its delay");
        }
    });
    axum::serve(listener, router)
        .with_graceful_shutdown(shutdown)
        .await
}
