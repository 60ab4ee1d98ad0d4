//! The port of the policies: what they are asked about a name, and what they answer.

use serde_json::{Map, Value};

use super::super::clock::Time;
use super::super::principal::Principal;

/// What somebody would do with a name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Use<'a> {
    /// Call a tool with these arguments.
    Call(&'a Map<String, Value>),
    /// See a tool, which they may if there can be arguments with which they may call it.
    See,
    /// Make this request of the protocol.
    Read(&'static str),
}

/// What policies are asked.
pub(crate) struct Asked<'a> {
    /// Who would do it.
    pub(crate) principal: &'a Principal,
    /// What they would do.
    pub(crate) usage: Use<'a>,
    /// The id of the source.
    pub(crate) source: &'a str,
    /// The name of the tool, the prompt or the resource, as its source has it.
    pub(crate) name: &'a str,
    /// By what policies know the rule that asks them.
    pub(crate) policy_id: &'a str,
    /// When.
    pub(crate) at: Time,
}

/// What policies answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// It is denied.
    Deny {
        /// Words for whoever is denied, where the policies have any.
        reason: Option<String>,
    },
    /// It may be done.
    Permit {
        /// The way in which a person has to be asked before, where the policies name one.
        approval: Option<String>,
    },
}

/// Decides by policies. What nothing permits is denied, and so is what cannot be decided.
pub(crate) trait Policies: Send + Sync {
    /// Decides.
    fn decide(&self, asked: &Asked<'_>) -> Decision;
}
