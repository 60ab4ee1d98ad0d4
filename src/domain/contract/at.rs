//! The path of a value inside a contract or schema, turned into text only when it is needed.

use std::fmt;

use serde_json::Value;

use super::violations::quoted_text;

/// The path of a value, as a linked list on the stack. Names may be long and values many, so a text
/// for each value would multiply the two.
#[derive(Clone, Copy)]
pub(super) enum At<'a> {
    /// The prefix the path starts with; empty for none.
    Root(&'a str),
    /// A member of an object.
    Key(&'a At<'a>, &'a str),
    /// An item of an array.
    Index(&'a At<'a>, usize),
}

impl<'a> At<'a> {
    pub(super) fn key(&'a self, key: &'a str) -> Self {
        Self::Key(self, key)
    }

    pub(super) fn index(&'a self, index: usize) -> Self {
        Self::Index(self, index)
    }

    /// The path with dots between the names, as findings of the gate carry it: nothing is quoted or
    /// shortened.
    pub(super) fn dotted(&self) -> String {
        let (parent, last) = match self {
            Self::Root(path) => return (*path).to_owned(),
            Self::Key(parent, key) => (parent.dotted(), (*key).to_owned()),
            Self::Index(parent, index) => (parent.dotted(), index.to_string()),
        };
        match parent.is_empty() {
            true => last,
            false => format!("{parent}.{last}"),
        }
    }
}

/// The path as violations carry it: `a.b[0]["c d"]`, with long names shortened.
impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(path) => f.write_str(path),
            Self::Index(parent, index) => write!(f, "{parent}[{index}]"),
            Self::Key(parent, key) if !is_identifier(key) => {
                write!(f, "{parent}[{}]", Value::from(quoted_text(key)))
            }
            Self::Key(Self::Root(""), key) => f.write_str(&quoted_text(key)),
            Self::Key(parent, key) => write!(f, "{parent}.{}", quoted_text(key)),
        }
    }
}

/// Whether Unicode defines the name as an identifier (UAX #31); `$` and `_` are allowed, too.
fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    let first = chars.next();
    first.is_some_and(|first| unicode_ident::is_xid_start(first) || matches!(first, '_' | '$'))
        && chars.all(|next| unicode_ident::is_xid_continue(next) || next == '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_no_dot_before_a_bracket_and_quotes_names_that_are_no_identifiers() {
        let root = At::Root("");
        let a = root.key("a");
        let data = a.key("data");
        assert_eq!(data.index(0).key("b").to_string(), "a.data[0].b");
        assert_eq!(a.key("2024").to_string(), "a[\"2024\"]");
        assert_eq!(root.key("a b").to_string(), "[\"a b\"]");
        assert_eq!(root.key("").to_string(), "[\"\"]");
    }

    #[test]
    fn identifiers_follow_the_definition_of_unicode() {
        let root = At::Root("");
        for name in [
            "수업",
            "材料",
            "größe",
            "_x",
            "$ref",
            "a·b",
            "x\u{301}y",
            "ªb",
        ] {
            assert_eq!(root.key(name).to_string(), name);
        }
        for name in ["1a", "a-b", "a.b", "١", "€", "\u{301}x", "a\u{200b}", "x y"] {
            assert!(root.key(name).to_string().starts_with("[\""), "{name}");
        }
        assert_eq!(
            root.key("材料").index(1).key("量").to_string(),
            "材料[1].量"
        );
    }

    #[test]
    fn a_long_name_is_shortened_in_the_text() {
        let long = "ä".repeat(100_000);
        let text = At::Root("").key(&long).index(3).to_string();
        assert_eq!(text.chars().count(), 123);
    }
}
