//! How long to wait before another attempt: pure functions over the request's hash, the attempt and what the server asked.
//!
//! The jitter comes from the hash instead of a random number, so that a run can be repeated exactly while two different
//! requests still spread out.

use std::time::Duration;

use crate::Retry;

/// A server that asks for more than this is treated as if it had asked for this; the deadline decides long before.
const LONGEST_ASKED: Duration = Duration::from_hours(24);

/// The pause after attempt number `attempt` (from 1): what the server asked for, else a jittered exponential.
pub(crate) fn pause(retry: &Retry, hash: &str, attempt: u32, asked: Option<Duration>) -> Duration {
    if let Some(asked) = asked {
        return asked.min(LONGEST_ASKED);
    }
    let doublings = attempt.saturating_sub(1).min(20);
    let ceiling = retry
        .first_pause
        .saturating_mul(1 << doublings)
        .min(retry.longest_pause);
    ceiling.mul_f64(0.5 + 0.5 * fraction(hash, attempt))
}

/// Reads `Retry-After`: seconds, or an HTTP date taken relative to the reply's own `Date` (no clock is read here).
pub(crate) fn asked_pause(retry_after: Option<&str>, date: Option<&str>) -> Option<Duration> {
    let text = retry_after?.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds).min(LONGEST_ASKED));
    }
    let until = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
    let now = jiff::fmt::rfc2822::parse(date?.trim()).ok()?.timestamp();
    let seconds = until.as_second().saturating_sub(now.as_second());
    Some(Duration::from_secs(u64::try_from(seconds).unwrap_or(0)).min(LONGEST_ASKED))
}

/// A number in [0, 1) that depends on nothing but its arguments.
fn fraction(hash: &str, attempt: u32) -> f64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(hash.as_bytes());
    hasher.update(&attempt.to_le_bytes());
    let bytes = hasher.finalize();
    let bytes = bytes.as_bytes();
    f64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])) / (f64::from(u32::MAX) + 1.0)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{asked_pause, pause};
    use crate::Retry;

    #[test]
    fn pauses_double_within_half_open_bounds_and_repeat_exactly() {
        let retry = Retry {
            attempts: 9,
            first_pause: Duration::from_millis(100),
            longest_pause: Duration::from_millis(350),
            statuses: &[],
        };
        for (attempt, ceiling) in [(1, 100), (2, 200), (3, 350), (40, 350)] {
            let found = pause(&retry, "abc", attempt, None);
            assert_eq!(found, pause(&retry, "abc", attempt, None));
            assert!(
                found >= Duration::from_millis(ceiling / 2) && found < Duration::from_millis(ceiling),
                "{found:?}"
            );
        }
        assert_ne!(pause(&retry, "abc", 1, None), pause(&retry, "abd", 1, None));
        assert_eq!(
            pause(&retry, "abc", 1, Some(Duration::from_secs(7))),
            Duration::from_secs(7)
        );
    }

    #[test]
    fn reads_retry_after() {
        let date = Some("Wed, 21 Oct 2015 07:28:00 GMT");
        let cases = [
            (Some("3"), None, Some(3)),
            (Some(" 0 "), None, Some(0)),
            (Some("Wed, 21 Oct 2015 07:28:30 GMT"), date, Some(30)),
            (Some("Wed, 21 Oct 2015 07:27:00 GMT"), date, Some(0)),
            (Some("Wed, 21 Oct 2015 07:28:30 GMT"), None, None),
            (Some("soon"), date, None),
            (Some("-1"), date, None),
            (None, date, None),
        ];
        for (retry_after, date, expected) in cases {
            assert_eq!(
                asked_pause(retry_after, date),
                expected.map(Duration::from_secs),
                "{retry_after:?}"
            );
        }
    }
}
