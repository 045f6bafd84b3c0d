//! A run over answers from a table: what is counted where.

use super::{Means, RowOutcome, run};
use crate::Question;
use coevo_reason::{Answer, AnswerBody, AnswerItem, UsageReport};

fn question(id: &str, golds: &[&str]) -> Question {
    Question {
        id: id.to_owned(),
        question: format!("Question {id}?"),
        answers: golds.iter().map(|&gold| gold.to_owned()).collect(),
    }
}

fn answer(text: &str, items: &[&str], state: &str) -> Answer {
    Answer {
        version: 1,
        run: "r".to_owned(),
        question: String::new(),
        strategy: "evidence-only".to_owned(),
        model: None,
        answer: AnswerBody {
            text: text.to_owned(),
            items: items
                .iter()
                .map(|&text| AnswerItem {
                    text: text.to_owned(),
                    iri: None,
                })
                .collect(),
            citations: Vec::new(),
            verification: "graph".to_owned(),
            state: state.to_owned(),
        },
        evidence: Vec::new(),
        claims: Vec::new(),
        quarantined: 0,
        usage: UsageReport {
            calls: 2,
            prompt_tokens: 30,
            completion_tokens: 10,
            seconds: 0.5,
            cost: None,
        },
        notes: Vec::new(),
    }
}

#[tokio::test]
async fn failures_and_refusals_stay_in_the_denominator() {
    let questions = [
        question("right", &["Chicago"]),
        question("second", &["Chicago"]),
        question("refused", &["Chicago"]),
        question("failed", &["Chicago"]),
    ];
    let ask = async |question: &Question| match question.id.as_str() {
        "right" => Ok(answer("Chicago", &["Chicago"], "answered")),
        "second" => Ok(answer(
            "Springfield or Chicago",
            &["Springfield", "Chicago"],
            "answered",
        )),
        "refused" => Ok(answer("Chicago, perhaps", &[], "insufficient")),
        _ => Err("the model cannot be reached"),
    };
    let mut seen = 0;
    let report = run(&questions, ask, |_row| seen += 1).await;
    assert_eq!(seen, 4);
    let outcomes: Vec<RowOutcome> = report.rows.iter().map(|row| row.outcome).collect();
    assert_eq!(
        outcomes,
        [
            RowOutcome::Answered,
            RowOutcome::Answered,
            RowOutcome::Refused,
            RowOutcome::Failed
        ]
    );
    assert_eq!(
        report.rows[3].error.as_deref(),
        Some("the model cannot be reached")
    );
    // Hand-counted: right on all; second on containment only; the refusal used the model, the failure did not.
    let expected = Means {
        n: 4,
        failed: 1,
        refused: 1,
        exact_match: 0.25,
        f1: 0.25,
        hits_at_1: 0.25,
        containment: 0.5,
        calls: 1.5,
        tokens: 30.0,
        seconds: 0.375,
    };
    assert_eq!(report.means, expected);
}

#[tokio::test]
async fn words_count_where_there_are_no_items() {
    let ask = async |_: &Question| Ok::<_, String>(answer("the Chicago", &[], "answered"));
    let report = run(&[question("a", &["Chicago"])], ask, |_row| {}).await;
    let row = &report.rows[0];
    assert!(row.exact_match && row.containment && !row.hits_at_1);
}

#[tokio::test]
async fn an_empty_answer_is_a_refusal() {
    let ask = async |_: &Question| Ok::<_, String>(answer(" ", &[], "answered"));
    let report = run(&[question("a", &["Chicago"])], ask, |_row| {}).await;
    assert_eq!((report.means.refused, report.means.n), (1, 1));
}
