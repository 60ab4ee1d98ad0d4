//! Checks the value of one keyword.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::at::At;
use super::super::formats;
use super::super::hash::canonical;
use super::super::keywords::{Kind, TYPE_NAMES};
use super::super::limits::{ContractLimits, NAME_BYTES_MAX};

/// The only `$schema` a contract may name, because schemas are read in this draft.
const DRAFT: &str = "http://json-schema.org/draft-07/schema";

/// Returns why `value` may not be the value of the keyword `name`.
pub(super) fn problem(
    name: &str,
    kind: Kind,
    value: &Value,
    limits: &ContractLimits,
) -> Option<String> {
    let must = |what: &str| Some(format!("\"{name}\" must be {what}"));
    match kind {
        Kind::List if !value.is_array() => must("a list"),
        Kind::Count if !value.as_f64().is_some_and(|n| n >= 0.0 && n.fract() == 0.0) => {
            must("a whole number from 0")
        }
        Kind::Dependencies | Kind::SchemaMap if !value.is_object() => must("an object"),
        Kind::Dependencies | Kind::SchemaMap if has_long_name(name, value) => Some(format!(
            "a name under \"{name}\" is longer than {NAME_BYTES_MAX} bytes"
        )),
        Kind::Dependencies => value
            .as_object()
            .is_some_and(|map| {
                let mut entries = map.values();
                entries.any(|entry| !entry.is_object() && names(entry).is_err())
            })
            .then(|| format!("\"{name}\" must hold schemas or lists of distinct names")),
        Kind::Draft => match value.as_str() {
            Some(draft) if draft.trim_end_matches('#') == DRAFT => None,
            _ => Some(format!("\"{name}\" must be \"{DRAFT}#\" or be left out")),
        },
        Kind::Enum => match value.as_array() {
            Some(values) if !values.is_empty() => {
                let distinct: BTreeSet<String> = values.iter().map(canonical).collect();
                (distinct.len() < values.len())
                    .then(|| format!("\"{name}\" lists the same value twice"))
            }
            _ => must("a list of at least one value"),
        },
        Kind::Flag if !value.is_boolean() => must("true or false"),
        Kind::Format => match value.as_str() {
            Some(format) if formats::is_known(format) => None,
            Some(format) => Some(format!("unknown format \"{format}\"")),
            None => must("a string"),
        },
        Kind::Number if !value.is_number() => must("a number"),
        Kind::Pattern => match value.as_str() {
            Some(pattern) => pattern_problem(pattern, limits),
            None => must("a string"),
        },
        Kind::Positive if !value.as_f64().is_some_and(|number| number > 0.0) => {
            must("a number above 0")
        }
        Kind::Ref if !value.as_str().is_some_and(|to| to.starts_with("#/")) => {
            Some("\"$ref\" must point into the same schema, as in #/definitions/x".to_owned())
        }
        Kind::Required => names(value).err(),
        Kind::SchemaMap if name == "patternProperties" => value
            .as_object()
            .into_iter()
            .flatten()
            .find_map(|(pattern, _)| pattern_problem(pattern, limits)),
        Kind::SchemaOrFlag if !value.is_object() && !value.is_boolean() => {
            must("a schema or a boolean")
        }
        Kind::Schemas => match value.as_array() {
            None => must("a list of schemas"),
            Some(branches) if branches.is_empty() => must("a list of at least one schema"),
            Some(branches) if branches.len() > limits.branches_max => {
                let max = limits.branches_max;
                Some(format!("\"{name}\" has more than {max} branches"))
            }
            Some(_) => None,
        },
        Kind::Text if !value.is_string() => must("a string"),
        Kind::Type => type_problem(value),
        _ => None,
    }
}

/// Whether a name is longer than allowed; patterns have a limit of their own.
fn has_long_name(keyword: &str, value: &Value) -> bool {
    let mut names = value.as_object().into_iter().flatten();
    keyword != "patternProperties" && names.any(|(name, _)| name.len() > NAME_BYTES_MAX)
}

fn pattern_problem(pattern: &str, limits: &ContractLimits) -> Option<String> {
    let max = limits.pattern_bytes_max;
    (pattern.len() > max).then(|| format!("a pattern is longer than {max} bytes"))
}

/// The distinct names of a list.
///
/// # Errors
///
/// A message about the invalid value.
fn names(value: &Value) -> Result<BTreeSet<&str>, String> {
    let list = value
        .as_array()
        .filter(|list| list.iter().all(Value::is_string));
    let Some(list) = list else {
        return Err("\"required\" must be a list of names".to_owned());
    };
    let mut names = BTreeSet::new();
    match list
        .iter()
        .filter_map(Value::as_str)
        .find(|name| !names.insert(*name))
    {
        Some(twice) => Err(format!(
            "\"required\" names {} twice",
            At::Root("").key(twice)
        )),
        None => Ok(names),
    }
}

fn type_problem(value: &Value) -> Option<String> {
    let names: Vec<Option<&str>> = match value {
        Value::String(name) => vec![Some(name)],
        // A list with more entries than there are types repeats one, so it is not read further.
        Value::Array(names) => {
            let names = names.iter().take(TYPE_NAMES.len() + 1);
            names.map(Value::as_str).collect()
        }
        _ => Vec::new(),
    };
    let is_name = |name: &Option<&str>| name.is_some_and(|name| TYPE_NAMES.contains(&name));
    if names.is_empty() || !names.iter().all(is_name) {
        let known = TYPE_NAMES.join(", ");
        return Some(format!(
            "\"type\" must be one of {known}, or one of them with null"
        ));
    }
    let distinct: BTreeSet<_> = names.iter().flatten().collect();
    if distinct.len() < names.len() {
        return Some("\"type\" must be a list of distinct type names".to_owned());
    }
    (distinct.iter().filter(|name| ***name != "null").count() > 1).then(|| {
        let names: Vec<_> = names.into_iter().flatten().collect();
        format!(
            "a union of types ({}) is only allowed with null; use anyOf",
            names.join("|")
        )
    })
}
