//! Rows as the values they are kept for.

use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension as _, Params, Row, params};

use crate::domain::brain::{Document, Found, Link, Page, Place, Slug};
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// The columns that [`found`] reads, of a page `p`; the score and the snippet come after them.
pub(super) const FOUND: &str =
    "p.id, p.collection, p.slug, p.kind, p.title, p.summary, p.wing, length(p.truth), p.uuid";

/// The number of pages of an app, which triggers keep.
pub(super) const PAGES: &str = "SELECT coalesce((SELECT pages FROM apps WHERE name = ?1), 0)";

/// A number that a statement counts.
pub(super) fn count(
    connection: &Connection,
    sql: &str,
    values: impl Params,
) -> Result<i64, StoreError> {
    connection
        .prepare_cached(sql)
        .and_then(|mut statement| statement.query_row(values, |row| row.get(0)))
        .map_err(StoreError::unavailable)
}

/// Refuses one more of what is counted, where there are as many as there may be.
pub(super) fn check_room(there_are: i64, what: &'static str, max: usize) -> Result<(), StoreError> {
    match usize::try_from(there_are).is_ok_and(|there_are| there_are < max) {
        true => Ok(()),
        false => Err(StoreError::full(what, max)),
    }
}

/// Reads a place from two columns that follow one another.
pub(super) fn place(row: &Row<'_>, at: usize) -> Result<Place, rusqlite::Error> {
    let slug: String = row.get(at + 1)?;
    let slug = Slug::parse(&slug)
        .map_err(|why| rusqlite::Error::FromSqlConversionFailure(at + 1, Type::Text, why.into()))?;
    Ok(Place {
        collection: row.get(at)?,
        slug,
    })
}

/// The row of a page.
pub(super) fn page_id(
    connection: &Connection,
    app: &AppId,
    place: &Place,
) -> Result<i64, StoreError> {
    let mut statement = connection
        .prepare_cached("SELECT id FROM pages WHERE app = ?1 AND slug = ?2 AND collection = ?3")
        .map_err(StoreError::unavailable)?;
    let id = statement
        .query_row(
            params![app.as_str(), place.slug.as_str(), place.collection],
            |row| row.get(0),
        )
        .optional();
    id.map_err(StoreError::unavailable)?
        .ok_or(StoreError::Missing)
}

/// A page with its text and its tags.
pub(super) fn page(
    connection: &Connection,
    app: &AppId,
    place: &Place,
) -> Result<Page, StoreError> {
    let sql = "SELECT p.id, p.uuid, p.version, p.created_at, p.updated_at, v.content \
               FROM pages p JOIN versions v ON v.page = p.id AND v.version = p.version \
               WHERE p.app = ?1 AND p.slug = ?2 AND p.collection = ?3";
    let read = |row: &Row<'_>| {
        let content: String = row.get(5)?;
        Ok(Page {
            id: row.get(0)?,
            place: place.clone(),
            uuid: row.get(1)?,
            version: row.get(2)?,
            document: Document::parse(&content),
            source: content,
            tags: Vec::new(),
            created_at: row.get(3)?,
            updated_at: row.get(4)?,
        })
    };
    let mut statement = connection
        .prepare_cached(sql)
        .map_err(StoreError::unavailable)?;
    let page = statement
        .query_row(
            params![app.as_str(), place.slug.as_str(), place.collection],
            read,
        )
        .optional();
    let mut page = page
        .map_err(StoreError::unavailable)?
        .ok_or(StoreError::Missing)?;
    page.tags = tags(connection, page.id)?;
    Ok(page)
}

/// The tags of a page, sorted.
pub(super) fn tags(connection: &Connection, page: i64) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT tag FROM tags WHERE page = ?1 ORDER BY tag";
    all(connection, sql, params![page], |row| row.get(0))
}

/// A page that was found, from the columns of [`FOUND`].
pub(super) fn found(row: &Row<'_>) -> Result<Found, rusqlite::Error> {
    Ok(Found {
        id: row.get(0)?,
        place: place(row, 1)?,
        kind: row.get(3)?,
        title: row.get(4)?,
        summary: row.get(5)?,
        wing: row.get(6)?,
        truth_bytes: usize::try_from(row.get::<_, i64>(7)?).unwrap_or_default(),
        uuid: row.get(8)?,
        snippet: String::new(),
        score: 0.0,
    })
}

/// The columns of a link `l` from a page `f` to a page `t`, which [`link`] reads.
pub(super) const LINK: &str = "l.id, f.collection, f.slug, t.collection, t.slug, t.id, \
    l.relationship, l.valid_from, l.valid_until, f.title";
/// The tables of [`LINK`].
pub(super) const LINK_TABLES: &str =
    "links l JOIN pages f ON f.id = l.from_page JOIN pages t ON t.id = l.to_page";

/// A link, from the columns of [`LINK`].
pub(super) fn link(row: &Row<'_>) -> Result<Link, rusqlite::Error> {
    Ok(Link {
        id: row.get(0)?,
        from: place(row, 1)?,
        to: place(row, 3)?,
        to_id: row.get(5)?,
        relationship: row.get(6)?,
        valid_from: row.get(7)?,
        valid_until: row.get(8)?,
        from_title: row.get(9)?,
    })
}

/// All rows of a statement.
pub(super) fn all<T>(
    connection: &Connection,
    sql: &str,
    params: impl rusqlite::Params,
    read: impl FnMut(&Row<'_>) -> Result<T, rusqlite::Error>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = connection
        .prepare_cached(sql)
        .map_err(StoreError::unavailable)?;
    let rows = statement
        .query_map(params, read)
        .map_err(StoreError::unavailable)?;
    rows.collect::<Result<_, _>>()
        .map_err(StoreError::unavailable)
}

/// Runs a statement that gives no rows.
pub(super) fn run(
    connection: &Connection,
    sql: &str,
    params: impl rusqlite::Params,
) -> Result<usize, StoreError> {
    let mut statement = connection
        .prepare_cached(sql)
        .map_err(StoreError::unavailable)?;
    statement.execute(params).map_err(StoreError::unavailable)
}
