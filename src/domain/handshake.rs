//! A handshake: a contract that was agreed on and may be rendered once (tools.md §3.5).

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::blueprint::{Blueprint, OpenBlueprint};
use super::clock::Time;
use super::contract::CompiledContract;
use super::document::DocumentHash;
use super::view::View;
use crate::wire::ids::{AppId, HandshakeId};
use crate::wire::tools::Variance;

/// What is to draw a view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Artist {
    /// The composer, at once; then a model, where there is one.
    #[default]
    Any,
    /// The composer alone.
    Composer,
    /// A model, and nothing is shown before it has.
    Model,
}

impl Artist {
    /// The names of those that a draft may ask for, and what each stands for.
    pub(crate) const NAMED: [(&str, Self); 3] = [
        ("composer", Self::Composer),
        ("model", Self::Any),
        ("required", Self::Model),
    ];

    fn is_any(&self) -> bool {
        *self == Self::Any
    }
}

/// What is remembered between `ggui_handshake` and `ggui_render`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Handshake {
    /// Whose.
    pub(crate) app: AppId,
    /// Who in it.
    pub(crate) owner: Arc<str>,
    pub(crate) id: HandshakeId,
    /// What the UI is for.
    pub(crate) intent: Arc<str>,
    /// What was agreed on: the contract of this hash.
    pub(crate) contract: DocumentHash,
    /// How it looks, where the agent has drawn it: the view of this hash.
    pub(crate) view: Option<DocumentHash>,
    /// How it should feel.
    pub(crate) variance: Variance,
    /// What will be shown again, where the same was agreed on before.
    pub(crate) matched: Option<Arc<Blueprint>>,
    /// Whether the agent wants a new one all the same.
    pub(crate) force_create: bool,
    /// What is to draw the view.
    #[serde(default, skip_serializing_if = "Artist::is_any")]
    pub(crate) artist: Artist,
    /// Whether only a part of the draft was used.
    pub(crate) is_amended: bool,
    /// When it was agreed on.
    pub(crate) created_at: Time,
    /// When it is gone.
    pub(crate) expires_at: Time,
}

impl Handshake {
    /// Whether it can still be rendered; judged at the moment of reading, never by the sweeper.
    pub(crate) fn is_live(&self, now: Time) -> bool {
        now < self.expires_at
    }
}

/// A handshake and what the hashes in it name.
#[derive(Clone, Debug)]
pub(crate) struct OpenHandshake {
    /// What is stored of it.
    pub(crate) handshake: Arc<Handshake>,
    /// What was agreed on.
    pub(crate) contract: Arc<CompiledContract>,
    /// How it looks, where the agent has drawn it.
    pub(crate) view: Option<Arc<View>>,
    /// What will be shown again, where the same was agreed on before.
    pub(crate) matched: Option<Arc<OpenBlueprint>>,
}

impl Deref for OpenHandshake {
    type Target = Handshake;

    fn deref(&self) -> &Handshake {
        &self.handshake
    }
}
