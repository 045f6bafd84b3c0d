//! Everything that goes wrong says so in one line with a hint, with the right exit code, and leaves nothing half-written.
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::program::{Bench, FILMS, explained, text};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

fn n_triples(bench: &Bench) -> String {
    let query = "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }";
    let csv = bench.ok(&[
        "query",
        "--location",
        "data",
        "-q",
        query,
        "--results-format",
        "csv",
    ]);
    csv.lines().nth(1).unwrap().trim().to_owned()
}

/// A gzip member whose single stored block ends in the middle.
fn truncated_gzip(data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).unwrap();
    let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 1];
    bytes.extend(length.to_le_bytes());
    bytes.extend((!length).to_le_bytes());
    bytes.extend(&data[..data.len() / 2]);
    bytes
}

#[test]
fn a_missing_file() {
    let bench = Bench::new();
    let (error, _) = bench.refused(1, &["ingest", "rdf", "--location", "data", "absent.nt"]);
    assert!(error.contains("absent.nt"), "{error}");
    assert!(
        !bench.path("data").exists(),
        "the directory is not made for nothing"
    );
}

#[test]
fn a_damaged_file() {
    let bench = Bench::filled();
    let before = n_triples(&bench);
    bench.file("half.nt.gz", truncated_gzip(FILMS.as_bytes()));
    let (error, hint) = bench.refused(1, &["ingest", "rdf", "--location", "data", "half.nt.gz"]);
    assert!(
        error.contains("half.nt.gz") && error.contains("ends early"),
        "{error}"
    );
    assert!(hint.contains("download"), "{hint}");
    assert_eq!(n_triples(&bench), before);
}

#[test]
fn an_unknown_profile() {
    let bench = Bench::new();
    let (error, _) = bench.refused(1, &["ingest", "wikidate", "--location", "data", "x.nt"]);
    assert!(
        error.contains("`wikidate`") && error.contains("wikidata"),
        "{error}"
    );
    assert!(!bench.path("data").exists());
}

#[test]
fn no_data_directory() {
    let bench = Bench::new();
    let (error, hint) = bench.refused(1, &["query", "--location", "data", "-q", "ASK {}"]);
    assert!(
        error.contains("data is not a Coevo data directory") && hint.contains("coevo init data"),
        "{error}\n{hint}"
    );
    bench.ok(&["init", "data"]);
    assert_eq!(
        bench.ok(&["query", "--location", "data", "-q", "ASK {}"]),
        "true\n"
    );
    bench.ok(&["init", "data"]);
    bench.file("file", "x");
    bench.refused(1, &["init", "."]);
    let (error, hint) = bench.refused(1, &["status"]);
    assert!(
        error.contains("nothing says where the data is") && hint.contains("--location"),
        "{error}\n{hint}"
    );
}

#[test]
fn a_second_process() {
    let bench = Bench::filled();
    let _server = bench.serve();
    let (error, hint) = bench.refused(2, &["query", "--location", "data", "-q", "ASK {}"]);
    assert!(
        error.contains("is in use by process") && error.contains("serve on 127.0.0.1:"),
        "{error}"
    );
    assert!(hint.contains("--server"), "{hint}");
    bench.refused(2, &["ingest", "wikidata", "--location", "data", "films.nt"]);
}

#[test]
fn bad_sparql() {
    let bench = Bench::filled();
    let (error, _) = bench.refused(
        1,
        &["query", "--location", "data", "-q", "SELECT ?x WHERE { ?x a }"],
    );
    assert!(error.contains("SPARQL syntax"), "{error}");
    bench.refused(1, &["update", "--location", "data", "-u", "INSERT DATA {"]);
    let arguments = [
        "query",
        "--location",
        "data",
        "-q",
        "SELECT * { ?s ?p ?o }",
        "--results-format",
        "ttl",
    ];
    let (_, hint) = bench.refused(1, &arguments);
    assert!(hint.contains("csv"), "{hint}");
}

#[test]
fn an_unreachable_model() {
    let bench = Bench::filled();
    let question = "Where was the director of Jaws born?";
    // Port 9 of loopback: nobody listens there.
    let set = ["--set", "model.base_url=http://127.0.0.1:9/v1"];
    let must = [
        &set[..],
        &["ask", "--location", "data", "--strategy", "co-e-cot", question],
    ]
    .concat();
    let (error, _) = bench.refused(2, &must);
    assert!(error.contains("127.0.0.1:9"), "{error}");

    let may = [&set[..], &["ask", "--location", "data", "--json", question]].concat();
    let output = bench.run(&may);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for place in [answer["notes"].to_string(), text(&output.stderr)] {
        assert!(
            place.contains("127.0.0.1:9") && place.contains("evidence only"),
            "{place}"
        );
    }
}

#[test]
fn no_model_at_all() {
    let bench = Bench::filled();
    let (error, hint) = bench.refused(
        2,
        &[
            "ask",
            "--location",
            "data",
            "--strategy",
            "co-e-cot",
            "Who directed Jaws?",
        ],
    );
    assert!(
        error.contains("no chat model") && hint.contains("base_url"),
        "{error}\n{hint}"
    );
    let (_, hint) = bench.refused(
        1,
        &[
            "ask",
            "--location",
            "data",
            "--strategy",
            "magic",
            "Who directed Jaws?",
        ],
    );
    assert!(hint.contains("evidence-only"), "{hint}");
}

#[test]
fn nothing_known_about_the_question() {
    let bench = Bench::filled();
    let (error, hint) = bench.refused(1, &["ask", "--location", "data", "Qwertz uiop asdf?"]);
    assert!(error.contains("Qwertz"), "{error}");
    assert!(hint.contains("coevo link"), "{hint}");
    bench.refused(1, &["ask", "--location", "data", " "]);
}

#[test]
fn no_server() {
    let bench = Bench::new();
    let (error, _) = bench.refused(2, &["status", "--server", "http://127.0.0.1:9"]);
    assert!(error.contains("127.0.0.1:9"), "{error}");
    bench.refused(1, &["status", "--server", "127.0.0.1:9"]);
}

/// A small file system of its own, where this machine lets us have one.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(bench: &Bench, name: &str, options: &str) -> Option<Self> {
        let path = bench.path(name);
        fs_err::create_dir(&path).unwrap();
        let disk = Self(path);
        match disk.run("mount", &["-t", "tmpfs", "-o", options, "tmpfs"]) {
            Ok(()) => Some(disk),
            Err(reason) => {
                println!("skipped: no tmpfs can be mounted here ({reason})");
                None
            }
        }
    }

    fn read_only(&self) -> Result<(), String> {
        self.run("mount", &["-o", "remount,ro"])
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Result<(), String> {
        let output = Command::new(program)
            .args(arguments)
            .arg(&self.0)
            .output()
            .map_err(|error| error.to_string())?;
        if output.status.success() {
            Ok(())
        } else {
            Err(text(&output.stderr).trim().to_owned())
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(self.run("umount", &[]));
    }
}

#[test]
fn a_full_disk() {
    let bench = Bench::new();
    let Some(disk) = SmallDisk::mount(&bench, "disk", "size=4m") else {
        return;
    };
    let mut big = String::new();
    for number in 0_u64..200_000 {
        // Numbers that do not compress well.
        let word = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let value = word.rotate_left(29) ^ number;
        writeln!(big, "<urn:s:{word:x}> <urn:p> \"{value:x}\" .").unwrap();
    }
    bench.file("big.nt", big);
    let (error, hint) = bench.refused(2, &["ingest", "rdf", "--location", "disk/data", "big.nt"]);
    assert!(hint.contains("free some space"), "{error}\n{hint}");

    // With room the same command finishes, and nothing of the first try is there twice or left over.
    if let Err(reason) = disk.run("mount", &["-o", "remount,size=512m"]) {
        println!("skipped: the tmpfs cannot grow ({reason})");
        return;
    }
    bench.ok(&["ingest", "rdf", "--location", "disk/data", "big.nt"]);
    let query = "SELECT (COUNT(*) AS ?n) { GRAPH <urn:coevo:kg:rdf> { ?s ?p ?o } }";
    let rows = bench.ok(&[
        "query",
        "--location",
        "disk/data",
        "-q",
        query,
        "--results-format",
        "csv",
    ]);
    assert_eq!(rows, "n\r\n200000\r\n");
}

#[test]
fn a_read_only_disk() {
    let bench = Bench::new();
    let Some(disk) = SmallDisk::mount(&bench, "disk", "size=64m") else {
        return;
    };
    bench.file("films.nt", FILMS);
    bench.ok(&["ingest", "wikidata", "--location", "disk/data", "films.nt"]);
    if let Err(reason) = disk.read_only() {
        println!("skipped: the tmpfs cannot be made read-only ({reason})");
        return;
    }
    let arguments = ["ingest", "wikidata", "--location", "disk/data", "films.nt"];
    let (error, hint) = explained(2, &arguments, &bench.run(&arguments));
    assert!(hint.contains("read-write"), "{error}\n{hint}");
    let (error, hint) = bench.refused(2, &["init", "disk/other"]);
    assert!(hint.contains("read-write"), "{error}\n{hint}");
}

#[test]
fn an_interrupted_query() {
    let bench = Bench::filled();
    let endless = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o . ?p ?q ?r . ?s ?t ?u }";
    let arguments = ["query", "--location", "data", "-q", endless];
    let child = bench
        .process(&arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The lock is taken once the handler of signals stands.
    let lock = bench.path("data/lock");
    while !fs_err::read_to_string(&lock)
        .unwrap_or_default()
        .contains("\"query\"")
    {
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    let (error, hint) = explained(130, &arguments, &child.wait_with_output().unwrap());
    assert_eq!(error, "interrupted");
    assert!(hint.contains("nothing is half-written"), "{hint}");
    // The lock is free again.
    n_triples(&bench);
}
