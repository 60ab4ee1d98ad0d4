//! How much room things take: bytes of a value, characters of a text.

use serde_json::Value;

/// The first `chars_max` characters of a text.
pub(crate) fn prefix(text: &str, chars_max: usize) -> &str {
    let end = text.char_indices().nth(chars_max);
    end.map_or(text, |(end, _)| &text[..end])
}

/// A text of at most `chars_max` characters, the last of them an ellipsis where something was cut.
pub(crate) fn shorten(text: &str, chars_max: usize) -> String {
    if prefix(text, chars_max).len() == text.len() {
        return text.to_owned();
    }
    let mut start = prefix(text, chars_max.saturating_sub(1)).to_owned();
    start.push('…');
    start
}

/// Bytes a JSON value takes, roughly: what bounds count, without writing it out.
pub(crate) fn value_bytes(value: &Value) -> usize {
    /// What a node costs before its content.
    const NODE_BYTES: usize = 8;
    NODE_BYTES
        + match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(value_bytes).sum(),
            Value::Object(map) => map
                .iter()
                .map(|(key, value)| key.len() + value_bytes(value))
                .sum(),
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(shorten("größe", 4), "grö…");
        assert_eq!(shorten("größe", 5), "größe");
    }
}
