//! The columns of the table of operations.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::principal::Trust;
use crate::wire::fault::{Code, Endpoint};

/// A row: what an operation is called, what a model reads of it, and how it is treated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Of the tool, and in metrics, scopes and limits.
    pub(crate) name: &'static str,
    /// For people.
    pub(crate) title: &'static str,
    /// Written for a model: what it does, when to use it, what comes next.
    pub(crate) description: &'static str,
    /// How it is treated.
    pub(crate) rules: Rules,
}

/// How an operation is treated, whatever it does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// How far a credential has to reach.
    pub(crate) trust: Trust,
    /// The operation whose scope opens it; none where its own name is the scope.
    pub(crate) scope: Option<&'static str>,
    /// What it changes.
    pub(crate) effect: Effect,
    /// What it counts as where calls are limited.
    pub(crate) rate: Rate,
    /// How a failure of the tool looks.
    pub(crate) fails: Fails,
    /// The endpoints that list it as a tool.
    pub(crate) listed: &'static [Endpoint],
    /// What hosts are told of UIs.
    pub(crate) ui: Ui,
    /// How it waits for something to happen, where it does.
    pub(crate) waits: Option<Wait>,
    /// Whether it may wait for a model, for as long as a view may take.
    pub(crate) draws: bool,
    /// Whether its arguments are compiled or compared, which takes long where they are long.
    pub(crate) weighs: bool,
    /// Whether arguments are held against the input schema; the frames of the live channel are
    /// read into their types by their transport.
    pub(crate) is_checked: bool,
    /// Whether it can feed a channel of a UI: it only looks, and says nothing that the holder of a
    /// token of that session may not read anyway. The list of sessions hands out tokens, and
    /// blueprints are what others of the app agreed on.
    pub(crate) feeds_channels: bool,
    /// Whether it can be asked for over the channel of one session.
    pub(crate) is_on_channel: bool,
    /// The member of its result that a model reads as text; none for the whole result.
    pub(crate) text: Option<&'static str>,
}

/// What an operation changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It keeps something that was not there before.
    Adds,
    /// It changes something, and keeps nothing new.
    Changes,
    /// It only looks.
    Reads,
    /// As `Adds`, but the same call again changes nothing more.
    Sets,
}

/// What an operation counts as where calls are limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rate {
    /// It costs a compilation and a place.
    Making,
    /// Its transport limits it.
    Transport,
    /// Anything else.
    Using,
}

/// How a failure of a tool looks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fails {
    /// As a result `{ok: false, code, message}`, which hosts hand to the UI as it is
    /// (errors.md §3.3): for some codes in words of this tool, for others as in frames.
    InBand(&'static [(Code, Code)]),
    /// As an error object or an error result, by its code.
    ByCode,
}

/// What hosts are told of a tool and UIs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ui {
    /// Only the shown UI calls it.
    AppOnly,
    /// Nothing.
    Plain,
    /// Its result is shown.
    Shown,
}

/// How an operation waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    /// The argument that says for how many seconds.
    pub(crate) argument: &'static str,
    /// What it gives to whoever takes the call back: as if nothing had happened in time.
    pub(crate) nothing: fn(&Value) -> Box<RawValue>,
}

/// The types of an operation, and its row.
pub(crate) trait Signature: 'static {
    /// What it is given.
    type Params: DeserializeOwned + JsonSchema + Send + 'static;
    /// What it gives.
    type Result: Serialize + JsonSchema + 'static;
    /// Everything else about it.
    const ROW: Row;
    /// Its name.
    const NAME: &'static str = Self::ROW.name;
}

/// The endpoints of those who show UIs.
const UI_ENDPOINTS: &[Endpoint] = &[Endpoint::Mcp, Endpoint::Ggui];
/// The endpoint of those who keep pages.
const PAGE_ENDPOINTS: &[Endpoint] = &[Endpoint::Brain];
/// The same where the settings list the tools of the page store beside the others.
pub(crate) const PAGE_ENDPOINTS_AND_MCP: &[Endpoint] = &[Endpoint::Brain, Endpoint::Mcp];

impl Row {
    /// An operation that no endpoint lists.
    pub(super) const fn new(name: &'static str, trust: Trust, effect: Effect, rate: Rate) -> Self {
        Self {
            name,
            title: "",
            description: "",
            rules: Rules {
                trust,
                scope: None,
                effect,
                rate,
                fails: Fails::ByCode,
                listed: &[],
                ui: Ui::Plain,
                waits: None,
                draws: false,
                weighs: false,
                is_checked: true,
                feeds_channels: false,
                is_on_channel: false,
                text: None,
            },
        }
    }

    /// A tool of the endpoints that show UIs.
    pub(super) const fn tool(
        mut self,
        ui: Ui,
        title: &'static str,
        description: &'static str,
    ) -> Self {
        self.title = title;
        self.description = description;
        self.rules.ui = ui;
        self.rules.listed = UI_ENDPOINTS;
        self
    }

    /// A tool of the page store. The text of its result is the member of that name, where one is
    /// given.
    pub(super) const fn of_pages(
        mut self,
        title: &'static str,
        text: Option<&'static str>,
        description: &'static str,
    ) -> Self {
        self.title = title;
        self.description = description;
        self.rules.listed = PAGE_ENDPOINTS;
        self.rules.text = text;
        self
    }

    /// It takes the scope of another.
    pub(super) const fn within(mut self, scope: &'static str) -> Self {
        self.rules.scope = Some(scope);
        self
    }

    /// Its failures are told in band.
    pub(super) const fn fails_in_band(mut self, words: &'static [(Code, Code)]) -> Self {
        self.rules.fails = Fails::InBand(words);
        self
    }

    /// It waits for as many seconds as an argument says.
    pub(super) const fn waits(
        mut self,
        argument: &'static str,
        nothing: fn(&Value) -> Box<RawValue>,
    ) -> Self {
        self.rules.waits = Some(Wait { argument, nothing });
        self
    }

    /// It may wait for a model.
    pub(super) const fn draws(mut self) -> Self {
        self.rules.draws = true;
        self
    }

    /// It takes longer the longer its arguments are.
    pub(super) const fn weighs(mut self) -> Self {
        self.rules.weighs = true;
        self
    }

    /// Its transport has read its arguments.
    pub(super) const fn unchecked(mut self) -> Self {
        self.rules.is_checked = false;
        self
    }

    /// It can feed a channel of a UI.
    pub(super) const fn feeds_channels(mut self) -> Self {
        self.rules.feeds_channels = true;
        self.on_channel()
    }

    /// It can be asked for over the channel of one session.
    pub(super) const fn on_channel(mut self) -> Self {
        self.rules.is_on_channel = true;
        self
    }
}

impl Rules {
    /// Whether it only looks: asked again, nothing has changed by it.
    pub(crate) fn is_read(&self) -> bool {
        self.effect == Effect::Reads
    }

    /// Whether something is kept of it that was not there before.
    pub(crate) fn adds(&self) -> bool {
        matches!(self.effect, Effect::Adds | Effect::Sets)
    }
}
