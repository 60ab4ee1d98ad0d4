//! People who are asked: what they find on the stage, and what they do there.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::connect_async;

use crate::browser::Browser;
use crate::world::PATIENCE;

/// A person in front of the stage of a server.
#[derive(Clone)]
pub(crate) struct Person {
    /// The address of the server.
    base: String,
    /// What a proxy adds for them, where the server has keys.
    key: Option<String>,
    http: reqwest::Client,
    /// The cards they have opened.
    opened: Arc<Mutex<HashSet<String>>>,
}

impl Person {
    /// Somebody in front of a server, whose address ends without a slash.
    pub(crate) fn at(base: &str) -> Self {
        let follow = reqwest::redirect::Policy::none();
        let http = reqwest::Client::builder().redirect(follow).build();
        Self {
            base: base.to_owned(),
            key: None,
            opened: Arc::default(),
            http: http.expect("a client"),
        }
    }

    pub(crate) fn with_key(mut self, key: &str) -> Self {
        self.key = Some(key.to_owned());
        self
    }

    pub(crate) fn get(&self, path: &str) -> reqwest::RequestBuilder {
        let request = self.http.get(format!("{}{path}", self.base));
        match &self.key {
            Some(key) => request.bearer_auth(key),
            None => request,
        }
    }

    /// They are about to do something in a session, or say yes to what the stage asks them then.
    pub(crate) async fn confirm(&self, session: &str, said: Value) -> Value {
        let path = format!("{}/stage/sessions/{session}/confirmations", self.base);
        let request = self.http.post(path).json(&said);
        let request = match &self.key {
            Some(key) => request.bearer_auth(key),
            None => request,
        };
        let answer = request.send().await.expect("an answer");
        answer.json().await.expect("JSON")
    }

    /// The sessions on the stage now.
    pub(crate) async fn stage(&self) -> Vec<Value> {
        let mut feed = self.get("/stage/feed").send().await.expect("a feed");
        assert_eq!(feed.status(), 200);
        let mut text = String::new();
        while !text.contains("\n\n") {
            let chunk = timeout(PATIENCE, feed.chunk()).await.expect("in time");
            let chunk = chunk.expect("a stream").expect("a snapshot");
            text.push_str(&String::from_utf8_lossy(&chunk));
        }
        let line = text.lines().find_map(|line| line.strip_prefix("data: "));
        let snapshot: Value = serde_json::from_str(line.expect("data")).expect("JSON");
        let sessions = snapshot["sessions"].as_array();
        sessions.unwrap_or_else(|| panic!("{snapshot}")).clone()
    }

    /// The cards on the stage.
    pub(crate) async fn cards(&self) -> Vec<String> {
        let rows = self.stage().await;
        let cards = rows
            .iter()
            .map(|row| row["sessionId"].as_str().expect("an id").to_owned());
        cards.filter(|id| id.starts_with("approval-")).collect()
    }

    /// A card that they have not opened, once there is one.
    pub(crate) async fn card(&self) -> Card {
        let shown = async {
            loop {
                let cards = self.cards().await.into_iter();
                let mut new = cards.filter(|id| !self.opened.lock().expect("a lock").contains(id));
                if let Some(card) = new.next() {
                    return card;
                }
            }
        };
        let session = timeout(PATIENCE, shown).await.expect("a card in time");
        self.open(&session).await
    }

    /// The token with which the stage frames a session.
    pub(crate) async fn token(&self, session: &str) -> String {
        let frame = self.get(&format!("/stage/frame/{session}")).send().await;
        let frame = frame.expect("an answer");
        let location = frame.headers().get("location").expect("a frame");
        let location = location.to_str().expect("text");
        let (_, token) = location.split_once("wsToken=").expect("a token");
        token.to_owned()
    }

    /// Opens a card.
    pub(crate) async fn open(&self, session: &str) -> Card {
        let opened = || self.opened.lock().expect("a lock");
        opened().insert(session.to_owned());
        let token = self.token(session).await;
        let ws = self.base.replacen("http", "ws", 1);
        let socket = connect_async(format!("{ws}/ws?wsToken={token}")).await;
        let mut browser = Browser::on(socket.expect("a socket").0, session, &token);
        let ack = browser.subscribe(json!({"fromSeq": 0})).await;
        assert_eq!(ack["type"], "ack", "{ack}");
        Card {
            session: session.to_owned(),
            token,
            browser,
            person: self.clone(),
        }
    }
}

/// A card that a person looks at.
pub(crate) struct Card {
    pub(crate) session: String,
    pub(crate) token: String,
    pub(crate) browser: Browser,
    person: Person,
}

impl Card {
    /// The person agrees.
    pub(crate) async fn approve(&mut self) {
        self.act("approve", Value::Null).await;
    }

    /// The person refuses.
    pub(crate) async fn reject(&mut self, reason: &str) {
        self.act("reject", json!({"reason": reason})).await;
    }

    /// Any action of theirs.
    pub(crate) async fn act(&mut self, action: &str, data: Value) {
        let id = self.browser.act(action, data).await;
        let answer = self.browser.answer_to(&id).await;
        assert_eq!(answer["type"], "ack", "{answer}");
    }

    /// What the card shows of the call.
    pub(crate) async fn props(&self) -> Value {
        let path = format!(
            "/api/sessions/{}/state?wsToken={}",
            self.session, self.token
        );
        let state = self.person.get(&path).send().await.expect("an answer");
        let state: Value = state.json().await.expect("JSON");
        let props = state["ai.ggui/render"]["propsJson"].as_str();
        let props = props.unwrap_or_else(|| panic!("{state}"));
        serde_json::from_str(props).expect("JSON")
    }

    /// Waits until the card says how it stands.
    pub(crate) async fn says(&self, state: &str) -> Value {
        // What was said last is replayed, and what is said next follows.
        let mut again = self.person.open(&self.session).await;
        let said = async {
            loop {
                let payload = again.browser.frame("data").await["payload"]["payload"].take();
                if payload["state"] == state {
                    return payload;
                }
            }
        };
        let said = timeout(PATIENCE, said).await;
        said.unwrap_or_else(|_| panic!("the card never said {state}"))
    }
}
