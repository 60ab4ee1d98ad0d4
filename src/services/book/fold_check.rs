//! Whether what is stored comes to what is shown: builds for tests ask it of every session.

use std::collections::HashSet;
use std::sync::Arc;

use futures_util::StreamExt as _;

use super::cell::Cell;
use super::service::Book;
use crate::domain::event::{Event, Record, SessionState};
use crate::domain::store_error::StoreError;
use crate::domain::summary::Summary;
use crate::wire::ids::{AppId, Epoch, Seq, SessionKey};

impl Book {
    /// The sessions in memory whose stored events come to something else than is shown of them, now
    /// or in an earlier epoch: a sentence each. Ends with the first reading that fails.
    pub(crate) async fn fold_mismatches(&self) -> Vec<String> {
        let cells: Vec<_> = self.cells.iter().map(|cell| Arc::clone(&cell)).collect();
        let mut mismatches = Vec::new();
        for cell in cells {
            match self.fold_mismatch(&cell).await {
                Ok(mismatch) => mismatches.extend(mismatch),
                Err(_) => break,
            }
        }
        mismatches
    }

    /// The same of what is listed of all sessions of the apps in memory, once nobody writes any more.
    pub(crate) async fn list_mismatches(&self) -> Vec<String> {
        let mut mismatches = Vec::new();
        if self.store.is_shared() {
            // Other nodes go on writing.
            return mismatches;
        }
        let apps: HashSet<_> = self.cells.iter().map(|cell| cell.key.app.clone()).collect();
        for app in apps {
            match self.list_mismatches_of(&app).await {
                Ok(found) => mismatches.extend(found),
                Err(_) => break,
            }
        }
        mismatches
    }

    /// The same as [`Book::fold_mismatches`] of one session that is about to end. A shared store may
    /// have lost what it has acknowledged, which its adapter recovers from.
    pub(super) async fn assert_folds(&self, cell: &Cell) {
        if !self.store.is_shared() {
            let mismatch = self.fold_mismatch(cell).await.ok().flatten();
            assert!(mismatch.is_none(), "{}", mismatch.unwrap_or_default());
        }
    }

    async fn fold_mismatch(&self, cell: &Cell) -> Result<Option<String>, StoreError> {
        let live = cell.session();
        let Some(mut records) = self.stored(&cell.key).await? else {
            return Ok(None);
        };
        let is_ahead = records.first().is_some_and(|first| first.seq > live.seq);
        let is_cut = records.last().is_none_or(|last| last.seq < live.seq);
        if is_ahead || is_cut && self.store.is_shared() {
            return Ok(None);
        }
        records.retain(|record| record.seq <= live.seq);
        let differs = |when: &str, records: &[Arc<Record>], shown: &SessionState| {
            let folded = SessionState::fold(&cell.key, records);
            (folded.as_ref() != Some(shown)).then(|| {
                format!(
                    "{}: {} stored events come {when} to\n{folded:?}\nand the session is\n{shown:?}",
                    cell.key,
                    records.len(),
                )
            })
        };
        let ended = ended_epochs(&records).into_iter();
        let mut ended = ended.filter_map(|(epoch, end)| {
            let shown = cell.at(epoch)?;
            differs(&format!("in epoch {epoch}"), &records[..end], &shown.state)
        });
        Ok(differs("now", &records, &live.state).or_else(|| ended.next()))
    }

    async fn list_mismatches_of(&self, app: &AppId) -> Result<Vec<String>, StoreError> {
        let mut mismatches = Vec::new();
        let mut sessions = self.store.sessions(app);
        while let Some(listed) = sessions.next().await {
            let listed = listed?;
            let key = SessionKey {
                app: app.clone(),
                session: listed.session,
            };
            let (Some(listed), Some(records)) = (listed.summary, self.stored(&key).await?) else {
                continue;
            };
            let folded = SessionState::fold(&key, &records);
            let folded = folded.map(|state| Summary::of(&state, &listed.contract));
            if folded.as_ref() != Some(&listed) {
                mismatches.push(format!(
                    "{key}: its events come to\n{folded:?}\nand it is listed as\n{listed:?}"
                ));
            }
        }
        Ok(mismatches)
    }

    /// What is kept of a session's log, as a later process would read it; none where the session was
    /// deleted meanwhile.
    async fn stored(&self, key: &SessionKey) -> Result<Option<Vec<Arc<Record>>>, StoreError> {
        let stored = match self.store.read(key, Seq::default()).await {
            Err(StoreError::Missing) => return Ok(None),
            stored => stored?,
        };
        let read = stored.iter().map(|record| {
            let text = record.to_json()?;
            Record::from_json(&text).map(Arc::new)
        });
        let read: serde_json::Result<Vec<_>> = read.collect();
        assert!(read.is_ok(), "{key}: {read:?}");
        Ok(read.ok())
    }
}

/// Each epoch that has ended, and how many of the records belong to it and those before it.
fn ended_epochs(records: &[Arc<Record>]) -> Vec<(Epoch, usize)> {
    let mut ended = Vec::new();
    let mut current = Epoch::default();
    for (index, record) in records.iter().enumerate() {
        match &record.fact.event {
            Event::Snapshot(state) => current = state.epoch,
            Event::Updated { epoch, .. } if *epoch > current => {
                ended.push((current, index));
                current = *epoch;
            }
            _ => {}
        }
    }
    ended
}
