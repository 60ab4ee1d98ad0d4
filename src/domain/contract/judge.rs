//! Validates what arrives: props, actions, channel payloads and slot values.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::compiled::CompiledContract;
use super::found::Found;
use super::violations::{joined, quoted_text, synthetic, type_name};
use crate::wire::contract::Violation;

impl CompiledContract {
    /// Validates props against the enforced schema.
    ///
    /// # Errors
    ///
    /// Every violation; paths start at the prop, or at `props` for the whole value.
    pub(crate) fn check_props(&self, props: &Value) -> Result<(), Vec<Violation>> {
        self.props
            .checker
            .check(props, "")
            .map_err(|mut violations| {
                for violation in violations.iter_mut().filter(|v| v.field.is_empty()) {
                    "props".clone_into(&mut violation.field);
                }
                violations
            })
    }

    /// Whether the contract has an action an agent can wait for.
    pub(crate) fn has_actions(&self) -> bool {
        let actions = self.contract.action_spec.as_ref();
        actions.is_some_and(|actions| !actions.is_empty())
    }

    /// Validates one action `{action, data, …}` (live-channel.md §6.2).
    ///
    /// # Errors
    ///
    /// One violation without a keyword for a malformed or undeclared action, otherwise every
    /// violation of its data, below `<action>.data`.
    pub(crate) fn check_action(&self, value: &Value) -> Result<(), Vec<Violation>> {
        let Some(spec) = &self.contract.action_spec else {
            return Ok(());
        };
        let Value::Object(gesture) = value else {
            let message = "Action payload must be an object with an `action` field";
            return Err(vec![violation(
                "value",
                message,
                "object",
                type_name(value),
            )]);
        };
        let action = match gesture.get("action") {
            Some(Value::String(action)) if !action.is_empty() => action,
            other => {
                let message = "Missing or empty `action` identifier";
                let received = match other {
                    Some(Value::String(_)) => "empty string",
                    Some(other) => type_name(other),
                    None => "undefined",
                };
                return Err(vec![violation(
                    "action",
                    message,
                    "non-empty string",
                    received,
                )]);
            }
        };
        let Some(checker) = self.actions.get(action) else {
            let action = quoted_text(action);
            let message = format!(
                "Unknown action '{action}'. Declared actions: {}",
                list(spec, ", ")
            );
            return Err(vec![violation(
                "action",
                message,
                list(spec, " | "),
                action,
            )]);
        };
        let Some(checker) = checker else {
            return Ok(());
        };
        let field = format!("{action}.data");
        match gesture.get("data") {
            Some(data) => checker.check(data, &field),
            None => checker
                .check(&Value::Null, &field)
                .map_err(|mut violations| {
                    for violation in violations.iter_mut().filter(|v| v.field == field) {
                        if violation.received.as_deref() == Some("null") {
                            violation.received = Some("undefined".to_owned());
                        }
                    }
                    violations
                }),
        }
    }

    /// The names of the channels, in declared order.
    pub(crate) fn channels(&self) -> impl Iterator<Item = &str> {
        self.channels.keys().map(String::as_str)
    }

    /// Validates one payload of a channel.
    ///
    /// # Errors
    ///
    /// Every violation, below `<channel>.payload`; one on `channel` if it is not declared.
    pub(crate) fn check_emit(&self, channel: &str, payload: &Value) -> Result<(), Vec<Violation>> {
        match self.channels.get(channel) {
            Some(checker) => checker.check(payload, &format!("{channel}.payload")),
            None => {
                let names = list(&self.channels, ", ");
                let channel = quoted_text(channel);
                let message = format!("Unknown channel '{channel}'. Declared channels: {names}");
                let expected = list(&self.channels, " | ");
                Err(vec![violation("channel", message, expected, channel)])
            }
        }
    }

    /// Validates the context slot values a mount reports.
    ///
    /// # Errors
    ///
    /// Every violation, below `<slot>.value`, and one for each slot that is not declared.
    pub(crate) fn check_context(
        &self,
        snapshot: &Map<String, Value>,
    ) -> Result<(), Vec<Violation>> {
        let mut found = Found::default();
        for (slot, value) in snapshot {
            match self.slots.get(slot) {
                Some(checker) => {
                    let of_slot = checker.check(value, &format!("{slot}.value")).err();
                    for violation in of_slot.into_iter().flatten() {
                        found.keep(|| violation);
                    }
                }
                None => found.keep(|| {
                    let slot = quoted_text(slot);
                    let names = list(&self.slots, ", ");
                    let message = format!("Unknown slot '{slot}'. Declared slots: {names}");
                    let expected = list(&self.slots, " | ");
                    violation(&slot, message, expected, slot.as_str())
                }),
            }
        }
        if found.violations.is_empty() {
            Ok(())
        } else {
            Err(found.violations)
        }
    }
}

fn violation(
    field: &str,
    message: impl Into<String>,
    expected: impl Into<String>,
    received: impl Into<String>,
) -> Violation {
    Violation {
        expected: Some(expected.into()),
        received: Some(received.into()),
        ..synthetic(field, message)
    }
}

fn list<T>(names: &IndexMap<String, T>, separator: &str) -> String {
    match names.is_empty() {
        true => "(none)".to_owned(),
        false => joined(names.keys(), separator),
    }
}

#[cfg(test)]
mod tests {
    use super::super::limits::ContractLimits;
    use super::super::samples;
    use super::super::violations::violation_text;
    use super::*;
    use serde_json::json;

    #[test]
    fn props_that_break_the_contract_are_listed_line_by_line() {
        let contract = samples::compiled(&samples::basket());
        let props = json!({"items":[{"sku":"A1","title":"Mug","qty":"2","unitPrice":1}],"currency":"CHF","extra":1});
        let violations = contract.check_props(&props).unwrap_err();
        assert_eq!(
            violation_text("ggui_render", &violations),
            "Contract violation in ggui_render:\n\
             - items[0].qty: must be integer (expected: integer, got: string)\n\
             - currency: must be equal to one of the allowed values (expected: \"EUR\"|\"USD\"|\"GBP\", got: \"CHF\")\n\
             - extra: Undeclared field 'extra'. Declared keys: [currency, items, note]. (expected: <declared key>, got: number)"
        );
        let whole = contract.check_props(&json!([])).unwrap_err();
        assert_eq!(
            (whole[0].field.as_str(), whole[0].message.as_str()),
            ("props", "must be object")
        );
    }

    #[test]
    fn an_action_is_validated_step_by_step() {
        let contract = samples::compiled(&samples::basket());
        let first = |value: Value| contract.check_action(&value).unwrap_err().remove(0);
        assert_eq!(first(json!("x")).field, "value");
        assert_eq!(first(json!({})).field, "action");
        assert_eq!(
            first(json!({"action":""})).message,
            "Missing or empty `action` identifier"
        );
        let unknown = first(json!({"action":"nope"}));
        assert_eq!(
            unknown.message,
            "Unknown action 'nope'. Declared actions: setQuantity, checkout"
        );
        assert_eq!(unknown.expected.as_deref(), Some("setQuantity | checkout"));
        assert_eq!(
            (unknown.received.as_deref(), unknown.keyword),
            (Some("nope"), None)
        );
        let typed = first(json!({"action":"setQuantity","data":{"sku":1,"qty":1}}));
        assert_eq!(typed.field, "setQuantity.data.sku");
        assert_eq!(typed.keyword.as_deref(), Some("type"));
        let absent = first(json!({"action":"setQuantity"}));
        assert_eq!(
            (absent.field.as_str(), absent.received.as_deref()),
            ("setQuantity.data", Some("undefined"))
        );
        assert_eq!(
            contract.check_action(&json!({"action":"checkout","data":{"any":1}})),
            Ok(())
        );
        assert_eq!(
            samples::compiled(&json!({})).check_action(&json!({"action":"x"})),
            Ok(())
        );
    }

    #[test]
    fn violations_of_payloads_and_slots_name_the_channel_or_the_slot() {
        let contract = samples::compiled(&samples::build_log());
        let wrong = contract
            .check_emit("progress", &json!({"percent":"9"}))
            .unwrap_err();
        assert_eq!(wrong[0].field, "progress.payload.percent");
        assert_eq!(
            contract.check_emit("nope", &json!(1)).unwrap_err()[0].field,
            "channel"
        );
        assert_eq!(contract.channels().collect::<Vec<_>>(), ["log", "progress"]);
        let report = samples::compiled(&samples::field_report());
        assert_eq!(report.context_default("location"), json!({"lat":0,"lng":0}));
        assert_eq!(report.context_name("location"), "LocationContext");
        assert_eq!(report.context_default("nope"), Value::Null);
    }

    #[test]
    fn local_references_in_props_work_and_recursive_ones_are_refused_at_the_gate() {
        let money = json!({"type":"object","properties":{"price":{"$ref":"#/definitions/m"}},"definitions":{"m":{"type":"number"}}});
        let contract =
            samples::compiled(&json!({"propsSpec":{"properties":{"line":{"schema":money}}}}));
        assert!(contract.check_props(&json!({"line":{"price":1}})).is_ok());
        assert!(
            contract
                .check_props(&json!({"line":{"price":"1"}}))
                .is_err()
        );
        let tree = json!({"type":"object","properties":{"next":{"$ref":"#/properties/next"}}});
        let draft = json!({"propsSpec":{"properties":{"tree":{"schema":tree}}}});
        assert!(CompiledContract::compile(&draft, &ContractLimits::default()).is_err());
    }

    #[test]
    fn a_validation_that_would_take_too_long_is_refused_before_it_starts() {
        let chain = samples::doubling_chain();
        let draft = json!({"propsSpec":{"properties":{"x":{"schema":chain}}}});
        assert!(CompiledContract::compile(&draft, &ContractLimits::default()).is_err());
        // Nine doublings stay within the limits; validating a few values against them is
        // affordable.
        let mut nested = json!({"type":"string"});
        for _ in 0..9 {
            nested = json!({"anyOf":[nested, nested]});
        }
        let list = json!({"type":"array","items":nested});
        let draft = json!({"propsSpec":{"properties":{"x":{"schema":list}}}});
        let contract = samples::compiled(&draft);
        let refused = |count: u32| {
            let values: Value = (0..count).map(Value::from).collect();
            contract.check_props(&json!({"x":values})).unwrap_err()
        };
        assert!(refused(200)[0].message.contains("anyOf"));
        assert!(refused(50_000)[0].message.contains("too large"));
    }
}
