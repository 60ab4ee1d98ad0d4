//! The one action that stands out.

use super::super::reading::{
    Deed, Field, Gesture, REFUSING, Reading, Sort, change, fields, hints, is, sets_cell, split,
    state, stem, stems,
};
use super::around::lane;
use super::picked::said as said_in;
use super::shapes::{is_conversation, is_done, is_quiz};
use super::verbs::{ADDING, ARRANGING, ENDING, PARTICLES};

/// What the action that the contract declares first is worth more: authors begin with what matters.
const FIRST: u32 = 4;
/// What it is worth to be what the intent asks for last, where that ends the work on all of the page.
const LAST: u32 = 10;
/// What it costs to change one value of a record: a quantity, a name.
const CORRECTED: u32 = 4;
/// Below this, nothing stands out: plain is better than wrong.
const ACTION_MIN: u32 = 24;

/// From so many actions on, a page without data is a panel of buttons.
const PANEL_MIN: usize = 8;
/// What it is worth that the intent names the object: "opens a lift" is `openLift`.
const OBJECT: u32 = 3;
/// What it is worth to answer the questions of a page.
const ANSWERED: u32 = 6;
/// What it is worth to end what is ticked off, or taken change by change, before.
const FINISHED: u32 = 12;
/// What it costs to be a box that is ticked rather than a button.
const BOXED: u32 = 12;
/// What it is worth to say something in a conversation.
const SAID: u32 = 16;
/// What it is worth to add to a board, whose cards are moved by hand.
const ADDED: u32 = 8;
/// What it costs an action that does something other than move a card of a board.
const BESIDE_MOVING: u32 = 10;

/// Chooses the main action and says why.
pub(super) fn primary(reading: &mut Reading<'_>, main: Option<usize>) -> Option<String> {
    let hinted = reading
        .gestures
        .iter()
        .find(|gesture| hints(gesture.schema).says("primary") && !gesture.is_dangerous);
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
    // A panel of many actions and nothing to look at is a remote control.
    let is_panel = reading.things.is_empty() && loud >= PANEL_MIN;
    let chosen = (is_main && !is_panel) || is_only;
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
    let is_move = moves(gesture, reading);
    let particle = particle(&words);
    let mut score: u32 = match first {
        _ if gesture.is_quiet && !is_asked => 4,
        // What is given back was somebody's end already.
        _ if particle.is_some_and(|word| word == "back") => 12,
        // What is given out is given back only afterwards: `releaseBay` beside `assignBay`.
        "release" if is_given_out(reading, &words) => 12,
        // What is taken in is one more.
        "bring" | "check" | "take" if words.get(1).is_some_and(|word| word == "in") => 20,
        _ if ENDING.contains(&first) => 24,
        _ if ADDING.contains(&first) => 20,
        _ if ARRANGING.contains(&first) || is_move => 12,
        // Verbs of other languages say nothing here; what is sent does.
        _ if !gesture.name.is_ascii() => 25,
        _ => 16,
    };
    score += asked(gesture, reading, intent);
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
    // Where each record is decided on, what ends it all is what the page is for.
    let about = gesture.about().map(|at| reading.things[at].fields());
    let is_answered = about.is_some_and(|own| is_quiz(&own, gesture));
    let is_step =
        gesture.about().is_some() && !is_answered && is_ended_by_another(gesture, reading);
    score += u32::from(is_decision(gesture, reading) && !is_step) * 8;
    score = score.saturating_sub(u32::from(is_step) * CORRECTED);
    score += u32::from(is_answered) * ANSWERED;
    // What is ticked off or taken one by one leads to what ends it all.
    let all = || reading.gestures.iter();
    if finishes(gesture) && all().any(|other| is_one_of_several(other, reading)) {
        score += FINISHED;
    } else if is_one_of_several(gesture, reading) && all().any(finishes) {
        score = score.saturating_sub(CORRECTED);
    }
    if is_box(gesture, reading) {
        score = score.saturating_sub(BOXED);
    }
    // Cards are moved by hand; what has a button adds one.
    let adds = matches!(gesture.deed, Deed::Ask) && ADDING.contains(&first);
    if adds && reading.gestures.iter().any(|other| moves(other, reading)) {
        score += ADDED;
    }
    // What ends the work on all that is there asks once more: `checkout`, `order`.
    let ends_all = matches!(gesture.deed, Deed::Nothing | Deed::Ask) && ENDING.contains(&first);
    score += u32::from(ends_all && gesture.entry.confirm == Some(true)) * 3;
    // "Correct the guesses, and start the import": what is done to each comes before it.
    if matches!(gesture.deed, Deed::Nothing | Deed::Ask)
        && (ENDING.contains(&first) || (gesture.is_quiet && is_asked))
        && is_asked_last(gesture, reading, intent)
    {
        score += LAST;
    }
    // A value that is corrected where it stands is on the way to what ends the work.
    let is_on_the_way = reading.gestures.iter().any(|other| {
        other.about() != gesture.about()
            && other.entry.confirm == Some(true)
            && is(other.name, ENDING)
    });
    if matches!(&gesture.deed, Deed::One { initial, .. } if !initial.is_empty())
        && !is_move
        && is_on_the_way
    {
        score = score.saturating_sub(CORRECTED);
    }
    if gesture.entry.schema.is_none() && !ENDING.contains(&first) {
        score = score.saturating_sub(6);
    }
    // On a board, moving a card comes before everything else that is done with it.
    if gesture.about().is_some() && !is_move && is_moved(reading, gesture.about()) {
        score = score.saturating_sub(BESIDE_MOVING);
    }
    // Talking is the point of a conversation.
    let is_said = said_in(gesture).is_some();
    if is_said
        && reading.things.iter().any(|thing| {
            thing.sort == Sort::Records && is_conversation(thing.name, &thing.fields())
        })
    {
        score += SAID;
    }
    score
}

/// Whether an action is done by a box beside each record: it sets whether that is done, and asks nothing.
fn is_box(gesture: &Gesture<'_>, reading: &Reading<'_>) -> bool {
    let Some(at) = gesture.about() else {
        return false;
    };
    let own = reading.things[at].fields();
    let mut done = own.iter().filter(|field| is_done(field));
    done.any(|done| gesture.replaces(done.name).is_some())
}

/// Whether an action ticks off one record of a list, or takes one change of a text.
fn is_one_of_several(gesture: &Gesture<'_>, reading: &Reading<'_>) -> bool {
    const TICKING: &[&str] = &["check", "complete", "confirm", "mark", "tick"];
    let Some(at) = gesture.about() else {
        return false;
    };
    let own = reading.things[at].fields();
    let is_ticked = is(gesture.name, TICKING) && own.iter().any(is_done);
    is_ticked || change(&own).is_some()
}

/// Whether an action ends what is done on a page, asking once more.
fn finishes(gesture: &Gesture<'_>) -> bool {
    matches!(gesture.deed, Deed::Nothing | Deed::Ask)
        && !gesture.is_dangerous
        && !gesture.is_quiet
        && (gesture.entry.confirm == Some(true) || is(gesture.name, ENDING))
}

/// What it is worth how soon the intent asks for an action, and whether it says of what.
fn asked(gesture: &Gesture<'_>, reading: &Reading<'_>, intent: &[String]) -> u32 {
    let words = split(gesture.name);
    let first = words.first().map(String::as_str).unwrap_or_default();
    let verb = stem(first);
    // "Attached files" ask for nothing.
    let intent_words = split(reading.intent);
    // The label may say it in the words of the intent: `transfer`, "Send money".
    let called = split(&gesture.entry.label);
    let called = called.first().map(|word| stem(word)).unwrap_or_default();
    let is_called = ENDING.iter().any(|own| stem(own) == called);
    // To give out is not to give back.
    let particle = particle(&words);
    let is_said_so = |at: usize| particle.is_none() || intent_words.get(at + 1) == particle;
    let asks = |(at, word): (usize, &String)| {
        let is_verb = (intent[at] == verb || (is_called && intent[at] == called)) && is_said_so(at);
        (is_verb && !(word.ends_with("ed") && word != first)).then_some(at)
    };
    let how_soon = intent_words.iter().enumerate().find_map(asks).map(|at| {
        let worth = 14_u32
            .saturating_sub(u32::try_from(at).unwrap_or(14) / 2)
            .max(5);
        // "Say what it is, or ask for a better picture": the other way out is not the first.
        let is_other_way = at > 0 && intent_words[at - 1] == "or";
        if is_other_way { worth / 2 } else { worth }
    });
    let object = words.last().map(|word| stem(word));
    let mut after = intent.windows(3).chain(intent.windows(2));
    let says_of_what = gesture.about().is_some()
        && (ENDING.contains(&first) || ADDING.contains(&first))
        && after.any(|near| {
            near[0] == verb && near[1..].iter().any(|word| Some(word) == object.as_ref())
        });
    how_soon.unwrap_or_default() + u32::from(says_of_what) * OBJECT
}

/// The word that makes another verb of a verb: `back` of `giveBack`.
fn particle(words: &[String]) -> Option<&String> {
    words
        .get(1)
        .filter(|word| PARTICLES.contains(&word.as_str()))
}

/// Whether an action takes records from one state to another, or from one column to another.
fn moves(gesture: &Gesture<'_>, reading: &Reading<'_>) -> bool {
    gesture.about().is_some_and(|at| {
        let own = reading.things[at].fields();
        let along = |field: &Field<'_>| gesture.moves(field.name).is_some();
        let is_sent = || lane(reading, at).is_some_and(|lane| gesture.sends(lane).is_some());
        state(&own).iter().any(along)
            || is_sent()
            || (is(gesture.name, ARRANGING) && own.iter().any(along))
    })
}

/// Whether another action moves the records that an action is about.
fn is_moved(reading: &Reading<'_>, about: Option<usize>) -> bool {
    let all = &mut reading.gestures.iter();
    all.any(|other| other.about() == about && moves(other, reading))
}

/// Whether another action ends the work on all records, and asks once more before it does.
fn is_ended_by_another(gesture: &Gesture<'_>, reading: &Reading<'_>) -> bool {
    reading.gestures.iter().any(|other| {
        other.name != gesture.name
            && matches!(other.deed, Deed::Nothing | Deed::Ask)
            && other.entry.confirm == Some(true)
            && !other.is_dangerous
            && is(other.name, ENDING)
    })
}

/// Whether another action gives out what this one takes back.
fn is_given_out(reading: &Reading<'_>, words: &[String]) -> bool {
    const GIVING_OUT: &[&str] = &["allocate", "assign", "hold", "occupy", "reserve"];
    reading.gestures.iter().any(|other| {
        let other_words = split(other.name);
        is(other.name, GIVING_OUT) && other_words.get(1..) == words.get(1..)
    })
}

/// Whether the intent asks for an action after it has asked for what is done to single records.
fn is_asked_last(gesture: &Gesture<'_>, reading: &Reading<'_>, intent: &[String]) -> bool {
    let asked = |other: &Gesture<'_>| {
        let verb = split(other.name).first().map(|word| stem(word))?;
        intent.iter().skip(1).rposition(|word| *word == verb)
    };
    let Some(own) = asked(gesture) else {
        return false;
    };
    // What is ended was spoken of before: "go through the minutes, and send the minutes".
    let words = split(gesture.name);
    let mut objects = words.iter().skip(1).map(|word| stem(word));
    if !objects.any(|object| intent[..own].contains(&object)) {
        return false;
    }
    let others = || {
        reading
            .gestures
            .iter()
            .filter(|other| other.name != gesture.name)
    };
    let is_one =
        |other: &Gesture<'_>| matches!(other.deed, Deed::One { .. } | Deed::Several { .. });
    // Where each record is brought to an end of its own, that is what the page is for.
    let is_before = |other: &Gesture<'_>| {
        asked(other).is_none_or(|at| at < own && !(is_one(other) && is(other.name, ENDING)))
    };
    others().all(is_before) && others().any(is_one)
}

/// Whether another action refuses what this one grants: `approveLoan` and `declineLoan`.
fn is_decision(gesture: &Gesture<'_>, reading: &Reading<'_>) -> bool {
    const GRANTING: &[&str] = &[
        "accept", "admit", "allow", "approve", "clear", "confirm", "grant", "permit", "release",
        "sign",
    ];
    let object = |name: &str| split(name).into_iter().skip(1).collect::<Vec<_>>();
    // `requestChanges` refuses for now.
    let defers = |name: &str| {
        let words = split(name);
        matches!(words.first().map(String::as_str), Some("ask" | "request"))
            && words
                .last()
                .is_some_and(|word| matches!(word.as_str(), "changes" | "revision" | "rework"))
    };
    let own = object(gesture.name);
    is(gesture.name, GRANTING)
        && reading.gestures.iter().any(|other| {
            (is(other.name, REFUSING) && (own.is_empty() || object(other.name) == own))
                || defers(other.name)
        })
}
