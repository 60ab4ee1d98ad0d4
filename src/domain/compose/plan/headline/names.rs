//! Names of lists, records, channels and actions that could head the page.

use super::super::super::reading::{
    Deed, Sort, Thing, hints, is_steps, label, referent, singular, split, titled,
};
use super::candidate::Candidate;
use super::lexicon::{BARE, PEOPLE, UNSPECIFIC, VAGUE};
use super::page::{Page, ends, how_early, nth};
use super::signs::Sign;

/// Words of each half of a name that is made of two.
const HALF_MAX: usize = 2;

/// Actions of a page whose words may say what it is for.
const ACTIONS_MAX: usize = 2;

/// Names that could head the page.
pub(super) fn names(page: &Page<'_, '_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (at, thing) in page.top().enumerate() {
        // Where somebody stands is not what they are about.
        if is_steps(thing) {
            continue;
        }
        found.push(Candidate::words(
            titled(thing.name, thing.schema),
            named(page, thing, at),
        ));
    }
    if let Some(list) = page.list {
        let things = &page.reading.things;
        let own = list.fields();
        let refers: Vec<&str> = own
            .iter()
            .filter_map(|field| referent(field.name, things))
            .map(|(at, _)| things[at].path.as_str())
            .collect();
        for other in page.top().filter(|other| is_holder(other)) {
            let is_of = refers.contains(&other.path.as_str());
            found.extend(pair(page, other, list, is_of));
        }
    }
    for channel in &page.reading.channels {
        let thing = &channel.thing;
        let signs = vec![
            Sign("the name of a channel", page.kind),
            Sign(
                "the intent speaks of the channel",
                how_early(page.asked(&thing.one)),
            ),
        ];
        found.push(Candidate::words(titled(thing.name, thing.schema), signs));
    }
    let gestures = &page.reading.gestures;
    if gestures.len() <= ACTIONS_MAX || page.list.is_none() && page.record.is_none() {
        for gesture in gestures {
            let signs = vec![
                Sign("the words of an action", page.kind),
                Sign(
                    "of so many actions",
                    if gestures.len() == 1 {
                        "one"
                    } else {
                        "several"
                    },
                ),
            ];
            found.push(Candidate::words(gesture.entry.label.clone(), signs));
        }
    }
    found
}

fn kind(thing: &Thing<'_>) -> &'static str {
    match thing.sort {
        Sort::Record | Sort::Tree => "a record",
        Sort::Records => "a list",
        Sort::Matrix | Sort::Map => "a matrix",
        Sort::Numbers | Sort::Texts => "values",
        Sort::Fact | Sort::Text | Sort::Open => "a value",
    }
}

fn named(page: &Page<'_, '_>, thing: &Thing<'_>, at: usize) -> Vec<Sign> {
    let words = split(thing.name);
    let one = thing.one.as_str();
    let asked = how_early(page.asked(one));
    let mut signs = vec![
        Sign("the name of", kind(thing)),
        Sign("the intent speaks of what is named", asked),
        Sign("what is named stands", nth(at)),
        Sign("words of the name", nth(words.len().saturating_sub(1))),
    ];
    match thing.sort {
        Sort::Records => {
            signs.push(Sign("the name of a list", page.kind));
            signs.push(Sign("the intent speaks of the list", asked));
            let is_main = page.is_list(thing);
            signs.push(Sign(
                "the name of the list",
                if is_main { "main" } else { "other" },
            ));
            if is_chosen_from(page, thing) {
                signs.push(Sign("a form chooses from the list", ""));
            }
            if is_main && at == 0 {
                signs.push(Sign("the main list stands first", ""));
            }
        }
        Sort::Record | Sort::Tree => {
            signs.push(Sign("the name of a record", page.kind));
            if page.is_record(thing) {
                signs.push(Sign("the name of the first record", page.kind));
            }
        }
        _ => {}
    }
    if ends(thing.name, BARE) {
        signs.push(Sign("the name says nothing", ""));
    }
    if VAGUE.contains(&one) || UNSPECIFIC.contains(&one) {
        signs.push(Sign("the name says little", ""));
    }
    if PEOPLE.contains(&one) {
        signs.push(Sign("the name is of people", ""));
    }
    if hints(thing.schema).get("title").is_some() || thing.schema.get("title").is_some() {
        signs.push(Sign("the contract gives the name", ""));
    }
    signs
}

/// Whether somebody chooses one of a list where they fill in a form.
fn is_chosen_from(page: &Page<'_, '_>, list: &Thing<'_>) -> bool {
    let things = &page.reading.things;
    page.reading.gestures.iter().any(|gesture| {
        let mut chosen = gesture.chosen.values();
        gesture.deed == Deed::Ask && chosen.any(|(at, _)| things[*at].path == list.path)
    })
}

/// Whether something may say of what the records of a list are.
fn is_holder(thing: &Thing<'_>) -> bool {
    matches!(
        thing.sort,
        Sort::Record | Sort::Tree | Sort::Records | Sort::Texts
    )
}

/// A list by the name of something else before its own: the bookings of the machines.
fn pair(page: &Page<'_, '_>, of: &Thing<'_>, list: &Thing<'_>, is_of: bool) -> Option<Candidate> {
    let mut first = split(of.name);
    let second = split(list.name);
    let last = first.pop()?;
    first.push(singular(&last));
    if of.path == list.path
        || of.one == list.one
        || first.len() > HALF_MAX
        || second.len() > HALF_MAX
    {
        return None;
    }
    let mut signs = vec![
        Sign("the name of a list, behind that of", kind(of)),
        Sign(
            "the intent speaks of the list of the double name",
            how_early(page.asked(&list.one)),
        ),
        Sign(
            "the intent speaks of the other half",
            how_early(page.asked(&of.one)),
        ),
    ];
    for (words, sign) in [
        (PEOPLE, "the double name begins with people"),
        (VAGUE, "the double name begins with what says little"),
        (UNSPECIFIC, "the double name begins with what says nothing"),
    ] {
        if words.contains(&of.one.as_str()) {
            signs.push(Sign(sign, ""));
        }
    }
    if is_of {
        signs.push(Sign("each of the list is about one of the other half", ""));
    }
    if ends(list.name, BARE) {
        signs.push(Sign("the double name ends with what says nothing", ""));
    }
    if first.len() + second.len() > HALF_MAX {
        signs.push(Sign("the double name is long", ""));
    }
    first.extend(second);
    Some(Candidate::words(label(&first.join("_")), signs))
}
