//! A thousand approvals at once, each decided and called by several: every call is made once at most,
//! and exactly once where a person agreed and nobody refused.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use parking_lot::Mutex;
use serde_json::{Map, Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::super::book::{Book, BookError, Decision};
use super::approvals::{Approvals, Approved, Cases, Changes};
use super::error::GateError;
use super::service::Gate;
use crate::adapters::memory::{MemoryActivity, MemorySessions};
use crate::adapters::pins_file::PinFiles;
use crate::adapters::system::{SystemClock, SystemIds};
use crate::adapters::webhooks::Webhooks;
use crate::domain::action::{Action, Gesture};
use crate::domain::clock::{Clock as _, Time};
use crate::domain::credentials::{ChannelPass, ChannelToken, CredentialError, Credentials};
use crate::domain::event::{Event, Fact};
use crate::domain::footprint::{OverBudget, Room};
use crate::domain::gate::{
    Audit, AuditError, AuditEvent, Connection, GateFile, OnChange, PolicyVersion, Requester, State,
    Upstream, UpstreamError, Upstreams,
};
use crate::domain::limits::{GateLimits, Limits};
use crate::domain::operation::Caller;
use crate::domain::principal::{Door, Lease, Principal, Scopes};
use crate::domain::session::Session;
use crate::wire::gate::GateCallParams;
use crate::wire::ids::{AppId, SessionKey};

const APPROVALS: usize = 1_000;
/// How often each call is made at once.
const CALLERS: usize = 3;
/// Of so many one is refused at the same moment, too.
const REFUSED_EACH: usize = 3;
const APP: &str = "builder";
/// How long anything may take on a slow machine before the test fails.
const PATIENCE: Duration = Duration::from_secs(300);

/// Room for whatever comes.
struct Endless;

impl Room for Endless {
    fn check(&self) -> Result<(), OverBudget> {
        Ok(())
    }
}

/// Calls that were made, by their number.
#[derive(Clone, Default)]
struct Calls(Arc<Mutex<HashMap<u64, usize>>>);

#[async_trait]
impl Upstream for Calls {
    async fn request(
        &self,
        method: &'static str,
        params: Map<String, Value>,
        _: Option<Arc<dyn Requester>>,
    ) -> Result<Value, UpstreamError> {
        if method == "tools/list" {
            return Ok(json!({"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}));
        }
        let number = params["arguments"]["number"].as_u64();
        *self.0.lock().entry(number.unwrap_or_default()).or_default() += 1;
        tokio::task::yield_now().await;
        Ok(json!({"content": [], "number": number}))
    }

    fn server(&self) -> Option<Arc<str>> {
        None
    }

    fn version(&self) -> u64 {
        1
    }
}

impl Upstreams for Calls {
    fn open(&self, _: &Connection, _: OnChange) -> Arc<dyn Upstream> {
        Arc::new(self.clone())
    }
}

/// The rows of an audit, in this process.
#[derive(Clone, Default)]
struct Rows(Arc<Mutex<Vec<(SessionKey, AuditEvent)>>>);

#[async_trait]
impl Audit for Rows {
    async fn append(&self, _: Time, key: &SessionKey, event: AuditEvent) -> Result<(), AuditError> {
        self.0.lock().push((key.clone(), event));
        Ok(())
    }

    async fn note(&self, at: Time, key: &SessionKey, event: AuditEvent) -> Result<(), AuditError> {
        self.append(at, key, event).await
    }

    fn open_at_start(&self) -> Vec<(SessionKey, AuditEvent)> {
        Vec::new()
    }
}

/// Credentials that nobody withdraws, and whose holders wait for a person: they are told apart by
/// when they end.
#[derive(Clone, Default)]
struct Standing(Arc<Mutex<HashSet<u64>>>);

#[async_trait]
impl Credentials for Standing {
    #[cfg(feature = "demo")]
    fn is_dev(&self) -> bool {
        true
    }

    fn issuer(&self) -> Option<String> {
        None
    }

    async fn identify(&self, _: Option<&str>, _: bool) -> Result<Principal, CredentialError> {
        Err(CredentialError::Refused)
    }

    async fn expired_or_revoked(&self, lease: Lease) {
        if let Lease::Token { ends, .. } = lease {
            self.0.lock().insert(ends.0);
        }
        std::future::pending().await
    }

    fn check_channel(&self, _: &str) -> Result<ChannelPass, CredentialError> {
        Err(CredentialError::TokenInvalid)
    }

    fn session_of(&self, _: &str) -> Option<SessionKey> {
        None
    }

    fn mint_ws(&self, _: &SessionKey, _: Scopes, _: Option<Arc<str>>) -> ChannelToken {
        token()
    }

    fn renew(&self, _: &ChannelPass, _: Time) -> ChannelToken {
        token()
    }

    fn mint_session(&self, _: &ChannelPass, _: Time) -> ChannelToken {
        token()
    }
}

fn token() -> ChannelToken {
    ChannelToken {
        text: String::new(),
        expires_at: Time(0),
    }
}

fn gate(book: &Arc<Book>, calls: &Calls, rows: &Rows, standing: &Standing) -> Arc<Gate> {
    let file = json!({
        "schema": 1,
        "sources": [{"id": "s", "kind": "mcp", "url": "http://127.0.0.1/"}],
        "governance": {"defaults": {"action": "approve"}},
        "approval": {"people": {}},
    });
    let policy = PolicyVersion::of(&file, &[]);
    let file: GateFile = serde_json::from_value(file).unwrap();
    let config = file.check(policy, None).ok().unwrap();
    let limits = GateLimits {
        approval_hold_s: PATIENCE.as_secs(),
        approvals_per_caller_max: APPROVALS,
        approvals_max: APPROVALS,
        requests_per_server_max: APPROVALS,
        ..GateLimits::default()
    };
    let approvals = Approvals {
        book: Arc::clone(book),
        clock: Arc::new(SystemClock::new()),
        ids: Arc::new(SystemIds),
        audit: Arc::new(rows.clone()),
        credentials: Arc::new(standing.clone()),
        limits: limits.clone(),
        room: Arc::new(Endless),
        drain: CancellationToken::new(),
        tasks: TaskTracker::new(),
        messenger: Arc::new(Webhooks),
        base: String::new(),
        pins: Arc::new(PinFiles::default()),
        cases: Cases::default(),
        changes: Changes::default(),
        approved: Approved::default(),
        rules: watch::Sender::default(),
        recovered: CancellationToken::new(),
    };
    approvals.recovered.cancel();
    let upstreams = Box::new(calls.clone());
    Arc::new(Gate::new(&config, upstreams, limits, Arc::new(approvals)))
}

fn call(number: usize) -> GateCallParams {
    let arguments = [("number".to_owned(), number.into())];
    GateCallParams {
        name: "t".to_owned(),
        arguments: arguments.into_iter().collect(),
        session: None,
    }
}

/// A person clicks.
async fn click(book: &Book, key: &SessionKey, id: &str, action: &str) {
    let gesture = Gesture {
        value: json!({"action": action, "data": null}),
        ui_context: Value::Null,
        fired_at: String::new(),
    };
    let action = Arc::new(Action {
        id: id.into(),
        gesture: Arc::new(gesture),
    });
    let principal = Principal::viewer(AppId::from(APP), Scopes::all());
    let caller = Caller::through(Door::Socket, principal);
    let at = SystemClock::new().now();
    let decide = |_: &Session| -> Result<Decision<()>, BookError> {
        let event = Event::ActionSubmitted(Arc::clone(&action));
        Ok(Decision::of([Fact::by(&caller, at, event)]))
    };
    book.decide(&caller, key, decide).await.unwrap();
}

/// The number of the call that a card is about.
async fn number_of(book: &Book, key: &SessionKey) -> usize {
    let session = book.session(key).await.unwrap();
    let props = session.props.clone().unwrap();
    let number = props["arguments"][0]["value"].as_str().unwrap();
    number.parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_thousand_racing_decisions_and_calls_each_approved_call_is_made_exactly_once() {
    let limits = Limits::default().unlimited();
    let clock = Arc::new(SystemClock::new());
    let store = Arc::new(MemorySessions::default());
    let activity = Arc::new(MemoryActivity::default());
    let book = Book::new(
        store,
        activity,
        Arc::new(()),
        clock,
        Arc::new(SystemIds),
        limits,
    );
    let (calls, rows, standing) = (Calls::default(), Rows::default(), Standing::default());
    let gate = gate(&book, &calls, &rows, &standing);
    let mut made = Vec::new();
    for number in 0..APPROVALS {
        for at in 0..CALLERS {
            let lease = Lease::Token {
                ends: Time((number * CALLERS + at) as u64),
                issuer: [0; 32],
            };
            let principal = Principal {
                lease,
                ..Principal::builder()
            };
            let caller = Caller::through(Door::Mcp, principal);
            let gate = Arc::clone(&gate);
            let made_one = async move { gate.call(&caller, call(number)).await };
            made.push((number, tokio::spawn(made_one)));
        }
    }
    let app = AppId::from(APP);
    let all_wait = async {
        while standing.0.lock().len() < APPROVALS * CALLERS {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, all_wait).await.unwrap();
    let cards = book.names(&app, "").await.unwrap();
    assert_eq!(cards.len(), APPROVALS);
    let mut clicks = Vec::new();
    for session in cards {
        let key = SessionKey {
            app: app.clone(),
            session,
        };
        let number = number_of(&book, &key).await;
        let refused = (number % REFUSED_EACH == 0).then_some("reject");
        for (at, action) in ["approve", "approve"]
            .into_iter()
            .chain(refused)
            .enumerate()
        {
            let (book, key) = (Arc::clone(&book), key.clone());
            clicks.push(tokio::spawn(async move {
                click(&book, &key, &format!("gesture-{at}"), action).await;
            }));
        }
    }
    for clicked in join_all(clicks).await {
        clicked.unwrap();
    }
    let mut answers: HashMap<usize, Vec<_>> = HashMap::new();
    for (number, made) in made {
        answers.entry(number).or_default().push(made.await.unwrap());
    }
    for (number, answers) in answers {
        let times = calls
            .0
            .lock()
            .get(&(number as u64))
            .copied()
            .unwrap_or_default();
        assert_eq!(answers.len(), CALLERS);
        let is_made = answers.iter().all(Result::is_ok);
        let is_refused = answers.iter().all(|answer| {
            let Err(GateError::Of(_, error)) = answer else {
                return false;
            };
            matches!(**error, GateError::ApprovalRejected { .. })
        });
        if number % REFUSED_EACH == 0 {
            assert!(
                is_made && times == 1 || is_refused && times == 0,
                "{number}: {times} {answers:?}"
            );
        } else {
            assert!(is_made && times == 1, "{number}: {times} {answers:?}");
        }
    }
    let rows = rows.0.lock();
    let count = |is_it: fn(&AuditEvent) -> bool| rows.iter().filter(|(_, row)| is_it(row)).count();
    let made: usize = calls.0.lock().values().sum();
    assert_eq!(
        count(|row| matches!(row, AuditEvent::Proposed { .. })),
        APPROVALS
    );
    assert_eq!(
        count(|row| matches!(row, AuditEvent::Executed { .. })),
        made
    );
    let done = |row: &AuditEvent| matches!(row, AuditEvent::Returned { state: State::Done });
    assert_eq!(count(done), made);
}
