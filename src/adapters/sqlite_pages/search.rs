//! Finding pages: by their words, by their vectors, by their titles, and as lists.

use rusqlite::{Connection, Row, params};

use super::rows::{FOUND, all, found, page_id, place};
use crate::domain::brain::{
    Filter, Found, Listed, Place, SNIPPET_CHARS_MAX, Scope, Vector, snippet,
};
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// Each word in quotes, so that nothing in it is syntax.
fn matching(terms: &[String], all: bool) -> String {
    let quoted: Vec<_> = terms.iter().map(|term| format!("\"{term}\"")).collect();
    quoted.join(if all { " " } else { " OR " })
}

/// Pages by their words; a word of the title or the slug counts more than one of the text.
pub(super) fn search(
    connection: &Connection,
    app: &AppId,
    terms: &[String],
    is_all: bool,
    scope: &Scope,
) -> Result<Vec<Found>, StoreError> {
    let matching = matching(terms, is_all);
    // Texts are read of those that are given, not of all that match.
    let sql = "SELECT p.id FROM words CROSS JOIN pages p ON p.id = words.rowid \
               WHERE words MATCH ?1 AND p.app = ?2 \
               AND (?3 IS NULL OR p.collection = ?3) AND (?4 IS NULL OR p.wing = ?4) \
               ORDER BY bm25(words, 4.0, 3.0, 1.0, 1.0), p.slug LIMIT ?5";
    let Scope {
        collection,
        wing,
        limit,
    } = scope;
    let params = params![matching, app.as_str(), collection, wing, limit];
    let ids: Vec<i64> = all(connection, sql, params, |row| row.get(0))?;
    let sql = format!(
        "SELECT {FOUND}, substr(p.truth, 1, ?2), substr(p.timeline, 1, ?2) FROM pages p \
         WHERE p.id = ?1"
    );
    let mut statement = connection
        .prepare_cached(&sql)
        .map_err(StoreError::unavailable)?;
    let read = |id: i64| {
        let read = |row: &Row<'_>| {
            let (truth, timeline): (String, String) = (row.get(9)?, row.get(10)?);
            let shown = snippet(&truth, terms).or_else(|| snippet(&timeline, terms));
            Ok(Found {
                snippet: shown.unwrap_or_default(),
                ..found(row)?
            })
        };
        statement
            .query_row(params![id, SNIPPET_CHARS_MAX as i64], read)
            .map_err(StoreError::unavailable)
    };
    ids.into_iter().map(read).collect()
}

/// Pages by their nearest part.
pub(super) fn nearest(
    connection: &Connection,
    app: &AppId,
    model: &str,
    vector: &Vector,
    min: f64,
    scope: &Scope,
) -> Result<Vec<Found>, StoreError> {
    let sql = "SELECT v.page, v.vector FROM pages p JOIN vectors v ON v.page = p.id \
               WHERE p.app = ?1 AND v.model = ?2 \
               AND (?3 IS NULL OR p.collection = ?3) AND (?4 IS NULL OR p.wing = ?4) \
               ORDER BY v.page";
    let mut statement = connection
        .prepare_cached(sql)
        .map_err(StoreError::unavailable)?;
    let params = params![app.as_str(), model, scope.collection, scope.wing];
    let mut rows = statement.query(params).map_err(StoreError::unavailable)?;
    let mut best: Vec<(i64, f64)> = Vec::new();
    while let Some(row) = rows.next().map_err(StoreError::unavailable)? {
        let page: i64 = row.get(0).map_err(StoreError::unavailable)?;
        let bytes = row.get_ref(1).map_err(StoreError::unavailable)?;
        let score = vector.cosine(bytes.as_blob().map_err(StoreError::unavailable)?);
        if score < min {
            continue;
        }
        match best.last_mut() {
            Some((last, highest)) if *last == page => *highest = highest.max(score),
            _ => best.push((page, score)),
        }
    }
    best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    best.truncate(usize::try_from(scope.limit).unwrap_or(usize::MAX));
    let sql = format!("SELECT {FOUND} FROM pages p WHERE p.id = ?1");
    let read = |(page, score): (i64, f64)| {
        let mut statement = connection
            .prepare_cached(&sql)
            .map_err(StoreError::unavailable)?;
        let page = statement
            .query_row(params![page], found)
            .map_err(StoreError::unavailable)?;
        Ok(Found { score, ..page })
    };
    best.into_iter().map(read).collect()
}

/// Pages by their whole title.
pub(super) fn titled(
    connection: &Connection,
    app: &AppId,
    title: &str,
    scope: &Scope,
) -> Result<Vec<Found>, StoreError> {
    let sql = format!(
        "SELECT {FOUND} FROM pages p WHERE p.app = ?1 AND p.title = ?2 COLLATE NOCASE \
         AND (?3 IS NULL OR p.collection = ?3) AND (?4 IS NULL OR p.wing = ?4) \
         ORDER BY p.slug, p.collection LIMIT ?5"
    );
    let params = params![
        app.as_str(),
        title,
        scope.collection,
        scope.wing,
        scope.limit
    ];
    all(connection, &sql, params, found)
}

/// One page.
pub(super) fn one(
    connection: &Connection,
    app: &AppId,
    place: &Place,
) -> Result<Found, StoreError> {
    let id = page_id(connection, app, place)?;
    let sql = format!("SELECT {FOUND} FROM pages p WHERE p.id = ?1");
    let mut statement = connection
        .prepare_cached(&sql)
        .map_err(StoreError::unavailable)?;
    statement
        .query_row(params![id], found)
        .map_err(StoreError::unavailable)
}

/// Pages, last changed first.
pub(super) fn list(
    connection: &Connection,
    app: &AppId,
    filter: &Filter,
) -> Result<Vec<Listed>, StoreError> {
    let sql = "SELECT p.collection, p.slug, p.kind, p.title, p.summary, p.version, p.updated_at, \
               p.created_at, p.uuid FROM pages p WHERE p.app = ?1 AND (?2 IS NULL OR p.collection = ?2) \
               AND (?3 IS NULL OR p.wing = ?3) AND (?4 IS NULL OR p.kind = ?4) \
               ORDER BY p.updated_at DESC, p.id DESC LIMIT ?5";
    let Filter { scope, kind } = filter;
    let params = params![
        app.as_str(),
        scope.collection,
        scope.wing,
        kind,
        scope.limit
    ];
    all(connection, sql, params, listed)
}

/// Pages behind a place, in the order of their slugs and then of their collections.
pub(super) fn list_after(
    connection: &Connection,
    app: &AppId,
    after: Option<&Place>,
    limit: u32,
) -> Result<Vec<Listed>, StoreError> {
    let sql = "SELECT p.collection, p.slug, p.kind, p.title, p.summary, p.version, p.updated_at, \
               p.created_at, p.uuid FROM pages p WHERE p.app = ?1 AND (p.slug, p.collection) > (?2, ?3) \
               ORDER BY p.slug, p.collection LIMIT ?4";
    // No slug is empty.
    let (slug, collection) = after.map_or(("", ""), |after| {
        (after.slug.as_str(), after.collection.as_str())
    });
    all(
        connection,
        sql,
        params![app.as_str(), slug, collection, limit],
        listed,
    )
}

/// Pages by their birth, newest first, behind one of a moment and an id.
pub(super) fn newest(
    connection: &Connection,
    app: &AppId,
    older_than: Option<&(String, String)>,
    limit: u32,
) -> Result<Vec<Listed>, StoreError> {
    let sql = "SELECT p.collection, p.slug, p.kind, p.title, p.summary, p.version, p.updated_at, \
               p.created_at, p.uuid FROM pages p \
               WHERE p.app = ?1 AND (?2 IS NULL OR (p.created_at, p.uuid) < (?2, ?3)) \
               ORDER BY p.created_at DESC, p.uuid DESC LIMIT ?4";
    let (born, uuid) = older_than.map(|(born, uuid)| (born, uuid)).unzip();
    all(
        connection,
        sql,
        params![app.as_str(), born, uuid, limit],
        listed,
    )
}

fn listed(row: &Row<'_>) -> Result<Listed, rusqlite::Error> {
    Ok(Listed {
        place: place(row, 0)?,
        kind: row.get(2)?,
        title: row.get(3)?,
        summary: row.get(4)?,
        version: row.get(5)?,
        updated_at: row.get(6)?,
        created_at: row.get(7)?,
        uuid: row.get(8)?,
    })
}
