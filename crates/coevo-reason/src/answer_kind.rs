//! What a question asks for, read off its question words: [`AnswerKind`]. Pure; English question words, anything else asks
//! for any term.

use coevo_graph::fold_tokens;
use oxrdf::vocab::xsd;
use oxrdf::{NamedNodeRef, Term};

/// The kind of term that can answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerKind {
    /// A person, place or thing.
    Entity,
    /// A point in time.
    Time,
    /// A number.
    Number,
    /// Not known.
    Any,
}

impl AnswerKind {
    pub(crate) fn of(question: &str) -> Self {
        let words: Vec<String> = fold_tokens(question)
            .into_iter()
            .map(|token| token.folded)
            .collect();
        let pairs = words.windows(2).map(|pair| (pair[0].as_str(), pair[1].as_str()));
        for pair in pairs {
            match pair {
                (
                    "how",
                    "many" | "much" | "tall" | "high" | "long" | "large" | "big" | "old" | "deep" | "heavy",
                ) => {
                    return Self::Number;
                }
                ("what" | "which", "year" | "date" | "day" | "century" | "decade") => return Self::Time,
                _ => {}
            }
        }
        let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
        if has(&["when"]) {
            Self::Time
        } else if has(&["population", "height", "area", "number"]) {
            Self::Number
        } else if has(&["who", "whom", "whose", "where", "which"]) {
            Self::Entity
        } else {
            Self::Any
        }
    }

    /// Whether a term is of this kind.
    pub(crate) fn fits(self, term: &Term) -> bool {
        match (self, term) {
            (Self::Any, _) | (Self::Entity, Term::NamedNode(_)) => true,
            (Self::Time, Term::Literal(literal)) => {
                const TIMES: [NamedNodeRef<'_>; 4] =
                    [xsd::DATE_TIME, xsd::DATE, xsd::G_YEAR, xsd::G_YEAR_MONTH];
                TIMES.contains(&literal.datatype())
            }
            (Self::Number, Term::Literal(literal)) => {
                const NUMBERS: [NamedNodeRef<'_>; 4] = [xsd::DECIMAL, xsd::INTEGER, xsd::DOUBLE, xsd::FLOAT];
                NUMBERS.contains(&literal.datatype())
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    //! Question words by hand.
    use super::*;

    #[test]
    fn question_words_decide() {
        for (question, expected) in [
            ("Where was Ann born?", AnswerKind::Entity),
            ("When was Ann born?", AnswerKind::Time),
            ("In which year did Ann die?", AnswerKind::Time),
            ("How many people live in X?", AnswerKind::Number),
            ("what is the population of X", AnswerKind::Number),
            ("what is the capital of X", AnswerKind::Any),
            ("Which film was made when Ann was born?", AnswerKind::Time),
        ] {
            assert_eq!(AnswerKind::of(question), expected, "{question}");
        }
    }
}
