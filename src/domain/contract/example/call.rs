//! The call that follows a handshake, written out: its props fit, or it says for which none were found.

use serde_json::{Map, Value};

use super::super::compiled::CompiledContract;
use super::super::violations::{VIOLATIONS_MAX, join_key};
use super::placeholder;
use super::search::Search;
use crate::wire::contract::PropEntry;

impl CompiledContract {
    /// The call an agent makes next, as text: every prop with its example, its default or a
    /// placeholder, required ones first, else as declared (tools.md §3.2). Where one of those does
    /// not fit, a value that does takes its place. A prop that may be left out is, where none was
    /// found; where one is needed, the call has no props and words say so.
    pub(crate) fn example_call(&self, handshake_id: &str) -> String {
        let id = Value::from(handshake_id);
        match self.example_props() {
            Ok(props) => {
                let props = Value::Object(props);
                format!("ggui_render({{\"handshakeId\":{id},\"props\":{props}}})")
            }
            Err(names) => {
                let names: Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
                format!(
                    "ggui_render({{\"handshakeId\":{id},\"props\":…}}) with props that fit \
                     propsSpec: this example has none, because no value that fits was found for {}",
                    names.join(", ")
                )
            }
        }
    }

    /// Props that fit.
    ///
    /// # Errors
    ///
    /// The props for which no value was found, though they are needed.
    fn example_props(&self) -> Result<Map<String, Value>, Vec<&str>> {
        let spec = self.contract.props_spec.iter();
        let (needed, others): (Vec<_>, Vec<_>) = spec
            .flat_map(|spec| &spec.properties)
            .partition(|(_, entry)| entry.required == Some(true));
        let all = || needed.iter().chain(&others);
        let usual: Map<_, _> = all()
            .map(|(name, entry)| ((*name).clone(), self.usual(name, entry)))
            .collect();
        let whole = Value::Object(usual);
        let Err(violations) = self.check_props(&whole) else {
            return Ok(members(whole));
        };
        let usual = members(whole);
        let is_told = |name: &str| {
            let mut told = violations.iter();
            let is_all = violations.len() > VIOLATIONS_MAX;
            is_all || told.any(|violation| is_within(&violation.field, name))
        };
        let mut search = Search::default();
        let mut props = Map::new();
        let mut missing = Vec::new();
        for (name, entry) in all() {
            let value = match usual.get(*name) {
                Some(value) if !is_told(name) => Some(value.clone()),
                _ => {
                    let written = [entry.example.as_ref(), entry.default.as_ref()];
                    let written = written.into_iter().flatten();
                    search.first_of(self.prop_schema(name), written)
                }
            };
            match value {
                Some(value) => drop(props.insert((*name).clone(), value)),
                None if entry.required == Some(true) => missing.push(name.as_str()),
                None => {}
            }
        }
        if !missing.is_empty() {
            return Err(missing);
        }
        // The engine has the last word on all of them together.
        let whole = Value::Object(props);
        match self.check_props(&whole) {
            Ok(()) => Ok(members(whole)),
            Err(_) => Err(needed.iter().map(|(name, _)| name.as_str()).collect()),
        }
    }

    /// The sample the protocol names first.
    fn usual(&self, name: &str, entry: &PropEntry) -> Value {
        let written = entry.example.as_ref().or(entry.default.as_ref());
        let placeholder = || placeholder::of(self.prop_schema(name));
        written.cloned().unwrap_or_else(placeholder)
    }
}

fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// Whether a path starts at a prop, or at all of them.
fn is_within(path: &str, name: &str) -> bool {
    let rest = path.strip_prefix(&join_key("", name));
    path == "props" || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}
