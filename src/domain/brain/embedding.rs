//! Settings of what turns pages into vectors.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::model_settings::{Provider, is_safe};
use super::embedder::Likeness;

/// What turns pages into vectors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EmbedderKind {
    /// Hashed words and parts of words: what is spelled alike is near, and there is nothing to load.
    #[default]
    Hashed,
    /// A table of vectors of word pieces.
    Table,
    /// An interface of embeddings.
    Http,
}

/// What turns pages into vectors, and where it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EmbedderSettings<'a> {
    pub(crate) kind: EmbedderKind,
    /// The folder of a table.
    pub(crate) path: &'a PathBuf,
    /// The address of an interface; empty: OpenAI's.
    pub(crate) url: &'a str,
    /// The model of an interface.
    pub(crate) model: &'a str,
    /// The file of the key of an interface.
    #[cfg_attr(
        not(feature = "model"),
        expect(dead_code, reason = "without interfaces there is no key")
    )]
    pub(crate) key_file: &'a PathBuf,
    /// How alike a page has to be that shares no word; 0: what suits the embedder.
    pub(crate) cosine_min: f64,
}

impl EmbedderSettings<'_> {
    /// What the likeness of vectors is worth, of which an embedder says this.
    pub(crate) fn likeness(&self, of_embedder: Likeness) -> Likeness {
        match self.cosine_min {
            0.0 => of_embedder,
            cosine_min => Likeness {
                cosine_min,
                ..of_embedder
            },
        }
    }

    /// The address of the interface.
    pub(crate) fn base(&self) -> &str {
        let base = match self.url {
            "" => Provider::OpenAi.url(),
            url => url,
        };
        base.trim_end_matches('/')
    }

    /// Every problem of the settings.
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if !(0.0..=1.0).contains(&self.cosine_min) {
            let given = self.cosine_min;
            problems.push(format!(
                "brain.embedder_cosine_min: {given} is not from 0 to 1"
            ));
        }
        match self.kind {
            EmbedderKind::Hashed => {}
            EmbedderKind::Table => {
                if self.path.as_os_str().is_empty() {
                    problems.push(
                        "brain.embedder_path: is needed with brain.embedder = \"table\"".to_owned(),
                    );
                }
            }
            EmbedderKind::Http => {
                if cfg!(not(feature = "model")) {
                    problems
                        .push("brain.embedder: this program was built without model".to_owned());
                }
                if self.model.trim().is_empty() {
                    problems.push(
                        "brain.embedder_model: is needed with brain.embedder = \"http\"".to_owned(),
                    );
                }
                if !is_safe(self.base()) {
                    problems.push(format!(
                        "brain.embedder_url: \"{}\" is neither https nor on this machine",
                        self.url
                    ));
                }
            }
        }
        problems
    }
}
