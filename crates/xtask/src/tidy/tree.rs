//! The files of the repository as values. Entry: [`read`].
//!
//! Build products, version control and the demo's data are left out by name; symbolic links are not followed.

use std::path::Path;

use anyhow::Result;

/// Texts above this are not read: no rule looks into them.
const MAX_TEXT_BYTES: u64 = 2 << 20;
const SKIPPED: [&str; 2] = ["target", "node_modules"];
const HIDDEN_BUT_READ: [&str; 3] = [".ci", ".cargo", ".github"];

/// One file: its path from the root with `/`, its size in bytes and, when it is UTF-8 of moderate size, its text.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) bytes: u64,
    pub(crate) text: Option<String>,
}

impl File {
    pub(crate) fn has_extension(&self, extension: &str) -> bool {
        extension_of(&self.path) == Some(extension)
    }
}

pub(crate) fn extension_of(path: &str) -> Option<&str> {
    Path::new(path)
        .extension()
        .and_then(|extension| extension.to_str())
}

/// Every file below `root`, sorted by path.
pub(crate) fn read(root: &Path) -> Result<Vec<File>> {
    let mut found = Vec::new();
    let mut pending = vec![String::new()];
    while let Some(directory) = pending.pop() {
        for entry in fs_err::read_dir(root.join(&directory))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if directory.is_empty() {
                name.clone()
            } else {
                format!("{directory}/{name}")
            };
            let kind = entry.file_type()?;
            if kind.is_dir() {
                let hidden = name.starts_with('.') && !HIDDEN_BUT_READ.contains(&name.as_str());
                if !hidden && !SKIPPED.contains(&name.as_str()) {
                    pending.push(path);
                }
            } else if kind.is_file() {
                let bytes = entry.metadata()?.len();
                let text = if bytes <= MAX_TEXT_BYTES {
                    String::from_utf8(fs_err::read(entry.path())?).ok()
                } else {
                    None
                };
                found.push(File { path, bytes, text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}
