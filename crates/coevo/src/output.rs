//! What is written where: [`Talk`] speaks on stderr, [`Out`] carries data on stdout. Colour only where a person sees it;
//! a reader that went away (`| head`) is not an error.

use crate::arguments::{Color, GlobalArguments, LogFormat};
use crate::failure::Failure;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use tracing_subscriber::EnvFilter;

/// Set once the reader of stdout is gone.
static READER_GONE: AtomicBool = AtomicBool::new(false);

/// How the program speaks to a person.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Talk {
    quiet: bool,
    /// Colour on stderr.
    pub(crate) style: Style,
    /// Colour on stdout.
    pub(crate) out_style: Style,
    pub(crate) progress: Progressing,
}

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progressing {
    /// Not at all.
    Off,
    /// A bar on the terminal.
    Bar,
    /// A line now and then.
    Lines,
}

/// Colours, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Style {
    on: bool,
}

impl Talk {
    pub(crate) fn new(global: &GlobalArguments) -> Self {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let style = |is_terminal: bool| Style {
            on: match global.color {
                Color::Always => true,
                Color::Never => false,
                Color::Auto => is_terminal && !no_color,
            },
        };
        let on_terminal = io::stderr().is_terminal();
        let progress = match (global.quiet || global.no_progress, on_terminal) {
            (true, _) => Progressing::Off,
            (false, true) => Progressing::Bar,
            (false, false) => Progressing::Lines,
        };
        Self {
            quiet: global.quiet,
            style: style(on_terminal),
            out_style: style(io::stdout().is_terminal()),
            progress,
        }
    }

    /// Says something that is good to know.
    pub(crate) fn note(self, text: &str) {
        if !self.quiet {
            say(text);
        }
    }

    /// Says something that needs attention, `--quiet` or not.
    pub(crate) fn warn(self, text: &str) {
        say(&format!("{} {text}", self.style.warning("warning:")));
    }

    /// Says why the command failed and gives its exit code. Silent when the reader of stdout went away.
    pub(crate) fn fail(self, failure: &Failure) -> ExitCode {
        if READER_GONE.load(Ordering::Relaxed) {
            return ExitCode::SUCCESS;
        }
        say(&format!(
            "{} {}",
            self.style.error("error:"),
            one_line(&failure.message)
        ));
        if let Some(hint) = &failure.hint {
            say(&format!("{} {}", self.style.hint("hint:"), one_line(hint)));
        }
        ExitCode::from(failure.exit.code())
    }
}

/// A message in one line, however many the engine below used.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn say(text: &str) {
    // Nobody is left to be told when stderr is gone.
    drop(writeln!(io::stderr().lock(), "{text}"));
}

impl Style {
    /// No colour.
    #[cfg(test)]
    pub(crate) fn plain() -> Self {
        Self { on: false }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn error(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    fn warning(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    fn hint(self, text: &str) -> String {
        self.paint("1;36", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.on {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}

/// Buffered stdout that remembers when its reader went away.
pub(crate) struct Out {
    inner: BufWriter<io::Stdout>,
}

impl Out {
    pub(crate) fn new() -> Self {
        Self {
            inner: BufWriter::with_capacity(1 << 16, io::stdout()),
        }
    }

    /// Writes one value as JSON with a line end, indented: people read it too.
    pub(crate) fn json(value: &impl serde::Serialize) -> io::Result<()> {
        let mut out = Self::new();
        serde_json::to_writer_pretty(&mut out, value)?;
        out.write_all(b"\n")?;
        out.flush()
    }

    /// Writes one value as one line of JSON, at once.
    pub(crate) fn json_line(value: &impl serde::Serialize) -> io::Result<()> {
        let mut out = Self::new();
        serde_json::to_writer(&mut out, value)?;
        out.write_all(b"\n")?;
        out.flush()
    }

    /// Writes text, at once.
    pub(crate) fn text(text: &str) -> io::Result<()> {
        let mut out = Self::new();
        out.write_all(text.as_bytes())?;
        out.flush()
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        remember(self.inner.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        remember(self.inner.flush())
    }
}

fn remember<T>(result: io::Result<T>) -> io::Result<T> {
    if matches!(&result, Err(error) if error.kind() == io::ErrorKind::BrokenPipe) {
        READER_GONE.store(true, Ordering::Relaxed);
    }
    result
}

/// Starts the log on stderr: warnings, more with `-v`, exactly what `RUST_LOG` says when it is set.
pub(crate) fn start_log(global: &GlobalArguments) {
    let wanted = match global.verbose {
        0 => "error",
        1 => "info,tantivy=warn",
        2 => "debug,tantivy=info,hyper=info,h2=info,rustls=info",
        _ => "trace",
    };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_unset| EnvFilter::new(wanted));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(false);
    match global.log_format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
}
