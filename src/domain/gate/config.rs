//! A gate that was checked: its sources and its rules.

use std::sync::Arc;

use super::rules::Rules;
use super::source::Source;

/// A gate that was checked.
#[derive(Clone)]
pub(crate) struct GateConfig {
    /// The sources in use, in the order of the file.
    pub(crate) sources: Vec<Arc<Source>>,
    /// What may be used of them.
    pub(crate) rules: Rules,
}
