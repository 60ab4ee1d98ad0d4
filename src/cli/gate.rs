//! `proscenium gate`: what is wrong with a gate file.

use super::arguments::GateVerb;
use super::failure::{EXIT_CONFIG, Failure};
use super::process::{environment, say};
use crate::config::ConfigError;
use crate::domain::gate::GateConfig;

/// Looks at a gate file.
pub(super) fn run(verb: &GateVerb) -> Result<(), Failure> {
    let GateVerb::Check { file } = verb;
    match GateConfig::load(file, environment()) {
        Ok(_) => say(b"the gate file is sound\n"),
        Err(error @ ConfigError::Unreadable { .. }) => Err(error.into()),
        Err(ConfigError::Invalid(problems)) => Err(Failure(EXIT_CONFIG, problems.join("\n"))),
    }
}
