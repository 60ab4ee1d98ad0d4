//! A page as it was drafted, and what may be chosen of it: all that whoever chooses has to know.

use serde::Serialize;

use super::super::plan::{Headline, Offer, Part, Place, Plan, Region, Shown, Wishes, plan};
use super::super::reading::{Kind, Reading, core, hints, kind, read};
use crate::domain::contract::CompiledContract;

/// Components whose values have an order of their own to choose.
const ORDERED: &[&str] = &[
    "Article", "Board", "Calendar", "Cards", "KeyValue", "Stepper", "Table", "Timeline", "Tree",
];
/// Components that show no words above them.
const UNTITLED: &[&str] = &["Notice", "Toast"];

/// A page as it was drafted, and what may be chosen of it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Sketch {
    /// The drafted subject.
    headline: Headline,
    /// Paths of values that may be the subject, or stand in it.
    pub(super) headline_paths: Vec<String>,
    /// The drafted sentence below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    lead: Option<String>,
    /// The drafted main part.
    #[serde(skip_serializing_if = "Option::is_none")]
    main: Option<String>,
    /// Sources that may be the main part.
    pub(super) mains: Vec<String>,
    /// The action that stands out.
    #[serde(skip_serializing_if = "Option::is_none")]
    primary: Option<String>,
    /// Actions that may stand out: none of them ends or loses anything.
    pub(super) primaries: Vec<String>,
    /// The parts, region by region.
    pub(super) parts: Vec<SketchedPart>,
    /// The actions.
    pub(super) actions: Vec<SketchedAction>,
}

/// A drafted part.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SketchedPart {
    /// Names it.
    pub(super) source: String,
    /// The component that shows it.
    pub(super) component: String,
    /// Other components that can show it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) others: Vec<String>,
    region: Region,
    /// What stands above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// Its values, where they can be ordered and named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<SketchedField>,
}

/// A drafted value.
#[derive(Clone, Debug, Serialize)]
struct SketchedField {
    field: String,
    label: String,
    format: String,
}

/// A drafted action.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SketchedAction {
    /// Names it.
    pub(super) action: String,
    place: Place,
    /// Other ways in which it can be offered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) places: Vec<Place>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_dangerous: bool,
}

/// The draft of a contract's page, and what may be chosen of it.
pub(crate) fn sketch(contract: &CompiledContract, intent: &str) -> Sketch {
    let mut reading = read(contract, intent);
    let draft = plan(&mut reading, &Wishes::default());
    Sketch::of(&mut reading, draft)
}

impl Sketch {
    /// What may be chosen of a draft.
    pub(super) fn of(reading: &mut Reading<'_>, draft: Plan) -> Self {
        let lists: Vec<String> = reading
            .things
            .iter()
            .filter(|thing| thing.sort.is_list() && thing.within.is_none())
            .map(|thing| thing.path.clone())
            .collect();
        let mut parts: Vec<SketchedPart> = draft.parts.iter().map(SketchedPart::of).collect();
        for path in lists {
            let others = others(reading, &path, &draft);
            if let Some(part) = parts.iter_mut().find(|part| part.source == path) {
                part.others = others;
            }
        }
        let mains = draft
            .parts
            .iter()
            .filter(|part| matches!(part.region, Region::Main | Region::Charts))
            .filter(|part| {
                let mut things = reading.things.iter();
                things.any(|thing| thing.path == part.source && thing.is_top())
            })
            .map(|part| part.source.clone())
            .collect();
        Self {
            headline_paths: headline_paths(reading, &draft),
            mains,
            primaries: primaries(reading, &draft),
            parts,
            actions: draft.actions.iter().map(SketchedAction::of).collect(),
            headline: draft.headline,
            lead: draft.lead,
            main: draft.main,
            primary: draft.primary,
        }
    }
}

impl SketchedPart {
    fn of(part: &Part) -> Self {
        let field = |shown: &Shown| SketchedField {
            field: shown.field.clone(),
            label: shown.label.clone(),
            format: shown.format.clone(),
        };
        let is_ordered = has_order(&part.component);
        Self {
            source: part.source.clone(),
            component: part.component.clone(),
            others: Vec::new(),
            region: part.region,
            title: part.title.clone(),
            fields: part
                .fields
                .iter()
                .filter(|_| is_ordered)
                .map(field)
                .collect(),
        }
    }
}

impl SketchedAction {
    fn of(offer: &Offer) -> Self {
        let places: &[Place] = match (offer.place, &offer.of) {
            (Place::Form, None) => &[Place::Dialog],
            (Place::Dialog, None) => &[Place::Form],
            (Place::Line, None) => &[Place::Form, Place::Dialog],
            _ => &[],
        };
        Self {
            action: offer.action.clone(),
            place: offer.place,
            places: places.to_vec(),
            is_dangerous: offer.is_dangerous,
        }
    }
}

/// Whether the values of a component can be ordered and named.
pub(super) fn has_order(component: &str) -> bool {
    ORDERED.contains(&component)
}

/// Whether words stand above a component.
pub(super) fn has_title(component: &str) -> bool {
    !UNTITLED.contains(&component)
}

/// The components that show a list as well, found by planning the page with each.
fn others(reading: &mut Reading<'_>, path: &str, draft: &Plan) -> Vec<String> {
    let component = |plan: &Plan| {
        let part = plan.parts.iter().find(|part| part.source == path);
        part.map(|part| part.component.clone())
    };
    let drafted = component(draft);
    Wishes::components()
        .filter(|&name| {
            let mut wishes = Wishes::default();
            wishes.show(path, name);
            let page = plan(reading, &wishes);
            let found = component(&page);
            // What only the drafted component shows has to be seen.
            let hides = page.hidden.iter().any(|hidden| {
                let mut drafted = draft.hidden.iter();
                drafted.all(|other| other.source != hidden.source)
            });
            found.as_deref() == Some(name) && found != drafted && !hides
        })
        .map(str::to_owned)
        .collect()
}

/// The values that may be the subject of the page; what the contract says of it holds.
fn headline_paths(reading: &Reading<'_>, draft: &Plan) -> Vec<String> {
    let top = || reading.things.iter().filter(|thing| thing.is_top());
    if top().any(|thing| hints(thing.schema).says("headline")) {
        return draft.headline.path.iter().cloned().collect();
    }
    let is_words = |schema| kind(schema) == Kind::Text && core(schema).get("format").is_none();
    top()
        .filter(|thing| is_words(thing.schema) && !hints(thing.schema).says("hidden"))
        .map(|thing| thing.path.clone())
        .collect()
}

/// The actions that may stand out; what the contract says of it holds.
fn primaries(reading: &Reading<'_>, draft: &Plan) -> Vec<String> {
    let hinted = reading
        .gestures
        .iter()
        .any(|gesture| hints(gesture.schema).says("primary") && !gesture.is_dangerous);
    if hinted {
        return draft.primary.iter().cloned().collect();
    }
    let safe = draft.actions.iter().filter(|offer| !offer.is_dangerous);
    safe.map(|offer| offer.action.clone()).collect()
}
