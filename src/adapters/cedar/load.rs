//! Reads policies and checks them against what they are told: every problem at once, with its place.

use std::collections::BTreeSet;

use cedar_policy::{
    Effect, Policy, PolicyId, PolicySet, Schema, SchemaFragment, ValidationMode, Validator,
};
use miette::Diagnostic;
use serde_json::json;

use super::ahead::ahead;
use super::argument_types::argument_types;
use super::engine::CedarPolicies;
use super::loaded::{Loaded, Words};

/// Bytes of one file of policies: some two thousand of them, which are read in a second.
const FILE_BYTES_MAX: usize = 1024 * 1024;
/// What policies can read, besides arguments.
const SCHEMA: &str = include_str!("gate.cedarschema");
/// The annotation that names the way in which a person is asked about what a policy permits.
const APPROVAL: &str = "thoughtgate_approval";
/// The annotation with words for whoever is denied.
const REASON: &str = "reason";
/// The annotation that names a policy.
const ID: &str = "id";

/// A file that was read.
pub(crate) struct PolicyFile {
    /// As the gate file names it.
    pub(crate) name: String,
    /// What is in it.
    pub(crate) text: String,
}

/// The policies of these files, checked against a schema of the arguments if there is one. They may
/// name these ways in which people are asked.
///
/// # Errors
/// Everything that is wrong with any, one problem a line.
pub(crate) fn load(
    files: &[PolicyFile],
    arguments: Option<&PolicyFile>,
    workflows: &BTreeSet<String>,
) -> Result<CedarPolicies, Vec<String>> {
    let mut problems = Vec::new();
    let own = SchemaFragment::from_cedarschema_str(SCHEMA);
    let (own, _) = own.map_err(|error| vec![format!("the schema of the gate: {error}")])?;
    let given = arguments.map(|file| given_schema(file, &own));
    let arguments = match given.transpose() {
        Ok(arguments) => arguments,
        Err(problem) => {
            problems.push(problem);
            None
        }
    };
    let mut checker = Checker {
        own,
        arguments,
        workflows,
        problems,
        loaded: Loaded::default(),
    };
    for file in files {
        checker.file(file);
    }
    let (loaded, mut problems) = (checker.loaded, checker.problems);
    if problems.is_empty() && loaded.exact.is_empty() {
        problems.push("there is no policy in any file: nothing would be permitted".to_owned());
    }
    match problems.is_empty() {
        true => CedarPolicies::new(loaded).map_err(|error| vec![error]),
        false => Err(problems),
    }
}

struct Checker<'a> {
    /// What policies can read, besides arguments.
    own: SchemaFragment,
    /// The types of all arguments, where a file gives them.
    arguments: Option<SchemaFragment>,
    workflows: &'a BTreeSet<String>,
    problems: Vec<String>,
    loaded: Loaded,
}

impl Checker<'_> {
    fn file(&mut self, file: &PolicyFile) {
        if file.text.len() > FILE_BYTES_MAX {
            let name = &file.name;
            self.problems
                .push(format!("{name}: has more than {FILE_BYTES_MAX} bytes"));
            return;
        }
        let set: PolicySet = match file.text.parse() {
            Ok(set) => set,
            Err(errors) => {
                let errors: cedar_policy::ParseErrors = errors;
                let messages = errors.iter().map(|error| describe(file, error));
                self.problems.extend(messages);
                return;
            }
        };
        if set.num_of_templates() > 0 {
            self.problems.push(format!(
                "{}: has templates (?principal, ?resource), which nothing here fills in",
                file.name
            ));
        }
        let mut policies: Vec<_> = set.policies().collect();
        // They are numbered as they stand: policy0, policy1, and so on.
        policies.sort_by_key(|policy| (policy.id().to_string().len(), policy.id().to_string()));
        for (at, policy) in policies.into_iter().enumerate() {
            let id = match policy.annotation(ID) {
                Some(id) => id.to_owned(),
                None => format!("{} policy {}", file.name, at + 1),
            };
            let policy = policy.new_id(PolicyId::new(id));
            if let Err(problem) = self.policy(file, policy) {
                self.problems.push(format!("{}: {problem}", file.name));
            }
        }
    }

    fn policy(&mut self, file: &PolicyFile, policy: Policy) -> Result<(), String> {
        let id = policy.id().clone();
        let cannot = |error: &dyn std::fmt::Display| format!("policy `{id}`: {error}");
        let json = policy.to_json().map_err(|error| cannot(&error))?;
        let arguments = match &self.arguments {
            Some(arguments) => arguments.clone(),
            None => {
                let types = json!({"Arguments": argument_types(&json)});
                let types = json!({"ThoughtGate":
                    {"commonTypes": types, "entityTypes": {}, "actions": {}}});
                SchemaFragment::from_json_value(types).map_err(|error| cannot(&error))?
            }
        };
        self.validate(file, &policy, arguments)?;
        let approval = policy.annotation(APPROVAL);
        if let Some(name) = approval.filter(|name| !self.workflows.contains(*name)) {
            let names: Vec<_> = self.workflows.iter().map(String::as_str).collect();
            let there = match names.join(", ").as_str() {
                "" => "approval has none".to_owned(),
                names => format!("there is {names}"),
            };
            return Err(cannot(&format!(
                "@{APPROVAL}: approval has no \"{name}\"; {there} (V-006)"
            )));
        }
        if approval.is_some() && policy.effect() == Effect::Forbid {
            return Err(cannot(&format!(
                "@{APPROVAL} has a meaning on permit only: nobody is asked about what is forbidden"
            )));
        }
        let words = Words {
            place: self.loaded.words.len(),
            approval: approval.map(str::to_owned),
            reason: policy.annotation(REASON).map(str::to_owned),
        };
        if self.loaded.words.insert(id.clone(), words).is_some() {
            return Err(cannot(&"another policy has this @id"));
        }
        let ahead = Policy::from_json(Some(id.clone()), ahead(&json));
        let ahead = ahead.map_err(|error| cannot(&error))?;
        let added = self.loaded.ahead.add(ahead);
        added.map_err(|error| cannot(&error))?;
        let added = self.loaded.exact.add(policy);
        added.map_err(|error| cannot(&error))
    }

    /// Checks a policy where it stands alone, so that arguments of one name may be of several types
    /// in several tools.
    fn validate(
        &mut self,
        file: &PolicyFile,
        policy: &Policy,
        arguments: SchemaFragment,
    ) -> Result<(), String> {
        let schema = Schema::from_schema_fragments([self.own.clone(), arguments]);
        let schema = schema.map_err(|error| format!("the schema: {error}"))?;
        let set = PolicySet::from_policies([policy.clone()]).map_err(|error| error.to_string())?;
        let found = Validator::new(schema).validate(&set, ValidationMode::Strict);
        let errors = found.validation_errors().map(|error| describe(file, error));
        self.problems.extend(errors);
        if found.validation_passed() {
            // A policy that never holds, or that reads otherwise than it looks, is not what its
            // author means.
            let warnings = found.validation_warnings();
            let warnings = warnings.map(|warning| describe(file, warning));
            self.problems.extend(warnings);
        }
        Ok(())
    }
}

/// The types of arguments that a file gives.
fn given_schema(file: &PolicyFile, own: &SchemaFragment) -> Result<SchemaFragment, String> {
    let read = SchemaFragment::from_cedarschema_str(&file.text);
    let (fragment, _) = read.map_err(|error| describe(file, &error))?;
    match Schema::from_schema_fragments([own.clone(), fragment.clone()]) {
        Ok(_) => Ok(fragment),
        Err(error) => Err(format!(
            "{}; the file declares the types of all arguments, as in namespace ThoughtGate {{ type \
             Arguments = {{ amount?: Long }}; }}",
            describe(file, &error)
        )),
    }
}

/// What is wrong, with the place where it begins, on one line.
fn describe(file: &PolicyFile, problem: &dyn Diagnostic) -> String {
    let labels: Vec<_> = problem.labels().into_iter().flatten().collect();
    let begin = labels.iter().map(miette::LabeledSpan::offset).min();
    let before = begin.and_then(|begin| file.text.get(..begin));
    let line = before.map_or(1, |before| before.matches('\n').count() + 1);
    let mut said = format!("{}:{line}: {problem}", file.name);
    for label in labels.iter().filter_map(miette::LabeledSpan::label) {
        said = format!("{said}; {label}");
    }
    if let Some(help) = problem.help() {
        said = format!("{said}; {help}");
    }
    said.replace('\n', " ")
}
