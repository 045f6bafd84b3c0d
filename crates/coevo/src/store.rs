//! Where a store command finds its data: [`Place`], from flags, else from the environment.

use crate::arguments::StoreArguments;
use crate::failure::{Failure, Result};
use crate::settings::Environment;
use std::path::PathBuf;

const DIRECTORY_VARIABLE: &str = "COEVO_LOCATION";
const SERVER_VARIABLE: &str = "COEVO_SERVER";

/// A directory to open, or a server to ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    Directory(PathBuf),
    Server(String),
}

/// The place that flags or environment name; exactly one.
pub(crate) fn place(arguments: &StoreArguments, environment: &Environment) -> Result<Place> {
    // clap refuses both flags together.
    if let Some(dir) = &arguments.location {
        return Ok(Place::Directory(dir.clone()));
    }
    if let Some(url) = &arguments.server {
        return server(url);
    }
    match (
        environment.get(DIRECTORY_VARIABLE),
        environment.get(SERVER_VARIABLE),
    ) {
        (Some(dir), None) => Ok(Place::Directory(PathBuf::from(dir))),
        (None, Some(url)) => server(url),
        (Some(_), Some(_)) => Err(Failure::refused(format!(
            "{DIRECTORY_VARIABLE} and {SERVER_VARIABLE} are both set"
        ))
        .with_hint("unset one, or say --location DIR or --server URL")),
        (None, None) => Err(
            Failure::refused("nothing says where the data is").with_hint(format!(
                "say --location DIR or --server URL, or set {DIRECTORY_VARIABLE} or {SERVER_VARIABLE}"
            )),
        ),
    }
}

/// The directory of a command that needs one of its own.
pub(crate) fn directory(flag: Option<&PathBuf>, environment: &Environment) -> Result<PathBuf> {
    flag.cloned()
        .or_else(|| environment.get(DIRECTORY_VARIABLE).map(PathBuf::from))
        .ok_or_else(|| {
            Failure::refused("nothing says where the data is")
                .with_hint(format!("say --location DIR, or set {DIRECTORY_VARIABLE}"))
        })
}

fn server(url: &str) -> Result<Place> {
    let rest = url.strip_prefix("http://").or(url.strip_prefix("https://"));
    if rest.is_none_or(|rest| rest.is_empty() || rest.contains(['?', '#'])) {
        return Err(Failure::refused(format!("`{url}` is not the URL of a server"))
            .with_hint("write it as http://127.0.0.1:7878"));
    }
    Ok(Place::Server(url.trim_end_matches('/').to_owned()))
}

#[cfg(test)]
mod tests {
    //! Flags, environment, neither, both.
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::{Place, place};
    use crate::arguments::StoreArguments;

    fn check(
        location: Option<&str>,
        server: Option<&str>,
        variables: &[(&str, &str)],
        expected: Result<Place, &str>,
    ) {
        let arguments = StoreArguments {
            location: location.map(Into::into),
            server: server.map(Into::into),
        };
        let environment = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        match (place(&arguments, &environment), expected) {
            (Ok(got), Ok(expected)) => assert_eq!(got, expected),
            (Err(got), Err(expected)) => assert!(got.message.contains(expected), "{}", got.message),
            (got, expected) => panic!("{got:?} is not {expected:?}"),
        }
    }

    #[test]
    fn exactly_one_place() {
        let dir = |path: &str| Ok(Place::Directory(path.into()));
        let url = |text: &str| Ok(Place::Server(text.to_owned()));
        let both = [("COEVO_LOCATION", "e"), ("COEVO_SERVER", "http://e")];
        check(Some("d"), None, &both, dir("d"));
        check(None, Some("http://h:1/"), &both, url("http://h:1"));
        check(None, None, &both[..1], dir("e"));
        check(None, None, &both[1..], url("http://e"));
        check(None, None, &both, Err("both set"));
        check(None, None, &[], Err("nothing says where the data is"));
        check(
            None,
            Some("localhost:7878"),
            &[],
            Err("is not the URL of a server"),
        );
        check(None, Some("http://h/?a"), &[], Err("is not the URL of a server"));
        assert!(
            place(&StoreArguments::default(), &std::iter::empty().collect())
                .unwrap_err()
                .hint
                .is_some()
        );
    }
}
