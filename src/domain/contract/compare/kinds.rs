//! Sets of JSON types, with whole numbers apart from fractions.

use serde_json::Value;

use super::super::keywords::types;

/// A set of disjoint kinds of JSON values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Kinds(u8);

impl Kinds {
    pub(in super::super) const NULL: Self = Self(1);
    pub(in super::super) const BOOLEAN: Self = Self(2);
    /// Numbers without a fraction, in any notation.
    pub(in super::super) const WHOLE: Self = Self(4);
    /// Numbers with a fraction.
    pub(in super::super) const FRACTION: Self = Self(8);
    pub(in super::super) const NUMBER: Self = Self(4 | 8);
    pub(in super::super) const STRING: Self = Self(16);
    pub(in super::super) const ARRAY: Self = Self(32);
    pub(in super::super) const OBJECT: Self = Self(64);
    pub(in super::super) const ALL: Self = Self(127);

    /// The kinds a schema's `type` admits.
    pub(in super::super) fn declared(schema: &Value) -> Self {
        if schema.get("type").is_none() {
            return Self::ALL;
        }
        let one = |name: &str| match name {
            "null" => Self::NULL.0,
            "boolean" => Self::BOOLEAN.0,
            "integer" => Self::WHOLE.0,
            "number" => Self::NUMBER.0,
            "string" => Self::STRING.0,
            "array" => Self::ARRAY.0,
            "object" => Self::OBJECT.0,
            _ => 0,
        };
        Self(
            types(schema)
                .into_iter()
                .fold(0, |set, name| set | one(name)),
        )
    }

    pub(in super::super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(in super::super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(in super::super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(in super::super) fn intersects(self, other: Self) -> bool {
        !self.and(other).is_empty()
    }

    /// The single kinds of the set; the two kinds of numbers count as one where both are in it.
    pub(in super::super) fn each(self) -> impl Iterator<Item = Self> {
        let all = [
            Self::NULL,
            Self::BOOLEAN,
            Self::NUMBER,
            Self::STRING,
            Self::ARRAY,
            Self::OBJECT,
        ];
        all.into_iter()
            .map(move |kind| self.and(kind))
            .filter(|kind| !kind.is_empty())
    }

    /// The names of the kinds, for messages.
    pub(in super::super) fn describe(self) -> String {
        if self == Self::ALL {
            return "any type".to_owned();
        }
        let names: Vec<&str> = self
            .each()
            .map(|kind| match kind {
                Self::NULL => "null",
                Self::BOOLEAN => "boolean",
                Self::WHOLE => "integer",
                Self::STRING => "string",
                Self::ARRAY => "array",
                Self::OBJECT => "object",
                _ => "number",
            })
            .collect();
        names.join("|")
    }
}
