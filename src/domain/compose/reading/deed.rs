//! What actions do: to a record, to several, to nothing on the page; and what their verbs say.

use std::collections::BTreeMap;

use super::thing::Thing;
use super::words::{Word, Words, singular, split};

/// Verbs that refuse what another action grants.
pub(crate) const REFUSING: &[&str] = &["decline", "deny", "refuse", "reject"];

/// What an action does to a thing of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// It carries nothing.
    Nothing,
    /// It asks for values that belong to nothing on the page.
    Ask,
    /// It is about one record: payload members out of the record, and where inputs start from.
    One {
        thing: usize,
        fixed: BTreeMap<String, String>,
        initial: BTreeMap<String, String>,
    },
    /// It is about several records and nothing else: the payload member, and the id it collects.
    Several {
        thing: usize,
        member: String,
        key: String,
    },
    /// It takes one text of a list.
    Text { thing: usize, member: String },
    /// It edits a record.
    Edit { thing: usize, is_whole: bool },
}

/// Verbs that undo or end something.
pub(crate) const DESTRUCTIVE: &[&str] = &[
    "abandon",
    "abort",
    "archive",
    "ban",
    "block",
    "cancel",
    "clear",
    "decline",
    "delete",
    "deny",
    "discard",
    "dismiss",
    "emergency",
    "erase",
    "evacuate",
    "forget",
    "kill",
    "purge",
    "refuse",
    "reject",
    "remove",
    "reset",
    "restart",
    "retract",
    "revoke",
    "rollback",
    "shutdown",
    "stop",
    "terminate",
    "withdraw",
    "wipe",
];

/// Verbs that go around what the page is for.
pub(crate) const QUIET: &[&str] = &[
    "back", "close", "download", "export", "flag", "go", "hide", "hint", "hold", "later", "log",
    "mute", "next", "none", "not", "open", "other", "pause", "pin", "postpone", "previous",
    "print", "refresh", "report", "resume", "show", "skip", "snooze", "sort", "suggest", "toggle",
    "undo", "watch", "zoom",
];

/// Those of them that, with something to fill in, are what a page is for: `openAccount`,
/// `reportAbsence`, `logHours`.
pub(crate) const QUIET_ALONE: &[&str] = &["close", "hold", "log", "open", "report"];

/// Verbs of what a person says to others.
pub(crate) const TALKING: &[&str] = &[
    "answer",
    "ask",
    "broadcast",
    "comment",
    "message",
    "post",
    "reply",
    "respond",
    "say",
    "send",
    "tell",
    "transmit",
];

/// Verbs that give somebody or something to a record: `sendTechnician`.
pub(crate) const SENDING: &[&str] = &[
    "allocate", "appoint", "assign", "book", "call", "dispatch", "send",
];

/// What is saved on the way to something else.
pub(crate) const UNFINISHED: &[&str] = &["draft", "later", "progress", "search", "step"];

/// Verbs that make something new, so a record cannot be what they are about.
pub(crate) const CREATIVE: &[&str] = &["add", "create", "insert", "new", "register", "submit"];

/// The words of an action's name, each for one.
pub(crate) fn said(action: &str) -> Words {
    split(action).iter().map(|word| singular(word)).collect()
}

/// Whether what an action's name says speaks of the records of a thing.
pub(crate) fn names(said: &[Word], thing: &Thing<'_>) -> bool {
    said.contains(&thing.one)
}

/// Whether one of these texts names the records of a thing.
pub(super) fn speaks_of(thing: &Thing<'_>, texts: &[&str]) -> bool {
    texts.iter().any(|text| names(&said(text), thing))
}

/// Whether an action's name begins with one of these verbs: `addStop` stops nothing.
pub(crate) fn is(action: &str, verbs: &[&str]) -> bool {
    split(action)
        .first()
        .is_some_and(|word| verbs.contains(&word.as_str()))
}
