//! Files of the data folder that a backup holds beside the database.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::folder::private;
use super::log_damage::beside;
use super::open_error::OpenError;
use super::upkeep::Fresh;

/// Bytes of one row: few rows for a large file, and little memory for each.
const PART_BYTES: u64 = 1024 * 1024;

/// Adds files to a backup, which is a database of its own, in the place of those that were added
/// before.
pub(crate) fn attach(backup: &Path, files: &[PathBuf]) -> Result<(), OpenError> {
    let failed = |error| OpenError::of_database(backup, &error);
    let mut target = Connection::open(backup).map_err(failed)?;
    let transaction = target.transaction().map_err(failed)?;
    let table = "DROP TABLE IF EXISTS attached_files;
                 CREATE TABLE attached_files (
                     name TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL,
                     PRIMARY KEY (name, part)
                 ) STRICT";
    transaction.execute_batch(table).map_err(failed)?;
    for file in files {
        let Some(name) = file.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let mut bytes = File::open(file).map_err(OpenError::of_system(file))?;
        for part in 0_i64.. {
            let mut read = Vec::new();
            let count = (&mut bytes).take(PART_BYTES).read_to_end(&mut read);
            if count.map_err(OpenError::of_system(file))? == 0 && part > 0 {
                break;
            }
            let insert = "INSERT INTO attached_files (name, part, bytes) VALUES (?1, ?2, ?3)";
            let inserted = transaction.execute(insert, (name, part, read));
            inserted.map_err(failed)?;
        }
    }
    transaction.commit().map_err(failed)
}

/// Takes the files out of a copy of a backup, each into a file beside the place where it belongs.
/// What has no place is left out.
pub(crate) fn detach(
    copy: &Path,
    place: impl Fn(&str) -> Option<PathBuf>,
) -> Result<Vec<Fresh>, OpenError> {
    let failed = |error| OpenError::of_database(copy, &error);
    let connection = Connection::open(copy).map_err(failed)?;
    let has_files = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'attached_files'";
    let has_files = connection
        .prepare(has_files)
        .and_then(|mut has| has.exists([]));
    if !has_files.map_err(failed)? {
        return Ok(Vec::new());
    }
    let mut taken: Vec<Fresh> = Vec::new();
    let mut take = || -> Result<(), OpenError> {
        let parts = "SELECT name, part, bytes FROM attached_files ORDER BY name, part";
        let mut parts = connection.prepare(parts).map_err(failed)?;
        let mut rows = parts.query([]).map_err(failed)?;
        let mut open: Option<(PathBuf, File)> = None;
        while let Some(row) = rows.next().map_err(failed)? {
            let name: String = row.get(0).map_err(failed)?;
            let part: i64 = row.get(1).map_err(failed)?;
            let bytes: Vec<u8> = row.get(2).map_err(failed)?;
            if part == 0 {
                open = None;
                if let Some(place) = place(&name) {
                    let file = beside(&place, ".restoring");
                    let written = private(&file).map_err(OpenError::of_system(&file))?;
                    written.set_len(0).map_err(OpenError::of_system(&file))?;
                    open = Some((file.clone(), written));
                    let file = Some(file);
                    taken.push(Fresh { file, place });
                }
            }
            if let Some((path, file)) = &mut open {
                let written = file.write_all(&bytes).and_then(|()| file.sync_all());
                written.map_err(OpenError::of_system(path))?;
            }
        }
        Ok(())
    };
    if let Err(error) = take() {
        // Half of them are none.
        for file in taken.into_iter().filter_map(|fresh| fresh.file) {
            let _ = fs::remove_file(file);
        }
        return Err(error);
    }
    let without = "DROP TABLE attached_files; VACUUM;";
    connection.execute_batch(without).map_err(failed)?;
    Ok(taken)
}
