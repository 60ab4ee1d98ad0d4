//! The arguments of prompts: what they may be, and how they are read.

/// Entries of a list in an argument: a card with more is one nobody reads to its end.
const LIST_ENTRIES_MAX: usize = 24;

/// What may stand behind the colon of a form's field.
pub(super) const FIELD_TYPES: &[&str] = &[
    "text", "longtext", "email", "url", "number", "integer", "date", "boolean",
];

/// One argument of a prompt; every value is a text.
pub(super) struct Argument {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) required: bool,
    pub(super) values: Values,
}

/// What an argument may be.
pub(super) enum Values {
    /// Any text.
    Free,
    /// Names with commas between them.
    List,
    /// `name:type` with commas between them.
    Fields,
    /// One of a closed set; the first is meant when there is none.
    OneOf(&'static [&'static str]),
}

impl Values {
    /// The values that go on from what is typed.
    pub(super) fn beginning(&self, typed: &str) -> Vec<String> {
        let (kept, begun, all) = match self {
            Self::Free | Self::List => return Vec::new(),
            Self::OneOf(all) => ("", typed, *all),
            // Only behind the colon of the last field there is a closed set.
            Self::Fields => {
                let last = typed.rfind(',').map_or(0, |comma| comma + 1);
                match typed[last..].find(':') {
                    None => return Vec::new(),
                    Some(colon) => {
                        let (kept, begun) = typed.split_at(last + colon + 1);
                        (kept, begun, FIELD_TYPES)
                    }
                }
            }
        };
        let begun = begun.trim().to_ascii_lowercase();
        all.iter()
            .filter(|value| value.starts_with(&begun))
            .map(|value| format!("{kept}{value}"))
            .collect()
    }

    /// What is wrong with a value.
    pub(super) fn problems(&self, value: &str) -> Vec<String> {
        let mut problems = Vec::new();
        match self {
            Self::Free => {}
            Self::OneOf(all) => {
                if !all.contains(&value) {
                    problems.push(format!("must be one of: {}", all.join(", ")));
                }
            }
            Self::Fields | Self::List => {
                let count = entries(value).count();
                if count > LIST_ENTRIES_MAX {
                    problems.push(format!("{count} entries are more than {LIST_ENTRIES_MAX}"));
                }
            }
        }
        if matches!(self, Self::Fields) {
            let types = entries(value).filter_map(|entry| entry.split_once(':'));
            for (name, kind) in types {
                if !FIELD_TYPES.contains(&kind.trim().to_ascii_lowercase().as_str()) {
                    problems.push(format!(
                        "the type of \"{}\" must be one of: {}",
                        name.trim(),
                        FIELD_TYPES.join(", ")
                    ));
                }
            }
        }
        problems
    }
}

/// Arguments that were judged.
pub(super) struct Given(pub(super) Vec<(&'static str, String)>);

impl Given {
    pub(super) fn text(&self, name: &str) -> &str {
        let given = self.0.iter().find(|(given, _)| *given == name);
        given.map_or("", |(_, value)| value)
    }

    /// The entries of a list, each with the key it has in a contract.
    pub(super) fn list(&self, name: &str, otherwise: &[&str]) -> Vec<Entry> {
        let mut texts: Vec<_> = entries(self.text(name)).collect();
        if texts.is_empty() {
            texts = otherwise.to_vec();
        }
        let mut list: Vec<Entry> = Vec::with_capacity(texts.len());
        for text in texts {
            let (label, kind) = text.split_once(':').unwrap_or((text, FIELD_TYPES[0]));
            let base = key(label);
            let mut key = base.clone();
            let mut count = 1;
            while list.iter().any(|entry| entry.key == key) {
                count += 1;
                key = format!("{base}{count}");
            }
            let (label, kind) = (label.trim().to_owned(), kind.trim().to_ascii_lowercase());
            list.push(Entry { key, label, kind });
        }
        list
    }
}

/// One entry of a list.
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) label: String,
    pub(super) kind: String,
}

/// The entries of a list as typed.
fn entries(list: &str) -> impl Iterator<Item = &str> {
    list.split(',')
        .map(str::trim)
        .filter(|entry| !entry.is_empty())
}

/// A name for programs out of a name for people: `Date of birth` becomes `dateOfBirth`.
fn key(label: &str) -> String {
    let mut key = String::new();
    for word in label
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        let (first, rest) = word.split_at(1);
        key.push_str(&if key.is_empty() {
            first.to_ascii_lowercase()
        } else {
            first.to_ascii_uppercase()
        });
        key.push_str(rest);
    }
    if key.starts_with(|first: char| first.is_ascii_alphabetic()) {
        key
    } else {
        format!("value{key}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_for_people_become_names_for_programs() {
        assert_eq!(key("Date of birth"), "dateOfBirth");
        assert_eq!(key("unit_price"), "unitPrice");
        assert_eq!(key("2nd"), "value2nd");
        assert_eq!(key("名前"), "value");
    }

    #[test]
    fn only_a_closed_set_has_values_to_offer() {
        let fields = Values::Fields;
        assert_eq!(fields.beginning("name, age:IN"), ["name, age:integer"]);
        assert_eq!(fields.beginning("name, age:").len(), FIELD_TYPES.len());
        assert!(fields.beginning("name:text, ag").is_empty());
        assert_eq!(Values::OneOf(&["low", "high"]).beginning("h"), ["high"]);
        assert!(Values::Free.beginning("").is_empty());
    }
}
