//! Copies of a database: readable by this user only, on the disk as a whole, and under their name only
//! then.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use super::folder::private;
use super::open_error::OpenError;

/// Writes all that is committed at this moment into a file of its own, and onto the disk.
pub(super) fn write_copy(connection: &Connection, copy: &Path) -> Result<(), OpenError> {
    let write = || -> Result<(), OpenError> {
        let file = private(copy).map_err(OpenError::of_system(copy))?;
        file.set_len(0).map_err(OpenError::of_system(copy))?;
        connection
            .execute("VACUUM INTO ?1", [copy.to_string_lossy()])
            .map_err(|error| OpenError::of_database(copy, &error))?;
        file.sync_all().map_err(OpenError::of_system(copy))
    };
    write().inspect_err(|_| {
        // Half a copy is none.
        let _ = fs::remove_file(copy);
    })
}

/// Gives a file its name, and has that on the disk, too.
pub(super) fn rename(from: &Path, to: &Path) -> Result<(), OpenError> {
    fs::rename(from, to).map_err(OpenError::of_system(to))?;
    // Only Unix lets a folder be opened for that; elsewhere the file system keeps names by itself.
    #[cfg(unix)]
    if let Some(folder) = to.parent() {
        let folder = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        };
        let sync = fs::File::open(folder).and_then(|folder| folder.sync_all());
        sync.map_err(OpenError::of_system(folder))?;
    }
    Ok(())
}
