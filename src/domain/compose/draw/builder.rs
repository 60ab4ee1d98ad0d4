//! Collects components and hands out their ids.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// The id of the component that is drawn first.
const ROOT: &str = "root";

/// The components of a view in the making.
pub(super) struct Builder {
    components: Vec<Value>,
    ids: BTreeSet<String>,
}

impl Builder {
    /// An empty view; the root's id is taken from the start.
    pub(super) fn new() -> Self {
        Self {
            components: Vec::new(),
            ids: BTreeSet::from([ROOT.to_owned()]),
        }
    }

    /// Adds a component and returns its id.
    pub(super) fn add(&mut self, hint: &str, component: &str, members: Value) -> String {
        let id = self.fresh(hint);
        self.insert(id.clone(), component, members);
        id
    }

    /// Adds the root.
    pub(super) fn add_root(&mut self, component: &str, members: Value) {
        self.insert(ROOT.to_owned(), component, members);
    }

    /// Frames a component.
    pub(super) fn card(&mut self, child: &str) -> String {
        self.add(&format!("{child}_card"), "Card", json!({"child": child}))
    }

    /// Puts components below each other; one alone needs no column.
    pub(super) fn column(&mut self, hint: &str, children: Vec<String>) -> Option<String> {
        self.group(hint, "Column", json!({}), children)
    }

    /// Puts components side by side; one alone needs no row.
    pub(super) fn row(&mut self, hint: &str, children: Vec<String>) -> Option<String> {
        self.group(hint, "Row", json!({"align": "stretch"}), children)
    }

    /// Puts controls on one line, as long as they fit.
    pub(super) fn line(&mut self, hint: &str, children: Vec<String>) -> Option<String> {
        self.group(hint, "Row", json!({"align": "end"}), children)
    }

    fn group(
        &mut self,
        hint: &str,
        component: &str,
        mut members: Value,
        mut children: Vec<String>,
    ) -> Option<String> {
        if children.len() <= 1 {
            return children.pop();
        }
        members["children"] = json!(children);
        Some(self.add(hint, component, members))
    }

    /// Gives a component its share of a row.
    pub(super) fn weigh(&mut self, id: &str, weight: u32) {
        if let Some(component) = self
            .components
            .iter_mut()
            .find(|component| component["id"] == id)
        {
            component["weight"] = json!(weight);
        }
    }

    /// The first part of the page, right below its heading, if it has a title.
    pub(super) fn first_part(&mut self) -> Option<&mut Map<String, Value>> {
        let cards = self.components.iter();
        let framed: BTreeSet<String> = cards
            .filter(|component| component["component"] == "Card")
            .filter_map(|card| card["child"].as_str())
            .map(str::to_owned)
            .collect();
        let mut content = self.components.iter_mut().filter(|component| {
            let is_framed = component["id"]
                .as_str()
                .is_some_and(|id| framed.contains(id));
            is_framed && component["component"] != "Form"
        });
        /// Parts that have a title of their own and are still told apart without it.
        const TITLED: &[&str] = &[
            "Article", "Board", "Calendar", "Cards", "Changes", "Chart", "Items", "Log", "Stepper",
            "Table", "Tasks", "Timeline", "Tree",
        ];
        let is_titled = |first: &&mut Value| {
            first["component"]
                .as_str()
                .is_some_and(|name| TITLED.contains(&name))
        };
        content.next().filter(is_titled)?.as_object_mut()
    }

    /// The components, root first.
    pub(super) fn finish(mut self) -> Vec<Value> {
        self.components
            .sort_by_key(|component| component["id"] != ROOT);
        self.components
    }

    fn insert(&mut self, id: String, component: &str, members: Value) {
        let mut all = Map::new();
        all.insert("id".to_owned(), Value::String(id));
        all.insert("component".to_owned(), Value::from(component));
        if let Value::Object(members) = members {
            all.extend(members.into_iter().filter(|(_, value)| !value.is_null()));
        }
        self.components.push(Value::Object(all));
    }

    fn fresh(&mut self, hint: &str) -> String {
        /// Room for a number behind the name, below the catalog's limit for ids.
        const HINT_CHARS_MAX: usize = 80;
        let clean: String = hint
            .chars()
            .take(HINT_CHARS_MAX)
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        let clean = if clean.is_empty() {
            "part".to_owned()
        } else {
            clean
        };
        let mut id = clean.clone();
        let mut number = 2;
        while !self.ids.insert(id.clone()) {
            id = format!("{clean}_{number}");
            number += 1;
        }
        id
    }
}

/// A binding to an absolute path.
pub(super) fn bind(path: &str) -> Value {
    json!({"path": path})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_safe_whatever_the_names_are() {
        let mut builder = Builder::new();
        builder.add_root("Column", json!({"children": []}));
        assert_eq!(builder.add("a/b", "Divider", json!({})), "a_b");
        assert_eq!(builder.add("a~b", "Divider", json!({})), "a_b_2");
        assert_eq!(builder.add("root", "Divider", json!({})), "root_2");
        assert_eq!(builder.finish()[0]["id"], "root");
    }
}
