//! Reads the files of policies that a gate file names.

use std::path::Path;
use std::sync::Arc;

use crate::adapters::cedar::{PolicyFile, load};
use crate::domain::gate::{GateFile, Policies};

/// The policies that a gate file asks, and what their files say: with it one version of the rules is
/// told from another.
#[derive(Default)]
pub(super) struct ReadPolicies {
    /// None where the file names none, or where anything is wrong with them.
    pub(super) policies: Option<Arc<dyn Policies>>,
    pub(super) texts: Vec<String>,
}

impl ReadPolicies {
    /// Reads the files, which stand beside the gate file, and adds everything that is wrong with any.
    pub(super) fn of(file: &GateFile, folder: &Path, problems: &mut Vec<String>) -> Self {
        let Some(cedar) = file.cedar() else {
            return Self::default();
        };
        let before = problems.len();
        if cedar.policies.is_empty() {
            problems.push("cedar.policies: names no file".to_owned());
        }
        let mut read = |path: &str, name: &String| {
            let text = std::fs::read_to_string(folder.join(name)).map_err(|error| {
                problems.push(format!(
                    "{path}: \"{name}\" cannot be read: {error} (V-013)"
                ));
            });
            text.ok().map(|text| PolicyFile {
                name: name.clone(),
                text,
            })
        };
        let files = cedar.policies.iter().enumerate();
        let files = files.filter_map(|(at, name)| read(&format!("cedar.policies.{at}"), name));
        let files: Vec<_> = files.collect();
        let schema = cedar.schema.as_ref();
        let schema = schema.and_then(|name| read("cedar.schema", name));
        let policies = match load(&files, schema.as_ref(), &file.workflows()) {
            _ if problems.len() > before && files.is_empty() => None,
            Ok(policies) => Some(Arc::new(policies) as Arc<dyn Policies>),
            Err(found) => {
                problems.extend(found);
                None
            }
        };
        Self {
            policies,
            texts: files
                .into_iter()
                .chain(schema)
                .map(|file| file.text)
                .collect(),
        }
    }
}
