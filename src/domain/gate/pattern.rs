//! Patterns of names: `*` is any text, `?` any character, `[abc]` one of these.

use globset::{GlobBuilder, GlobMatcher};

/// A pattern of names.
#[derive(Clone, Debug)]
pub(super) struct Pattern(GlobMatcher);

impl Pattern {
    /// Reads a pattern, or says what is wrong with it.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("an empty pattern matches nothing (V-009)".to_owned());
        }
        let glob = GlobBuilder::new(text)
            // A name is no path: `*` matches a slash, and a backslash is a character like others.
            .literal_separator(false)
            .backslash_escape(false)
            .build();
        match glob {
            Ok(glob) => Ok(Self(glob.compile_matcher())),
            Err(error) => {
                let kind = error.kind();
                Err(format!("\"{text}\" is no pattern: {kind} (V-009)"))
            }
        }
    }

    /// Whether a name fits.
    pub(super) fn matches(&self, name: &str) -> bool {
        self.0.is_match(name)
    }
}

/// Whether one of the names of something fits.
pub(super) fn any(pattern: &Pattern, names: [&str; 2]) -> bool {
    names.into_iter().any(|name| pattern.matches(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_whole_names_and_its_letters_as_they_are() {
        let matches = |pattern, name| Pattern::read(pattern).unwrap().matches(name);
        for (pattern, name) in [
            ("delete_*", "delete_"),
            ("delete_*", "delete_a/b"),
            ("*", "file:///a/b.txt"),
            ("file://*", "file:///a/b.txt"),
            ("get?", "get1"),
            ("get[ab]", "getb"),
            ("a.b", "a.b"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("delete", "delete_x"),
            ("delete", "undelete"),
            ("Delete*", "delete"),
            ("get?", "get"),
            ("get[ab]", "getc"),
            ("a.b", "acb"),
        ] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_told() {
        for text in ["", "a[", "{a"] {
            let problem = Pattern::read(text).unwrap_err();
            assert!(problem.ends_with("(V-009)"), "{problem}");
        }
    }
}
