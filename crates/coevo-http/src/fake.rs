//! A scripted HTTP/1.1 server for the tests of this crate: one step for each connection, and a log of what arrived.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

pub(crate) enum Step {
    /// Sends these bytes and closes.
    Bytes(String),
    /// Reads the request and says nothing.
    Hang,
    /// Sends these bytes, then nothing more.
    Stall(String),
}

/// A complete reply with a length.
pub(crate) fn reply(status: u16, headers: &str, body: &str) -> Step {
    let length = body.len();
    Step::Bytes(format!(
        "HTTP/1.1 {status} X\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    ))
}

pub(crate) struct Fake {
    pub(crate) base: String,
    seen: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Fake {
    /// Serves the steps in order, and closes connections without a word after the last.
    pub(crate) async fn start(steps: Vec<Step>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&seen);
        let task = tokio::spawn(async move {
            let mut steps = steps.into_iter();
            let mut held = Vec::new();
            loop {
                let (mut connection, _) = listener.accept().await.unwrap();
                let request = read_request(&mut connection).await;
                log.lock().unwrap().push(request);
                match steps.next() {
                    Some(Step::Bytes(bytes)) => {
                        let _ = connection.write_all(bytes.as_bytes()).await;
                        let _ = connection.shutdown().await;
                    }
                    Some(Step::Hang) => held.push(connection),
                    Some(Step::Stall(bytes)) => {
                        let _ = connection.write_all(bytes.as_bytes()).await;
                        held.push(connection);
                    }
                    None => {}
                }
            }
        });
        Self { base, seen, task }
    }

    /// The requests that arrived, as text.
    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn read_request(connection: &mut TcpStream) -> String {
    let mut text = String::new();
    let mut buffer = [0; 4096];
    loop {
        let read = connection.read(&mut buffer).await.unwrap_or(0);
        text.push_str(&String::from_utf8_lossy(&buffer[..read]));
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return text;
            }
        }
        if read == 0 {
            return text;
        }
    }
}
