//! Which arguments a policy reads and of what type each is, told by what the policy does with it.
//! With these types the policy is checked: each argument may be missing, so the policy has to ask
//! whether it is there.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// The attribute of a call that holds its arguments.
pub(super) const ARGUMENTS: &str = "arguments";

/// A type of Cedar.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Type {
    Bool,
    Long,
    Record(BTreeMap<String, Type>),
    Set(Box<Type>),
    Text,
    /// Nothing is done with it that tells.
    Unknown,
}

/// The type of the arguments that a policy reads, as JSON of a Cedar schema.
pub(super) fn argument_types(policy: &Value) -> Value {
    let mut found = Type::Record(BTreeMap::new());
    for condition in policy["conditions"].as_array().into_iter().flatten() {
        walk(&condition["body"], Type::Bool, &mut found);
    }
    found.schema()
}

impl Type {
    fn schema(&self) -> Value {
        match self {
            Self::Bool => json!({"type": "Boolean"}),
            Self::Long => json!({"type": "Long"}),
            Self::Text | Self::Unknown => json!({"type": "String"}),
            Self::Set(element) => json!({"type": "Set", "element": element.schema()}),
            Self::Record(members) => {
                let members = members.iter().map(|(name, member)| {
                    let mut member = member.schema();
                    member["required"] = false.into();
                    (name.clone(), member)
                });
                json!({"type": "Record", "attributes": members.collect::<Map<_, _>>()})
            }
        }
    }

    /// The member at a path, which may be new.
    fn at(&mut self, path: &[&str]) -> &mut Self {
        let Some((first, rest)) = path.split_first() else {
            return self;
        };
        if !matches!(self, Self::Record(_)) {
            *self = Self::Record(BTreeMap::new());
        }
        match self {
            Self::Record(members) => {
                let member = members.entry((*first).to_owned());
                member.or_insert(Self::Unknown).at(rest)
            }
            other => other,
        }
    }

    /// Its elements, where it is a set.
    fn element(self) -> Self {
        match self {
            Self::Set(element) => *element,
            _ => Self::Unknown,
        }
    }

    fn set_of(self) -> Self {
        Self::Set(Box::new(self))
    }
}

/// Goes through an expression that has to have a type.
fn walk(expression: &Value, wanted: Type, found: &mut Type) {
    if let Some(path) = argument_path(expression) {
        let known = found.at(&path);
        if *known == Type::Unknown {
            *known = wanted;
        }
        return;
    }
    let Some((operator, given)) = operation(expression) else {
        return;
    };
    let (left, right) = (&given["left"], &given["right"]);
    match operator {
        "&&" | "||" => both(left, right, &Type::Bool, found),
        "<" | "<=" | ">" | ">=" | "+" | "-" | "*" => both(left, right, &Type::Long, found),
        "!" => walk(&given["arg"], Type::Bool, found),
        "neg" => walk(&given["arg"], Type::Long, found),
        "if-then-else" => {
            walk(&given["if"], Type::Bool, found);
            both(&given["then"], &given["else"], &wanted, found);
        }
        "==" | "!=" => {
            walk(left, type_of(right), found);
            walk(right, type_of(left), found);
        }
        "like" => walk(left, Type::Text, found),
        "contains" => {
            walk(left, type_of(right).set_of(), found);
            walk(right, type_of(left).element(), found);
        }
        "containsAll" | "containsAny" => {
            walk(left, type_of(right).element().set_of(), found);
            walk(right, type_of(left).element().set_of(), found);
        }
        "isEmpty" => walk(&given["arg"], Type::Unknown.set_of(), found),
        "has" => {
            let mut path = argument_path(left);
            let mut named = attributes(&given["attr"]);
            if path.is_none() && is_resource(left) && named.first() == Some(&ARGUMENTS) {
                named.remove(0);
                path = Some(Vec::new());
            }
            match path {
                Some(mut path) => {
                    path.extend(named);
                    found.at(&path);
                }
                None => walk(left, Type::Unknown, found),
            }
        }
        "Set" => {
            for item in given.as_array().into_iter().flatten() {
                walk(item, wanted.clone().element(), found);
            }
        }
        _ => {
            for part in parts(given) {
                walk(part, Type::Unknown, found);
            }
        }
    }
}

fn both(left: &Value, right: &Value, wanted: &Type, found: &mut Type) {
    walk(left, wanted.clone(), found);
    walk(right, wanted.clone(), found);
}

/// The type of an expression, as far as it can be seen.
fn type_of(expression: &Value) -> Type {
    let Some((operator, given)) = operation(expression) else {
        return Type::Unknown;
    };
    match (operator, given) {
        ("Value", Value::Bool(_)) => Type::Bool,
        ("Value", Value::Number(_)) | ("+" | "-" | "*" | "neg", _) => Type::Long,
        ("Value", Value::String(_)) => Type::Text,
        ("Set", Value::Array(items)) => items.first().map_or(Type::Unknown, type_of).set_of(),
        (".", given) => match given["attr"].as_str() {
            // The numbers that the gate itself gives; all else is text.
            Some("trust" | "hour" | "day_of_week" | "timestamp") => Type::Long,
            _ => Type::Unknown,
        },
        ("&&" | "||" | "!" | "has" | "like" | "is" | "in", _) => Type::Bool,
        ("==" | "!=" | "<" | "<=" | ">" | ">=", _) => Type::Bool,
        ("contains" | "containsAll" | "containsAny" | "isEmpty", _) => Type::Bool,
        _ => Type::Unknown,
    }
}

/// The names that lead from the arguments to what an expression reads of them; none of what is read
/// where it is no argument.
fn argument_path(expression: &Value) -> Option<Vec<&str>> {
    let (".", given) = operation(expression)? else {
        return None;
    };
    let attribute = given["attr"].as_str()?;
    if attribute == ARGUMENTS && is_resource(&given["left"]) {
        return Some(Vec::new());
    }
    let mut path = argument_path(&given["left"])?;
    path.push(attribute);
    Some(path)
}

fn is_resource(expression: &Value) -> bool {
    expression["Var"] == "resource"
}

/// An operator, and what it is given.
pub(super) fn operation(expression: &Value) -> Option<(&str, &Value)> {
    let (operator, given) = expression.as_object()?.iter().next()?;
    Some((operator, given))
}

/// What an operator is given, one by one.
pub(super) fn parts(given: &Value) -> impl Iterator<Item = &Value> {
    let items = given.as_array().into_iter().flatten();
    let members = given
        .as_object()
        .into_iter()
        .flat_map(|given| given.values());
    items.chain(members)
}

/// The attributes that `has` names, one after the other.
pub(super) fn attributes(named: &Value) -> Vec<&str> {
    match named {
        Value::String(one) => vec![one],
        several => {
            let several = several.as_array().into_iter().flatten();
            several.filter_map(Value::as_str).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use cedar_policy::Policy;

    use super::*;

    /// The types that a condition gives to the arguments it reads.
    fn types(condition: &str) -> Value {
        let condition = condition.replace("args", "resource.arguments");
        let policy = format!("permit(principal, action, resource) when {{ {condition} }};");
        let policy = Policy::parse(None, policy).unwrap();
        let types = argument_types(&policy.to_json().unwrap());
        types["attributes"].clone()
    }

    fn optional(name: &str) -> Value {
        json!({"type": name, "required": false})
    }

    #[test]
    fn an_argument_has_the_type_that_is_needed_where_it_stands() {
        let long = || optional("Long");
        for (condition, expected) in [
            ("args.a < 5", long()),
            ("args.a + 1 == 2", long()),
            ("-args.a == 2", long()),
            ("args.a == context.time.hour", long()),
            ("principal.trust == args.a", long()),
            ("[1, 2].contains(args.a)", long()),
            ("(if principal.trust > 1 then args.a else 3) > 1", long()),
            ("args.a", optional("Boolean")),
            ("!args.a || args.a", optional("Boolean")),
            ("args.a == true", optional("Boolean")),
            ("args.a == \"x\"", optional("String")),
            ("args.a like \"x*\"", optional("String")),
            ("args.a == principal.name", optional("String")),
            ("args has a", optional("String")),
            ("resource has arguments.a", optional("String")),
        ] {
            assert_eq!(types(condition), json!({ "a": expected }), "{condition}");
        }
        let set = |element: &str| json!({"a": {"type": "Set", "element": {"type": element}, "required": false}});
        assert_eq!(types("args.a.contains(5)"), set("Long"));
        assert_eq!(types("args.a.containsAny([\"x\"])"), set("String"));
        assert_eq!(types("[true].containsAll(args.a)"), set("Boolean"));
        assert_eq!(types("args.a.isEmpty()"), set("String"));
    }

    #[test]
    fn members_of_an_argument_are_arguments_and_what_is_read_elsewhere_is_none() {
        let inner = json!({"b": optional("Long"), "c d": optional("String")});
        let outer = json!({"type": "Record", "attributes": inner, "required": false});
        let condition = "args has a.b && args.a.b > 1 && args[\"a\"][\"c d\"] == \"x\"";
        assert_eq!(types(condition), json!({ "a": outer }));
        let other = "context.policy_id == \"x\" && resource.name like \"a*\"";
        assert_eq!(types(other), json!({}));
    }
}
