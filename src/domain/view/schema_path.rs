//! What a pointer into the data model leads to, as far as the contract says.

use serde_json::Value;

use crate::domain::contract::CompiledContract;
use crate::wire::contract::StreamMode;

/// The kind of value at one place of the data model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shape<'a> {
    /// Anything: the contract leaves it open.
    Any,
    /// A list of values of one schema.
    ListOf(&'a Value),
    /// A value of one schema.
    Of(&'a Value),
}

impl<'a> Shape<'a> {
    /// The shape of one member or item; `None` if there cannot be one.
    pub(super) fn member(self, name: &str) -> Option<Shape<'a>> {
        let schema = match self {
            Shape::Any => return Some(Shape::Any),
            Shape::ListOf(items) => return is_index(name).then_some(Shape::Of(items)),
            Shape::Of(schema) => schema,
        };
        if let Some(property) = schema.get("properties").and_then(|all| all.get(name)) {
            return Some(Shape::Of(property));
        }
        match schema.get("additionalProperties") {
            Some(Value::Bool(true)) => return Some(Shape::Any),
            Some(open @ Value::Object(_)) => return Some(Shape::Of(open)),
            _ => {}
        }
        if has_type(schema, "array") {
            return is_index(name).then(|| self.item());
        }
        let is_open = |keyword: &&str| schema.get(keyword).is_some();
        const OPEN: [&str; 5] = ["allOf", "anyOf", "if", "oneOf", "patternProperties"];
        if OPEN.iter().any(is_open)
            || (schema.get("type").is_none() && schema.get("properties").is_none())
        {
            return Some(Shape::Any);
        }
        None
    }

    /// The shape of the records in it: of its items if it is a list, else its own.
    pub(super) fn record(self) -> Shape<'a> {
        match self {
            Shape::Of(schema) if schema.get("items").is_none() => self,
            _ => self.item(),
        }
    }

    /// The shape of the items, for templates and tables.
    pub(super) fn item(self) -> Shape<'a> {
        match self {
            Shape::ListOf(items) => Shape::Of(items),
            // A map holds one record under each of its keys.
            Shape::Of(schema) => ["items", "additionalProperties"]
                .iter()
                .find_map(|inner| schema.get(*inner).filter(|inner| inner.is_object()))
                .map_or(Shape::Any, Shape::Of),
            Shape::Any => Shape::Any,
        }
    }

    /// The shape of the items of an array inside another one; anything else is itself.
    pub(super) fn flat(self) -> Shape<'a> {
        match self {
            Shape::Of(schema) if schema.get("items").is_some() => self.item(),
            other => other,
        }
    }
}

fn is_index(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

fn has_type(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(many)) => many.iter().any(|one| one == name),
        _ => false,
    }
}

/// Whether an absolute pointer leads to what the person types or chooses.
pub(super) fn is_typed(pointer: &str) -> bool {
    let area = pointer
        .strip_prefix('/')
        .unwrap_or_default()
        .split('/')
        .next();
    area.is_some_and(|area| matches!(unescaped(area).as_str(), "context" | "ui"))
}

/// Follows an absolute pointer into the data model of `contract`.
///
/// # Errors
///
/// What is missing, as a sentence.
pub(super) fn resolve<'a>(
    pointer: &str,
    contract: &'a CompiledContract,
) -> Result<Shape<'a>, String> {
    let tokens = tokens(pointer).ok_or_else(|| format!("\"{pointer}\" is not a JSON Pointer"))?;
    let mut tokens = tokens.iter().map(String::as_str);
    let area = tokens.next().unwrap_or("");
    let name = tokens.next();
    let missing = |kind: &str, name: &str| format!("\"{pointer}\": there is no {kind} \"{name}\"");
    let spec = contract.contract();
    let shape = match (area, name) {
        ("ui", _) => return Ok(Shape::Any),
        ("props" | "streams" | "complete" | "context", None) => return Ok(Shape::Any),
        ("props", Some(name)) => {
            let props = spec.props_spec.as_ref();
            props
                .filter(|props| props.properties.contains_key(name))
                .ok_or_else(|| missing("prop", name))?;
            Shape::Of(contract.prop_schema(name))
        }
        ("streams" | "complete", Some(name)) => {
            let streams = spec.stream_spec.as_ref();
            let stream = streams
                .and_then(|streams| streams.get(name))
                .ok_or_else(|| missing("channel", name))?;
            let schema = contract.channel_schema(name);
            match (area, stream.mode.unwrap_or_default()) {
                ("complete", _) => Shape::Any,
                (_, StreamMode::Append) => Shape::ListOf(schema),
                (_, StreamMode::Replace) => Shape::Of(schema),
            }
        }
        ("context", Some(name)) => {
            let slots = spec.context_spec.as_ref();
            slots
                .filter(|slots| slots.contains_key(name))
                .ok_or_else(|| missing("slot", name))?;
            Shape::Of(contract.slot_schema(name))
        }
        _ => {
            return Err(format!(
                "\"{pointer}\" is outside /props, /streams, /complete, /context and /ui"
            ));
        }
    };
    follow(shape, tokens).map_err(|name| missing("member", &name))
}

/// Follows a relative path from `shape`.
///
/// # Errors
///
/// The first member that cannot exist.
pub(super) fn follow<'a, 'b>(
    mut shape: Shape<'a>,
    tokens: impl Iterator<Item = &'b str>,
) -> Result<Shape<'a>, String> {
    for token in tokens {
        shape = shape.member(token).ok_or_else(|| token.to_owned())?;
    }
    Ok(shape)
}

/// The parts of an absolute JSON Pointer, unescaped.
pub(super) fn tokens(pointer: &str) -> Option<Vec<String>> {
    let rest = pointer.strip_prefix('/')?;
    Some(rest.split('/').map(unescaped).collect())
}

/// One pointer token without its escapes.
pub(super) fn unescaped(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::contract::{ContractLimits, samples};

    #[test]
    fn pointers_lead_where_the_contract_says_and_nowhere_else() {
        let limits = ContractLimits::default();
        let basket = CompiledContract::compile(&samples::basket(), &limits)
            .unwrap()
            .contract;
        for good in [
            "/props/items",
            "/props/items/0/sku",
            "/context/coupon",
            "/ui/anything",
        ] {
            assert!(resolve(good, &basket).is_ok(), "{good}");
        }
        for bad in [
            "/props/nope",
            "/props/items/0/nope",
            "/props/currency/x",
            "/streams/x",
            "/data",
            "x",
        ] {
            assert!(resolve(bad, &basket).is_err(), "{bad}");
        }
        let log = CompiledContract::compile(&samples::build_log(), &limits)
            .unwrap()
            .contract;
        for good in [
            "/streams/log/0/line",
            "/streams/progress/percent",
            "/complete/log",
        ] {
            assert!(resolve(good, &log).is_ok(), "{good}");
        }
        assert!(resolve("/streams/log/line", &log).is_err());
    }
}
