//! What the Graph Store Protocol needs: a graph read, replaced, merged into, dropped. [`Graph::replace_graph`] parses
//! everything before it touches the graph, so that bad data destroys nothing.

use crate::{Error, Graph, Result};
use oxrdf::{GraphName, GraphNameRef, NamedNode, NamedOrBlankNodeRef, Quad};
use oxrdfio::{RdfFormat, RdfParser, RdfSerializer};
use std::io::{Read, Write};

/// A named graph and its size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphInfo {
    /// Its name.
    pub name: NamedNode,
    /// Triples in it.
    pub triples: u64,
}

impl Graph {
    /// All named graphs with their sizes. The first call after a write scans the store (seconds on millions of triples);
    /// later ones answer from what it counted.
    pub async fn graph_sizes(&self) -> Result<Vec<GraphInfo>> {
        self.blocking(|graph| {
            let generation = graph.generation();
            if let Some(sizes) = graph.counted(generation) {
                return Ok(sizes);
            }
            let mut sizes = Vec::new();
            for name in graph.named_graphs_now()? {
                let mut triples = 0;
                let of_graph = Some(GraphNameRef::from(name.as_ref()));
                for quad in graph.store().quads_for_pattern(None, None, None, of_graph) {
                    quad?;
                    triples += 1;
                }
                sizes.push(GraphInfo { name, triples });
            }
            graph.remember_counted(generation, &sizes);
            Ok(sizes)
        })
        .await
    }

    /// Whether a named graph exists (an empty one that was created counts).
    pub async fn graph_exists(&self, name: NamedNode) -> Result<bool> {
        self.blocking(move |graph| Ok(graph.store().contains_named_graph(&name)?))
            .await
    }

    /// Writes one graph (`None`: the default graph) in a triples format. Blocking; streams.
    pub fn dump_graph_now(
        &self,
        name: Option<&NamedNode>,
        format: RdfFormat,
        out: &mut dyn Write,
    ) -> Result<u64> {
        let graph: GraphNameRef<'_> = name.map_or(GraphNameRef::DefaultGraph, |name| {
            GraphNameRef::from(name.as_ref())
        });
        let mut writer = RdfSerializer::from_format(format).for_writer(out);
        let mut triples = 0;
        for quad in self.store().quads_for_pattern(None, None, None, Some(graph)) {
            writer.serialize_triple(&oxrdf::Triple::from(quad?))?;
            triples += 1;
        }
        writer.finish()?;
        Ok(triples)
    }

    /// Writes every quad of the store in a data-set format. Blocking; streams.
    pub fn dump_all_now(&self, format: RdfFormat, out: &mut dyn Write) -> Result<u64> {
        let mut writer = RdfSerializer::from_format(format).for_writer(out);
        let mut quads = 0;
        for quad in self.store() {
            writer.serialize_quad(&quad?)?;
            quads += 1;
        }
        writer.finish()?;
        Ok(quads)
    }

    /// Replaces a graph by the triples of `data` in one transaction. Blocking. Returns whether the graph existed before.
    pub fn replace_graph_now(
        &self,
        name: Option<&NamedNode>,
        format: RdfFormat,
        data: impl Read,
    ) -> Result<bool> {
        let quads = parse_into(name, format, data)?;
        self.write_graph(name, &quads, Existing::Clear)
    }

    /// Adds the triples of `data` to a graph in one transaction. Blocking. Returns whether the graph existed before.
    pub fn merge_graph_now(
        &self,
        name: Option<&NamedNode>,
        format: RdfFormat,
        data: impl Read,
    ) -> Result<bool> {
        let quads = parse_into(name, format, data)?;
        self.write_graph(name, &quads, Existing::Keep)
    }

    /// Adds all quads of `data` to the graphs they name. Blocking.
    pub fn merge_dataset_now(&self, format: RdfFormat, data: impl Read) -> Result<()> {
        let parser = RdfParser::from_format(format)
            .rename_blank_nodes()
            .for_reader(data);
        let quads = parser.collect::<Result<Vec<Quad>, _>>().map_err(Error::rdf)?;
        self.write_graph(None, &quads, Existing::Keep).map(drop)
    }

    /// Drops a named graph (`None`: empties the default graph). Returns whether it existed.
    pub async fn drop_graph(&self, name: Option<NamedNode>) -> Result<bool> {
        self.blocking(move |graph| {
            let _writer = graph.writer();
            if let Some(name) = name {
                let existed = graph.store().contains_named_graph(&name)?;
                graph.store().remove_named_graph(&name)?;
                Ok(existed)
            } else {
                graph.store().clear_graph(GraphNameRef::DefaultGraph)?;
                Ok(true)
            }
        })
        .await
    }

    fn write_graph(&self, name: Option<&NamedNode>, quads: &[Quad], existing: Existing) -> Result<bool> {
        let _writer = self.writer();
        let mut transaction = self.store().start_transaction()?;
        let existed = match name {
            Some(name) => transaction.contains_named_graph(name)?,
            None => true,
        };
        if existing == Existing::Clear {
            let graph: GraphNameRef<'_> = name.map_or(GraphNameRef::DefaultGraph, |name| {
                GraphNameRef::from(name.as_ref())
            });
            transaction.clear_graph(graph)?;
        }
        if let Some(name) = name {
            transaction.insert_named_graph(NamedOrBlankNodeRef::from(name.as_ref()));
        }
        transaction.extend(quads);
        transaction.commit().map_err(|error| self.storage_error(error))?;
        Ok(existed)
    }
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Existing {
    Clear,
    Keep,
}

fn parse_into(name: Option<&NamedNode>, format: RdfFormat, data: impl Read) -> Result<Vec<Quad>> {
    let target = name.map_or(GraphName::DefaultGraph, |name| GraphName::from(name.clone()));
    let mut quads = Vec::new();
    for quad in RdfParser::from_format(format)
        .rename_blank_nodes()
        .for_reader(data)
    {
        let quad = quad.map_err(Error::rdf)?;
        if !quad.graph_name.is_default_graph() {
            return Err(Error::NamedGraphsInGraph);
        }
        quads.push(Quad::new(
            quad.subject,
            quad.predicate,
            quad.object,
            target.clone(),
        ));
    }
    Ok(quads)
}

#[cfg(test)]
mod tests;
