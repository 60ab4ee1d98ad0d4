//! What an agreement is bound to: whoever differs in any of it has to be agreed to anew.

use serde::Serialize;
use serde_json::{Map, Value};

use super::pins::Definition;
use super::policy::{PolicyVersion, canonical_hash};
use crate::wire::ids::{AppId, SessionId};

/// How the names of the sessions begin in which people are asked.
const SESSION_PREFIX: &str = "approval-";
/// Digits of the hash in such a name: 128 bits, which nobody can meet by trying.
const HASH_DIGITS: usize = 32;

/// What an agreement is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Binding {
    /// The app of whoever calls.
    pub(crate) app: String,
    /// Whoever calls.
    pub(crate) caller: String,
    /// The id of the source.
    pub(crate) source: String,
    /// The tool, as its source names it.
    pub(crate) tool: String,
    /// Hash of what the tool says of itself, and of the name of its server.
    pub(crate) pin: String,
    /// Hash of the arguments, whatever the order of their members.
    pub(crate) arguments: String,
    /// The version of the rules.
    pub(crate) policy: PolicyVersion,
}

impl Binding {
    /// The binding of a call.
    pub(crate) fn of(
        (app, caller): (&AppId, &str),
        (source, tool): (&str, &str),
        definition: &Definition,
        arguments: &Map<String, Value>,
        policy: &PolicyVersion,
    ) -> Self {
        Self {
            app: app.to_string(),
            caller: caller.to_owned(),
            source: source.to_owned(),
            tool: tool.to_owned(),
            pin: canonical_hash(definition),
            arguments: canonical_hash(arguments),
            policy: policy.clone(),
        }
    }

    /// How the names of the sessions begin in which people are asked about exactly this: with it
    /// they are found again after a restart, and by other nodes.
    pub(crate) fn prefix(&self) -> String {
        prefix_of(self)
    }

    /// What a caller is told of the session: it opens nothing.
    pub(crate) fn handle(session: &SessionId) -> String {
        let last = session.as_str().rsplit('-').next().unwrap_or_default();
        format!("tg_{last}")
    }
}

/// How the names of the sessions begin in which people are asked about something.
pub(super) fn prefix_of(subject: &impl Serialize) -> String {
    let hash = canonical_hash(subject);
    let digits = hash.get(..HASH_DIGITS).unwrap_or_default();
    format!("{SESSION_PREFIX}{digits}-")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn whatever_differs_in_a_call_makes_another_binding_and_an_order_does_not() {
        let arguments = |value: Value| match value {
            Value::Object(arguments) => arguments,
            other => panic!("{other}"),
        };
        let given = arguments(json!({"a": 1, "b": {"c": 2, "d": 3}}));
        let tool = arguments(json!({"name": "t", "description": "d"}));
        let changed = arguments(json!({"name": "t", "description": "e"}));
        let of = |app: &str,
                  caller,
                  source,
                  name,
                  tool: &Map<_, _>,
                  server,
                  given: &Map<_, _>,
                  policy| {
            Binding::of(
                (&AppId::from(app), caller),
                (source, name),
                &Definition::of(Some(server), tool),
                given,
                &PolicyVersion::of(&policy, &[]),
            )
            .prefix()
        };
        let rules = json!({"governance": 1});
        let first = of("a", "k", "s", "t", &tool, "v", &given, rules.clone());
        let turned = arguments(json!({"b": {"d": 3, "c": 2}, "a": 1}));
        assert_eq!(
            first,
            of("a", "k", "s", "t", &tool, "v", &turned, rules.clone())
        );
        let other = arguments(json!({"a": 1, "b": {"c": 2, "d": "3"}}));
        for differs in [
            of("b", "k", "s", "t", &tool, "v", &given, rules.clone()),
            of("a", "l", "s", "t", &tool, "v", &given, rules.clone()),
            of("a", "k", "r", "t", &tool, "v", &given, rules.clone()),
            of("a", "k", "s", "u", &tool, "v", &given, rules.clone()),
            of("a", "k", "s", "t", &changed, "v", &given, rules.clone()),
            of("a", "k", "s", "t", &tool, "w", &given, rules.clone()),
            of("a", "k", "s", "t", &tool, "v", &other, rules),
            of(
                "a",
                "k",
                "s",
                "t",
                &tool,
                "v",
                &given,
                json!({"governance": 2}),
            ),
        ] {
            assert_ne!(differs, first);
        }
    }
}
