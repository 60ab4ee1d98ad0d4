//! Resolves local references, so that nothing after the gate has to know them.

use serde_json::{Map, Value};

use super::keywords::{Step, children, holds_schemas, try_rewrite};
use super::limits::ContractLimits;

/// A schema without references, and its size.
pub(super) struct Expanded {
    pub(super) schema: Value,
    /// How many schemas it consists of.
    pub(super) subschemas: usize,
    /// Bytes of JSON that resolving references added; 0 without references.
    pub(super) bytes: usize,
}

/// Replaces every `$ref` in `schema` by its target.
///
/// The limits stop definitions that double each other while they grow, so the work is bounded for
/// any draft.
///
/// # Errors
///
/// A message if a target is missing, a reference reaches itself, or a limit is exceeded.
pub(super) fn expand(schema: &Value, limits: &ContractLimits) -> Result<Expanded, String> {
    let mut expansion = Expansion {
        root: schema,
        limits,
        has_refs: contains_ref(schema),
        open: Vec::new(),
        subschemas: 0,
        bytes: 0,
    };
    let schema = expansion.node(schema, 0)?;
    Ok(Expanded {
        schema,
        subschemas: expansion.subschemas,
        bytes: expansion.bytes,
    })
}

fn contains_ref(schema: &Value) -> bool {
    schema.as_object().is_some_and(|node| {
        node.contains_key("$ref")
            || children(node)
                .iter()
                .any(|child| contains_ref(child.schema))
    })
}

struct Expansion<'a> {
    root: &'a Value,
    limits: &'a ContractLimits,
    has_refs: bool,
    /// The references that are being resolved right now.
    open: Vec<&'a str>,
    subschemas: usize,
    bytes: usize,
}

impl<'a> Expansion<'a> {
    fn node(&mut self, schema: &'a Value, depth: usize) -> Result<Value, String> {
        let Value::Object(node) = schema else {
            return Ok(schema.clone());
        };
        if depth > self.limits.schema_depth_max {
            let max = self.limits.schema_depth_max;
            return Err(format!(
                "with references written out, schemas nest deeper than {max}"
            ));
        }
        if let Some(Value::String(pointer)) = node.get("$ref") {
            return self.reference(node, pointer, depth);
        }
        self.charge(node)?;
        let definitions = if self.has_refs {
            Step::Drop
        } else {
            Step::Keep
        };
        let step = |name: &str| match name {
            // Definitions are copied to where they are used, and stay unresolved where they are.
            "definitions" | "$defs" => definitions,
            _ => Step::Rewrite,
        };
        try_rewrite(node, step, |_, child| self.node(child, depth + 1)).map(Value::Object)
    }

    fn reference(
        &mut self,
        node: &'a Map<String, Value>,
        pointer: &'a str,
        depth: usize,
    ) -> Result<Value, String> {
        if self.open.contains(&pointer) {
            return Err(format!(
                "\"$ref\": \"{pointer}\" reaches itself; recursion is not supported"
            ));
        }
        let target = pointer
            .strip_prefix('#')
            .and_then(|pointer| self.root.pointer(pointer))
            .filter(|target| target.is_object())
            .ok_or_else(|| format!("\"$ref\": \"{pointer}\" points to no schema"))?;
        self.open.push(pointer);
        let expanded = self.node(target, depth + 1);
        self.open.pop();
        let mut expanded = expanded?;
        if let Value::Object(expanded) = &mut expanded {
            // Descriptive keywords beside the reference describe this use, so they replace the
            // target's.
            for name in ["description", "title", "default", "example", "examples"] {
                if let Some(own) = node.get(name) {
                    expanded.insert(name.to_owned(), own.clone());
                }
            }
        }
        Ok(expanded)
    }

    /// Counts one schema against the limits: itself, and its JSON without its subschemas.
    fn charge(&mut self, node: &Map<String, Value>) -> Result<(), String> {
        self.subschemas += 1;
        if self.subschemas > self.limits.subschemas_max {
            let max = self.limits.subschemas_max;
            return Err(format!(
                "with references written out, the schema has more than {max} subschemas"
            ));
        }
        if self.has_refs {
            let own = node.iter().filter(|(name, _)| !holds_schemas(name));
            self.bytes += own
                .map(|(name, value)| name.len() + value.to_string().len())
                .sum::<usize>();
        }
        if self.bytes > self.limits.schema_bytes_max {
            let max = self.limits.schema_bytes_max;
            return Err(format!(
                "with references written out, the schema is more than {max} bytes"
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use serde_json::json;

    fn expanded(schema: Value) -> Result<Value, String> {
        expand(&schema, &ContractLimits::default()).map(|expanded| expanded.schema)
    }

    #[test]
    fn a_local_reference_is_written_out_where_it_is_used() {
        let schema = json!({"type":"object","properties":{
            "from":{"$ref":"#/definitions/day","description":"first"},
            "$ref":{"type":"string"}},
            "definitions":{"day":{"type":"string","format":"date","description":"a day"}}});
        assert_eq!(
            expanded(schema).unwrap(),
            json!({"type":"object","properties":{
                "from":{"type":"string","format":"date","description":"first"},
                "$ref":{"type":"string"}}})
        );
    }

    #[test]
    fn definitions_that_nobody_uses_stay_where_they_are() {
        let schema = json!({"type":"string","definitions":{"x":{"type":"number"}}});
        assert_eq!(expanded(schema.clone()).unwrap(), schema);
    }

    #[test]
    fn missing_and_circular_references_are_reported() {
        let missing = json!({"$ref":"#/definitions/nope"});
        assert!(
            expanded(missing)
                .unwrap_err()
                .contains("points to no schema")
        );
        let circle = json!({"$ref":"#/definitions/a","definitions":{
            "a":{"type":"object","properties":{"next":{"$ref":"#/definitions/a"}}}}});
        assert!(expanded(circle).unwrap_err().contains("reaches itself"));
    }

    #[test]
    fn a_doubling_chain_of_definitions_is_refused_at_once() {
        assert!(expanded(samples::doubling_chain()).is_err());
    }
}
