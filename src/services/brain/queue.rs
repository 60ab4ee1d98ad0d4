//! What the server writes of itself, until it is written: gathered page by page, and bounded.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use metrics::counter;
use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, sleep};

use crate::domain::action::Action;
#[cfg(feature = "gate")]
use crate::domain::brain::ApprovalStep;
use crate::domain::brain::{
    Entry, Journal, JournalDepth, Rendering, blueprint_name, is_about_pages, line_of, question_hash,
};
use crate::domain::event::{Event, Fact};
use crate::domain::limits::BrainLimits;
use crate::domain::principal::{Door, SERVER};
use crate::domain::seldom::Seldom;
use crate::domain::session::Session;
use crate::wire::ids::{AppId, SessionKey};

/// Sessions of which the journal knows what they show: those of a busy hour. Of older ones it does
/// not say so.
const SESSIONS_KNOWN_MAX: usize = 10_000;
/// A session in which something happens all the time is written after so many times the rest it
/// never has.
const RESTS_MAX: u32 = 10;

/// Why something is not written of which there is too much.
const TOO_MANY: &str = "too many pages wait (pages.journal_waiting_max)";

/// Clicks on cards that wait for what they do: people are slower.
const CLICKS_MAX: usize = 1_024;

/// What a person did on a card of the page store.
pub(crate) struct Click {
    /// The session of the card.
    pub(super) key: SessionKey,
    /// What they did.
    pub(super) action: Arc<Action>,
    /// Who.
    pub(super) by: Arc<str>,
}

/// Pages that wait to be written.
pub(crate) struct Queue {
    depth: JournalDepth,
    limits: BrainLimits,
    state: Mutex<State>,
    come: Notify,
    spoken: Seldom,
    clicks: mpsc::Sender<Click>,
}

#[derive(Default)]
struct State {
    /// What waits, by the app and the slug of its page.
    drafts: HashMap<(AppId, String), Draft>,
    /// What was negotiated and is like nothing before, by the app and the hash of its intent, and since
    /// when it waits to be shown.
    gaps: HashMap<(AppId, String), Instant>,
    sessions: HashMap<SessionKey, Known>,
    /// The same sessions, the one that was rendered first first.
    oldest: VecDeque<SessionKey>,
}

struct Draft {
    entry: Entry,
    begun: Instant,
    touched: Instant,
}

/// What is known of a session.
struct Known {
    /// The name of the page of its blueprint.
    blueprint: String,
    /// Whether a person has done something in it.
    has_acted: bool,
}

impl Queue {
    /// Nothing waits; and what people will do on cards.
    pub(crate) fn new(depth: JournalDepth, limits: BrainLimits) -> (Self, mpsc::Receiver<Click>) {
        let (clicks, clicked) = mpsc::channel(CLICKS_MAX);
        let queue = Self {
            depth,
            limits,
            state: Mutex::default(),
            come: Notify::new(),
            spoken: Seldom::default(),
            clicks,
        };
        (queue, clicked)
    }

    /// Hands a click on a card on. The card stays open where it cannot: a person can click again.
    fn click(&self, key: &SessionKey, action: &Arc<Action>, by: &Arc<str>) {
        let click = Click {
            key: key.clone(),
            action: Arc::clone(action),
            by: Arc::clone(by),
        };
        if self.clicks.try_send(click).is_err() {
            tracing::warn!(session.id = %key.session, "an answer on a card had no effect");
        }
    }

    /// Takes an entry, unless too many pages wait.
    fn keep(&self, entry: Entry) {
        let max = self.limits.journal_waiting_max;
        let rows_max = self.limits.journal_rows_max;
        let now = Instant::now();
        let mut state = self.state.lock();
        let at = (entry.app.clone(), entry.slug());
        if let Some(draft) = state.drafts.get_mut(&at) {
            draft.entry.merge(entry, rows_max);
            draft.touched = now;
        } else if state.drafts.len() >= max {
            drop(state);
            self.lost("full", &TOO_MANY);
            return;
        } else {
            let draft = Draft {
                entry,
                begun: now,
                touched: now,
            };
            state.drafts.insert(at, draft);
        }
        drop(state);
        self.come.notify_one();
    }

    /// Takes a row of the page of a session. The rest of the page never changes, and is made only
    /// where none waits.
    fn keep_row(&self, key: &SessionKey, row: String, is_last: bool, page: impl FnOnce() -> Entry) {
        let at = (key.app.clone(), Entry::slug_of_session(&key.session));
        let mut state = self.state.lock();
        if let Some(draft) = state.drafts.get_mut(&at) {
            draft.touched = Instant::now();
            draft.entry.is_last |= is_last;
            let rows_max = self.limits.journal_rows_max;
            draft.entry.add_rows([row], rows_max);
            return;
        }
        drop(state);
        let mut entry = page();
        entry.rows.push(row);
        entry.is_last = is_last;
        self.keep(entry);
    }

    /// Counts what is not written, and says so once a minute.
    pub(super) fn lost(&self, reason: &'static str, why: &dyn std::fmt::Display) {
        counter!("proscenium_journal_lost_total", "reason" => reason).increment(1);
        if let Some(count) = self.spoken.count(Instant::now().into_std()) {
            tracing::warn!(count, %why, "pages of the journal were not written");
        }
    }

    /// Returns once something may have to be written.
    pub(super) async fn pause(&self) {
        let is_empty = {
            let state = self.state.lock();
            state.drafts.is_empty() && state.gaps.is_empty()
        };
        if is_empty {
            self.come.notified().await;
        }
        sleep(Duration::from_millis(self.limits.journal_gather_ms.max(1))).await;
    }

    /// What is to be written now, or all that waits.
    pub(super) fn due(&self, is_all: bool) -> Vec<Entry> {
        let now = Instant::now();
        let rest = Duration::from_secs(self.limits.journal_idle_s);
        let is_due = |draft: &Draft| {
            is_all
                || !draft.entry.is_of_session()
                || draft.entry.is_last
                || now - draft.touched >= rest
                || now - draft.begun >= rest * RESTS_MAX
        };
        let mut state = self.state.lock();
        let due = state.drafts.extract_if(|_, draft| is_due(draft));
        due.map(|(_, draft)| draft.entry).collect()
    }

    /// What was negotiated and is not shown by now, or all of it, by the app and the hash of its intent.
    pub(super) fn gaps_due(&self, is_all: bool) -> Vec<(AppId, String)> {
        let now = Instant::now();
        let rest = Duration::from_secs(self.limits.journal_idle_s);
        let mut state = self.state.lock();
        let due = state
            .gaps
            .extract_if(|_, begun| is_all || now - *begun >= rest);
        due.map(|(gap, _)| gap).collect()
    }

    /// Whether a session has a page, or gets one by this event; the name of the page of its blueprint,
    /// and whether a person does something in it for the first time.
    fn look_up(&self, session: &Session, is_act: bool) -> (bool, Option<String>, bool) {
        let mut state = self.state.lock();
        let Some(known) = state.sessions.get_mut(&session.key) else {
            return (is_act, None, false);
        };
        let is_first = is_act && !known.has_acted;
        known.has_acted |= is_act;
        (known.has_acted, Some(known.blueprint.clone()), is_first)
    }
}

impl State {
    fn know(&mut self, key: &SessionKey, known: Known) {
        if self.sessions.insert(key.clone(), known).is_none() {
            self.oldest.push_back(key.clone());
        }
        if self.oldest.len() > SESSIONS_KNOWN_MAX
            && let Some(oldest) = self.oldest.pop_front()
        {
            self.sessions.remove(&oldest);
        }
    }
}

impl Journal for Queue {
    fn unprecedented(&self, app: &AppId, intent: &str) {
        if self.depth == JournalDepth::Off || intent.trim().is_empty() {
            return;
        }
        // The words are not kept, not even here.
        let gap = (app.clone(), question_hash(intent));
        let mut state = self.state.lock();
        let is_full = state.gaps.len() >= self.limits.journal_waiting_max;
        if is_full && !state.gaps.contains_key(&gap) {
            drop(state);
            self.lost("full", &TOO_MANY);
            return;
        }
        state.gaps.entry(gap).or_insert_with(Instant::now);
        drop(state);
        self.come.notify_one();
    }

    fn rendered(&self, rendering: &Rendering<'_>) {
        if self.depth == JournalDepth::Off {
            return;
        }
        let key = &rendering.session.key;
        let name = blueprint_name(rendering.blueprint);
        let at = (key.app.clone(), Entry::slug_of_blueprint(&name));
        let known = Known {
            blueprint: name,
            has_acted: false,
        };
        let mut state = self.state.lock();
        state.know(key, known);
        if !state.gaps.is_empty() {
            let answered = question_hash(&rendering.session.creation.intent);
            state.gaps.remove(&(key.app.clone(), answered));
        }
        if let Some(draft) = state.drafts.get_mut(&at) {
            let rows_max = self.limits.journal_rows_max;
            if draft.entry.show_again(rendering, rows_max) {
                draft.touched = Instant::now();
                return;
            }
        }
        drop(state);
        self.keep(Entry::of_blueprint(rendering));
    }

    fn happened(&self, session: &Session, fact: &Fact) {
        // What the server asks people has pages of its own.
        if &*session.creation.owner == SERVER {
            if let Event::ActionSubmitted(action) = &fact.event
                && is_about_pages(&session.key.session)
            {
                self.click(&session.key, action, &fact.principal);
            }
            return;
        }
        if self.depth == JournalDepth::Off {
            return;
        }
        let is_act = matches!(fact.event, Event::ActionSubmitted(_));
        if !is_act && !is_answer(fact) {
            return;
        }
        let (is_worth_it, blueprint, is_first) = self.look_up(session, is_act);
        if !is_worth_it {
            return;
        }
        let app = &session.key.app;
        if let (true, Some(blueprint)) = (is_first, &blueprint) {
            self.keep(Entry::of_use(app, blueprint));
        }
        let (mut what, given) = in_words(&fact.event);
        if let (JournalDepth::Values, Some(given)) = (self.depth, given) {
            let given = line_of(given, &session.contract);
            what = format!("{what}: {given}");
        }
        let row = Entry::timeline_row(fact.at, &fact.principal, &what);
        let is_last = fact.event == Event::Deleted;
        let creation = &session.creation;
        self.keep_row(&session.key, row, is_last, || {
            Entry::of_session(
                app,
                &session.key.session,
                &creation.intent,
                &creation.owner,
                blueprint.as_deref(),
            )
        });
    }

    #[cfg(feature = "gate")]
    fn decided(&self, step: ApprovalStep) {
        if self.depth == JournalDepth::Off {
            return;
        }
        let during = step
            .question
            .as_ref()
            .and_then(|asked| asked.during.as_ref());
        let during = during.filter(|key| {
            let state = self.state.lock();
            // A page of another app is none that this one could be linked to, and a session in which
            // nobody did anything has none.
            let known = state.sessions.get(key);
            key.app == step.card.app && known.is_none_or(|known| known.has_acted)
        });
        let entry = Entry::of_approval(&step, during.map(|key| &key.session));
        self.keep(entry);
    }
}

/// Whether a fact is of use beside what a person did.
fn is_answer(fact: &Fact) -> bool {
    match &fact.event {
        Event::ActionsDrained(_) | Event::Updated { .. } | Event::Deleted => true,
        // The others are the server's own, and a page that it passes on is no answer.
        Event::Emitted(item) => fact.door != Door::Server && !item.channel.starts_with('_'),
        _ => false,
    }
}

/// What happened, and what was given with it.
fn in_words(event: &Event) -> (String, Option<&Value>) {
    match event {
        Event::ActionSubmitted(action) => {
            let name = action.gesture.intent();
            // What the protocol itself asks for is nothing a person gave.
            let given = (!name.starts_with('_')).then(|| action.gesture.data());
            (format!("did {name}"), given.filter(|data| !data.is_null()))
        }
        Event::ActionsDrained(ids) => (format!("took {} of what was done", ids.len()), None),
        Event::Emitted(item) => {
            let what = format!("answered on {}", item.channel);
            (what, Some(&item.payload))
        }
        Event::Updated { props, .. } => ("answered with other props".to_owned(), Some(props)),
        _ => ("ended the session".to_owned(), None),
    }
}
