//! The book of sessions: what is kept of them in memory, above whichever store keeps them for good.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Weak};

use dashmap::DashMap;
use parking_lot::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::activity::ActivityLists;
use super::cell::Cell;
use super::contracts::Contracts;
use super::decision::Decision;
use super::entry::Entry;
use super::error::BookError;
use super::loading::Loading;
use crate::domain::activity::ActivityStore;
use crate::domain::brain::Journal;
use crate::domain::clock::{Clock, Ids};
use crate::domain::contract::CompiledContract;
use crate::domain::document::DocumentHash;
use crate::domain::event::{Event, Fact, Record, SessionState};
use crate::domain::handshake::OpenHandshake;
use crate::domain::limits::Limits;
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::store::{Append, SessionStore, WriteIds};
use crate::domain::store_error::StoreError;
use crate::domain::summary::Summary;
use crate::domain::view::View;
use crate::wire::ids::{AppId, HandshakeId, Seq, SessionKey};

/// Sessions and handshakes as services work with them.
pub(crate) struct Book {
    pub(super) store: Arc<dyn SessionStore>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ids: Arc<dyn Ids>,
    pub(super) limits: Limits,
    contracts: Arc<Contracts>,
    /// The names of its appends.
    writes: WriteIds,
    /// Handshakes whose contracts are compiled.
    pub(super) handshakes: DashMap<(AppId, HandshakeId), Arc<OpenHandshake>>,
    pub(super) cells: DashMap<SessionKey, Arc<Cell>>,
    /// Sessions that are read from the store now.
    pub(super) loading: Loading,
    /// How many cells there may be before it is tried again to make room.
    pub(super) room: AtomicUsize,
    pub(super) activity: ActivityLists,
    journal: Arc<dyn Journal>,
    /// Sessions of which nobody knows whether the store holds more.
    uncertain: UnboundedSender<SessionKey>,
    pub(super) to_settle: Mutex<Option<UnboundedReceiver<SessionKey>>>,
    /// Itself, for the tasks it starts.
    pub(super) this: Weak<Self>,
}

impl Book {
    /// A book above a store.
    pub(crate) fn new(
        store: Arc<dyn SessionStore>,
        activity: Arc<dyn ActivityStore>,
        journal: Arc<dyn Journal>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Ids>,
        limits: Limits,
    ) -> Arc<Self> {
        let (uncertain, to_settle) = unbounded_channel();
        Arc::new_cyclic(|this| Self {
            writes: WriteIds::new(&*ids),
            activity: ActivityLists::new(activity, limits.log.activity_rows_max),
            journal,
            store,
            clock,
            ids,
            limits,
            contracts: Arc::default(),
            handshakes: DashMap::new(),
            cells: DashMap::new(),
            loading: Loading::default(),
            room: AtomicUsize::default(),
            uncertain,
            to_settle: Mutex::new(Some(to_settle)),
            this: Weak::clone(this),
        })
    }

    /// Compiled contracts and their views.
    pub(crate) fn contracts(&self) -> &Arc<Contracts> {
        &self.contracts
    }

    /// Claims a live handshake and creates a session, both or neither: of racing renders one wins.
    pub(crate) async fn create(
        &self,
        key: &SessionKey,
        claim: &HandshakeId,
        facts: Vec<Fact>,
        contract: Arc<CompiledContract>,
        view: Arc<View>,
    ) -> Result<Arc<Session>, StoreError> {
        let now = self.clock.now();
        let records = Record::following(Seq::default(), 0, facts);
        let state = SessionState::fold(key, &records).ok_or(StoreError::Missing)?;
        let birth = Append {
            id: self.writes.next(),
            key: key.clone(),
            expected: Seq::default(),
            records: records.clone(),
            expires_at: state.expires_at(&self.limits.sessions),
            snapshot: None,
            summary: Summary::of(&state, contract.hash()),
        };
        let create = || {
            let documents = vec![contract.document(), view.document()];
            let max = self.limits.sessions.per_app_max;
            self.store.create(claim, now, &birth, documents, max)
        };
        if let Err(error) = create().await {
            // It may be written all the same: the store knows it again.
            match error {
                StoreError::Unavailable { .. } => create().await?,
                error => return Err(error),
            }
        }
        self.handshakes.remove(&(key.app.clone(), claim.clone()));
        let session = Session {
            state,
            contract,
            first_view: view,
        };
        let cell = self.keep(Cell::new(session, records, &self.limits.log));
        let born = cell.page(Seq::default(), usize::MAX, &self.limits);
        let session = cell.session();
        self.activity.record(&session, &born.entries);
        Ok(session)
    }

    /// Reads a session that is live and the caller's to see, decides, and appends what has
    /// happened; again from the start when someone was faster. Those who decide on the same
    /// session do so one after the other, and nothing is refused before the newest state was read.
    pub(crate) async fn decide<T, E: From<BookError>>(
        &self,
        caller: &Caller,
        key: &SessionKey,
        mut decide: impl FnMut(&Session) -> Result<Decision<T>, E>,
    ) -> Result<(T, Seq), E> {
        let failed = BookError::on(key);
        let cell = self.kept(key).await.map_err(&failed)?;
        let _turn = cell.turn().await;
        if caller.attempt.is_some() && self.store.is_shared() {
            // It may have been made at another node, whose word has not come.
            cell.set_behind();
        }
        let mut is_newest = false;
        loop {
            let caught_up = self.catch_up(&cell, cell.noticed()).await;
            caught_up.map_err(&failed)?;
            let session = cell.session();
            self.check_seen(&session, &caller.principal, self.clock.now())
                .map_err(&failed)?;
            let head = session.seq;
            let decided = decide(&session);
            drop(session);
            let Decision { facts, answer } = match decided {
                Ok(decision) => decision,
                // Another node may have written what makes it right: nobody was told yet.
                Err(_) if self.store.is_shared() && !is_newest => {
                    is_newest = true;
                    cell.set_behind();
                    continue;
                }
                Err(refused) => return Err(refused),
            };
            if facts.is_empty() {
                return Ok((answer, head));
            }
            #[cfg(debug_assertions)]
            if facts.iter().any(|fact| fact.event == Event::Deleted) {
                self.assert_folds(&cell).await;
            }
            match self.append(&cell, facts).await {
                Ok(head) => return Ok((answer, head)),
                Err(StoreError::Conflict) => cell.set_behind(),
                Err(error) => return Err(failed(error).into()),
            }
        }
    }

    /// Appends where the session stands; called by whoever has the turn.
    async fn append(&self, cell: &Cell, facts: Vec<Fact>) -> Result<Seq, StoreError> {
        let append = cell.prepare(self.writes.next(), facts, &self.limits);
        let mut outcome = Outcome {
            book: self,
            cell,
            is_known: false,
        };
        let appended = self.write(&append).await;
        outcome.is_known = !matches!(appended, Err(StoreError::Unavailable { .. }));
        if let Err(error) = appended {
            if error == StoreError::Missing {
                self.close(&cell.key);
            }
            return Err(error);
        }
        if let Some(snapshot) = &append.snapshot {
            cell.snapshot_stored(snapshot);
        }
        let fresh = self.apply(cell, &append.records);
        let session = cell.session();
        self.activity.record(&session, &fresh);
        for entry in &fresh {
            self.journal.happened(&session, &entry.fact);
        }
        Ok(cell.head())
    }

    /// Writes an append. Where the store does not say what became of it, it may be written all the
    /// same: it is made once more, and the store knows it again.
    async fn write(&self, append: &Append) -> Result<(), StoreError> {
        let once = self.store.append(append).await;
        if !matches!(once, Err(StoreError::Unavailable { .. })) {
            return once;
        }
        match self.store.append(append).await {
            // The session was there when it was to end, and now it is not.
            Err(StoreError::Missing) if append.is_end() => Ok(()),
            known => known,
        }
    }

    /// Takes in records that the store holds.
    fn apply(&self, cell: &Cell, records: &[Arc<Record>]) -> Vec<Arc<Entry>> {
        let fresh = cell.apply(records, &self.limits.log);
        if fresh
            .last()
            .is_some_and(|last| last.fact.event == Event::Deleted)
        {
            self.close(&cell.key);
        }
        fresh
    }

    /// Reads what the store holds beyond this, unless it was read since that was noticed so many
    /// times; called by whoever has the turn.
    pub(super) async fn catch_up(&self, cell: &Cell, noticed: u64) -> Result<(), StoreError> {
        if cell.has_caught_up(noticed) {
            return Ok(());
        }
        // What is noticed from here on, this reading may not find.
        let noticed = cell.noticed();
        let head = cell.head();
        let read = match self.store.read(&cell.key, head).await {
            // What lies between was forgotten meanwhile.
            Ok(records)
                if records
                    .first()
                    .is_some_and(|first| matches!(first.fact.event, Event::Snapshot(_))) =>
            {
                let whole = self.open(&cell.key, records).await;
                whole.map(|whole| cell.replace(whole))
            }
            Ok(records) => {
                self.apply(cell, &records);
                Ok(())
            }
            Err(error) => Err(error),
        };
        match &read {
            Ok(()) => cell.caught_up(noticed),
            Err(StoreError::Missing) => self.close(&cell.key),
            Err(_) => {}
        }
        read
    }

    /// Forgets a session that is no longer kept; who waits for it finds it gone.
    pub(super) fn close(&self, key: &SessionKey) {
        if let Some((_, cell)) = self.cells.remove(key) {
            cell.notifiers.close();
        }
    }

    pub(super) async fn contract(
        &self,
        hash: DocumentHash,
    ) -> Result<Arc<CompiledContract>, StoreError> {
        let read = self.store.document(hash);
        self.contracts.contract(hash, read).await
    }

    pub(super) async fn view(&self, hash: DocumentHash) -> Result<Arc<View>, StoreError> {
        let read = self.store.document(hash);
        self.contracts.stored_view(hash, read).await
    }
}

/// The outcome of a write: while it is not known, the store may hold more than the session.
struct Outcome<'a> {
    book: &'a Book,
    cell: &'a Cell,
    is_known: bool,
}

impl Drop for Outcome<'_> {
    fn drop(&mut self) {
        if !self.is_known {
            self.cell.set_behind();
            // Nobody listens once the server is down.
            let _ = self.book.uncertain.send(self.cell.key.clone());
        }
    }
}
