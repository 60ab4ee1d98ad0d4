//! A session as services and doors work with it: its state, and what the hashes in it name.

use std::ops::Deref;
use std::sync::Arc;

use super::contract::CompiledContract;
use super::event::SessionState;
use super::summary::Summary;
use super::view::View;

/// A session that is open: all members of its state are read through it.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    /// What its events have come to.
    pub(crate) state: SessionState,
    /// What may go in and out.
    pub(crate) contract: Arc<CompiledContract>,
    /// How it looked at first.
    pub(crate) first_view: Arc<View>,
}

impl Session {
    /// How it looks.
    pub(crate) fn view(&self) -> &View {
        self.state.redrawn.as_ref().unwrap_or(&self.first_view)
    }

    /// What lists show of it.
    pub(crate) fn summary(&self) -> Summary {
        Summary::of(&self.state, self.contract.hash())
    }
}

impl Deref for Session {
    type Target = SessionState;

    fn deref(&self) -> &SessionState {
        &self.state
    }
}
