//! The activity list of an app: a row for each event that is worth one.

use std::borrow::Cow;
use std::sync::Arc;

use super::clock::Time;
use super::event::{Event, Record};
use super::principal::Door;
use super::size::shorten;
use crate::wire::ids::{Seq, SessionId};

/// A row of the activity list of an app.
#[derive(Debug, Clone)]
pub(crate) struct Activity {
    /// The session.
    pub(crate) session: SessionId,
    /// Who rendered it.
    pub(crate) owner: Arc<str>,
    /// Position in its log.
    pub(crate) seq: Seq,
    /// When.
    pub(crate) at: Time,
    /// In one word: rendered, clicked, consumed, updated, amended, violation, deleted.
    pub(crate) kind: Cow<'static, str>,
    /// In a few more.
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
