//! `proscenium gate`: what is wrong with a gate file, which tools are accepted, and who approved what.

use std::path::{Path, PathBuf};

use super::arguments::GateVerb;
use super::failure::{EXIT_CONFIG, EXIT_NO_INPUT, EXIT_UNAVAILABLE, Failure};
use super::process::{environment, in_runtime, say};
use crate::adapters::gate_audit::audit_in;
use crate::adapters::sqlite::location;
use crate::app::listed_tools;
use crate::config::{Config, ConfigError, load_pins, save_pins};
use crate::domain::gate::{Change, GateConfig, Pins};

/// Looks at a gate file, or at what a gate has done.
pub(super) fn run(verb: GateVerb) -> Result<(), Failure> {
    match verb {
        GateVerb::Audit { data, config } => audit(data, config.as_deref()),
        GateVerb::Check { file } => match GateConfig::load(&file, environment()) {
            Ok(_) => say(b"the gate file is sound\n"),
            Err(error) => Err(to_failure(error)),
        },
        GateVerb::Pin { file, accept } => pin(&file, accept),
    }
}

/// Prints the audit as far as its rows follow one another.
fn audit(data: Option<PathBuf>, config: Option<&Path>) -> Result<(), Failure> {
    let mut config = Config::load(config, environment())?;
    config.keep_in(data, false);
    let folder = location(&config.store.data)?;
    let problem = audit_in(&folder, |row| say(format!("{row}\n").as_bytes()))?;
    match problem {
        None => Ok(()),
        Some(problem) => Err(Failure(
            EXIT_NO_INPUT,
            format!("the audit breaks: {problem}"),
        )),
    }
}

/// The failure of the verb: each problem is a line.
fn to_failure(error: ConfigError) -> Failure {
    match error {
        ConfigError::Invalid(problems) => Failure(EXIT_CONFIG, problems.join("\n")),
        error @ ConfigError::Unreadable { .. } => error.into(),
    }
}

/// Shows what has changed of the tools since they were accepted, and accepts them.
fn pin(file: &Path, accept: bool) -> Result<(), Failure> {
    let gate = GateConfig::load_unpinned(file, environment()).map_err(to_failure)?;
    let Some(path) = gate.pins_path(file) else {
        let file = file.display();
        let why = format!("{file}: pins: is missing; write pins: gate.pins.json");
        return Err(Failure(EXIT_CONFIG, why));
    };
    let accepted = load_pins(&path).map_err(to_failure)?;
    in_runtime(async {
        let listed = listed_tools(&gate).await.map_err(|(id, error)| {
            let why = format!("the source {id} gives no list of tools: {error}");
            Failure(EXIT_UNAVAILABLE, why)
        })?;
        let before = accepted.clone().unwrap_or_default();
        say(differences(&before, &listed).as_bytes())?;
        if !accept || accepted.as_ref() == Some(&listed) {
            return Ok(());
        }
        save_pins(&path, &listed).map_err(to_failure)?;
        say(format!("accepted in {}\n", path.display()).as_bytes())
    })
}

/// What has changed, for people: a line for each tool, and one for each member that differs.
fn differences(accepted: &Pins, listed: &Pins) -> String {
    let changes = accepted.changes(listed);
    if changes.is_empty() {
        return "every tool is as it was accepted\n".to_owned();
    }
    let mut text = String::new();
    for (source, tool, change) in changes {
        match change {
            Change::Added(now) => {
                let words = now.shown("description");
                text += &format!("new      {source}: {tool:?}\n         {words}\n");
            }
            Change::Changed {
                before,
                now,
                members,
            } => {
                text += &format!("changed  {source}: {tool:?}\n");
                for member in members {
                    let (before, now) = (before.shown(member), now.shown(member));
                    text += &format!("         {member}\n         - {before}\n         + {now}\n");
                }
            }
            Change::Removed => text += &format!("gone     {source}: {tool:?}\n"),
        }
    }
    text
}
