//! The activity list of an app: a row for each event that is worth one.

use std::borrow::Cow;
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::clock::Time;
use super::event::{Event, Record};
use super::principal::Door;
use super::size::shorten;
use super::store_error::StoreError;
use crate::wire::ids::{AppId, Seq, SessionId};

/// The newest rows of each app. A row is worth less than the event it tells of: one may be missing
/// where a server ended between the two.
#[async_trait]
pub(crate) trait ActivityStore: Send + Sync + 'static {
    /// Adds rows, oldest first, behind those that are there, and forgets the oldest of more than
    /// `rows_max`. A row that is there already is not added again: whoever was not answered may call
    /// again.
    async fn add(&self, app: &AppId, rows: &[Activity], rows_max: usize) -> Result<(), StoreError>;

    /// The rows after a position of the list, oldest first, and the position of the last one; 0 is
    /// before all.
    async fn after(&self, app: &AppId, at: u64) -> Result<(Vec<Activity>, u64), StoreError>;

    /// Returns once there are rows after a position.
    async fn wait(&self, app: &AppId, at: u64) -> Result<(), StoreError>;
}

/// A row of the activity list of an app.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Activity {
    pub(crate) session: SessionId,
    /// Who rendered it.
    pub(crate) owner: Arc<str>,
    /// Position in its log.
    pub(crate) seq: Seq,
    pub(crate) at: Time,
    /// In one word: rendered, clicked, consumed, updated, amended, violation, deleted.
    pub(crate) kind: Cow<'static, str>,
    /// In a few more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// Who did it.
    pub(crate) principal: Arc<str>,
    /// Through which door.
    pub(crate) door: Door,
}

impl Activity {
    /// Longest text of a row: two lines of a narrow list.
    const TEXT_CHARS_MAX: usize = 240;
}

impl Record {
    /// The row of the activity list this event is worth, if any.
    pub(crate) fn activity(&self, session: &SessionId, owner: &Arc<str>) -> Option<Activity> {
        let (kind, text): (Cow<'static, str>, Option<Cow<'_, str>>) = match &self.fact.event {
            Event::ActionsDrained(ids) => {
                ("consumed".into(), Some(count(ids.len(), "action").into()))
            }
            Event::ActionSubmitted(action) => {
                ("clicked".into(), Some(action.gesture.intent().into()))
            }
            Event::Deleted => ("deleted".into(), None),
            Event::Created(creation) => ("rendered".into(), Some((&*creation.intent).into())),
            Event::AuthRequested(request) => {
                ("auth-required".into(), Some((&*request.provider).into()))
            }
            Event::ActionsSettled(_)
            | Event::ContextSynced(_)
            | Event::Emitted(_)
            | Event::HostContextObserved(_)
            // What was observed of it says more.
            | Event::Redrawn(_)
            | Event::Snapshot(_) => {
                return None;
            }
            Event::Observed(event) => {
                let kind = match event["kind"].as_str() {
                    None => "observed".into(),
                    Some("contract-violation") => "violation".into(),
                    Some(kind) => kind.to_owned().into(),
                };
                (kind, event["message"].as_str().map(Cow::from))
            }
            Event::Updated { reminted, .. } => {
                (if *reminted { "updated" } else { "amended" }.into(), None)
            }
        };
        Some(Activity {
            session: session.clone(),
            owner: Arc::clone(owner),
            seq: self.seq,
            at: self.fact.at,
            kind,
            text: text.map(|text| shorten(&text, Activity::TEXT_CHARS_MAX)),
            principal: Arc::clone(&self.fact.principal),
            door: self.fact.door,
        })
    }
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
