//! `proscenium data`: where the data lies, whether it is sound, and copies of it.

use std::path::{Path, PathBuf};

use super::arguments::DataVerb;
use super::failure::{EXIT_NO_INPUT, Failure};
use super::process::{environment, say};
use crate::adapters::sqlite::{Fresh, backup, check, location, restore};
use crate::adapters::sqlite_pages as pages;
use crate::config::Config;

/// Works on the data of a folder, and on the pages, wherever they lie.
pub(super) fn run(
    verb: DataVerb,
    data: Option<PathBuf>,
    config: Option<&Path>,
) -> Result<(), Failure> {
    let mut config = Config::load(config, environment())?;
    config.keep_in(data, false);
    let folder = location(&config.store.data)?;
    let page_file = pages::location(&config.brain.path, Some(&folder)).unwrap_or_default();
    match verb {
        DataVerb::Path => say(format!("{}\n", folder.display()).as_bytes()),
        DataVerb::Check => {
            let (report, of_pages) = (check(&folder)?, pages::check(&page_file)?);
            let problems = [report.problems, of_pages.problems].concat();
            if !problems.is_empty() {
                return Err(Failure(EXIT_NO_INPUT, problems.join("\n")));
            }
            let (sessions, records, pages) = (report.sessions, report.records, of_pages.pages);
            let sound = format!("sound: {sessions} sessions, {records} records, {pages} pages\n");
            say(sound.as_bytes())
        }
        DataVerb::Backup { file } => {
            backup(&folder, &file, |copy| {
                pages::add_to(copy, &page_file).map_err(Failure::from)
            })?;
            say(format!("{}\n", file.display()).as_bytes())
        }
        DataVerb::Restore { file } => {
            let mut has_pages = false;
            let replaced = restore(&folder, &file, |copy| {
                let fresh = Fresh {
                    file: page_file.with_extension("restoring"),
                    place: page_file.clone(),
                };
                has_pages = pages::take_from(copy, &fresh.file)?;
                Ok::<_, Failure>(has_pages.then_some(fresh))
            })?;
            let mut done = format!("restored into {}", folder.display());
            for replaced in replaced {
                done.push_str(&format!("; what was there is in {}", replaced.display()));
            }
            if !has_pages {
                done.push_str("; the backup has no page store, and pages stay as they are");
            }
            say(format!("{done}\n").as_bytes())
        }
    }
}
