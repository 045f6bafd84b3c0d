//! Names that memory mints: slugs for open entities and relations, content-derived identifiers for everything else.
//! Entry points: [`relation_iri`], [`entity_iri`], [`claim_iri`]. Pure; the same input gives the same name for ever.
//!
//! A slug that lost something (punctuation, length) ends with `.` and twelve hex digits of what it was made of, and no
//! slug contains a dot of its own: two different names never share an identifier.

use crate::surface::fold;
use crate::{Error, Result};
use oxrdf::vocab::xsd;
use oxrdf::{Literal, NamedNode, Quad, Term};
use unicode_normalization::char::is_combining_mark;

/// Characters of a slug before it is cut.
const SLUG_CHARS: usize = 80;

/// Prefix of relations that models name.
const RELATIONS: &str = "urn:coevo:rel:";
/// Prefix of entities that no knowledge graph knows.
pub(crate) const ENTITIES: &str = "urn:coevo:ent:";

/// `urn:coevo:rel:<slug>` of a relation phrase. Case, `_`, `-` and white space do not count: `Born_in` is `born in`.
/// [`Error::EmptyName`] when the phrase has no letter or digit.
pub fn relation_iri(phrase: &str) -> Result<NamedNode> {
    let slug = slug(phrase, |c| matches!(c, ' ' | '_' | '-'))?;
    Ok(NamedNode::new_unchecked(format!("{RELATIONS}{slug}")))
}

/// `urn:coevo:ent:<space>:<slug>` of a mention that no knowledge graph knows. Case and white space do not count.
/// [`Error::EmptyName`] when the mention has no letter or digit; [`Error::BadSpace`] for a malformed space.
pub fn entity_iri(space: &str, mention: &str) -> Result<NamedNode> {
    check_space(space)?;
    let slug = slug(mention, |c| c == ' ')?;
    Ok(NamedNode::new_unchecked(format!("{ENTITIES}{space}:{slug}")))
}

/// `urn:coevo:claim:<space>:<32 hex digits>`: the identifier of the claim that `subject predicate object` holds, derived
/// from content alone. Numbers and times count by value, so the lexical form that a store gives back does not matter.
pub fn claim_iri(space: &str, subject: &NamedNode, predicate: &NamedNode, object: &Term) -> NamedNode {
    let parts = [space, subject.as_str(), predicate.as_str(), &canonical(object)];
    NamedNode::new_unchecked(format!("urn:coevo:claim:{space}:{}", hash(&parts, 32)))
}

/// The evidence of a claim is named by where it stands, so that the same sentence counts once.
pub(crate) fn evidence_iri(
    space: &str,
    claim: &NamedNode,
    passage: &NamedNode,
    start: usize,
    end: usize,
) -> NamedNode {
    let place = [
        claim.as_str(),
        passage.as_str(),
        &start.to_string(),
        &end.to_string(),
    ];
    NamedNode::new_unchecked(format!("urn:coevo:evidence:{space}:{}", hash(&place, 32)))
}

pub(crate) fn run_iri(id: &str) -> Result<NamedNode> {
    let valid = !id.is_empty()
        && id.len() <= 64
        && id
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    if !valid {
        return Err(Error::BadRunId {
            id: id.chars().take(80).collect(),
        });
    }
    Ok(NamedNode::new_unchecked(format!("urn:coevo:run:{id}")))
}

pub(crate) fn question_iri(space: &str, question: &str) -> NamedNode {
    NamedNode::new_unchecked(format!(
        "urn:coevo:question:{space}:{}",
        hash(&[space, question], 16)
    ))
}

pub(crate) fn answer_iri(space: &str, question: &str, run: &str) -> NamedNode {
    NamedNode::new_unchecked(format!(
        "urn:coevo:answer:{space}:{}:{run}",
        hash(&[space, question], 16)
    ))
}

pub(crate) fn decision_iri(space: &str, claim: &NamedNode, to_revision: u64) -> NamedNode {
    let claim = claim.as_str().rsplit(':').next().unwrap_or_default();
    NamedNode::new_unchecked(format!("urn:coevo:decision:{space}:{claim}:{to_revision}"))
}

pub(crate) fn triple_iri(space: &str, quad: &Quad) -> NamedNode {
    NamedNode::new_unchecked(format!(
        "urn:coevo:triple:{space}:{}",
        hash(&[&quad.to_string()], 32)
    ))
}

/// Spaces are `[a-z0-9-]{1,64}` and start with a letter or digit.
pub(crate) fn check_space(space: &str) -> Result<()> {
    let valid = (1..=64).contains(&space.len())
        && space
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !space.starts_with('-');
    if valid {
        Ok(())
    } else {
        Err(Error::BadSpace {
            space: space.chars().take(80).collect(),
        })
    }
}

/// Letters, digits and marks stay, in every script (all of them may stand in an IRI); a run of anything else becomes `-`.
fn slug(text: &str, is_free: impl Fn(char) -> bool) -> Result<String> {
    let folded = fold(text);
    let mut slug = String::with_capacity(folded.len());
    let mut n_chars = 0;
    let mut gap = false;
    let mut lossy = false;
    for c in folded.chars() {
        if !(c.is_alphanumeric() || is_combining_mark(c)) {
            gap = true;
            lossy |= !is_free(c);
            continue;
        }
        let needed = if gap && n_chars > 0 { 2 } else { 1 };
        if n_chars + needed > SLUG_CHARS {
            lossy = true;
            break;
        }
        if needed == 2 {
            slug.push('-');
        }
        gap = false;
        slug.push(c);
        n_chars += needed;
    }
    if !slug.chars().any(char::is_alphanumeric) {
        return Err(Error::EmptyName {
            text: text.chars().take(80).collect(),
        });
    }
    if lossy {
        slug.push('.');
        slug.push_str(&hash(&[&folded], 12));
    }
    Ok(slug)
}

/// Hex digits of a hash over parts that cannot run into each other.
fn hash(parts: &[&str], digits: usize) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    let hex = hasher.finalize().to_hex();
    hex[..digits.min(hex.len())].to_owned()
}

fn canonical(object: &Term) -> String {
    let Term::Literal(literal) = object else {
        return object.to_string();
    };
    let value = canonical_value(literal).unwrap_or_else(|| literal.value().to_owned());
    match literal.language() {
        Some(tag) => format!("\"{value}@{}", tag.to_ascii_lowercase()),
        None => format!("\"{value}^{}", literal.datatype().as_str()),
    }
}

/// One spelling per value for the datatypes whose spelling a store may change.
fn canonical_value(literal: &Literal) -> Option<String> {
    let value = literal.value().trim();
    let datatype = literal.datatype();
    if datatype == xsd::DOUBLE || datatype == xsd::FLOAT {
        return Some(format!("{:e}", value.parse::<f64>().ok()? + 0.0));
    }
    if datatype == xsd::BOOLEAN {
        return Some(matches!(value, "true" | "1").to_string());
    }
    if datatype == xsd::DATE_TIME {
        return Some(canonical_time(value));
    }
    let is_number = value
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.'));
    if !is_number || !(datatype == xsd::INTEGER || datatype == xsd::DECIMAL) {
        return None;
    }
    let (sign, digits) = match value.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", value.strip_prefix('+').unwrap_or(value)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    let sign = if whole.is_empty() && fraction.is_empty() {
        ""
    } else {
        sign
    };
    Some(format!(
        "{sign}{}.{fraction}",
        if whole.is_empty() { "0" } else { whole }
    ))
}

/// Seconds without trailing zeros, UTC as `Z`.
fn canonical_time(value: &str) -> String {
    let day_end = value.find('T').unwrap_or(value.len());
    let zone_at = value[day_end..]
        .find(['Z', '+', '-'])
        .map_or(value.len(), |at| day_end + at);
    let (clock, zone) = value.split_at(zone_at);
    let clock = if clock.contains('.') {
        clock.trim_end_matches('0').trim_end_matches('.')
    } else {
        clock
    };
    let zone = if matches!(zone, "+00:00" | "-00:00") {
        "Z"
    } else {
        zone
    };
    format!("{clock}{zone}")
}

#[cfg(test)]
mod tests;
