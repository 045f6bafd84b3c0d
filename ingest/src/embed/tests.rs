//! Embedding by difference, over a double that remembers what it was given.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::cell::RefCell;
use std::collections::BTreeSet;

use coevo_graph::{Change, Graph, vocab};
use oxrdf::vocab::rdfs;
use oxrdf::{Literal, NamedNode, Quad};

use super::{BATCH, Passage, Vectors, embed_into};
use crate::error::{Error, Result};
use crate::report::Embedding;

/// Takes at most `room` passages, then fails as a killed run would.
struct Double {
    known: RefCell<BTreeSet<String>>,
    texts: RefCell<BTreeSet<String>>,
    room: usize,
}

impl Vectors for Double {
    fn missing(&self, iris: &[&str]) -> Result<Vec<usize>> {
        let known = self.known.borrow();
        Ok((0..iris.len()).filter(|&at| !known.contains(iris[at])).collect())
    }

    fn put(&self, group: &str, passages: Vec<Passage>) -> Result<()> {
        assert_eq!(group, "urn:coevo:docs:demo");
        if self.known.borrow().len() + passages.len() > self.room {
            return Err(Error::Stopped {
                name: "double".into(),
            });
        }
        for passage in passages {
            assert_eq!(passage.document, "urn:coevo:doc:a");
            assert!(self.known.borrow_mut().insert(passage.iri));
            self.texts.borrow_mut().insert(passage.text);
        }
        Ok(())
    }

    fn finish(&self) -> Result<()> {
        Ok(())
    }
}

fn double(room: usize) -> Double {
    Double {
        known: RefCell::default(),
        texts: RefCell::default(),
        room,
    }
}

fn with_passages(n: usize) -> (Graph, NamedNode) {
    let graph = Graph::in_memory().unwrap();
    let name = vocab::docs_graph("demo").unwrap();
    let document = NamedNode::new("urn:coevo:doc:a").unwrap();
    let mut insert = vec![Quad::new(
        document.clone(),
        rdfs::LABEL,
        Literal::from("Title"),
        name.clone(),
    )];
    for ordinal in 0..n {
        let passage = NamedNode::new(format!("urn:coevo:passage:a:{ordinal}")).unwrap();
        insert.push(Quad::new(
            passage.clone(),
            vocab::IN_DOCUMENT,
            document.clone(),
            name.clone(),
        ));
        insert.push(Quad::new(
            passage,
            vocab::TEXT,
            Literal::from(format!("Text {ordinal}")),
            name.clone(),
        ));
    }
    graph
        .apply_now(&Change {
            insert,
            ..Change::default()
        })
        .unwrap();
    (graph, name)
}

#[test]
fn only_what_is_missing_is_embedded_below_its_title() {
    let (graph, name) = with_passages(2);
    let vectors = double(10);
    vectors.known.borrow_mut().insert("urn:coevo:passage:a:0".into());
    let done = embed_into(&vectors, &graph, &name, &|_| ()).unwrap();
    assert_eq!(
        done,
        Embedding::Done {
            embedded: 1,
            present: 1
        }
    );
    assert_eq!(vectors.texts.borrow().first().unwrap(), "Title\nText 1");
}

#[test]
fn a_run_that_broke_off_is_taken_up() {
    let n = BATCH + 10;
    let (graph, name) = with_passages(n);
    let mut vectors = double(BATCH);
    assert!(matches!(
        embed_into(&vectors, &graph, &name, &|_| ()),
        Err(Error::Stopped { .. })
    ));
    assert_eq!(vectors.known.borrow().len(), BATCH);
    vectors.room = n;
    let done = embed_into(&vectors, &graph, &name, &|_| ()).unwrap();
    assert_eq!(
        done,
        Embedding::Done {
            embedded: 10,
            present: BATCH as u64
        }
    );
}
