//! Whoever made a request, while it is answered: what they can be told, and what they can be asked.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use crate::wire::ids::AppId;

/// Asks a person to fill in a form, or to open an address.
pub(crate) const ELICIT: &str = "elicitation/create";
/// Asks the client's model.
pub(crate) const SAMPLE: &str = "sampling/createMessage";
/// Asks for the folders that a client works in.
pub(crate) const ROOTS: &str = "roots/list";
/// Tells how far a request has come.
pub(crate) const PROGRESS: &str = "notifications/progress";
/// A log message.
pub(crate) const LOG: &str = "notifications/message";
/// Key in `_meta` of the least severe log message that is wanted during a request of the newer era.
pub(crate) const LOG_LEVEL_KEY: &str = "io.modelcontextprotocol/logLevel";
/// Follows a resource, in the older era.
pub(crate) const SUBSCRIBE: &str = "resources/subscribe";
/// Follows it no longer.
pub(crate) const UNSUBSCRIBE: &str = "resources/unsubscribe";

/// Key of the extension by which a request goes on as a task.
pub(crate) const TASKS: &str = "io.modelcontextprotocol/tasks";

/// What a client can be asked, and whether it looks at tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Abilities {
    /// A form for a person.
    pub(crate) form: bool,
    /// An address for a person.
    pub(crate) url: bool,
    /// Its model.
    pub(crate) sampling: bool,
    /// Its model, with tools.
    pub(crate) sampling_tools: bool,
    /// Its folders.
    pub(crate) roots: bool,
    /// It goes on with something else while a request is a task.
    pub(crate) tasks: bool,
}

impl Abilities {
    /// Of a client that cannot be asked anything.
    pub(crate) const NONE: Self = Self::all(false);
    /// Of a client that does not say what it can be asked: it refuses by itself what it cannot. Tasks
    /// are for those that say so.
    pub(crate) const UNKNOWN: Self = Self::all(true);

    const fn all(each: bool) -> Self {
        Self {
            form: each,
            url: each,
            sampling: each,
            sampling_tools: each,
            roots: each,
            tasks: false,
        }
    }

    /// What a client declares.
    pub(crate) fn of(declared: &Map<String, Value>) -> Self {
        let member = |name: &str| declared.get(name).and_then(Value::as_object);
        let elicitation = member("elicitation");
        let has = |name: &str| elicitation.is_some_and(|modes| modes.contains_key(name));
        let sampling = member("sampling");
        Self {
            // Without a mode it is a form, as before there were modes.
            form: elicitation.is_some() && (has("form") || !has("url")),
            url: has("url"),
            sampling: sampling.is_some(),
            sampling_tools: sampling.is_some_and(|sampling| sampling.contains_key("tools")),
            roots: member("roots").is_some(),
            tasks: member("extensions")
                .is_some_and(|known| known.get(TASKS).is_some_and(Value::is_object)),
        }
    }

    /// The same, as it is declared.
    pub(crate) fn declared(self) -> Value {
        let mut declared = json!({});
        if self.form {
            declared["elicitation"]["form"] = json!({});
        }
        if self.url {
            declared["elicitation"]["url"] = json!({});
        }
        if self.sampling {
            declared["sampling"] = json!({});
        }
        if self.sampling_tools {
            declared["sampling"]["tools"] = json!({});
        }
        if self.roots {
            declared["roots"] = json!({});
        }
        if self.tasks {
            declared["extensions"] = json!({ TASKS: {} });
        }
        declared
    }

    /// Whether a client can be asked this.
    pub(crate) fn allow(self, method: &str, params: &Map<String, Value>) -> bool {
        match method {
            ELICIT if params.get("mode").is_some_and(|mode| mode == "url") => self.url,
            ELICIT => self.form,
            SAMPLE if params.contains_key("tools") => self.sampling_tools,
            SAMPLE => self.sampling,
            ROOTS => self.roots,
            _ => false,
        }
    }
}

/// What somebody is asked in the middle of a request.
pub(crate) struct Question {
    /// What it is called among the questions of its request.
    pub(crate) name: String,
    /// The method of the protocol.
    pub(crate) method: &'static str,
    /// What exactly.
    pub(crate) params: Map<String, Value>,
}

/// Why a question has no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum AskError {
    /// Their client has not said that it can be asked this.
    #[error("the client cannot be asked this")]
    Unable,
    /// Their client answered with an error.
    #[error("the client answered with error {code}: {message}")]
    Refused {
        /// Its own number.
        code: i32,
        /// Its own words.
        message: String,
    },
    /// As many questions as may be wait for answers.
    #[error("{0} questions wait for answers, which is as many as may")]
    Full(usize),
    /// They did not answer in time.
    #[error("the client did not answer in time")]
    Timeout,
    /// They no longer wait for the result.
    #[error("the client is gone")]
    Gone,
}

/// Whoever made a request.
#[async_trait]
pub(crate) trait Requester: Send + Sync {
    /// Who they are: the app, and the name of their credential in it.
    fn caller(&self) -> (&AppId, &str);

    /// What they can be asked.
    fn abilities(&self) -> Abilities;

    /// Lets them go on with something else until the result is there, where their client knows how.
    /// Whether they do.
    fn defer(&self) -> bool;

    /// The span that answers them, as a `traceparent`, where there is one.
    fn trace(&self) -> Option<String> {
        None
    }

    /// Notifies them. A reader that is slow or gone misses it.
    fn notify(&self, method: &'static str, params: Map<String, Value>);

    /// Asks them, and waits for their result. A future that is dropped takes the question back.
    async fn ask(&self, question: Question) -> Result<Value, AskError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(declared: Value) -> Abilities {
        Abilities::of(declared.as_object().expect("an object"))
    }

    #[test]
    fn what_a_client_declares_is_what_it_is_asked() {
        let nothing = Map::new();
        let url = json!({"mode": "url"});
        let url = url.as_object().expect("an object");
        for (declared, form, by_url) in [
            (json!({}), false, false),
            (json!({"elicitation": {}}), true, false),
            (json!({"elicitation": {"form": {}}}), true, false),
            (json!({"elicitation": {"url": {}}}), false, true),
            (json!({"elicitation": {"form": {}, "url": {}}}), true, true),
        ] {
            let able = of(declared.clone());
            assert_eq!(able.allow(ELICIT, &nothing), form, "{declared}");
            assert_eq!(able.allow(ELICIT, url), by_url, "{declared}");
            assert!(!able.allow(SAMPLE, &nothing) && !able.allow(ROOTS, &nothing));
        }
        let able = of(json!({"sampling": {}, "roots": {"listChanged": true}}));
        assert!(able.allow(SAMPLE, &nothing) && able.allow(ROOTS, &nothing));
        let with_tools = json!({"tools": []});
        assert!(!able.allow(SAMPLE, with_tools.as_object().expect("an object")));
        assert!(!Abilities::UNKNOWN.allow("tools/call", &nothing));
    }

    #[test]
    fn what_is_declared_onwards_is_what_was_declared() {
        for declared in [
            json!({}),
            json!({"elicitation": {"form": {}}}),
            json!({"elicitation": {"url": {}}, "roots": {}}),
            json!({"sampling": {"tools": {}}}),
            json!({"extensions": {TASKS: {}}}),
        ] {
            assert_eq!(of(declared.clone()).declared(), declared);
        }
    }
}
