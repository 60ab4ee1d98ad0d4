//! What a shape is chosen by beside the records of a list.

use super::super::super::reading::{Field, Gesture};
use super::shape::PreferredShape;

/// What is known of a list beside its records.
#[derive(Default)]
pub(crate) struct Around<'a, 'r> {
    /// What is done with its records, or with the seats in them.
    pub(crate) gestures: Vec<&'r Gesture<'a>>,
    /// The list inside each record, and whether something moves its records.
    pub(crate) inner: Option<(&'a str, Vec<Field<'a>>)>,
    /// Whether an action moves the inner records.
    pub(crate) moves: bool,
    /// Whether an action says to which of the records an inner one goes.
    pub(crate) is_target: bool,
    /// Whether a person says something next that is a text and nothing else.
    pub(crate) is_answered: bool,
    /// Whether an action hands in the answers to all of them.
    pub(crate) is_handed_in: bool,
    /// Whether a channel counts its records.
    pub(crate) is_counted: bool,
    /// Members of its records that are ids of other lists: with a name for each.
    pub(crate) named: Vec<&'a str>,
    /// Those of them whose lists stand in the order of time.
    pub(crate) dated: Vec<&'a str>,
    /// The member that names the column a record stands in, where columns are a list of their own.
    pub(crate) lane: Option<&'a str>,
    /// What the page is for, in the words of the agent.
    pub(crate) intent: &'r str,
    /// What the intent asks for.
    pub(crate) preferred: Option<PreferredShape>,
    /// The component that the words of the contract speak for, and how sure that is, in hundredths.
    pub(crate) likely: Option<(&'static str, u8)>,
}
