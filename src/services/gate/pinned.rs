//! The tools that were accepted, as the gate has them now.

use std::path::PathBuf;

use parking_lot::RwLock;
use serde_json::{Map, Value};

use crate::domain::gate::{Definition, GateConfig, Pins, ToolChange};
use crate::wire::ids::AppId;

/// The tools that were accepted, where they stand, and who is asked about others.
pub(super) struct Pinned {
    pub(super) file: PathBuf,
    /// The app on whose stage people are asked.
    pub(super) app: AppId,
    pins: RwLock<Pins>,
}

impl Pinned {
    /// Those of a gate, where tools have to be accepted.
    pub(super) fn of(config: &GateConfig) -> Option<Self> {
        let accepted = config.accepted.as_ref()?;
        Some(Self {
            file: accepted.file.clone(),
            app: config.pins_app.clone(),
            pins: RwLock::new(accepted.pins.clone()),
        })
    }

    /// Whether a tool is what was accepted of its source under its name.
    pub(super) fn accept(
        &self,
        source: &str,
        server: Option<&str>,
        tool: &Map<String, Value>,
    ) -> bool {
        self.pins.read().accept(source, server, tool)
    }

    /// What a person has to decide about a tool.
    pub(super) fn change(
        &self,
        source: &str,
        now: Definition,
        is_listed: impl Fn(&str) -> bool,
    ) -> Option<ToolChange> {
        self.pins.read().change(source, now, is_listed)
    }

    /// Remembers that a person has refused a change.
    pub(super) fn refuse(&self, change: &ToolChange) {
        self.pins.write().refuse(change);
    }

    /// Takes over what stands in the file, and says whether somebody has decided on a change.
    pub(super) fn take_over(&self, pins: Pins, change: &ToolChange) -> bool {
        let settles = pins.settles(change);
        *self.pins.write() = pins;
        settles
    }
}
