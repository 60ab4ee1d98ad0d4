//! What the server writes of itself into pages: the port that takes it, and the one that remembers.

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::blueprint::OpenBlueprint;
use super::super::clock::Time;
use super::super::contract::CompiledContract;
use super::super::event::Fact;
use super::super::session::Session;
use super::slug::Place;
use crate::wire::ids::AppId;
#[cfg(feature = "gate")]
use crate::wire::ids::SessionKey;

/// How much the server writes of itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum JournalDepth {
    /// Nothing.
    Off,
    /// Which blueprints were shown, what people did by the names of the actions, and approvals.
    #[default]
    Names,
    /// The same with what people gave, without secrets.
    Values,
}

/// A render.
pub(crate) struct Rendering<'a> {
    /// What is shown.
    pub(crate) session: &'a Session,
    /// Under which it is stored.
    pub(crate) blueprint: &'a OpenBlueprint,
    /// When.
    pub(crate) at: Time,
}

/// What happened to the approval of a call or of a tool.
#[cfg(feature = "gate")]
pub(crate) struct ApprovalStep {
    /// The session in which a person is asked.
    pub(crate) card: SessionKey,
    /// When.
    pub(crate) at: Time,
    /// What was asked; none for what comes after the question.
    pub(crate) question: Option<ApprovalQuestion>,
    /// What happened, in one word.
    pub(crate) state: String,
    /// Who did it, where somebody did.
    pub(crate) by: Option<String>,
    /// Why not, in their words.
    pub(crate) reason: Option<String>,
}

/// What a person is asked to approve.
#[cfg(feature = "gate")]
pub(crate) struct ApprovalQuestion {
    /// The tool, as its source names it.
    pub(crate) tool: String,
    /// The id of the source.
    pub(crate) source: String,
    /// Who calls; none where nobody does.
    pub(crate) caller: Option<String>,
    /// The session during which they call, where they have named one that is theirs.
    pub(crate) during: Option<SessionKey>,
}

/// Takes what is to be written. It never waits and never fails: what cannot be written is counted.
pub(crate) trait Journal: Send + Sync + 'static {
    /// Somebody of an app negotiates what nothing that is stored is like.
    fn unprecedented(&self, app: &AppId, intent: &str);

    /// Something was put in front of a person.
    fn rendered(&self, rendering: &Rendering<'_>);

    /// Something happened to a session.
    fn happened(&self, session: &Session, fact: &Fact);

    /// Something happened to an approval.
    #[cfg(feature = "gate")]
    fn decided(&self, step: ApprovalStep);
}

/// Writes nothing.
#[cfg(test)]
impl Journal for () {
    fn unprecedented(&self, _: &AppId, _: &str) {}

    fn rendered(&self, _: &Rendering<'_>) {}

    fn happened(&self, _: &Session, _: &Fact) {}

    #[cfg(feature = "gate")]
    fn decided(&self, _: ApprovalStep) {}
}

/// A blueprint that worked before for something like what is asked for now.
#[derive(Clone, Debug)]
pub(crate) struct Precedent {
    /// Its page.
    pub(crate) place: Place,
    /// What it was made for.
    pub(crate) intent: String,
    /// How often it was shown.
    pub(crate) shown: u64,
    /// In how many sessions a person did something.
    pub(crate) acted: u64,
}

/// What people prefer.
#[derive(Clone, Debug)]
pub(crate) struct Preference {
    /// Its page.
    pub(crate) place: Place,
    /// What it is about.
    pub(crate) title: String,
    /// What they prefer.
    pub(crate) says: String,
}

/// Remembers what worked before, and what people prefer.
#[async_trait]
pub(crate) trait Memory: Send + Sync + 'static {
    /// Blueprints of an app for contracts of the same names or for a like purpose, best first. It is
    /// bounded in time: `None` where that ran out, or where the pages cannot be read.
    async fn worked_before(
        &self,
        app: &AppId,
        contract: &CompiledContract,
        intent: &str,
    ) -> Option<Vec<Precedent>>;

    /// What the people of an app prefer, as far as they have agreed to keep it, last changed first;
    /// bounded in the same way, and none where that is not known.
    async fn preferences(&self, app: &AppId) -> Vec<Preference>;
}
