//! One owner a directory; the second learns who holds it.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::*;

#[test]
fn a_second_opening_names_the_holder() {
    let dir = tempfile::tempdir().unwrap();
    Location::init(dir.path()).unwrap();
    let first = Location::open(dir.path(), "serve on 127.0.0.1:7878").unwrap();
    let error = Location::open(dir.path(), "query").unwrap_err();
    assert!(
        error.to_string().ends_with(&format!(
            "process {} (serve on 127.0.0.1:7878)",
            std::process::id()
        )),
        "{error}"
    );
    assert!(error.hint().unwrap().contains("--server"));
    drop(first);
    Location::open(dir.path(), "query").unwrap();
}

#[test]
fn foreign_missing_newer_and_damaged_directories_are_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(
        Location::open(&dir.path().join("none"), "query"),
        Err(Error::NotInitialised(_))
    ));
    fs_err::write(dir.path().join("thesis.txt"), "mine").unwrap();
    assert!(matches!(Location::init(dir.path()), Err(Error::NotEmpty(_))));
    assert!(matches!(
        Location::open(dir.path(), "query"),
        Err(Error::NotInitialised(_))
    ));
    fs_err::write(dir.path().join(MARKER), r#"{"format":99,"created_by":"9.0.0"}"#).unwrap();
    assert!(matches!(
        Location::open(dir.path(), "query"),
        Err(Error::NewerFormat { found: 99, .. })
    ));
    fs_err::write(dir.path().join(MARKER), "{").unwrap();
    assert!(matches!(
        Location::open(dir.path(), "query"),
        Err(Error::DamagedMarker { .. })
    ));
}

#[test]
fn init_twice_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    Location::init(&data).unwrap();
    let before = fs_err::read(data.join(MARKER)).unwrap();
    Location::init(&data).unwrap();
    assert_eq!(fs_err::read(data.join(MARKER)).unwrap(), before);
}
