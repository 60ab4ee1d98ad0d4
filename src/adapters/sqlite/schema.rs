//! The tables, and how a database of an earlier release becomes one of this release.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::copies::{rename, write_copy};
use super::log_damage::beside;
use super::numbers::integer;
use super::open_error::OpenError;
use crate::domain::event::EVENT_SCHEMA;

/// Marks a database as one of this program (`application_id`): "PROS".
pub(super) const APPLICATION_ID: i32 = 0x5052_4f53;

/// What makes a database of schema n out of one of schema n - 1, from an empty one on.
pub(super) const MIGRATIONS: [&str; 3] = [SCHEMA_1, SCHEMA_2, SCHEMA_3];

/// A release that does not know the events of a database has to refuse it at start, and sees by the
/// schema of the tables alone that it does not: so that is never behind.
const _: () = assert!(MIGRATIONS.len() >= EVENT_SCHEMA as usize);

/// Whoever names documents has a column with the ids of them, as a JSON array; triggers count the
/// holders of each document, and free it with the last one.
const SCHEMA_1: &str = "
    CREATE TABLE secrets (
        name TEXT PRIMARY KEY,
        value BLOB NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE apps (
        name TEXT PRIMARY KEY,
        sessions INTEGER NOT NULL DEFAULT 0,
        answers INTEGER NOT NULL DEFAULT 0,
        answer_bytes INTEGER NOT NULL DEFAULT 0
    ) WITHOUT ROWID;

    CREATE TABLE documents (
        id INTEGER PRIMARY KEY,
        hash TEXT NOT NULL UNIQUE,
        text TEXT NOT NULL,
        holders INTEGER NOT NULL DEFAULT 0
    );
    CREATE TRIGGER document_freed AFTER UPDATE OF holders ON documents WHEN new.holders = 0 BEGIN
        DELETE FROM documents WHERE id = new.id;
    END;

    CREATE TABLE handshakes (
        id INTEGER PRIMARY KEY,
        app TEXT NOT NULL,
        name TEXT NOT NULL,
        expires_at INTEGER NOT NULL,
        body TEXT NOT NULL,
        documents TEXT NOT NULL,
        UNIQUE (app, name)
    );
    CREATE INDEX handshakes_of_app ON handshakes (app, expires_at);
    CREATE INDEX handshakes_by_expiry ON handshakes (expires_at);
    CREATE TRIGGER handshake_kept AFTER INSERT ON handshakes BEGIN
        UPDATE documents SET holders = holders + 1
            WHERE id IN (SELECT value FROM json_each(new.documents));
    END;
    CREATE TRIGGER handshake_gone AFTER DELETE ON handshakes BEGIN
        UPDATE documents SET holders = holders - 1
            WHERE id IN (SELECT value FROM json_each(old.documents));
    END;

    CREATE TABLE sessions (
        id INTEGER PRIMARY KEY,
        app TEXT NOT NULL,
        name TEXT NOT NULL,
        head INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        code TEXT UNIQUE,
        documents TEXT NOT NULL,
        UNIQUE (app, name)
    );
    CREATE INDEX sessions_by_expiry ON sessions (expires_at);
    CREATE TABLE records (
        session INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        body TEXT NOT NULL
    );
    CREATE UNIQUE INDEX records_of_session ON records (session, seq);
    CREATE TRIGGER session_kept AFTER INSERT ON sessions BEGIN
        INSERT INTO apps (name, sessions) VALUES (new.app, 1)
            ON CONFLICT (name) DO UPDATE SET sessions = sessions + 1;
        UPDATE documents SET holders = holders + 1
            WHERE id IN (SELECT value FROM json_each(new.documents));
    END;
    CREATE TRIGGER session_gone AFTER DELETE ON sessions BEGIN
        UPDATE apps SET sessions = sessions - 1 WHERE name = old.app;
        UPDATE documents SET holders = holders - 1
            WHERE id IN (SELECT value FROM json_each(old.documents));
        DELETE FROM records WHERE session = old.id;
    END;

    CREATE TABLE blueprints (
        id INTEGER PRIMARY KEY,
        app TEXT NOT NULL,
        key TEXT NOT NULL,
        name TEXT NOT NULL,
        body TEXT NOT NULL,
        hits INTEGER NOT NULL,
        used_at INTEGER NOT NULL,
        documents TEXT NOT NULL,
        UNIQUE (app, key)
    );
    CREATE INDEX blueprints_by_name ON blueprints (app, name);
    CREATE TRIGGER blueprint_kept AFTER INSERT ON blueprints BEGIN
        UPDATE documents SET holders = holders + 1
            WHERE id IN (SELECT value FROM json_each(new.documents));
    END;
    CREATE TRIGGER blueprint_gone AFTER DELETE ON blueprints BEGIN
        UPDATE documents SET holders = holders - 1
            WHERE id IN (SELECT value FROM json_each(old.documents));
    END;

    CREATE TABLE answers (
        id INTEGER PRIMARY KEY,
        app TEXT NOT NULL,
        attempt TEXT NOT NULL UNIQUE,
        digest BLOB NOT NULL,
        given_at INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        body TEXT NOT NULL
    );
    CREATE INDEX answers_of_app ON answers (app);
    CREATE INDEX answers_by_time ON answers (given_at);
    CREATE TRIGGER answer_kept AFTER INSERT ON answers BEGIN
        INSERT INTO apps (name, answers, answer_bytes) VALUES (new.app, 1, new.bytes)
            ON CONFLICT (name) DO UPDATE
            SET answers = answers + 1, answer_bytes = answer_bytes + new.bytes;
    END;
    CREATE TRIGGER answer_gone AFTER DELETE ON answers BEGIN
        UPDATE apps SET answers = answers - 1, answer_bytes = answer_bytes - old.bytes
            WHERE name = old.app;
    END;
";

/// Records know the append that wrote them, and sessions what lists show of them: nothing where an
/// earlier release has written. Apps have lists of what happened.
const SCHEMA_2: &str = "
    ALTER TABLE records ADD COLUMN write INTEGER;
    ALTER TABLE sessions ADD COLUMN summary TEXT;

    CREATE TABLE activity (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        app TEXT NOT NULL,
        session TEXT NOT NULL,
        seq INTEGER NOT NULL,
        body TEXT NOT NULL,
        UNIQUE (app, session, seq)
    );
    CREATE INDEX activity_of_app ON activity (app, id);
";

/// The tables are the same, and events may be of schema 3.
const SCHEMA_3: &str = "";

/// The schema of a database; 0 for an empty one.
pub(super) fn version(connection: &Connection, file: &Path) -> Result<usize, OpenError> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let read = || -> rusqlite::Result<_> {
        let tables = "SELECT count(*) FROM sqlite_schema";
        let tables: i64 = connection.query_row(tables, [], |row| row.get(0))?;
        Ok((pragma("application_id")?, pragma("user_version")?, tables))
    };
    let (id, version, tables) = read().map_err(|error| OpenError::of_database(file, &error))?;
    if id == 0 && version == 0 && tables == 0 {
        return Ok(0);
    }
    match usize::try_from(version) {
        Ok(version) if id == APPLICATION_ID => Ok(version),
        _ => Err(OpenError::Stranger(file.to_owned())),
    }
}

/// Brings a database to the last schema, each step in a transaction, after a copy of the whole file.
pub(super) fn migrate(
    connection: &mut Connection,
    file: &Path,
    migrations: &[&str],
) -> Result<(), OpenError> {
    let version = version(connection, file)?;
    if version > migrations.len() {
        return Err(OpenError::Newer {
            file: file.to_owned(),
            version,
            known: migrations.len(),
        });
    }
    let failed = |error: rusqlite::Error| OpenError::of_database(file, &error);
    if version > 0 && version < migrations.len() {
        let copy = file.with_extension(format!("schema-{version}"));
        // One that is there was made by an attempt that failed: the database is still the same.
        if !copy.exists() {
            let partial = beside(&copy, ".partial");
            write_copy(connection, &partial)?;
            rename(&partial, &copy)?;
        }
    }
    for (index, migration) in migrations.iter().enumerate().skip(version) {
        let step = |connection: &mut Connection| {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
            transaction.execute_batch(migration)?;
            transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
            transaction.pragma_update(None, "user_version", integer(index as u64 + 1))?;
            transaction.commit()
        };
        step(connection).map_err(failed)?;
    }
    Ok(())
}
