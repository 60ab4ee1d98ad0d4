//! A view of the model's own: its components, mended by their ids, and what keeps it from being shown.

use serde::Deserialize;
use serde_json::{Value, json};

use super::literal::literals;
use super::page::Page;
use crate::domain::contract::{bounded, error};
use crate::domain::view::{View, check, gaps};
use crate::wire::contract::Finding;

/// An answer of the model.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sheet {
    components: Vec<Value>,
}

/// The JSON Schema of an answer. What a component may hold is the catalog's: no provider holds a model
/// to a schema of that size.
pub(super) fn sheet_schema() -> Value {
    json!({
        "type": "object",
        "properties": {"components": {"type": "array", "items": {"type": "object"}}},
        "required": ["components"],
        "additionalProperties": false,
    })
}

/// A view of the model's own while it is mended.
pub(super) struct Canvas<'a> {
    page: &'a Page<'a>,
    /// What is shown without it.
    chosen: &'a View,
    components: Vec<Value>,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(page: &'a Page<'a>, chosen: &'a View) -> Self {
        Self {
            page,
            chosen,
            components: Vec::new(),
        }
    }

    /// The view with what an answer changes in it; none where the model wants none.
    ///
    /// # Errors
    ///
    /// Everything that keeps it from being shown.
    pub(super) fn take(&mut self, answer: &str) -> Result<Option<View>, Vec<Finding>> {
        let sheet: Sheet = serde_json::from_str(answer).map_err(|why| {
            let why = format!("is no list of components as the schema has it: {why}");
            vec![error("VIEW_SHAPE_INVALID", "", why)]
        })?;
        for (index, component) in sheet.components.into_iter().enumerate() {
            let Some(id) = component.get("id").and_then(Value::as_str) else {
                let path = format!("components[{index}]");
                let why = "must be an object with an id";
                return Err(vec![error("VIEW_SHAPE_INVALID", &path, why)]);
            };
            let mut known = self.components.iter_mut();
            match known.find(|known| known["id"] == *id) {
                Some(known) => *known = component,
                None => self.components.push(component),
            }
        }
        if self.components.is_empty() {
            return Ok(None);
        }
        let contract = self.page.contract;
        let mut found = literals(&self.components, self.page);
        match check(View::new(self.components.clone()).value(), contract) {
            Err(wrong) => found.extend(wrong),
            Ok(view) => {
                // What is left out for a reason is no gap.
                let hidden = gaps(self.chosen, contract);
                let gaps = gaps(&view, contract).into_iter();
                found.extend(gaps.filter(|gap| !hidden.contains(gap)));
                if found.is_empty() {
                    return Ok(Some(view));
                }
            }
        }
        Err(bounded(found))
    }
}
