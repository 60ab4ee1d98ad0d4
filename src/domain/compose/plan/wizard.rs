//! Steps that lead to one form are that form, step by step.

use super::super::reading::{Deed, Reading, key, split};
use super::outline::{Offer, Part, Place, Region};

/// Fields from which on a form is worth taking step by step.
const WIZARD_FIELDS_MIN: usize = 3;

/// Whether the person goes from step to step; where a prop says the step, the agent leads, and the
/// form is that of its step alone.
fn is_walked(part: &Part) -> bool {
    let current = part.bindings.get("current");
    current.is_some_and(|path| path.starts_with("/context/"))
}

/// Lets the wizard's own buttons send the actions that only go from step to step.
fn turns(reading: &Reading<'_>, offers: &mut [Offer], source: &str) {
    const TURNS: &[(&str, &[&str])] = &[
        (
            "back",
            &["back", "go_back", "previous", "previous_step", "prev_step"],
        ),
        ("next", &["continue", "go_next", "next", "next_step"]),
    ];
    for gesture in &reading.gestures {
        let name = split(gesture.name).join("_");
        let turn = TURNS.iter().find(|(_, all)| all.contains(&name.as_str()));
        let is_plain = gesture.deed == Deed::Nothing && gesture.entry.confirm != Some(true);
        let taken = |offer: &Offer| {
            offer.place == Place::Turn
                && offer
                    .fixed
                    .values()
                    .any(|own| Some(own.as_str()) == turn.map(|(to, _)| *to))
        };
        if let Some((to, _)) = turn.filter(|_| is_plain && !offers.iter().any(taken))
            && let Some(offer) = offers.iter_mut().find(|offer| offer.action == gesture.name)
        {
            offer.place = Place::Turn;
            offer.of = Some(source.to_owned());
            offer.fixed.insert("turn".to_owned(), (*to).to_owned());
        }
    }
}

/// Turns the steps that a page stands at, and the form of its main action, into one part.
pub(super) fn wizard(
    reading: &mut Reading<'_>,
    parts: &mut [Part],
    offers: &mut [Offer],
    primary: Option<&str>,
) {
    let steps = parts
        .iter_mut()
        .find(|part| part.component == "Stepper" && is_walked(part));
    let form = offers.iter_mut().find(|offer| {
        matches!(offer.place, Place::Form | Place::Dialog)
            && offer.edits.is_none()
            && primary == Some(offer.action.as_str())
    });
    let (Some(steps), Some(form)) = (steps, form) else {
        return;
    };
    let gesture = reading
        .gestures
        .iter()
        .find(|gesture| gesture.name == form.action);
    if gesture.is_none_or(|gesture| gesture.inputs().len() < WIZARD_FIELDS_MIN) {
        return;
    }
    let thing = reading
        .things
        .iter()
        .find(|thing| thing.path == steps.source);
    let own = thing.map(|thing| thing.fields()).unwrap_or_default();
    let label = steps.roles.get("labelField").cloned();
    let id = key(&own);
    let hint = steps.fields.iter().find(|shown| {
        shown.format == "text" && Some(&shown.field) != label.as_ref() && Some(&*shown.field) != id
    });
    let hint = hint.map(|shown| shown.field.clone());
    steps.role("hintField", hint.as_deref());
    steps.role("key", key(&own));
    steps.component = "Wizard".to_owned();
    steps.region = Region::Main;
    // The page says what the steps lead to.
    steps.title = None;
    steps.fields.clear();
    form.place = Place::Form;
    form.of = Some(steps.source.clone());
    turns(reading, offers, &steps.source);
    reading.notes.note(
        &steps.source,
        "Wizard",
        "the steps lead to the form of the main action",
        88,
    );
}
