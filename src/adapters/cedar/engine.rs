//! Asks policies: builds what they read of a caller, a tool and a moment, and understands the answer.

use std::collections::HashSet;

use cedar_policy::{
    AuthorizationError, Authorizer, Context, Effect, Entities, Entity, EntityId, EntityTypeName,
    EntityUid, PolicyId, Request, Response, RestrictedExpression,
};

use super::loaded::{Loaded, Words};
use super::projection::{Unprojected, project};
use crate::domain::clock::Time;
use crate::domain::gate::{Asked, Decision, Policies, Use};
use crate::domain::principal::Principal;

/// Seconds of a day, and of an hour.
const DAY_S: u64 = 86_400;
const HOUR_S: u64 = 3_600;
/// The day of the week on which 1970 began, counted from Sunday.
const THURSDAY: u64 = 4;

/// Policies in Cedar.
pub(crate) struct CedarPolicies {
    authorizer: Authorizer,
    policies: Loaded,
    app: EntityTypeName,
    role: EntityTypeName,
    call: Kind,
    method: Kind,
}

/// A kind of things that are used, and the action that uses them.
struct Kind {
    resource: EntityTypeName,
    action: EntityUid,
}

/// What keeps policies from being asked.
#[derive(Debug, thiserror::Error)]
enum Unasked {
    #[error(transparent)]
    Arguments(#[from] Unprojected),
    /// Boxed, because it is large and rare.
    #[error("what they read cannot be built: {0}")]
    Unbuilt(Box<dyn std::error::Error>),
}

impl Unasked {
    fn unbuilt(error: impl std::error::Error + 'static) -> Self {
        Self::Unbuilt(Box::new(error))
    }
}

impl CedarPolicies {
    pub(super) fn new(policies: Loaded) -> Result<Self, String> {
        let name = |name: &str| {
            let name = format!("ThoughtGate::{name}").parse();
            name.map_err(|error: cedar_policy::ParseErrors| error.to_string())
        };
        let kind = |resource: &str, action: &str| {
            let action = EntityUid::from_type_name_and_id(name("Action")?, EntityId::new(action));
            let resource = name(resource)?;
            Ok::<_, String>(Kind { resource, action })
        };
        Ok(Self {
            authorizer: Authorizer::new(),
            policies,
            app: name("App")?,
            role: name("Role")?,
            call: kind("ToolCall", "tools/call")?,
            method: kind("McpMethod", "mcp/method")?,
        })
    }

    fn ask(&self, asked: &Asked<'_>) -> Result<Response, Unasked> {
        let (kind, set) = match asked.usage {
            Use::Call(_) => (&self.call, &self.policies.exact),
            Use::See => (&self.call, &self.policies.ahead),
            Use::Read(_) => (&self.method, &self.policies.exact),
        };
        let own = match asked.usage {
            Use::Call(arguments) => ("arguments", project(arguments)?),
            Use::See => ("arguments", record([])?),
            Use::Read(method) => ("method", text(method)),
        };
        let name = EntityId::new(asked.name);
        let resource = EntityUid::from_type_name_and_id(kind.resource.clone(), name);
        let attributes = [
            ("name", text(asked.name)),
            ("server", text(asked.source)),
            own,
        ];
        let attributes = attributes.map(|(name, value)| (name.to_owned(), value));
        let thing = Entity::new(resource.clone(), attributes.into(), HashSet::new());
        let mut entities = vec![thing.map_err(Unasked::unbuilt)?];
        let principal = self.principal(asked.principal, &mut entities)?;
        let entities = Entities::from_entities(entities, None).map_err(Unasked::unbuilt)?;
        let context = Context::from_pairs([
            ("policy_id".to_owned(), text(asked.policy_id)),
            ("source_id".to_owned(), text(asked.source)),
            ("time".to_owned(), time(asked.at)?),
        ]);
        let context = context.map_err(Unasked::unbuilt)?;
        let request = Request::new(principal, kind.action.clone(), resource, context, None);
        let request = request.map_err(Unasked::unbuilt)?;
        Ok(self.authorizer.is_authorized(&request, set, &entities))
    }

    /// Adds a caller and its roles to the entities.
    fn principal(
        &self,
        principal: &Principal,
        entities: &mut Vec<Entity>,
    ) -> Result<EntityUid, Unasked> {
        let app = &*principal.app.to_string();
        let uid = EntityUid::from_type_name_and_id(self.app.clone(), EntityId::new(app));
        let mut roles = HashSet::new();
        for scope in principal.scopes.names().into_iter().flatten() {
            let role = EntityUid::from_type_name_and_id(self.role.clone(), EntityId::new(scope));
            let attributes = [("name".to_owned(), text(scope))].into();
            let entity = Entity::new(role.clone(), attributes, HashSet::new());
            entities.push(entity.map_err(Unasked::unbuilt)?);
            roles.insert(role);
        }
        let trust = RestrictedExpression::new_long(principal.trust.0.into());
        let attributes = [
            ("name", text(app)),
            ("namespace", text(app)),
            ("service_account", text(&principal.name)),
            ("trust", trust),
        ];
        let attributes = attributes.map(|(name, value)| (name.to_owned(), value));
        let entity = Entity::new(uid.clone(), attributes.into(), roles);
        entities.push(entity.map_err(Unasked::unbuilt)?);
        Ok(uid)
    }

    /// What the first of these policies says in words that has any.
    fn first<'a, T>(
        &'a self,
        policies: impl Iterator<Item = &'a PolicyId>,
        effect: Effect,
        words: impl Fn(&'a Words) -> Option<T>,
    ) -> Option<T> {
        let is_of = |id: &&PolicyId| {
            let policy = self.policies.exact.policy(id);
            policy.is_some_and(|policy| policy.effect() == effect)
        };
        let said = policies.filter(is_of);
        let said = said.filter_map(|id| self.policies.words.get(id));
        let mut said: Vec<_> = said.collect();
        said.sort_by_key(|words| words.place);
        said.into_iter().find_map(words)
    }
}

impl Policies for CedarPolicies {
    fn decide(&self, asked: &Asked<'_>) -> Decision {
        let response = match self.ask(asked) {
            Ok(response) => response,
            Err(Unasked::Arguments(unprojected)) => {
                let reason = Some(unprojected.to_string());
                return Decision::Deny { reason };
            }
            Err(error) => {
                tracing::error!(%error, "the policies cannot be asked: what they govern is denied");
                return Decision::Deny { reason: None };
            }
        };
        let diagnostics = response.diagnostics();
        let mut failed = diagnostics.errors().peekable();
        if failed.peek().is_some() {
            // What an error says may hold arguments; which policy it is does not.
            let policies = failed.map(|AuthorizationError::PolicyEvaluationError(error)| {
                error.policy_id().to_string()
            });
            let policies: Vec<_> = policies.collect();
            tracing::warn!(
                ?policies,
                "policies cannot be evaluated: the call is denied"
            );
            return Decision::Deny { reason: None };
        }
        match response.decision() {
            cedar_policy::Decision::Allow => Decision::Permit {
                approval: self.first(diagnostics.reason(), Effect::Permit, |words| {
                    words.approval.clone()
                }),
            },
            cedar_policy::Decision::Deny => Decision::Deny {
                reason: self.first(diagnostics.reason(), Effect::Forbid, |words| {
                    words.reason.clone()
                }),
            },
        }
    }
}

fn text(text: &str) -> RestrictedExpression {
    RestrictedExpression::new_string(text.to_owned())
}

fn record<const N: usize>(
    members: [(&str, RestrictedExpression); N],
) -> Result<RestrictedExpression, Unasked> {
    let members = members.map(|(name, value)| (name.to_owned(), value));
    RestrictedExpression::new_record(members).map_err(Unasked::unbuilt)
}

/// A moment in UTC.
fn time(at: Time) -> Result<RestrictedExpression, Unasked> {
    let seconds = at.as_secs();
    let number =
        |number: u64| RestrictedExpression::new_long(i64::try_from(number).unwrap_or(i64::MAX));
    record([
        ("hour", number(seconds % DAY_S / HOUR_S)),
        ("day_of_week", number((seconds / DAY_S + THURSDAY) % 7)),
        ("timestamp", number(seconds)),
    ])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::super::load::{PolicyFile, load};
    use super::*;

    /// A Wednesday, one o'clock in the morning.
    const AT: Time = Time((6 * DAY_S + HOUR_S) * 1_000);

    fn loaded(text: &str) -> Result<CedarPolicies, Vec<String>> {
        let file = PolicyFile {
            name: "test.cedar".to_owned(),
            text: text.to_owned(),
        };
        load(&[file], None, &BTreeSet::new())
    }

    fn decide(policies: &CedarPolicies, usage: Use<'_>) -> bool {
        let asked = Asked {
            principal: &Principal::builder(),
            usage,
            source: "source",
            name: "tool",
            policy_id: "policy",
            at: AT,
        };
        matches!(policies.decide(&asked), Decision::Permit { .. })
    }

    /// Whether a permit with this condition lets somebody see a tool.
    fn shows(condition: &str) -> bool {
        let condition = condition.replace("args", "resource.arguments");
        let scope = "principal, action == ThoughtGate::Action::\"tools/call\", resource";
        let policies = loaded(&format!("permit({scope}) when {{ {condition} }};"));
        decide(
            &policies.unwrap_or_else(|problems| panic!("{problems:?}")),
            Use::See,
        )
    }

    #[test]
    fn a_moment_is_read_in_hours_and_days_of_the_week() {
        assert!(shows(
            "context.time.hour == 1 && context.time.day_of_week == 3"
        ));
        assert!(shows("context.time.timestamp == 522000"));
    }

    #[test]
    fn a_tool_is_seen_where_some_arguments_would_be_permitted() {
        for condition in [
            "args has a && args.a > 5",
            "principal.trust == 3 && args has a && args.a",
            "!(args has a && args.a > 5)",
            "principal.trust > 3 || args has a",
            "if args has a then principal.trust > 3 else principal.trust == 3",
            "if principal.trust == 3 then args has a else principal.trust > 5",
            "principal.trust == 3 && resource.name == \"tool\" && resource.server == \"source\"",
        ] {
            assert!(shows(condition), "{condition}");
        }
        for condition in [
            "principal.trust > 3 && args has a && args.a > 5",
            "!(principal.trust == 3 || args has a)",
            "if args has a then principal.trust > 3 else principal.trust > 4",
            "if principal.trust == 3 then principal.trust > 4 && args has a else args has a",
            "args has a && args.a == resource.name && context.policy_id == \"x\"",
        ] {
            assert!(!shows(condition), "{condition}");
        }
    }

    fn condition() -> impl Strategy<Value = String> {
        let atom = prop_oneof![
            (0..4i64)
                .prop_map(|n| format!("(resource.arguments has a && resource.arguments.a > {n})")),
            (0..4i64).prop_map(|n| format!(
                "(resource.arguments has b.c && resource.arguments.b.c == \"{n}\")"
            )),
            Just("(resource.arguments has d)".to_owned()),
            (1..5i64).prop_map(|n| format!("(principal.trust >= {n})")),
            (0..4i64).prop_map(|n| format!("(context.time.hour >= {n})")),
        ];
        atom.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} && {b})")),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} || {b})")),
                inner.clone().prop_map(|a| format!("!{a}")),
                (inner.clone(), inner.clone(), inner)
                    .prop_map(|(a, b, c)| format!("(if {a} then {b} else {c})")),
            ]
        })
    }

    fn policy() -> impl Strategy<Value = String> {
        let effect = prop_oneof![Just("permit"), Just("permit"), Just("forbid")];
        let kind = prop_oneof![Just("when"), Just("unless")];
        (effect, kind, condition()).prop_map(|(effect, kind, condition)| {
            let scope = "principal, action == ThoughtGate::Action::\"tools/call\", resource";
            format!("{effect}({scope}) {kind} {{ {condition} }};")
        })
    }

    fn argument() -> impl Strategy<Value = Value> {
        prop_oneof![
            (0..5i64).prop_map(Value::from),
            Just(Value::Null),
            Just(json!("2")),
            (0..4i64).prop_map(|n| json!({ "c": n.to_string() })),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn whoever_may_call_a_tool_with_any_arguments_sees_it(
            written in proptest::collection::vec(policy(), 1..4),
            calls in proptest::collection::vec(
                proptest::collection::btree_map("[abd]", argument(), 0..4), 8),
        ) {
            let Ok(policies) = loaded(&written.join("\n")) else {
                return Err(TestCaseError::reject("a policy that never holds is refused"));
            };
            let sees = decide(&policies, Use::See);
            for arguments in calls {
                let arguments: Map<_, _> = arguments.into_iter().collect();
                prop_assert!(sees || !decide(&policies, Use::Call(&arguments)));
            }
        }
    }
}
