//! The contract in one line, for people and models that choose between contracts.

use serde_json::Value;

use crate::wire::contract::Contract;

/// The one-line summary of contract.md §10.
pub(crate) fn summary(contract: &Contract) -> String {
    let slots = contract.context_spec.iter().flatten();
    let slots = slots
        .map(|(name, slot)| typed(name, &slot.schema))
        .collect();
    let actions = contract.action_spec.iter().flatten();
    let actions = actions
        .map(|(name, action)| {
            let fields = action
                .schema
                .as_ref()
                .and_then(|schema| schema.get("properties"));
            match fields
                .and_then(Value::as_object)
                .filter(|map| !map.is_empty())
            {
                Some(fields) => {
                    let mut names: Vec<&str> = fields.keys().map(String::as_str).collect();
                    names.sort_unstable();
                    format!("{name}({})", names.join(","))
                }
                None => name.clone(),
            }
        })
        .collect();
    let mut streams: Vec<String> = contract
        .stream_spec
        .iter()
        .flatten()
        .map(|(n, _)| n.clone())
        .collect();
    streams.sort_unstable();
    let mut line = format!(
        "slots={}; actions={}; streams={}",
        listed(sorted_alphabetically(slots)),
        listed(sorted_alphabetically(actions)),
        listed(streams)
    );
    let props = contract.props_spec.iter().flat_map(|spec| &spec.properties);
    let props: Vec<String> = props
        .map(|(name, prop)| {
            let must = if prop.required == Some(true) { "!" } else { "" };
            format!("{}{must}", typed(name, &prop.schema))
        })
        .collect();
    if !props.is_empty() {
        line.push_str("; props=");
        line.push_str(&listed(sorted_alphabetically(props)));
    }
    line
}

fn typed(name: &str, schema: &Value) -> String {
    match schema.get("type") {
        Some(Value::String(one)) => format!("{name}:{one}"),
        _ => name.to_owned(),
    }
}

fn listed(entries: Vec<String>) -> String {
    if entries.is_empty() {
        "∅".to_owned()
    } else {
        entries.join(",")
    }
}

/// Sorts as a dictionary does: alphabetically, and lower case before upper case where that is
/// equal.
fn sorted_alphabetically(mut entries: Vec<String>) -> Vec<String> {
    let swapped = |text: &str| -> String {
        text.chars()
            .map(|c| {
                if c.is_lowercase() {
                    c.to_ascii_uppercase()
                } else {
                    c.to_ascii_lowercase()
                }
            })
            .collect()
    };
    entries.sort_by_cached_key(|entry| (entry.to_lowercase(), swapped(entry)));
    entries
}
