//! Writing a page: at the version it was made from, with everything that is read from its text.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::rows::{PAGES, all, check_room, count, run};
use super::{notes, vectors};
use crate::domain::brain::{Assertion, Bound, NewPage, Place, PutOutcome};
use crate::domain::limits::BrainLimits;
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// Letters of a day in ISO 8601.
const DAY_CHARS: usize = 10;
/// What a link says that stands between brackets in a page's text.
const WRITTEN: &str = "mentions";

/// Writes a page, within a transaction.
pub(super) fn put(
    connection: &Connection,
    app: &AppId,
    page: &NewPage,
    model: &str,
    limits: &BrainLimits,
) -> Result<PutOutcome, StoreError> {
    let sql = "SELECT id, version, uuid FROM pages \
               WHERE app = ?1 AND slug = ?2 AND collection = ?3";
    let place = &page.place;
    let known = connection
        .prepare_cached(sql)
        .and_then(|mut statement| {
            let key = params![app.as_str(), place.slug.as_str(), place.collection];
            let read = |row: &rusqlite::Row<'_>| {
                Ok((
                    row.get::<_, i64>(0)?,
                    row.get::<_, i64>(1)?,
                    row.get::<_, String>(2)?,
                ))
            };
            statement.query_row(key, read).optional()
        })
        .map_err(StoreError::unavailable)?;
    let current = known.as_ref().map(|(_, version, _)| *version);
    if current != page.expected_version {
        return Ok(PutOutcome::Stale { current });
    }
    let claimed = page.document.claimed_uuid.as_deref();
    let own = known.as_ref().map(|(_, _, uuid)| uuid.as_str());
    // A page that is copied in from elsewhere takes a new id.
    if own.is_some() && claimed.is_some() && claimed != own {
        return Ok(PutOutcome::OtherUuid);
    }
    let (id, version) = match known {
        Some((id, version, _)) => {
            change(connection, id, version + 1, page)?;
            (id, version + 1)
        }
        None => (create(connection, app, page, limits)?, 1),
    };
    let sql = "INSERT INTO versions (page, version, content, written_at, written_by) \
               VALUES (?1, ?2, ?3, ?4, ?5)";
    run(
        connection,
        sql,
        params![id, version, page.content, page.now, page.by],
    )?;
    let oldest = version - i64::try_from(limits.versions_per_page_max).unwrap_or(i64::MAX);
    let sql = "DELETE FROM versions WHERE page = ?1 AND version <= ?2";
    run(connection, sql, params![id, oldest])?;
    read_from_text(connection, app, id, page, model)?;
    notes::resolve_by(connection, app, id, page)?;
    Ok(PutOutcome::Written { version })
}

fn create(
    connection: &Connection,
    app: &AppId,
    page: &NewPage,
    limits: &BrainLimits,
) -> Result<i64, StoreError> {
    let pages = count(connection, PAGES, [app.as_str()])?;
    check_room(pages, "pages", limits.pages_per_app_max)?;
    let NewPage {
        place,
        document,
        now,
        ..
    } = page;
    let sql = "INSERT INTO pages (app, collection, slug, uuid, kind, title, summary, wing, truth, \
               timeline, version, created_at, updated_at) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 1, ?11, ?11)";
    let values = params![
        app.as_str(),
        place.collection,
        place.slug.as_str(),
        page.new_uuid,
        document.kind(),
        document.title(&place.slug),
        document.summary(),
        document.wing(&place.slug),
        document.truth,
        document.timeline,
        now,
    ];
    run(connection, sql, values)?;
    Ok(connection.last_insert_rowid())
}

fn change(
    connection: &Connection,
    id: i64,
    version: i64,
    page: &NewPage,
) -> Result<(), StoreError> {
    let NewPage {
        place,
        document,
        now,
        ..
    } = page;
    let sql = "UPDATE pages SET kind = ?2, title = ?3, summary = ?4, wing = ?5, truth = ?6, \
               timeline = ?7, version = ?8, updated_at = ?9 WHERE id = ?1";
    let values = params![
        id,
        document.kind(),
        document.title(&place.slug),
        document.summary(),
        document.wing(&place.slug),
        document.truth,
        document.timeline,
        version,
        now,
    ];
    run(connection, sql, values)?;
    Ok(())
}

/// Vectors, statements, tags and links, made anew from the text. Tags and links that were made
/// otherwise stay.
fn read_from_text(
    connection: &Connection,
    app: &AppId,
    id: i64,
    page: &NewPage,
    model: &str,
) -> Result<(), StoreError> {
    vectors::keep(connection, id, model, page.vectors.as_deref())?;
    write_assertions(connection, app, id, page)?;
    for tag in page.document.tags() {
        let sql = "INSERT OR IGNORE INTO tags (page, tag) VALUES (?1, ?2)";
        run(connection, sql, params![id, tag])?;
    }
    write_mentions(connection, app, id, page)
}

fn write_assertions(
    connection: &Connection,
    app: &AppId,
    id: i64,
    page: &NewPage,
) -> Result<(), StoreError> {
    let sql = "SELECT subject, predicate, object, asserted_at, asserted_by FROM assertions \
               WHERE page = ?1";
    let read = |row: &rusqlite::Row<'_>| {
        let said: [String; 3] = [row.get(0)?, row.get(1)?, row.get(2)?];
        Ok((said, row.get::<_, String>(3)?, row.get::<_, String>(4)?))
    };
    let earlier = all(connection, sql, params![id], read)?;
    run(
        connection,
        "DELETE FROM assertions WHERE page = ?1",
        params![id],
    )?;
    for Assertion {
        subject,
        predicate,
        object,
        interval,
    } in &page.assertions
    {
        // What was stated before was not stated now.
        let mut known = earlier
            .iter()
            .filter(|(said, ..)| *said == [subject.as_str(), *predicate, object.as_str()]);
        let (asserted_at, by) = match known.next() {
            Some((_, at, by)) => (at, by.as_str()),
            None => (&page.now, page.person.as_deref().unwrap_or_default()),
        };
        // What does not say since when it holds does since it was said.
        let first_day = interval.from.as_ref().map(Bound::first_day);
        let first_day = first_day.unwrap_or_else(|| day_of(asserted_at));
        let last_day = interval.until.as_ref().map(Bound::last_day);
        let sql = "INSERT INTO assertions (page, subject, predicate, object, asserted_at, \
                   asserted_by, first_day, last_day, app) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        let values = params![
            id,
            subject,
            predicate,
            object,
            asserted_at,
            by,
            first_day,
            last_day,
            app.as_str()
        ];
        run(connection, sql, values)?;
    }
    Ok(())
}

/// The day of a moment in ISO 8601.
fn day_of(moment: &str) -> String {
    moment.chars().take(DAY_CHARS).collect()
}

/// Keeps which pages the text names, and links to those that are there. A page may be named before
/// it is written.
fn write_mentions(
    connection: &Connection,
    app: &AppId,
    id: i64,
    page: &NewPage,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM links WHERE from_page = ?1 AND is_written = 1";
    run(connection, sql, params![id])?;
    run(
        connection,
        "DELETE FROM mentions WHERE page = ?1",
        params![id],
    )?;
    for address in &page.wiki_links {
        let collection = address.collection.as_ref();
        let collection = collection.unwrap_or(&page.place.collection);
        let sql = "INSERT OR IGNORE INTO mentions (page, collection, slug) VALUES (?1, ?2, ?3)";
        run(
            connection,
            sql,
            params![id, collection, address.slug.as_str()],
        )?;
    }
    // CROSS JOIN keeps this order: left to itself, SQLite scans every page of the app.
    let sql = "INSERT INTO links (from_page, to_page, relationship, is_written, created_at) \
               SELECT m.page, t.id, ?3, 1, ?4 FROM mentions m CROSS JOIN pages t \
               ON t.app = ?2 AND t.slug = m.slug AND t.collection = m.collection \
               WHERE m.page = ?1";
    run(
        connection,
        sql,
        params![id, app.as_str(), WRITTEN, page.now],
    )?;
    if page.expected_version.is_none() {
        let sql = "INSERT INTO links (from_page, to_page, relationship, is_written, created_at) \
                   SELECT m.page, ?1, ?5, 1, ?6 FROM mentions m JOIN pages f ON f.id = m.page \
                   WHERE m.slug = ?2 AND m.collection = ?3 AND f.app = ?4 AND m.page <> ?1";
        let Place { collection, slug } = &page.place;
        let values = params![
            id,
            slug.as_str(),
            collection,
            app.as_str(),
            WRITTEN,
            page.now
        ];
        run(connection, sql, values)?;
    }
    Ok(())
}
