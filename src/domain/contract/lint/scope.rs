//! What the schemas around a schema already said about the same value.

use serde_json::Value;

use super::super::keywords::{Types, types};

/// The types a value can still have at one place of a schema; empty if nothing was said.
///
/// The rules are those of a validator in its strict mode: a keyword stands where a type for it is
/// declared, and a type where the schemas around it leave it possible.
#[derive(Clone, Default)]
pub(super) struct Scope<'a>(Vec<&'a str>);

impl<'a> Scope<'a> {
    /// The scope of a member name.
    pub(super) fn of_names() -> Self {
        Self(vec!["string"])
    }

    /// Narrows the scope by what `schema` declares itself.
    ///
    /// # Errors
    ///
    /// The declared types that the schemas around it rule out.
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
            // What both allow, in the narrower word.
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

    /// Whether a keyword that speaks of `kinds` has a value of its kind here.
    pub(super) fn has_one_of(&self, kinds: Types) -> bool {
        kinds.is_empty() || kinds.iter().any(|kind| self.0.contains(kind))
    }

    /// Whether nothing was said yet.
    pub(super) fn is_silent(&self) -> bool {
        self.0.is_empty()
    }

    /// For messages.
    pub(super) fn words(&self) -> String {
        self.0.join("|")
    }
}

/// Whether `names` admit `name`; every integer is a number.
fn includes(names: &[&str], name: &str) -> bool {
    names.contains(&name) || (name == "integer" && names.contains(&"number"))
}
