//! What an action does to the things of the page: to one of their records, to several, to all.

use std::collections::BTreeMap;

use serde_json::Value;

use super::deed::{
    CREATIVE, DESTRUCTIVE, Deed, QUIET, QUIET_ALONE, REFUSING, SENDING, UNFINISHED, is, names,
    said, speaks_of,
};
use super::fields::{Field, Kind, choices, fields, is_form, is_id, kind};
use super::hints::hints;
use super::payload::{
    Asked, chosen, edited, given, keep_owners, meant, meets, paired, sets_cell, tails,
};
use super::reference::{names_ids, names_one_of, referent};
use super::takes::{is_led_by, is_named_after, is_said, takes_nothing, takes_one};
use super::thing::{Sort, Thing};
use super::words::{Word, singular, split};
use crate::domain::contract::CompiledContract;
use crate::wire::contract::ActionEntry;

/// Verbs that take a record to another place.
const MOVING: &[&str] = &[
    "advance", "drag", "move", "pull", "push", "relocate", "shift", "transfer",
];

/// Inputs from which on an action is a task of its own.
const TASK_INPUTS_MIN: usize = 2;

/// Words that labels begin with which put off a decision, or go on to the next step.
const GOING_ON: &[&str] = &[
    "another", "back", "continue", "later", "maybe", "next", "none", "not",
];

/// Inputs from which on what is done with one record may be a form of its own.
const ASKED_MIN: usize = 2;

/// Inputs from which on a form that nothing connects with a list only chooses one of its records.
const FORM_INPUTS_MIN: usize = 4;

/// Inputs from which on a form is about itself, even where the id of a record comes first.
const TASK_ALONE_MIN: usize = 6;

/// One action, read.
#[derive(Clone, Debug)]
pub(crate) struct Gesture<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// What the contract says of it.
    pub(crate) entry: &'a ActionEntry,
    /// The schema of its payload.
    pub(crate) schema: &'a Value,
    /// What it does.
    pub(crate) deed: Deed,
    /// Payload members that name records of the page: the thing, and the member that is the id.
    pub(crate) chosen: BTreeMap<String, (usize, String)>,
    /// Payload members that the page gives: the pointers to their values.
    pub(crate) given: BTreeMap<String, String>,
    /// Whether it ends or loses something.
    pub(crate) is_dangerous: bool,
    /// Whether it goes around what the page is for.
    pub(crate) is_quiet: bool,
}

impl<'a> Gesture<'a> {
    /// Reads one action against the things of the page.
    pub(crate) fn read(
        contract: &'a CompiledContract,
        name: &'a str,
        entry: &'a ActionEntry,
        things: &[Thing<'a>],
        intent: &str,
    ) -> Self {
        let schema = contract.action_schema(name);
        let hints = hints(schema);
        let words = split(name);
        let first = words.first().map(Word::as_str).unwrap_or_default();
        // `emergencyStop` says it with its last word; the stops of a journey end nothing.
        let is_thing = |word: &Word| things.iter().any(|thing| thing.one == *word);
        let ends = words
            .last()
            .is_some_and(|last| matches!(last.as_str(), "stop" | "shutdown") && !is_thing(last))
            && !is(name, CREATIVE);
        let shuts =
            matches!(first, "close" | "drop" | "end" | "shut") && entry.confirm == Some(true);
        // To clear a flight that may as well be refused empties nothing.
        let is_granted = first == "clear" && is_refused(contract, &words);
        let is_dangerous = hints.says("danger")
            || (is(name, DESTRUCTIVE) && !is_granted)
            || ends
            || shuts
            || matches!(
                (first, words.get(1).map(Word::as_str)),
                ("break" | "call" | "write", Some("off"))
                    | ("give", Some("up"))
                    | ("roll", Some("back"))
            )
            || words
                .get(1)
                .is_some_and(|word| word == "away" && first != "put");
        let label = split(&entry.label);
        let is_unfinished = first == "save"
            && words
                .iter()
                .chain(&label)
                .any(|word| UNFINISHED.contains(&word.as_str()));
        let is_quiet = is(name, QUIET)
            || is_unfinished
            || words.iter().any(|word| word == "later")
            || label
                .first()
                .is_some_and(|word| GOING_ON.contains(&word.as_str()));
        let deed = if entry.schema.is_none() || takes_nothing(schema) {
            Deed::Nothing
        } else {
            let all = contract.contract().action_spec.iter();
            let others: Vec<Field<'_>> = all
                .flat_map(|all| all.keys())
                .filter(|other| *other != name)
                .flat_map(|other| fields(contract.action_schema(other)))
                .collect();
            deed(name, schema, things, &others)
        };
        let slots = contract
            .contract()
            .context_spec
            .iter()
            .flat_map(|all| all.keys());
        let selected: Vec<usize> = slots
            .filter_map(|slot| Some(referent(slot, things)?.0))
            .collect();
        let deed = match deed {
            Deed::One {
                thing, ref fixed, ..
            } if fields(schema).len() >= fixed.len() + FORM_INPUTS_MIN
                && !speaks_of(&things[thing], &[name, &entry.label])
                && (selected.contains(&thing)
                    || !speaks_of(&things[thing], &[intent])
                    || fields(schema).len() >= fixed.len() + TASK_ALONE_MIN
                    || !is_led_by(schema, fixed)) =>
            {
                Deed::Ask
            }
            Deed::One { ref fixed, .. } if is_said(name, schema, fixed) => Deed::Ask,
            other => other,
        };
        let given = given(schema, &deed, things);
        let mut chosen = chosen(schema, &deed, things);
        chosen.retain(|name, _| !given.contains_key(name));
        let mut read = Self {
            name,
            entry,
            schema,
            deed,
            chosen,
            given,
            is_dangerous,
            is_quiet,
        };
        if is(name, QUIET_ALONE) && read.inputs().len() >= TASK_INPUTS_MIN {
            read.is_quiet = false;
        }
        read
    }

    /// Turns an action on one record into a form that also asks for the record, if it has enough other inputs.
    pub(super) fn ask(&mut self, things: &[Thing<'_>]) {
        let is_long = self.inputs().len() >= ASKED_MIN;
        if !matches!(self.deed, Deed::One { .. }) || self.is_dangerous || !is_long {
            return;
        }
        self.deed = Deed::Ask;
        self.given = given(self.schema, &self.deed, things);
        self.chosen = chosen(self.schema, &self.deed, things);
        self.chosen.retain(|name, _| !self.given.contains_key(name));
    }

    /// The thing it is about.
    pub(crate) fn about(&self) -> Option<usize> {
        match &self.deed {
            Deed::One { thing, .. }
            | Deed::Several { thing, .. }
            | Deed::Text { thing, .. }
            | Deed::Edit { thing, .. } => Some(*thing),
            Deed::Nothing | Deed::Ask => None,
        }
    }

    /// What a person gives, beside what the page gives.
    pub(crate) fn inputs(&self) -> Vec<Field<'a>> {
        let given = |field: &Field<'_>| match &self.deed {
            Deed::One { fixed, .. } => fixed.contains_key(field.name),
            Deed::Several { member, .. } | Deed::Text { member, .. } => member == field.name,
            Deed::Nothing | Deed::Ask | Deed::Edit { .. } => false,
        };
        let all = fields(self.schema).into_iter();
        all.filter(|field| !given(field) && !self.given.contains_key(field.name))
            .collect()
    }

    /// The one input that gives a record another value of the field `state`.
    pub(crate) fn moves(&self, state: &str) -> Option<&'a str> {
        let input = self.replaces(state)?;
        choices(input.schema).map(|_| input.name)
    }

    /// The one input that takes a record to another one, which its member `place` names.
    pub(crate) fn sends(&self, place: &str) -> Option<&'a str> {
        let input = self.replaces(place)?;
        self.chosen.contains_key(input.name).then_some(input.name)
    }

    /// The one input that is another value of a member of the record.
    pub(crate) fn replaces(&self, member: &str) -> Option<Field<'a>> {
        let Deed::One { initial, .. } = &self.deed else {
            return None;
        };
        match self.inputs().as_slice() {
            [only] if initial.get(only.name).is_some_and(|from| from == member) => Some(*only),
            _ => None,
        }
    }
}

/// Whether another action refuses what this one does: `refuseFlight` beside `clearFlight`.
fn is_refused(contract: &CompiledContract, words: &[Word]) -> bool {
    let all = contract.contract().action_spec.iter();
    all.flat_map(|all| all.keys()).any(|other| {
        let other = split(other);
        let verb = other.first().map(Word::as_str).unwrap_or_default();
        REFUSING.contains(&verb) && other.get(1..) == words.get(1..)
    })
}

/// What an action does, beside `others`: what the other actions ask for.
fn deed(action: &str, schema: &Value, things: &[Thing<'_>], others: &[Field<'_>]) -> Deed {
    let payload = fields(schema);
    let said = said(action);
    if !is_form(schema) {
        return Deed::Ask;
    }
    if let [only] = payload.as_slice() {
        if kind(only.schema) == Kind::Strings
            && (names_ids(only.name) || is_named_after(only.name, things))
            && let Some((thing, key)) =
                referent(only.name, things).or_else(|| meant(&said, only.name, things))
        {
            return Deed::Several {
                thing,
                member: only.name.to_owned(),
                key: key.to_owned(),
            };
        }
        if kind(only.schema) == Kind::Text
            && let Some(thing) = things
                .iter()
                .position(|thing| thing.sort == Sort::Texts && takes_one(only, thing.name))
        {
            return Deed::Text {
                thing,
                member: only.name.to_owned(),
            };
        }
    }
    if things
        .iter()
        .any(|thing| sets_cell(schema, thing).is_some())
    {
        return Deed::Ask;
    }
    if let Some((thing, [fixed, initial])) = paired(schema, things) {
        return Deed::One {
            thing,
            fixed,
            initial,
        };
    }
    let asked = Asked {
        said: &said,
        things,
        named: (0..things.len())
            .filter(|at| names(&said, &things[*at]))
            .collect(),
        is_moving: is(action, MOVING),
        is_creative: is(action, CREATIVE),
        payload: payload
            .iter()
            .map(|field| (*field, referent(field.name, things)))
            .collect(),
    };
    let mut found: Vec<(usize, BTreeMap<String, String>)> = Vec::new();
    for (at, thing) in things
        .iter()
        .enumerate()
        .filter(|(_, thing)| thing.has_records())
    {
        let fixed = meets(&asked, at, thing);
        // `addTask` with an assignee makes a task, and is about neither the assignee nor another task.
        let is_told_apart = |name: &String| Some(name.as_str()) == thing.key();
        let is_known = fixed.iter().any(|(to, from)| to == from && is_id(to));
        let is_made = asked.is_creative && !(is_known && fixed.values().any(is_told_apart));
        if !fixed.is_empty() && !is_made {
            found.push((at, fixed));
        }
    }
    // A list of no more than what is sent, or known by the ids of others, holds what was sent before.
    let is_record_of = |at: usize, fixed: &BTreeMap<String, String>| {
        let is_key = |name: &String| {
            let mut others = things.iter().enumerate().filter(|(other, _)| *other != at);
            others.any(|(_, thing)| thing.key() == Some(name.as_str()))
        };
        fixed.len() > 1 && (fixed.len() == things[at].fields().len() || fixed.values().all(is_key))
    };
    if found.iter().any(|(at, fixed)| !is_record_of(*at, fixed)) {
        found.retain(|(at, fixed)| !is_record_of(*at, fixed));
    }
    keep_owners(&mut found, things);
    // `addToBasket` takes a plant, and no line of the basket.
    if asked.is_creative && found.iter().any(|(at, _)| !things[*at].is_count()) {
        found.retain(|(at, _)| !things[*at].is_count());
    }
    // Whose records hold the other ids is given another: `reassignGate` is about flights.
    let holds = |at: usize, fixed: &BTreeMap<String, String>| {
        let own = things[at].fields();
        let is_own = |name: &str| own.iter().any(|field| field.name == name);
        asked.payload.iter().any(|(field, refers)| {
            let speaks = |to: usize| to != at && names_one_of(&things[at], to, things);
            !fixed.contains_key(field.name)
                && refers.is_some_and(|(to, _)| is_own(field.name) || speaks(to))
        })
    };
    // Who is sent to a box is chosen for it, where the other actions are about boxes.
    let asked_for = |at: usize| {
        let is_key = |field: &&Field<'_>| Some(singular(field.name).as_str()) == things[at].key();
        others.iter().filter(is_key).count()
    };
    let is_sent = |at: usize| {
        let mut rivals = found.iter().filter(|(other, _)| *other != at);
        is(action, SENDING)
            && names(&said, &things[at])
            && rivals.any(|(other, _)| asked_for(*other) > asked_for(at))
    };
    // Then the list that the action names; then the one it takes more of; then the one whose own id it
    // takes; then the first.
    let best = found.iter().rev().max_by_key(|(at, fixed)| {
        let is_named = names(&said, &things[*at]) && !is_sent(*at);
        let is_own = fixed
            .values()
            .any(|from| Some(from.as_str()) == things[*at].key());
        (
            holds(*at, fixed),
            !is_sent(*at),
            is_named,
            fixed.len(),
            is_own,
        )
    });
    // Which of its substitutes a line gets is about the line, where the line is named first.
    let around = best
        .and_then(|(at, _)| things[*at].within)
        .map(|(outer, _)| outer);
    let best = around
        .and_then(|outer| found.iter().find(|(at, _)| *at == outer))
        .filter(|(_, fixed)| is_led_by(schema, fixed))
        .or(best)
        .cloned();
    if let Some((thing, fixed)) = best {
        let has = things[thing].fields();
        let rest = payload
            .iter()
            .filter(|field| !fixed.contains_key(field.name));
        let initial = rest
            .filter_map(|field| {
                let is_text = |own: &Field<'_>| kind(own.schema) == Kind::Text;
                let fits = |own: &&Field<'_>| kind(field.schema) != Kind::Choice || !is_text(own);
                let mut all = has.iter().filter(fits);
                let own = all.find(|own| own.name == field.name || tails(field.name, own.name))?;
                Some((field.name.to_owned(), own.name.to_owned()))
            })
            .collect();
        return Deed::One {
            thing,
            fixed,
            initial,
        };
    }
    match edited(schema, things) {
        Some((thing, is_whole)) => Deed::Edit { thing, is_whole },
        None => Deed::Ask,
    }
}
