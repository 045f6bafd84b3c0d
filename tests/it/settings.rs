//! Settings from file, environment and flag, and what is said about mistakes in them.

use crate::program::{Bench, explained, text};

#[test]
fn every_value_says_where_it_comes_from() {
    let bench = Bench::new();
    bench.file(
        "coevo.toml",
        "[model]\nname = \"qwen\"\n\n[languages]\npreferred = [\"de\", \"en\"]\n",
    );
    let output = bench
        .coevo(&["--set", "memory.space=lab", "config", "show", "--origin"])
        .env("COEVO__MODEL__API_KEY", "very-secret-key")
        .env("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
        .output()
        .map(|output| text(&output.stdout))
        .unwrap_or_default();
    let line = |key: &str| {
        let line = output
            .lines()
            .find(|line| line.starts_with(&format!("{key} ")))
            .unwrap_or_default();
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("model.name"), "model.name qwen coevo.toml:2");
    assert_eq!(line("model.api_key"), "model.api_key *** COEVO__MODEL__API_KEY");
    assert_eq!(
        line("model.base_url"),
        "model.base_url http://127.0.0.1:1/v1 OPENAI_BASE_URL"
    );
    assert_eq!(line("memory.space"), "memory.space lab --set");
    assert_eq!(
        line("languages.preferred"),
        "languages.preferred [\"de\",\"en\"] coevo.toml:5"
    );
    assert_eq!(
        line("server.query_deadline_seconds"),
        "server.query_deadline_seconds 60.0 default"
    );
    assert!(!output.contains("very-secret-key"));
}

#[test]
fn mistakes_name_file_and_line() {
    let bench = Bench::new();
    bench.file("my.toml", "[model]\n\nbase_ulr = \"http://127.0.0.1:1\"\n");
    let (error, hint) = bench.refused(1, &["--config", "my.toml", "config", "show"]);
    assert_eq!(
        error,
        "my.toml:3: there is no setting `model.base_ulr`; did you mean `model.base_url`?"
    );
    assert!(hint.contains("coevo config show"));
    let (error, _) = bench.refused(1, &["--config", "absent.toml", "config", "show"]);
    assert!(error.contains("absent.toml"), "{error}");
    let arguments = ["config", "show"];
    if let Ok(output) = bench
        .coevo(&arguments)
        .env("COEVO__MODEL__DISCOVER", "perhaps")
        .output()
    {
        let (error, _) = explained(1, &arguments, &output);
        assert_eq!(
            error,
            "COEVO__MODEL__DISCOVER: `model.discover` must be true or false"
        );
    }
}
