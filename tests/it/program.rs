//! The program under test, data for it, and a server that stops with its test.
#![expect(clippy::unwrap_used, reason = "tests")]

use assert_cmd::Command;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Time for one command; a hanging one fails its test.
const PATIENCE: Duration = Duration::from_mins(2);

/// Three entities, two facts between them, names of everything: 7 triples.
pub const FILMS: &str = r#"<http://www.wikidata.org/entity/Q1> <http://www.w3.org/2000/01/rdf-schema#label> "Jaws"@en .
<http://www.wikidata.org/entity/Q2> <http://www.w3.org/2000/01/rdf-schema#label> "Steven Spielberg"@en .
<http://www.wikidata.org/entity/Q3> <http://www.w3.org/2000/01/rdf-schema#label> "Cincinnati"@en .
<http://www.wikidata.org/entity/P57> <http://www.w3.org/2000/01/rdf-schema#label> "director"@en .
<http://www.wikidata.org/entity/P19> <http://www.w3.org/2000/01/rdf-schema#label> "place of birth"@en .
<http://www.wikidata.org/entity/Q1> <http://www.wikidata.org/prop/direct/P57> <http://www.wikidata.org/entity/Q2> .
<http://www.wikidata.org/entity/Q2> <http://www.wikidata.org/prop/direct/P19> <http://www.wikidata.org/entity/Q3> .
"#;

/// Two documents.
pub const ARTICLES: &str = r#"{"id": "d1", "title": "Jaws", "text": "Jaws is a film of 1975. It was directed by Steven Spielberg.", "url": "https://example.org/jaws"}
{"id": "d2", "title": "Cincinnati", "text": "Cincinnati is a city in Ohio.", "url": "https://example.org/cincinnati"}
"#;

/// A directory of its own for one test: the working directory, with the data directory `data` in it.
pub struct Bench {
    dir: TempDir,
}

impl Bench {
    /// An empty one.
    pub fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    /// One with the films and the articles in.
    pub fn filled() -> Self {
        let bench = Self::new();
        let films = bench.file("films.nt", FILMS);
        let articles = bench.file("articles.jsonl", ARTICLES);
        bench.ok(&["ingest", "wikidata", "--location", "data", &films]);
        bench.ok(&["ingest", "documents", "--location", "data", &articles]);
        bench
    }

    /// Where a file of this name is.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file and returns its name.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs_err::write(self.path(name), content).unwrap();
        name.to_owned()
    }

    /// The program in this directory, knowing nothing of the machine it runs on.
    pub fn coevo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_coevo"));
        command
            .current_dir(self.dir.path())
            .args(arguments)
            .timeout(PATIENCE)
            .env_clear();
        command.envs(environment(self.dir.path()));
        command
    }

    /// The program without a time limit, for tests that hold its ends themselves.
    pub fn process(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_coevo"));
        command.current_dir(self.dir.path()).args(arguments).env_clear();
        command.envs(environment(self.dir.path()));
        command
    }

    /// Runs a command.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.coevo(arguments).output().unwrap()
    }

    /// Runs a command that must succeed and returns its stdout.
    pub fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{arguments:?}\n{}",
            text(&output.stderr)
        );
        text(&output.stdout)
    }

    /// Runs a command that must fail with `code`, one line of error and one of hint, and returns the two. Nothing is on
    /// stdout.
    pub fn refused(&self, code: i32, arguments: &[&str]) -> (String, String) {
        explained(code, arguments, &self.run(arguments))
    }

    /// Starts a server on the data directory.
    pub fn serve(&self) -> Server {
        let port_file = self.path("port");
        let arguments = [
            "serve",
            "--location",
            "data",
            "--bind",
            "127.0.0.1:0",
            "--port-file",
            "port",
        ];
        let child = self
            .process(&arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut server = Server {
            child,
            url: String::new(),
        };
        let port = server.await_file(&port_file);
        server.url = format!("http://127.0.0.1:{}", port.trim());
        server
    }
}

/// Checks that a command failed the way every command fails.
pub fn explained(code: i32, arguments: &[&str], output: &Output) -> (String, String) {
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{stderr}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}: an error is no data");
    let of = |prefix: &str| -> Vec<String> {
        stderr
            .lines()
            .filter_map(|line| line.strip_prefix(prefix))
            .map(|line| line.trim().to_owned())
            .collect()
    };
    let (errors, hints) = (of("error:"), of("hint:"));
    assert_eq!(
        (errors.len(), hints.len()),
        (1, 1),
        "{arguments:?}: one error, one hint\n{stderr}"
    );
    assert!(
        !stderr.contains("panicked") && !stderr.contains("backtrace"),
        "{stderr}"
    );
    (errors[0].clone(), hints[0].clone())
}

/// Text of an output.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Variables of the program under test: no models, no endpoint, no settings of this machine.
fn environment(home: &Path) -> Vec<(&'static str, String)> {
    vec![
        ("PATH", std::env::var("PATH").unwrap_or_default()),
        ("HOME", home.display().to_string()),
        ("COEVO_MODELS_DIR", home.join("no-models").display().to_string()),
        ("COEVO__MODEL__DISCOVER", "false".to_owned()),
    ]
}

/// A running server.
pub struct Server {
    child: Child,
    /// Where it listens.
    pub url: String,
}

impl Server {
    /// Interrupts it as Ctrl-C does and waits for its end.
    pub fn interrupt(&mut self) -> ExitStatus {
        let pid = self.child.id().to_string();
        assert!(
            std::process::Command::new("kill")
                .args(["-INT", &pid])
                .status()
                .unwrap()
                .success()
        );
        self.wait()
    }

    fn wait(&mut self) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(started.elapsed() < PATIENCE, "the server does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn await_file(&mut self, path: &Path) -> String {
        let started = Instant::now();
        loop {
            if let Ok(text) = std::fs::read_to_string(path) {
                return text;
            }
            assert!(
                self.child.try_wait().unwrap().is_none(),
                "the server ended before it listened"
            );
            assert!(started.elapsed() < PATIENCE, "the server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
