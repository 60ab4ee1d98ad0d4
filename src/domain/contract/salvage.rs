//! Makes a valid contract of an invalid draft by removing what is wrong, and reports every removal.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::compiled::{Checked, CompiledContract};
use super::findings::{bounded, warning};
use super::gate::{has_surface, oversized};
use super::grammar::CONTRACT;
use super::limits::ContractLimits;
use super::normalise::{Place, normalise};
use crate::domain::size::json_bytes;
use crate::wire::contract::{Finding, Severity};

/// How many rounds of checking and removing there are (contract.md §4.4).
const ROUNDS_MAX: usize = 100;
/// How many bytes of drafts all rounds may check: sixteen of the largest drafts, some tens of
/// milliseconds.
const BYTES_MAX: usize = 4 * 1024 * 1024;

/// What could be kept of a draft.
pub(crate) struct Salvaged {
    /// The contract, which passes the gate; `None` if nothing is left to show.
    pub(crate) contract: Option<Value>,
    /// One finding for each place that was removed, with the reason.
    pub(crate) dropped: Vec<Finding>,
}

/// Keeps the valid parts of a draft that the gate refused.
///
/// The same draft always gives the same contract. First, members a contract does not have are
/// dropped and types are corrected or added; then, round by round, the places named by the gate's
/// findings are removed, or the nearest place that contains them.
pub(crate) fn salvage(draft: &Value, limits: &ContractLimits) -> Salvaged {
    let mut work = Work::default();
    let is_left = oversized(draft, limits).is_none() && work.cut_down(draft, limits);
    Salvaged {
        contract: is_left.then(|| work.draft.take()),
        dropped: work.into_findings(),
    }
}

#[derive(Default)]
struct Work {
    draft: Value,
    /// Why each place was removed.
    dropped: BTreeMap<Place, Vec<String>>,
}

impl Work {
    /// Removes until the gate accepts the rest; false if it never does or nothing is left.
    fn cut_down(&mut self, draft: &Value, limits: &ContractLimits) -> bool {
        self.draft = draft.clone();
        let mut unknown = Vec::new();
        normalise(&CONTRACT, &mut self.draft, &mut Place::new(), &mut unknown);
        let reason = || vec!["a contract has no such member".to_owned()];
        self.dropped = unknown.into_iter().map(|place| (place, reason())).collect();
        let mut bytes = 0;
        for _ in 0..ROUNDS_MAX {
            bytes += json_bytes(&self.draft);
            if bytes > BYTES_MAX {
                return false;
            }
            match CompiledContract::compile(&self.draft, limits) {
                Ok(Checked { contract, .. }) => return has_surface(contract.contract()),
                Err(findings) => {
                    if !self.cut(findings) {
                        return false;
                    }
                }
            }
        }
        false
    }

    /// Removes the places the errors name. An error about a place that does not exist is about
    /// something missing, so what should contain it is removed. Returns whether anything was
    /// removed.
    fn cut(&mut self, findings: Vec<Finding>) -> bool {
        // All places are found before the first is removed: two errors at one place are one
        // removal.
        let mut places: BTreeMap<Place, Vec<String>> = BTreeMap::new();
        for finding in findings {
            if finding.severity == Severity::Error {
                let mut place = Place::new();
                locate(&self.draft, &finding.path, &mut place);
                places.entry(place).or_default().push(finding.message);
            }
        }
        let cuts = places
            .into_iter()
            .map(|(place, reasons)| self.cut_out(place, reasons));
        cuts.filter(|is_cut| *is_cut).count() > 0
    }

    fn cut_out(&mut self, place: Place, reasons: Vec<String>) -> bool {
        let Some((last, parents)) = place.split_last() else {
            return false;
        };
        let parent = parents
            .iter()
            .try_fold(&mut self.draft, |value, name| value.get_mut(name));
        let is_cut = parent
            .and_then(Value::as_object_mut)
            .is_some_and(|parent| parent.shift_remove(last).is_some());
        if is_cut {
            self.dropped.insert(place, reasons);
        }
        is_cut
    }

    /// One finding for each removed place. It also lists what was wrong inside the place.
    fn into_findings(self) -> Vec<Finding> {
        let mut dropped: Vec<(Place, Vec<String>)> = Vec::new();
        for (place, reasons) in self.dropped {
            match dropped.last_mut() {
                Some((outer, all)) if place.starts_with(outer) => all.extend(reasons),
                _ => dropped.push((place, reasons)),
            }
        }
        bounded(dropped.into_iter().map(|(place, reasons)| {
            let (path, reasons) = (place.join("."), reasons.join("; "));
            let message = format!("\"{path}\" was left out: {reasons}");
            warning("SALVAGE_DROPPED", &path, message)
        }))
    }
}

/// Finds the deepest existing member of `value` on the dotted `path`; names may contain dots
/// themselves. A list counts as one member and is removed as a whole.
fn locate(value: &Value, path: &str, place: &mut Place) -> usize {
    let Value::Object(map) = value else {
        return 0;
    };
    let mut deepest: (usize, Place) = (0, Place::new());
    for (name, inner) in map {
        let Some(rest) = path.strip_prefix(name.as_str()) else {
            continue;
        };
        let rest = match rest.strip_prefix('.') {
            Some(rest) => rest,
            None if rest.is_empty() => rest,
            None => continue,
        };
        let mut below = Place::new();
        let length = name.len() + 1 + locate(inner, rest, &mut below);
        if length > deepest.0 {
            below.insert(0, name.clone());
            deepest = (length, below);
        }
    }
    place.extend(deepest.1);
    deepest.0
}

/// The part of a draft that declares its props.
pub(crate) fn props_of(draft: &Value) -> Value {
    match draft.get("propsSpec") {
        Some(props) => json!({ "propsSpec": props }),
        None => json!({}),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::super::changes::changes;
    use super::*;

    fn saved(draft: &Value) -> (Value, Vec<String>) {
        let saved = salvage(draft, &ContractLimits::default());
        let dropped = saved.dropped.into_iter().map(|finding| finding.path);
        (saved.contract.unwrap(), dropped.collect())
    }

    fn changed(from: &Value, to: &Value) -> Vec<String> {
        changes(from, to)
            .into_iter()
            .map(|change| format!("{:?} {}", change.op, change.path))
            .collect()
    }

    #[test]
    fn an_invalid_field_is_removed_alone() {
        let draft = json!({"actionSpec":{"go":{"label":"Go","nextStep":"nope"}},
            "propsSpec":{"properties":{"a":{"required":true,"schema":{"type":"text","description":"d"}}}}});
        let (contract, dropped) = saved(&draft);
        assert_eq!(
            contract,
            json!({"actionSpec":{"go":{"label":"Go"}},
                "propsSpec":{"properties":{"a":{"required":true,"schema":{"description":"d"}}}}})
        );
        assert_eq!(
            dropped,
            [
                "actionSpec.go.nextStep",
                "propsSpec.properties.a.schema.type"
            ]
        );
        assert_eq!(
            changed(&draft, &contract),
            [
                "Remove /actionSpec/go/nextStep",
                "Remove /propsSpec/properties/a/schema/type",
            ]
        );
    }

    #[test]
    fn an_entry_without_a_required_field_is_removed_and_reported_once() {
        let draft = json!({
            "actionSpec":{"go.now":{"label":5},"ok":{"label":"Ok","nextStep":"t"}},
            "streamSpec":{"s":{"schema":{"type":"string"},"source":{"tool":"t"}}},
            "agentCapabilities":{"tools":{"t":{"toolInfo":{"inputSchema":{"foo":1}}}}}});
        let (contract, dropped) = saved(&draft);
        assert_eq!(
            contract,
            json!({"actionSpec":{"ok":{"label":"Ok"}},
                "streamSpec":{"s":{"schema":{"type":"string"}}},
                "agentCapabilities":{"tools":{}}})
        );
        assert_eq!(
            dropped,
            [
                "actionSpec.go.now",
                "actionSpec.ok.nextStep",
                "agentCapabilities.tools.t",
                "streamSpec.s.source"
            ]
        );
    }

    #[test]
    fn unknown_members_are_dropped_and_types_are_corrected() {
        let draft = json!({"propsSpec":{"properties":{"a":{"colour":"red","schema":
            {"type":"OBJECT","properties":{"type":{"type":"Int"}}}}}},"libraries":[]});
        let (contract, dropped) = saved(&draft);
        assert_eq!(
            contract,
            json!({"propsSpec":{"properties":{"a":{"schema":
                {"type":"object","properties":{"type":{"type":"integer"}}}}}}})
        );
        assert_eq!(dropped, ["libraries", "propsSpec.properties.a.colour"]);
        assert_eq!(
            changed(&draft, &contract),
            [
                "Remove /propsSpec/properties/a/colour",
                "Replace /propsSpec/properties/a/schema/type",
                "Replace /propsSpec/properties/a/schema/properties/type/type",
                "Remove /libraries"
            ]
        );
    }

    #[test]
    fn a_schema_without_a_type_gets_the_one_its_keywords_imply() {
        let draft = json!({"propsSpec":{"properties":{"a":{"schema":{
            "$schema":"https://json-schema.org/draft/2020-12/schema",
            "properties":{"n":{"minimum":0},"t":{"format":"email","minLength":3},"l":{"items":{"maxLength":2}}},
            "required":["n"],"anyOf":[{"properties":{"n":{"type":"integer"}}},{"minProperties":2}]}}}}});
        let (contract, dropped) = saved(&draft);
        assert_eq!(
            contract["propsSpec"]["properties"]["a"]["schema"],
            json!({"type":"object",
                "properties":{"n":{"type":"number","minimum":0},"t":{"type":"string","format":"email","minLength":3},
                    "l":{"type":"array","items":{"type":"string","maxLength":2}}},
                "required":["n"],"anyOf":[{"properties":{"n":{"type":"integer"}}},{"minProperties":2}]})
        );
        assert!(dropped.is_empty(), "{dropped:?}");
    }

    #[test]
    fn a_draft_without_any_valid_part_is_not_salvaged() {
        for draft in [
            json!([]),
            json!({"libraries":[]}),
            json!({"actionSpec":{"go":{}}}),
            json!({"propsSpec":{"properties":{"a":{"schema":"text"}}}}),
            json!({"x":"y".repeat(300_000)}),
        ] {
            let saved = salvage(&draft, &ContractLimits::default());
            assert_eq!(saved.contract, None);
        }
    }

    #[test]
    fn a_thousand_problems_are_cut_in_a_few_rounds() {
        let entries: Map<_, _> = (0..900)
            .map(|n| (format!("a{n}"), json!({"label":"x","nextStep":"nope"})))
            .collect();
        let (contract, dropped) = saved(&json!({ "actionSpec": entries }));
        assert_eq!(contract["actionSpec"]["a899"], json!({"label":"x"}));
        assert_eq!(dropped.len(), 100);
    }
}
