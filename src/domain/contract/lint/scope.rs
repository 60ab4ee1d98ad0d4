//! The types that the surrounding schemas leave possible for a value.

use serde_json::Value;

use super::super::keywords::{Types, types};

/// The types a value can still have at one place of a schema; empty if no schema declared one.
///
/// The rules are those of a validator in strict mode: a keyword needs a declared type it applies
/// to, and a type has to be possible under the schemas around it.
#[derive(Clone, Default)]
pub(super) struct Scope<'a>(Vec<&'a str>);

impl<'a> Scope<'a> {
    /// The scope of a member's name.
    pub(super) fn of_names() -> Self {
        Self(vec!["string"])
    }

    /// Narrows the scope to the types that `schema` declares.
    ///
    /// # Errors
    ///
    /// The declared types that the surrounding schemas exclude.
    pub(super) fn narrow(&mut self, schema: &'a Value) -> Result<(), String> {
        let declared = types(schema);
        if declared.is_empty() {
            return Ok(());
        }
        let around = std::mem::take(&mut self.0);
        let impossible: Vec<&str> = declared
            .iter()
            .copied()
            .filter(|name| !around.is_empty() && !includes(&around, name))
            .collect();
        if around.is_empty() || !impossible.is_empty() {
            self.0 = declared;
        } else {
            // The types that both allow, with the narrower of `number` and `integer`.
            self.0 = around
                .into_iter()
                .filter(|name| includes(&declared, name))
                .collect();
            let narrower = declared.into_iter().filter(|name| *name == "integer");
            let narrower: Vec<_> = narrower.filter(|name| !self.0.contains(name)).collect();
            self.0.extend(narrower);
        }
        if impossible.is_empty() {
            Ok(())
        } else {
            Err(impossible.join("|"))
        }
    }

    /// Whether a value here can be of a type the keyword applies to.
    pub(super) fn has_one_of(&self, kinds: Types) -> bool {
        kinds.is_empty() || kinds.iter().any(|kind| self.0.contains(kind))
    }

    /// Whether no type was declared yet.
    pub(super) fn is_untyped(&self) -> bool {
        self.0.is_empty()
    }

    /// The types, for messages.
    pub(super) fn describe(&self) -> String {
        self.0.join("|")
    }
}

/// Whether `names` include `name`; every integer is a number.
fn includes(names: &[&str], name: &str) -> bool {
    names.contains(&name) || (name == "integer" && names.contains(&"number"))
}
