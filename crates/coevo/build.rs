//! Puts the commit into `coevo --version`. Outside a git checkout, or without git, the version stands alone; packagers may
//! set `COEVO_COMMIT`.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=COEVO_COMMIT");
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let given = std::env::var("COEVO_COMMIT")
        .ok()
        .filter(|commit| !commit.is_empty());
    let version = match given.or_else(commit) {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo::rustc-env=COEVO_VERSION={version}");
}

fn commit() -> Option<String> {
    let dir = git(&["rev-parse", "--git-dir"])?;
    let branch = git(&["symbolic-ref", "-q", "HEAD"]).unwrap_or_default();
    // A path that does not exist would run this script at every build.
    for file in ["HEAD", "packed-refs", branch.as_str()] {
        let path = Path::new(&dir).join(file);
        if path.is_file() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}
