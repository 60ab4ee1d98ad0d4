//! The sessions that somebody watches and whose channels pages feed, and which of these channels may
//! have to be told something.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use metrics::counter;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::domain::brain::{Address, PageFeeds, Place, Slug, Watch, page_channels};
use crate::domain::contract::CompiledContract;
use crate::domain::limits::Limits;
use crate::domain::places::{Place as Room, Places};
use crate::domain::seldom::Seldom;
use crate::domain::session::Session;
use crate::wire::ids::{AppId, SessionKey};

/// A page as it was at a moment: another page at the same address has another id.
pub(super) type Seen = (String, i64);

/// A channel of a session, and the page that feeds it.
#[derive(Clone, Debug)]
pub(super) struct Feed {
    pub(super) key: SessionKey,
    pub(super) contract: Arc<CompiledContract>,
    pub(super) channel: Arc<str>,
    /// The page, as the contract names it.
    pub(super) page: String,
    slug: Slug,
    /// What of the page was looked at last.
    pub(super) seen: Option<Seen>,
}

/// A session that somebody watches.
struct Watched {
    watchers: usize,
    feeds: Vec<Feed>,
    /// The places of its channels.
    _room: Room<AppId>,
}

#[derive(Default)]
struct State {
    watched: HashMap<SessionKey, Watched>,
    /// Where a page of a slug is shown, in whichever collection it stands.
    shown: HashMap<(AppId, Slug), BTreeSet<SessionKey>>,
    /// Sessions whose pages are to be looked at.
    due: BTreeSet<SessionKey>,
}

/// Channels that pages feed.
pub(crate) struct Feeds {
    per_session_max: usize,
    payload_bytes_max: usize,
    rooms: Arc<Places<AppId>>,
    state: Mutex<State>,
    come: Notify,
    spoken: Seldom,
}

/// Somebody who watches a session.
struct Watcher {
    feeds: Arc<Feeds>,
    key: SessionKey,
}

impl Feeds {
    /// Nobody watches.
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            per_session_max: limits.pages.feeds_per_session_max,
            payload_bytes_max: limits.emits.payload_bytes_max,
            rooms: Arc::new(Places::new(limits.pages.feeds_per_app_max)),
            state: Mutex::default(),
            come: Notify::new(),
            spoken: Seldom::default(),
        }
    }

    /// Bytes of an item at most.
    pub(super) fn payload_bytes_max(&self) -> usize {
        self.payload_bytes_max
    }

    /// A page may have changed, or any where none is named.
    pub(super) fn changed(&self, page: Option<(AppId, Place)>) {
        let mut state = self.state.lock();
        let State {
            watched,
            shown,
            due,
        } = &mut *state;
        match page {
            Some((app, place)) => {
                due.extend(shown.get(&(app, place.slug)).into_iter().flatten().cloned())
            }
            None => due.extend(watched.keys().cloned()),
        }
    }

    /// The same sessions are to be looked at again.
    pub(super) fn again(&self, sessions: Vec<SessionKey>) {
        self.state.lock().due.extend(sessions);
        self.come.notify_one();
    }

    /// Returns once somebody begins to watch, or something is to be looked at again.
    pub(super) async fn come(&self) {
        self.come.notified().await;
    }

    /// The channels that are to be looked at.
    pub(super) fn due(&self) -> Vec<Feed> {
        let mut state = self.state.lock();
        let mut feeds = Vec::new();
        for key in std::mem::take(&mut state.due) {
            if let Some(watched) = state.watched.get(&key) {
                feeds.extend(watched.feeds.iter().cloned());
                state.forget_unwatched(&key);
            }
        }
        feeds
    }

    /// Remembers what of a page was looked at for a channel.
    pub(super) fn saw(&self, feed: &Feed, seen: Seen) {
        let mut state = self.state.lock();
        let watched = state.watched.get_mut(&feed.key);
        let feeds = watched.into_iter().flat_map(|watched| &mut watched.feeds);
        for known in feeds.filter(|known| known.channel == feed.channel) {
            known.seen = Some(seen.clone());
        }
    }

    /// Counts what a channel was not told, and says so once a minute.
    pub(super) fn lost(&self, key: &SessionKey, reason: &'static str, why: &dyn std::fmt::Display) {
        counter!("proscenium_page_feeds_lost_total", "reason" => reason).increment(1);
        if let Some(count) = self.spoken.count(Instant::now().into_std()) {
            tracing::warn!(count, session.id = %key.session, %why, "pages did not reach channels");
        }
    }

    /// The channels of a session that pages feed; those above the limit are not fed.
    fn of(&self, session: &Session) -> Vec<Feed> {
        let channels = page_channels(session.contract.contract());
        let feeds = channels.take(self.per_session_max).filter_map(|fed| {
            Some(Feed {
                key: session.key.clone(),
                contract: Arc::clone(&session.contract),
                channel: fed.channel.into(),
                // The handshake has told what is wrong with it.
                slug: Address::parse(fed.page).ok()?.slug,
                page: fed.page.to_owned(),
                seen: None,
            })
        });
        feeds.collect()
    }

    fn leave(&self, key: &SessionKey) {
        let mut state = self.state.lock();
        if let Some(left) = state.watched.get_mut(key) {
            left.watchers -= 1;
        }
        // Who comes for a moment again and again finds next time what is looked at now.
        if !state.due.contains(key) {
            state.forget_unwatched(key);
        }
    }
}

impl State {
    /// Forgets a session that nobody watches any more.
    fn forget_unwatched(&mut self, key: &SessionKey) {
        if self.watched.get(key).is_none_or(|left| left.watchers > 0) {
            return;
        }
        let gone = self.watched.remove(key);
        for feed in gone.into_iter().flat_map(|gone| gone.feeds) {
            let of = (key.app.clone(), feed.slug);
            if let Some(sessions) = self.shown.get_mut(&of) {
                sessions.remove(key);
                if sessions.is_empty() {
                    self.shown.remove(&of);
                }
            }
        }
    }
}

impl PageFeeds for Feeds {
    fn watch(self: Arc<Self>, session: &Session) -> Option<Watch> {
        let feeds = self.of(session);
        if feeds.is_empty() {
            return None;
        }
        let key = session.key.clone();
        let mut state = self.state.lock();
        if let Some(watched) = state.watched.get_mut(&key) {
            watched.watchers += 1;
        } else {
            let mut room = self.rooms.hold(&key.app);
            if let Err(full) = room.grow(feeds.len()) {
                drop(state);
                let why = format!("{} channels are fed (pages.feeds_per_app_max)", full.max());
                self.lost(&key, "full", &why);
                return None;
            }
            for feed in &feeds {
                let of = (key.app.clone(), feed.slug.clone());
                state.shown.entry(of).or_default().insert(key.clone());
            }
            let watched = Watched {
                watchers: 1,
                feeds,
                _room: room,
            };
            state.watched.insert(key.clone(), watched);
        }
        state.due.insert(key.clone());
        drop(state);
        self.come.notify_one();
        Some(Box::new(Watcher { feeds: self, key }))
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.feeds.leave(&self.key);
    }
}
