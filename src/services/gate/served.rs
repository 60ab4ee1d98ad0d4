//! One server behind the gate, with the lists it gave last.

use std::sync::Arc;

use parking_lot::Mutex as Lock;
use serde_json::{Map, Value};
use tokio::sync::{Mutex, Semaphore};
use tokio::time::{Instant, timeout};
use tracing::Instrument as _;

use super::error::GateError;
use super::followed::Followed;
use super::kind::Kind;
use super::meters;
use crate::domain::gate::{Connection, Requester, Upstream, UpstreamError, Upstreams};
use crate::domain::limits::GateLimits;
use crate::wire::fault::Code;

/// The number with which servers say that they do not know a method.
const METHOD_NOT_FOUND: Option<i32> = Code::MethodNotFound.row().legacy;

/// The entries of a list.
pub(super) type Entries = Arc<Vec<Map<String, Value>>>;

/// A list as it was given.
struct Given {
    entries: Entries,
    /// When it was asked for.
    asked: Instant,
    /// What the server's lists were counted at before.
    version: u64,
}

/// A list, and who is asking for it.
#[derive(Default)]
struct List {
    asking: Mutex<()>,
    given: Lock<Option<Given>>,
    /// When it was last asked for in vain, and why.
    failed: Lock<Option<(Instant, UpstreamError)>>,
}

/// One server behind the gate.
pub(super) struct Served {
    /// How it is reached.
    pub(super) connection: Connection,
    upstream: Arc<dyn Upstream>,
    pub(super) limits: GateLimits,
    /// What somebody follows.
    pub(super) followed: Arc<Followed>,
    lists: [List; 4],
    places: Semaphore,
}

impl Served {
    /// The server at this place.
    pub(super) fn open(
        connection: Connection,
        upstreams: &dyn Upstreams,
        limits: &GateLimits,
    ) -> Self {
        let followed = Arc::<Followed>::default();
        let listeners = Arc::clone(&followed);
        let upstream = upstreams.open(
            &connection,
            Arc::new(move |app, caller, uri| listeners.changed(app, caller, uri)),
        );
        let max = limits
            .requests_per_server_max
            .clamp(1, Semaphore::MAX_PERMITS);
        Self {
            connection,
            upstream,
            limits: limits.clone(),
            followed,
            lists: Default::default(),
            places: Semaphore::new(max),
        }
    }

    /// The name that the server gave itself.
    pub(super) fn server(&self) -> Option<Arc<str>> {
        self.upstream.server()
    }

    /// Asks the server, for somebody it may tell things meanwhile, and ask.
    pub(super) async fn request(
        &self,
        method: &'static str,
        params: Map<String, Value>,
        requester: Option<Arc<dyn Requester>>,
    ) -> Result<Value, GateError> {
        let _place = self.places.try_acquire().map_err(|_| GateError::Busy)?;
        Ok(self.ask_for(method, params, requester).await?)
    }

    async fn ask_for(
        &self,
        method: &'static str,
        params: Map<String, Value>,
        requester: Option<Arc<dyn Requester>>,
    ) -> Result<Value, UpstreamError> {
        let begun = Instant::now();
        let source = &*self.connection.id;
        let span = tracing::info_span!(
            "services.gate.request",
            gate.source = source,
            rpc.method = method
        );
        let answered = self.upstream.request(method, params, requester);
        let answered = answered.instrument(span).await;
        meters::count_request(&self.connection.id, begun, &answered);
        answered
    }

    /// The list it gave last, unless it has said since that it changed.
    pub(super) fn given(&self, kind: Kind) -> Option<Entries> {
        let given = self.lists[kind as usize].given.lock();
        let given = given.as_ref()?;
        (given.version == self.upstream.version()).then(|| Arc::clone(&given.entries))
    }

    /// Its list, waiting for it as long as all other servers can wait; then what it gave last.
    pub(super) async fn list_soon(self: Arc<Self>, kind: Kind) -> Result<Entries, UpstreamError> {
        let wait = self.limits.list_wait();
        let listing = Arc::clone(&self).list(kind);
        let is_asked = self.lists[kind as usize].asking.try_lock().is_err();
        let listed = if is_asked {
            timeout(wait, listing).await
        } else {
            // Goes on when nobody waits any more: the next who asks has it.
            let listed = timeout(wait, tokio::spawn(listing)).await;
            listed.map(|listed| listed.unwrap_or(Err(UpstreamError::Timeout)))
        };
        let listed = listed.unwrap_or(Err(UpstreamError::Timeout));
        listed.or_else(|error| {
            let given = self.lists[kind as usize].given.lock();
            given
                .as_ref()
                .map(|given| Arc::clone(&given.entries))
                .ok_or(error)
        })
    }

    /// Its list: as it was given a moment ago, or asked for now. Of all who come while it is asked
    /// for, one asks again, and the others have what comes of that.
    pub(super) async fn list(self: Arc<Self>, kind: Kind) -> Result<Entries, UpstreamError> {
        let begun = Instant::now();
        let list = &self.lists[kind as usize];
        let _asking = list.asking.lock().await;
        if let Some(entries) = self.fresh(list, begun) {
            return Ok(entries);
        }
        match &*list.failed.lock() {
            Some((asked, error)) if *asked >= begun => return Err(error.clone()),
            _ => {}
        }
        let (asked, version) = (Instant::now(), self.upstream.version());
        let entries = match self.ask(kind).await {
            Ok(entries) => entries,
            // It has no list of that kind.
            Err(UpstreamError::Answered { code, .. }) if Some(code) == METHOD_NOT_FOUND => {
                Vec::new()
            }
            Err(error) => {
                *list.failed.lock() = Some((asked, error.clone()));
                return Err(error);
            }
        };
        let entries = Arc::new(entries);
        *list.given.lock() = Some(Given {
            entries: Arc::clone(&entries),
            asked,
            // The first question connects the server, which is no change of its lists.
            version: version.max(1),
        });
        Ok(entries)
    }

    /// The list that was given, if it is as good as one that is asked for now.
    fn fresh(&self, list: &List, begun: Instant) -> Option<Entries> {
        let given = list.given.lock();
        let given = given.as_ref()?;
        let is_recent = given.asked >= begun || given.asked.elapsed() < self.limits.list_ttl();
        let is_fresh = is_recent && given.version == self.upstream.version();
        is_fresh.then(|| Arc::clone(&given.entries))
    }

    /// Every page of a list.
    async fn ask(&self, kind: Kind) -> Result<Vec<Map<String, Value>>, UpstreamError> {
        let max = self.limits.list_entries_max;
        let mut entries = Vec::new();
        let mut cursor = None;
        loop {
            let params = cursor.map(|cursor| ("cursor".to_owned(), Value::String(cursor)));
            let params = params.into_iter().collect();
            let mut page = self.ask_for(kind.method(), params, None).await?;
            let Value::Array(listed) = page[kind.member()].take() else {
                return Err(UpstreamError::Unusable(format!(
                    "{} is no list",
                    kind.member()
                )));
            };
            let is_last = listed.is_empty();
            for entry in listed {
                match entry {
                    Value::Object(entry) if kind.name(&entry).is_some() => entries.push(entry),
                    _ => {
                        let why = format!("an entry of {} has no {}", kind.member(), kind.key());
                        return Err(UpstreamError::Unusable(why));
                    }
                }
            }
            if entries.len() > max {
                return Err(UpstreamError::Unusable(format!(
                    "{} has more than {max} entries (gate.list_entries_max)",
                    kind.member()
                )));
            }
            match page["nextCursor"].take() {
                Value::String(next) if !is_last => cursor = Some(next),
                _ => return Ok(entries),
            }
        }
    }
}
