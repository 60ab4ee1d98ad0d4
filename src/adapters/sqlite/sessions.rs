//! Sessions and handshakes in the database.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt as _, TryStreamExt as _};
use rusqlite::{Connection, OptionalExtension as _};
use serde_json::Value;

use super::append::Encoded;
use super::database::Database;
use super::documents;
use super::failure::Failure;
use super::numbers::{integer, unsigned};
use crate::domain::clock::Time;
use crate::domain::document::{Document, DocumentHash};
use crate::domain::event::Record;
use crate::domain::handshake::Handshake;
use crate::domain::store::{Append, Listed, SessionStore, StoreCounts};
use crate::domain::store_error::StoreError;
use crate::wire::ids::{AppId, HandshakeId, Seq, SessionId, SessionKey, ShortCode};

/// Expired sessions or handshakes that are freed in one transaction: what others wait for meanwhile.
const SWEPT_AT_ONCE: i64 = 32;
/// Sessions of a list that are read at once: enough that a read costs little for each, few enough that
/// they take no memory to speak of.
const LISTED_AT_ONCE: usize = 500;

/// The sessions of a database.
pub(crate) struct SqliteSessions(pub(crate) Arc<Database>);

/// The session of a key.
fn find(connection: &Connection, key: &SessionKey) -> Result<i64, Failure> {
    let select = "SELECT id FROM sessions WHERE app = ?1 AND name = ?2";
    let mut select = connection.prepare_cached(select)?;
    let found = select.query_row((key.app.as_str(), key.session.as_str()), |row| row.get(0));
    Ok(found.optional()?.ok_or(StoreError::Missing)?)
}

/// Sessions of an app after a name, in the order of their names.
fn page(connection: &Connection, app: &AppId, after: &str) -> Result<Vec<Listed>, Failure> {
    let select = "SELECT name, summary FROM sessions WHERE app = ?1 AND name > ?2
                  ORDER BY name LIMIT ?3";
    let mut select = connection.prepare_cached(select)?;
    let mut rows = select.query((app.as_str(), after, integer(LISTED_AT_ONCE as u64)))?;
    let mut listed = Vec::new();
    while let Some(row) = rows.next()? {
        let summary = row.get_ref(1)?.as_str_or_null()?;
        listed.push(Listed {
            session: SessionId::from(row.get_ref(0)?.as_str()?),
            summary: summary.map(serde_json::from_str).transpose()?,
        });
    }
    Ok(listed)
}

/// The names of the sessions of an app that begin with a text.
fn names(connection: &Connection, app: &AppId, prefix: &str) -> Result<Vec<SessionId>, Failure> {
    let select = "SELECT name FROM sessions WHERE app = ?1 AND name >= ?2 ORDER BY name";
    let mut select = connection.prepare_cached(select)?;
    let mut rows = select.query((app.as_str(), prefix))?;
    let mut names = Vec::new();
    while let Some(row) = rows.next()? {
        let name = row.get_ref(0)?.as_str()?;
        // They stand together in the index.
        if !name.starts_with(prefix) {
            break;
        }
        names.push(SessionId::from(name));
    }
    Ok(names)
}

fn records(
    connection: &Connection,
    key: &SessionKey,
    after: i64,
) -> Result<Vec<Arc<Record>>, Failure> {
    let id = find(connection, key)?;
    let select = "SELECT body FROM records WHERE session = ?1 AND seq > ?2 ORDER BY seq";
    let mut select = connection.prepare_cached(select)?;
    let mut rows = select.query((id, after))?;
    let mut records = Vec::new();
    while let Some(row) = rows.next()? {
        records.push(Arc::new(Record::from_json(row.get_ref(0)?.as_str()?)?));
    }
    Ok(records)
}

/// Refuses what would be one more than an app may have; a bound that no count reaches is none.
fn check_room(
    connection: &Connection,
    handshake: &Handshake,
    open_max: usize,
) -> Result<(), Failure> {
    if i64::try_from(open_max).is_err() {
        return Ok(());
    }
    let count =
        "SELECT count(*), min(expires_at) FROM handshakes WHERE app = ?1 AND expires_at > ?2";
    let mut count = connection.prepare_cached(count)?;
    let of = (handshake.app.as_str(), integer(handshake.created_at.0));
    let (open, free_at) = count.query_row(of, |row| {
        let free_at: Option<i64> = row.get(1)?;
        Ok((row.get(0)?, free_at))
    })?;
    if unsigned(open) < open_max as u64 {
        return Ok(());
    }
    let free_at = free_at.map(|at| Time(unsigned(at)));
    Err(StoreError::too_many_handshakes(open_max, free_at).into())
}

#[async_trait]
impl SessionStore for SqliteSessions {
    async fn put_handshake(
        &self,
        handshake: Arc<Handshake>,
        documents: Vec<Document>,
        open_max: usize,
    ) -> Result<(), StoreError> {
        let body = serde_json::to_string(&*handshake).map_err(Failure::from)?;
        self.0
            .write(move |connection| {
                check_room(connection, &handshake, open_max)?;
                let documents = documents::keep(connection, &documents)?;
                let mut insert = connection.prepare_cached(
                    "INSERT INTO handshakes (app, name, expires_at, body, documents)
                     VALUES (?1, ?2, ?3, ?4, ?5)",
                )?;
                let (app, name) = (handshake.app.as_str(), handshake.id.as_str());
                let expires_at = integer(handshake.expires_at.0);
                insert.execute((app, name, expires_at, &body, &documents))?;
                Ok(())
            })
            .await
    }

    async fn handshake(&self, app: &AppId, id: &HandshakeId) -> Result<Arc<Handshake>, StoreError> {
        let (app, id) = (app.clone(), id.clone());
        self.0
            .read(move |connection| {
                let select = "SELECT body FROM handshakes WHERE app = ?1 AND name = ?2";
                let mut select = connection.prepare_cached(select)?;
                let body =
                    select.query_row((app.as_str(), id.as_str()), |row| row.get::<_, String>(0));
                let body = body.optional()?.ok_or(StoreError::Missing)?;
                Ok(Arc::new(serde_json::from_str(&body)?))
            })
            .await
    }

    async fn create(
        &self,
        claim: &HandshakeId,
        now: Time,
        birth: &Append,
        documents: Vec<Document>,
        sessions_max: usize,
    ) -> Result<(), StoreError> {
        let code = birth.short_code().cloned();
        let (claim, birth) = (claim.clone(), Encoded::new(birth)?);
        self.0
            .write(move |connection| {
                let (app, session) = (birth.key.app.as_str(), birth.key.session.as_str());
                match birth.is_written(connection)? {
                    Some(true) => return Ok(()),
                    Some(false) => return Err(StoreError::Conflict.into()),
                    None => {}
                }
                let count = "SELECT sessions FROM apps WHERE name = ?1";
                let mut count = connection.prepare_cached(count)?;
                let count: Option<i64> = count.query_row([app], |row| row.get(0)).optional()?;
                if unsigned(count.unwrap_or(0)) >= sessions_max as u64 {
                    return Err(StoreError::too_many_sessions(sessions_max).into());
                }
                // Written before the claim is gone: what both name is not freed between.
                let documents = documents::keep(connection, &documents)?;
                let mut insert = connection.prepare_cached(
                    "INSERT INTO sessions (app, name, head, expires_at, code, documents, summary)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                )?;
                let Encoded {
                    head,
                    expires_at,
                    summary,
                    ..
                } = &birth;
                let code = code.as_ref().map(ShortCode::as_str);
                let id =
                    insert.insert((app, session, head, expires_at, code, &documents, summary))?;
                birth.write_records(connection, id)?;
                let claimed =
                    "DELETE FROM handshakes WHERE app = ?1 AND name = ?2 AND expires_at > ?3";
                let mut claimed = connection.prepare_cached(claimed)?;
                match claimed.execute((app, claim.as_str(), integer(now.0)))? {
                    0 => Err(StoreError::Missing.into()),
                    _ => Ok(()),
                }
            })
            .await
    }

    async fn append(&self, append: &Append) -> Result<(), StoreError> {
        let encoded = Encoded::new(append)?;
        self.0
            .write(move |connection| encoded.write(connection))
            .await
    }

    async fn read(&self, key: &SessionKey, after: Seq) -> Result<Vec<Arc<Record>>, StoreError> {
        let (key, after) = (key.clone(), integer(after.0));
        self.0
            .read(move |connection| records(connection, &key, after))
            .await
    }

    async fn document(&self, hash: DocumentHash) -> Result<Arc<Value>, StoreError> {
        self.0
            .read(move |connection| {
                let select = "SELECT text FROM documents WHERE hash = ?1";
                let mut select = connection.prepare_cached(select)?;
                let text = select.query_row([hash.to_string()], |row| row.get::<_, String>(0));
                let text = text.optional()?.ok_or(StoreError::Missing)?;
                Ok(Arc::new(serde_json::from_str(&text)?))
            })
            .await
    }

    fn sessions(&self, app: &AppId) -> BoxStream<'_, Result<Listed, StoreError>> {
        let app = app.clone();
        // The name after which the next page begins; none after the last one.
        let pages = stream::try_unfold(Some(String::new()), move |after| {
            let app = app.clone();
            async move {
                let Some(after) = after else {
                    return Ok::<_, StoreError>(None);
                };
                let read = move |connection: &Connection| page(connection, &app, &after);
                let page = self.0.read(read).await?;
                let is_last = page.len() < LISTED_AT_ONCE;
                let last = page.last().filter(|_| !is_last);
                let next = last.map(|last| last.session.to_string());
                Ok(Some((stream::iter(page.into_iter().map(Ok)), next)))
            }
        });
        pages.try_flatten().boxed()
    }

    async fn session_names(&self, app: &AppId, prefix: &str) -> Result<Vec<SessionId>, StoreError> {
        let (app, prefix) = (app.clone(), prefix.to_owned());
        let read = move |connection: &Connection| names(connection, &app, &prefix);
        self.0.read(read).await
    }

    async fn opened_by(&self, code: &ShortCode) -> Result<SessionKey, StoreError> {
        let code = code.clone();
        self.0
            .read(move |connection| {
                let select = "SELECT app, name FROM sessions WHERE code = ?1";
                let mut select = connection.prepare_cached(select)?;
                let key = select.query_row([code.as_str()], |row| {
                    Ok(SessionKey {
                        app: row.get_ref(0)?.as_str()?.into(),
                        session: row.get_ref(1)?.as_str()?.into(),
                    })
                });
                Ok(key.optional()?.ok_or(StoreError::Missing)?)
            })
            .await
    }

    async fn counts(&self) -> Result<StoreCounts, StoreError> {
        self.0
            .read(move |connection| {
                let select = "SELECT (SELECT count(*) FROM handshakes),
                     (SELECT coalesce(sum(sessions), 0) FROM apps)";
                Ok(connection.prepare_cached(select)?.query_row([], |row| {
                    let count = |number| usize::try_from(unsigned(number)).unwrap_or(usize::MAX);
                    Ok(StoreCounts {
                        handshakes: count(row.get(0)?),
                        sessions: count(row.get(1)?),
                    })
                })?)
            })
            .await
    }

    async fn sweep(&self, now: Time) -> Result<(), StoreError> {
        let now = integer(now.0);
        for (any, free) in [
            (
                "SELECT 1 FROM handshakes WHERE expires_at <= ?1",
                "DELETE FROM handshakes WHERE id IN
                 (SELECT id FROM handshakes WHERE expires_at <= ?1 LIMIT ?2)",
            ),
            (
                "SELECT 1 FROM sessions WHERE expires_at <= ?1",
                "DELETE FROM sessions WHERE id IN
                 (SELECT id FROM sessions WHERE expires_at <= ?1 LIMIT ?2)",
            ),
        ] {
            let is_any = move |connection: &Connection| -> Result<bool, Failure> {
                Ok(connection.prepare_cached(any)?.exists([now])?)
            };
            while self.0.read(is_any).await? {
                self.0
                    .write(move |connection| {
                        let mut free = connection.prepare_cached(free)?;
                        free.execute((now, SWEPT_AT_ONCE))?;
                        Ok(())
                    })
                    .await?;
            }
        }
        Ok(())
    }
}
