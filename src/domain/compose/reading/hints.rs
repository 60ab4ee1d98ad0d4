//! What an author says about a schema in its `$comment`: `ui: component=Board, title=Open work`.
//!
//! JSON Schema leaves `$comment` to authors, and the protocol lets it through, so a contract with
//! hints is a contract everywhere. Who gives none gets what the reading concludes.

use serde_json::Value;

use super::fields::core;

/// The beginning of a comment that holds hints.
const MARK: &str = "ui:";

/// The hints of one schema.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hints<'a>(&'a str);

/// The hints a schema gives.
pub(crate) fn hints(schema: &Value) -> Hints<'_> {
    let of = |schema: &'_ Value| schema.get("$comment").and_then(Value::as_str).is_some();
    let bearer = if of(schema) { schema } else { core(schema) };
    let comment = bearer
        .get("$comment")
        .and_then(Value::as_str)
        .unwrap_or_default();
    Hints(comment.trim().strip_prefix(MARK).unwrap_or_default())
}

impl<'a> Hints<'a> {
    /// Whether a word stands alone: `primary`, `danger`, `headline`, `hidden`.
    pub(crate) fn says(self, word: &str) -> bool {
        self.entries().any(|entry| entry == word)
    }

    /// What stands behind a word: `component=Board`.
    pub(crate) fn get(self, word: &str) -> Option<&'a str> {
        self.entries().find_map(|entry| {
            let (name, value) = entry.split_once('=')?;
            (name.trim() == word).then(|| value.trim())
        })
    }

    /// Where it stands among its like: lower numbers first, before all that have none.
    pub(crate) fn order(self) -> Option<i64> {
        self.get("order").and_then(|place| place.parse().ok())
    }

    /// Everything that is said: words, and pairs with their values.
    pub(crate) fn all(self) -> impl Iterator<Item = (&'a str, Option<&'a str>)> {
        let said = self.entries().filter(|entry| !entry.is_empty());
        said.map(|entry| match entry.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (entry, None),
        })
    }

    fn entries(self) -> impl Iterator<Item = &'a str> {
        self.0.split([',', ';']).map(str::trim)
    }
}

/// What sorts by [`Hints::order`]: what has no number stands behind what has one.
pub(crate) fn placed(schema: &Value) -> (bool, i64) {
    let order = hints(schema).order();
    (order.is_none(), order.unwrap_or_default())
}

/// Whether an action may be done once only.
pub(crate) fn is_once(schema: &Value) -> bool {
    hints(schema).says("once")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn hints_are_words_and_pairs_behind_their_mark() {
        let schema =
            json!({"type":"array","$comment":"ui: component=Board, primary; title=Open work"});
        let hints = hints(&schema);
        assert_eq!(hints.get("component"), Some("Board"));
        assert_eq!(hints.get("title"), Some("Open work"));
        assert!(hints.says("primary") && !hints.says("component"));
        assert!(!super::hints(&json!({"$comment":"primary"})).says("primary"));
    }
}
