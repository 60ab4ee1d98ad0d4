//! Explains every violation of a schema, with the messages of contract.md §6.3.

use std::collections::HashMap;

use jsonschema::Validator;
use serde_json::{Map, Value};

use super::at::At;
use super::formats;
use super::found::Found;
use super::patterns::Patterns;
use super::violated::{any_type, bounds, names, parent};
use super::violations::{joined, quoted_text, synthetic, type_name};
use crate::wire::contract::Violation;

/// How many steps one explanation takes; a schema node is one step. A value that violates a
/// contract a million times is wrong as a whole, so the list ends there with a line that says so.
const STEPS_MAX: usize = 1_000_000;
/// The cost of formatting one violation, in steps: it quotes names and lists.
const STEPS_PER_VIOLATION: usize = 10;
/// How many values of a list are compared in one step.
const LISTED_PER_STEP: usize = 4;

/// Explains why `value` breaks `schema`; empty if it does not.
///
/// `patterns` are those of the schema.
pub(super) fn explain(
    schema: &Value,
    value: &Value,
    prefix: &str,
    patterns: &Patterns,
) -> Vec<Violation> {
    let mut run = Run {
        patterns,
        steps: 0,
        multiples: HashMap::new(),
    };
    let mut found = Found::default();
    run.node(schema, value, &At::Root(prefix), &mut found);
    let mut violations = found.violations;
    let left_out = found.count.saturating_sub(violations.len());
    if left_out > 0 || (run.steps > STEPS_MAX && !violations.is_empty()) {
        let at_least = if run.steps > STEPS_MAX {
            "at least "
        } else {
            ""
        };
        let message = format!("and {at_least}{left_out} more violations");
        violations.push(synthetic(prefix, message));
    }
    violations
}

struct Run<'a> {
    patterns: &'a Patterns,
    steps: usize,
    /// The compiled validators of `multipleOf`, by the address of the keyword's value.
    multiples: HashMap<*const Value, Option<Validator>>,
}

impl Run<'_> {
    fn node(&mut self, schema: &Value, value: &Value, path: &At<'_>, found: &mut Found) {
        let Value::Object(node) = schema else {
            return;
        };
        let length = |name: &str| node.get(name).and_then(Value::as_array).map_or(0, Vec::len);
        let listed = (length("enum") + length("required")) / LISTED_PER_STEP;
        let before = found.count;
        if !self.take(1 + listed) {
            return;
        }
        any_type(node, value, path, found);
        match value {
            Value::Object(map) => self.object(node, map, value, path, found),
            Value::Array(items) => self.array(node, items, path, found),
            Value::String(text) => self.string(node, text, value, path, found),
            Value::Number(number) => {
                if let Some(number) = number.as_f64() {
                    self.number(node, number, value, path, found);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
        self.take((found.count - before) * STEPS_PER_VIOLATION);
        self.combined(node, value, path, found);
    }

    /// Takes steps and returns whether there were enough left.
    fn take(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_add(steps);
        self.steps <= STEPS_MAX
    }

    /// Validates a value without reporting violations, for the branches of unions.
    fn trial(&mut self, schema: &Value, value: &Value, path: &At<'_>) -> Found {
        let mut found = Found::default();
        self.node(schema, value, path, &mut found);
        found
    }

    fn object(
        &mut self,
        node: &Map<String, Value>,
        map: &Map<String, Value>,
        value: &Value,
        path: &At<'_>,
        found: &mut Found,
    ) {
        let count = map.len() as u64;
        bounds(
            node,
            ("minProperties", "maxProperties"),
            count,
            "properties",
            path,
            found,
        );
        for name in names(node.get("required")) {
            if !map.contains_key(name) {
                let message = format!("Required field '{name}' missing{}", parent(path));
                found.add_pair("required", &path.key(name), message, "present", "undefined");
            }
        }
        let empty = Map::new();
        let of = |keyword: &str| node.get(keyword).and_then(Value::as_object);
        let properties = of("properties").unwrap_or(&empty);
        let patterns = of("patternProperties").unwrap_or(&empty);
        for (name, inner) in map {
            if !self.take(patterns.len()) {
                break;
            }
            let at = path.key(name);
            let mut is_declared = false;
            if let Some(schema) = properties.get(name) {
                is_declared = true;
                self.node(schema, inner, &at, found);
            }
            for (pattern, schema) in patterns {
                if self.patterns.matches(pattern, &Value::from(name.as_str())) {
                    is_declared = true;
                    self.node(schema, inner, &at, found);
                }
            }
            match node.get("additionalProperties") {
                Some(Value::Bool(false)) if !is_declared => {
                    let (shown, parent) = (quoted_text(name), parent(path));
                    self.take(STEPS_PER_VIOLATION);
                    let declared = properties.keys().map(String::as_str);
                    let declared = match properties.is_empty() {
                        true => "(none)".to_owned(),
                        false => format!("[{}]", joined(declared, ", ")),
                    };
                    let message =
                        format!("Undeclared field '{shown}'{parent}. Declared keys: {declared}.");
                    let received = type_name(inner);
                    found.add_pair(
                        "additionalProperties",
                        &at,
                        message,
                        "<declared key>",
                        received,
                    );
                }
                Some(schema @ Value::Object(_)) if !is_declared => {
                    self.node(schema, inner, &at, found);
                }
                _ => {}
            }
            if let Some(schema) = node.get("propertyNames")
                && self.trial(schema, &Value::from(name.as_str()), path).count > 0
            {
                found.add("propertyNames", &at, "property name must be valid");
            }
        }
        for (name, dependency) in of("dependencies").unwrap_or(&empty) {
            if map.contains_key(name) {
                for missing in names(Some(dependency)).filter(|other| !map.contains_key(*other)) {
                    let message =
                        format!("must have property {missing} when property {name} is present");
                    found.add("dependencies", &path.key(missing), message);
                }
                self.node(dependency, value, path, found);
            }
        }
    }

    fn array(
        &mut self,
        node: &Map<String, Value>,
        items: &[Value],
        path: &At<'_>,
        found: &mut Found,
    ) {
        let count = items.len() as u64;
        bounds(node, ("minItems", "maxItems"), count, "items", path, found);
        if let Some(schema @ Value::Object(_)) = node.get("items") {
            for (index, item) in items.iter().enumerate() {
                if self.steps > STEPS_MAX {
                    break;
                }
                self.node(schema, item, &path.index(index), found);
            }
        }
        if let Some(schema) = node.get("contains")
            && !items
                .iter()
                .any(|item| self.trial(schema, item, path).count == 0)
        {
            found.add("contains", path, "must contain at least 1 valid item(s)");
        }
        if node.get("uniqueItems") == Some(&Value::Bool(true)) {
            let mut seen: HashMap<String, usize> = HashMap::new();
            for (index, item) in items.iter().enumerate() {
                if let Some(first) = seen.insert(super::hash::canonical(item), index) {
                    let message = format!(
                        "must NOT have duplicate items (items ## {first} and {index} are identical)"
                    );
                    found.add("uniqueItems", path, message);
                }
            }
        }
    }

    fn string(
        &mut self,
        node: &Map<String, Value>,
        text: &str,
        value: &Value,
        path: &At<'_>,
        found: &mut Found,
    ) {
        let count = text.chars().count() as u64;
        bounds(
            node,
            ("minLength", "maxLength"),
            count,
            "characters",
            path,
            found,
        );
        if let Some(Value::String(pattern)) = node.get("pattern")
            && !self.patterns.matches(pattern, value)
        {
            let message = format!("must match pattern \"{pattern}\"");
            found.add_pair(
                "pattern",
                path,
                message,
                pattern.as_str(),
                quoted_text(text),
            );
        }
        if let Some(Value::String(format)) = node.get("format")
            && !formats::fits(format, value)
        {
            found.add("format", path, unfit(format));
        }
    }

    fn number(
        &mut self,
        node: &Map<String, Value>,
        number: f64,
        value: &Value,
        path: &At<'_>,
        found: &mut Found,
    ) {
        type Holds = fn(f64, f64) -> bool;
        let limits: [(&str, &str, Holds); 4] = [
            ("minimum", ">=", |n, limit| n >= limit),
            ("maximum", "<=", |n, limit| n <= limit),
            ("exclusiveMinimum", ">", |n, limit| n > limit),
            ("exclusiveMaximum", "<", |n, limit| n < limit),
        ];
        for (keyword, sign, holds) in limits {
            if let Some(Value::Number(limit)) = node.get(keyword)
                && !limit.as_f64().is_none_or(|limit| holds(number, limit))
            {
                found.add(keyword, path, format!("must be {sign} {limit}"));
            }
        }
        if let Some(step) = node.get("multipleOf")
            && !self
                .multiples
                .entry(std::ptr::from_ref(step))
                .or_insert_with(|| formats::single("multipleOf", step).ok())
                .as_ref()
                .is_some_and(|check| check.is_valid(value))
        {
            found.add("multipleOf", path, format!("must be multiple of {step}"));
        }
        if let Some(Value::String(format)) = node.get("format")
            && !formats::number_fits(format, number)
        {
            found.add("format", path, unfit(format));
        }
    }

    fn combined(
        &mut self,
        node: &Map<String, Value>,
        value: &Value,
        path: &At<'_>,
        found: &mut Found,
    ) {
        let branches = |keyword: &str| {
            node.get(keyword)
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
        };
        for branch in branches("allOf") {
            self.node(branch, value, path, found);
        }
        for (keyword, message) in [
            ("anyOf", "must match a schema in anyOf"),
            ("oneOf", "must match exactly one schema in oneOf"),
        ] {
            let tried: Vec<Found> = branches(keyword)
                .map(|branch| self.trial(branch, value, path))
                .collect();
            let passing = tried.iter().filter(|found| found.count == 0).count();
            let is_broken =
                !tried.is_empty() && (passing == 0 || (passing > 1 && keyword == "oneOf"));
            if is_broken {
                found.add(keyword, path, message);
            }
            if passing == 0 {
                tried.into_iter().for_each(|branch| found.append(branch));
            }
        }
        if let Some(schema) = node.get("not")
            && self.trial(schema, value, path).count == 0
        {
            found.add("not", path, "must NOT be valid");
        }
        if let Some(condition) = node.get("if") {
            let holds = self.trial(condition, value, path).count == 0;
            let keyword = if holds { "then" } else { "else" };
            if let Some(schema) = node.get(keyword) {
                let tried = self.trial(schema, value, path);
                if tried.count > 0 {
                    found.add("if", path, format!("must match \"{keyword}\" schema"));
                    found.append(tried);
                }
            }
        }
    }
}

/// What is said of a value that is not in its format. Agents often send a time of day where the format
/// asks for a time with its zone (RFC 3339 §5.6).
fn unfit(format: &str) -> String {
    let how = match format {
        "time" => {
            ": with seconds and a zone, as in 18:30:00Z; a time of day like 18:30 has no format"
        }
        _ => "",
    };
    format!("must match format \"{format}\"{how}")
}
