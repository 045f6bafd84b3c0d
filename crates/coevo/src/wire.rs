//! Stand-in until the server's `wire` module is there.
#![allow(missing_docs)]
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Candidate { pub iri: String, pub label: String, pub matched: String, pub exact: bool, pub score: f32, pub popularity: u32 }
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Mention { pub start: usize, pub end: usize, pub text: String, pub candidates: Vec<Candidate> }
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LinkResponse { pub mentions: Vec<Mention> }
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PassageHit { pub iri: String, pub document: String, pub title: String, pub text: String, pub score: f32, pub collection: String }
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SearchResponse { pub hits: Vec<PassageHit> }
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Edge { pub subject: String, pub subject_label: Option<String>, pub predicate: String, pub predicate_label: Option<String>, pub object: String, pub object_label: Option<String>, pub graph: String, pub statement: Option<String>, pub qualifiers: Vec<(String, String)> }
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct KhopResponse { pub edges: Vec<Edge>, pub cut: String }
