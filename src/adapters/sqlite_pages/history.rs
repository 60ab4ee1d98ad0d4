//! A page by its id, what it said before, and its end.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::rows::{all, page_id, place, run};
use crate::domain::brain::{Place, Version};
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// Where the page of an id stands.
pub(super) fn place_of(
    connection: &Connection,
    app: &AppId,
    uuid: &str,
) -> Result<Place, StoreError> {
    let sql = "SELECT collection, slug FROM pages WHERE uuid = ?1 AND app = ?2";
    let mut statement = connection
        .prepare_cached(sql)
        .map_err(StoreError::unavailable)?;
    let found = statement
        .query_row(params![uuid, app.as_str()], |row| place(row, 0))
        .optional();
    found
        .map_err(StoreError::unavailable)?
        .ok_or(StoreError::Missing)
}

/// Forgets a page; the tables forget with it what hangs on it.
pub(super) fn delete(
    connection: &Connection,
    app: &AppId,
    place: &Place,
) -> Result<(), StoreError> {
    let id = page_id(connection, app, place)?;
    run(connection, "DELETE FROM pages WHERE id = ?1", params![id]).map(|_| ())
}

/// Versions before a number, newest first, without their texts.
pub(super) fn versions(
    connection: &Connection,
    app: &AppId,
    place: &Place,
    before: Option<i64>,
    limit: u32,
) -> Result<Vec<Version>, StoreError> {
    let id = page_id(connection, app, place)?;
    let sql = "SELECT version, written_at, written_by, '' FROM versions \
               WHERE page = ?1 AND (?2 IS NULL OR version < ?2) ORDER BY version DESC LIMIT ?3";
    all(connection, sql, params![id, before, limit], read)
}

/// One version.
pub(super) fn version(
    connection: &Connection,
    app: &AppId,
    place: &Place,
    version: i64,
) -> Result<Version, StoreError> {
    let id = page_id(connection, app, place)?;
    let sql = "SELECT version, written_at, written_by, content FROM versions \
               WHERE page = ?1 AND version = ?2";
    let mut statement = connection
        .prepare_cached(sql)
        .map_err(StoreError::unavailable)?;
    let found = statement.query_row(params![id, version], read).optional();
    found
        .map_err(StoreError::unavailable)?
        .ok_or(StoreError::Missing)
}

fn read(row: &Row<'_>) -> Result<Version, rusqlite::Error> {
    Ok(Version {
        version: row.get(0)?,
        written_at: row.get(1)?,
        written_by: row.get(2)?,
        source: row.get(3)?,
    })
}
