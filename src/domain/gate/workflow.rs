//! How people are asked: where, for how long, and what they are not shown.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::super::principal::is_app;
use super::super::redaction::Redaction;
use super::check_source::address;
use super::duration::duration;
use super::file::{Allowed, DestinationEntry, WorkflowEntry};
use super::webhook::{Destination, Webhook};
use crate::wire::ids::AppId;

/// How long a person has unless the file says so: long enough to come back with a coffee.
const TIMEOUT: Duration = Duration::from_secs(300);
/// The shortest time in which a person can read what is asked (V-015).
const TIMEOUT_MIN: Duration = Duration::from_secs(5);
/// The longest: a card in which nothing happens ends with its session after an hour.
const TIMEOUT_MAX: Duration = Duration::from_secs(3_600);

/// How people are asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Workflow {
    /// Its name in the file.
    pub(crate) name: String,
    /// The app on whose stage; none: the app of whoever calls.
    pub(crate) app: Option<AppId>,
    /// Who else learns that they are asked.
    pub(crate) destination: Option<Destination>,
    /// How long a person has.
    pub(crate) timeout: Duration,
    /// How long a call waits before it is answered; none: as long as any call.
    pub(crate) hold: Option<Duration>,
    /// What nobody is shown.
    pub(crate) redaction: Redaction,
    /// Whether people may change what a tool is given.
    pub(crate) allows_edits: bool,
    /// Whether people may approve further calls of a tool, too.
    pub(crate) allows_sessions: bool,
}

/// The ways in which people are asked, by name; and everything that is wrong with them.
pub(super) fn workflows(
    entries: &BTreeMap<String, WorkflowEntry>,
    problems: &mut Vec<String>,
) -> BTreeMap<String, Arc<Workflow>> {
    let workflows = entries.iter().map(|(name, entry)| {
        let workflow = workflow(name, entry, problems);
        (name.clone(), Arc::new(workflow))
    });
    workflows.collect()
}

fn workflow(name: &str, entry: &WorkflowEntry, problems: &mut Vec<String>) -> Workflow {
    let path = &format!("approval.{name}");
    let (app, destination) = entry
        .destination
        .as_ref()
        .map_or((None, None), |entry| destination(path, entry, problems));
    let mut say = |member: &str, why: String| problems.push(format!("{path}.{member}: {why}"));
    match entry.on_timeout.as_deref() {
        None | Some("deny") => {}
        Some("approve") => {
            let why = "approve would do what nobody has agreed to; write deny";
            say("on_timeout", why.to_owned());
        }
        Some(other) => say("on_timeout", format!("\"{other}\" is unknown; write deny")),
    }
    let mut read = |member: &str, text: &Option<String>| {
        let read = text.as_deref().map(|text| duration(text, TIMEOUT_MAX))?;
        match read {
            Ok(read) if read < TIMEOUT_MIN => {
                let min = TIMEOUT_MIN.as_secs();
                say(member, format!("is shorter than {min}s (V-015)"));
                None
            }
            Ok(read) => Some(read),
            Err(why) => {
                say(member, why);
                None
            }
        }
    };
    let timeout = read("timeout", &entry.timeout);
    let hold = read("blocking_timeout", &entry.blocking_timeout);
    for (at, field) in entry.redact_fields.iter().enumerate() {
        if field.split('.').any(str::is_empty) {
            let why = format!("\"{field}\" is no path, such as card.number");
            say(&format!("redact_fields.{at}"), why);
        }
    }
    Workflow {
        name: name.to_owned(),
        app,
        destination,
        timeout: timeout.unwrap_or(TIMEOUT),
        hold,
        redaction: Redaction::of(&entry.redact_fields),
        allows_edits: entry.allow.contains(&Allowed::Edit),
        allows_sessions: entry.allow.contains(&Allowed::Session),
    }
}

/// The app on whose stage people are asked, where one is named, and who else learns that they are.
pub(super) fn destination(
    path: &str,
    entry: &DestinationEntry,
    problems: &mut Vec<String>,
) -> (Option<AppId>, Option<Destination>) {
    let mut say =
        |member: &str, why: String| problems.push(format!("{path}.destination.{member}: {why}"));
    let kind = entry.kind.as_str();
    let (has_url, has_secret) = match kind {
        "webhook" => (true, true),
        "slack" => (true, false),
        _ => (false, false),
    };
    if entry.url.is_some() && !has_url {
        say("url", "is for the types webhook and slack".to_owned());
    }
    if entry.secret.is_some() && !has_secret {
        say("secret", "is for the type webhook".to_owned());
    }
    let destination = match kind {
        "stage" => None,
        "console" => Some(Destination::Console),
        "slack" => webhook(entry, false, &mut say).map(Destination::Slack),
        "webhook" => webhook(entry, true, &mut say).map(Destination::Webhook),
        kind => {
            let kinds = "there are \"stage\", \"webhook\", \"slack\" and \"console\"";
            say("type", format!("\"{kind}\" is unknown; {kinds}"));
            None
        }
    };
    let app = entry.app.as_deref().map(|app| {
        if !is_app(app) {
            say("app", format!("\"{app}\" is no name of an app"));
        }
        AppId::from(app)
    });
    (app, destination)
}

/// Where notices go, and what they are signed with, where they are.
fn webhook(
    entry: &DestinationEntry,
    is_signed: bool,
    say: &mut impl FnMut(&str, String),
) -> Option<Webhook> {
    let missing = || "is missing".to_owned();
    let url = entry.url.clone().ok_or_else(missing);
    let url = url.and_then(|url| address(&url).map(|()| url));
    let key = match is_signed {
        true => {
            let secret = entry.secret.as_deref().ok_or_else(missing);
            secret.and_then(Webhook::key).map(Some)
        }
        false => Ok(None),
    };
    match (url, key) {
        (Ok(url), Ok(key)) => Some(Webhook { url, key }),
        (url, key) => {
            let problems = [("url", url.err()), ("secret", key.err())];
            for (member, why) in problems {
                if let Some(why) = why {
                    say(member, why);
                }
            }
            None
        }
    }
}
