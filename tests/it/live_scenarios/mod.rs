//! One list of scenarios, each run over every transport of the live channel: socket, stream, pages,
//! and
//! the relay of a host.

mod scenarios;

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::browser::Browser;
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
