//! Traces come back; names that are no run ids cannot leave the directory; damage is told from absence.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::event::Event;

fn trace_of(run: &str) -> Trace {
    let event = Event::Token { text: "a".to_owned() };
    Trace {
        version: TRACE_VERSION,
        run: run.to_owned(),
        question: "Q?".to_owned(),
        asked_at: jiff::Timestamp::from_second(1_700_000_000).unwrap(),
        answer: None,
        events: vec![NumberedEvent {
            seq: 1,
            at: 0.5,
            event,
        }],
    }
}

#[test]
fn a_trace_comes_back_whole_and_the_newest_is_listed_first() {
    let dir = tempfile::tempdir().unwrap();
    for run in ["019a-1", "019a-2"] {
        write(dir.path(), &trace_of(run)).unwrap();
    }
    assert_eq!(read(dir.path(), "019a-1").unwrap(), trace_of("019a-1"));
    let runs: Vec<String> = list(dir.path(), 10)
        .unwrap()
        .into_iter()
        .map(|summary| summary.run)
        .collect();
    assert_eq!(runs, ["019a-2", "019a-1"]);
    assert_eq!(list(&dir.path().join("none"), 10).unwrap(), []);
}

#[test]
fn foreign_names_missing_and_damaged_traces() {
    let dir = tempfile::tempdir().unwrap();
    for run in ["../etc/passwd", "", "a/b", "none"] {
        assert!(matches!(read(dir.path(), run), Err(Error::NoTrace(_))), "{run}");
    }
    assert!(matches!(
        write(dir.path(), &trace_of("../x")),
        Err(Error::NoTrace(_))
    ));
    fs_err::write(dir.path().join("bad.json.zst"), "not zstd").unwrap();
    assert!(matches!(read(dir.path(), "bad"), Err(Error::DamagedTrace { .. })));
    assert_eq!(list(dir.path(), 10).unwrap(), []);
    let newer = Trace {
        version: TRACE_VERSION + 1,
        ..trace_of("newer")
    };
    write(dir.path(), &newer).unwrap();
    assert!(
        matches!(read(dir.path(), "newer"), Err(Error::DamagedTrace { reason, .. }) if reason.contains("version"))
    );
}

#[test]
fn a_trace_of_version_1_still_opens() {
    // Formats are for ever: this sample was written by the first version.
    let text = r#"{"version":1,"run":"r","question":"Q?","asked_at":"2023-11-14T22:13:20Z","answer":null,"events":[{"seq":1,"at":0.5,"event":"token","text":"a"},{"seq":2,"at":1.0,"event":"step.ended","id":"s1","outcome":"empty","reason":"none"}]}"#;
    let trace: Trace = serde_json::from_str(text).unwrap();
    assert_eq!(trace.events.len(), 2);
    assert_eq!(serde_json::to_string(&trace).unwrap(), text);
}
