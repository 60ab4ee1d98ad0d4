//! The logs of sessions: how they are read, appended to, and taken off the list of their app.

use std::sync::Arc;
use std::time::Duration;

use super::changes::Announcement;
use super::node::{GRACE, Mark, Node, script};
use super::recovery::{records, text};
use crate::domain::clock::Time;
use crate::domain::event::Record;
use crate::domain::store::Append;
use crate::domain::store_error::StoreError;
use crate::wire::ids::{AppId, Seq, SessionId, SessionKey, ShortCode};

/// Milliseconds, as the store counts.
pub(super) fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

/// The session of a name in the list of an app, which is its short code and its id.
pub(super) fn named(name: &str) -> (ShortCode, SessionId) {
    let (code, session) = name.split_once(' ').unwrap_or(("", name));
    (ShortCode::from(code), SessionId::from(session))
}

/// The name of a session in that list.
pub(super) fn name(code: &str, key: &SessionKey) -> String {
    format!("{code} {}", key.session)
}

/// The id of the entry of a position.
fn entry_id(seq: Seq) -> String {
    format!("{}-0", seq.0)
}

/// Of a session: its position, the id of its last append, whether it is still to be listed, its code,
/// what stands for the records that are forgotten, and when it is over.
type Meta = (
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<u64>,
);

/// An entry of a log: its id, and under their names a record and the id of the append that wrote it.
type Entry = (String, (String, String, String, String));

impl Node {
    /// All that is left of a log.
    pub(super) async fn read_whole(
        &self,
        key: &SessionKey,
    ) -> Result<Option<(Mark, Vec<Arc<Record>>)>, StoreError> {
        match self.read_after(key, Seq::default(), &Mark::default()).await {
            Ok(read) => read
                .map(Some)
                .ok_or_else(|| StoreError::unavailable("nothing is left")),
            Err(StoreError::Missing) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What a log holds after a position; none where that, or the last record that is known, was lost.
    pub(super) async fn read_after(
        &self,
        key: &SessionKey,
        after: Seq,
        known: &Mark,
    ) -> Result<Option<(Mark, Vec<Arc<Record>>)>, StoreError> {
        let (meta, log) = (
            self.names.session(key, "meta"),
            self.names.session(key, "log"),
        );
        // No script: a script would make values of its own of every record.
        let mut commands = redis::pipe();
        commands
            .atomic()
            .cmd("HMGET")
            .arg(&meta)
            .arg(&["head", "last", "staged", "code", "snapshot", "expires"])
            .cmd("XRANGE")
            .arg(&log)
            .arg(entry_id(known.head))
            .arg(entry_id(known.head))
            .cmd("XRANGE")
            .arg(&log)
            .arg(format!("({}", entry_id(after)))
            .arg("+");
        let mut answer: (Meta, Vec<Entry>, Vec<Entry>) = self.all(&commands).await?;
        if answer.0.2.is_some() {
            let code = answer.0.3.unwrap_or_default();
            if !self.is_claimed(key, &code).await? {
                return Err(StoreError::Missing);
            }
            self.finish(key, &code).await?;
            answer = self.all(&commands).await?;
        }
        let ((head, last, staged, _, snapshot, expires), at_known, entries) = answer;
        let head = head
            .filter(|_| staged.is_none())
            .ok_or(StoreError::Missing)?;
        let mark = Mark {
            head: Seq(head.parse().map_err(StoreError::unavailable)?),
            write: last.unwrap_or_default(),
            expires: Time(expires.unwrap_or_default()),
        };
        // Of an entry that is forgotten nobody knows who wrote it.
        let is_by_other = |(_, (.., write)): &Entry| *write != known.write;
        let is_other = !known.write.is_empty() && at_known.first().is_some_and(is_by_other);
        if mark.head < after.max(known.head) || is_other {
            return Ok(None);
        }
        let is_gap = |(id, _): &Entry| *id != entry_id(after.next());
        let is_forgotten = entries.first().is_some_and(is_gap);
        let snapshot = snapshot.filter(|_| is_forgotten);
        let texts = entries.iter().map(|(_, (_, record, ..))| record);
        Ok(Some((mark, records(snapshot.iter().chain(texts))?)))
    }

    /// The same, after a session was recovered where that has to be.
    pub(super) async fn read_on(
        &self,
        key: &SessionKey,
        after: Seq,
    ) -> Result<Vec<Arc<Record>>, StoreError> {
        let known = self.mark(key);
        let read = match self.read_after(key, after, &known).await {
            Ok(None) => {
                self.recover(key, after, &known).await?;
                self.read_after(key, after, &Mark::default()).await
            }
            read => read,
        };
        if read.as_ref().err() == Some(&StoreError::Missing) {
            // Whoever reads is told the same, counted or not.
            let _ = self.gone(key).await;
        }
        let (mark, read) = read?
            .ok_or_else(|| StoreError::unavailable(format!("the log of {key} was lost twice")))?;
        self.saw(key, mark);
        Ok(read)
    }

    async fn is_claimed(&self, key: &SessionKey, code: &str) -> Result<bool, StoreError> {
        let mut command = redis::cmd("ZSCORE");
        let sessions = self.names.app(&key.app, "sessions");
        let score: Option<String> = self.ask(command.arg(sessions).arg(name(code, key))).await?;
        Ok(score.is_some())
    }

    /// Makes a session whose handshake is claimed one like any other.
    pub(super) async fn finish(&self, key: &SessionKey, code: &str) -> Result<(), StoreError> {
        let mut set = redis::cmd("SET");
        set.arg(self.names.code(&ShortCode::from(code)));
        set.arg(serde_json::to_string(key).map_err(StoreError::unavailable)?);
        self.ask::<()>(&set).await?;
        let mut script = script!("finish");
        script
            .key(self.names.session(key, "meta"))
            .key(self.names.session(key, "log"));
        self.run::<u8>(&script).await.map(|_| ())
    }

    /// Takes a session that is gone off the list of its app.
    pub(super) async fn unlist(&self, key: &SessionKey, code: &str) -> Result<(), StoreError> {
        self.forget(key);
        let mut del = redis::cmd("DEL");
        del.arg(self.names.code(&ShortCode::from(code)));
        self.ask::<()>(&del).await?;
        let mut remove = redis::cmd("ZREM");
        remove.arg(self.names.app(&key.app, "sessions"));
        self.ask(remove.arg(name(code, key))).await
    }

    /// The end of the lease, for a write.
    pub(super) fn lease_ends(&self) -> Result<u64, StoreError> {
        match self.lease.lock().ends {
            0 => Err(StoreError::unavailable("the lease of this node has lapsed")),
            ends => Ok(ends),
        }
    }

    /// All apps that have ever kept anything.
    pub(super) async fn apps(&self) -> Result<Vec<AppId>, StoreError> {
        let mut command = redis::cmd("SMEMBERS");
        let apps: Vec<String> = self.ask(command.arg(self.names.shared("apps"))).await?;
        Ok(apps.iter().map(|app| AppId::from(app.as_str())).collect())
    }

    /// Notes that an app keeps something.
    pub(super) async fn note(&self, app: &AppId) -> Result<(), StoreError> {
        let mut command = redis::cmd("SADD");
        command.arg(self.names.shared("apps")).arg(app.as_str());
        self.ask(&command).await
    }

    /// Appends to a log.
    pub(super) async fn append_to(&self, append: &Append) -> Result<(), StoreError> {
        let known = self.mark(&append.key);
        let grown = Announcement::Grown {
            node: self.name.clone(),
            key: append.key.clone(),
            head: append.head(),
        };
        let base = append.snapshot.as_ref().map_or(Seq(0), |record| record.seq);
        let snapshot = append.snapshot.as_ref().map(|record| text(record));
        let texts: Result<Vec<_>, _> = append.records.iter().map(|record| text(record)).collect();
        let mut script = script!("append");
        script
            .key(self.names.session(&append.key, "meta"))
            .key(self.names.session(&append.key, "log"))
            .arg(self.lease_ends()?)
            .arg(self.names.changes())
            .arg(append.expected.0)
            .arg(known.head.0)
            .arg(&known.write)
            .arg(append.id.to_string())
            .arg(append.expires_at.0)
            .arg(kept_for(append))
            .arg(base.0)
            .arg(snapshot.transpose()?.unwrap_or_default())
            .arg(grown.to_json())
            .arg(u8::from(append.is_end()))
            .arg(serde_json::to_string(&append.summary).map_err(StoreError::unavailable)?)
            .arg(texts?);
        let answer: Vec<String> = self.run(&script).await?;
        match answer.as_slice() {
            [status, code, shrinks] if status == "ok" => {
                self.written(append, code, shrinks == "1").await;
                Ok(())
            }
            [status] if status == "fenced" => {
                Err(StoreError::unavailable("the lease of this node has lapsed"))
            }
            [status] if status == "conflict" => Err(StoreError::Conflict),
            [status] if status == "lost" => {
                self.recover(&append.key, append.expected, &known).await?;
                Err(StoreError::Conflict)
            }
            _ => {
                // Whoever writes is told the same, counted or not.
                let _ = self.gone(&append.key).await;
                Err(StoreError::Missing)
            }
        }
    }

    /// What follows an append; it is done anyway by the next sweep.
    async fn written(&self, append: &Append, code: &str, ends_earlier: bool) {
        if append.is_end() {
            let _ = self.unlist(&append.key, code).await;
            return;
        }
        let mark = Mark {
            head: append.head(),
            write: append.id.to_string(),
            expires: append.expires_at,
        };
        self.saw(&append.key, mark);
        if ends_earlier {
            let sessions = self.names.app(&append.key.app, "sessions");
            let mut command = redis::cmd("ZADD");
            command.arg(sessions).arg("XX").arg(append.expires_at.0);
            command.arg(name(code, &append.key));
            let _ = self.ask::<()>(&command).await;
        }
    }
}

/// How long the store keeps a session that is not appended to again.
pub(super) fn kept_for(append: &Append) -> u64 {
    let at = append.records.last().map_or(Time(0), |last| last.fact.at);
    millis(append.expires_at.since(at) + GRACE)
}
