//! Opening a data directory: [`Opened`], the parts in their order, and [`Opened::engine`], the parts put together.

use crate::failure::{Failure, Result};
use crate::settings::Settings;
use coevo_graph::{Graph, LabelIndex, Location};
use coevo_llm::ChatModel;
use coevo_memory::Memory;
use coevo_reason::{Engine, EngineParts, EngineSettings};
use coevo_vectors::{Embedder, VectorIndex};
use std::path::Path;
use std::sync::Arc;

/// Name of the collection of vectors that holds the passages of all document collections.
const PASSAGES: &str = "passages";

/// What happens where there is no data directory yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    /// It is made.
    Create,
    /// That is an error.
    Refuse,
}

/// Whether a command searches by meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The embedder is loaded when its files are there, and a note says when they are not.
    Wanted,
    /// The same without a note.
    WantedQuietly,
    /// It is not loaded.
    NotNeeded,
}

/// An open data directory.
pub(crate) struct Opened {
    pub(crate) location: Location,
    pub(crate) graph: Graph,
    pub(crate) labels: Arc<LabelIndex>,
    pub(crate) embedder: Option<Embedder>,
    pub(crate) passages: Option<Arc<VectorIndex>>,
    /// What a person should know about it.
    pub(crate) notes: Vec<String>,
}

impl Opened {
    /// Locks and opens a directory. `purpose` is what another process is told about this one. Blocking, for as long as
    /// it takes to load the embedder (about a second) and the store.
    pub(crate) fn open(
        dir: &Path,
        purpose: &str,
        missing: Missing,
        meaning: Meaning,
        settings: &Settings,
    ) -> Result<Self> {
        if missing == Missing::Create {
            Location::init(dir)?;
        }
        let location = Location::open(dir, purpose)?;
        let graph = Graph::open(&location)?;
        let labels = Arc::new(LabelIndex::open(&location.labels_dir())?);
        let mut notes = Vec::new();
        let embedder = match meaning {
            Meaning::Wanted => load_embedder(settings, &mut notes)?,
            Meaning::WantedQuietly => load_embedder(settings, &mut Vec::new())?,
            Meaning::NotNeeded => None,
        };
        let passages = match &embedder {
            Some(embedder) => Some(Arc::new(VectorIndex::open(
                &location.vectors_dir(),
                PASSAGES,
                embedder.identity(),
            )?)),
            None => None,
        };
        Ok(Self {
            location,
            graph,
            labels,
            embedder,
            passages,
            notes,
        })
    }

    /// Puts the parts together. `no_model_note` says why there is no model, when there is none. The location must stay
    /// alive as long as the engine.
    pub(crate) fn engine(
        self,
        model: Option<ChatModel>,
        no_model_note: Option<String>,
        settings: &Settings,
    ) -> Result<(Location, Engine)> {
        let defaults = EngineSettings::default();
        let parts = EngineParts {
            memory: Memory::new(self.graph.clone(), &settings.space)?,
            traces_dir: self.location.traces_dir(),
            settings: EngineSettings {
                languages: settings.languages.clone(),
                no_model_note: no_model_note.unwrap_or(defaults.no_model_note),
            },
            graph: self.graph,
            labels: self.labels,
            embedder: self.embedder,
            passages: self.passages,
            model,
        };
        Ok((self.location, Engine::new(parts)))
    }
}

fn load_embedder(settings: &Settings, notes: &mut Vec<String>) -> Result<Option<Embedder>> {
    let section = &settings.embedder;
    if !section.enabled {
        notes.push("embedder.enabled is false: passages are not searched by meaning".to_owned());
        return Ok(None);
    }
    if !section.dir.join("model.safetensors").is_file() {
        notes.push(format!(
            "there is no embedder in {}: passages are not searched by meaning (remedy: scripts/fetch-models.sh embedder)",
            section.dir.display()
        ));
        return Ok(None);
    }
    Embedder::load(&section.dir).map(Some).map_err(Failure::from)
}
