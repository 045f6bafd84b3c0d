//! Where events go: [`EventSink`] numbers them, keeps them for the trace and passes them on. A consumer that went away
//! is not an error; one that is slow holds the run back (the channel is bounded).

use crate::event::{Event, NumberedEvent, Outcome};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::sync::mpsc;

/// Receives the events of one run. Cheap to clone.
#[derive(Debug, Clone)]
pub struct EventSink {
    sender: Option<mpsc::Sender<NumberedEvent>>,
    started: Instant,
    kept: Arc<Mutex<Vec<NumberedEvent>>>,
}

impl EventSink {
    /// A sink that only keeps the events for the trace.
    pub fn silent() -> Self {
        Self {
            sender: None,
            started: Instant::now(),
            kept: Arc::default(),
        }
    }

    /// A sink that passes events on through a channel of `capacity`.
    pub fn channel(capacity: usize) -> (Self, mpsc::Receiver<NumberedEvent>) {
        let (sender, receiver) = mpsc::channel(capacity.max(1));
        (
            Self {
                sender: Some(sender),
                ..Self::silent()
            },
            receiver,
        )
    }

    pub(crate) async fn emit(&self, event: Event) {
        let numbered = {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let numbered = NumberedEvent {
                seq: kept.len() as u64 + 1,
                at: self.started.elapsed().as_secs_f64(),
                event,
            };
            kept.push(numbered.clone());
            numbered
        };
        if let Some(sender) = &self.sender {
            // A reader that went away has no more interest; the run itself is cancelled by dropping its future.
            drop(sender.send(numbered).await);
        }
    }

    /// Begins a step and returns its id.
    pub(crate) async fn step(&self, kind: &str, parent: Option<&str>) -> String {
        let id = format!(
            "s{}",
            self.kept.lock().unwrap_or_else(PoisonError::into_inner).len() + 1
        );
        self.emit(Event::StepStarted {
            id: id.clone(),
            kind: kind.to_owned(),
            parent: parent.map(str::to_owned),
        })
        .await;
        id
    }

    /// Ends a step.
    pub(crate) async fn end(&self, id: String, outcome: Outcome, reason: Option<String>) {
        self.emit(Event::StepEnded { id, outcome, reason }).await;
    }

    pub(crate) fn events(&self) -> Vec<NumberedEvent> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn elapsed(&self) -> std::time::Duration {
        self.started.elapsed()
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }
}
