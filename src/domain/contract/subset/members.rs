//! Compares the items of arrays and the members of objects.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::super::compare::count;
use super::comparison::Comparison;
use super::lengths::{lengths, members};
use super::misfit::{Misfit, Reason, join, misfit};
use super::piece::{Piece, names};

impl Comparison {
    pub(super) fn array(
        &mut self,
        piece: &Piece<'_>,
        node: &Map<String, Value>,
        path: &str,
        found: &mut Vec<Misfit>,
    ) {
        lengths(piece, node, ("minItems", "maxItems"), path, found);
        self.same(piece, node, &["contains"], path, found);
        if node.get("uniqueItems") == Some(&Value::Bool(true)) {
            self.same(piece, node, &["uniqueItems"], path, found);
        }
        let Some(wanted) = node.get("items") else {
            return;
        };
        let is_empty =
            |(_, own): &(&Value, &Map<String, Value>)| count(own, "maxItems") == Some(0.0);
        if piece.nodes.iter().any(is_empty) {
            return;
        }
        let own: Vec<&Value> = piece.all("items").collect();
        let at = join(path, "items");
        if own.is_empty() {
            let mut trial = Vec::new();
            self.fit(&[], wanted, &at, &mut trial);
            if !trial.is_empty() {
                let message = "items are not described here, and not all are accepted";
                found.push(misfit(path, Reason::ItemsMismatch, message));
            }
        } else {
            self.fit(&own, wanted, &at, found);
        }
    }

    pub(super) fn object(
        &mut self,
        piece: &Piece<'_>,
        node: &Map<String, Value>,
        path: &str,
        found: &mut Vec<Misfit>,
    ) {
        let required: BTreeSet<&str> = piece.all("required").flat_map(names).collect();
        for name in node.get("required").into_iter().flat_map(names) {
            if !required.contains(name) {
                let message = format!("\"{name}\" is required and may be left out here");
                let at = join(path, &format!("properties.{name}"));
                found.push(misfit(&at, Reason::MissingRequired, message));
            }
        }
        self.same(piece, node, &["dependencies"], path, found);
        self.same(piece, node, &["propertyNames"], path, found);
        members(piece, node, required.len(), path, found);
        if node.contains_key("patternProperties") {
            let group = ["properties", "patternProperties", "additionalProperties"];
            return self.same(piece, node, &group, path, found);
        }
        self.properties(piece, node, path, found);
    }

    fn properties(
        &mut self,
        piece: &Piece<'_>,
        node: &Map<String, Value>,
        path: &str,
        found: &mut Vec<Misfit>,
    ) {
        let declared = node.get("properties").and_then(Value::as_object);
        let rest = node
            .get("additionalProperties")
            .unwrap_or(&Value::Bool(true));
        let own: BTreeSet<&str> = piece
            .all("properties")
            .filter_map(Value::as_object)
            .flat_map(|map| map.keys().map(String::as_str))
            .collect();
        for name in &own {
            let schemas = piece.property(name);
            if schemas.contains(&&Value::Bool(false)) {
                continue;
            }
            let at = join(path, &format!("properties.{name}"));
            match declared.and_then(|declared| declared.get(*name)) {
                Some(wanted) => self.fit(&schemas, wanted, &at, found),
                None if *rest == Value::Bool(false) => {
                    let message = format!("\"{name}\" is not accepted");
                    found.push(misfit(&at, Reason::ExtraProperty, message));
                }
                None => self.fit(&schemas, rest, &at, found),
            }
        }
        // The schemas of undeclared members.
        let extra = piece.extra();
        if extra.contains(&&Value::Bool(false)) {
            return;
        }
        for (name, wanted) in declared.into_iter().flatten() {
            if own.contains(name.as_str()) {
                continue;
            }
            let at = join(path, &format!("properties.{name}"));
            self.widens(&extra, wanted, &at, &format!("\"{name}\""), found);
        }
        self.widens(&extra, rest, path, "undeclared members", found);
    }

    fn widens(
        &mut self,
        extra: &[&Value],
        wanted: &Value,
        path: &str,
        what: &str,
        found: &mut Vec<Misfit>,
    ) {
        let mut trial = Vec::new();
        self.fit(extra, wanted, path, &mut trial);
        if !trial.is_empty() {
            let message = format!(
                "{what} may hold more here than is accepted; say \"additionalProperties\": false"
            );
            found.push(misfit(path, Reason::AdditionalPropertiesWidens, message));
        }
    }
}
