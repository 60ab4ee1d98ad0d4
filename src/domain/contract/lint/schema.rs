//! Checks one schema against a strict, bounded subset of draft 7.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::super::keywords::{ANNOTATIONS, Child, all, children, keyword, types};
use super::super::limits::ContractLimits;
use super::super::names::did_you_mean;
use super::super::patterns::{Patterns, unsupported_message};
use super::super::violations::type_name;
use super::scope::Scope;
use super::value::problem;
use crate::domain::size::json_bytes;

/// How many problems of one schema are reported.
const PROBLEMS_MAX: usize = 20;

/// The keywords of branches, in the order in which they are visited.
const BRANCHES: &[&str] = &["not", "anyOf", "oneOf", "allOf", "if", "then", "else"];

/// The result of checking one schema.
#[derive(Default)]
pub(in super::super) struct Linted<'a> {
    /// Why the schema is not in the dialect; empty if it is, patterns not considered.
    pub(in super::super) problems: Vec<String>,
    /// Its patterns, by path.
    patterns: Vec<(String, &'a str)>,
    /// Pairs of `properties` and `patternProperties` in the same schema, by path.
    members: Vec<(String, [&'a Map<String, Value>; 2])>,
}

impl<'a> Linted<'a> {
    /// Problems with its patterns: invalid ones, and those that match a declared property.
    /// Compiling them is expensive, so it happens last.
    pub(in super::super) fn pattern_problems(&self, compiled: &mut Patterns) -> Vec<String> {
        let mut problems = Vec::new();
        for (at, pattern) in &self.patterns {
            if !compiled.is_pattern(pattern) {
                problems.push(located(at, &unsupported_message(pattern)));
            }
        }
        for (at, [properties, patterns]) in &self.members {
            let pairs = patterns
                .keys()
                .flat_map(|pattern| properties.keys().map(move |name| (pattern, name)));
            for (pattern, name) in pairs {
                if problems.len() >= PROBLEMS_MAX {
                    break;
                }
                if compiled.matches(pattern, &Value::from(name.as_str())) {
                    let message =
                        format!("property \"{name}\" is taken by pattern \"{pattern}\" too");
                    problems.push(located(at, &message));
                }
            }
        }
        problems.truncate(PROBLEMS_MAX);
        problems
    }
}

/// Finds everything that keeps `schema` out of the dialect of contract.md §3.1, and collects its
/// patterns.
///
/// `patterns_left` is how many patterns the contract may still have. Nothing is compiled, and the
/// limits bound the work for any schema.
pub(in super::super) fn check<'a>(
    schema: &'a Value,
    limits: &ContractLimits,
    patterns_left: &mut usize,
) -> Linted<'a> {
    let bytes = json_bytes(schema);
    if bytes > limits.schema_bytes_max {
        let max = limits.schema_bytes_max;
        return Linted {
            problems: vec![format!(
                "the schema is {bytes} bytes of JSON, more than {max}"
            )],
            ..Linted::default()
        };
    }
    let mut lint = Lint {
        limits,
        patterns_left,
        subschemas: 0,
        linted: Linted::default(),
    };
    lint.node(schema, "", Scope::default(), &mut BTreeSet::new(), 0);
    if lint.subschemas > limits.subschemas_max {
        let max = limits.subschemas_max;
        lint.report("", format!("the schema has more than {max} subschemas"));
    }
    lint.linted
}

/// As [`check`], with patterns and default limits, for a schema that is not part of a contract.
pub(crate) fn schema_problems(schema: &Value) -> Vec<String> {
    let limits = ContractLimits::default();
    let linted = check(schema, &limits, &mut limits.patterns_max.clone());
    if linted.problems.is_empty() {
        linted.pattern_problems(&mut Patterns::default())
    } else {
        linted.problems
    }
}

struct Lint<'a, 'b> {
    limits: &'b ContractLimits,
    patterns_left: &'b mut usize,
    subschemas: usize,
    linted: Linted<'a>,
}

impl<'a> Lint<'a, '_> {
    fn report(&mut self, at: &str, problem: impl AsRef<str>) {
        if self.linted.problems.len() < PROBLEMS_MAX {
            self.linted.problems.push(located(at, problem.as_ref()));
        }
    }

    /// Checks one schema and those below it. `declared` collects the properties that the schemas
    /// visited so far declare for the same value.
    fn node(
        &mut self,
        schema: &'a Value,
        at: &str,
        mut scope: Scope<'a>,
        declared: &mut BTreeSet<&'a str>,
        depth: usize,
    ) {
        let Value::Object(node) = schema else {
            let received = type_name(schema);
            return self.report(at, format!("a schema must be an object, not {received}"));
        };
        self.subschemas += 1;
        if depth >= self.limits.schema_depth_max {
            let max = self.limits.schema_depth_max;
            return self.report(at, format!("schemas nest deeper than {max}"));
        }
        if self.subschemas > self.limits.subschemas_max
            || self.linted.problems.len() >= PROBLEMS_MAX
        {
            return;
        }
        if let Err(impossible) = scope.narrow(schema) {
            let message = format!("type {impossible} is ruled out by the schemas around it");
            self.report(at, message);
        }
        for (name, value) in node {
            self.keyword(node, (name, value), at, &scope);
        }
        self.combinations(node, schema, at);
        // The branches of a value are visited before its own members: the properties they declare
        // count for `required`, while the members beside them do not count for the branches.
        let (mut branches, members): (Vec<_>, Vec<_>) =
            children(node).into_iter().partition(|child| child.in_place);
        branches.sort_by_key(|child| BRANCHES.iter().position(|name| *name == child.keyword));
        for child in branches {
            self.child(child, at, scope.clone(), declared, depth);
        }
        self.required(node, at, declared);
        for child in members {
            match child.keyword {
                "dependencies" => self.child(child, at, scope.clone(), declared, depth),
                "propertyNames" => {
                    self.child(child, at, Scope::of_names(), &mut BTreeSet::new(), depth);
                }
                _ => self.child(child, at, Scope::default(), &mut BTreeSet::new(), depth),
            }
        }
        declared.extend(properties(node).flat_map(Map::keys).map(String::as_str));
    }

    fn child(
        &mut self,
        child: Child<'a>,
        at: &str,
        scope: Scope<'a>,
        declared: &mut BTreeSet<&'a str>,
        depth: usize,
    ) {
        let at = if at.is_empty() {
            child.at
        } else {
            format!("{at}.{}", child.at)
        };
        self.node(child.schema, &at, scope, declared, depth + 1);
    }

    fn keyword(
        &mut self,
        node: &'a Map<String, Value>,
        (name, value): (&'a str, &'a Value),
        at: &str,
        scope: &Scope<'a>,
    ) {
        if self.linted.problems.len() >= PROBLEMS_MAX {
            return;
        }
        let Some((kind, speaks_of)) = keyword(name) else {
            let meant = did_you_mean(name, all()).unwrap_or_default();
            return self.report(at, format!("unknown keyword \"{name}\"{meant}"));
        };
        if !scope.has_one_of(speaks_of) {
            if scope.is_untyped() {
                let wanted = speaks_of.join(" or ");
                self.report(
                    at,
                    format!("\"{name}\" needs a \"type\" beside it: {wanted}"),
                );
            } else {
                let types = scope.describe();
                self.report(at, format!("\"{name}\" does not apply to type {types}"));
            }
        }
        if let Some(problem) = problem(name, kind, value, self.limits) {
            return self.report(at, problem);
        }
        match (name, value) {
            ("pattern", Value::String(pattern)) => self.pattern(pattern, at),
            ("patternProperties", Value::Object(map)) => {
                for pattern in map.keys() {
                    self.pattern(pattern, at);
                }
                // Patterns with empty schemas may match any property.
                if map.values().any(constrains) {
                    let beside = properties(node).map(|own| (at.to_owned(), [own, map]));
                    self.linted.members.extend(beside);
                }
            }
            _ => {}
        }
    }

    fn pattern(&mut self, pattern: &'a str, at: &str) {
        match self.patterns_left.checked_sub(1) {
            Some(left) => {
                *self.patterns_left = left;
                self.linted.patterns.push((at.to_owned(), pattern));
            }
            None => {
                let max = self.limits.patterns_max;
                self.report(at, format!("the contract has more than {max} patterns"));
            }
        }
    }

    fn required(&mut self, node: &'a Map<String, Value>, at: &str, declared: &BTreeSet<&str>) {
        let names = node.get("required").and_then(Value::as_array);
        let undeclared = names
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .find(|name| {
                !declared.contains(name) && !properties(node).any(|map| map.contains_key(*name))
            });
        if let Some(name) = undeclared {
            let message = format!(
                "required property \"{name}\" is not declared under \"properties\" beside it"
            );
            self.report(at, message);
        }
    }

    /// Checks keywords that require or exclude each other.
    fn combinations(&mut self, node: &Map<String, Value>, schema: &Value, at: &str) {
        let has = |name: &str| node.contains_key(name);
        if has("if") && !has("then") && !has("else") {
            self.report(at, "\"if\" without \"then\" or \"else\" does nothing");
        }
        if (has("then") || has("else")) && !has("if") {
            self.report(at, "\"then\" and \"else\" need an \"if\"");
        }
        if has("nullable") && !has("type") {
            self.report(at, "\"nullable\" needs a \"type\"");
        }
        if node.get("nullable") == Some(&Value::Bool(false)) && types(schema).contains(&"null") {
            self.report(at, "\"nullable\": false contradicts type null");
        }
        if has("$ref")
            && let Some(other) = node
                .keys()
                .find(|name| *name != "$ref" && !ANNOTATIONS.contains(&name.as_str()))
        {
            self.report(at, format!("\"{other}\" cannot stand beside \"$ref\""));
        }
    }
}

fn properties(node: &Map<String, Value>) -> impl Iterator<Item = &Map<String, Value>> {
    node.get("properties")
        .and_then(Value::as_object)
        .into_iter()
}

fn constrains(schema: &Value) -> bool {
    let is_word = |name: &String| ANNOTATIONS.contains(&name.as_str());
    schema
        .as_object()
        .is_none_or(|node| !node.keys().all(is_word))
}

fn located(at: &str, problem: &str) -> String {
    if at.is_empty() {
        problem.to_owned()
    } else {
        format!("at {at}: {problem}")
    }
}
