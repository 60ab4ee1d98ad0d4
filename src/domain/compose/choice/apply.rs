//! A choice becomes a view: it is checked against the draft, planned, and drawn like any plan.

use std::collections::BTreeSet;

use super::super::draw::view;
use super::super::plan::{Plan, Wishes, check as check_plan, plan};
use super::super::reading::read;
use super::form::{Choice, PartChoice};
use super::sketch::{Sketch, has_order, has_title};
use super::texts::{HEADLINE_CHARS_MAX, LABEL_CHARS_MAX, LEAD_CHARS_MAX, problem};
use crate::domain::contract::{CompiledContract, bounded, error};
use crate::domain::view::{View, check as check_view, gaps};
use crate::wire::contract::Finding;

/// The view of a contract as somebody has chosen it.
///
/// # Errors
///
/// Everything that does not fit the contract, at once; paths are those of the choice.
pub(crate) fn chosen(
    contract: &CompiledContract,
    intent: &str,
    choice: &Choice,
) -> Result<View, Vec<Finding>> {
    let mut reading = read(contract, intent);
    let draft = plan(&mut reading, &Wishes::default());
    // What the draft hides for a reason is no gap.
    let hidden = gaps(&view(&draft, contract), contract);
    let sketch = Sketch::of(&mut reading, draft);
    let mut judge = Judge {
        sketch: &sketch,
        findings: Vec::new(),
    };
    let wishes = judge.wishes(choice);
    let mut page = plan(&mut reading, &wishes);
    judge.arrange(&mut page, choice);
    let mut findings = judge.findings;
    if findings.is_empty() {
        let wrong = check_plan(&page, contract).into_iter();
        findings.extend(wrong.map(|why| error("CHOICE_INCOMPLETE", "", why)));
        if choice.primary.is_some() && page.primary != choice.primary {
            let why = "this page has an action of its own that ends it";
            findings.push(error("CHOICE_UNFIT_PRIMARY", "primary", why));
        }
    }
    if !findings.is_empty() {
        return Err(bounded(findings));
    }
    let view = check_view(view(&page, contract).value(), contract)?;
    let mut gaps = gaps(&view, contract);
    gaps.retain(|gap| !hidden.contains(gap) && !hides(&page, &gap.path));
    if gaps.is_empty() { Ok(view) } else { Err(gaps) }
}

/// Whether a page hides a slot for a reason, at its place in the contract: the draft may have bound it.
fn hides(page: &Plan, path: &str) -> bool {
    page.hidden.iter().any(|hidden| {
        let slot = hidden.source.strip_prefix("/context/");
        slot.is_some() && slot == path.strip_prefix("contextSpec.")
    })
}

struct Judge<'a> {
    sketch: &'a Sketch,
    findings: Vec<Finding>,
}

impl Judge<'_> {
    fn report(&mut self, code: &str, path: &str, message: impl Into<String>) {
        self.findings.push(error(code, path, message));
    }

    fn words(&mut self, path: &str, text: Option<&str>, chars_max: usize) {
        if let Some(why) = text.and_then(|text| problem(text, chars_max)) {
            self.report("CHOICE_UNFIT_TEXT", path, why);
        }
    }

    /// Whether something is among what there is; what there is otherwise.
    fn is_one_of(&mut self, code: &str, path: &str, name: &str, known: &[String]) -> bool {
        let is_known = known.iter().any(|known| known == name);
        if !is_known {
            let known = if known.is_empty() {
                "leave it out".to_owned()
            } else {
                format!("there is {}", known.join(", "))
            };
            self.report(code, path, format!("\"{name}\" is none of them; {known}"));
        }
        is_known
    }

    /// What the planner has to be told.
    fn wishes(&mut self, choice: &Choice) -> Wishes {
        let sketch = self.sketch;
        let mut wishes = Wishes::default();
        if let Some(headline) = &choice.headline {
            match &headline.path {
                Some(path) => {
                    let (code, known) = ("CHOICE_UNFIT_HEADLINE", &sketch.headline_paths);
                    self.is_one_of(code, "headline.path", path, known);
                    let text = Some(headline.text.as_str()).filter(|text| !text.is_empty());
                    self.words("headline.text", text, HEADLINE_CHARS_MAX);
                }
                None => self.words("headline.text", Some(&headline.text), HEADLINE_CHARS_MAX),
            }
            wishes.headline = Some(headline.clone());
        }
        self.words("lead", choice.lead.as_deref(), LEAD_CHARS_MAX);
        if let Some(main) = &choice.main {
            self.is_one_of("CHOICE_UNFIT_MAIN", "main", main, &sketch.mains);
            wishes.main = Some(main.clone());
        }
        if let Some(primary) = &choice.primary {
            self.is_one_of(
                "CHOICE_UNFIT_PRIMARY",
                "primary",
                primary,
                &sketch.primaries,
            );
            wishes.primary = Some(primary.clone());
        }
        let mut seen = BTreeSet::new();
        let sources: Vec<String> = sketch
            .parts
            .iter()
            .map(|part| part.source.clone())
            .collect();
        for PartChoice {
            source, component, ..
        } in &choice.parts
        {
            let path = format!("parts[{source}]");
            if !seen.insert(source) {
                self.report("CHOICE_DUPLICATE", &path, "is chosen more than once");
                continue;
            }
            if !self.is_one_of("CHOICE_UNKNOWN_SOURCE", &path, source, &sources) {
                continue;
            }
            let drafted = sketch.parts.iter().find(|part| part.source == *source);
            let (Some(component), Some(part)) = (component, drafted) else {
                continue;
            };
            if *component == part.component {
                continue;
            }
            let mut known = vec![part.component.clone()];
            known.extend(part.others.iter().cloned());
            let at = format!("{path}.component");
            if self.is_one_of("CHOICE_UNFIT_COMPONENT", &at, component, &known) {
                wishes.show(source, component);
            }
        }
        wishes
    }

    /// Puts a page into the chosen order and words.
    fn arrange(&mut self, page: &mut Plan, choice: &Choice) {
        if let Some(lead) = &choice.lead {
            page.lead = Some(lead.clone());
        }
        for part in &choice.parts {
            self.part(page, part);
        }
        let place = |source: &str| {
            let mut chosen = choice.parts.iter();
            let listed = chosen.position(|part| part.source == source);
            (
                choice.main.as_deref() != Some(source),
                listed.unwrap_or(usize::MAX),
            )
        };
        // Whatever is not listed follows in its drafted order.
        page.parts
            .sort_by_key(|part| (part.region, place(&part.source)));
        let actions: Vec<String> = self
            .sketch
            .actions
            .iter()
            .map(|action| action.action.clone())
            .collect();
        let mut seen = BTreeSet::new();
        for chosen in &choice.actions {
            let path = format!("actions[{}]", chosen.action);
            if !seen.insert(&chosen.action) {
                self.report("CHOICE_DUPLICATE", &path, "is chosen more than once");
                continue;
            }
            if !self.is_one_of("CHOICE_UNKNOWN_ACTION", &path, &chosen.action, &actions) {
                continue;
            }
            let mut sketched = self.sketch.actions.iter();
            let known = sketched.find(|action| action.action == chosen.action);
            let mut offers = page.actions.iter_mut();
            let offer = offers.find(|offer| offer.action == chosen.action);
            let (Some(place), Some(known), Some(offer)) = (chosen.place, known, offer) else {
                continue;
            };
            if place == offer.place {
                continue;
            }
            if known.places.contains(&place) && offer.of.is_none() {
                offer.place = place;
            } else {
                let why = "this action cannot be offered like that; leave the place out";
                self.report("CHOICE_UNFIT_PLACE", &format!("{path}.place"), why);
            }
        }
        page.actions.sort_by_key(|offer| {
            let mut chosen = choice.actions.iter();
            let listed = chosen.position(|chosen| chosen.action == offer.action);
            listed.unwrap_or(usize::MAX)
        });
    }

    fn part(&mut self, page: &mut Plan, chosen: &PartChoice) {
        let path = format!("parts[{}]", chosen.source);
        let mut parts = page.parts.iter_mut();
        let Some(part) = parts.find(|part| part.source == chosen.source) else {
            return;
        };
        self.words(
            &format!("{path}.title"),
            chosen.title.as_deref(),
            LABEL_CHARS_MAX,
        );
        if let Some(title) = &chosen.title {
            match part.fields.as_mut_slice() {
                [number] if part.component == "Metric" => number.label.clone_from(title),
                _ if has_title(&part.component) => part.title = Some(title.clone()),
                _ => self.report(
                    "CHOICE_UNFIT_TEXT",
                    &format!("{path}.title"),
                    "nothing stands above this part; leave it out",
                ),
            }
        }
        if chosen.fields.is_empty() {
            return;
        }
        if !has_order(&part.component) {
            let why = "the values of this part cannot be chosen; leave them out";
            return self.report("CHOICE_UNKNOWN_FIELD", &format!("{path}.fields"), why);
        }
        let known: Vec<String> = part
            .fields
            .iter()
            .map(|shown| shown.field.clone())
            .collect();
        for field in &chosen.fields {
            let at = format!("{path}.fields[{}]", field.field);
            self.words(&at, field.label.as_deref(), LABEL_CHARS_MAX);
            if !self.is_one_of("CHOICE_UNKNOWN_FIELD", &at, &field.field, &known) {
                continue;
            }
            let mut shown = part.fields.iter_mut();
            let shown = shown.find(|shown| shown.field == field.field);
            if let (Some(shown), Some(label)) = (shown, &field.label) {
                shown.label.clone_from(label);
            }
        }
        part.fields.sort_by_key(|shown| {
            let mut chosen = chosen.fields.iter();
            let listed = chosen.position(|field| field.field == shown.field);
            listed.unwrap_or(usize::MAX)
        });
    }
}
