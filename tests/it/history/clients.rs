//! What one client does: it turns to any node, and to another one when that fails.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::{LAST, Place, Session, Tries};
use crate::browser::Browser;

/// Whether an answer says to come again.
pub(super) fn is_put_off(frame: &Value) -> bool {
    frame["payload"]["code"] == "RATE_LIMITED"
}

/// Whether the error of a call says that it may be made again.
pub(super) fn says_again(answer: &Value) -> bool {
    answer["error"]["data"]["retry"]["allowed"] == true
}

/// Whether an item says that an agent waits, of which only the last is kept.
pub(super) fn is_presence(item: &Value) -> bool {
    item["kind"] == "consume_polling"
}

impl Place {
    fn is_over(&self) -> bool {
        *self.over.borrow()
    }

    fn acknowledged(&self) {
        self.done.send_modify(|done| *done += 1);
    }

    /// A tool call, made again under its key at any node until it is answered; whether the session is
    /// there.
    async fn call(
        &mut self,
        tries: fn(&Session) -> &Tries,
        tool: &str,
        id: &str,
        arguments: Value,
    ) -> bool {
        tries(&self.session).begin(id);
        let key = format!("{}-{id}", self.session.id);
        loop {
            let client = self.nodes.any(&mut self.chance);
            let Some(answer) = client.try_keyed(&key, tool, &arguments).await else {
                tries(&self.session).last(|last| last.doubts += 1);
                tokio::task::yield_now().await;
                continue;
            };
            if answer["result"]["isError"] == true && self.session.is_gone(&answer) {
                return false;
            }
            if answer["error"].is_null() {
                break;
            }
            assert!(says_again(&answer), "{tool}: {answer}");
            tries(&self.session).last(|last| last.doubts += 1);
        }
        tries(&self.session).last(|last| last.is_acknowledged = true);
        self.acknowledged();
        true
    }

    pub(super) async fn emit(mut self) {
        for count in 0.. {
            if self.is_over() {
                return;
            }
            let id = format!("emit-{count}");
            let item = json!({"sessionId": self.session.id, "channel": "tick", "payload": id});
            let emit = self.call(|session| &session.emits, "ggui_emit", &id, item);
            if !emit.await {
                return;
            }
        }
    }

    pub(super) async fn update(mut self) {
        for count in 0.. {
            if self.is_over() {
                return;
            }
            let id = format!("update-{count}");
            let patch = json!({"note": id});
            let change = json!({"sessionId": self.session.id, "kind": "merge", "patch": patch});
            let update = self.call(|session| &session.updates, "ggui_update", &id, change);
            if !update.await {
                return;
            }
        }
    }

    /// Takes actions, and says with each call what has arrived: what was lost with an answer comes
    /// again.
    pub(super) async fn consume(mut self) {
        let mut after = String::new();
        loop {
            // Nobody begins to click once it is over.
            let is_last = self.is_over() && !self.session.clicks.is_open();
            let arguments = json!({"sessionId": self.session.id, "timeout": 1, "after": after});
            let client = self.nodes.any(&mut self.chance);
            let key = format!("consume-{}", self.chance.next());
            let Some(answer) = client.try_keyed(&key, "ggui_consume", &arguments).await else {
                continue;
            };
            if !answer["error"].is_null() {
                // The store may have lost that this was ever delivered.
                let is_forgotten = answer["error"]["code"] == -32602
                    && self.session.may_lose.load(Ordering::SeqCst);
                if is_forgotten {
                    after.clear();
                } else {
                    assert!(says_again(&answer), "{answer}");
                }
                continue;
            }
            if answer["result"]["isError"] == true && self.session.is_gone(&answer) {
                return;
            }
            let events = &answer["result"]["structuredContent"]["events"];
            let events = events.as_array().unwrap_or_else(|| panic!("{answer}"));
            let mut given = self.session.given.lock().unwrap();
            for event in events {
                let id = event["actionId"].as_str().expect("an id").to_owned();
                // What was handled before the store lost that it was comes again.
                let may_come_again =
                    event["redelivered"] == true || self.session.may_lose.load(Ordering::SeqCst);
                let is_again = may_come_again && given.contains(&id);
                if !is_again {
                    given.push(id.clone());
                }
                after = id;
            }
            if events.is_empty() && is_last {
                return;
            }
        }
    }

    /// Follows the session at any node until it has seen everything; the first one clicks.
    pub(super) async fn browse(mut self, number: usize) {
        while let Some(mut browser) = self.subscribe(number).await {
            while !self.has_all(number) {
                let mut request = None;
                if number == 0
                    && let Some(id) = self.session.clicks.next(&self.over)
                {
                    let data = json!({"sku": "A1", "qty": 3});
                    request = Some(browser.act_as("setQuantity", data, Some(&id)).await);
                }
                match self.read(number, &mut browser, request.as_deref()).await {
                    Read::Acknowledged => {
                        self.session.clicks.last(|last| last.is_acknowledged = true);
                        self.acknowledged();
                    }
                    Read::Other => {}
                    Read::Closed => break,
                }
            }
        }
    }

    /// Whether a browser has seen everything, and waits for nothing.
    fn has_all(&self, number: usize) -> bool {
        let seen = self.session.seen[number].lock().unwrap();
        // The server itself may add to the stream after it.
        let has_seen = seen.items.iter().rev().any(|(_, item)| item == LAST);
        has_seen && !(number == 0 && self.session.clicks.is_open())
    }

    /// A socket that goes on where the last one ended; none once everything was seen.
    async fn subscribe(&mut self, number: usize) -> Option<Browser> {
        loop {
            if self.has_all(number) {
                return None;
            }
            let from = self.session.seen[number].lock().unwrap().last();
            let client = self.nodes.any(&mut self.chance);
            let (id, token) = (&self.session.id, &self.session.token);
            let Some(mut browser) = client.try_knock(id, token).await else {
                tokio::task::yield_now().await;
                continue;
            };
            let payload = json!({"sessionId": id, "wsToken": token, "fromSeq": from});
            let frame = json!({"type": "subscribe", "requestId": "sub", "payload": payload});
            browser.send(frame).await;
            let Ok(answer) = browser.next_or_close().await else {
                continue;
            };
            if answer["type"] == "ack" {
                let mut seen = self.session.seen[number].lock().unwrap();
                let payload = &answer["payload"];
                let upto = payload["streamSeq"].as_u64().expect("a position");
                seen.replays.push((from, upto));
                seen.truncated += usize::from(payload["replayTruncated"] == true);
                return Some(browser);
            }
            if !is_put_off(&answer) && self.session.is_gone(&answer) {
                return None;
            }
        }
    }

    /// Reads until an answer, or the end.
    async fn read(&self, number: usize, browser: &mut Browser, request: Option<&str>) -> Read {
        loop {
            let Ok(frame) = browser.next_or_close().await else {
                return Read::Closed;
            };
            let payload = &frame["payload"];
            let mut seen = self.session.seen[number].lock().unwrap();
            match frame["type"].as_str() {
                Some("data") => {
                    let at = payload["seq"].as_u64().expect("a position");
                    seen.items.push((at, payload["payload"].clone()));
                    if payload["payload"] == LAST && request.is_none() {
                        return Read::Other;
                    }
                }
                Some("props_update") => {
                    let note = payload["props"]["note"].as_str();
                    seen.notes.extend(note.map(str::to_owned));
                }
                Some("render") => {
                    // It does not say up to where.
                    let from = seen.last();
                    seen.replays.push((from, u64::MAX));
                    seen.was_replaced = true;
                }
                _ => {}
            }
            drop(seen);
            if request.is_some_and(|request| frame["requestId"] == request) {
                if frame["type"] == "ack" {
                    return Read::Acknowledged;
                }
                if !is_put_off(&frame) && self.session.is_gone(&frame) {
                    return Read::Closed;
                }
                return Read::Other;
            }
        }
    }
}

/// How reading ended.
enum Read {
    Acknowledged,
    Closed,
    Other,
}
