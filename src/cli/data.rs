//! `proscenium data`: where the data lies, whether it is sound, and copies of it.

use std::path::{Path, PathBuf};

use super::arguments::DataVerb;
use super::failure::{EXIT_NO_INPUT, Failure};
use super::process::{environment, say};
use crate::adapters::sqlite::{backup, check, location, restore};
use crate::config::Config;

/// Works on the data of a folder.
pub(super) fn run(
    verb: DataVerb,
    data: Option<PathBuf>,
    config: Option<&Path>,
) -> Result<(), Failure> {
    let mut config = Config::load(config, environment())?;
    config.keep_in(data, false);
    let folder = location(&config.store.data)?;
    match verb {
        DataVerb::Path => say(format!("{}\n", folder.display()).as_bytes()),
        DataVerb::Check => {
            let report = check(&folder)?;
            let (sessions, records) = (report.sessions, report.records);
            if !report.problems.is_empty() {
                return Err(Failure(EXIT_NO_INPUT, report.problems.join("\n")));
            }
            say(format!("sound: {sessions} sessions, {records} records\n").as_bytes())
        }
        DataVerb::Backup { file } => {
            backup(&folder, &file)?;
            say(format!("{}\n", file.display()).as_bytes())
        }
        DataVerb::Restore { file } => {
            let replaced = restore(&folder, &file)?;
            let kept = replaced.map_or_else(String::new, |replaced| {
                format!("; what was there is in {}", replaced.display())
            });
            say(format!("restored into {}{kept}\n", folder.display()).as_bytes())
        }
    }
}
