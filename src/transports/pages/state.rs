//! What the pages use.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use axum::extract::FromRef;
use tokio_util::sync::CancellationToken;

#[cfg(feature = "demo")]
use super::offer::Offer;
use super::slices::Slices;
use crate::domain::clock::Ids;
use crate::services::live::Live;
use crate::transports::http::Site;
use crate::transports::request::Access;

/// What the stage and the page of one render use.
pub(crate) struct Stage {
    pub(crate) access: Access,
    pub(crate) live: Arc<Live>,
    pub(crate) slices: Arc<Slices>,
    pub(crate) site: Site,
    pub(crate) ids: Arc<dyn Ids>,
    /// How many look at the stage.
    pub(crate) watching: Arc<AtomicUsize>,
    /// Whether a model draws views.
    pub(crate) has_model: bool,
    /// Whether calls of agents pass a gate.
    pub(crate) has_gate: bool,
    /// Cancelled when the shutdown begins.
    pub(crate) drain: CancellationToken,
    #[cfg(feature = "demo")]
    pub(crate) offer: Offer,
}

impl FromRef<Arc<Stage>> for Access {
    fn from_ref(stage: &Arc<Stage>) -> Self {
        stage.access.clone()
    }
}
