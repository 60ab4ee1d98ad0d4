//! Views that a model draws, against a provider over real HTTP: whatever it does, a good view is shown
//! within the limits, and nothing leaks.

mod command;
mod free;
mod interfaces;
#[cfg(all(feature = "keyring", target_os = "linux"))]
mod keyring;
mod limits;
mod money;
mod preview;
mod provider;
mod remarks;
mod required;
mod secrets;
mod shown;
mod together;
mod traces;
mod troubles;

use proscenium::config::Config;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser::Browser;
use crate::contracts::todo_list;
use crate::world::{Shown, World};
pub(crate) use provider::{Provider, Reply};

/// The key of the provider.
pub(crate) const KEY: &str = "sk-test-secret-0123456789";

/// A choice that fits [`todo_list`].
pub(crate) fn chores() -> String {
    json!({
        "headline": {"text": "Chores of the week"},
        "primary": "addTodo",
        "parts": [{"source": "/props/todos", "title": "Open", "fields": [{"field": "done", "label": "Ready"}]}],
    })
    .to_string()
}

/// Props of [`todo_list`].
pub(crate) fn todos() -> Value {
    json!({"todos": [{"id": "t1", "title": "Water the plants", "done": false}]})
}

/// A server whose views a provider's model draws.
pub(crate) struct Studio {
    pub(crate) world: World,
    pub(crate) provider: Provider,
    _key: TempDir,
}

impl Studio {
    pub(crate) async fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::start_with(replies, |_| {}).await
    }

    pub(crate) async fn start_with(
        replies: impl IntoIterator<Item = Reply>,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let provider = Provider::start(replies).await;
        let key = tempfile::tempdir().expect("a folder");
        let file = key.path().join("key");
        std::fs::write(&file, format!("{KEY}\n")).expect("a file");
        let world = World::start_with(|config| {
            config.model.provider = serde_json::from_value(json!("openai")).expect("a provider");
            config.model.url = provider.url().to_owned();
            config.model.name = "quick".to_owned();
            config.model.others = "large".to_owned();
            config.model.key_file = file;
            config.model.prompt_price = 1_000_000;
            config.model.answer_price = 5_000_000;
            change(config);
        })
        .await;
        Self {
            world,
            provider,
            _key: key,
        }
    }

    /// The same, where the provider speaks as Anthropic does.
    pub(crate) async fn messages(
        replies: impl IntoIterator<Item = Reply>,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        Self::start_with(replies, |config| {
            config.model.provider = serde_json::from_value(json!("anthropic")).expect("one");
            change(config);
        })
        .await
    }

    /// A line of the metrics, of one model.
    pub(crate) async fn metric(&self, name: &str, labels: &[&str]) -> Option<u64> {
        let page = self.world.send(self.world.get("/metrics")).await.body;
        let page = page.as_str().expect("text");
        let mut lines = page.lines().filter(|line| line.starts_with(name));
        let line = lines.find(|line| labels.iter().all(|label| line.contains(label)))?;
        let (_, value) = line.rsplit_once(' ')?;
        value.parse().ok()
    }

    /// A to-do list, rendered, and a browser that is told of everything.
    pub(crate) async fn show(&self) -> (Shown, Browser) {
        let shown = self.world.show(todo_list(), todos()).await;
        let browser = self.watch(&shown).await;
        (shown, browser)
    }

    pub(crate) async fn watch(&self, shown: &Shown) -> Browser {
        let mut browser = self.world.knock(shown).await;
        // From the beginning of the log: what was told before it came is a row of it.
        let more = json!({"observe": true, "sinceSequence": 0});
        let ack = browser.subscribe(more).await;
        assert_eq!(ack["type"], "ack", "{ack}");
        browser
    }

    /// The source of the view that is shown.
    pub(crate) async fn view(&self, shown: &Shown) -> String {
        let session = json!({"sessionId": shown.session});
        let source = self.world.tool("ggui_get_render_source", session).await;
        source["blueprint"]["source"]
            .as_str()
            .expect("a view")
            .to_owned()
    }
}

/// What those who watch are told once a model has come to its end, told live or out of the log.
pub(crate) async fn ended(browser: &mut Browser) -> Value {
    loop {
        let frame = browser.next().await;
        let event = match frame["type"].as_str() {
            Some("observe") => &frame["payload"]["event"],
            Some("render_event") => &frame["payload"]["data"],
            _ => continue,
        };
        if event["kind"] == "generation-ended" {
            return event.clone();
        }
    }
}

/// The view of the to-do list as the composer draws it.
pub(crate) async fn composed() -> String {
    let world = World::start().await;
    let shown = world.show(todo_list(), todos()).await;
    shown.slice()["viewJson"]
        .as_str()
        .expect("a view")
        .to_owned()
}
