//! The values of one exchange: what is asked ([`Call`]) and what comes back ([`Completion`], [`Delta`]).

/// One question to a model. The words are the caller's.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// What the call is for; stands in the ledger, in errors and in recordings.
    pub purpose: &'static str,
    /// The system message; left out when empty.
    pub system: String,
    /// The user message.
    pub user: String,
    /// 0 for the most likely reply.
    pub temperature: f32,
    /// Most tokens of the reply, within the model's own limit.
    pub max_tokens: u32,
}

/// A whole reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// What the model says, without its thinking. Never blank.
    pub text: String,
    /// What it took.
    pub usage: Tokens,
    /// How long it took; of a recording, how long it took then.
    pub seconds: f64,
    /// Why it ended. `Length` means that the text is cut off.
    pub finish: Finish,
}

/// Tokens of one exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Of the prompt.
    pub prompt: u64,
    /// Of the reply, thinking included.
    pub completion: u64,
    /// Whether the endpoint did not tell, so that four characters were counted as one token.
    pub estimated: bool,
}

/// Why a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The model was done.
    Stop,
    /// It reached the most tokens it was allowed.
    Length,
    /// Anything else: a filter, or a reason that the endpoint does not give.
    Other,
}

/// A piece of a reply that is being written.
#[derive(Clone, Debug, PartialEq)]
pub enum Delta {
    /// A piece of the reply.
    Text(String),
    /// A piece of the model's thinking, which is no part of the reply.
    Thinking(String),
    /// The end, with the whole reply. Always the last item of a stream that did not fail.
    Done(Completion),
}

impl Finish {
    pub(crate) fn of(reason: Option<&str>) -> Self {
        match reason {
            Some("stop" | "eos" | "end_turn") => Self::Stop,
            Some("length" | "max_tokens") => Self::Length,
            _ => Self::Other,
        }
    }
}

/// Four characters count as one token, which is near the truth for English and prudent for most other text.
pub(crate) fn estimate_tokens(chars: usize) -> u64 {
    chars.div_ceil(4) as u64
}
