//! Records that are ticked off one by one.

use serde_json::Value;

use super::super::super::reading::{
    Deed, Field, Gesture, Kind, choices, ends_with, is, is_duty, is_nullable, kind, naming,
    singular, split,
};
use super::shape::Shape;

/// Verbs that tick something off, and those that take it back.
const TICKING: &[&str] = &["check", "complete", "finish", "mark", "tick"];
const UNTICKING: &[&str] = &["uncheck", "unmark", "untick"];

/// What the member is called that says whether a task is done.
const DONE: &[&str] = &[
    "checked",
    "completed",
    "done",
    "finished",
    "packed",
    "ticked",
];

/// What is gone through point by point, each with a result.
const POINTS: &[&str] = &["check", "checkpoint", "item", "point"];

/// Words of results of what nobody has looked at: `pending`, `still_open`; so is what is `notTested`.
const OPEN: &[&str] = &["open", "pending", "todo", "unchecked", "untested"];

/// Values of a task, with its words and whether it is done; what has more is compared in rows.
const FIELDS_MAX: usize = 10;

/// Whether a value says by yes or no that a task is done.
pub(crate) fn is_done(field: &Field<'_>) -> bool {
    kind(field.schema) == Kind::Boolean && ends_with(field, DONE)
}

/// What is ticked off, or gets a result, one after the other.
pub(super) fn tasks<'a>(
    name: &str,
    columns: &[Field<'a>],
    gestures: &[&Gesture<'_>],
    is_wanted: bool,
) -> Option<Shape<'a>> {
    let list = split(name).pop().map(|word| singular(&word))?;
    let is_text = |field: &&Field<'a>| kind(field.schema) == Kind::Text;
    let words = columns.iter().filter(is_text);
    let title = words
        .clone()
        .find(|field| ends_with(field, &["task", "text", "title", "what"]))
        .map(|field| field.name)
        .or_else(|| naming(columns))?;
    let is_one = |gesture: &&&Gesture<'_>| matches!(gesture.deed, Deed::One { .. });
    let with = |verbs: &[&str]| {
        let mut found = gestures.iter().filter(is_one);
        found.find(|gesture| is(gesture.name, verbs)).copied()
    };
    let done = columns.iter().find(|field| is_done(field));
    // Who did it, or when, says that it is done: `doneAt`, which is empty until then.
    let says_done = |field: &&Field<'_>| {
        let words = split(field.name);
        let [word, last] = words.as_slice() else {
            return false;
        };
        DONE.contains(&word.as_str())
            && matches!(last.as_str(), "at" | "by" | "on")
            && is_nullable(field.schema)
    };
    let done = done.or_else(|| words.clone().find(says_done));
    let required = columns
        .iter()
        .find(|field| kind(field.schema) == Kind::Boolean && is_duty(field.name));
    let group = columns.iter().find(|field| {
        kind(field.schema) == Kind::Choice
            && ends_with(field, &["area", "group", "phase", "section"])
    });
    let fits = columns.len() <= FIELDS_MAX;
    let tick = with(TICKING);
    let found = |done: &Field<'a>, open: Vec<String>| Shape::Tasks {
        title,
        done: done.name,
        open,
        required: required.map(|field| field.name),
        group: group.map(|field| field.name),
        tick: tick.map(|gesture| gesture.name.to_owned()),
        untick: with(UNTICKING).map(|gesture| gesture.name.to_owned()),
    };
    if let Some(done) = done {
        // `setDone` says outright whether it is done.
        let sets = |gesture: &&Gesture<'_>| gesture.replaces(done.name).is_some();
        let is_ticked = tick.is_some() || gestures.iter().any(sets);
        return (is_wanted || (fits && is_ticked)).then(|| found(done, Vec::new()));
    }
    let result = columns
        .iter()
        .find(|field| ends_with(field, &["result"]) && choices(field.schema).is_some())?;
    let open: Vec<String> = choices(result.schema)?
        .into_iter()
        .filter_map(Value::as_str)
        .filter(|value| is_open(value))
        .map(str::to_owned)
        .collect();
    let is_gone_through = POINTS.contains(&list.as_str()) && !open.is_empty() && fits;
    let is_done = gestures.iter().any(|gesture| is_one(&gesture));
    (is_wanted || (is_gone_through && is_done)).then(|| found(result, open))
}

/// Whether a result says that nobody has looked at it.
fn is_open(result: &str) -> bool {
    let words = split(result);
    words.first().is_some_and(|word| word == "not")
        || words.iter().any(|word| OPEN.contains(&word.as_str()))
}
