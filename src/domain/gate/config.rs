//! A gate that was checked: its sources and its rules.

use std::path::PathBuf;
use std::sync::Arc;

use super::pins::Pins;
use super::rules::Rules;
use super::source::Source;
use crate::wire::ids::AppId;

/// A gate that was checked.
#[derive(Clone)]
pub(crate) struct GateConfig {
    /// The sources in use, in the order of the file.
    pub(crate) sources: Vec<Arc<Source>>,
    /// What may be used of them.
    pub(crate) rules: Rules,
    /// Whether callers find tools by words instead of having them all listed.
    pub(crate) search: bool,
    /// The files of the policies, as they are named beside the gate file.
    pub(crate) policy_files: Vec<String>,
    /// The file of the tools that were accepted, as it is named beside the gate file.
    pub(crate) pins_file: Option<String>,
    /// The app on whose stage people are asked about tools that are not what was accepted.
    pub(crate) pins_app: AppId,
    /// The tools that were accepted; none where every tool is used as it is.
    pub(crate) accepted: Option<AcceptedTools>,
}

/// The tools that were accepted.
#[derive(Clone)]
pub(crate) struct AcceptedTools {
    /// Where they stand.
    pub(crate) file: PathBuf,
    /// What stands there.
    pub(crate) pins: Pins,
}
