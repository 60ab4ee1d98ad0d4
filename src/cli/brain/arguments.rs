//! The verbs of the page store: one for each tool, with its arguments, as the table of operations
//! has them; and two for folders of files.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, Error, FromArgMatches, Subcommand, value_parser};
use serde_json::{Map, Value};

use super::super::examples::BRAIN_EXAMPLES;
use crate::domain::operation::table;

/// The tools of the page store have it before their names, and nothing else has.
const PREFIX: &str = "brain_";
const EXPORT: &str = "export";
const IMPORT: &str = "import";
const FOLDER: &str = "folder";
const COLLECTION: &str = "collection";

/// What is done with the pages.
pub(in super::super) enum BrainVerb {
    /// A tool is called.
    Tool {
        /// The tool.
        name: &'static str,
        /// Its arguments; a text `-` stands for standard input.
        arguments: Map<String, Value>,
    },
    /// Pages are written to files.
    Export {
        /// Where.
        folder: PathBuf,
        /// Which; none for the one that takes new pages.
        collection: Option<String>,
    },
    /// Files are put into pages.
    Import {
        /// From where.
        folder: PathBuf,
        /// Where to; none for the collection that takes new pages.
        collection: Option<String>,
    },
}

/// An argument of a tool, as its schema describes it.
struct Parameter {
    name: String,
    help: String,
    kind: Kind,
    is_required: bool,
}

/// What an argument is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Flag,
    Json,
    Number,
    Text,
    Texts,
}

impl Parameter {
    /// The arguments of a tool, in the order of its schema.
    fn of(schema: &Value) -> Vec<Self> {
        let required = schema["required"].as_array();
        let properties = schema["properties"].as_object().into_iter().flatten();
        let parameter = |(name, property): (&String, &Value)| Self {
            name: name.clone(),
            help: property["description"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            kind: Kind::of(property),
            is_required: required.is_some_and(|all| all.iter().any(|one| one == name.as_str())),
        };
        properties.map(parameter).collect()
    }

    /// Its id among the arguments of the verb, where flags of all verbs have theirs.
    fn id(&self) -> String {
        format!("{PREFIX}{}", self.name)
    }

    /// What is required stands in the order of the schema, and everything else is named.
    fn to_arg(&self) -> Arg {
        let arg = Arg::new(self.id()).help(self.help.clone());
        let value_name = self.name.to_uppercase();
        let arg = match self.kind {
            Kind::Flag => return arg.long(dashed(&self.name)).action(ArgAction::SetTrue),
            Kind::Number => arg.value_parser(value_parser!(i64)),
            Kind::Texts => arg.action(ArgAction::Append),
            Kind::Json => arg.value_parser(|text: &str| serde_json::from_str::<Value>(text)),
            Kind::Text => arg,
        };
        if self.is_required {
            arg.required(true).value_name(value_name)
        } else {
            arg.long(dashed(&self.name)).value_name(value_name)
        }
    }

    /// What was given for it.
    fn value(&self, given: &ArgMatches) -> Option<Value> {
        let id = self.id();
        match self.kind {
            Kind::Flag => given.get_flag(&id).then_some(Value::Bool(true)),
            Kind::Number => given.get_one::<i64>(&id).map(|number| (*number).into()),
            Kind::Text => given.get_one::<String>(&id).cloned().map(Value::from),
            Kind::Texts => {
                let texts = given.get_many::<String>(&id)?;
                Some(texts.cloned().collect())
            }
            Kind::Json => given.get_one::<Value>(&id).cloned(),
        }
    }
}

impl Kind {
    fn of(property: &Value) -> Self {
        let types = match &property["type"] {
            Value::Array(types) => types
                .iter()
                .find_map(|one| one.as_str().filter(|one| *one != "null")),
            one => one.as_str(),
        };
        match types {
            Some("array") => Self::Texts,
            Some("boolean") => Self::Flag,
            Some("integer") => Self::Number,
            Some("string") => Self::Text,
            _ => Self::Json,
        }
    }
}

/// The tools, each with the name of its verb and its arguments.
fn tools() -> impl Iterator<Item = (&'static str, String, Vec<Parameter>)> {
    let schemas = table::input_schemas().into_iter();
    schemas.filter_map(|(name, schema)| {
        let verb = dashed(name.strip_prefix(PREFIX)?);
        Some((name, verb, Parameter::of(&schema)))
    })
}

fn dashed(name: &str) -> String {
    name.replace('_', "-")
}

/// A verb for the files of a folder.
fn of_folder(name: &'static str, about: &'static str, folder: &'static str) -> Command {
    let folder = Arg::new(FOLDER)
        .help(folder)
        .value_name("DIR")
        .required(true)
        .value_parser(value_parser!(PathBuf));
    let collection = Arg::new(COLLECTION)
        .long(COLLECTION)
        .value_name("COLLECTION")
        .help("The collection; the one that takes new pages if left out");
    Command::new(name)
        .about(about)
        .after_help(BRAIN_EXAMPLES)
        .args([folder, collection])
}

impl Subcommand for BrainVerb {
    fn augment_subcommands(command: Command) -> Command {
        let tools = tools().map(|(name, verb, parameters)| {
            let about = table::row(name).map_or("", |row| row.description);
            Command::new(verb)
                .about(about)
                .after_help(BRAIN_EXAMPLES)
                .args(parameters.iter().map(Parameter::to_arg))
        });
        let export = of_folder(
            EXPORT,
            "Write the pages of a collection to files, SLUG.md each, as they were written",
            "Folder of the files; made if it is not there",
        );
        let import = of_folder(
            IMPORT,
            "Put the files SLUG.md of a folder into the pages of a collection; pages that say \
             something else are changed",
            "Folder of the files",
        );
        command
            .arg_required_else_help(true)
            .subcommands(tools)
            .subcommands([import, export])
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        name == EXPORT || name == IMPORT || tools().any(|(_, verb, _)| verb == name)
    }
}

impl FromArgMatches for BrainVerb {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let unknown = || Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (verb, given) = matches.subcommand().ok_or_else(unknown)?;
        let folder = || {
            given
                .get_one::<PathBuf>(FOLDER)
                .cloned()
                .unwrap_or_default()
        };
        let collection = || given.get_one::<String>(COLLECTION).cloned();
        if verb == EXPORT {
            let (folder, collection) = (folder(), collection());
            return Ok(Self::Export { folder, collection });
        }
        if verb == IMPORT {
            let (folder, collection) = (folder(), collection());
            return Ok(Self::Import { folder, collection });
        }
        let mut tools = tools();
        let (name, _, parameters) = tools
            .find(|(_, known, _)| known == verb)
            .ok_or_else(unknown)?;
        let arguments = parameters.into_iter();
        let arguments = arguments
            .filter_map(|parameter| Some((parameter.name.clone(), parameter.value(given)?)));
        Ok(Self::Tool {
            name,
            arguments: arguments.collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
