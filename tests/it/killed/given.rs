//! What agents were given by a server that may be killed at any moment.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::{Call, keyed};
use crate::node::Client;

/// What the agent of a session was given.
#[derive(Default)]
pub(super) struct Given {
    pub(super) ids: Vec<String>,
    /// The call that was not answered, by its key.
    pub(super) open: Option<(String, Call)>,
}

/// Takes what people did until the server is gone.
pub(super) async fn consume(client: Client, round: u64, id: String, given: Arc<Mutex<Given>>) {
    for count in 0.. {
        let key = format!("{id}-consume-{round}-{count}");
        let call = ("ggui_consume", json!({"sessionId": id, "timeout": 1}));
        given.lock().unwrap().open = Some((key.clone(), call.clone()));
        let Some(result) = keyed(&client, &key, &call).await else {
            return;
        };
        take(&given, &result);
    }
}

/// Takes over what a call was answered with.
pub(super) fn take(given: &Mutex<Given>, result: &Value) -> usize {
    let events = result["events"].as_array().expect("events");
    let ids = events
        .iter()
        .map(|event| event["actionId"].as_str().expect("an id"));
    let mut given = given.lock().unwrap();
    given.ids.extend(ids.map(str::to_owned));
    given.open = None;
    events.len()
}
