//! Answers, events and evidence in words for the terminal. Pure: values in, text out.

use crate::names::shorten;
use crate::output::Style;
use crate::results;
use crate::table::Table;
use coevo_reason::{Answer, Event, EvidenceItem, EvidenceKind, NumberedEvent, PathStep, UsageReport};
use coevo_server::wire;
use oxrdf::Literal;
use std::fmt::Write as _;

/// The whole answer: the words first, then what they stand on.
pub(crate) fn answer(answer: &Answer, style: Style) -> String {
    let body = &answer.answer;
    let mut text = format!("{}\n", style.bold(&clean(&body.text)));
    for item in &body.items {
        let iri = item
            .iri
            .as_deref()
            .map(|iri| format!("  {}", style.dim(&shorten(iri))))
            .unwrap_or_default();
        if item.iri.is_some() || item.text != body.text {
            let _ = writeln!(text, "  • {}{iri}", clean(&item.text));
        }
    }
    let _ = writeln!(text, "{}, supported by {}", body.state, body.verification);
    if !answer.evidence.is_empty() {
        let _ = writeln!(text, "\n{}", style.bold("Evidence"));
    }
    for (index, item) in answer.evidence.iter().enumerate() {
        text.push_str(&evidence(
            index + 1,
            item,
            body.citations.contains(&item.id),
            style,
        ));
    }
    if !answer.claims.is_empty() || answer.quarantined > 0 {
        let _ = writeln!(text, "\n{}", style.bold("Claims"));
        for claim in &answer.claims {
            let _ = writeln!(text, "  {claim}");
        }
        if answer.quarantined > 0 {
            let _ = writeln!(
                text,
                "  {} quarantined: not grounded in their quotation",
                answer.quarantined
            );
        }
        if let Some(first) = answer.claims.first() {
            let _ = writeln!(
                text,
                "  {}",
                style.dim(&format!("see one: coevo claims show {first}"))
            );
        }
    }
    let model = answer
        .model
        .as_deref()
        .map(|model| format!(" with {model}"))
        .unwrap_or_default();
    let _ = writeln!(text, "\n{}{model}, {}", answer.strategy, usage(&answer.usage));
    let _ = writeln!(text, "trace {}", answer.run);
    for note in &answer.notes {
        let _ = writeln!(text, "note: {}", clean(note));
    }
    text
}

/// One piece of evidence under its number; a star marks what the answer cites.
pub(crate) fn evidence(number: usize, item: &EvidenceItem, cited: bool, style: Style) -> String {
    let star = if cited { "*" } else { " " };
    let mut text = format!("{star}[{number}] ");
    match (&item.kind, &item.path) {
        (EvidenceKind::Path, Some(steps)) => text.push_str(&path(steps)),
        (EvidenceKind::Passage, _) => {
            let title = item.title.as_deref().unwrap_or("untitled");
            let _ = write!(text, "{}: “{}”", style.bold(&clean(title)), clean(&item.text));
        }
        _ => text.push_str(&clean(&item.text)),
    }
    let _ = write!(
        text,
        "\n      {}",
        style.dim(&format!("{}, relevance {:.2}", item.source, item.relevance))
    );
    for iri in [&item.passage, &item.claim].into_iter().flatten() {
        let _ = write!(text, "{}", style.dim(&format!(", {}", shorten(iri))));
    }
    text.push('\n');
    if let Some(sparql) = &item.sparql {
        text.push_str(&indent(sparql, 6));
    }
    text
}

/// `A —relation→ B ←relation— C`, qualifiers in brackets.
pub(crate) fn path(steps: &[PathStep]) -> String {
    let mut text = steps
        .first()
        .map(|step| name(&step.from_label, &step.from))
        .unwrap_or_default();
    for step in steps {
        let relation = name(&step.predicate_label, &step.predicate);
        let arrow = if step.direction == "backward" {
            format!("←{relation}—")
        } else {
            format!("—{relation}→")
        };
        let _ = write!(text, " {arrow} {}", name(&step.to_label, &step.to));
        if !step.qualifiers.is_empty() {
            let _ = write!(text, " ({})", clean(&step.qualifiers.join("; ")));
        }
    }
    text
}

/// A path as a server gives it.
pub(crate) fn wire_path(path: &wire::Path) -> String {
    let mut text = node(path.start_label.as_deref(), &path.start);
    for hop in &path.hops {
        let edge = &hop.edge;
        let relation = node(edge.predicate_label.as_deref(), &edge.predicate);
        let _ = match hop.direction.as_str() {
            "backward" => write!(
                text,
                " ←{relation}— {}",
                node(edge.subject_label.as_deref(), &edge.subject)
            ),
            _ => write!(
                text,
                " —{relation}→ {}",
                node(edge.object_label.as_deref(), &edge.object)
            ),
        };
        text.push_str(&qualifiers(edge));
    }
    text
}

/// Edges as a table, and what was cut below it.
pub(crate) fn edge_table(edges: &[wire::Edge], cut: &str) -> String {
    let mut table = Table::new(["subject", "relation", "object", "graph"]);
    for edge in edges {
        table.row([
            node(edge.subject_label.as_deref(), &edge.subject),
            node(edge.predicate_label.as_deref(), &edge.predicate),
            format!(
                "{}{}",
                node(edge.object_label.as_deref(), &edge.object),
                qualifiers(edge)
            ),
            edge.graph.clone(),
        ]);
    }
    let cut = if cut.is_empty() {
        String::new()
    } else {
        format!("cut: {cut}\n")
    };
    format!("{table}({} edges)\n{cut}", edges.len())
}

/// The triple of a claim in words.
pub(crate) fn claim_triple(claim: &wire::Claim) -> String {
    format!(
        "{} —{}→ {}",
        node(claim.subject_label.as_deref(), &claim.subject),
        node(claim.predicate_label.as_deref(), &claim.predicate),
        node(claim.object_label.as_deref(), &claim.object)
    )
}

fn qualifiers(edge: &wire::Edge) -> String {
    let qualifiers = edge
        .qualifiers
        .iter()
        .map(|(predicate, value)| format!("{}: {}", shorten(predicate), node(None, value)));
    let qualifiers: Vec<String> = qualifiers.collect();
    if qualifiers.is_empty() {
        String::new()
    } else {
        format!(" ({})", qualifiers.join("; "))
    }
}

/// A term with its label: `Douglas Adams (wd:Q42)`, the term alone where there is none.
fn node(label: Option<&str>, term: &str) -> String {
    let short = match term.parse::<Literal>() {
        Ok(literal) if term.starts_with('"') => results::term(&literal.into()),
        _ => shorten(term),
    };
    match label {
        Some(label) => format!("{} ({})", clean(label), clean(&short)),
        None => clean(&short),
    }
}

/// One event as a line; `None`: not worth one.
pub(crate) fn event(numbered: &NumberedEvent, style: Style) -> Option<String> {
    let words = match &numbered.event {
        Event::RunStarted { strategy, model, .. } => {
            let model = model
                .as_deref()
                .map(|model| format!(" with {model}"))
                .unwrap_or_default();
            format!("{strategy}{model}")
        }
        Event::StepStarted { kind, .. } => format!("▸ {kind}"),
        Event::Link {
            mention,
            candidates,
            chosen,
        } => {
            let of = |iri: &String| candidates.iter().find(|candidate| candidate.iri == *iri);
            match chosen {
                Some(iri) => match of(iri) {
                    Some(candidate) => {
                        format!(
                            "  {mention} → {} {} ({:.2})",
                            candidate.label,
                            shorten(iri),
                            candidate.score
                        )
                    }
                    None => format!("  {mention} → {}", shorten(iri)),
                },
                None => format!("  {mention}: not linked ({} candidates)", candidates.len()),
            }
        }
        Event::Analysis {
            subquestions, depth, ..
        } => {
            let depth = depth.map(|depth| format!(", depth {depth}")).unwrap_or_default();
            format!("  sub-questions: {}{depth}", subquestions.join(" | "))
        }
        Event::Sources { chosen, why, .. } => format!("  sources: {} ({why})", chosen.join(", ")),
        Event::Expand { source, found, cut } if cut.is_empty() => format!("  {source}: {found} found"),
        Event::Expand { source, found, cut } => format!("  {source}: {found} found, cut: {cut}"),
        Event::Evidence(item) => format!("  {} {}", item.id, item.text),
        Event::Prune { from, to, by } => format!("  {from} → {to} by {by}"),
        Event::Memory {
            added,
            merged,
            retracted,
            note,
        } => {
            format!("  memory: {added} added, {merged} merged, {retracted} taken back {note}")
        }
        Event::Answer(body) => format!("  answer: {}", body.text),
        Event::Usage(report) => format!("  {}", usage(report)),
        Event::StepEnded {
            outcome: coevo_reason::Outcome::Ok,
            ..
        }
        | Event::Token { .. } => return None,
        Event::StepEnded { outcome, reason, .. } | Event::RunEnded { outcome, reason } => {
            let outcome = serde_json::to_value(outcome).ok()?;
            let reason = reason
                .as_deref()
                .map(|reason| format!(": {reason}"))
                .unwrap_or_default();
            format!("  {}{reason}", outcome.as_str().unwrap_or("ended"))
        }
    };
    Some(format!(
        "{} {}\n",
        style.dim(&format!("{:6.1}", numbered.at)),
        clean(&words)
    ))
}

/// What it cost, in words.
pub(crate) fn usage(usage: &UsageReport) -> String {
    let cost = usage
        .cost
        .map(|cost| format!(", {cost:.4} in money"))
        .unwrap_or_default();
    format!(
        "{} model calls, {} tokens ({} read, {} written), {:.1} s{cost}",
        usage.calls,
        usage.prompt_tokens + usage.completion_tokens,
        usage.prompt_tokens,
        usage.completion_tokens,
        usage.seconds
    )
}

/// Text moved to the right.
pub(crate) fn indent(text: &str, columns: usize) -> String {
    let mut moved = String::new();
    for line in text.lines() {
        let _ = writeln!(moved, "{:columns$}{line}", "");
    }
    moved
}

/// A label, or the short IRI where there is none.
fn name(label: &str, iri: &str) -> String {
    if label.is_empty() {
        shorten(iri)
    } else {
        clean(label)
    }
}

/// Data must not steer a terminal.
pub(crate) fn clean(text: &str) -> String {
    text.chars()
        .map(|character| {
            if character.is_control() && character != '\n' {
                ' '
            } else {
                character
            }
        })
        .collect()
}

#[cfg(test)]
mod tests;
