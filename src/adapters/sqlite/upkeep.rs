//! What an operator does with a data folder: check it, copy it, and take a copy back.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, OpenFlags};

use super::copies::{rename, write_copy};
use super::failure::Failure;
use super::folder::{Folder, database_in, is_owned};
use super::log_damage::{beside, keep_damaged, unreadable_end};
use super::numbers::unsigned;
use super::open_error::OpenError;
use super::schema::{MIGRATIONS, version};
use crate::domain::event::{Record, SessionState};
use crate::wire::ids::SessionKey;

/// What a check has found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Sessions that were read.
    pub(crate) sessions: u64,
    /// Records of their logs.
    pub(crate) records: u64,
    /// All that is wrong, a sentence each.
    pub(crate) problems: Vec<String>,
}

/// A file that is written, and the place where it belongs.
pub(crate) struct Fresh {
    /// Where it is written; none: nothing takes the place.
    pub(crate) file: Option<PathBuf>,
    /// The file that it replaces.
    pub(crate) place: PathBuf,
}

/// What a restore has put aside.
#[derive(Debug, Default)]
pub(crate) struct Restored {
    /// The files in which what was there is now.
    pub(crate) replaced: Vec<PathBuf>,
    /// What of it could not be read, a sentence each.
    pub(crate) notes: Vec<String>,
}

/// What cannot be read of the log of a folder that nobody owns: a server has looked when it began, and
/// goes on writing.
fn damage_of(folder: &Path) -> Result<Option<String>, OpenError> {
    let database = database_in(folder);
    if is_owned(folder) {
        return Ok(None);
    }
    unreadable_end(&database).map_err(OpenError::of_system(&database))
}

/// Writes all that is committed at this moment into a new file, beside a server that goes on. `add`
/// adds what else belongs into it. What cannot be read, and is not in it, comes back as a sentence.
pub(crate) fn backup<E: From<OpenError>>(
    folder: &Path,
    target: &Path,
    add: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<Option<String>, E> {
    let damage = damage_of(folder)?;
    let connection = existing(&database_in(folder))?;
    if target.exists() {
        return Err(OpenError::Exists(target.to_owned()).into());
    }
    let partial = beside(target, ".partial");
    write_copy(&connection, &partial)?;
    add(&partial).inspect_err(|_| {
        // Half a copy is none.
        let _ = fs::remove_file(&partial);
    })?;
    rename(&partial, target)?;
    Ok(damage)
}

/// Puts a backup in the place of a database that nobody owns; `take` takes what else is in a copy of
/// it out of that. What is replaced is kept beside it: the files where it is now.
pub(crate) fn restore<E: From<OpenError>>(
    folder: &Path,
    backup: &Path,
    take: impl FnOnce(&Path) -> Result<Vec<Fresh>, E>,
) -> Result<Restored, E> {
    let folder = Folder::own(folder.to_owned())?;
    let database = folder.database();
    let connection = existing(backup)?;
    let problems = integrity(&connection);
    let problems = problems.map_err(|error| OpenError::of_database(backup, &error))?;
    if let Some(reason) = problems.into_iter().next() {
        let file = backup.to_owned();
        return Err(OpenError::Damaged { file, reason }.into());
    }
    let file = beside(&database, ".restoring");
    write_copy(&connection, &file)?;
    let taken = take(&file).inspect_err(|_| {
        // Nothing is replaced by a part of a backup.
        let _ = fs::remove_file(&file);
    })?;
    let (file, place) = (Some(file), database);
    let mut restored = Restored::default();
    for Fresh { file, place } in taken.into_iter().chain([Fresh { file, place }]) {
        set_aside(&place, &mut restored)?;
        match file {
            Some(file) => rename(&file, &place)?,
            None => fs::remove_file(&place).map_err(OpenError::of_system(&place))?,
        }
    }
    Ok(restored)
}

/// Keeps a file under another name, and a database without a write-ahead log. It stays where it is
/// until something is renamed to its place, so that there is always one.
fn set_aside(database: &Path, restored: &mut Restored) -> Result<(), OpenError> {
    if !database.exists() {
        return Ok(());
    }
    // Before SQLite drops it with the rest of the log.
    let damage = keep_damaged(database).map_err(OpenError::of_system(database))?;
    restored.notes.extend(damage);
    let copies = (1..).map(|number| beside(database, &format!(".replaced-{number}")));
    let mut copies = copies.filter(|copy| !copy.exists());
    let kept = copies
        .next()
        .unwrap_or_else(|| beside(database, ".replaced"));
    let log = beside(database, "-wal");
    // What is damaged cannot be put together with its log: then the log is kept as well.
    let merge = log.exists().then(|| {
        let connection = Connection::open(database)?;
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    });
    fs::copy(database, &kept).map_err(OpenError::of_system(&kept))?;
    let set = match merge {
        None => Ok(()),
        Some(_) if !log.exists() => Ok(()),
        Some(Ok(())) => fs::remove_file(&log),
        Some(Err(_)) => fs::rename(&log, beside(&kept, "-wal")),
    };
    set.map_err(OpenError::of_system(&log))?;
    let index = beside(database, "-shm");
    if index.exists() {
        fs::remove_file(&index).map_err(OpenError::of_system(&index))?;
    }
    restored.replaced.push(kept);
    Ok(())
}

/// Reads everything in a database, beside a server that goes on.
pub(crate) fn check(folder: &Path) -> Result<Report, OpenError> {
    let damage = damage_of(folder)?;
    let connection = existing(&database_in(folder))?;
    let mut report = Report::default();
    let mut read = || -> rusqlite::Result<()> {
        let transaction = connection.unchecked_transaction()?;
        report.problems = integrity(&transaction)?;
        report.problems.extend(miscounted(&transaction)?);
        read_sessions(&transaction, &mut report)
    };
    if let Err(error) = read() {
        report.problems.push(error.to_string());
    }
    report.problems.extend(damage);
    Ok(report)
}

/// What SQLite finds wrong with the file.
fn integrity(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut check = connection.prepare("PRAGMA integrity_check")?;
    let found = check.query_map([], |row| row.get::<_, String>(0))?;
    let found: rusqlite::Result<Vec<_>> = found.collect();
    let mut found = found?;
    found.retain(|line| line != "ok");
    Ok(found)
}

/// Counts that differ from what they count.
fn miscounted(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    const COUNTS: [(&str, &str); 3] = [
        (
            "documents are held by others than is counted",
            "SELECT count(*) FROM documents WHERE holders <>
             (SELECT count(*) FROM (SELECT documents AS held FROM handshakes
                UNION ALL SELECT documents FROM sessions
                UNION ALL SELECT documents FROM blueprints)
              WHERE documents.id IN (SELECT value FROM json_each(held)))",
        ),
        (
            "apps have other sessions or answers than is counted",
            "SELECT count(*) FROM apps WHERE
             sessions <> (SELECT count(*) FROM sessions WHERE app = apps.name) OR
             answers <> (SELECT count(*) FROM answers WHERE app = apps.name)",
        ),
        (
            "records belong to no session",
            "SELECT count(*) FROM records WHERE session NOT IN (SELECT id FROM sessions)",
        ),
    ];
    let mut problems = Vec::new();
    for (what, count) in COUNTS {
        let count: i64 = connection.query_row(count, [], |row| row.get(0))?;
        if count > 0 {
            problems.push(format!("{count} {what}"));
        }
    }
    Ok(problems)
}

/// Reads the log of each session, and folds it.
fn read_sessions(connection: &Connection, report: &mut Report) -> rusqlite::Result<()> {
    let mut sessions = connection.prepare("SELECT id, app, name, head FROM sessions")?;
    let mut bodies =
        connection.prepare("SELECT body FROM records WHERE session = ?1 ORDER BY seq")?;
    let mut rows = sessions.query([])?;
    while let Some(row) = rows.next()? {
        let key = SessionKey {
            app: row.get_ref(1)?.as_str()?.into(),
            session: row.get_ref(2)?.as_str()?.into(),
        };
        let (id, head): (i64, i64) = (row.get(0)?, row.get(3)?);
        let mut records = Vec::new();
        let mut read = || -> Result<(), Failure> {
            let mut bodies = bodies.query([id])?;
            while let Some(body) = bodies.next()? {
                records.push(Arc::new(Record::from_json(body.get_ref(0)?.as_str()?)?));
            }
            Ok(())
        };
        let wrong = match read() {
            Err(Failure::Database(error)) => Some(error.to_string()),
            Err(Failure::Refused(error)) => Some(error.to_string()),
            Ok(()) => match SessionState::fold(&key, &records) {
                None => Some("its log has no beginning".to_owned()),
                Some(state) if state.seq.0 != unsigned(head) => {
                    Some(format!("its log ends at {} instead of {head}", state.seq.0))
                }
                Some(_) => None,
            },
        };
        report
            .problems
            .extend(wrong.map(|wrong| format!("session {key}: {wrong}")));
        report.sessions += 1;
        report.records += records.len() as u64;
    }
    Ok(())
}

/// A database of this release or an earlier one, to be read.
fn existing(file: &Path) -> Result<Connection, OpenError> {
    if !file.exists() {
        return Err(OpenError::Nothing(file.to_owned()));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)
        .map_err(|error| OpenError::of_database(file, &error))?;
    match version(&connection, file)? {
        0 => Err(OpenError::Stranger(file.to_owned())),
        version if version > MIGRATIONS.len() => Err(OpenError::Newer {
            file: file.to_owned(),
            version,
            known: MIGRATIONS.len(),
        }),
        _ => Ok(connection),
    }
}
