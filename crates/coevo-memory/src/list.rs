//! Reading claims: [`Memory::claims_about`] for answering, [`Memory::list`] and [`Memory::show`] for curating.

use crate::memory::Inner;
use crate::read::Node;
use crate::{Claim, ClaimDetail, DecisionRecord, Error, Memory, Result, RunDetail, Status, names};
use coevo_graph::{DefaultDataset, QueryOptions, vocab};
use oxrdf::{GraphName, NamedNode, NamedNodeRef, NamedOrBlankNode, Quad, Term, Variable};
use std::collections::HashSet;

/// Live triples read for one entity, direction and graph before ranking.
const TRIPLES_OF_AN_ENTITY: usize = 1_000;
/// Entities that one call asks about.
const ENTITIES: usize = 1_000;
/// Claims on one page.
const PAGE: usize = 1_000;
/// Claims that a listing counts; beyond, the total is a lower bound.
const COUNTED: u64 = 100_000;
/// Decisions and answers shown of one claim.
const SHOWN: usize = 1_000;

const LIST: &str = include_str!("../../../sparql/claims-list.rq");
const OF_RUN: &str = include_str!("../../../sparql/claims-of-run.rq");
const ABOUT: &str = include_str!("../../../sparql/claims-about.rq");
const ABOUT_OF_RUN: &str = include_str!("../../../sparql/claims-about-of-run.rq");

/// Which claims are listed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClaimFilter {
    /// Only of this status.
    pub status: Option<Status>,
    /// Only with evidence from this run.
    pub run: Option<NamedNode>,
    /// Only with this entity as subject or object.
    pub about: Option<NamedNode>,
    /// Claims on the page; 0 means 50, at most 1,000.
    pub limit: usize,
    /// Claims skipped.
    pub offset: usize,
}

/// One page of claims, the most confident first, then by identifier.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimPage {
    /// The claims.
    pub claims: Vec<Claim>,
    /// Claims that match the filter.
    pub total: u64,
    /// Whether there are more than were counted (100,000).
    pub is_total_capped: bool,
}

impl Memory {
    /// Live claims (accepted or proposed) with one of the entities as subject or object: accepted ones first, then by
    /// confidence, at most `limit`. Of an entity with more than 1,000 live triples one way, the first 1,000 are ranked.
    pub async fn claims_about(&self, entities: &[NamedNode], limit: usize) -> Result<Vec<Claim>> {
        if entities.len() > ENTITIES {
            return Err(Error::TooMany {
                what: "entities",
                n: entities.len(),
                limit: ENTITIES,
            });
        }
        let entities = entities.to_vec();
        self.blocking(move |memory| memory.claims_about(&entities, limit))
            .await
    }

    /// A page of claims.
    pub async fn list(&self, filter: &ClaimFilter) -> Result<ClaimPage> {
        let template = match (&filter.about, &filter.run) {
            (None, None) => LIST,
            (None, Some(_)) => OF_RUN,
            (Some(_), None) => ABOUT,
            (Some(_), Some(_)) => ABOUT_OF_RUN,
        };
        let claims = Term::from(vocab::claims_graph(self.space())?);
        let mut bindings = vec![(variable("graph"), claims)];
        if let Some(status) = filter.status {
            bindings.push((variable("status"), status.term().into_owned().into()));
        }
        if let Some(run) = &filter.run {
            bindings.push((variable("run"), run.clone().into()));
        }
        if let Some(about) = &filter.about {
            bindings.push((variable("about"), about.clone().into()));
        }
        let options = QueryOptions {
            dataset: DefaultDataset::Strict,
            bindings,
            max_rows: Some(COUNTED),
            ..QueryOptions::default()
        };
        let rows = self.graph().select(template, &options).await?;
        let limit = if filter.limit == 0 {
            50
        } else {
            filter.limit.min(PAGE)
        };
        let page: Vec<NamedNode> = (filter.offset..rows.rows.len().min(filter.offset.saturating_add(limit)))
            .filter_map(|row| match rows.get(row, "claim") {
                Some(Term::NamedNode(claim)) => Some(claim.clone()),
                _ => None,
            })
            .collect();
        let claims = self
            .blocking(move |memory| {
                // A claim that went away since the query is left out.
                page.iter()
                    .filter_map(|iri| Claim::read(&memory.graph, iri, &memory.claims).transpose())
                    .collect()
            })
            .await?;
        Ok(ClaimPage {
            claims,
            total: rows.rows.len() as u64,
            is_total_capped: rows.capped,
        })
    }

    /// A claim with its runs, its decisions and the answers that stand on it. `None`: there is no such claim.
    pub async fn show(&self, claim: &NamedNode) -> Result<Option<ClaimDetail>> {
        let claim = claim.clone();
        self.blocking(move |memory| memory.show(&claim)).await
    }
}

impl Inner {
    fn claims_about(&self, entities: &[NamedNode], limit: usize) -> Result<Vec<Claim>> {
        let mut found = HashSet::new();
        let mut claims = Vec::new();
        for entity in entities {
            let subject = NamedOrBlankNode::from(entity.clone());
            let object = Term::from(entity.clone());
            for name in [&self.accepted, &self.proposed] {
                let out = self
                    .graph
                    .quads_now(Some(&subject), None, None, Some(name))
                    .take(TRIPLES_OF_AN_ENTITY);
                let into = self
                    .graph
                    .quads_now(None, None, Some(&object), Some(name))
                    .take(TRIPLES_OF_AN_ENTITY);
                for quad in out.chain(into) {
                    let Some(iri) = self.claim_of(&quad?) else {
                        continue;
                    };
                    if !found.insert(iri.clone()) {
                        continue;
                    }
                    // A triple that another writer put there has no claim, and is none.
                    claims.extend(
                        Claim::read(&self.graph, &iri, &self.claims)?.filter(|claim| claim.status.is_live()),
                    );
                }
            }
        }
        let rank = |claim: &Claim| (claim.status != Status::Accepted, -claim.confidence);
        claims.sort_by(|left, right| {
            let (left_rank, right_rank) = (rank(left), rank(right));
            left_rank
                .0
                .cmp(&right_rank.0)
                .then(left_rank.1.total_cmp(&right_rank.1))
                .then(left.iri.cmp(&right.iri))
        });
        claims.truncate(limit);
        Ok(claims)
    }

    /// The claim that a live triple must belong to.
    pub(crate) fn claim_of(&self, quad: &Quad) -> Option<NamedNode> {
        match &quad.subject {
            NamedOrBlankNode::NamedNode(subject) => Some(names::claim_iri(
                &self.space,
                subject,
                &quad.predicate,
                &quad.object,
            )),
            NamedOrBlankNode::BlankNode(_) => None,
        }
    }

    fn show(&self, iri: &NamedNode) -> Result<Option<ClaimDetail>> {
        let Some(claim) = Claim::read(&self.graph, iri, &self.claims)? else {
            return Ok(None);
        };
        let mut run_iris: Vec<NamedNode> = claim
            .evidence
            .iter()
            .map(|evidence| evidence.run.clone())
            .collect();
        run_iris.sort();
        run_iris.dedup();
        let runs = run_iris
            .iter()
            .map(|run| RunDetail::read(&self.graph, run, &self.claims, &self.answers))
            .collect::<Result<_>>()?;
        let mut decisions = Vec::new();
        for decision in self.subjects(vocab::ABOUT, iri, &self.claims)? {
            if let Some(node) =
                Node::read(&self.graph, &decision, &self.claims)?.filter(|node| node.is_a(vocab::DECISION))
            {
                decisions.push(DecisionRecord::from_node(&node)?);
            }
        }
        decisions.sort_by_key(|decision| decision.to_revision);
        let mut answers = self.subjects(vocab::STANDS_ON, iri, &self.answers)?;
        answers.sort();
        Ok(Some(ClaimDetail {
            claim,
            runs,
            decisions,
            answers,
        }))
    }

    /// At most [`SHOWN`] nodes that point at `object`.
    fn subjects(
        &self,
        predicate: NamedNodeRef<'_>,
        object: &NamedNode,
        name: &GraphName,
    ) -> Result<Vec<NamedNode>> {
        let object = Term::from(object.clone());
        let predicate = predicate.into_owned();
        let mut subjects = Vec::new();
        for quad in self
            .graph
            .quads_now(None, Some(&predicate), Some(&object), Some(name))
            .take(SHOWN)
        {
            if let NamedOrBlankNode::NamedNode(subject) = quad?.subject {
                subjects.push(subject);
            }
        }
        Ok(subjects)
    }
}

fn variable(name: &str) -> Variable {
    Variable::new_unchecked(name)
}

#[cfg(test)]
mod tests;
