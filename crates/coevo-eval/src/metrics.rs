//! How an answer is scored against gold answers: pure functions after the published rules.
//!
//! Strict: exact match and token F1 as `HotpotQA`'s official script (v1) has them, best over the gold answers. First item:
//! [`hits_at_1`]. Lenient, for comparison with published graph question answering: [`contains`], which shows by how much
//! containment inflates. Nothing here knows what an answer is made of but its words.

use std::collections::HashMap;

/// Shortest text, in characters without white space, that may count by containment: one letter is in everything.
pub const MIN_CONTAINED: usize = 2;

/// `HotpotQA`'s normal form: lower case, ASCII punctuation deleted (not spaced; other punctuation stays), the words *a*,
/// *an*, *the* deleted after that, white space collapsed.
pub fn normalise(text: &str) -> String {
    let lower = text.to_lowercase();
    let mut kept = String::with_capacity(lower.len());
    let mut word = String::new();
    for character in lower
        .chars()
        .filter(|character| !character.is_ascii_punctuation())
    {
        if character.is_alphanumeric() {
            word.push(character);
        } else {
            push_word(&mut kept, &mut word);
            kept.push(character);
        }
    }
    push_word(&mut kept, &mut word);
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn push_word(kept: &mut String, word: &mut String) {
    let article = matches!(word.as_str(), "a" | "an" | "the");
    kept.push_str(if article { " " } else { word });
    word.clear();
}

/// Whether both sides have the same normal form.
pub fn exact_match(prediction: &str, gold: &str) -> bool {
    normalise(prediction) == normalise(gold)
}

/// `HotpotQA`'s token F1 in [0, 1]: overlap of bags of words. Where either side is `yes`, `no` or `noanswer`, only equality
/// counts. Sides without a word left score 0, even when they are equal.
pub fn f1(prediction: &str, gold: &str) -> f64 {
    let (prediction, gold) = (normalise(prediction), normalise(gold));
    let is_verdict = |side: &str| matches!(side, "yes" | "no" | "noanswer");
    if (is_verdict(&prediction) || is_verdict(&gold)) && prediction != gold {
        return 0.0;
    }
    let mut left: HashMap<&str, usize> = HashMap::new();
    for word in gold.split_whitespace() {
        *left.entry(word).or_default() += 1;
    }
    let mut n_shared = 0_usize;
    for word in prediction.split_whitespace() {
        if let Some(n_left) = left.get_mut(word).filter(|n_left| **n_left > 0) {
            *n_left -= 1;
            n_shared += 1;
        }
    }
    if n_shared == 0 {
        return 0.0;
    }
    let precision = n_shared as f64 / prediction.split_whitespace().count() as f64;
    let recall = n_shared as f64 / gold.split_whitespace().count() as f64;
    2.0 * precision * recall / (precision + recall)
}

/// [`exact_match`] with any of the gold answers.
pub fn best_exact_match(prediction: &str, golds: &[String]) -> bool {
    golds.iter().any(|gold| exact_match(prediction, gold))
}

/// The best [`f1`] over the gold answers.
pub fn best_f1(prediction: &str, golds: &[String]) -> f64 {
    golds.iter().map(|gold| f1(prediction, gold)).fold(0.0, f64::max)
}

/// Whether the *first* answer item equals a gold answer in normal form. No item, or one without a word: no hit.
pub fn hits_at_1(items: &[String], golds: &[String]) -> bool {
    items
        .first()
        .is_some_and(|first| !normalise(first).is_empty() && best_exact_match(first, golds))
}

/// Containment as the `ToG` family counts it, on the answer alone: white space removed, lower case, either side inside the
/// other. Other than there, an empty answer is wrong and a contained side has at least [`MIN_CONTAINED`] characters.
pub fn contains(answer: &str, golds: &[String]) -> bool {
    let answer = squeeze(answer);
    golds
        .iter()
        .map(|gold| squeeze(gold))
        .any(|gold| holds(&answer, &gold) || holds(&gold, &answer))
}

fn holds(outer: &str, inner: &str) -> bool {
    inner.chars().count() >= MIN_CONTAINED && outer.contains(inner)
}

fn squeeze(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect()
}

#[cfg(test)]
mod tests;
