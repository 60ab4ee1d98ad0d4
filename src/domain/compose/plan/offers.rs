//! Gives every action its place: with the records it is about, in a form, or on a button.

use std::collections::BTreeMap;

use super::super::reading::{
    CREATIVE, Deed, Field, Gesture, Kind, Reading, SlotUse, Sort, Thing, choices, core, fields, is,
    is_long, join, kind, singular, split,
};
use super::blank::offer;
use super::columns::reference;
use super::fitting::{is_freeing, unless, unless_seats};
use super::outline::{Offer, Part, Place, Reference};
use super::picked::{holding, picked, requires_one};
use super::shapes::{is_answer, is_vote};

/// Options that fit on one line with their button.
const LINE_OPTIONS_MAX: usize = 5;
/// Fields of a form for something new that still stand on the page.
const NEW_FIELDS_MAX: usize = 2;
/// Fields from which on a form is a task of its own.
const TASK_FIELDS_MIN: usize = 5;
/// Rows of facts that take all of a screen.
const TALL: usize = 8;
/// Rows of facts below which nobody looks for a form, however long it is.
const VERY_TALL: usize = 12;
/// Fields that a dialog shows at once.
const DIALOG_FIELDS_MAX: usize = 6;
/// Facts that stand side by side.
const FACTS_PER_ROW: usize = 4;
/// What records take of a page, in rows of facts.
const RECORDS_HEIGHT: usize = 5;
/// Components whose records each offer what can be done with them.
const WITH_ROWS: &[&str] = &[
    "Article", "Board", "Calendar", "Cards", "Changes", "Chat", "Matrix", "Quiz", "Seats",
    "Stepper", "Table", "Tasks", "Timeline", "Tree",
];

/// Roles of the member that holds records inside each record of a part.
const HOLDING: &[&str] = &["cardsField", "seatsField"];

/// Places all actions; `primary` is the main one, and `is_asked` says that its form is what the page is
/// for.
pub(super) fn offers(
    reading: &Reading<'_>,
    parts: &[Part],
    primary: Option<&str>,
    is_asked: bool,
) -> Vec<Offer> {
    let is_bare = parts.is_empty();
    let mut offers: Vec<Offer> = Vec::new();
    for gesture in &reading.gestures {
        let offer = on_part(reading, gesture, parts, &offers);
        offers.push(offer.unwrap_or_else(|| on_page(reading, gesture)));
    }
    let is_large = |offer: &Offer| offer.place == Place::Form;
    let larger = offers.iter().filter(|offer| is_large(offer)).count();
    // What is only chosen from belongs to the forms that choose from it.
    let is_choice = |at: usize| {
        let is_chosen =
            |gesture: &Gesture<'_>| gesture.chosen.values().any(|(thing, _)| *thing == at);
        reading.gestures.iter().any(is_chosen)
            && reading
                .gestures
                .iter()
                .all(|gesture| gesture.about() != Some(at))
            && !is_named(reading, at)
    };
    // Records by their keys are rows like others.
    let is_table = |path: &str| {
        let mut shown = parts.iter().filter(|part| part.source == path);
        shown.any(|part| part.component == "Table")
    };
    let has_records = reading.things.iter().enumerate().any(|(at, thing)| {
        let is_list = match thing.sort {
            Sort::Records | Sort::Tree | Sort::Matrix => true,
            Sort::Open => is_table(&thing.path),
            _ => false,
        };
        is_list && !is_choice(at)
    });
    let has_deeds = (0..reading.things.len()).any(|at| reading.is_worked_on(at));
    let height = height(parts);
    let voids = offers.iter().any(|offer| offer.place == Place::Button);
    for (offer, gesture) in offers.iter_mut().zip(&reading.gestures) {
        if !matches!(offer.place, Place::Form | Place::Line) {
            continue;
        }
        let is_primary = primary == Some(gesture.name);
        let asked = gesture
            .inputs()
            .iter()
            .map(|field| leaves(field.schema))
            .sum::<usize>();
        let is_new = is(gesture.name, CREATIVE) && asked > NEW_FIELDS_MAX;
        let tall = if asked <= DIALOG_FIELDS_MAX {
            TALL
        } else {
            VERY_TALL
        };
        offer.place = match () {
            () if is_bare && !voids => Place::Form,
            () if gesture.is_dangerous => Place::Dialog,
            () if is_primary && is_asked => Place::Form,
            () if offer.place == Place::Line && !is_primary => Place::Line,
            () if is_primary && !has_records => Place::Form,
            // Below much to look at, nobody would see what is filled in: its button stays in sight.
            () if is_primary && offer.edits.is_none() && height >= tall => Place::Dialog,
            // What is filled in where nothing else is done with the records is the page's own task.
            () if is_primary && asked >= TASK_FIELDS_MIN && !has_deeds => Place::Form,
            // What takes records of the page to somewhere stays in sight while they are looked at.
            () if is_primary
                && offer.place == Place::Form
                && asked <= NEW_FIELDS_MAX + offer.chosen.len() =>
            {
                Place::Dialog
            }
            () if is_primary && larger <= 1 && !is_new => offer.place,
            // What is mostly filled in, rather than chosen on the page, is the page's own task.
            () if is_primary && !is_new && asked > NEW_FIELDS_MAX + offer.chosen.len() => {
                Place::Form
            }
            () if offer.place == Place::Line => Place::Line,
            () if larger > 1 && offer.edits.is_none() => Place::Dialog,
            // What is not the page's main action takes no screen of it.
            () if is_new || (has_records && !is_primary && asked > NEW_FIELDS_MAX) => Place::Dialog,
            () => Place::Form,
        };
    }
    offers
}

/// How many values a person gives for one member: those of a record one by one.
fn leaves(schema: &serde_json::Value) -> usize {
    match kind(schema) {
        Kind::Record => fields(schema)
            .iter()
            .map(|field| leaves(field.schema))
            .sum(),
        _ => 1,
    }
}

/// How much of a page its parts take, in what one row of facts takes.
fn height(parts: &[Part]) -> usize {
    let each = parts.iter().map(|part| match part.component.as_str() {
        "KeyValue" => part.fields.len().div_ceil(FACTS_PER_ROW).max(1),
        "Metric" | "Notice" | "Progress" => 1,
        "Article" | "Board" | "Calendar" | "Cards" | "Changes" | "Chart" | "Table" | "Tasks"
        | "Timeline" => RECORDS_HEIGHT,
        _ => 2,
    });
    each.sum()
}

/// Whether the intent speaks of the records of a thing.
fn is_named(reading: &Reading<'_>, at: usize) -> bool {
    let one = &reading.things[at].one;
    split(reading.intent)
        .iter()
        .any(|word| singular(word) == *one)
}

fn chosen(reading: &Reading<'_>, gesture: &Gesture<'_>) -> BTreeMap<String, Reference> {
    let all = gesture.chosen.iter();
    all.filter_map(|(name, (at, key))| Some((name.clone(), reference(&reading.things, *at, key)?)))
        .collect()
}

/// With the records of a part, if a part shows them and can offer it.
fn on_part(
    reading: &Reading<'_>,
    gesture: &Gesture<'_>,
    parts: &[Part],
    taken: &[Offer],
) -> Option<Offer> {
    let shown = |path: &str| {
        parts
            .iter()
            .find(|part| part.source == path && part.component != "Chart")
    };
    let is_free = |part: &Part| {
        // What the page gives goes with forms, buttons, votes and seats only.
        let takes_more = matches!(part.component.as_str(), "Poll" | "Seats");
        (takes_more || gesture.given.is_empty())
            && !taken.iter().any(|offer| {
                matches!(offer.place, Place::Pick | Place::Compose | Place::Move)
                    && offer.of.as_ref() == Some(&part.source)
                    // Whoever hands in all answers may still check one.
                    && !offer.is_hand_in()
            })
    };
    let mut found = match &gesture.deed {
        Deed::One {
            thing,
            fixed,
            initial,
        } => {
            let list = &reading.things[*thing];
            let part = match list.within {
                Some((outer, member)) => shown(&reading.things[outer].path).filter(|part| {
                    let holds =
                        |role: &&str| part.roles.get(*role).is_some_and(|own| own == member);
                    HOLDING.iter().any(holds)
                })?,
                // What a board of columns offers it offers with its cards.
                None => shown(&list.path)
                    .filter(|part| !HOLDING.iter().any(|role| part.roles.contains_key(*role)))?,
            };
            let group = part
                .roles
                .get("groupField")
                .filter(|_| part.component == "Board" && list.within.is_none());
            let one_input = gesture.inputs().len() == 1;
            let place = match part.component.as_str() {
                "Board"
                    if group.is_some_and(|group| {
                        gesture.moves(group).or(gesture.sends(group)).is_some()
                    }) && is_free(part) =>
                {
                    Place::Move
                }
                "Quiz" if one_input && is_free(part) && is_answer(gesture) => Place::Pick,
                "Quiz"
                    if !gesture.inputs().is_empty()
                        && is_answer(gesture)
                        && requires_one(gesture, fixed)
                        && is_free(part) =>
                {
                    Place::Pick
                }
                "Poll" if gesture.inputs().is_empty() && is_free(part) && is_vote(gesture.name) => {
                    Place::Pick
                }
                "Seats"
                    if gesture.inputs().is_empty()
                        && fixed.len() == 1
                        && !gesture.is_dangerous
                        && !is_freeing(gesture)
                        && is_free(part) =>
                {
                    Place::Pick
                }
                component if WITH_ROWS.contains(&component) => Place::Row,
                _ => return None,
            };
            let unless = match place {
                Place::Row if part.component == "Seats" => unless_seats(gesture, &list.fields()),
                Place::Row => unless(gesture, &list.fields()),
                _ => None,
            };
            Offer {
                of: Some(part.source.clone()),
                fixed: fixed.clone(),
                initial: initial.clone(),
                unless,
                ..offer(gesture, place)
            }
        }
        Deed::Several { thing, member, key } => {
            let part = holding(reading, *thing, &shown)?;
            let place = match part.component.as_str() {
                "Table" => Place::Bulk,
                "Poll" | "Seats" if is_free(part) => Place::Pick,
                _ => return None,
            };
            let fixed = BTreeMap::from([(member.clone(), key.clone())]);
            Offer {
                of: Some(part.source.clone()),
                fixed,
                ..offer(gesture, place)
            }
        }
        Deed::Text { thing, member } => {
            let part = shown(&reading.things[*thing].path)
                .filter(|part| part.component == "Items" && is_free(part))?;
            let fixed = BTreeMap::from([(member.clone(), String::new())]);
            Offer {
                of: Some(part.source.clone()),
                fixed,
                ..offer(gesture, Place::Pick)
            }
        }
        Deed::Ask => picked(reading, gesture, parts, &shown, &is_free)?,
        Deed::Nothing | Deed::Edit { .. } => return None,
    };
    found.chosen = chosen(reading, gesture);
    let fixed = found.fixed.keys();
    found
        .chosen
        .retain(|member, _| !fixed.clone().any(|own| own == member));
    Some(found)
}

/// In a form or on a button of the page; what a record would have given is chosen there.
pub(super) fn on_page(reading: &Reading<'_>, gesture: &Gesture<'_>) -> Offer {
    let mut chosen = chosen(reading, gesture);
    match &gesture.deed {
        Deed::One { thing, fixed, .. } => {
            let found = fixed.iter().filter_map(|(name, key)| {
                Some((name.clone(), reference(&reading.things, *thing, key)?))
            });
            chosen.extend(found.collect::<Vec<_>>());
        }
        Deed::Several { thing, member, key } => {
            chosen.extend(
                reference(&reading.things, *thing, key).map(|found| (member.clone(), found)),
            );
        }
        _ => {}
    }
    let edits = match gesture.deed {
        Deed::Edit { thing, .. } => Some(reading.things[thing].path.clone()),
        _ => None,
    };
    let asked: Vec<_> = fields(gesture.schema)
        .into_iter()
        .filter(|field| !gesture.given.contains_key(field.name))
        .collect();
    let is_record = kind(gesture.schema) == Kind::Record;
    let place = match () {
        () if gesture.deed == Deed::Nothing || (is_record && asked.is_empty()) => Place::Button,
        () if is_record && chosen.is_empty() && is_line(&asked) => Place::Line,
        () => Place::Form,
    };
    Offer {
        chosen,
        edits,
        begins: begins(reading, gesture),
        ..offer(gesture, place)
    }
}

/// What a form starts from: the slot that holds what is typed into it, or what the page suggests.
fn begins(reading: &Reading<'_>, gesture: &Gesture<'_>) -> Option<String> {
    const SUGGESTED: &[&str] = &[
        "default",
        "prefill",
        "prefilled",
        "proposed",
        "suggested",
        "suggestion",
    ];
    let asked = gesture.inputs();
    let fills = |schema: &serde_json::Value| {
        let own = fields(schema);
        let is_asked = |one: &Field<'_>| asked.iter().any(|input| input.name == one.name);
        kind(schema) == Kind::Record && !own.is_empty() && own.iter().all(is_asked)
    };
    let typed = reading.slots.iter().find(|slot| {
        matches!(&slot.is, SlotUse::Draft { action } if action == gesture.name)
            && fills(slot.schema)
    });
    let suggests = |thing: &&Thing<'_>| {
        let words = split(thing.name);
        thing.is_top()
            && words
                .iter()
                .any(|word| SUGGESTED.contains(&singular(word).as_str()))
            && fills(thing.schema)
    };
    let suggested = || {
        reading
            .things
            .iter()
            .find(suggests)
            .map(|thing| thing.path.clone())
    };
    typed
        .map(|slot| join("/context", slot.name))
        .or_else(suggested)
}

/// Whether a form is one short field, which stands beside its button.
fn is_line(asked: &[Field<'_>]) -> bool {
    match asked {
        [only] => match kind(only.schema) {
            Kind::Number => true,
            Kind::Choice => choices(only.schema).is_some_and(|all| all.len() <= LINE_OPTIONS_MAX),
            Kind::Text => !is_long(only.name, core(only.schema)) && !only.name.ends_with("ataUrl"),
            _ => false,
        },
        _ => false,
    }
}
