//! Steps that lead to one form are that form, step by step.

use super::super::reading::{
    Deed, Gesture, Kind, Reading, Slot, SlotUse, UNFINISHED, Word, choices, core, is_steps, join,
    key, kind, label, listed_inputs, naming, split,
};
use super::blank::part;
use super::controls::first_step;
use super::offers::on_page;
use super::outline::{Hidden, Offer, Part, Place, Region, Shown};

/// Fields from which on a form is worth taking step by step.
const WIZARD_FIELDS_MIN: usize = 3;

/// Whether the person goes from step to step; where a prop says the step, the agent leads, and the
/// form is that of its step alone.
fn is_walked(part: &Part) -> bool {
    let current = part.bindings.get("current");
    current.is_some_and(|path| path.starts_with("/context/"))
}

/// Which way an action that only goes from step to step goes.
fn turn(gesture: &Gesture<'_>) -> Option<&'static str> {
    const TURNS: &[(&str, &[&str])] = &[
        (
            "back",
            &["back", "go_back", "previous", "previous_step", "prev_step"],
        ),
        ("next", &["continue", "go_next", "next", "next_step"]),
    ];
    let name = split(gesture.name).join("_");
    let is_plain = gesture.deed == Deed::Nothing && gesture.entry.confirm != Some(true);
    let turn = TURNS.iter().find(|(_, all)| all.contains(&name.as_str()));
    turn.filter(|_| is_plain).map(|(to, _)| *to)
}

/// Lets the wizard's own buttons send the actions that only go from step to step.
fn turns(reading: &Reading<'_>, offers: &mut [Offer], source: &str) {
    for gesture in &reading.gestures {
        let Some(to) = turn(gesture) else {
            continue;
        };
        let taken =
            |offer: &Offer| offer.place == Place::Turn && offer.fixed.values().any(|own| own == to);
        if !offers.iter().any(taken)
            && let Some(offer) = offers.iter_mut().find(|offer| offer.action == gesture.name)
        {
            offer.place = Place::Turn;
            offer.of = Some(source.to_owned());
            offer.fixed.insert("turn".to_owned(), to.to_owned());
        }
    }
}

/// Lets what takes any values save the form as far as it is filled in: nobody types what they have
/// typed once more.
fn keeps(reading: &Reading<'_>, offers: &mut [Offer], source: &str, current: Option<&String>) {
    let kept = |gesture: &Gesture<'_>| match gesture.inputs().as_slice() {
        [only] if kind(only.schema) == Kind::Open && is_shapeless(only.schema) => {
            let words = split(gesture.name);
            let is_draft = words.iter().any(|word| UNFINISHED.contains(&word.as_str()));
            is_draft.then(|| only.name.to_owned())
        }
        _ => None,
    };
    let found = reading
        .gestures
        .iter()
        .find_map(|gesture| Some((gesture.name, kept(gesture)?)));
    let Some((name, to)) = found else {
        return;
    };
    let Some(offer) = offers.iter_mut().find(|offer| offer.action == name) else {
        return;
    };
    // What names a step is told the current one.
    let step = offer.fixed.keys().next().cloned();
    match (step, current) {
        (Some(member), Some(current)) if offer.fixed.len() == 1 => {
            offer.given.insert(member, current.clone());
        }
        (None, _) => {}
        _ => return,
    }
    offer.place = Place::Keep;
    offer.of = Some(source.to_owned());
    offer.fixed = [(to, String::new())].into();
}

/// Whether any object fits: one that is not said to be open takes no undeclared member.
fn is_shapeless(schema: &serde_json::Value) -> bool {
    let bare = core(schema);
    let says = |member: &str| bare.get(member).is_some();
    let is_open = bare.get("additionalProperties") == Some(&serde_json::json!(true));
    is_open
        && !["anyOf", "oneOf", "patternProperties"]
            .into_iter()
            .any(says)
}

/// Gives what is done with a step its own button: a wizard has no place beside its steps.
fn beside(reading: &Reading<'_>, offers: &mut [Offer], source: &str) {
    let rows = offers
        .iter_mut()
        .filter(|offer| offer.place == Place::Row && offer.of.as_deref() == Some(source));
    for offer in rows {
        let named = |gesture: &&Gesture<'_>| gesture.name == offer.action;
        if let Some(gesture) = reading.gestures.iter().find(named) {
            *offer = on_page(reading, gesture);
            offer.place = Place::Dialog;
        }
    }
}

/// The actions that each save one step of what another one ends: `savePlan`, `saveAddress` and
/// `activate`.
pub(super) struct Saves {
    /// The names of those that save.
    steps: Vec<String>,
    /// The name of the one that ends it.
    pub(super) end: String,
    /// Whether each of the steps saves and goes on by its words.
    pub(super) goes_on: bool,
}

/// Forms with one verb from which on they are steps of one thing.
const SAVES_MIN: usize = 2;

/// Finds the actions that save the steps a person walks through.
pub(super) fn saves(reading: &Reading<'_>, parts: &[Part]) -> Option<Saves> {
    let found = saving(reading)?;
    parts
        .iter()
        .any(|part| is_led(part, &found))
        .then_some(found)
}

/// Whether a part shows the steps that are saved one by one: those of a slot, or, where nothing says
/// which is the current one, those whose actions all save and go on.
fn is_led(part: &Part, saves: &Saves) -> bool {
    let is_free = saves.goes_on && !part.bindings.contains_key("current");
    part.component == "Stepper" && (is_walked(part) || is_free)
}

/// Finds the actions that save the steps of something, wherever those are shown.
pub(super) fn saving(reading: &Reading<'_>) -> Option<Saves> {
    let verb = |gesture: &Gesture<'_>| split(gesture.name).into_iter().next();
    // `Continue` on its button makes what saves a step no less a form; a draft is none.
    let is_draft = |gesture: &Gesture<'_>| {
        let words = split(gesture.name);
        words.iter().any(|word| UNFINISHED.contains(&word.as_str()))
    };
    // What is about one of the steps goes from step to step by itself.
    let is_saved = |gesture: &&Gesture<'_>| {
        let is_about_steps = gesture
            .about()
            .is_some_and(|at| is_steps(&reading.things[at]));
        gesture.deed != Deed::Nothing && !is_about_steps && !is_draft(gesture)
    };
    let open: Vec<&Gesture<'_>> = reading
        .gestures
        .iter()
        .filter(|gesture| !gesture.is_dangerous)
        .collect();
    let steps = open.iter().copied().filter(is_saved).find_map(|first| {
        let same = open.iter().copied().filter(is_saved);
        let same: Vec<&Gesture<'_>> = same.filter(|other| verb(other) == verb(first)).collect();
        (same.len() >= SAVES_MIN).then_some(same)
    })?;
    let is_step = |gesture: &Gesture<'_>| steps.iter().any(|own| own.name == gesture.name);
    // What ends it is declared after what it ends, and is asked about once more.
    let ends = || {
        let all = open.iter().rev();
        all.filter(|gesture| !gesture.is_quiet && !is_step(gesture) && turn(gesture).is_none())
    };
    let end = ends()
        .find(|gesture| gesture.entry.confirm == Some(true))
        .or_else(|| ends().next())?;
    let goes_on = |gesture: &&Gesture<'_>| {
        let said = split(&gesture.entry.label);
        let is_next = |word: &Word| matches!(word.as_str(), "continue" | "next");
        verb(gesture).as_deref() == Some("save") || said.first().is_some_and(is_next)
    };
    Some(Saves {
        goes_on: steps.iter().all(goes_on),
        steps: steps
            .iter()
            .map(|gesture| gesture.name.to_owned())
            .collect(),
        end: end.name.to_owned(),
    })
}

/// Turns the steps that a page stands at, and the forms that each save one, into one part.
pub(super) fn saved(
    reading: &mut Reading<'_>,
    parts: &mut [Part],
    offers: &mut [Offer],
    saves: &Saves,
) {
    let steps = parts.iter_mut().find(|part| is_led(part, saves));
    let Some(steps) = steps else {
        return;
    };
    for offer in offers.iter_mut() {
        let place = match () {
            () if saves.steps.contains(&offer.action) => Place::Step,
            () if saves.end == offer.action => Place::Form,
            () => continue,
        };
        let named = |gesture: &&Gesture<'_>| gesture.name == offer.action;
        if let Some(gesture) = reading.gestures.iter().find(named) {
            *offer = on_page(reading, gesture);
        }
        offer.place = place;
        offer.of = Some(steps.source.clone());
    }
    lead(reading, steps);
    turns(reading, offers, &steps.source);
    beside(reading, offers, &steps.source);
    reading.notes.note(
        &steps.source,
        "Wizard",
        "each step has an action that saves it, and one ends them all",
        88,
    );
}

/// Makes a wizard of steps.
fn lead(reading: &Reading<'_>, steps: &mut Part) {
    let thing = reading
        .things
        .iter()
        .find(|thing| thing.path == steps.source);
    let own = thing.map(|thing| thing.fields()).unwrap_or_default();
    let label = steps.roles.get("labelField").cloned();
    let label = label.or_else(|| naming(&own).map(str::to_owned));
    let inputs = thing.and_then(listed_inputs);
    let id = key(&own);
    let hint = steps.fields.iter().find(|shown| {
        shown.format == "text" && Some(&shown.field) != label.as_ref() && Some(&*shown.field) != id
    });
    let hint = hint.map(|shown| shown.field.clone());
    // Whoever walks makes the progress, which no record says.
    steps.roles.clear();
    steps.role("labelField", label.as_deref());
    steps.role("inputsField", inputs);
    steps.role("hintField", hint.as_deref());
    steps.role("key", id);
    steps.component = "Wizard".to_owned();
    steps.region = Region::Main;
    // The page says what the steps lead to.
    steps.title = None;
    steps.fields.clear();
}

/// Whether steps of the page list what they ask for.
pub(super) fn lists_inputs(reading: &Reading<'_>) -> bool {
    let mut found = reading.things.iter().filter_map(listed_inputs);
    found.next().is_some()
}

/// Records of a form from which on each of them is a step.
const STEPS_MIN: usize = 2;

/// The steps of a form where no list holds them: the words that a slot for the step may hold, or the
/// records that the form asks for one after the other.
fn steps_of(slot: &Slot<'_>, gesture: &Gesture<'_>) -> Option<Vec<Shown>> {
    let words = split(slot.name);
    let is_step = words
        .iter()
        .any(|word| matches!(word.as_str(), "page" | "section" | "stage" | "step"));
    if !is_step || slot.is == SlotUse::Step {
        return None;
    }
    let step = |name: &str| Shown {
        field: name.to_owned(),
        label: label(name),
        ..Shown::default()
    };
    let inputs = gesture.inputs();
    match kind(slot.schema) {
        Kind::Choice => {
            let all = choices(slot.schema)?;
            let names: Vec<&str> = all.iter().filter_map(|one| one.as_str()).collect();
            let is_asked = |name: &&str| {
                let said = split(name);
                let mut asked = inputs.iter().flat_map(|input| split(input.name));
                asked.any(|word| said.contains(&word))
            };
            let is_led = names.len() >= STEPS_MIN && names.iter().any(is_asked);
            is_led.then(|| names.into_iter().map(step).collect())
        }
        Kind::Number => {
            let is_record = |kind: Kind| matches!(kind, Kind::Record | Kind::Records);
            let are_steps = inputs.iter().all(|input| is_record(kind(input.schema)));
            (are_steps && inputs.len() >= STEPS_MIN)
                .then(|| inputs.iter().map(|input| step(input.name)).collect())
        }
        _ => None,
    }
}

/// Turns the form of the main action into steps where a slot says which of them is the current one.
pub(super) fn stepped(
    reading: &mut Reading<'_>,
    parts: &mut Vec<Part>,
    offers: &mut [Offer],
    hidden: &mut Vec<Hidden>,
    primary: Option<&str>,
) {
    let gesture = reading
        .gestures
        .iter()
        .find(|gesture| primary == Some(gesture.name));
    let form = offers.iter_mut().find(|offer| is_led_to(offer, primary));
    let (Some(gesture), Some(form)) = (gesture, form) else {
        return;
    };
    let found = reading
        .slots
        .iter()
        .find_map(|slot| Some((slot, steps_of(slot, gesture)?)));
    let Some((slot, steps)) = found.filter(|_| gesture.inputs().len() >= WIZARD_FIELDS_MIN) else {
        return;
    };
    let source = join("/context", slot.name);
    parts.retain(|part| part.source != source);
    hidden.retain(|hidden| hidden.source != source);
    let mut wizard = part(&source, "Wizard", Region::Main);
    wizard.bindings.insert("current".to_owned(), source.clone());
    wizard.set("first", first_step(slot));
    wizard.fields = steps;
    parts.push(wizard);
    form.place = Place::Form;
    form.of = Some(source.clone());
    keeps(reading, offers, &source, Some(&source));
    turns(reading, offers, &source);
    reading.notes.note(
        &source,
        "Wizard",
        "it says at which step of the form the person is",
        88,
    );
}

/// Whether steps lead to an action: the main one, where it is filled in.
fn is_led_to(offer: &Offer, primary: Option<&str>) -> bool {
    matches!(offer.place, Place::Form | Place::Dialog)
        && offer.edits.is_none()
        && primary == Some(offer.action.as_str())
}

/// Turns the steps that a page stands at, and the form of its main action, into one part.
pub(super) fn wizard(
    reading: &mut Reading<'_>,
    parts: &mut [Part],
    offers: &mut [Offer],
    primary: Option<&str>,
) {
    let asks = |source: &str| {
        let mut all = reading.things.iter().filter(|thing| thing.path == source);
        all.any(|thing| listed_inputs(thing).is_some())
    };
    // Steps that list what they ask for lead to it, whatever they look like.
    let steps = parts.iter_mut().find(|part| {
        let is_list = matches!(part.component.as_str(), "Cards" | "Stepper" | "Table");
        part.component == "Stepper" && is_walked(part) || is_list && asks(&part.source)
    });
    let form = offers.iter_mut().find(|offer| is_led_to(offer, primary));
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
    lead(reading, steps);
    form.place = Place::Form;
    form.of = Some(steps.source.clone());
    let current = steps.bindings.get("current");
    keeps(reading, offers, &steps.source, current);
    turns(reading, offers, &steps.source);
    beside(reading, offers, &steps.source);
    reading.notes.note(
        &steps.source,
        "Wizard",
        "the steps lead to the form of the main action",
        88,
    );
}
