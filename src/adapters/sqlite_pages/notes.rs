//! What is kept about pages: tags, data, gaps, contradictions, and how much there is of everything.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::rows::{self, PAGES, all, check_room, count, page_id, place, run};
use crate::domain::brain::{
    Conflict, Gap, GapApproval, NewGap, NewPage, NewRaw, Place, RawOutcome, StoredCounts,
};
use crate::domain::limits::BrainLimits;
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// Pairs of statements `a` and `b` of pages `p` and `o` of the app `?1` that held at the same time. Each
/// is compared only with the next `?2` of the same subject and predicate, because the number of all pairs
/// grows with the square of the statements. What two people prefer is no contradiction.
const CONFLICTS: &str = "assertions a CROSS JOIN assertions b ON b.id IN (SELECT c.id FROM assertions c \
    WHERE c.app = a.app AND c.subject = a.subject AND c.predicate = a.predicate AND c.id > a.id \
    ORDER BY c.id LIMIT ?2) AND b.object <> a.object \
    AND coalesce(a.last_day, '9999') >= max(a.first_day, b.first_day) \
    AND coalesce(b.last_day, '9999') >= max(a.first_day, b.first_day) \
    CROSS JOIN pages p ON p.id = a.page CROSS JOIN pages o ON o.id = b.page \
    WHERE a.app = ?1 \
    AND NOT (p.slug LIKE 'preferences/%' AND o.slug LIKE 'preferences/%' \
    AND a.asserted_by <> '' AND b.asserted_by <> '' AND a.asserted_by <> b.asserted_by)";

/// Adds tags, then removes some.
pub(super) fn tags(
    connection: &Connection,
    app: &AppId,
    place: &Place,
    add: &[String],
    remove: &[String],
    max: usize,
) -> Result<Vec<String>, StoreError> {
    let page = page_id(connection, app, place)?;
    for tag in add {
        let sql = "INSERT OR IGNORE INTO tags (page, tag) VALUES (?1, ?2)";
        run(connection, sql, params![page, tag])?;
    }
    for tag in remove {
        let sql = "DELETE FROM tags WHERE page = ?1 AND tag = ?2";
        run(connection, sql, params![page, tag])?;
    }
    let tags = rows::tags(connection, page)?;
    if !add.is_empty() && tags.len() > max {
        return Err(StoreError::full("tags of a page", max));
    }
    Ok(tags)
}

/// Keeps data about a page; what it replaces is kept for a while.
pub(super) fn put_raw(
    connection: &Connection,
    app: &AppId,
    raw: &NewRaw,
    limits: &BrainLimits,
) -> Result<RawOutcome, StoreError> {
    let page = page_id(connection, app, &raw.place)?;
    let sql = "UPDATE raw_data SET is_active = 0 \
               WHERE page = ?1 AND source = ?2 AND is_active = 1 AND ?3 = 1";
    run(connection, sql, params![page, raw.source, raw.overwrite])?;
    let sql = "INSERT INTO raw_data (page, source, data, is_active, stored_at) \
               SELECT ?1, ?2, ?3, 1, ?4 WHERE NOT EXISTS \
               (SELECT 1 FROM raw_data WHERE page = ?1 AND source = ?2 AND is_active = 1)";
    let added = run(
        connection,
        sql,
        params![page, raw.source, raw.data, raw.now],
    )?;
    if added == 0 {
        return Ok(RawOutcome::Exists);
    }
    let id = connection.last_insert_rowid();
    let sql = "SELECT count(DISTINCT source) FROM raw_data WHERE page = ?1 AND source <> ?2";
    let others = count(connection, sql, params![page, raw.source])?;
    let max = limits.raw_sources_per_page_max;
    check_room(others, "sources of raw data of a page", max)?;
    let kept = i64::try_from(limits.raw_versions_max).unwrap_or(i64::MAX);
    let sql = "DELETE FROM raw_data WHERE page = ?1 AND source = ?2 AND id NOT IN \
               (SELECT id FROM raw_data WHERE page = ?1 AND source = ?2 ORDER BY id DESC LIMIT ?3)";
    run(connection, sql, params![page, raw.source, kept])?;
    Ok(RawOutcome::Kept(id))
}

/// Keeps a gap by its hash.
pub(super) fn add_gap(
    connection: &Connection,
    app: &AppId,
    gap: &NewGap,
    limits: &BrainLimits,
) -> Result<Gap, StoreError> {
    let page = match &gap.place {
        Some(place) => Some(page_id(connection, app, place)?),
        None => None,
    };
    let sql = "INSERT INTO gaps (app, page, query_hash, detected_at, confidence_score) \
               VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (app, query_hash) DO UPDATE SET \
               resolved_at = NULL, resolved_by_slug = NULL, \
               confidence_score = coalesce(excluded.confidence_score, confidence_score)";
    let NewGap {
        query_hash,
        now,
        confidence,
        ..
    } = gap;
    let values = params![app.as_str(), page, query_hash, now, confidence];
    run(connection, sql, values)?;
    let kept = i64::try_from(limits.gaps_per_app_max).unwrap_or(i64::MAX);
    let sql = "DELETE FROM gaps WHERE app = ?1 AND id <= \
               (SELECT id FROM gaps WHERE app = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)";
    run(connection, sql, params![app.as_str(), kept])?;
    one_gap(connection, app, &gap.query_hash)
}

/// The gap of a question, by its hash.
pub(super) fn one_gap(
    connection: &Connection,
    app: &AppId,
    query_hash: &str,
) -> Result<Gap, StoreError> {
    let sql = format!("SELECT {GAP} FROM gaps WHERE app = ?1 AND query_hash = ?2");
    let mut statement = connection
        .prepare_cached(&sql)
        .map_err(StoreError::unavailable)?;
    let kept = statement.query_row(params![app.as_str(), query_hash], read_gap);
    kept.optional()
        .map_err(StoreError::unavailable)?
        .ok_or(StoreError::Missing)
}

/// Notes that a page answers a gap.
pub(super) fn resolve_gap(
    connection: &Connection,
    app: &AppId,
    gap: i64,
    by: &Place,
    now: &str,
) -> Result<(), StoreError> {
    let sql = "UPDATE gaps SET resolved_at = ?3, resolved_by_slug = ?4 \
               WHERE app = ?1 AND id = ?2 AND resolved_at IS NULL";
    let values = params![app.as_str(), gap, now, by.to_string()];
    run(connection, sql, values).map(|_| ())
}

/// Notes that a page that was just written answers what is asked about it, and what its name says.
pub(super) fn resolve_by(
    connection: &Connection,
    app: &AppId,
    id: i64,
    page: &NewPage,
) -> Result<(), StoreError> {
    let by = page.place.to_string();
    let sql = "UPDATE gaps SET resolved_at = ?3, resolved_by_slug = ?4 \
               WHERE app = ?1 AND page = ?2 AND resolved_at IS NULL";
    run(connection, sql, params![app.as_str(), id, page.now, by])?;
    for hash in &page.answers {
        let sql = "UPDATE gaps SET resolved_at = ?3, resolved_by_slug = ?4 \
                   WHERE app = ?1 AND query_hash = ?2 AND resolved_at IS NULL";
        run(connection, sql, params![app.as_str(), hash, page.now, by])?;
    }
    Ok(())
}

/// The columns that [`read_gap`] reads.
const GAP: &str = "id, page, query_hash, detected_at, sensitivity, coalesce(redacted_query, query_text), \
     confidence_score, resolved_at, resolved_by_slug";

fn read_gap(row: &Row<'_>) -> Result<Gap, rusqlite::Error> {
    Ok(Gap {
        id: row.get(0)?,
        page_id: row.get(1)?,
        query_hash: row.get(2)?,
        detected_at: row.get(3)?,
        sensitivity: row.get(4)?,
        shared_query: row.get(5)?,
        confidence: row.get(6)?,
        resolved_at: row.get(7)?,
        resolved_by: row.get(8)?,
    })
}

/// Notes what a person has agreed to.
pub(super) fn share_gap(
    connection: &Connection,
    app: &AppId,
    approval: &GapApproval,
) -> Result<(), StoreError> {
    let GapApproval {
        gap,
        words,
        is_redacted,
        by,
        now,
    } = approval;
    let (sensitivity, own, redacted) = match is_redacted {
        true => ("redacted", None, Some(words)),
        false => ("external", Some(words), None),
    };
    let sql = "UPDATE gaps SET sensitivity = ?3, query_text = ?4, redacted_query = ?5, \
               approved_by = ?6, approved_at = ?7 WHERE app = ?1 AND id = ?2";
    let values = params![app.as_str(), gap, sensitivity, own, redacted, by, now];
    match run(connection, sql, values)? {
        0 => Err(StoreError::Missing),
        _ => Ok(()),
    }
}

/// Gaps, newest first.
pub(super) fn gaps(
    connection: &Connection,
    app: &AppId,
    is_all: bool,
    limit: u32,
) -> Result<Vec<Gap>, StoreError> {
    let sql = format!(
        "SELECT {GAP} FROM gaps WHERE app = ?1 AND (?2 OR resolved_at IS NULL) \
         ORDER BY id DESC LIMIT ?3"
    );
    let values = params![app.as_str(), is_all, limit];
    all(connection, &sql, values, read_gap)
}

/// Contradictions in the order of subjects; each statement is compared with at most `compared` others.
pub(super) fn conflicts(
    connection: &Connection,
    app: &AppId,
    of: Option<&Place>,
    compared: u32,
    limit: u32,
) -> Result<Vec<Conflict>, StoreError> {
    let page = of
        .map(|place| page_id(connection, app, place))
        .transpose()?;
    let sql = format!(
        "SELECT a.subject, a.predicate, \
         p.collection, p.slug, a.object, a.first_day, a.asserted_at, \
         o.collection, o.slug, b.object, b.first_day, b.asserted_at \
         FROM {CONFLICTS} AND (?3 IS NULL OR a.page = ?3 OR b.page = ?3) \
         ORDER BY a.subject, a.predicate, a.id, b.id LIMIT ?4"
    );
    let values = params![app.as_str(), compared, page, limit];
    all(connection, &sql, values, |row| {
        // Writing a page again gives its old statements new ids, so ids alone do not tell which came first.
        let is_swapped = row.get::<_, String>(11)? < row.get::<_, String>(6)?;
        let (earlier, later) = if is_swapped { (7, 2) } else { (2, 7) };
        Ok(Conflict {
            subject: row.get(0)?,
            predicate: row.get(1)?,
            page: place(row, earlier)?,
            object: row.get(earlier + 2)?,
            other: place(row, later)?,
            other_object: row.get(later + 2)?,
            since: row.get(later + 3)?,
            detected_at: row.get(later + 4)?,
        })
    })
}

/// How much there is of everything.
pub(super) fn counts(
    connection: &Connection,
    app: &AppId,
    compared: u32,
) -> Result<StoredCounts, StoreError> {
    let of_pages = |table: &str, column: &str| {
        format!("SELECT count(*) FROM {table} x JOIN pages p ON p.id = x.{column} WHERE p.app = ?1")
    };
    let of_app = |sql: &str| count(connection, sql, [app.as_str()]);
    let conflicts = format!("SELECT count(*) FROM {CONFLICTS}");
    let version = connection.pragma_query_value(None, "user_version", |row| row.get(0));
    Ok(StoredCounts {
        pages: of_app(PAGES)?,
        links: of_app(&of_pages("links", "from_page"))?,
        assertions: of_app(&of_pages("assertions", "page"))?,
        conflicts: count(connection, &conflicts, params![app.as_str(), compared])?,
        open_gaps: of_app("SELECT count(*) FROM gaps WHERE app = ?1 AND resolved_at IS NULL")?,
        vectors: of_app(&of_pages("vectors", "page"))?,
        bytes: of_app(
            "SELECT coalesce(sum(octet_length(v.content)), 0) FROM versions v \
             JOIN pages p ON p.id = v.page WHERE p.app = ?1",
        )?,
        schema_version: version.map_err(StoreError::unavailable)?,
    })
}
