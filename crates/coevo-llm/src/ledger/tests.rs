#![expect(clippy::unwrap_used, reason = "tests")]

use std::time::Duration;

use super::{Budget, Ledger, Outcome, Planned};
use crate::{BudgetPart, Error, Prices, Tokens};

fn planned() -> Planned {
    let prices = Some(Prices {
        prompt: 1_000_000.0,
        completion: 2_000_000.0,
    });
    Planned {
        purpose: "test",
        prompt_tokens: 10,
        max_tokens: 5,
        prices,
        repaired: false,
    }
}

fn spent(ledger: &Ledger) -> Option<BudgetPart> {
    match ledger.reserve(&planned()) {
        Ok(entry) => {
            entry.void();
            None
        }
        Err(Error::BudgetSpent { which }) => Some(which),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_call_that_might_not_fit_is_not_made() {
    let none = Budget::default();
    let cases = [
        (none, None),
        (
            Budget {
                calls: Some(1),
                ..none
            },
            None,
        ),
        (
            Budget {
                calls: Some(0),
                ..none
            },
            Some(BudgetPart::Calls),
        ),
        (
            Budget {
                tokens: Some(15),
                ..none
            },
            None,
        ),
        (
            Budget {
                tokens: Some(14),
                ..none
            },
            Some(BudgetPart::Tokens),
        ),
        (
            Budget {
                seconds: Some(60.0),
                ..none
            },
            None,
        ),
        (
            Budget {
                seconds: Some(0.0),
                ..none
            },
            Some(BudgetPart::Seconds),
        ),
        (
            Budget {
                money: Some(20.0),
                ..none
            },
            None,
        ),
        (
            Budget {
                money: Some(19.9),
                ..none
            },
            Some(BudgetPart::Money),
        ),
    ];
    for (budget, expected) in cases {
        assert_eq!(spent(&Ledger::new(budget)), expected, "{budget:?}");
    }
}

#[test]
fn calls_under_way_count_with_their_worst_case() {
    let ledger = Ledger::new(Budget {
        calls: Some(2),
        tokens: Some(29),
        ..Budget::default()
    });
    let first = ledger.reserve(&planned()).unwrap();
    assert_eq!(spent(&ledger), Some(BudgetPart::Tokens));
    assert_eq!(
        (ledger.remaining().calls, ledger.remaining().tokens),
        (Some(1), Some(14))
    );
    first.close(
        Outcome::Ok,
        Tokens {
            prompt: 8,
            completion: 1,
            estimated: false,
        },
        0.5,
        1,
    );
    assert_eq!(
        (ledger.remaining().calls, ledger.remaining().tokens),
        (Some(1), Some(20))
    );
    assert_eq!(spent(&ledger), None);
}

#[test]
fn every_call_is_entered_even_when_its_caller_left() {
    let ledger = Ledger::new(Budget::default());
    let tokens = Tokens {
        prompt: 3,
        completion: 2,
        estimated: false,
    };
    ledger
        .reserve(&planned())
        .unwrap()
        .close(Outcome::NotJson, tokens, 0.25, 2);
    let mut left = ledger.reserve(&planned()).unwrap();
    left.hear("12345");
    drop(left);
    let entries = ledger.entries();
    assert_eq!(
        (entries[0].outcome, entries[0].attempts, entries[0].cost),
        (Outcome::NotJson, 2, 7.0)
    );
    assert_eq!(
        (entries[1].outcome, entries[1].completion_tokens),
        (Outcome::Cancelled, 2)
    );
    let usage = ledger.usage();
    assert_eq!(
        (usage.calls, usage.prompt_tokens, usage.completion_tokens),
        (2, 13, 4)
    );
    assert!(usage.estimated && usage.seconds >= 0.25);
}

#[test]
fn deadlines_are_cut_to_the_budget() {
    let ledger = Ledger::new(Budget {
        seconds: Some(5.0),
        ..Budget::default()
    });
    let entry = ledger.reserve(&planned()).unwrap();
    assert_eq!(
        entry.deadline(Duration::from_secs(1)),
        (Duration::from_secs(1), false)
    );
    let (deadline, by_budget) = entry.deadline(Duration::from_mins(1));
    assert!(by_budget && deadline <= Duration::from_secs(5), "{deadline:?}");
}
