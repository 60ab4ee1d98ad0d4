//! Sizes of values in bytes and of texts in characters.

use std::io;

use serde_json::Value;

/// The first `chars_max` characters of a text.
pub(crate) fn prefix(text: &str, chars_max: usize) -> &str {
    let end = text.char_indices().nth(chars_max);
    end.map_or(text, |(end, _)| &text[..end])
}

/// A text of at most `chars_max` characters; if it was cut, the last one is an ellipsis.
pub(crate) fn shorten(text: &str, chars_max: usize) -> String {
    if prefix(text, chars_max).len() == text.len() {
        return text.to_owned();
    }
    let mut start = prefix(text, chars_max.saturating_sub(1)).to_owned();
    start.push('…');
    start
}

/// The length of a value as JSON in bytes, without building the text.
pub(crate) fn json_bytes(value: &Value) -> usize {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // A value in memory can be serialised, and counting does not fail.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

/// The approximate memory a JSON value takes, in bytes, without serialising it; limits count in it.
pub(crate) fn value_bytes(value: &Value) -> usize {
    /// What a node takes without its content.
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
    fn the_bytes_of_a_value_are_those_of_its_text() {
        let value = serde_json::json!({"a\n": [1.5, "ü", null, {"b": true}]});
        assert_eq!(json_bytes(&value), value.to_string().len());
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(shorten("größe", 4), "grö…");
        assert_eq!(shorten("größe", 5), "größe");
    }
}
