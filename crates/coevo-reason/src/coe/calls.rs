//! The model's calls of Co-E: [`Caller`]. Each builds a prompt, asks for checked JSON and reads the reply. A malformed
//! reply becomes a note and the call's fallback; anything else that fails ends the run.

use super::prompts::{SYSTEM, render};
use super::replies::{self, Final, Relation, Request, Response};
use super::state::WorkingMemory;
use crate::{Error, Result};
use coevo_llm::{Call, ChatModel, Ledger, ReplySchema};
use minijinja::{Value as Values, context};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Temperature while exploring (the setting of `HydraRAG` §4); pruning and answering use 0.
const EXPLORING: f32 = 0.4;

/// Asks the model.
pub(crate) struct Caller<'a> {
    model: &'a ChatModel,
    ledger: &'a Ledger,
    notes: Mutex<Vec<String>>,
    /// Whether any reply was of use.
    replied: AtomicBool,
}

impl<'a> Caller<'a> {
    pub(crate) fn new(model: &'a ChatModel, ledger: &'a Ledger) -> Self {
        Self {
            model,
            ledger,
            notes: Mutex::default(),
            replied: AtomicBool::new(false),
        }
    }

    /// The last problem, when the model was asked and not one of its replies was of use: that is a failure, not an answer.
    pub(crate) fn only_malformed(&self) -> Option<String> {
        let replied = self.replied.load(Ordering::Relaxed);
        self.notes().pop().filter(|_| !replied)
    }

    /// What went wrong softly.
    pub(crate) fn notes(&self) -> Vec<String> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Is the question answered by the memory, and if not, what is to be found out?
    pub(crate) async fn request(
        &self,
        question: &str,
        memory: &WorkingMemory,
        last: &str,
    ) -> Result<Request> {
        let values = context! { question, last, memory => memory.lines() };
        let reply = self
            .ask("request", values, replies::request_schema(), EXPLORING, 200)
            .await?;
        Ok(reply.map(|reply| replies::request(&reply)).unwrap_or_default())
    }

    /// Search queries for what is needed; on a malformed reply the sub-questions themselves.
    pub(crate) async fn queries(
        &self,
        subquestions: &[String],
        memory: &WorkingMemory,
    ) -> Result<Vec<String>> {
        let lines: Vec<String> = memory.lines().into_iter().rev().take(6).collect();
        let values = context! { subquestions => subquestions.to_vec(), memory => lines };
        let reply = self
            .ask("queries", values, replies::queries_schema(), EXPLORING, 160)
            .await?;
        let queries = reply.map(|reply| replies::queries(&reply)).unwrap_or_default();
        Ok(if queries.is_empty() {
            subquestions.to_vec()
        } else {
            queries
        })
    }

    /// Which of the labelled sentences help. `None`: the reply was malformed.
    pub(crate) async fn extract(
        &self,
        question: &str,
        subquestions: &[String],
        sentences: &[(String, String)],
    ) -> Result<Option<Vec<String>>> {
        let values =
            context! { question, subquestions => subquestions.to_vec(), sentences => lines(sentences) };
        self.choose("extract", values, "keep", sentences, 4).await
    }

    /// Which of the labelled triples help. `None`: the reply was malformed.
    pub(crate) async fn prune(
        &self,
        question: &str,
        subquestions: &[String],
        triples: &[(String, String)],
    ) -> Result<Option<Vec<String>>> {
        let values = context! { question, subquestions => subquestions.to_vec(), triples => lines(triples) };
        self.choose("prune", values, "keep", triples, 4).await
    }

    /// An intermediate answer from the memory with its new evidence.
    pub(crate) async fn response(
        &self,
        question: &str,
        subquestions: &[String],
        memory: &WorkingMemory,
    ) -> Result<Response> {
        let evidence = memory.evidence_lines();
        if evidence.is_empty() {
            return Ok(Response::default());
        }
        let values = context! { question, subquestions => subquestions.to_vec(), evidence };
        let reply = self
            .ask("response", values, replies::response_schema(), 0.0, 200)
            .await?;
        Ok(reply.map(|reply| replies::response(&reply)).unwrap_or_default())
    }

    /// Ids of text items to take back; none on a malformed reply.
    pub(crate) async fn consolidate(&self, question: &str, memory: &WorkingMemory) -> Result<Vec<String>> {
        let ids: Vec<String> = memory.text.iter().map(|item| item.id.clone()).collect();
        let values = context! { question, memory => memory.lines() };
        let schema = replies::labels_schema("drop", &ids, ids.len());
        let reply = self.ask("consolidate", values, schema, 0.0, 120).await?;
        Ok(reply
            .map(|reply| replies::labels(&reply, "drop", &ids))
            .unwrap_or_default())
    }

    /// Relations that the labelled sentences state; none on a malformed reply.
    pub(crate) async fn relations(
        &self,
        question: &str,
        entities: &[String],
        sentences: &[(String, String)],
    ) -> Result<Vec<Relation>> {
        let labels: Vec<String> = sentences.iter().map(|(label, _)| label.clone()).collect();
        let values = context! { question, entities => entities.to_vec(), sentences => lines(sentences) };
        let reply = self
            .ask("relations", values, replies::relations_schema(&labels), 0.0, 600)
            .await?;
        Ok(reply.map(|reply| replies::relations(&reply)).unwrap_or_default())
    }

    /// The answer at the end. `None`: the reply was malformed.
    pub(crate) async fn conclude(
        &self,
        question: &str,
        last: &str,
        evidence: &[(String, String)],
    ) -> Result<Option<Final>> {
        let labels: Vec<String> = evidence.iter().map(|(label, _)| label.clone()).collect();
        let values = context! { question, last, evidence => lines(evidence) };
        let reply = self
            .ask("final", values, replies::final_schema(&labels), 0.0, 260)
            .await?;
        Ok(reply.map(|reply| replies::conclusion(&reply, &labels)))
    }

    async fn choose(
        &self,
        purpose: &'static str,
        values: Values,
        field: &str,
        offered: &[(String, String)],
        at_most: usize,
    ) -> Result<Option<Vec<String>>> {
        let labels: Vec<String> = offered.iter().map(|(label, _)| label.clone()).collect();
        let schema = replies::labels_schema(field, &labels, at_most);
        let reply = self.ask(purpose, values, schema, 0.0, 100).await?;
        Ok(reply.map(|reply| replies::labels(&reply, field, &labels)))
    }

    /// One checked call. `Ok(None)`: malformed even after the repair turn; a note says so.
    async fn ask(
        &self,
        purpose: &'static str,
        values: Values,
        schema: Value,
        temperature: f32,
        max_tokens: u32,
    ) -> Result<Option<Value>> {
        let call = Call {
            purpose,
            system: SYSTEM.to_owned(),
            user: render(purpose, values)?,
            temperature,
            max_tokens,
        };
        let schema = ReplySchema::new(purpose, schema)?;
        match self.model.json_as(&schema, &call, self.ledger).await {
            Ok(reply) => {
                self.replied.store(true, Ordering::Relaxed);
                Ok(Some(reply))
            }
            Err(error) if error.is_malformed_reply() => {
                self.notes
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(error.to_string());
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Whether the error says that a budget is spent.
pub(crate) fn is_budget(error: &Error) -> bool {
    matches!(error, Error::Model(coevo_llm::Error::BudgetSpent { .. }))
}

fn lines(labelled: &[(String, String)]) -> Vec<String> {
    labelled
        .iter()
        .map(|(label, text)| format!("{label} {text}"))
        .collect()
}
