//! Question sets: JSON Lines with `{id, question, answers[]}`, read by [`read_questions`]. Other members of a line are
//! left alone, so that data sets can carry their gold paths and entities along.

use crate::{Error, Result};
use serde::Deserialize;
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Bytes of a line at most.
const MAX_LINE: usize = 1 << 20;

/// One question with its gold answers.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Question {
    /// Unique within the set.
    pub id: String,
    /// The question as it is asked.
    pub question: String,
    /// Gold answers, any of which is right; aliases included. Never empty.
    pub answers: Vec<String>,
}

/// Reads the first `limit` questions of a file.
pub fn read_questions(path: &Path, limit: usize) -> Result<Vec<Question>> {
    let file = fs_err::File::open(path)?;
    read(BufReader::new(file), path, limit)
}

fn read(mut reader: impl BufRead, path: &Path, limit: usize) -> Result<Vec<Question>> {
    let mut questions = Vec::new();
    let mut ids = HashSet::new();
    let mut line = 0;
    let mut bytes = Vec::new();
    while questions.len() < limit {
        bytes.clear();
        line += 1;
        if reader
            .by_ref()
            .take(MAX_LINE as u64 + 1)
            .read_until(b'\n', &mut bytes)?
            == 0
        {
            break;
        }
        if bytes.len() > MAX_LINE {
            return Err(Error::LineTooLong {
                path: path.to_owned(),
                line,
                limit: MAX_LINE,
            });
        }
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let question = parse(&bytes).map_err(|reason| Error::BadLine {
            path: path.to_owned(),
            line,
            reason,
        })?;
        if !ids.insert(question.id.clone()) {
            return Err(Error::RepeatedId {
                path: path.to_owned(),
                line,
                id: question.id,
            });
        }
        questions.push(question);
    }
    if questions.is_empty() {
        return Err(Error::NoQuestions(path.to_owned()));
    }
    Ok(questions)
}

fn parse(line: &[u8]) -> Result<Question, String> {
    let question: Question = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    if question.question.trim().is_empty() {
        return Err("the question is empty".to_owned());
    }
    if question.answers.iter().all(|answer| answer.trim().is_empty()) {
        return Err("no gold answer".to_owned());
    }
    Ok(question)
}

#[cfg(test)]
mod tests;
