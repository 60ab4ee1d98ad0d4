//! The vectors of pages: kept with the text they were made of, and those that are still to be made.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::rows::{all, place, run};
use crate::domain::brain::{CollectionCounts, Document, Unembedded, Vector};
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// Keeps the vectors of a page instead of those it had; it waits for them where there are none.
pub(super) fn keep(
    connection: &Connection,
    page: i64,
    model: &str,
    vectors: Option<&[Vector]>,
) -> Result<(), StoreError> {
    for sql in [
        "DELETE FROM vectors WHERE page = ?1",
        "DELETE FROM embedded WHERE page = ?1",
    ] {
        run(connection, sql, params![page])?;
    }
    let Some(vectors) = vectors else {
        return Ok(());
    };
    for (part, vector) in (0_i64..).zip(vectors) {
        let sql = "INSERT INTO vectors (page, part, model, vector) VALUES (?1, ?2, ?3, ?4)";
        run(connection, sql, params![page, part, model, vector.bytes()])?;
    }
    let sql = "INSERT INTO embedded (page, model) VALUES (?1, ?2)";
    run(connection, sql, params![page, model]).map(|_| ())
}

/// The same for a page that is still at a version.
pub(super) fn follow(
    connection: &Connection,
    page: i64,
    version: i64,
    model: &str,
    vectors: &[Vector],
) -> Result<(), StoreError> {
    let sql = "SELECT 1 FROM pages WHERE id = ?1 AND version = ?2";
    let is_there = connection
        .query_row(sql, params![page, version], |_| Ok(()))
        .optional();
    match is_there.map_err(StoreError::unavailable)? {
        Some(()) => keep(connection, page, model, Some(vectors)),
        None => Ok(()),
    }
}

/// Pages behind a row that have no vectors of a model.
pub(super) fn missing(
    connection: &Connection,
    model: &str,
    after: i64,
    limit: u32,
) -> Result<Vec<Unembedded>, StoreError> {
    let sql = "SELECT p.collection, p.slug, p.id, p.version, v.content FROM pages p \
               JOIN versions v ON v.page = p.id AND v.version = p.version \
               WHERE p.id > ?2 AND NOT EXISTS \
               (SELECT 1 FROM embedded e WHERE e.page = p.id AND e.model = ?1) \
               ORDER BY p.id LIMIT ?3";
    all(connection, sql, params![model, after, limit], |row| {
        Ok(Unembedded {
            place: place(row, 0)?,
            id: row.get(2)?,
            version: row.get(3)?,
            document: Document::parse(&row.get::<_, String>(4)?),
        })
    })
}

/// How many pages each collection has, and how many of them have no vectors of a model.
pub(super) fn counts(
    connection: &Connection,
    app: &AppId,
    model: &str,
) -> Result<Vec<CollectionCounts>, StoreError> {
    let sql = "SELECT p.collection, count(*), count(*) - count(e.page) FROM pages p \
               LEFT JOIN embedded e ON e.page = p.id AND e.model = ?2 \
               WHERE p.app = ?1 GROUP BY p.collection";
    all(connection, sql, params![app.as_str(), model], |row| {
        Ok(CollectionCounts {
            collection: row.get(0)?,
            pages: row.get(1)?,
            unembedded: row.get(2)?,
        })
    })
}
