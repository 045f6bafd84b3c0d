//! Progress of an ingest on stderr: a bar on a terminal, else one line every 30 seconds. Entry: [`Meter`].

use crate::output::Progressing;
use coevo_ingest::{Phase, Progress};
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// Shows progress.
pub(crate) struct Meter {
    shown: Shown,
}

enum Shown {
    Nothing,
    Bar(ProgressBar),
    Lines(Mutex<Instant>),
}

impl Meter {
    pub(crate) fn new(progressing: Progressing) -> Self {
        let shown = match progressing {
            Progressing::Off => Shown::Nothing,
            Progressing::Lines => Shown::Lines(Mutex::new(Instant::now())),
            Progressing::Bar => {
                let bar = ProgressBar::no_length();
                bar.enable_steady_tick(Duration::from_millis(200));
                Shown::Bar(bar)
            }
        };
        Self { shown }
    }

    /// Takes one report.
    pub(crate) fn update(&self, progress: &Progress) {
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => show_bar(bar, progress),
            Shown::Lines(last) => {
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                if last.elapsed() >= LINE_EVERY {
                    *last = Instant::now();
                    eprintln!("{}", line(progress));
                }
            }
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

fn show_bar(bar: &ProgressBar, progress: &Progress) {
    let (done, total) = match progress.bytes_total {
        Some(total) => (progress.bytes_done, Some(total)),
        None => (progress.records, progress.records_total),
    };
    // A template of our own that failed to parse would leave indicatif's plain one.
    let template = if total.is_some() {
        "{spinner} {msg} [{bar:30}] {percent}% {eta}"
    } else {
        "{spinner} {msg}"
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    match total {
        Some(total) => bar.set_length(total.max(1)),
        None => bar.unset_length(),
    }
    bar.set_position(done);
    bar.set_message(line(progress));
}

/// One report in words.
fn line(progress: &Progress) -> String {
    let what = match progress.phase {
        Phase::Hashing => "reading",
        Phase::Loading => "loading",
        Phase::Labels => "indexing names of",
        Phase::Embedding => "embedding passages of",
    };
    let mut line = format!("{what} {}", progress.input);
    if progress.bytes_done > 0 {
        let _ = write!(line, ": {}", HumanBytes(progress.bytes_done));
        if let Some(total) = progress.bytes_total {
            let _ = write!(line, " of {}", HumanBytes(total));
        }
    }
    if progress.records > 0 {
        let _ = write!(line, ", {}", HumanCount(progress.records));
        if let Some(total) = progress.records_total {
            let _ = write!(line, " of {}", HumanCount(total));
        }
        line.push_str(if progress.phase == Phase::Embedding {
            " passages"
        } else {
            " records"
        });
    }
    if progress.rejects > 0 {
        let _ = write!(line, ", {} rejected", HumanCount(progress.rejects));
    }
    line
}

#[cfg(test)]
mod tests {
    //! A report in words.
    use super::{Phase, Progress, line};

    #[test]
    fn words() {
        let progress = Progress {
            phase: Phase::Loading,
            input: "a.nt.gz".to_owned(),
            bytes_done: 2048,
            bytes_total: Some(4096),
            records: 12_345,
            records_total: None,
            rejects: 2,
        };
        assert_eq!(
            line(&progress),
            "loading a.nt.gz: 2.00 KiB of 4.00 KiB, 12,345 records, 2 rejected"
        );
    }
}
