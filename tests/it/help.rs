//! Help: every command has examples, exit codes are documented, versions and completions come out.

use crate::program::{Bench, text};

const COMMANDS: &[&[&str]] = &[
    &["init"],
    &["ingest"],
    &["serve"],
    &["ask"],
    &["query"],
    &["update"],
    &["link"],
    &["describe"],
    &["khop"],
    &["paths"],
    &["search"],
    &["claims"],
    &["claims", "list"],
    &["claims", "show"],
    &["claims", "accept"],
    &["claims", "reject"],
    &["trace"],
    &["trace", "list"],
    &["trace", "show"],
    &["status"],
    &["config"],
    &["config", "show"],
    &["eval"],
    &["eval", "run"],
    &["completions"],
    &["man"],
];

#[test]
fn every_command_has_examples() {
    let bench = Bench::new();
    for command in COMMANDS {
        let help = bench.ok(&[*command, &["--help"]].concat());
        let example = format!("coevo {}", command.join(" "));
        assert!(
            help.contains("Examples:") && help.contains(&example),
            "{command:?}\n{help}"
        );
    }
}

#[test]
fn the_list_above_is_complete() {
    let help = Bench::new().ok(&["--help"]);
    let listed: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let known: Vec<&str> = COMMANDS
        .iter()
        .filter(|words| words.len() == 1)
        .map(|words| words[0])
        .collect();
    assert_eq!(listed, known);
    for words in [
        "Exit codes:",
        "130",
        "COEVO_LOCATION",
        "COEVO__SECTION__KEY",
        "Examples:",
    ] {
        assert!(help.contains(words), "{words}\n{help}");
    }
}

#[test]
fn version_completions_manual() {
    let bench = Bench::new();
    assert!(
        bench
            .ok(&["--version"])
            .starts_with(concat!("coevo ", env!("CARGO_PKG_VERSION")))
    );
    assert!(bench.ok(&["completions", "bash"]).contains("_coevo()"));
    assert!(bench.ok(&["man"]).contains(".TH coevo 1"));
    bench.ok(&["man", "--out-dir", "man1"]);
    assert!(bench.path("man1/coevo-ask.1").is_file());
}

#[test]
fn wrong_arguments_are_the_input_saying_no() {
    let bench = Bench::new();
    for (arguments, words) in [
        (&["frobnicate"][..], "unrecognized subcommand"),
        (
            &["query", "--location", "a", "--server", "http://b", "-q", "x"],
            "cannot be used with",
        ),
        (&["query", "--location", "a"], "required"),
        (&["khop", "--k", "0", "wd:Q1"], "invalid value"),
        (&[], "Usage"),
    ] {
        let output = bench.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(
            text(&output.stderr).contains(words),
            "{arguments:?}\n{}",
            text(&output.stderr)
        );
    }
}
