//! `proscenium data`: where the data lies, whether it is sound, and copies of it.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::arguments::DataVerb;
use super::failure::{EXIT_NO_INPUT, Failure};
use super::process::{environment, say};
#[cfg(feature = "gate")]
use crate::adapters::gate_audit::{audit_files, is_audit_file};
use crate::adapters::sqlite::{Fresh, Restored, backup, check, location, restore};
#[cfg(feature = "gate")]
use crate::adapters::sqlite::{attach, detach};
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
            let damage = backup(&folder, &file, |copy| {
                pages::add_to(copy, &page_file)?;
                add_audit(copy, &folder)
            })?;
            warn(damage);
            say(format!("{}\n", file.display()).as_bytes())
        }
        DataVerb::Restore { file } => {
            let mut has_pages = false;
            let Restored { replaced, notes } = restore(&folder, &file, |copy| {
                let file = page_file.with_extension("restoring");
                has_pages = pages::take_from(copy, &file)?;
                let mut taken = take_audit(copy, &folder)?;
                if has_pages {
                    let (file, place) = (Some(file), page_file.clone());
                    taken.push(Fresh { file, place });
                }
                Ok::<_, Failure>(taken)
            })?;
            warn(notes);
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

/// Says on standard error what is not where it was expected.
fn warn(notes: impl IntoIterator<Item = String>) {
    for note in notes {
        // Nobody may read it.
        let _ = writeln!(io::stderr(), "proscenium: {note}");
    }
}

/// Adds the audit of approvals to a backup.
#[cfg(feature = "gate")]
fn add_audit(backup: &Path, folder: &Path) -> Result<(), Failure> {
    loop {
        let files = audit_files(folder)?;
        attach(backup, &files)?;
        // A server that goes on may have begun another file meanwhile.
        if audit_files(folder)? == files {
            return Ok(());
        }
    }
}

/// Takes the audit of approvals out of a copy of a backup, if there is one: it takes the place of all
/// that is there.
#[cfg(feature = "gate")]
fn take_audit(copy: &Path, folder: &Path) -> Result<Vec<Fresh>, Failure> {
    let place = |name: &str| is_audit_file(name).then(|| folder.join(name));
    let mut taken = detach(copy, place)?;
    if taken.is_empty() {
        return Ok(taken);
    }
    for place in audit_files(folder)? {
        if taken.iter().all(|fresh| fresh.place != place) {
            taken.push(Fresh { file: None, place });
        }
    }
    Ok(taken)
}

#[cfg(not(feature = "gate"))]
fn add_audit(_: &Path, _: &Path) -> Result<(), Failure> {
    Ok(())
}

#[cfg(not(feature = "gate"))]
fn take_audit(_: &Path, _: &Path) -> Result<Vec<Fresh>, Failure> {
    Ok(Vec::new())
}
