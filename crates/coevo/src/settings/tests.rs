//! Layers, what overrides what, and how mistakes are named.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::{Environment, Layers, Settings, file, origin::Origin, read_layers};
use std::path::Path;

fn environment(variables: &[(&str, &str)]) -> Environment {
    variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn parse(text: &str) -> Result<Layers, String> {
    let mut layers = Layers::defaults();
    file::parse(Path::new("coevo.toml"), text, &mut layers).map_err(|failure| failure.message)?;
    Ok(layers)
}

#[test]
fn defaults_are_complete() {
    let settings = Settings::of(&Layers::defaults()).unwrap();
    assert_eq!(
        (settings.model.max_tokens, settings.space.as_str()),
        (1024, "main")
    );
    assert!(settings.model.discover && settings.embedder.enabled && settings.model.base_url.is_none());
    assert_eq!(settings.languages, ["en"]);
}

#[test]
fn later_layers_are_stronger() {
    let mut layers =
        parse("[model]\nname = 'a'\ndiscover = false\n[languages]\npreferred = ['de', 'en']").unwrap();
    assert_eq!(layers.list("languages.preferred"), ["de", "en"]);
    environment(&[("COEVO__MODEL__NAME", "b"), ("COEVO_LOCATION", "x")])
        .own(&mut layers)
        .unwrap();
    assert_eq!(layers.text("model.name").unwrap(), "b");
    layers.set_text("model.name", "c", Origin::Flag).unwrap();
    let shown = layers.shown();
    let of = |key| shown.iter().find(|shown| shown.key == key).unwrap();
    assert_eq!(of("model.name").origin, "--set");
    assert_eq!(of("model.discover").origin, "coevo.toml:3");
    assert_eq!(of("model.deadline_seconds").origin, "default");
    assert_eq!(of("model.context_tokens").origin, "unset");
}

#[test]
fn mistakes_are_named() {
    for (text, expected) in [
        (
            "[model]\n\nbase_ulr = 'http://x'",
            "coevo.toml:3: there is no setting `model.base_ulr`; did you mean `model.base_url`?",
        ),
        (
            "[models]\nname = 'x'",
            "coevo.toml:2: there is no setting `models.name`; did you mean `model.name`?",
        ),
        (
            "[zebra]\nstripes = 7",
            "coevo.toml:2: there is no setting `zebra.stripes`",
        ),
        (
            "[model]\nbase_url = 'localhost'",
            "`model.base_url` must be a URL that starts with http:// or https://",
        ),
        (
            "[model]\nmax_tokens = 0",
            "coevo.toml:2: `model.max_tokens` must be a whole number of at least 1",
        ),
        ("[model]\nmax_tokens = '9'", "must be a whole number"),
        (
            "[model]\ndeadline_seconds = 1979-05-27",
            "must be a number of seconds above 0",
        ),
        ("[languages]\npreferred = []", "must be a list of texts"),
        ("space = 'x'", "coevo.toml:1: `space` stands outside a section"),
        ("[model]\nname = ", "coevo.toml:2: "),
    ] {
        let message = parse(text).unwrap_err();
        assert!(message.contains(expected), "{message}\nshould say\n{expected}");
    }
    let failure = environment(&[("COEVO__MODEL__NAMES", "x")])
        .own(&mut Layers::defaults())
        .unwrap_err();
    assert_eq!(
        failure.message,
        "COEVO__MODEL__NAMES: there is no setting `model.names`; did you mean `model.name`?"
    );
}

#[test]
fn other_programs_variables_are_weaker_than_ours() {
    let both = environment(&[
        ("OLLAMA_HOST", "10.0.0.1"),
        ("OPENAI_BASE_URL", "http://a/v1"),
        ("OPENAI_API_KEY", "secret-of-openai"),
        ("COEVO_MODELS_DIR", "/models"),
        ("COEVO__MODEL__BASE_URL", "http://b/v1/"),
    ]);
    let layers = read_layers(None, &[], &both).unwrap();
    let settings = Settings::of(&layers).unwrap();
    assert_eq!(settings.model.base_url.as_deref(), Some("http://b/v1"));
    assert_eq!(settings.embedder.dir, Path::new("/models/minilm"));
    assert!(!format!("{:?}{settings:?}", layers.shown()).contains("secret-of-openai"));
}

#[test]
fn a_key_in_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("key");
    fs_err::write(&path, "from-file\n").unwrap();
    let set = [format!("model.api_key_file={}", path.display())];
    let settings = Settings::load(None, &set, &environment(&[("OPENAI_API_KEY", "weaker")])).unwrap();
    assert_eq!(settings.model.api_key.unwrap().expose(), "from-file");
    fs_err::write(&path, " \n").unwrap();
    assert!(
        Settings::load(None, &set, &environment(&[]))
            .unwrap_err()
            .message
            .ends_with("is empty")
    );
}
