//! A view as it is stored and sent: the component list with its version and catalog.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::catalog::CATALOG_ID;
use crate::domain::document::{Document, DocumentHash};

/// The A2UI version of every view.
pub(super) const VERSION: &str = "v0.9";

/// One picture of a contract; values flow through its bindings, so it never changes with them.
///
/// It is kept as its value, and trusted when it is read: it was checked before it was kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Value", into = "Value")]
pub(crate) struct View {
    value: Arc<Value>,
    json: Arc<str>,
    document: DocumentHash,
}

impl From<Value> for View {
    fn from(value: Value) -> Self {
        Self::from_value(value)
    }
}

impl From<View> for Value {
    fn from(view: View) -> Self {
        Self::clone(&view.value)
    }
}

impl View {
    /// Wraps a component list; the component with id `root` is the root.
    pub(crate) fn new(components: Vec<Value>) -> Self {
        Self::from_value(json!({
            "version": VERSION,
            "catalogId": CATALOG_ID,
            "view": {"components": components},
        }))
    }

    /// Takes the stored form as it is; [`super::check`] is what makes it trustworthy.
    pub(crate) fn from_value(value: Value) -> Self {
        let json: Arc<str> = value.to_string().into();
        Self {
            document: DocumentHash::of(&json),
            value: Arc::new(value),
            json,
        }
    }

    /// The stored form as text.
    pub(crate) fn to_json(&self) -> Arc<str> {
        Arc::clone(&self.json)
    }

    /// What is stored of it.
    pub(crate) fn document(&self) -> Document {
        Document {
            hash: self.document,
            value: Arc::clone(&self.value),
        }
    }

    /// The stored form.
    pub(crate) fn value(&self) -> &Arc<Value> {
        &self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_is_stored_with_its_version_and_catalog() {
        let view = View::new(vec![json!({"id":"root","component":"Divider"})]);
        assert_eq!(
            &*view.to_json(),
            r#"{"version":"v0.9","catalogId":"urn:proscenium:catalog:v1","view":{"components":[{"id":"root","component":"Divider"}]}}"#
        );
        let parsed = serde_json::from_str(&view.to_json()).unwrap();
        assert_eq!(View::from_value(parsed), view);
    }
}
