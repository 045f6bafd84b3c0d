//! [`Ledger`]: what calls may take ([`Budget`]) and what they took ([`Usage`], [`LedgerEntry`]).
//!
//! The budget is hard. Before a call its worst case (estimated prompt, largest reply) is reserved, so that calls made
//! at the same time cannot exceed it together; a call that might not fit is not made. Seconds are wall time since the ledger was opened,
//! and each call's deadline is cut to what remains of them.
//!
//! `Usage`, `LedgerEntry` and `Outcome` are serialisable because a stored trace holds them; the trace carries the version.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::{Error, Prices, Result, Tokens};

/// Entries kept; the totals go on counting beyond.
const MAX_ENTRIES: usize = 100_000;

/// Limits of a run; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// Calls, repair turns included.
    pub calls: Option<u32>,
    /// Tokens of prompts and replies together.
    pub tokens: Option<u64>,
    /// Wall seconds since the ledger was opened.
    pub seconds: Option<f64>,
    /// Money, in the currency of the prices.
    pub money: Option<f64>,
}

/// The part of a budget that is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields of Budget")]
pub enum BudgetPart {
    Calls,
    Tokens,
    Seconds,
    Money,
}

/// Totals of a ledger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Calls that were made.
    pub calls: u32,
    /// Tokens of all prompts.
    pub prompt_tokens: u64,
    /// Tokens of all replies.
    pub completion_tokens: u64,
    /// Sum of the calls' seconds; more than wall time when calls overlap.
    pub seconds: f64,
    /// Money; 0 without prices.
    pub cost: f64,
    /// Whether some of the tokens are estimates.
    pub estimated: bool,
}

/// One call on the wire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LedgerEntry {
    /// What it was for.
    pub purpose: String,
    /// Tokens of the prompt.
    pub prompt_tokens: u64,
    /// Tokens of the reply.
    pub completion_tokens: u64,
    /// Seconds; of a recording, those of the recorded call.
    pub seconds: f64,
    /// Money; 0 without prices.
    pub cost: f64,
    /// How it ended.
    pub outcome: Outcome,
    /// HTTP attempts it needed.
    pub attempts: u32,
    /// Whether it was a repair turn.
    pub repaired: bool,
    /// Whether a reply cache answered it.
    pub cached: bool,
    /// Whether the tokens are estimates.
    pub estimated: bool,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "named like the errors")]
pub enum Outcome {
    Ok,
    Unreachable,
    Refused,
    NotCompatible,
    Deadline,
    Broken,
    /// The caller left before the reply was complete.
    Cancelled,
    Empty,
    Truncated,
    NotJson,
    SchemaMismatch,
    TooLarge,
}

/// The account of a run. Clones share it.
#[derive(Clone, Debug)]
pub struct Ledger {
    budget: Budget,
    opened: Instant,
    books: Arc<Mutex<Books>>,
}

#[derive(Debug, Default)]
struct Books {
    entries: Vec<LedgerEntry>,
    usage: Usage,
    reserved: Reserved,
}

/// The worst cases of the calls that are under way.
#[derive(Clone, Copy, Debug, Default)]
struct Reserved {
    calls: u32,
    tokens: u64,
    money: f64,
}

impl Ledger {
    /// An empty account; its time begins now.
    pub fn new(budget: Budget) -> Self {
        Self {
            budget,
            opened: Instant::now(),
            books: Arc::default(),
        }
    }

    /// The limits it was opened with.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Totals so far.
    pub fn usage(&self) -> Usage {
        self.books().usage
    }

    /// The calls so far in the order in which they ended, the first 100 000 of them.
    pub fn entries(&self) -> Vec<LedgerEntry> {
        self.books().entries.clone()
    }

    /// What is left of each limit, the calls under way counted with their worst cases.
    pub fn remaining(&self) -> Budget {
        let books = self.books();
        let (usage, reserved) = (books.usage, books.reserved);
        let tokens = usage.prompt_tokens + usage.completion_tokens + reserved.tokens;
        Budget {
            calls: self
                .budget
                .calls
                .map(|limit| limit.saturating_sub(usage.calls + reserved.calls)),
            tokens: self.budget.tokens.map(|limit| limit.saturating_sub(tokens)),
            seconds: self
                .budget
                .seconds
                .map(|limit| (limit - self.opened.elapsed().as_secs_f64()).max(0.0)),
            money: self
                .budget
                .money
                .map(|limit| (limit - usage.cost - reserved.money).max(0.0)),
        }
    }

    /// Reserves the worst case of a call, or says which part of the budget does not allow it.
    pub(crate) fn reserve(&self, planned: &Planned) -> Result<OpenEntry> {
        let tokens = planned.prompt_tokens + u64::from(planned.max_tokens);
        let money = planned.prices.map_or(0.0, |p| {
            p.cost(planned.prompt_tokens, u64::from(planned.max_tokens))
        });
        let mut books = self.books();
        let (usage, reserved) = (books.usage, books.reserved);
        let spent = |which| Err(Error::BudgetSpent { which });
        if self
            .budget
            .calls
            .is_some_and(|limit| usage.calls + reserved.calls >= limit)
        {
            return spent(BudgetPart::Calls);
        }
        let used = usage.prompt_tokens + usage.completion_tokens + reserved.tokens;
        if self.budget.tokens.is_some_and(|limit| used + tokens > limit) {
            return spent(BudgetPart::Tokens);
        }
        if self
            .budget
            .money
            .is_some_and(|limit| money > 0.0 && usage.cost + reserved.money + money > limit)
        {
            return spent(BudgetPart::Money);
        }
        let left = self
            .budget
            .seconds
            .map(|limit| limit - self.opened.elapsed().as_secs_f64());
        if left.is_some_and(|left| left <= 0.0) {
            return spent(BudgetPart::Seconds);
        }
        books.reserved.calls += 1;
        books.reserved.tokens += tokens;
        books.reserved.money += money;
        drop(books);
        Ok(OpenEntry {
            ledger: self.clone(),
            planned: planned.clone(),
            reserved: Reserved {
                calls: 1,
                tokens,
                money,
            },
            seconds_left: left.and_then(|left| Duration::try_from_secs_f64(left).ok()),
            begun: Instant::now(),
            heard_chars: 0,
            is_closed: false,
        })
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a call may take at worst.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub(crate) purpose: &'static str,
    /// Estimated.
    pub(crate) prompt_tokens: u64,
    pub(crate) max_tokens: u32,
    pub(crate) prices: Option<Prices>,
    pub(crate) repaired: bool,
}

/// A call under way. Dropped without having been closed, it is entered as cancelled.
#[derive(Debug)]
pub(crate) struct OpenEntry {
    ledger: Ledger,
    planned: Planned,
    reserved: Reserved,
    seconds_left: Option<Duration>,
    begun: Instant,
    heard_chars: usize,
    is_closed: bool,
}

impl OpenEntry {
    /// The call's deadline within what the budget leaves, and whether it is the budget that ends it.
    pub(crate) fn deadline(&self, wanted: Duration) -> (Duration, bool) {
        match self.seconds_left {
            Some(left) if left < wanted => (left, true),
            _ => (wanted, false),
        }
    }

    /// Seconds since the call began.
    pub(crate) fn elapsed(&self) -> f64 {
        (self.begun.elapsed().as_secs_f64() * 1000.0).round() / 1000.0
    }

    /// Counts a piece of the reply, for the case that the rest never comes.
    pub(crate) fn hear(&mut self, piece: &str) {
        self.heard_chars += piece.chars().count();
    }

    /// Tokens as far as they can be told from characters.
    pub(crate) fn estimated_tokens(&self) -> Tokens {
        Tokens {
            prompt: self.planned.prompt_tokens,
            completion: crate::call::estimate_tokens(self.heard_chars),
            estimated: true,
        }
    }

    /// Enters the call.
    pub(crate) fn close(mut self, outcome: Outcome, tokens: Tokens, seconds: f64, attempts: u32) {
        self.enter(outcome, tokens, seconds, attempts);
    }

    /// Releases the reservation of a call that was never made.
    pub(crate) fn void(mut self) {
        self.is_closed = true;
        self.release(&mut self.ledger.books());
    }

    fn enter(&mut self, outcome: Outcome, tokens: Tokens, seconds: f64, attempts: u32) {
        self.is_closed = true;
        let cost = self
            .planned
            .prices
            .map_or(0.0, |prices| prices.cost(tokens.prompt, tokens.completion));
        let mut books = self.ledger.books();
        self.release(&mut books);
        books.usage.calls += 1;
        books.usage.prompt_tokens += tokens.prompt;
        books.usage.completion_tokens += tokens.completion;
        books.usage.seconds += seconds;
        books.usage.cost += cost;
        books.usage.estimated |= tokens.estimated;
        if books.entries.len() < MAX_ENTRIES {
            books.entries.push(LedgerEntry {
                purpose: self.planned.purpose.to_owned(),
                prompt_tokens: tokens.prompt,
                completion_tokens: tokens.completion,
                seconds,
                cost,
                outcome,
                attempts,
                repaired: self.planned.repaired,
                cached: false,
                estimated: tokens.estimated,
            });
        }
    }

    fn release(&self, books: &mut Books) {
        books.reserved.calls -= self.reserved.calls;
        books.reserved.tokens -= self.reserved.tokens;
        books.reserved.money = (books.reserved.money - self.reserved.money).max(0.0);
    }
}

impl Drop for OpenEntry {
    fn drop(&mut self) {
        if !self.is_closed {
            self.enter(Outcome::Cancelled, self.estimated_tokens(), self.elapsed(), 1);
        }
    }
}

impl fmt::Display for BudgetPart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Calls => "calls",
            Self::Tokens => "tokens",
            Self::Seconds => "seconds",
            Self::Money => "money",
        })
    }
}

#[cfg(test)]
mod tests;
