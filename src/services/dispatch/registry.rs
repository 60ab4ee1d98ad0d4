//! What can be asked for: a map from names to handlers, which may grow while the server runs.

use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use metrics::{Counter, Histogram, SharedString, counter, histogram};
use parking_lot::RwLock;
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::Instant;

use super::super::arguments::Input;
use super::error::DispatchError;
use crate::domain::operation::{Handler, Registration, Rules, table};
use crate::wire::fault::Endpoint;

/// An operation that can be asked for.
pub(crate) struct Entry {
    pub(crate) name: Arc<str>,
    pub(crate) title: Arc<str>,
    pub(crate) description: Arc<str>,
    pub(crate) rules: Rules,
    pub(crate) input: Input,
    output: Box<dyn Fn() -> Value + Send + Sync>,
    pub(super) handler: Box<dyn Handler<DispatchError>>,
    /// Made when it is first asked for: to look a meter up by its name takes longer than the rest
    /// of its use.
    meters: OnceLock<Meters>,
}

struct Meters {
    ok: Counter,
    error: Counter,
    replays: Counter,
    seconds: Histogram,
}

impl Meters {
    fn new(name: &Arc<str>) -> Self {
        let operation = || SharedString::from(Arc::clone(name));
        let total = |outcome: &'static str| {
            counter!(
                "proscenium_operations_total", "operation" => operation(), "outcome" => outcome
            )
        };
        Self {
            ok: total("ok"),
            error: total("error"),
            replays: counter!("proscenium_replays_total", "operation" => operation()),
            seconds: histogram!("proscenium_operation_seconds", "operation" => operation()),
        }
    }
}

impl Entry {
    /// The schema of its result.
    pub(crate) fn output_schema(&self) -> Value {
        (self.output)()
    }

    fn meters(&self) -> &Meters {
        self.meters.get_or_init(|| Meters::new(&self.name))
    }

    /// Counts an operation that began at a moment, and ends with this result.
    pub(super) fn count<T>(&self, begun: Instant, result: &Result<T, DispatchError>) {
        let meters = self.meters();
        let outcome = match result {
            Ok(_) => &meters.ok,
            Err(_) => &meters.error,
        };
        outcome.increment(1);
        meters.seconds.record(begun.elapsed());
    }

    /// Counts an answer that was given before.
    pub(super) fn count_replay(&self) {
        self.meters().replays.increment(1);
    }
}

/// Everything that can be asked for, by name.
#[derive(Default)]
pub(crate) struct Registry {
    entries: RwLock<IndexMap<Arc<str>, Arc<Entry>>>,
    /// Grows with each registration: a list that was written before is written anew, and who has it
    /// is notified.
    version: watch::Sender<u64>,
}

impl Registry {
    /// From now on these can be asked for. Tools are listed in the order of the table, and what it
    /// does not name after them.
    pub(crate) fn register(&self, registrations: Vec<Registration<DispatchError>>) {
        let mut entries = self.entries.write();
        for registration in registrations {
            let Registration {
                name,
                title,
                description,
                rules,
                input,
                output,
                handler,
            } = registration;
            let entry = Entry {
                name: Arc::clone(&name),
                title,
                description,
                rules,
                input: Input::of(input),
                output,
                handler,
                meters: OnceLock::new(),
            };
            entries.insert(name, Arc::new(entry));
        }
        let place = |name: &str| {
            let place = table::TABLE.iter().position(|row| row.name == name);
            place.unwrap_or(usize::MAX)
        };
        entries.sort_by_cached_key(|name, _| place(name));
        self.version.send_modify(|version| *version += 1);
    }

    /// What is registered under a name.
    pub(crate) fn find(&self, name: &str) -> Option<Arc<Entry>> {
        self.entries.read().get(name).map(Arc::clone)
    }

    /// The tool of this name, where an endpoint lists it.
    pub(crate) fn tool(&self, endpoint: Endpoint, name: &str) -> Option<Arc<Entry>> {
        let entry = self.find(name)?;
        entry.rules.listed.contains(&endpoint).then_some(entry)
    }

    /// The tools that an endpoint lists, and the version of the list.
    pub(crate) fn tools(&self, endpoint: Endpoint) -> (u64, Vec<Arc<Entry>>) {
        let entries = self.entries.read();
        let listed = entries
            .values()
            .filter(|entry| entry.rules.listed.contains(&endpoint));
        (self.version(), listed.map(Arc::clone).collect())
    }

    /// Notifies of every registration from now on.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// The version of all lists.
    pub(crate) fn version(&self) -> u64 {
        *self.version.borrow()
    }
}
