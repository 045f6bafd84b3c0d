//! Licences of everything that is built in, from `cargo metadata`. Entry: [`check`].
//!
//! Reads the SPDX expression of a manifest; licence texts are not read. What needed a person to look is listed below by
//! package and version, so that an update is looked at again.

use super::Problem;
use super::crates::Metadata;

const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "bzip2-1.0.6",
];

/// Package and version whose licence file was read, and what it says.
const READ_BY_HAND: &[(&str, &str, &str)] = &[
    (
        "parse-wiki-text-2",
        "0.2.0",
        "the manifest states none; the file LICENSE is MIT's text",
    ),
    (
        "mownstr",
        "0.3.1",
        "CECILL-B: permissive, asks for credit, which the README's dependency table gives; part of sophia",
    ),
];

/// Every package's licence is one that a program under `MIT OR Apache-2.0` can ship with.
pub(crate) fn check(metadata: &Metadata) -> Vec<Problem> {
    let mut problems = Vec::new();
    for package in &metadata.packages {
        if READ_BY_HAND
            .iter()
            .any(|(name, version, _)| *name == package.name && *version == package.version)
        {
            continue;
        }
        let what = match package.license.as_deref() {
            Some(licence) if is_allowed(licence) => continue,
            Some(licence) => format!("{} {} is under {licence}", package.name, package.version),
            None => format!("{} {} states no licence", package.name, package.version),
        };
        problems.push(Problem::new(
            "Cargo.lock",
            1,
            what,
            "drop it, or read its licence file and enter it in xtask's licences.rs",
        ));
    }
    problems
}

/// Whether some choice within the SPDX expression needs only allowed licences. An expression that cannot be read is not
/// allowed.
pub(crate) fn is_allowed(expression: &str) -> bool {
    // Before SPDX, cargo used a slash for OR.
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader { words: &words, at: 0 };
    let allowed = reader.any_of();
    allowed && reader.at == words.len()
}

struct Reader<'a> {
    words: &'a [&'a str],
    at: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let word = self.words.get(self.at).copied();
        self.at += usize::from(word.is_some());
        word
    }

    fn take(&mut self, wanted: &str) -> bool {
        let found = self.words.get(self.at).is_some_and(|word| *word == wanted);
        self.at += usize::from(found);
        found
    }

    fn any_of(&mut self) -> bool {
        let mut allowed = self.all_of();
        while self.take("OR") {
            allowed |= self.all_of();
        }
        allowed
    }

    fn all_of(&mut self) -> bool {
        let mut allowed = self.one();
        while self.take("AND") {
            allowed &= self.one();
        }
        allowed
    }

    fn one(&mut self) -> bool {
        if self.take("(") {
            let allowed = self.any_of();
            return self.take(")") && allowed;
        }
        let Some(licence) = self.next() else { return false };
        if self.take("WITH") {
            let exception = self.next().unwrap_or_default();
            return ALLOWED.contains(&format!("{licence} WITH {exception}").as_str());
        }
        ALLOWED.contains(&licence)
    }
}
