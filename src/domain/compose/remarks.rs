//! What is wrong with the hints of a contract: each is known, fits its place, and can be followed.

use serde_json::Value;

use super::plan::{Plan, Shape, TEXT_COMPONENTS, VALUE_COMPONENTS, Wishes, plan};
use super::reading::{Hints, Kind, Reading, Sort, hints, kind, read};
use crate::domain::contract::{CompiledContract, bounded, warning};
use crate::wire::contract::Finding;

/// The code of every finding here.
const CODE: &str = "CTR_HINT";

/// Where a hint stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Prop,
    Field,
    Action,
    Slot,
    Channel,
}

impl Place {
    /// What may be said there: words, and the names of pairs with `=`.
    fn known(self) -> &'static [&'static str] {
        match self {
            Self::Prop => &[
                "headline",
                "main",
                "hidden",
                "title=",
                "component=",
                "format=",
                "unit=",
                "group=",
                "order=",
            ],
            Self::Field => &[
                "hidden",
                "title=",
                "format=",
                "unit=",
                "currency=",
                "group=",
                "order=",
            ],
            Self::Action => &["primary", "danger", "once", "order="],
            Self::Slot => &["hidden", "title=", "order="],
            Self::Channel => &["title=", "format=", "unit=", "order="],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Prop => "a prop",
            Self::Field => "a value",
            Self::Action => "an action",
            Self::Slot => "a slot",
            Self::Channel => "a channel",
        }
    }
}

/// Every hint that says nothing, or that is not followed, with what may be said instead.
pub(crate) fn hint_problems(contract: &CompiledContract, intent: &str) -> Vec<Finding> {
    let mut judge = Judge::default();
    let spec = contract.contract();
    let props = spec.props_spec.iter().flat_map(|spec| &spec.properties);
    for (name, entry) in props {
        let at = format!("propsSpec.properties.{name}.schema");
        judge.walk(&entry.schema, Place::Prop, &at);
    }
    for (name, entry) in spec.action_spec.iter().flatten() {
        if let Some(schema) = &entry.schema {
            judge.walk(schema, Place::Action, &format!("actionSpec.{name}.schema"));
        }
    }
    for (name, entry) in spec.stream_spec.iter().flatten() {
        let at = format!("streamSpec.{name}.schema");
        judge.walk(&entry.schema, Place::Channel, &at);
    }
    for (name, entry) in spec.context_spec.iter().flatten() {
        judge.walk(
            &entry.schema,
            Place::Slot,
            &format!("contextSpec.{name}.schema"),
        );
    }
    if judge.is_hinted {
        let mut reading = read(contract, intent);
        let page = plan(&mut reading, &Wishes::default());
        judge.followed(&reading, &page);
    }
    bounded(judge.findings)
}

#[derive(Default)]
struct Judge {
    findings: Vec<Finding>,
    /// Whether there is any hint at all.
    is_hinted: bool,
}

impl Judge {
    fn report(&mut self, at: &str, message: impl Into<String>) {
        let at = format!("{at}.$comment");
        self.findings.push(warning(CODE, &at, message));
    }

    /// The hints of a schema, and of all schemas inside it.
    fn walk(&mut self, schema: &Value, place: Place, at: &str) {
        /// Keywords that hold values rather than schemas.
        const VALUES: &[&str] = &[
            "const", "default", "enum", "example", "examples", "required",
        ];
        let Value::Object(members) = schema else {
            return;
        };
        if members.get("$comment").is_some_and(Value::is_string) {
            self.said(hints(schema), kind(schema), place, at);
        }
        let inner = members
            .iter()
            .filter(|(name, _)| !VALUES.contains(&name.as_str()));
        for (name, value) in inner {
            let at = format!("{at}.{name}");
            match value {
                Value::Object(named) if name == "properties" => {
                    for (name, schema) in named {
                        self.walk(schema, Place::Field, &format!("{at}.{name}"));
                    }
                }
                // What may be missing, or is one of several, is still the same value.
                Value::Array(branches) => {
                    for (index, branch) in branches.iter().enumerate() {
                        self.walk(branch, place, &format!("{at}.{index}"));
                    }
                }
                Value::Object(_) => self.walk(value, Place::Field, &at),
                _ => {}
            }
        }
    }

    fn said(&mut self, hints: Hints<'_>, kind: Kind, place: Place, at: &str) {
        for (name, value) in hints.all() {
            self.is_hinted = true;
            let hint = value.map_or_else(|| name.to_owned(), |_| format!("{name}="));
            if !place.known().contains(&hint.as_str()) {
                let known = place.known().join(", ");
                let place = place.name();
                self.report(
                    at,
                    format!("\"{hint}\" is no hint for {place}; there is {known}"),
                );
                continue;
            }
            let Some(value) = value else {
                continue;
            };
            let known = match name {
                "format" => formats(kind),
                "component" => components(kind),
                "order" if value.parse::<i64>().is_err() => {
                    self.report(at, format!("order={value}: the place is a whole number"));
                    continue;
                }
                _ if value.is_empty() => {
                    self.report(at, format!("{name}= says nothing; say it, or leave it out"));
                    continue;
                }
                _ => continue,
            };
            if !known.contains(&value) {
                let known = match known {
                    [] => "leave it out".to_owned(),
                    _ => format!("there is {}", known.join(", ")),
                };
                self.report(at, format!("{name}={value} does not fit here; {known}"));
            }
        }
    }

    /// Hints that are known, but not followed on this page.
    fn followed(&mut self, reading: &Reading<'_>, page: &Plan) {
        for gesture in &reading.gestures {
            let at = format!("actionSpec.{}.schema", gesture.name);
            if !hints(gesture.schema).says("primary")
                || page.primary.as_deref() == Some(gesture.name)
            {
                continue;
            }
            let why = match &page.primary {
                _ if gesture.is_dangerous => {
                    "it ends or loses something, and such an action never stands out".to_owned()
                }
                Some(other) => format!("\"{other}\" stands out already, and there is only one"),
                None => "nothing stands out on this page".to_owned(),
            };
            self.report(&at, format!("primary: {why}"));
        }
        let top = || reading.things.iter().filter(|thing| thing.is_top());
        for word in ["headline", "main"] {
            let mut all = top().filter(|thing| hints(thing.schema).says(word));
            let first = all.next();
            for other in all {
                let at = format!("propsSpec.properties.{}.schema", other.name);
                let first = first.map_or("", |first| first.name);
                self.report(
                    &at,
                    format!("{word}: \"{first}\" is it already, and there is only one"),
                );
            }
        }
        for thing in top().filter(|thing| thing.sort == Sort::Records) {
            let Some(wanted) = hints(thing.schema).get("component") else {
                continue;
            };
            let shown = page.parts.iter().find(|part| part.source == thing.path);
            if let Some(shown) = shown
                && shown.component != wanted
                && Shape::COMPONENTS.contains(&wanted)
            {
                let at = format!("propsSpec.properties.{}.schema", thing.name);
                let shown = &shown.component;
                let why =
                    format!("its records lack what a {wanted} shows, so they are shown as {shown}");
                self.report(&at, format!("component={wanted}: {why}"));
            }
        }
    }
}

/// The components that a value of a kind may be shown as.
fn components(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Records => Shape::COMPONENTS,
        Kind::Text => TEXT_COMPONENTS,
        Kind::Number => VALUE_COMPONENTS,
        _ => &[],
    }
}

/// The formats that a value of a kind may be shown in.
fn formats(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Number => &[
            "number",
            "integer",
            "percent",
            "ratio",
            "currency",
            "money",
            "bytes",
            "duration",
            "milliseconds",
            "rating",
            "date",
            "datetime",
            "text",
        ],
        Kind::Text => &[
            "text", "markdown", "code", "date", "datetime", "time", "duration", "url", "email",
            "image", "colour", "badge", "choice", "number", "currency", "money",
        ],
        Kind::Choice => &["badge", "choice", "text", "colour"],
        Kind::Boolean => &["boolean", "text"],
        Kind::Strings | Kind::Numbers => &["tags", "text", "image", "colour"],
        Kind::Record => &["record", "amount", "measure", "range", "place"],
        Kind::Records | Kind::Open => &[],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::contract::ContractLimits;

    fn problems(draft: &Value) -> Vec<String> {
        let contract = CompiledContract::compile(draft, &ContractLimits::default())
            .unwrap()
            .contract;
        let all = hint_problems(&contract, "Do the thing").into_iter();
        all.map(|found| format!("{} {}", found.path, found.message))
            .collect()
    }

    #[test]
    fn a_hint_that_is_none_or_does_not_fit_names_what_does() {
        let draft = json!({"propsSpec":{"properties":{
            "orders":{"required":true,"schema":{"type":"array","$comment":"ui: component=Grid, colour=red","items":{
                "type":"object","properties":{"name":{"type":"string","$comment":"ui: order=first"}}}}},
            "load":{"schema":{"type":"number","$comment":"ui: format=stars, title="}}}}});
        let found = problems(&draft);
        assert_eq!(found.len(), 5, "{found:#?}");
        assert!(found[0].starts_with("propsSpec.properties.orders.schema.$comment component=Grid"));
        assert!(found[0].contains("Board, Calendar, Cards"), "{}", found[0]);
        assert!(found[1].contains("\"colour=\" is no hint for a prop; there is headline, main"));
        assert!(found[2].contains("items.properties.name.$comment order=first"));
        assert!(found[3].contains("format=stars") && found[3].contains("percent"));
        assert!(found[4].contains("title= says nothing"));
    }

    #[test]
    fn a_hint_that_cannot_be_followed_says_why() {
        let list = |hint: &str| json!({"type":"array","$comment":hint,"items":{"type":"object","properties":{"name":{"type":"string"}}}});
        let primary = json!({"type":"object","properties":{"why":{"type":"string"}},"$comment":"ui: primary"});
        let draft = json!({
            "propsSpec":{"properties":{
                "a":{"required":true,"schema":list("ui: component=Calendar, main")},
                "b":{"required":true,"schema":list("ui: main")}}},
            "actionSpec":{"deleteAll":{"label":"Delete","schema":primary}}});
        let found = problems(&draft);
        assert_eq!(found.len(), 3, "{found:#?}");
        assert!(found[0].contains("deleteAll") && found[0].contains("never stands out"));
        assert!(found[1].starts_with("propsSpec.properties.b") && found[1].contains("\"a\" is it"));
        assert!(found[2].contains("component=Calendar") && found[2].contains("Table"));
    }

    #[test]
    fn hints_that_are_followed_and_other_comments_are_no_problem() {
        let draft = json!({"propsSpec":{"properties":{
            "n":{"required":true,"schema":{"type":"integer","$comment":"ui: component=Metric, order=2, group=Money"}},
            "t":{"schema":{"type":"string","$comment":"set by the importer"}}}}});
        assert_eq!(problems(&draft), Vec::<String>::new());
    }
}
