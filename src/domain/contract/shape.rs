//! The first phase of the gate: whether the draft has the members a contract has.

use serde_json::{Map, Value};

use super::at::At;
use super::findings::{Findings, warning};
use super::grammar::{CONTRACT, Extra, GADGET, Member, RETIRED, Rule};
use super::keywords::TYPE_NAMES;
use super::limits::NAME_BYTES_MAX;
use super::names::{did_you_mean, is_export, is_package};
use super::violations::{joined, quoted_text, type_name};
use crate::wire::contract::Finding;

/// Where the actions are declared.
const ACTIONS: &str = "actionSpec";

/// Finds everything that keeps `draft` from being a contract (contract.md §1).
///
/// Unknown members that are tolerated get a warning, because they have no effect.
pub(super) fn check(draft: &Value) -> Findings {
    let mut findings = Findings::default();
    walk(&CONTRACT, draft, &At::Root(""), &mut findings);
    findings
}

fn walk(rule: &Rule, value: &Value, path: &At<'_>, findings: &mut Findings) {
    match rule {
        Rule::Any => {}
        Rule::Flag if value.is_boolean() => {}
        Rule::Flag => wrong_type("boolean", Some(value), path, findings),
        Rule::Gadgets => gadgets(value, path, findings),
        Rule::Map(entry) => match value {
            Value::Object(map) => {
                for (name, inner) in map {
                    if name.is_empty() && path.dotted() == ACTIONS {
                        let message =
                            "An action needs a name: what a person sends says which it is";
                        findings.add("CTR_SHAPE_INVALID", &path.key(name), message);
                    } else if name.len() > NAME_BYTES_MAX {
                        let name = quoted_text(name);
                        let message = format!("\"{name}\" is longer than {NAME_BYTES_MAX} bytes");
                        findings.add("CTR_SHAPE_INVALID", path, message);
                    } else {
                        walk(entry, inner, &path.key(name), findings);
                    }
                }
            }
            _ => wrong_type("object", Some(value), path, findings),
        },
        Rule::OneOf(words) => {
            if !value.as_str().is_some_and(|word| words.contains(&word)) {
                let words: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
                let message = format!("Invalid option: expected one of {}", words.join("|"));
                findings.add("CTR_SHAPE_INVALID", path, message);
            }
        }
        Rule::Object(members, extra) => match value {
            Value::Object(map) => object(members, extra, map, path, findings),
            _ => wrong_type("object", Some(value), path, findings),
        },
        Rule::Open if value.is_object() => {}
        Rule::Open => wrong_type("object", Some(value), path, findings),
        Rule::Schema => schema(value, path, 0, findings),
        Rule::Text | Rule::Word => match value.as_str() {
            None => wrong_type("string", Some(value), path, findings),
            Some("") if matches!(rule, Rule::Word) => {
                let message = "Too small: expected string to have >=1 characters";
                findings.add("CTR_SHAPE_INVALID", path, message);
            }
            Some(_) => {}
        },
        Rule::Whole => match value {
            Value::Number(number)
                if number
                    .as_f64()
                    .is_some_and(|n| n >= 0.0 && n.fract() == 0.0) => {}
            Value::Number(_) => {
                let message = "Invalid input: expected a whole number from 0";
                findings.add("CTR_SHAPE_INVALID", path, message);
            }
            _ => wrong_type("number", Some(value), path, findings),
        },
    }
}

fn object(
    members: &[Member],
    extra: &Extra,
    map: &Map<String, Value>,
    path: &At<'_>,
    findings: &mut Findings,
) {
    for (name, rule, must) in members {
        let at = path.key(name);
        match map.get(*name) {
            Some(value) => walk(rule, value, &at, findings),
            None if *must => wrong_type(rule.expected(), None, &at, findings),
            None => {}
        }
    }
    let known = || members.iter().map(|(member, _, _)| *member);
    let unknown = map.keys().map(String::as_str);
    let unknown: Vec<&str> = unknown
        .filter(|name| known().all(|member| member != *name))
        .collect();
    match extra {
        Extra::Refused if unknown.is_empty() => {}
        Extra::Refused => {
            let plural = if unknown.len() > 1 { "s" } else { "" };
            let names = unknown.iter().map(|name| format!("\"{name}\""));
            let meant = unknown.first().and_then(|name| did_you_mean(name, known()));
            let (names, meant) = (joined(names, ", "), meant.unwrap_or_default());
            let message = format!("Unrecognized key{plural}: {names}{meant}");
            findings.add("CTR_SHAPE_UNRECOGNIZED_KEYS", path, message);
        }
        Extra::Tolerated => {
            // Members of earlier drafts are refused by another phase.
            let is_retired = |name: &str| RETIRED.iter().any(|(retired, _)| *retired == name);
            let is_root = matches!(path, At::Root(_));
            for name in unknown
                .into_iter()
                .filter(|name| !is_root || !is_retired(name))
            {
                findings.push(|| ignored(name, known(), path));
            }
        }
    }
}

/// Warns about a tolerated member, which is most likely a misspelt one.
fn ignored<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone, path: &At<'_>) -> Finding {
    let list = || format!("; there are {}", joined(known.clone(), ", "));
    let meant = did_you_mean(name, known.clone()).unwrap_or_else(list);
    let name = quoted_text(name);
    let message = format!("\"{name}\" means nothing here and is ignored{meant}");
    warning("CTR_UNKNOWN_MEMBER", &path.key(&name).dotted(), message)
}

fn gadgets(value: &Value, path: &At<'_>, findings: &mut Findings) {
    let Value::Object(packages) = value else {
        return wrong_type("object", Some(value), path, findings);
    };
    for (package, exports) in packages {
        let at = path.key(package);
        if !is_package(package) {
            let message = format!("Invalid package name \"{package}\"");
            findings.add("CTR_SHAPE_INVALID", &at, message);
        }
        let Value::Object(exports) = exports else {
            wrong_type("object", Some(exports), &at, findings);
            continue;
        };
        if exports.is_empty() {
            let message = "A package needs at least one export";
            findings.add("CTR_SHAPE_INVALID", &at, message);
        }
        for (export, entry) in exports {
            let at = at.key(export);
            if !is_export(export) {
                let message = format!(
                    "Invalid export name \"{export}\": expected a hook (useThing) or a component (Thing)"
                );
                findings.add("CTR_SHAPE_INVALID", &at, message);
            }
            walk(&GADGET, entry, &at, findings);
        }
    }
}

/// The recursion stops at this depth; the schema phase refuses such a schema by its own limit.
const SCHEMA_WALK_DEPTH_MAX: usize = 64;

/// Checks the shape of the typed keywords (contract.md §3.1); the schema phase checks the rest.
fn schema(value: &Value, path: &At<'_>, depth: usize, findings: &mut Findings) {
    let Value::Object(node) = value else {
        return wrong_type("object", Some(value), path, findings);
    };
    if depth > SCHEMA_WALK_DEPTH_MAX {
        return;
    }
    for (keyword, value) in node {
        let at = path.key(keyword);
        match (keyword.as_str(), value) {
            ("type", Value::String(name)) => check_type_name(name, &at, findings),
            ("type", Value::Array(names)) => {
                for (index, name) in names.iter().enumerate() {
                    check_type_name(name.as_str().unwrap_or(""), &at.index(index), findings);
                }
            }
            ("type", _) => findings.add(
                "CTR_SHAPE_INVALID",
                &at,
                "Invalid input: expected a type name or a list of them",
            ),
            ("description" | "format", _) if !value.is_string() => {
                wrong_type("string", Some(value), &at, findings);
            }
            ("enum", _) if !value.is_array() => wrong_type("array", Some(value), &at, findings),
            ("required", Value::Array(names)) => {
                for (index, name) in names
                    .iter()
                    .enumerate()
                    .filter(|(_, name)| !name.is_string())
                {
                    let at = at.index(index);
                    wrong_type("string", Some(name), &at, findings);
                }
            }
            ("required", _) => wrong_type("array", Some(value), &at, findings),
            ("items", _) => schema(value, &at, depth + 1, findings),
            ("additionalProperties", Value::Bool(_)) => {}
            ("additionalProperties", Value::Object(_)) => schema(value, &at, depth + 1, findings),
            ("additionalProperties", _) => findings.add(
                "CTR_SHAPE_INVALID",
                &at,
                "Invalid input: expected a boolean or a schema",
            ),
            ("properties", Value::Object(map)) => {
                for (name, inner) in map {
                    schema(inner, &at.key(name), depth + 1, findings);
                }
            }
            ("properties", _) => wrong_type("object", Some(value), &at, findings),
            _ => {}
        }
    }
}

fn check_type_name(name: &str, path: &At<'_>, findings: &mut Findings) {
    if !TYPE_NAMES.contains(&name) {
        let words: Vec<_> = TYPE_NAMES
            .iter()
            .map(|word| format!("\"{word}\""))
            .collect();
        let message = format!("Invalid option: expected one of {}", words.join("|"));
        findings.add("CTR_SHAPE_INVALID", path, message);
    }
}

fn wrong_type(expected: &str, value: Option<&Value>, path: &At<'_>, findings: &mut Findings) {
    let received = value.map_or("undefined", type_name);
    let message = format!("Invalid input: expected {expected}, received {received}");
    findings.add("CTR_SHAPE_INVALID_TYPE", path, message);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::contract::Severity;
    use serde_json::json;

    fn codes(draft: Value) -> Vec<(String, String)> {
        let findings = check(&draft).into_list().into_iter();
        findings
            .filter(|finding| finding.severity == Severity::Error)
            .map(|finding| (finding.path, finding.code))
            .collect()
    }

    fn one(path: &str, code: &str) -> Vec<(String, String)> {
        vec![(path.to_owned(), code.to_owned())]
    }

    #[test]
    fn an_empty_contract_and_unknown_top_level_members_have_a_clean_shape() {
        assert!(codes(json!({})).is_empty());
        assert!(codes(json!({"intent": 7})).is_empty());
        assert_eq!(codes(json!([])), one("<root>", "CTR_SHAPE_INVALID_TYPE"));
    }

    #[test]
    fn every_problem_of_the_shape_is_found_at_once() {
        let draft = json!({
            "propsSpec": {"properties": {"a": {"type": "string"}, "b": {"schema": true}}},
            "actionSpec": {"go": {"nextStep": "", "schema": {"type": "text"}}},
            "streamSpec": {"s": {"schema": {}, "mode": "merge"}},
            "contextSpec": {"c": {"schema": {"items": []}, "debounceMs": -1}}});
        let found = codes(draft);
        let expect = [
            ("propsSpec.properties.a.schema", "CTR_SHAPE_INVALID_TYPE"),
            ("propsSpec.properties.a", "CTR_SHAPE_UNRECOGNIZED_KEYS"),
            ("propsSpec.properties.b.schema", "CTR_SHAPE_INVALID_TYPE"),
            ("actionSpec.go.label", "CTR_SHAPE_INVALID_TYPE"),
            ("actionSpec.go.schema.type", "CTR_SHAPE_INVALID"),
            ("actionSpec.go.nextStep", "CTR_SHAPE_INVALID"),
            ("streamSpec.s.mode", "CTR_SHAPE_INVALID"),
            ("contextSpec.c.schema.items", "CTR_SHAPE_INVALID_TYPE"),
            ("contextSpec.c.debounceMs", "CTR_SHAPE_INVALID"),
        ];
        for (path, code) in expect {
            assert!(
                found.contains(&(path.into(), code.into())),
                "{path} {code}: {found:?}"
            );
        }
        assert_eq!(found.len(), expect.len(), "{found:?}");
    }

    #[test]
    fn gadget_capabilities_are_judged_as_published() {
        let verdict = |client: Value| {
            check(&json!({"clientCapabilities": client}))
                .into_list()
                .is_empty()
        };
        for accepted in [
            json!({"gadgets":{"@ggui-samples/leaflet":{"useLeafletMap":{}}}}),
            json!({"gadgets":{"@ggui-ai/gadgets":{"useGeolocation":{}}}}),
            json!({"gadgets":{"@ggui-samples/charts":{"RevenueChart":{}}}}),
            json!({"gadgets":{"@ggui-samples/charts":{"RevenueChart":{},"useChart":{"usage":"u"}},"@ggui-ai/gadgets":{"useClipboardWrite":{}}}}),
            json!({"gadgets":{"@ggui-samples/leaflet":{"useLeafletMap":{"description":"d","usage":"u"}}}}),
        ] {
            assert!(verdict(accepted.clone()), "{accepted}");
        }
        for refused in [
            json!({"gadgets":{"@ggui-samples/leaflet":{"leafletmap":{}}}}),
            json!({"gadgets":{"Leaflet":{"useLeafletMap":{}}}}),
            json!({"gadgets":{"@ggui-samples/leaflet":{}}}),
            json!({"gadgets":{"@ggui-ai/gadgets":{"useGeolocation":{"permission":"geolocation"}}}}),
            json!({"gadgets":{"@ggui-samples/leaflet":{"useLeafletMap":{"bundleUrl":"https://x"}}}}),
            json!({"gadgets":{"@ggui-samples/leaflet":{"useLeafletMap":{"version":"2.3.1"}}}}),
            json!({"gadgets":{"@ggui-ai/gadgets":{"useGeolocation":{}}},"libraries":{}}),
        ] {
            assert!(!verdict(refused.clone()), "{refused}");
        }
    }
}
