//! How tools differ from those that were accepted, and what a person's decision makes of that.

use super::pins::{Definition, NAME, Pins, SERVER};
use super::policy::canonical_hash;
use super::tool_change::ToolChange;

impl Pins {
    /// What a person has to decide about a tool as it is now: nothing where it is what was accepted,
    /// where a person has refused exactly this, or where nothing was ever accepted of its source.
    pub(crate) fn change(
        &self,
        source: &str,
        now: Definition,
        is_listed: impl Fn(&str) -> bool,
    ) -> Option<ToolChange> {
        let accepted = self.sources.get(source)?;
        let source = source.to_owned();
        let change = match accepted.get(now.name()) {
            Some(before) if *before == now => return None,
            Some(before) if before.differs_only_in(&now, SERVER) => {
                let server = before.server();
                let tools = accepted.iter().filter(|(_, tool)| tool.server() == server);
                ToolChange::Server {
                    source,
                    before: server.map(str::to_owned),
                    now: now.server().map(str::to_owned),
                    tools: tools.map(|(name, _)| name.clone()).collect(),
                }
            }
            Some(before) => ToolChange::Tool {
                source,
                before: Some(before.clone()),
                now,
            },
            None => {
                let mut gone = accepted.values().filter(|tool| !is_listed(tool.name()));
                let before = gone.find(|tool| tool.differs_only_in(&now, NAME));
                ToolChange::Tool {
                    source,
                    before: before.cloned(),
                    now,
                }
            }
        };
        (!self.has_refused(&change)).then_some(change)
    }

    /// Whether somebody has decided on a change.
    pub(crate) fn settles(&self, change: &ToolChange) -> bool {
        let accepted = self.sources.get(change.source());
        let tool = |name: &str| accepted.and_then(|tools| tools.get(name));
        let is_accepted = match change {
            ToolChange::Server { now, tools, .. } => tools
                .iter()
                .all(|name| tool(name).is_none_or(|tool| tool.server() == now.as_deref())),
            ToolChange::Tool { now, .. } => tool(now.name()) == Some(now),
        };
        is_accepted || self.has_refused(change)
    }

    /// Accepts a change.
    pub(crate) fn take_in(&mut self, change: &ToolChange) {
        let Some(accepted) = self.sources.get_mut(change.source()) else {
            return;
        };
        match change {
            ToolChange::Server { before, now, .. } => {
                let same = accepted.values_mut();
                for tool in same.filter(|tool| tool.server() == before.as_deref()) {
                    *tool = tool.of_server(now.as_deref());
                }
            }
            ToolChange::Tool { now, .. } => {
                accepted.insert(now.name().to_owned(), now.clone());
            }
        }
    }

    /// Refuses a change for good.
    pub(crate) fn refuse(&mut self, change: &ToolChange) {
        let refused = self.refused.entry(change.source().to_owned());
        refused.or_default().insert(canonical_hash(change));
    }

    fn has_refused(&self, change: &ToolChange) -> bool {
        let refused = self.refused.get(change.source());
        refused.is_some_and(|refused| refused.contains(&canonical_hash(change)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn tool(server: &str, value: Value) -> Definition {
        match value {
            Value::Object(tool) => Definition::of(Some(server), &tool),
            other => panic!("{other}"),
        }
    }

    fn pins() -> Pins {
        let tools = ["a", "b"].map(|name| {
            let definition = tool("s", json!({"name": name, "description": name}));
            (name.to_owned(), definition)
        });
        Pins::of([("files".to_owned(), tools.to_vec())])
    }

    #[test]
    fn a_change_is_asked_about_until_somebody_has_decided() {
        let mut pins = pins();
        let listed = |name: &str| ["a", "b"].contains(&name);
        let same = tool("s", json!({"name": "a", "description": "a"}));
        assert_eq!(pins.change("files", same.clone(), listed), None);
        let other = tool("s", json!({"name": "a", "description": "b"}));
        let change = pins.change("files", other.clone(), listed).unwrap();
        assert!(!pins.settles(&change));
        let mut refusing = pins.clone();
        refusing.refuse(&change);
        assert!(refusing.settles(&change));
        assert_eq!(refusing.change("files", other.clone(), listed), None);
        // Another change of the same tool is another question.
        let third = tool("s", json!({"name": "a", "description": "c"}));
        assert!(refusing.change("files", third, listed).is_some());
        pins.take_in(&change);
        assert!(pins.settles(&change));
        assert_eq!(pins.change("files", other, listed), None);
        assert!(pins.change("files", same, listed).is_some());
    }

    #[test]
    fn a_renamed_tool_is_shown_beside_what_it_was() {
        let renamed = tool("s", json!({"name": "c", "description": "a"}));
        let before = |listed: &[&str]| {
            let change = pins().change("files", renamed.clone(), |name| listed.contains(&name));
            match change {
                Some(ToolChange::Tool { before, .. }) => before.map(|tool| tool.name().to_owned()),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(before(&["b", "c"]).as_deref(), Some("a"));
        assert_eq!(before(&["a", "b", "c"]), None);
    }

    #[test]
    fn a_server_with_another_name_is_one_change_of_all_its_tools() {
        let mut pins = pins();
        let listed = |_: &str| true;
        let of = |name: &str| tool("t", json!({"name": name, "description": name}));
        let change = pins.change("files", of("a"), listed).unwrap();
        assert_eq!(pins.change("files", of("b"), listed), Some(change.clone()));
        pins.take_in(&change);
        assert!(pins.settles(&change));
        assert_eq!(pins.change("files", of("a"), listed), None);
        assert_eq!(pins.change("files", of("b"), listed), None);
    }

    #[test]
    fn nothing_is_asked_about_a_source_of_which_nothing_was_accepted() {
        let new = tool("s", json!({"name": "a"}));
        assert_eq!(pins().change("others", new, |_| true), None);
    }
}
