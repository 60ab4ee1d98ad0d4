//! What an operator does with a page store: check it, carry it in a backup, and take it out of one.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::database::{OpenError, private};
use super::schema::MIGRATIONS;

/// Bytes of a page store in one row of a backup: a row has to fit memory, and SQLite bounds it.
const PART_BYTES: u64 = 1 << 20;

/// What a check has found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Pages that were read.
    pub(crate) pages: u64,
    /// All that is wrong, a sentence each.
    pub(crate) problems: Vec<String>,
}

/// Reads a page store beside a server that goes on; one that is not there is empty.
pub(crate) fn check(file: &Path) -> Result<Report, OpenError> {
    if !file.exists() {
        return Ok(Report::default());
    }
    let connection = existing(file)?;
    let mut report = Report::default();
    let mut read = || -> rusqlite::Result<()> {
        let transaction = connection.unchecked_transaction()?;
        report.problems = integrity(&transaction)?;
        let count = |sql| transaction.query_row(sql, [], |row| row.get::<_, i64>(0));
        report.pages = count("SELECT count(*) FROM pages")?.unsigned_abs();
        let textless = count(
            "SELECT count(*) FROM pages p WHERE NOT EXISTS
             (SELECT 1 FROM versions v WHERE v.page = p.id AND v.version = p.version)",
        )?;
        if textless > 0 {
            report
                .problems
                .push(format!("{textless} pages have no text"));
        }
        Ok(())
    };
    if let Err(error) = read() {
        report.problems.push(error.to_string());
    }
    let of_pages = |problem: &mut String| *problem = format!("{}: {problem}", file.display());
    report.problems.iter_mut().for_each(of_pages);
    Ok(report)
}

/// Adds all pages that are committed at this moment to a backup, which is a database of its own. A
/// page store that is not there adds nothing.
pub(crate) fn add_to(backup: &Path, file: &Path) -> Result<(), OpenError> {
    if !file.exists() {
        return Ok(());
    }
    let connection = existing(file)?;
    let copy = beside(backup, ".pages");
    let add = || -> Result<(), OpenError> {
        let unwritten = private(&copy).map_err(OpenError::of_system(&copy))?;
        unwritten.set_len(0).map_err(OpenError::of_system(&copy))?;
        let written = connection.execute("VACUUM INTO ?1", [copy.to_string_lossy()]);
        written.map_err(OpenError::of_database(file))?;
        let mut target = Connection::open(backup).map_err(OpenError::of_database(backup))?;
        write_parts(&copy, backup, &mut target)
    };
    let added = add();
    let removed = fs::remove_file(&copy).map_err(OpenError::of_system(&copy));
    added.and(removed)
}

fn write_parts(copy: &Path, backup: &Path, target: &mut Connection) -> Result<(), OpenError> {
    let failed = || OpenError::of_database(backup);
    let mut bytes = File::open(copy).map_err(OpenError::of_system(copy))?;
    let transaction = target.transaction().map_err(failed())?;
    let table = "CREATE TABLE page_store (part INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT";
    transaction.execute(table, []).map_err(failed())?;
    for part in 0_i64.. {
        let mut read = Vec::new();
        let count = (&mut bytes).take(PART_BYTES).read_to_end(&mut read);
        if count.map_err(OpenError::of_system(copy))? == 0 {
            break;
        }
        let insert = "INSERT INTO page_store (part, bytes) VALUES (?1, ?2)";
        transaction
            .execute(insert, (part, read))
            .map_err(failed())?;
    }
    transaction.commit().map_err(failed())
}

/// Takes the page store out of a copy of a backup, into a file of its own; whether there was one.
/// Refuses what is no sound page store.
pub(crate) fn take_from(copy: &Path, file: &Path) -> Result<bool, OpenError> {
    let connection = Connection::open(copy).map_err(OpenError::of_database(copy))?;
    let failed = || OpenError::of_database(copy);
    let has_pages = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'page_store'";
    let has_pages = connection
        .prepare(has_pages)
        .and_then(|mut has| has.exists([]));
    if !has_pages.map_err(failed())? {
        return Ok(false);
    }
    let take = || -> Result<(), OpenError> {
        let mut taken = private(file).map_err(OpenError::of_system(file))?;
        taken.set_len(0).map_err(OpenError::of_system(file))?;
        let parts = "SELECT bytes FROM page_store ORDER BY part";
        let mut parts = connection.prepare(parts).map_err(failed())?;
        let mut rows = parts.query([]).map_err(failed())?;
        while let Some(row) = rows.next().map_err(failed())? {
            let part: Vec<u8> = row.get(0).map_err(failed())?;
            taken.write_all(&part).map_err(OpenError::of_system(file))?;
        }
        taken.sync_all().map_err(OpenError::of_system(file))?;
        let problems = integrity(&existing(file)?).map_err(OpenError::of_database(file))?;
        match problems.into_iter().next() {
            Some(reason) => Err(OpenError::Unusable {
                path: file.to_owned(),
                reason,
            }),
            None => Ok(()),
        }
    };
    take().inspect_err(|_| {
        // Half a page store is none.
        let _ = fs::remove_file(file);
    })?;
    let without = "DROP TABLE page_store; VACUUM;";
    connection.execute_batch(without).map_err(failed())?;
    Ok(true)
}

/// What SQLite finds wrong with a file.
fn integrity(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut check = connection.prepare("PRAGMA integrity_check")?;
    let found = check.query_map([], |row| row.get::<_, String>(0))?;
    let mut found = found.collect::<rusqlite::Result<Vec<_>>>()?;
    found.retain(|line| line != "ok");
    Ok(found)
}

/// A page store of this release or an earlier one, to be read.
fn existing(file: &Path) -> Result<Connection, OpenError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || -> rusqlite::Result<(Connection, i64, i64)> {
        let connection = Connection::open_with_flags(file, flags)?;
        let version = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        let tables = "SELECT count(*) FROM sqlite_schema \
                      WHERE type = 'table' AND name IN ('pages', 'versions', 'words')";
        let tables = connection.query_row(tables, [], |row| row.get(0))?;
        Ok((connection, version, tables))
    };
    let (connection, found, tables) = open().map_err(OpenError::of_database(file))?;
    let known = MIGRATIONS.len() as i64;
    if found < 1 || tables < 3 {
        return Err(OpenError::Unusable {
            path: file.to_owned(),
            reason: "it is no page store of proscenium".to_owned(),
        });
    }
    if found > known {
        return Err(OpenError::TooNew {
            path: file.to_owned(),
            found,
            known,
        });
    }
    Ok(connection)
}

/// A file with a longer name beside another.
fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
