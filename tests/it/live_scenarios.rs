//! One list of scenarios, each run over every transport of the live channel: socket, stream, pages,
//! and
//! the relay of a host.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::contracts::build_log;
use crate::event_stream::EventStream;
use crate::world::{Shown, World};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transport {
    Socket,
    Stream,
    Pages,
    Relay,
}

const TRANSPORTS: [Transport; 4] = [
    Transport::Socket,
    Transport::Stream,
    Transport::Pages,
    Transport::Relay,
];

enum Line {
    Socket(Box<Browser>),
    Stream(EventStream),
    Pages,
    Relay,
}

/// What a guest observes, over any transport.
#[derive(Debug, Clone, PartialEq)]
enum Observed {
    /// An item with its stream position.
    Item(u64, Value),
    /// All props with their epoch.
    Props(Value, u64),
    /// An action was consumed.
    Taken(String),
    /// The cursor can no longer be used.
    Passed(u64),
    /// The session has ended.
    Ended,
}

/// The result of an action.
#[derive(Debug, PartialEq)]
enum Outcome {
    Accepted,
    /// Refused, with all violations.
    Refused(String),
}

/// A guest on one transport, with the cursors and the token a guest keeps.
struct Guest<'a> {
    world: &'a World,
    shown: &'a Shown,
    transport: Transport,
    line: Line,
    token: String,
    cursor: u64,
    stream_cursor: u64,
    pending: VecDeque<Observed>,
}

impl<'a> Guest<'a> {
    async fn mount(world: &'a World, shown: &'a Shown, transport: Transport) -> Self {
        let slice = shown.slice();
        let mut guest = Self {
            world,
            shown,
            transport,
            line: Line::Relay,
            token: slice["wsToken"].as_str().unwrap().to_owned(),
            cursor: slice["lastSequence"].as_u64().unwrap(),
            // The three lifecycle items of a render.
            stream_cursor: 3,
            pending: VecDeque::new(),
        };
        guest.connect().await;
        guest
    }

    /// Opens the transport again from the guest's cursors; what was in flight is lost.
    async fn connect(&mut self) {
        self.pending.clear();
        let session = &self.shown.session;
        let (since, from) = (self.cursor, self.stream_cursor);
        self.line = match self.transport {
            Transport::Socket => {
                let mut browser = self.world.knock(self.shown).await;
                browser.token = self.token.clone();
                let cursors = json!({"sinceSequence": since, "fromSeq": from});
                let ack = browser.subscribe(cursors).await;
                self.take_ack(&ack);
                Line::Socket(Box::new(browser))
            }
            Transport::Stream => {
                let token = &self.token;
                let path = format!(
                    "/api/sessions/{session}/stream?wsToken={token}&sinceSequence={since}&fromSeq={from}"
                );
                let mut stream = EventStream::open(self.world, &path).await;
                let (_, ack) = stream.next().await.expect("an ack");
                self.take_ack(&ack);
                Line::Stream(stream)
            }
            Transport::Pages => Line::Pages,
            Transport::Relay => Line::Relay,
        };
    }

    fn take_ack(&mut self, ack: &Value) {
        assert_eq!(ack["type"], "ack", "{ack}");
        self.cursor = ack["payload"]["sequence"].as_u64().unwrap();
        self.token = ack["payload"]["sessionToken"].as_str().unwrap().to_owned();
    }

    /// Disconnects; nothing is received until the transport is opened again.
    fn cut(&mut self) {
        self.line = Line::Relay;
        self.pending.clear();
    }

    /// Renews the token once the first one has expired: transports with an ack got a token for
    /// reconnects, the others exchange theirs.
    async fn renew(&mut self) {
        if self.transport == Transport::Pages {
            let envelope = json!({"envelope": self.token});
            let fresh = self.world.tool("ggui_runtime_refresh_ws_token", envelope);
            self.token = fresh.await["envelope"].as_str().unwrap().to_owned();
        }
    }

    /// Sends a click: as a frame over a socket, through the host otherwise.
    async fn act(&mut self, name: &str, data: Value, id: &str) -> Outcome {
        let violations = if let Line::Socket(browser) = &mut self.line {
            let request = browser.act_as(name, data, Some(id)).await;
            loop {
                let frame = browser.next().await;
                if frame["requestId"] != request.as_str() {
                    let Self {
                        pending, cursor, ..
                    } = self;
                    take_frame(&frame, pending, cursor);
                    continue;
                }
                if frame["type"] == "ack" {
                    break None;
                }
                assert_eq!(frame["payload"]["code"], "CONTRACT_VIOLATION", "{frame}");
                break Some(frame["payload"]["message"].as_str().unwrap().to_owned());
            }
        } else {
            let payload = json!({"intent": name, "actionData": data, "uiContext": {}});
            let relayed = json!({
                "kind": "dispatch", "payload": payload, "sessionId": self.shown.session,
                "appId": "builder", "actionId": id, "firedAt": "2026-08-23T10:00:00Z",
            });
            let result = self.world.tool("ggui_runtime_submit_action", relayed).await;
            (result["ok"] == false).then(|| result["message"].as_str().unwrap().to_owned())
        };
        violations.map_or(Outcome::Accepted, Outcome::Refused)
    }

    async fn next(&mut self) -> Observed {
        loop {
            if let Some(observed) = self.pending.pop_front() {
                if let Observed::Item(seq, _) = observed {
                    assert!(
                        seq > self.stream_cursor,
                        "{:?}: {seq} came twice",
                        self.transport
                    );
                    self.stream_cursor = seq;
                }
                return observed;
            }
            match &mut self.line {
                Line::Socket(browser) => match browser.next_or_close().await {
                    Ok(frame) => take_frame(&frame, &mut self.pending, &mut self.cursor),
                    Err(reason) => {
                        assert_eq!(reason, Some((1008, "session_expired".to_owned())));
                        return Observed::Ended;
                    }
                },
                Line::Stream(stream) => match stream.next().await {
                    Some((id, frame)) => {
                        self.cursor = id.unwrap_or(self.cursor);
                        take_frame(&frame, &mut self.pending, &mut self.cursor);
                    }
                    None => return Observed::Ended,
                },
                Line::Pages => self.poll().await,
                Line::Relay => self.pull().await,
            }
        }
    }

    async fn poll(&mut self) {
        let path = format!(
            "/api/sessions/{}/events?wsToken={}&sinceSequence={}&limit=3&wait=20",
            self.shown.session, self.token, self.cursor
        );
        let answer = self.world.send(self.world.get(&path)).await;
        match answer.status {
            404 => self.pending.push_back(Observed::Ended),
            _ => self.take_page(&answer.body),
        }
    }

    async fn pull(&mut self) {
        let pull = json!({
            "sessionId": self.shown.session, "sinceSequence": self.cursor, "limit": 3, "wait": 20,
        });
        let result = self.world.call("ggui_runtime_pull", pull).await;
        if result["isError"] == true {
            self.pending.push_back(Observed::Ended);
        } else {
            self.take_page(&result["structuredContent"]);
        }
    }

    fn take_page(&mut self, page: &Value) {
        if page["reason"] == "REPLAY_HORIZON_PASSED" {
            self.cursor = page["currentSequence"].as_u64().unwrap();
            self.pending.push_back(Observed::Passed(self.cursor));
            return;
        }
        for row in page["events"].as_array().unwrap() {
            self.cursor = row["seq"].as_u64().unwrap();
            take_row(row, &mut self.pending);
        }
    }
}

fn take_row(row: &Value, pending: &mut VecDeque<Observed>) {
    let data = &row["data"];
    match row["type"].as_str().unwrap() {
        "ui.updated" => take_props(data, pending),
        "x-data" => take_item(data, pending),
        "x-drained" => {
            let ids = data["eventIds"].as_array().unwrap().iter();
            pending.extend(ids.map(|id| Observed::Taken(id.as_str().unwrap().to_owned())));
        }
        _ => {}
    }
}

fn take_frame(frame: &Value, pending: &mut VecDeque<Observed>, cursor: &mut u64) {
    let payload = &frame["payload"];
    match frame["type"].as_str().unwrap() {
        "data" => take_item(payload, pending),
        "props_update" => take_props(payload, pending),
        "drain_ack" => {
            let id = payload["eventId"].as_str().unwrap();
            pending.push_back(Observed::Taken(id.to_owned()));
        }
        "render_event" => take_row(payload, pending),
        "error" => {
            assert_eq!(payload["code"], "REPLAY_HORIZON_PASSED", "{frame}");
            *cursor = payload["details"]["currentSequence"].as_u64().unwrap();
            pending.push_back(Observed::Passed(*cursor));
        }
        _ => {}
    }
}

fn take_item(data: &Value, pending: &mut VecDeque<Observed>) {
    if data["channel"] == "log" {
        let seq = data["seq"].as_u64().unwrap();
        pending.push_back(Observed::Item(seq, data["payload"]["line"].clone()));
    }
}

fn take_props(data: &Value, pending: &mut VecDeque<Observed>) {
    let epoch = data["epoch"].as_u64().unwrap();
    pending.push_back(Observed::Props(data["props"].clone(), epoch));
}

async fn log(world: &World, shown: &Shown, line: &str) {
    let payload = json!({"line": line, "level": "info"});
    let emit = json!({"sessionId": shown.session, "channel": "log", "payload": payload});
    world.tool("ggui_emit", emit).await;
}

async fn rename(world: &World, shown: &Shown, tool: &str, name: &str) {
    let patch = json!({"pipeline": name});
    let change = json!({"sessionId": shown.session, "kind": "merge", "patch": patch});
    world.tool(tool, change).await;
}

fn named(name: &str, epoch: u64) -> Observed {
    Observed::Props(json!({"pipeline": name}), epoch)
}

/// Generates one test for each scenario, which runs it over every transport.
macro_rules! scenarios {
    ($($name:ident: $scenario:ident;)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                for transport in TRANSPORTS {
                    $scenario(transport).await;
                }
            }
        )*
    };
}

scenarios! {
    a_click_is_accepted_and_reaches_the_agent_every_way: click;
    a_click_the_contract_does_not_allow_is_refused_every_way_and_reaches_nobody: violation;
    an_action_that_was_taken_is_told_every_way: drain_ack;
    new_props_and_a_new_epoch_are_told_every_way: update;
    items_come_in_order_every_way: emit;
    everything_is_told_in_one_order_every_way: one_order;
    what_was_missed_is_replayed_from_the_cursor_every_way: replay;
    a_cursor_of_no_use_is_told_every_way_and_the_guest_goes_on: horizon;
    a_guest_comes_back_every_way_when_its_first_token_is_over: reconnect;
    every_way_ends_with_its_session: end;
}

async fn stage(world: &World) -> Shown {
    world.show(build_log(), json!({"pipeline": "main"})).await
}

async fn consume(world: &World, shown: &Shown) -> Vec<String> {
    let consume = json!({"sessionId": shown.session});
    let taken = world.tool("ggui_consume", consume).await;
    let events = taken["events"].as_array().unwrap().iter();
    events
        .map(|event| event["actionId"].as_str().unwrap().to_owned())
        .collect()
}

async fn click(transport: Transport) {
    let world = World::start().await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    for _ in 0..2 {
        // Sent twice with one id, as after a lost response.
        let outcome = guest.act("cancel", Value::Null, "gesture-1").await;
        assert_eq!(outcome, Outcome::Accepted, "{transport:?}");
    }
    assert_eq!(
        consume(&world, &shown).await,
        ["gesture-1"],
        "{transport:?}"
    );
}

async fn violation(transport: Transport) {
    let world = World::start().await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    let outcome = guest.act("dance", Value::Null, "gesture-1").await;
    let Outcome::Refused(why) = outcome else {
        panic!("{transport:?}: accepted");
    };
    assert!(why.contains("- action: "), "{transport:?}: {why}");
    assert!(consume(&world, &shown).await.is_empty(), "{transport:?}");
}

async fn drain_ack(transport: Transport) {
    let world = World::start().await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    for id in ["gesture-1", "gesture-2"] {
        guest.act("cancel", Value::Null, id).await;
    }
    assert_eq!(consume(&world, &shown).await.len(), 2);
    for id in ["gesture-1", "gesture-2"] {
        assert_eq!(
            guest.next().await,
            Observed::Taken(id.to_owned()),
            "{transport:?}"
        );
    }
}

async fn update(transport: Transport) {
    let world = World::start().await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    rename(&world, &shown, "ggui_amend", "a").await;
    rename(&world, &shown, "ggui_update", "b").await;
    // An update without a change is not broadcast.
    rename(&world, &shown, "ggui_update", "b").await;
    rename(&world, &shown, "ggui_amend", "c").await;
    for expected in [named("a", 0), named("b", 1), named("c", 1)] {
        assert_eq!(guest.next().await, expected, "{transport:?}");
    }
}

async fn emit(transport: Transport) {
    let world = World::start().await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    for number in 4..44 {
        log(&world, &shown, &number.to_string()).await;
    }
    for number in 4..44 {
        let expected = Observed::Item(number, number.to_string().into());
        assert_eq!(guest.next().await, expected, "{transport:?}");
    }
}

async fn one_order(transport: Transport) {
    let world = World::start().await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    rename(&world, &shown, "ggui_amend", "a").await;
    for line in ["one", "two", "three"] {
        log(&world, &shown, line).await;
    }
    rename(&world, &shown, "ggui_update", "b").await;
    guest.act("cancel", Value::Null, "gesture-1").await;
    consume(&world, &shown).await;
    let expected = [
        named("a", 0),
        Observed::Item(4, "one".into()),
        Observed::Item(5, "two".into()),
        Observed::Item(6, "three".into()),
        named("b", 1),
        Observed::Taken("gesture-1".to_owned()),
    ];
    for observed in expected {
        assert_eq!(guest.next().await, observed, "{transport:?}");
    }
}

async fn replay(transport: Transport) {
    let world = World::start().await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    log(&world, &shown, "seen").await;
    assert_eq!(
        guest.next().await,
        Observed::Item(4, "seen".into()),
        "{transport:?}"
    );
    guest.cut();
    log(&world, &shown, "missed").await;
    rename(&world, &shown, "ggui_amend", "missed").await;
    guest.connect().await;
    let mut missed = [guest.next().await, guest.next().await];
    // A socket gets the ledger rows before the items.
    missed.sort_by_key(|observed| matches!(observed, Observed::Props(..)));
    let expected = [Observed::Item(5, "missed".into()), named("missed", 0)];
    assert_eq!(missed, expected, "{transport:?}");
    log(&world, &shown, "live").await;
    assert_eq!(
        guest.next().await,
        Observed::Item(6, "live".into()),
        "{transport:?}"
    );
}

async fn horizon(transport: Transport) {
    let world = World::start_with(|config| config.limits.log.events_max = 4).await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    let before = guest.cursor;
    guest.cut();
    for name in ["a", "b", "c", "d", "e", "f"] {
        rename(&world, &shown, "ggui_amend", name).await;
    }
    guest.cursor = before;
    guest.connect().await;
    assert_eq!(guest.next().await, Observed::Passed(10), "{transport:?}");
    rename(&world, &shown, "ggui_amend", "live").await;
    assert_eq!(guest.next().await, named("live", 0), "{transport:?}");
}

async fn reconnect(transport: Transport) {
    let world = World::start().await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    for round in 0..3 {
        guest.cut();
        world.clock.advance(Duration::from_secs(181));
        let (missed, live) = (format!("missed {round}"), format!("live {round}"));
        log(&world, &shown, &missed).await;
        guest.renew().await;
        guest.connect().await;
        log(&world, &shown, &live).await;
        for (seq, line) in [(4 + 2 * round, missed), (5 + 2 * round, live)] {
            assert_eq!(
                guest.next().await,
                Observed::Item(seq, line.into()),
                "{transport:?}"
            );
        }
    }
}

async fn end(transport: Transport) {
    let world = World::start_with(|config| config.limits.sessions.idle_ttl_s = 1).await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    world.clock.advance(Duration::from_secs(2));
    assert_eq!(guest.next().await, Observed::Ended, "{transport:?}");
}
