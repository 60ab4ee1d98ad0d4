//! Loads the configuration from defaults, a file and the environment, in that order; and prints it.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use serde_json::Value;
use toml::Table;

use super::error::ConfigError;
use super::settings::Config;

/// Prefix of every environment variable that is read.
const ENV_PREFIX: &str = "PROSCENIUM_";

impl Config {
    /// Loads defaults, then a file, then the environment.
    ///
    /// # Errors
    /// The file cannot be read, or a key or value is wrong; all problems are reported at once.
    pub fn load(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let (config, problems) = Self::read(file, environment)?;
        if problems.is_empty() {
            Ok(config)
        } else {
            Err(ConfigError::Invalid(problems))
        }
    }

    /// As [`Config::load`], but returns the configuration together with every problem: settings
    /// that were not applied, and what keeps the server from starting with the rest.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn examine(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<(Self, Vec<String>), ConfigError> {
        let (config, mut problems) = Self::read(file, environment)?;
        match config.validate() {
            Err(ConfigError::Invalid(found)) => problems.extend(found),
            Err(error) => problems.push(error.to_string()),
            Ok(()) => {}
        }
        match config.themes.load() {
            Err(ConfigError::Invalid(found)) => problems.extend(found),
            Err(error) => problems.push(config.blame(format!("themes.file: {error}"))),
            Ok(_) => {}
        }
        Ok((config, problems))
    }

    /// Applies the settings that are valid and collects the problems of the others.
    fn read(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<(Self, Vec<String>), ConfigError> {
        let mut loading = Loading::begin()?;
        if let Some(path) = file {
            let text = std::fs::read_to_string(path).map_err(|error| ConfigError::Unreadable {
                path: path.to_owned(),
                reason: error.to_string(),
            })?;
            let place = path.display().to_string();
            match text.parse::<Table>() {
                Ok(given) => loading.set_all(given, &place),
                Err(error) => loading.problems.push(format!(
                    "{place}{}: {}",
                    line_of(&text, error.span()),
                    one_line(error.message())
                )),
            }
        }
        let variables = environment
            .into_iter()
            .filter(|(name, _)| name.starts_with(ENV_PREFIX));
        for (name, value) in variables {
            loading.set_from_environment(&name, &value);
        }
        loading.end()
    }

    /// Prints every key with its description, its variable and its value, as a file that can be
    /// loaded.
    pub fn print(&self) -> String {
        let schema = schemars::schema_for!(Config).to_value();
        let mut text = String::new();
        let Ok(Value::Object(sections)) = serde_json::to_value(self) else {
            return text;
        };
        for (section, values) in &sections {
            let described = &schema["properties"][section];
            let _ = writeln!(text, "# {}\n[{section}]", describe(&schema, described).0);
            for (key, value) in values.as_object().into_iter().flatten() {
                let fields = describe(&schema, described).1;
                let (meaning, _) = describe(&schema, &fields[key]);
                let variable = variable(&format!("{section}.{key}"));
                let _ = writeln!(text, "# {meaning} ({variable})\n{key} = {value}");
            }
            text.push('\n');
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }
}

/// The description of a schema node and its properties, behind a reference or not.
fn describe<'a>(schema: &'a Value, node: &'a Value) -> (String, &'a Value) {
    let target = node
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| schema.pointer(reference.trim_start_matches('#')))
        .unwrap_or(node);
    let own = node
        .get("description")
        .or_else(|| target.get("description"));
    let meaning = own
        .and_then(Value::as_str)
        .unwrap_or_default()
        .replace('\n', " ");
    (
        meaning.trim_end_matches('.').to_owned(),
        &target["properties"],
    )
}

/// The name of the environment variable for a key.
fn variable(key: &str) -> String {
    format!("{ENV_PREFIX}{}", key.replace('.', "_").to_ascii_uppercase())
}

/// A configuration while it is read: only valid settings are applied, so all problems are found.
struct Loading {
    defaults: Table,
    table: Table,
    /// The keys that were set, and where.
    sources: Vec<(String, String)>,
    problems: Vec<String>,
}

impl Loading {
    fn begin() -> Result<Self, ConfigError> {
        let defaults = Table::try_from(Config::default())
            .map_err(|error| ConfigError::Invalid(vec![error.to_string()]))?;
        Ok(Self {
            table: defaults.clone(),
            defaults,
            sources: Vec::new(),
            problems: Vec::new(),
        })
    }

    fn end(self) -> Result<(Config, Vec<String>), ConfigError> {
        let mut config: Config = self
            .table
            .try_into()
            .map_err(|error| ConfigError::Invalid(vec![one_line(error.message())]))?;
        for (key, place) in self.sources {
            config.came_from(&key, &place);
        }
        Ok((config, self.problems))
    }

    /// Applies all settings of a file.
    fn set_all(&mut self, given: Table, place: &str) {
        for (section, values) in given {
            let is_known = self.defaults.contains_key(&section);
            match values {
                toml::Value::Table(values) if is_known => {
                    for (key, value) in values {
                        self.set(&section, &key, value, place);
                    }
                }
                _ if is_known => self.refuse(place, &section, "is a table"),
                _ => self.refuse(place, &section, "unknown key"),
            }
        }
    }

    fn set_from_environment(&mut self, name: &str, text: &str) {
        let sections = self.defaults.iter();
        let keys = sections.flat_map(|(section, values)| {
            let values = values.as_table().into_iter().flatten();
            values.map(move |(key, standing)| (section, key, standing))
        });
        let mut keys = keys;
        let named = |(section, key, _): &(&String, &String, &toml::Value)| {
            variable(&format!("{section}.{key}")) == name
        };
        let Some((section, key, standing)) = keys.find(named) else {
            let why = "unknown variable; `proscenium config print` lists all";
            self.problems.push(format!("{name}: {why}"));
            return;
        };
        let value = match standing {
            toml::Value::Boolean(_) => text.parse().ok().map(toml::Value::Boolean),
            toml::Value::Integer(_) => text.parse().ok().map(toml::Value::Integer),
            _ => None,
        };
        // A text that does not parse as the expected type is kept as text for the message.
        let value = value.unwrap_or_else(|| toml::Value::String(text.to_owned()));
        let (section, key) = (section.clone(), key.clone());
        self.set(&section, &key, value, name);
    }

    /// Sets one key, if the key exists and the value is valid.
    fn set(&mut self, section: &str, key: &str, value: toml::Value, place: &str) {
        let name = format!("{section}.{key}");
        let standing = self
            .defaults
            .get(section)
            .and_then(|values| values.get(key));
        let Some(standing) = standing else {
            self.refuse(
                place,
                &name,
                "unknown key; `proscenium config print` lists all",
            );
            return;
        };
        if !standing.same_type(&value) {
            let (must, is) = (standing.type_str(), value.type_str());
            self.refuse(place, &name, &format!("must be {must}, is {is}"));
            return;
        }
        let put = |table: &mut Table, value| {
            if let Some(values) = table.get_mut(section).and_then(toml::Value::as_table_mut) {
                values.insert(key.to_owned(), value);
            }
        };
        // All other settings have their defaults, so a problem is due to this one.
        let mut alone = self.defaults.clone();
        put(&mut alone, value.clone());
        match alone.try_into::<Config>() {
            Err(error) => self.refuse(place, &name, &one_line(error.message())),
            Ok(_) => {
                put(&mut self.table, value);
                self.sources.push((name, place.to_owned()));
            }
        }
    }

    fn refuse(&mut self, place: &str, key: &str, why: &str) {
        self.problems.push(format!("{place}: {key}: {why}"));
    }
}

/// The line number of an error, formatted to follow a file's name.
fn line_of(text: &str, span: Option<Range<usize>>) -> String {
    let before = span.and_then(|span| text.get(..span.start));
    before.map_or_else(String::new, |before| {
        format!(":{}", before.matches('\n').count() + 1)
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::settings::LogFormat;
    use super::*;

    fn load(variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
        let variables = variables
            .iter()
            .map(|(name, value)| ((*name).into(), (*value).into()));
        Config::load(None, variables)
    }

    #[test]
    fn every_key_is_also_an_environment_variable() {
        let config = load(&[
            ("PROSCENIUM_HANDSHAKES_TTL_S", "7"),
            ("PROSCENIUM_SERVER_LISTEN", "127.0.0.1:0"),
            ("PROSCENIUM_LOGGING_FORMAT", "json"),
            ("HOME", "ignored"),
        ])
        .unwrap();
        assert_eq!(config.limits.handshakes.ttl_s, 7);
        assert_eq!(config.server.listen, "127.0.0.1:0");
        assert_eq!(config.logging.format, LogFormat::Json);
    }

    #[test]
    fn every_problem_is_reported_at_once() {
        let Err(ConfigError::Invalid(problems)) = load(&[
            ("PROSCENIUM_HANDSHAKES_TTL", "7"),
            ("PROSCENIUM_HANDSHAKES_TTL_S", "soon"),
            ("PROSCENIUM_LOGGING_FORMAT", "xml"),
        ]) else {
            panic!("accepted")
        };
        assert_eq!(problems.len(), 3, "{problems:?}");
    }

    #[test]
    fn what_is_printed_can_be_loaded_and_is_the_same() {
        let printed = Config::default().print();
        let mut loading = Loading::begin().unwrap();
        loading.set_all(printed.parse().unwrap(), "printed");
        loading.sources.clear();
        let (config, problems) = loading.end().unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(config, Config::default());
        assert!(
            printed.contains("PROSCENIUM_SERVER_PUBLIC_URL"),
            "{printed}"
        );
        assert!(
            !printed.contains("#  ("),
            "every key has a meaning: {printed}"
        );
    }
}
