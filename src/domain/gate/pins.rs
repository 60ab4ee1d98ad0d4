//! Pins: what each tool was when somebody accepted it, so that one that has changed is not used.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::definition_lines::lines;
use super::policy::canonical_hash;

/// Members of a tool that people and models decide by.
const PINNED: [&str; 6] = [
    "annotations",
    "description",
    "inputSchema",
    "name",
    "outputSchema",
    "title",
];
/// The member that names a tool.
pub(super) const NAME: &str = "name";
/// The member that names the method which gives a prompt or resource.
const METHOD: &str = "method";
/// The member that names the server a tool was listed by.
pub(super) const SERVER: &str = "server";

/// A tool as it was accepted: what people and models decide by, and the name of its server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Definition(Map<String, Value>);

impl Definition {
    /// The definition of a tool that a server lists.
    pub(crate) fn of(server: Option<&str>, tool: &Map<String, Value>) -> Self {
        let members = PINNED.iter().filter_map(|name| {
            let value = tool.get(*name)?;
            Some(((*name).to_owned(), value.clone()))
        });
        let server = server.map(|name| (SERVER.to_owned(), name.into()));
        Self(members.chain(server).collect())
    }

    /// The definition of a prompt or resource that a method gives under its name; that of a tool is
    /// never like it. What its server says of when a resource changed is left out.
    pub(crate) fn of_reading(
        server: Option<&str>,
        entry: &Map<String, Value>,
        (method, name): (&str, &str),
    ) -> Self {
        let Self(mut members) = Self::of(server, entry);
        members.shift_remove("annotations");
        members.insert(NAME.to_owned(), name.into());
        members.insert(METHOD.to_owned(), method.into());
        Self(members)
    }

    /// The tool's name.
    pub(crate) fn name(&self) -> &str {
        self.0.get(NAME).and_then(Value::as_str).unwrap_or_default()
    }

    /// The name of its server.
    pub(super) fn server(&self) -> Option<&str> {
        self.0.get(SERVER).and_then(Value::as_str)
    }

    /// The schema of its arguments.
    pub(crate) fn input_schema(&self) -> Option<&Value> {
        self.0.get("inputSchema")
    }

    /// A hash of it.
    pub(crate) fn hash(&self) -> String {
        canonical_hash(self)
    }

    /// It as lines that people read.
    pub(super) fn lines(&self) -> Vec<String> {
        lines(&self.0)
    }

    /// It as JSON.
    pub(super) fn json(&self) -> String {
        spelled(&Value::Object(self.0.clone()))
    }

    /// Whether nothing but these members differs.
    pub(super) fn differs_only_in(&self, other: &Self, member: &str) -> bool {
        self.differences(other) == [member]
    }

    /// The same of a server with another name.
    pub(super) fn of_server(&self, server: Option<&str>) -> Self {
        let mut members = self.0.clone();
        match server {
            Some(name) => drop(members.insert(SERVER.to_owned(), name.into())),
            None => drop(members.shift_remove(SERVER)),
        }
        Self(members)
    }

    /// Whether a tool that a server lists is still the same.
    fn fits(&self, server: Option<&str>, tool: &Map<String, Value>) -> bool {
        let is_same = |name: &&str| self.0.get(*name) == tool.get(*name);
        PINNED.iter().all(is_same) && self.0.get(SERVER).and_then(Value::as_str) == server
    }

    /// The members in which two differ.
    fn differences(&self, other: &Self) -> Vec<&'static str> {
        let members = PINNED.into_iter().chain([SERVER]);
        members
            .filter(|name| self.0.get(*name) != other.0.get(*name))
            .collect()
    }

    /// A member as text, for people.
    pub(crate) fn shown(&self, member: &str) -> String {
        match self.0.get(member) {
            None => "(none)".to_owned(),
            Some(value) => spelled(value),
        }
    }
}

/// A value as JSON, with what cannot be seen spelled out: nothing in it does anything to a terminal,
/// or reads as something else.
fn spelled(value: &Value) -> String {
    let text = value.to_string();
    let spelled = text.chars().map(|letter| match letter.is_ascii() {
        true => letter.to_string(),
        false => letter.escape_debug().to_string(),
    });
    spelled.collect()
}

/// The accepted tools, by source and name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pins {
    pub(super) sources: BTreeMap<String, BTreeMap<String, Definition>>,
    /// Changes that a person has refused, by source, as hashes: nobody is asked about them again.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) refused: BTreeMap<String, BTreeSet<String>>,
}

/// Why the accepted tools cannot be read or changed.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the file of the accepted tools: {0}")]
pub(crate) struct PinError(pub(crate) String);

/// What is done to accepted tools.
pub(crate) type PinEdit = Box<dyn FnOnce(&mut Pins) + Send>;

/// The port through which the accepted tools are kept.
#[async_trait]
pub(crate) trait PinStore: Send + Sync + 'static {
    /// Those that stand in a file, after a change to them. What is acknowledged is kept, and none of
    /// two changes at once is lost.
    async fn edit(&self, file: &Path, edit: Option<PinEdit>) -> Result<Pins, PinError>;
}

/// What has happened to a tool since it was accepted.
#[derive(Debug, PartialEq)]
pub(crate) enum Change<'a> {
    /// It was not there, or had another name.
    Added(&'a Definition),
    /// It was something else.
    Changed {
        /// As it was accepted.
        before: &'a Definition,
        /// As it is.
        now: &'a Definition,
        /// The members that differ.
        members: Vec<&'static str>,
    },
    /// It is no longer there.
    Removed,
}

impl Pins {
    /// Pins of what sources list now.
    pub(crate) fn of(
        sources: impl IntoIterator<Item = (String, Vec<(String, Definition)>)>,
    ) -> Self {
        let sources = sources.into_iter();
        let sources = sources.map(|(id, tools)| (id, tools.into_iter().collect()));
        Self {
            sources: sources.collect(),
            refused: BTreeMap::new(),
        }
    }

    /// Whether a tool is what was accepted of its source under its name.
    pub(crate) fn accept(
        &self,
        source: &str,
        server: Option<&str>,
        tool: &Map<String, Value>,
    ) -> bool {
        let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
        let accepted = self.sources.get(source).and_then(|tools| tools.get(name));
        accepted.is_some_and(|accepted| accepted.fits(server, tool))
    }

    /// What has changed since, by source and name.
    pub(crate) fn changes<'a>(&'a self, now: &'a Self) -> Vec<(&'a str, &'a str, Change<'a>)> {
        let mut changes = Vec::new();
        let names = |pins: &'a Self| {
            let sources = pins.sources.iter();
            sources.flat_map(|(id, tools)| tools.iter().map(move |(name, tool)| (id, name, tool)))
        };
        for (id, name, tool) in names(now) {
            match self.sources.get(id).and_then(|tools| tools.get(name)) {
                None => changes.push((&**id, &**name, Change::Added(tool))),
                Some(before) if before == tool => {}
                Some(before) => {
                    let members = before.differences(tool);
                    let change = Change::Changed {
                        before,
                        now: tool,
                        members,
                    };
                    changes.push((id, name, change));
                }
            }
        }
        for (id, name, _) in names(self) {
            let left = now.sources.get(id).and_then(|tools| tools.get(name));
            if left.is_none() {
                changes.push((id, name, Change::Removed));
            }
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(tool) => tool,
            other => panic!("{other} is no tool"),
        }
    }

    fn pins(tools: &[Value]) -> Pins {
        let tools = tools.iter().map(|value| {
            let tool = tool(value.clone());
            (value["name"].to_string(), Definition::of(Some("s"), &tool))
        });
        let tools = tools.map(|(name, tool)| (name.trim_matches('"').to_owned(), tool));
        Pins::of([("files".to_owned(), tools.collect())])
    }

    #[test]
    fn a_tool_is_accepted_as_it_was_and_by_no_other_server_source_or_name() {
        let was = json!({"name": "a", "title": "A", "description": "d", "annotations": {},
            "inputSchema": {"x": 1, "y": 2}, "outputSchema": {}});
        let pins = pins(std::slice::from_ref(&was));
        let accept = |source, server, value| pins.accept(source, server, &tool(value));
        assert!(accept("files", Some("s"), was.clone()));
        let mut same = was.clone();
        same["inputSchema"] = json!({"y": 2, "x": 1});
        assert!(accept("files", Some("s"), same));
        assert!(!accept("others", Some("s"), was.clone()));
        assert!(!accept("files", Some("t"), was.clone()));
        assert!(!accept("files", None, was.clone()));
        for member in PINNED {
            let mut changed = was.clone();
            changed[member] = json!("other");
            assert!(!accept("files", Some("s"), changed), "{member}");
            let mut without = was.clone();
            without
                .as_object_mut()
                .map(|tool| tool.shift_remove(member));
            assert!(!accept("files", Some("s"), without), "{member}");
        }
    }

    #[test]
    fn what_was_added_changed_and_removed_is_told() {
        let before = pins(&[json!({"name": "a", "title": "A"}), json!({"name": "b"})]);
        let now = pins(&[json!({"name": "a", "title": "B"}), json!({"name": "c"})]);
        let changes: Vec<_> = before
            .changes(&now)
            .into_iter()
            .map(|(source, name, change)| {
                let what = match change {
                    Change::Added(_) => "added".to_owned(),
                    Change::Changed { members, .. } => members.join(","),
                    Change::Removed => "removed".to_owned(),
                };
                format!("{source} {name} {what}")
            })
            .collect();
        assert_eq!(
            changes,
            ["files a title", "files c added", "files b removed"]
        );
        assert!(now.changes(&now).is_empty());
    }
}
