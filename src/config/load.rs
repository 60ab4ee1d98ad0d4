//! Reads the configuration: defaults, a file and the environment, in that order; and writes it down.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;
use toml::Table;

use super::error::ConfigError;
use super::settings::Config;

/// Prefix of every environment variable that is read.
const ENV_PREFIX: &str = "PROSCENIUM_";

impl Config {
    /// Defaults, then a file, then the environment.
    ///
    /// # Errors
    /// The file cannot be read, or a key or value is wrong; all problems are told at once.
    pub fn load(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let mut table = Table::try_from(Self::default())
            .map_err(|error| ConfigError::Invalid(vec![error.to_string()]))?;
        let mut problems = Vec::new();
        if let Some(path) = file {
            let text = std::fs::read_to_string(path).map_err(|error| ConfigError::Unreadable {
                path: path.to_owned(),
                reason: error.to_string(),
            })?;
            match text.parse::<Table>() {
                Ok(given) => overlay(&mut table, given, "", &mut problems),
                Err(error) => {
                    problems.push(format!("{}: {}", path.display(), one_line(error.message())));
                }
            }
        }
        let variables = environment
            .into_iter()
            .filter(|(name, _)| name.starts_with(ENV_PREFIX));
        for (name, value) in variables {
            set_from_environment(&mut table, &name, &value, &mut problems);
        }
        let config: Option<Self> = match table.try_into() {
            Ok(config) => Some(config),
            Err(error) => {
                problems.push(one_line(error.message()));
                None
            }
        };
        match config {
            Some(config) if problems.is_empty() => Ok(config),
            _ => Err(ConfigError::Invalid(problems)),
        }
    }

    /// Every key with its meaning, its variable and its value, as a file that could be loaded.
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

/// The description of a schema node and the properties it has, behind a reference or not.
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

/// The environment variable of a key.
fn variable(key: &str) -> String {
    format!("{ENV_PREFIX}{}", key.replace('.', "_").to_ascii_uppercase())
}

/// Puts what is given over what stands; a key that does not stand there is unknown.
fn overlay(table: &mut Table, given: Table, path: &str, problems: &mut Vec<String>) {
    for (key, value) in given {
        let name = if path.is_empty() {
            key.clone()
        } else {
            format!("{path}.{key}")
        };
        match (table.get_mut(&key), value) {
            (None, _) => problems.push(format!("{name}: unknown key")),
            (Some(toml::Value::Table(inner)), toml::Value::Table(value)) => {
                overlay(inner, value, &name, problems);
            }
            (Some(toml::Value::Table(_)), _) => problems.push(format!("{name}: is a table")),
            (Some(standing), value) if standing.same_type(&value) => *standing = value,
            (Some(standing), value) => problems.push(format!(
                "{name}: must be {}, is {}",
                standing.type_str(),
                value.type_str()
            )),
        }
    }
}

fn set_from_environment(table: &mut Table, name: &str, text: &str, problems: &mut Vec<String>) {
    for (section, values) in table.iter_mut() {
        for (key, standing) in values.as_table_mut().into_iter().flatten() {
            if variable(&format!("{section}.{key}")) != name {
                continue;
            }
            let value = match standing {
                toml::Value::String(_) => Some(toml::Value::String(text.to_owned())),
                toml::Value::Boolean(_) => text.parse().ok().map(toml::Value::Boolean),
                toml::Value::Integer(_) => text.parse().ok().map(toml::Value::Integer),
                _ => None,
            };
            match value {
                Some(value) => *standing = value,
                None => problems.push(format!("{name}: must be {}", standing.type_str())),
            }
            return;
        }
    }
    problems.push(format!(
        "{name}: unknown variable; `proscenium config print` lists all"
    ));
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
    fn every_problem_is_told_at_once() {
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
        let mut table = Table::try_from(Config::default()).unwrap();
        let mut problems = Vec::new();
        overlay(&mut table, printed.parse().unwrap(), "", &mut problems);
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(table.try_into::<Config>().unwrap(), Config::default());
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
