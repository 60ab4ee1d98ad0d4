//! The one action that stands out, and the data a page is about.

use std::collections::BTreeSet;

use super::super::reading::{
    Deed, Gesture, Kind, REFUSING, Reading, SlotUse, Sort, fields, hints, is, is_id, is_steps,
    is_time, kind, referent, sets_cell, singular, split, state,
};
use super::offers::said as said_in;
use super::shapes::is_conversation;

/// What the action that the contract declares first is worth more: authors begin with what matters.
const FIRST: u32 = 4;
/// What it costs to change one value of a record: a quantity, a name.
const CORRECTED: u32 = 4;
/// Below this, nothing stands out: plain is better than wrong.
const ACTION_MIN: u32 = 24;

/// What steps that a person walks through are worth more than other lists.
const WALKED: u32 = 24;

/// Verbs that bring what a page is for to its end.
const ENDING: &[&str] = &[
    "accept",
    "acknowledge",
    "admit",
    "allow",
    "answer",
    "apply",
    "approve",
    "authorise",
    "authorize",
    "award",
    "back",
    "bid",
    "book",
    "buy",
    "call",
    "cast",
    "certify",
    "check",
    "checkout",
    "claim",
    "close",
    "commit",
    "complete",
    "confirm",
    "deliver",
    "deploy",
    "deposit",
    "dispatch",
    "donate",
    "enrol",
    "enroll",
    "execute",
    "file",
    "finish",
    "give",
    "grade",
    "hand",
    "hire",
    "invest",
    "invite",
    "issue",
    "join",
    "launch",
    "order",
    "pay",
    "place",
    "play",
    "pledge",
    "post",
    "process",
    "promote",
    "publish",
    "purchase",
    "queue",
    "release",
    "renew",
    "rent",
    "remind",
    "reorder",
    "repay",
    "reply",
    "request",
    "reserve",
    "resolve",
    "respond",
    "return",
    "run",
    "save",
    "schedule",
    "score",
    "select",
    "sell",
    "send",
    "settle",
    "shift",
    "ship",
    "sign",
    "start",
    "submit",
    "subscribe",
    "trade",
    "transfer",
    "update",
    "upload",
    "verify",
    "vote",
];
/// Verbs that add one more.
const ADDING: &[&str] = &[
    "add", "book", "create", "enter", "log", "new", "open", "queue", "record", "register",
    "report", "write",
];

/// Words that make another verb of one: `giveBack`, `sendOut`.
const PARTICLES: &[&str] = &["away", "back", "down", "off", "out", "up"];

/// Verbs that put what is there in order, which is done by hand where it stands.
const ARRANGING: &[&str] = &[
    "assign", "attach", "drag", "filter", "group", "merge", "move", "rename", "swap",
];

/// Chooses the main action and says why.
pub(super) fn primary(reading: &mut Reading<'_>, main: Option<usize>) -> Option<String> {
    let hinted = reading
        .gestures
        .iter()
        .find(|gesture| hints(gesture.schema).says("primary"));
    if let Some(gesture) = hinted {
        let name = gesture.name.to_owned();
        reading.notes.note(&name, "the main action", "a hint", 100);
        return Some(name);
    }
    let intent = stems(reading.intent);
    let mut scored: Vec<(u32, &Gesture<'_>)> = reading
        .gestures
        .iter()
        .filter(|gesture| !gesture.is_dangerous)
        .map(|gesture| (weight(gesture, reading, &intent, main), gesture))
        .collect();
    if let Some((score, first)) = scored.first_mut()
        && !first.is_quiet
        && reading.gestures[0].name == first.name
    {
        *score += FIRST;
    }
    scored.reverse();
    let (score, best) = *scored.iter().max_by_key(|(score, _)| *score)?;
    // A panel of equal buttons has no main one.
    let equals = scored.iter().filter(|(other, _)| *other == score).count();
    let is_main = score >= ACTION_MIN && (equals < 3 || scored.len() < 5);
    // One that is neither dangerous nor beside the point needs no comparison.
    let loud = scored
        .iter()
        .filter(|(_, gesture)| !gesture.is_quiet)
        .count();
    let is_only = loud == 1 && !best.is_quiet && best.deed != Deed::Nothing;
    let name = best.name.to_owned();
    let chosen = is_main || is_only;
    let because = if chosen {
        "its verb, its payload, and the words of the intent"
    } else {
        "nothing stands out"
    };
    reading.notes.note(
        &name,
        if chosen {
            "the main action"
        } else {
            "the likeliest action"
        },
        because,
        u8::try_from(score.min(100)).unwrap_or(100),
    );
    chosen.then_some(name)
}

fn weight(
    gesture: &Gesture<'_>,
    reading: &Reading<'_>,
    intent: &[String],
    main: Option<usize>,
) -> u32 {
    let words = split(gesture.name);
    let first = words.first().map(String::as_str).unwrap_or_default();
    let said: Vec<String> = words
        .iter()
        .chain(&split(&gesture.entry.label))
        .map(|word| stem(word))
        .collect();
    let verb = stem(first);
    // What the intent asks for is not beside the point; "show" begins nearly every intent.
    let is_asked = verb != "show" && intent.iter().skip(1).any(|word| *word == verb);
    let is_move = gesture.about().is_some_and(|at| {
        state(&reading.things[at].fields()).is_some_and(|own| gesture.moves(own.name).is_some())
    });
    let particle = words
        .get(1)
        .filter(|word| PARTICLES.contains(&word.as_str()));
    let mut score: u32 = match first {
        _ if gesture.is_quiet && !is_asked => 4,
        // What is given back was somebody's end already.
        _ if particle.is_some_and(|word| word == "back") => 12,
        _ if ENDING.contains(&first) => 24,
        _ if ADDING.contains(&first) => 20,
        _ if ARRANGING.contains(&first) || is_move => 12,
        // Verbs of other languages say nothing here; what is sent does.
        _ if !gesture.name.is_ascii() => 25,
        _ => 16,
    };
    // What the intent asks for first weighs most; "attached files" ask for nothing.
    let told = split(reading.intent);
    // To give out is not to give back.
    let is_said_so = |at: usize| particle.is_none() || told.get(at + 1) == particle;
    let asks = |(at, word): (usize, &String)| {
        let is_verb = intent[at] == verb && is_said_so(at);
        (is_verb && !(word.ends_with("ed") && word != first)).then_some(at)
    };
    if let Some(at) = told.iter().enumerate().find_map(asks) {
        score += 14_u32
            .saturating_sub(u32::try_from(at).unwrap_or(14) / 2)
            .max(5);
    }
    let nouns = said
        .iter()
        .filter(|word| **word != verb && intent.contains(word));
    score += u32::try_from(nouns.count().min(2)).unwrap_or(0) * 2;
    let asked = fields(gesture.schema).len();
    score += u32::try_from(asked.min(6)).unwrap_or(6);
    score += match &gesture.deed {
        Deed::One { thing, .. } | Deed::Several { thing, .. } if Some(*thing) == main => 4,
        Deed::Several { .. } => 4,
        Deed::Edit { .. } => 8,
        Deed::Ask
            if main.is_some_and(|at| sets_cell(gesture.schema, &reading.things[at]).is_some()) =>
        {
            14
        }
        _ => 0,
    };
    score += u32::from(is_decision(gesture, reading)) * 8;
    // What ends the work on all that is there asks once more: `checkout`, `order`.
    let ends_all = matches!(gesture.deed, Deed::Nothing | Deed::Ask) && ENDING.contains(&first);
    score += u32::from(ends_all && gesture.entry.confirm == Some(true)) * 3;
    // A value that is corrected where it stands is on the way to something else.
    if matches!(&gesture.deed, Deed::One { initial, .. } if !initial.is_empty()) && !is_move {
        score = score.saturating_sub(CORRECTED);
    }
    if gesture.entry.schema.is_none() && !ENDING.contains(&first) {
        score = score.saturating_sub(6);
    }
    // Talking is the point of a conversation.
    let is_said = said_in(gesture).is_some();
    if is_said
        && reading.things.iter().any(|thing| {
            thing.sort == Sort::Records && is_conversation(thing.name, &thing.fields())
        })
    {
        score += 8;
    }
    score
}

/// Whether another action refuses what this one grants: `approveLoan` and `declineLoan`.
fn is_decision(gesture: &Gesture<'_>, reading: &Reading<'_>) -> bool {
    const GRANTING: &[&str] = &[
        "accept", "admit", "allow", "approve", "clear", "confirm", "grant", "permit", "release",
        "sign",
    ];
    let object = |name: &str| split(name).into_iter().skip(1).collect::<Vec<_>>();
    is(gesture.name, GRANTING)
        && reading
            .gestures
            .iter()
            .any(|other| is(other.name, REFUSING) && object(other.name) == object(gesture.name))
}

/// Chooses the thing a page is about.
pub(super) fn main(reading: &mut Reading<'_>) -> Option<usize> {
    let intent = stems(reading.intent);
    // A list that other records refer to explains them.
    let referred: BTreeSet<usize> = reading
        .things
        .iter()
        .enumerate()
        .flat_map(|(at, list)| {
            let ids = list
                .fields()
                .into_iter()
                .filter(|field| is_id(&singular(field.name)));
            ids.filter_map(|field| referent(field.name, &reading.things))
                .map(|(found, _)| found)
                .filter(move |found| *found != at)
                .collect::<Vec<_>>()
        })
        .collect();
    let weigh = |at: usize| -> u32 {
        let thing = &reading.things[at];
        if hints(thing.schema).says("main") {
            return 1000;
        }
        let own = thing.fields();
        let base = match thing.sort {
            Sort::Tree => 40,
            Sort::Matrix => 42,
            Sort::Records => 30,
            Sort::Text if super::super::reading::is_markdown(thing.schema) => 24,
            Sort::Text => 18,
            Sort::Record => 16,
            Sort::Numbers | Sort::Texts => 14,
            Sort::Map | Sort::Open => 10,
            Sort::Fact => 0,
        };
        // What a person walks through is the page.
        let is_walked =
            is_steps(thing) && reading.slots.iter().any(|slot| slot.is == SlotUse::Step);
        let done = reading.gestures.iter().filter(|gesture| {
            gesture.about() == Some(at) && !matches!(gesture.deed, Deed::Edit { .. })
        });
        let within = reading
            .things
            .iter()
            .enumerate()
            .filter(|(_, other)| matches!(other.within, Some((outer, _)) if outer == at));
        let inside = within.flat_map(|(inner, _)| {
            reading
                .gestures
                .iter()
                .filter(move |gesture| gesture.about() == Some(inner))
        });
        let is_series = own.iter().any(is_time)
            && own
                .iter()
                .filter(|field| kind(field.schema) == Kind::Number)
                .count()
                + 1
                >= own.len()
            && own.len() > 1;
        let said = intent.iter().position(|word| *word == stem(&thing.one));
        let mut score = base
            + 6 * u32::try_from(done.count().min(4)).unwrap_or(4)
            + 4 * u32::try_from(inside.count().min(3)).unwrap_or(3);
        score += said.map_or(0, |nth| {
            14_u32
                .saturating_sub(u32::try_from(nth).unwrap_or(14))
                .max(6)
        });
        score += u32::from(is_walked) * WALKED;
        score += u32::from(is_series) * 10 + u32::try_from(own.len().min(10)).unwrap_or(10) / 2;
        score += u32::try_from(4_usize.saturating_sub(at.min(4))).unwrap_or(0);
        if referred.contains(&at) {
            score.saturating_sub(18)
        } else {
            score
        }
    };
    let places = (0..reading.things.len()).filter(|at| {
        reading.things[*at].within.is_none() && reading.things[*at].sort != Sort::Fact
    });
    let best = places.rev().max_by_key(|at| weigh(*at))?;
    let score = u8::try_from(weigh(best).min(100)).unwrap_or(100);
    let path = reading.things[best].path.clone();
    reading.notes.note(
        &path,
        "the main data",
        "what is done with it, its size, and the words of the intent",
        score,
    );
    Some(best)
}

/// The sources of the lists that the records of a thing refer to.
pub(super) fn explained(reading: &Reading<'_>, at: usize) -> BTreeSet<String> {
    let own = reading.things[at].fields();
    let ids = own.iter().filter(|field| is_id(&singular(field.name)));
    ids.filter_map(|field| referent(field.name, &reading.things))
        .filter(|(found, _)| *found != at)
        .map(|(found, _)| reading.things[found].path.clone())
        .collect()
}

fn stems(text: &str) -> Vec<String> {
    split(text).iter().map(|word| stem(word)).collect()
}

/// The beginning that forms of one word share: `booked`, `booking`, `book`.
fn stem(word: &str) -> String {
    let mut bare = singular(word);
    if let Some(rest) = bare
        .strip_suffix("ment")
        .filter(|rest| rest.chars().count() >= 4)
    {
        bare = rest.to_owned();
    }
    for ending in ["ing", "ed", "er", "e"] {
        if let Some(rest) = bare
            .strip_suffix(ending)
            .filter(|rest| rest.chars().count() >= 3)
        {
            return rest.to_owned();
        }
    }
    bare
}
