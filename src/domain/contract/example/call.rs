//! Writes the call that follows a handshake, with props that fit the contract.

use serde_json::{Map, Value};

use super::super::close::closed;
use super::super::compiled::CompiledContract;
use super::super::values::Checker;
use super::super::violations::joined;
use super::placeholder::Placeholders;
use crate::wire::contract::PropEntry;

impl CompiledContract {
    /// The call an agent makes next, as text: every prop with its example, its default or a
    /// placeholder, required ones first, then in declared order (tools.md §3.2). An optional prop
    /// without a value that fits is left out; if a required one has none, the call has no props and
    /// a sentence explains why.
    pub(crate) fn example_call(&self, handshake_id: &str) -> String {
        let id = Value::from(handshake_id);
        let rest = self.example.get_or_init(|| self.after_id().into());
        format!("ggui_render({{\"handshakeId\":{id},\"props\":{rest}")
    }

    /// The part of the call that is the same for every handshake of the contract.
    fn after_id(&self) -> String {
        match self.example_props() {
            Ok(props) => format!("{}}})", Value::Object(props)),
            Err(names) => {
                let names = names.iter().map(|name| format!("\"{name}\""));
                format!(
                    "…}}) with props that fit propsSpec: this example has none, because no value \
                     that fits was found for {}",
                    joined(names, ", ")
                )
            }
        }
    }

    /// Example props that pass validation.
    ///
    /// # Errors
    ///
    /// The required props without a value that fits.
    fn example_props(&self) -> Result<Map<String, Value>, Vec<&str>> {
        let spec = self.contract.props_spec.iter();
        let (needed, others): (Vec<_>, Vec<_>) = spec
            .flat_map(|spec| &spec.properties)
            .partition(|(_, entry)| entry.required == Some(true));
        let all = || needed.iter().chain(&others);
        let mut placeholders = Placeholders::default();
        let usual = all().map(|(name, entry)| {
            let value = self.candidates(name, entry, &mut placeholders).next();
            Some(((*name).clone(), value?))
        });
        if let Some(usual) = usual.collect::<Option<Map<_, _>>>()
            && let Some(props) = self.fitting(usual)
        {
            return Ok(props);
        }
        // One of them does not fit or is too large to be shown, so each is checked alone.
        let mut placeholders = Placeholders::default();
        let mut props = Map::new();
        let mut missing = Vec::new();
        for (name, entry) in all() {
            let checker = Checker::new(&closed(self.prop_schema(name)), &self.patterns).ok();
            let fits = |value: &Value| checker.as_ref().is_some_and(|c| c.accepts(value));
            match self.candidates(name, entry, &mut placeholders).find(fits) {
                Some(value) => drop(props.insert((*name).clone(), value)),
                None if entry.required == Some(true) => missing.push(name.as_str()),
                None => {}
            }
        }
        if !missing.is_empty() {
            return Err(missing);
        }
        // The validator decides about all of them together.
        let names = || needed.iter().map(|(name, _)| name.as_str()).collect();
        self.fitting(props).ok_or_else(names)
    }

    /// The sample values of one prop, in the order the protocol gives them.
    fn candidates<'a>(
        &self,
        name: &str,
        entry: &'a PropEntry,
        placeholders: &'a mut Placeholders,
    ) -> impl Iterator<Item = Value> {
        let written = [entry.example.as_ref(), entry.default.as_ref()];
        let written = written.into_iter().flatten().cloned();
        let schema = self.prop_schema(name);
        written.chain(std::iter::once_with(|| placeholders.of(schema)).flatten())
    }

    /// Returns the props if they pass validation.
    fn fitting(&self, props: Map<String, Value>) -> Option<Map<String, Value>> {
        let whole = Value::Object(props);
        self.check_props(&whole).ok()?;
        match whole {
            Value::Object(props) => Some(props),
            _ => None,
        }
    }
}
