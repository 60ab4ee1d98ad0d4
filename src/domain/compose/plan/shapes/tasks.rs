//! Records that are ticked off one by one.

use serde_json::Value;

use super::super::super::reading::{
    Deed, Field, Gesture, Kind, choices, ends_with, is, is_duty, is_nullable, kind, naming,
    singular, split, state,
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
    named: &[&str],
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
    // So does the record of who did it and when: `done: {by, at}`.
    let is_signed = |field: &&Field<'_>| {
        kind(field.schema) == Kind::Record
            && is_nullable(field.schema)
            && DONE.contains(&field.name)
    };
    let done = done.or_else(|| columns.iter().find(is_signed));
    let tick = with(TICKING);
    // What is ticked off is OK then, or is what the tick sets: `loaded`.
    let is_ok = |field: &&Field<'_>| {
        let is_set = || tick.is_some_and(|gesture| gesture.replaces(field.name).is_some());
        kind(field.schema) == Kind::Boolean && (ends_with(field, &["ok", "passed"]) || is_set())
    };
    let is_ticked = tick.is_some_and(|gesture| is(gesture.name, &["tick"]));
    let done = done.or_else(|| columns.iter().find(is_ok).filter(|_| is_ticked));
    let required = columns
        .iter()
        .find(|field| kind(field.schema) == Kind::Boolean && is_duty(field.name));
    const GROUPS: &[&str] = &["area", "group", "grp", "phase", "section"];
    let group = columns.iter().find(|field| {
        let is_list = || {
            let mut words = split(field.name).into_iter();
            named.contains(&field.name) && words.any(|word| GROUPS.contains(&word.as_str()))
        };
        (kind(field.schema) == Kind::Choice && ends_with(field, GROUPS)) || is_list()
    });
    let fits = columns.len() <= FIELDS_MAX;
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
        let is_set = tick.is_some() || gestures.iter().any(sets);
        return (is_wanted || (fits && is_set)).then(|| found(done, Vec::new()));
    }
    let values = |field: &Field<'a>, is: fn(&str) -> bool| -> Vec<String> {
        let all = choices(field.schema).unwrap_or_default().into_iter();
        let all = all.filter_map(Value::as_str).filter(|value| is(value));
        all.map(str::to_owned).collect()
    };
    let result = columns
        .iter()
        .find(|field| ends_with(field, &["result"]) && choices(field.schema).is_some());
    if let Some(result) = result {
        let open = values(result, is_open);
        let is_gone_through = POINTS.contains(&list.as_str()) && !open.is_empty() && fits;
        let is_done = gestures.iter().any(|gesture| is_one(&gesture));
        return (is_wanted || (is_gone_through && is_done)).then(|| found(result, open));
    }
    // One of its states is that it is done, and an action ticks it off.
    let state = state(columns).filter(can_be_done)?;
    (is_wanted || (is_ticked && fits)).then(|| found(&state, values(&state, is_undone)))
}

/// Whether one of the states of a task is that it is done.
pub(crate) fn can_be_done(state: &Field<'_>) -> bool {
    let all = choices(state.schema).unwrap_or_default();
    all.iter().any(|one| DONE.iter().any(|done| *one == *done))
}

/// Whether a state says that a task still has to be done: what is left out has not.
fn is_undone(state: &str) -> bool {
    const OVER: &[&str] = &["dropped", "skipped", "waived"];
    let words = split(state);
    let is_left_out = words
        .first()
        .is_some_and(|word| OVER.contains(&word.as_str()))
        || words.last().is_some_and(|word| word == "applicable");
    !is_left_out && !DONE.contains(&state)
}

/// Whether a result says that nobody has looked at it.
fn is_open(result: &str) -> bool {
    let words = split(result);
    words.first().is_some_and(|word| word == "not")
        || words.iter().any(|word| OPEN.contains(&word.as_str()))
}
