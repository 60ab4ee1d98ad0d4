//! Makes a contract of a draft that is not one: what is wrong is cut out, and every cut is told.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::compiled::{Checked, CompiledContract};
use super::findings::{bounded, warning};
use super::grammar::CONTRACT;
use super::limits::ContractLimits;
use super::normalise::{Place, normalise};
use crate::wire::contract::{Contract, Finding, Severity};

/// How often a draft is judged and cut (contract.md §4.4).
const ROUNDS_MAX: usize = 100;
/// How many bytes of drafts all rounds may judge: sixteen of the largest, some tens of milliseconds.
const BYTES_MAX: usize = 4 * 1024 * 1024;

/// What could be saved of a draft.
pub(crate) struct Salvaged {
    /// The contract as it is now, which passes the gate.
    pub(crate) contract: Value,
    /// One remark for each place that was left out.
    pub(crate) dropped: Vec<Finding>,
}

/// Saves what can be saved of a draft that the gate refused; `None` if nothing is left to show.
///
/// The same draft always comes to the same contract. First everything that a contract has no
/// member for is left out, and types are spelt or written down; then, round by round, the gate's findings
/// are cut out: what they point at, else what holds it.
pub(crate) fn salvage(draft: &Value, limits: &ContractLimits) -> Option<Salvaged> {
    let mut work = Work {
        draft: draft.clone(),
        dropped: Vec::new(),
    };
    let mut path = Vec::new();
    normalise(&CONTRACT, &mut work.draft, &mut path, &mut work.dropped);
    let mut bytes = 0;
    for _ in 0..ROUNDS_MAX {
        bytes += work.draft.to_string().len();
        if bytes > BYTES_MAX {
            return None;
        }
        match CompiledContract::compile(&work.draft, limits) {
            Ok(Checked { contract, .. }) => {
                return has_surface(contract.contract()).then(|| work.done());
            }
            Err(findings) => {
                if !work.cut(&findings) {
                    return None;
                }
            }
        }
    }
    None
}

/// Whether a contract shows, asks or carries anything.
fn has_surface(contract: &Contract) -> bool {
    let has_props = contract.props_spec.as_ref();
    has_props.is_some_and(|spec| !spec.properties.is_empty())
        || contract
            .action_spec
            .as_ref()
            .is_some_and(|spec| !spec.is_empty())
        || contract
            .stream_spec
            .as_ref()
            .is_some_and(|spec| !spec.is_empty())
        || contract
            .context_spec
            .as_ref()
            .is_some_and(|spec| !spec.is_empty())
}

struct Work {
    draft: Value,
    dropped: Vec<Place>,
}

impl Work {
    /// Cuts what the errors point at; where there is nothing, something is missing, and what it is
    /// missing from is cut. False if nothing was cut.
    fn cut(&mut self, findings: &[Finding]) -> bool {
        // All are found before the first is cut: two errors at one place are one cut.
        let errors = findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error);
        let places: BTreeSet<Place> = errors
            .map(|finding| {
                let mut place = Place::new();
                locate(&self.draft, &finding.path, &mut place);
                place
            })
            .collect();
        let cuts = places.into_iter().map(|place| self.cut_out(place));
        cuts.filter(|is_cut| *is_cut).count() > 0
    }

    fn cut_out(&mut self, place: Place) -> bool {
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
            self.dropped.push(place);
        }
        is_cut
    }

    fn done(mut self) -> Salvaged {
        // Whoever reads that an entry is gone need not read what was wrong within it.
        self.dropped.sort();
        self.dropped
            .dedup_by(|later, earlier| later.starts_with(earlier));
        let dropped = self.dropped.iter().map(|place| {
            let path = place.join(".");
            warning("SALVAGE_DROPPED", &path, format!("\"{path}\" was left out"))
        });
        Salvaged {
            dropped: bounded(dropped.collect()),
            contract: self.draft,
        }
    }
}

/// Finds the deepest member of `value` on the way that the dotted `path` describes; names may hold
/// dots themselves. Lists are one member: they are cut as a whole.
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

/// The part of a draft that says what props it means to take.
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
        let saved = salvage(draft, &ContractLimits::default()).unwrap();
        let dropped = saved.dropped.into_iter().map(|finding| finding.path);
        (saved.contract, dropped.collect())
    }

    fn told(from: &Value, to: &Value) -> Vec<String> {
        changes(from, to)
            .into_iter()
            .map(|change| format!("{:?} {}", change.op, change.path))
            .collect()
    }

    #[test]
    fn a_bad_field_is_lost_alone() {
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
            told(&draft, &contract),
            [
                "Remove /actionSpec/go/nextStep",
                "Remove /propsSpec/properties/a/schema/type",
            ]
        );
    }

    #[test]
    fn what_cannot_stand_without_its_field_goes_with_it_and_is_told_once() {
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
    fn what_has_no_place_is_left_out_and_types_are_spelt() {
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
            told(&draft, &contract),
            [
                "Remove /propsSpec/properties/a/colour",
                "Replace /propsSpec/properties/a/schema/type",
                "Replace /propsSpec/properties/a/schema/properties/type/type",
                "Remove /libraries"
            ]
        );
    }

    #[test]
    fn a_schema_that_leaves_its_type_unsaid_is_given_the_one_its_keywords_speak_of() {
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
    fn a_draft_of_which_nothing_is_left_is_not_saved() {
        for draft in [
            json!([]),
            json!({"libraries":[]}),
            json!({"actionSpec":{"go":{}}}),
            json!({"propsSpec":{"properties":{"a":{"schema":"text"}}}}),
            json!({"x":"y".repeat(300_000)}),
        ] {
            assert!(salvage(&draft, &ContractLimits::default()).is_none());
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
