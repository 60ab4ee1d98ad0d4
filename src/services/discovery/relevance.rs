//! How well a blueprint suits what was asked for.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::domain::blueprint::OpenBlueprint;
use crate::domain::contract::CompiledContract;

/// Words of a query that are looked for; more name nothing a person asked for.
const WORDS_MAX: usize = 64;

/// The words of a query that are looked for.
pub(super) fn wanted(query: &str) -> BTreeSet<String> {
    lower_case_words(query)
        .into_iter()
        .take(WORDS_MAX)
        .collect()
}

/// The words of a text in lower case; a name such as `setQuantity` is two.
fn lower_case_words(text: &str) -> BTreeSet<String> {
    let mut spaced = String::with_capacity(text.len());
    let mut was_small = false;
    for letter in text.chars() {
        if letter.is_uppercase() && was_small {
            spaced.push(' ');
        }
        was_small = letter.is_lowercase();
        spaced.extend(letter.to_lowercase());
    }
    spaced
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Share of the wanted words that a blueprint has, to three decimals; none if it has none.
#[expect(clippy::cast_precision_loss, reason = "words are few")]
pub(super) fn score(blueprint: &OpenBlueprint, wanted: &BTreeSet<String>) -> Option<f64> {
    let text = format!("{} {}", blueprint.intent, blueprint.contract.summary());
    let own = lower_case_words(&text);
    // The beginning of a word is enough: `build` finds `builds`.
    let has = |word: &&String| own.iter().any(|own| own.starts_with(word.as_str()));
    let found = wanted.iter().filter(has).count();
    (found > 0).then(|| (found as f64 / wanted.len() as f64 * 1000.0).round() / 1000.0)
}

/// Whether one tool of a contract has both the name and the server that are wanted.
pub(super) fn has_tool(
    contract: &CompiledContract,
    tool: Option<&str>,
    server: Option<&str>,
) -> bool {
    if tool.is_none() && server.is_none() {
        return true;
    }
    let capabilities = contract.source().pointer("/agentCapabilities/tools");
    let mut tools = capabilities
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    tools.any(|(name, entry)| {
        let own = entry.pointer("/serverInfo/name").and_then(Value::as_str);
        tool.is_none_or(|tool| tool == name) && server.is_none_or(|server| own == Some(server))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_words() {
        let own: Vec<_> = lower_case_words("setQuantity(qty, SKU) of Übersicht")
            .into_iter()
            .collect();
        assert_eq!(own, ["of", "qty", "quantity", "set", "sku", "übersicht"]);
    }
}
