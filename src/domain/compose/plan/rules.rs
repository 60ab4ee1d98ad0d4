//! The planner that needs nobody: rules, from a reading to a plan.

use super::super::reading::{
    Deed, Kind, Reading, Sort, Thing, Word, choices, hints, is_steps, join, kind, moment, placed,
    split, state, structure,
};
use super::action::primary;
use super::blank::{part, title};
use super::columns::Columns;
use super::comparison::change;
use super::controls::controls;
use super::headline::headline;
use super::likely::{Likely, likely};
use super::live::{live, offer_beside};
use super::main_data;
use super::matrix::{is_axis, is_legend};
use super::numbers::small;
use super::offers::offers;
use super::outline::{Hidden, Part, Place, Plan, Reference, Region, Shown};
use super::plain::{outstanding, picture};
use super::shapes::preferred_shape;
use super::wishes::Wishes;
use super::wizard::{lists_inputs, saved, saves, saving, stepped, wizard};

/// Plans the page of a reading; what is wished for goes before what the rules would choose.
pub(crate) fn plan(reading: &mut Reading<'_>, wishes: &Wishes) -> Plan {
    let wished = |path| reading.things.iter().position(|thing| thing.path == path);
    let main = wishes.main.as_deref().and_then(wished);
    let main = main.or_else(|| main_data::main(reading));
    let headline = match &wishes.headline {
        Some(headline) => headline.clone(),
        None => headline(reading, main),
    };
    let likely = main.map(|main| likely(reading, main));
    let primary = match &wishes.primary {
        Some(primary) => Some(primary.clone()),
        None => primary(reading, main, likely.as_ref()),
    };
    let is_asked = likely.as_ref().is_some_and(Likely::is_form) || lists_inputs(reading);
    if let Some(primary) = primary.as_ref().filter(|_| is_asked) {
        reading.ask(primary);
    }
    let mut hidden = Vec::new();
    let mut parts = things(
        reading,
        &headline.path,
        wishes,
        likely.as_ref(),
        &mut hidden,
    );
    let (talks, mut arriving): (Vec<Part>, Vec<Part>) = live(reading, &parts)
        .into_iter()
        .partition(|part| part.component == "Chat");
    // Whom people talk about is known before they talk; what else there is stands below.
    let is_list = |part: &Part| part.component != "KeyValue" && part.region == Region::Main;
    let at = parts.iter().position(is_list).unwrap_or(parts.len());
    parts.splice(at..at, talks);
    parts.append(&mut arriving);
    hidden.extend(controls(reading, &mut parts));
    let saves = saves(reading, &parts);
    let primary = saves.as_ref().map(|saves| saves.end.clone()).or(primary);
    let mut actions = offers(reading, &parts, primary.as_deref(), is_asked);
    offer_beside(reading, &mut parts, &mut actions);
    match &saves {
        Some(saves) => saved(reading, &mut parts, &mut actions, saves),
        None => {
            wizard(reading, &mut parts, &mut actions, primary.as_deref());
            stepped(
                reading,
                &mut parts,
                &mut actions,
                &mut hidden,
                primary.as_deref(),
            );
        }
    }
    let explained = main
        .map(|at| main_data::explained(reading, at))
        .unwrap_or_default();
    // What the main data refer to explains them, and stands below them.
    parts.sort_by_key(|part| {
        let place = order(reading, &part.source);
        (part.region, place, explained.contains(&part.source))
    });
    let asked = |name: &str| reading.gestures.iter().find(|gesture| gesture.name == name);
    actions.sort_by_key(|offer| asked(&offer.action).map(|gesture| placed(gesture.schema)));
    unsaid(reading, &mut parts);
    headed(reading, &mut parts);
    let lead = reading
        .contract
        .contract()
        .props_spec
        .as_ref()
        .and_then(|spec| spec.description.clone());
    let source = main.map(|at| reading.things[at].path.clone());
    // What only a form shows is the form.
    let asked = primary
        .as_ref()
        .and_then(|name| actions.iter().find(|offer| offer.action == *name));
    let is_form = asked.is_some_and(|offer| matches!(offer.place, Place::Form | Place::Line));
    let is_shown = |path: &str| {
        parts
            .iter()
            .any(|part| part.source == path || part.source.starts_with(&format!("{path}/")))
    };
    let is_light = main.is_none_or(|at| {
        !matches!(
            reading.things[at].sort,
            Sort::Records | Sort::Matrix | Sort::Tree
        )
    });
    let size = asked
        .and_then(|offer| {
            reading
                .gestures
                .iter()
                .find(|gesture| gesture.name == offer.action)
        })
        .map_or(0, |gesture| gesture.inputs().len());
    let main = match source {
        Some(path)
            if is_shown(&path)
                && !(is_form && is_light && size > 2)
                && !(is_form && size > 5 && !main.is_some_and(|at| reading.is_worked_on(at))) =>
        {
            Some(path)
        }
        other if is_form => asked
            .map(|offer| format!("/actions/{}", offer.action))
            .or(other),
        other => other,
    };
    Plan {
        headline,
        lead,
        main,
        primary,
        parts,
        actions,
        hidden,
    }
}

/// Where the author wants a part among those of its region.
fn order(reading: &Reading<'_>, source: &str) -> (bool, i64) {
    let things = reading.things.iter();
    let slots = reading.slots.iter();
    things
        .map(|thing| (thing.path.clone(), thing.schema))
        .chain(slots.map(|slot| (join("/context", slot.name), slot.schema)))
        .find(|(path, _)| path == source)
        .map_or((true, 0), |(_, schema)| placed(schema))
}

/// Says what is known of the columns of a board in their heads, and not once more below it.
fn headed(reading: &Reading<'_>, parts: &mut Vec<Part>) {
    let is_worked_on = |path: &str| {
        reading.gestures.iter().any(|gesture| {
            let about = gesture.about().map(|at| reading.things[at].path.as_str());
            about == Some(path)
        })
    };
    let heads = parts.iter().filter_map(|part| part.names.get("groupNames"));
    let heads: Vec<Reference> = heads.cloned().collect();
    for names in heads.into_iter().filter(|names| !is_worked_on(&names.rows)) {
        let is_head = |part: &Part| {
            part.component == "Table" && part.source == names.rows && part.bindings.is_empty()
        };
        let Some(at) = parts.iter().position(is_head) else {
            continue;
        };
        let head = parts.remove(at);
        let is_board = |part: &&mut Part| part.names.get("groupNames") == Some(&names);
        if let Some(board) = parts.iter_mut().find(is_board) {
            let rest = head.fields.into_iter();
            board.heads = rest.filter(|shown| shown.field != names.title).collect();
        }
    }
}

/// Leaves out a currency that stands in the amounts of the page already.
fn unsaid(reading: &Reading<'_>, parts: &mut Vec<Part>) {
    fn says(all: &[Shown], path: &str) -> bool {
        all.iter()
            .any(|shown| shown.currency.as_deref() == Some(path) || says(&shown.parts, path))
    }
    let Some(path) = &reading.currency else {
        return;
    };
    if !parts.iter().any(|part| says(&part.fields, path)) {
        return;
    }
    for part in parts.iter_mut().filter(|part| part.component == "KeyValue") {
        part.fields.retain(|shown| shown.field != *path);
    }
    parts.retain(|part| part.component != "KeyValue" || !part.fields.is_empty());
}

/// Leaves out what is the headline of the page already.
fn unsay(parts: &mut [Part], headline: &str) {
    for part in parts {
        let source = &part.source;
        match part.component.as_str() {
            "KeyValue" => part.fields.retain(|shown| shown.field != headline),
            "Article" => part.roles.retain(|role, field| {
                let is_above = matches!(role.as_str(), "titleField" | "leadField");
                !(is_above && join(source, field) == headline)
            }),
            _ => {}
        }
    }
}

/// The parts of the props, in the order of the contract.
fn things(
    reading: &mut Reading<'_>,
    headline: &Option<String>,
    wishes: &Wishes,
    likely: Option<&Likely>,
    hidden: &mut Vec<Hidden>,
) -> Vec<Part> {
    let preferred = preferred_shape(reading.intent, &reading.things);
    let mut parts: Vec<Part> = Vec::new();
    let mut facts: Vec<usize> = Vec::new();
    let change = change(reading);
    // What says where one is says nothing without the steps.
    let current = current(reading).filter(|_| reading.things.iter().any(is_staged));
    let is_saved = saving(reading).is_some_and(|found| found.goes_on);
    let mut notes = Vec::new();
    for (at, thing) in reading.things.iter().enumerate() {
        let is_top = thing.is_top();
        let is_edited = reading.gestures.iter().any(|gesture| {
            gesture.deed
                == (Deed::Edit {
                    thing: at,
                    is_whole: true,
                })
        });
        let is_changed = change.is_some_and(|(old, new)| at == old || at == new);
        if !is_top || (is_edited && !is_changed) {
            continue;
        }
        if hints(thing.schema).says("hidden") {
            hidden.push(Hidden {
                source: thing.path.clone(),
                because: "a hint".to_owned(),
            });
            continue;
        }
        if is_legend(reading, at) || is_axis(reading, at) {
            hidden.push(Hidden {
                source: thing.path.clone(),
                because: "its names are shown where they are referred to".to_owned(),
            });
            continue;
        }
        if let Some((old, new)) = change
            .as_ref()
            .filter(|(old, new)| *old == at || *new == at)
        {
            if at == *new {
                let mut diff = part(&thing.path, "Diff", Region::Main);
                diff.title = Some("Changes".to_owned());
                diff.bindings
                    .insert("before".to_owned(), reading.things[*old].path.clone());
                parts.push(diff);
            }
            continue;
        }
        if is_staged(thing) && (current.is_some() || is_saved) {
            let mut stepper = part(&thing.path, "Stepper", Region::Steps);
            stepper.title = Some(title(thing));
            stepper.role(
                "labelField",
                (thing.title().or(thing.key())).filter(|_| thing.sort == Sort::Records),
            );
            stepper.role("key", thing.key());
            if let Some(current) = &current {
                stepper
                    .bindings
                    .insert("current".to_owned(), current.clone());
            }
            if thing.sort == Sort::Records {
                let own = thing.fields();
                let time = moment(&own).map(|field| field.name);
                stepper.role("timeField", time);
                let taken: Vec<&str> = thing.title().into_iter().chain(time).collect();
                stepper.fields = Columns::of(reading, &own).without(&own, &taken);
            }
            parts.push(stepper);
            continue;
        }
        if current.as_ref() == Some(&thing.path) || headline.as_ref() == Some(&thing.path) {
            continue;
        }
        match thing.sort {
            // A period of two days is one fact, and so is a sum with its currency.
            Sort::Record if structure(thing.schema).is_some() => facts.push(at),
            Sort::Fact | Sort::Text => match outstanding(thing) {
                Some(part) => parts.push(part),
                None => facts.push(at),
            },
            _ => {
                let (mut found, because, score) = picture(reading, at, preferred, likely, wishes);
                if let Some(headline) = headline {
                    unsay(&mut found, headline);
                }
                found.retain(|part| part.component != "KeyValue" || !part.fields.is_empty());
                if let Some(first) = found.first() {
                    notes.push((thing.path.clone(), first.component.clone(), because, score));
                }
                parts.append(&mut found);
            }
        }
    }
    // Who looks at a conversation is seen by the side on which the messages stand.
    let is_me = |at: &usize| {
        let path = Some(&reading.things[*at].path);
        parts.iter().any(|part| part.bindings.get("me") == path)
    };
    facts.retain(|at| !is_me(at));
    parts.extend(small(reading, &facts));
    for (path, component, because, score) in notes {
        reading.notes.note(&path, component, because, score);
    }
    parts
}

/// Whether a list is steps that do not say themselves which of them are done.
fn is_staged(thing: &Thing<'_>) -> bool {
    thing.is_top()
        && is_steps(thing)
        && (thing.sort == Sort::Texts || state(&thing.fields()).is_none())
}

/// The member of a record that says which of the steps it is in: `stage` of an order, with the same
/// choices as the `key` of stages.
fn stage(reading: &Reading<'_>) -> Option<String> {
    let mut staged = reading.things.iter().filter(|thing| is_staged(thing));
    staged.find_map(|steps| {
        let own = steps.fields();
        let key = own.iter().find(|field| Some(field.name) == steps.key())?;
        let names = choices(key.schema)?;
        let records = reading
            .things
            .iter()
            .filter(|thing| thing.sort == Sort::Record);
        records.into_iter().find_map(|record| {
            let all = record.fields();
            let found = all
                .iter()
                .find(|field| choices(field.schema).as_ref() == Some(&names))?;
            Some(join(&record.path, found.name))
        })
    })
}

/// The pointer to the number or the name that says which step is the current one.
fn current(reading: &Reading<'_>) -> Option<String> {
    let named = |words: &[Word]| {
        let says = |word: &str| words.iter().any(|own| own == word);
        (says("current") || says("active")) && (says("step") || says("stage") || says("phase"))
    };
    let own = reading.things.iter().find(|thing| {
        matches!(kind(thing.schema), Kind::Number | Kind::Text | Kind::Choice)
            && thing.within.is_none()
            && named(&split(thing.name))
    });
    let slot = reading
        .slots
        .iter()
        .find(|slot| slot.is == super::super::reading::SlotUse::Step);
    own.map(|thing| thing.path.clone())
        .or_else(|| slot.map(|slot| join("/context", slot.name)))
        .or_else(|| stage(reading))
}
