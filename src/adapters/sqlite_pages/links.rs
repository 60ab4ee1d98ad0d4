//! Links between pages, each with the time in which it holds.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::rows::{self, LINK, LINK_TABLES, all, check_room, count, page_id, run};
use crate::domain::brain::{Bound, Link, LinkChange, NewLink, Place, Temporal};
use crate::domain::limits::BrainLimits;
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// Holds for links that count on the day `?3`, or for all where `?2` is 1.
const HOLDS: &str = "(?2 = 1 OR ((l.first_day IS NULL OR l.first_day <= ?3) \
    AND (l.last_day IS NULL OR l.last_day >= ?3)))";

/// Makes a link, or closes an open one of the same kind where an end is told.
pub(super) fn link(
    connection: &Connection,
    app: &AppId,
    link: &NewLink,
    limits: &BrainLimits,
) -> Result<LinkChange, StoreError> {
    let from = page_id(connection, app, &link.from)?;
    let to = page_id(connection, app, &link.to)?;
    if let Some(until) = &link.interval.until {
        let sql = "SELECT id FROM links WHERE from_page = ?1 AND to_page = ?2 \
                   AND relationship = ?3 AND valid_until IS NULL AND is_written = 0 \
                   ORDER BY id DESC LIMIT 1";
        let open: Option<i64> = connection
            .query_row(sql, params![from, to, link.relationship], |row| row.get(0))
            .optional()
            .map_err(StoreError::unavailable)?;
        if let Some(id) = open {
            return Ok(LinkChange {
                link: close(connection, app, id, until)?,
                closed_existing: true,
            });
        }
    }
    let sql = "SELECT count(*) FROM links WHERE from_page = ?1";
    let links = count(connection, sql, params![from])?;
    check_room(links, "links of a page", limits.links_per_page_max)?;
    let (begins, ends) = (&link.interval.from, &link.interval.until);
    let sql = "INSERT INTO links (from_page, to_page, relationship, is_written, valid_from, \
               valid_until, first_day, last_day, created_at) \
               VALUES (?1, ?2, ?3, 0, ?4, ?5, ?6, ?7, ?8)";
    let values = params![
        from,
        to,
        link.relationship,
        begins.as_ref().map(|bound| bound.text.as_str()),
        ends.as_ref().map(|bound| bound.text.as_str()),
        begins.as_ref().map(Bound::first_day),
        ends.as_ref().map(Bound::last_day),
        link.now,
    ];
    run(connection, sql, values)?;
    Ok(LinkChange {
        link: by_id(connection, app, connection.last_insert_rowid())?,
        closed_existing: false,
    })
}

/// A link of an app.
pub(super) fn by_id(connection: &Connection, app: &AppId, id: i64) -> Result<Link, StoreError> {
    let sql = format!("SELECT {LINK} FROM {LINK_TABLES} WHERE l.id = ?1 AND f.app = ?2");
    let mut statement = connection
        .prepare_cached(&sql)
        .map_err(StoreError::unavailable)?;
    let link = statement
        .query_row(params![id, app.as_str()], rows::link)
        .optional();
    link.map_err(StoreError::unavailable)?
        .ok_or(StoreError::Missing)
}

/// Sets the end of a link. One that would begin after its end is a conflict.
pub(super) fn close(
    connection: &Connection,
    app: &AppId,
    id: i64,
    until: &Bound,
) -> Result<Link, StoreError> {
    let link = by_id(connection, app, id)?;
    let sql = "UPDATE links SET valid_until = ?2, last_day = ?3 WHERE id = ?1 \
               AND (first_day IS NULL OR first_day <= ?3)";
    let changed = run(connection, sql, params![id, until.text, until.last_day()])?;
    if changed == 0 {
        return Err(StoreError::Conflict);
    }
    Ok(link.closed(until))
}

/// Links to a page, newest first.
pub(super) fn to(
    connection: &Connection,
    app: &AppId,
    place: &Place,
    temporal: Temporal,
    today: &str,
    limit: u32,
) -> Result<Vec<Link>, StoreError> {
    let page = page_id(connection, app, place)?;
    let sql = format!(
        "SELECT {LINK} FROM {LINK_TABLES} WHERE l.to_page = ?1 AND {HOLDS} \
         ORDER BY l.id DESC LIMIT ?4"
    );
    let params = params![page, temporal == Temporal::All, today, limit];
    all(connection, &sql, params, rows::link)
}

/// Links from a page to others, oldest first.
pub(super) fn from(
    connection: &Connection,
    app: &AppId,
    place: &Place,
    temporal: Temporal,
    today: &str,
    limit: u32,
) -> Result<Vec<Link>, StoreError> {
    let page = page_id(connection, app, place)?;
    let sql = format!(
        "SELECT {LINK} FROM {LINK_TABLES} WHERE l.from_page = ?1 AND l.to_page <> ?1 AND {HOLDS} \
         ORDER BY l.id LIMIT ?4"
    );
    let params = params![page, temporal == Temporal::All, today, limit];
    all(connection, &sql, params, rows::link)
}
