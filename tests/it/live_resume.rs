//! The same scenarios over every way to follow a session: socket, stream, pages, and the relay of
//! a host.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::{Value, json};

use crate::contracts::build_log;
use crate::event_stream::EventStream;
use crate::world::{Browser, Shown, World};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Socket,
    Stream,
    Pages,
    Relay,
}

const WAYS: [Way; 4] = [Way::Socket, Way::Stream, Way::Pages, Way::Relay];

enum Line {
    Socket(Box<Browser>),
    Stream(EventStream),
    Pages,
    Relay,
}

/// What happens to a guest, whichever way it learns of it.
#[derive(Debug, Clone, PartialEq)]
enum Told {
    /// Stream position and item.
    Item(u64, Value),
    /// All props, and their epoch.
    Props(Value, u64),
    /// An action was taken.
    Taken(String),
    /// The cursor is of no use.
    Passed(u64),
    /// The session has ended.
    Ended,
}

/// A guest that follows a session one way, with the cursors a guest keeps.
struct Guest<'a> {
    world: &'a World,
    shown: &'a Shown,
    way: Way,
    line: Line,
    cursor: u64,
    stream_cursor: u64,
    pending: VecDeque<Told>,
}

impl<'a> Guest<'a> {
    async fn mount(world: &'a World, shown: &'a Shown, way: Way) -> Self {
        let slice = shown.slice();
        let mut guest = Self {
            world,
            shown,
            way,
            line: Line::Relay,
            cursor: slice["lastSequence"].as_u64().unwrap(),
            // The three steps of a render.
            stream_cursor: 3,
            pending: VecDeque::new(),
        };
        guest.connect().await;
        guest
    }

    /// Opens the way anew from where the guest stands; what was under way is lost.
    async fn connect(&mut self) {
        self.pending.clear();
        let session = &self.shown.session;
        let (since, from) = (self.cursor, self.stream_cursor);
        self.line = match self.way {
            Way::Socket => {
                let mut browser = self.world.knock(self.shown).await;
                let cursors = json!({"sinceSequence": since, "fromSeq": from});
                let ack = browser.subscribe(cursors).await;
                self.take_ack(&ack);
                Line::Socket(Box::new(browser))
            }
            Way::Stream => {
                let token = self.shown.slice()["wsToken"].as_str().unwrap();
                let path = format!(
                    "/api/sessions/{session}/stream?wsToken={token}&sinceSequence={since}&fromSeq={from}"
                );
                let mut stream = EventStream::open(self.world, &path).await;
                let (_, ack) = stream.next().await.expect("an ack");
                self.take_ack(&ack);
                Line::Stream(stream)
            }
            Way::Pages => Line::Pages,
            Way::Relay => Line::Relay,
        };
    }

    fn take_ack(&mut self, ack: &Value) {
        assert_eq!(ack["type"], "ack", "{ack}");
        self.cursor = ack["payload"]["sequence"].as_u64().unwrap();
    }

    async fn next(&mut self) -> Told {
        loop {
            if let Some(told) = self.pending.pop_front() {
                if let Told::Item(seq, _) = told {
                    assert!(seq > self.stream_cursor, "{:?}: {seq} came twice", self.way);
                    self.stream_cursor = seq;
                }
                return told;
            }
            match &mut self.line {
                Line::Socket(browser) => match browser.next_or_close().await {
                    Ok(frame) => self.take_frame(&frame),
                    Err(reason) => {
                        assert_eq!(reason, Some((1008, "session_expired".to_owned())));
                        return Told::Ended;
                    }
                },
                Line::Stream(stream) => match stream.next().await {
                    Some((id, frame)) => {
                        self.cursor = id.unwrap_or(self.cursor);
                        self.take_frame(&frame);
                    }
                    None => return Told::Ended,
                },
                Line::Pages => self.poll().await,
                Line::Relay => self.pull().await,
            }
        }
    }

    async fn poll(&mut self) {
        let path = format!(
            "/api/sessions/{}/events?wsToken={}&sinceSequence={}&limit=3&wait=20",
            self.shown.session,
            self.shown.slice()["wsToken"].as_str().unwrap(),
            self.cursor
        );
        let answer = self.world.send(self.world.get(&path)).await;
        match answer.status {
            404 => self.pending.push_back(Told::Ended),
            _ => self.take_page(&answer.body),
        }
    }

    async fn pull(&mut self) {
        let pull = json!({
            "sessionId": self.shown.session, "sinceSequence": self.cursor, "limit": 3, "wait": 20,
        });
        let result = self.world.call("ggui_runtime_pull", pull).await;
        if result["isError"] == true {
            self.pending.push_back(Told::Ended);
        } else {
            self.take_page(&result["structuredContent"]);
        }
    }

    fn take_page(&mut self, page: &Value) {
        if page["reason"] == "REPLAY_HORIZON_PASSED" {
            self.cursor = page["currentSequence"].as_u64().unwrap();
            self.pending.push_back(Told::Passed(self.cursor));
            return;
        }
        for row in page["events"].as_array().unwrap() {
            self.cursor = row["seq"].as_u64().unwrap();
            self.take_row(row);
        }
    }

    fn take_row(&mut self, row: &Value) {
        let data = &row["data"];
        match row["type"].as_str().unwrap() {
            "ui.updated" => self.take_props(data),
            "x-data" => self.take_item(data),
            "x-drained" => {
                for id in data["eventIds"].as_array().unwrap() {
                    self.pending
                        .push_back(Told::Taken(id.as_str().unwrap().to_owned()));
                }
            }
            _ => {}
        }
    }

    fn take_frame(&mut self, frame: &Value) {
        let payload = &frame["payload"];
        match frame["type"].as_str().unwrap() {
            "data" => self.take_item(payload),
            "props_update" => self.take_props(payload),
            "drain_ack" => {
                let id = payload["eventId"].as_str().unwrap();
                self.pending.push_back(Told::Taken(id.to_owned()));
            }
            "render_event" => self.take_row(payload),
            "error" => {
                assert_eq!(payload["code"], "REPLAY_HORIZON_PASSED", "{frame}");
                let current = payload["details"]["currentSequence"].as_u64().unwrap();
                self.pending.push_back(Told::Passed(current));
            }
            _ => {}
        }
    }

    fn take_item(&mut self, data: &Value) {
        if data["channel"] == "log" {
            let seq = data["seq"].as_u64().unwrap();
            self.pending
                .push_back(Told::Item(seq, data["payload"]["line"].clone()));
        }
    }

    fn take_props(&mut self, data: &Value) {
        let epoch = data["epoch"].as_u64().unwrap();
        self.pending
            .push_back(Told::Props(data["props"].clone(), epoch));
    }
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

fn named(name: &str, epoch: u64) -> Told {
    Told::Props(json!({"pipeline": name}), epoch)
}

#[tokio::test]
async fn every_way_tells_of_everything_in_the_same_order() {
    for way in WAYS {
        let world = World::start().await;
        let shown = world.show(build_log(), json!({"pipeline": "main"})).await;
        let mut guest = Guest::mount(&world, &shown, way).await;
        rename(&world, &shown, "ggui_amend", "a").await;
        for line in ["one", "two", "three"] {
            log(&world, &shown, line).await;
        }
        rename(&world, &shown, "ggui_update", "b").await;
        let payload = json!({"intent": "cancel", "actionData": null, "uiContext": {}});
        let relayed = json!({
            "kind": "dispatch", "payload": payload, "sessionId": shown.session,
            "appId": "builder", "actionId": "gesture-1", "firedAt": "2026-08-23T10:00:00Z",
        });
        world.tool("ggui_runtime_submit_action", relayed).await;
        let consume = json!({"sessionId": shown.session});
        world.tool("ggui_consume", consume).await;
        let expected = [
            named("a", 0),
            Told::Item(4, "one".into()),
            Told::Item(5, "two".into()),
            Told::Item(6, "three".into()),
            named("b", 1),
            Told::Taken("gesture-1".to_owned()),
        ];
        for told in expected {
            assert_eq!(guest.next().await, told, "{way:?}");
        }
    }
}

#[tokio::test]
async fn every_way_goes_on_where_it_was_cut() {
    for way in WAYS {
        let world = World::start().await;
        let shown = world.show(build_log(), json!({"pipeline": "main"})).await;
        let mut guest = Guest::mount(&world, &shown, way).await;
        log(&world, &shown, "seen").await;
        assert_eq!(guest.next().await, Told::Item(4, "seen".into()), "{way:?}");
        guest.line = Line::Relay;
        log(&world, &shown, "missed").await;
        rename(&world, &shown, "ggui_amend", "missed").await;
        guest.connect().await;
        let mut missed = [guest.next().await, guest.next().await];
        // A socket has its rows before its items.
        missed.sort_by_key(|told| matches!(told, Told::Props(..)));
        let expected = [Told::Item(5, "missed".into()), named("missed", 0)];
        assert_eq!(missed, expected, "{way:?}");
        log(&world, &shown, "live").await;
        assert_eq!(guest.next().await, Told::Item(6, "live".into()), "{way:?}");
    }
}

#[tokio::test]
async fn every_way_is_told_when_its_cursor_is_of_no_use_and_goes_on() {
    for way in WAYS {
        let world = World::start_with(|config| config.limits.log.events_max = 4).await;
        let shown = world.show(build_log(), json!({"pipeline": "main"})).await;
        let mut guest = Guest::mount(&world, &shown, way).await;
        guest.line = Line::Relay;
        for name in ["a", "b", "c", "d", "e", "f"] {
            rename(&world, &shown, "ggui_amend", name).await;
        }
        guest.connect_from(4).await;
        assert_eq!(guest.next().await, Told::Passed(10), "{way:?}");
        rename(&world, &shown, "ggui_amend", "live").await;
        assert_eq!(guest.next().await, named("live", 0), "{way:?}");
    }
}

impl Guest<'_> {
    async fn connect_from(&mut self, cursor: u64) {
        self.cursor = cursor;
        self.connect().await;
    }
}

#[tokio::test]
async fn every_way_ends_with_its_session() {
    for way in WAYS {
        let world = World::start_with(|config| config.limits.sessions.idle_ttl_s = 1).await;
        let shown = world.show(build_log(), json!({"pipeline": "main"})).await;
        let mut guest = Guest::mount(&world, &shown, way).await;
        world.clock.advance(Duration::from_secs(2));
        assert_eq!(guest.next().await, Told::Ended, "{way:?}");
    }
}
