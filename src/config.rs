//! The configuration: one struct made of the parts' settings, from defaults, a file and the
//! environment, in that order. Unknown keys are refused, and every problem is told at once.

use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use http::Uri;
use ipnet::IpNet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toml::Table;

use crate::domain::limits::Limits;
use crate::domain::theme::Themes;
pub use crate::domain::token_settings::JwtSettings;

/// Prefix of every environment variable that is read.
const ENV_PREFIX: &str = "PROSCENIUM_";
/// Least room for headers the HTTP library works with.
const HEADER_BYTES_MIN: usize = 8 << 10;

/// Everything that can be set.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Config {
    /// Where the server listens and how it is reached.
    pub server: ServerSettings,
    /// Tokens of an issuer, accepted beside API keys.
    pub jwt: JwtSettings,
    /// How UIs may look.
    pub themes: ThemeSettings,
    /// What the server writes about itself.
    pub logging: LoggingSettings,
    /// Every limit.
    #[serde(flatten)]
    pub limits: Limits,
}

/// Where the server listens and how it is reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ServerSettings {
    /// Address and port; anything but loopback needs a keys file.
    pub listen: String,
    /// Scheme and host under which people and agents reach the server; empty: the listen address.
    pub public_url: String,
    /// File of API keys, made by `proscenium keys create`; empty: the dev identity on loopback.
    pub keys_file: PathBuf,
    /// Seconds between two looks at the keys file: a key that was revoked opens nothing after that.
    pub keys_reread_s: u64,
    /// Proxies in front of this server, addresses or networks, separated by commas; only they are
    /// believed when X-Forwarded-For says whom they speak for.
    pub trusted_proxies: String,
    /// Pages of others that may embed renders, origins such as `https://shop.example.org` or
    /// `https://*.example.org`, separated by commas; `*` is everybody. Pages of this server always may,
    /// and pages of this machine while the server is on loopback without a public URL. The stage is
    /// never embedded by others.
    pub embedders: String,
    /// Takes rates and counts out of the way; for benchmarks only.
    pub unlimited: bool,
    /// Loopback address on which a conformance suite asks for its sessions; empty: none.
    #[cfg(feature = "conformance")]
    pub control: String,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            listen: "127.0.0.1:6781".to_owned(),
            public_url: String::new(),
            keys_file: PathBuf::new(),
            keys_reread_s: 1,
            trusted_proxies: String::new(),
            embedders: String::new(),
            unlimited: false,
            #[cfg(feature = "conformance")]
            control: String::new(),
        }
    }
}

/// How UIs may look.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ThemeSettings {
    /// File of themes (`[[theme]]` tables) offered beside the built-in ones; empty: none.
    pub file: PathBuf,
}

impl ThemeSettings {
    /// The themes on offer.
    ///
    /// # Errors
    /// The file cannot be read, or a theme is not sound; all problems are told at once.
    pub(crate) fn load(&self) -> Result<Themes, ConfigError> {
        let own = if self.file.as_os_str().is_empty() {
            String::new()
        } else {
            std::fs::read_to_string(&self.file).map_err(|error| ConfigError::Unreadable {
                path: self.file.clone(),
                reason: error.to_string(),
            })?
        };
        let place = self.file.display();
        Themes::load(&own).map_err(|problems| {
            let problems = problems.into_iter();
            ConfigError::Invalid(
                problems
                    .map(|problem| format!("{place}: {problem}"))
                    .collect(),
            )
        })
    }
}

/// What the server writes about itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LoggingSettings {
    /// `text` or `json`.
    pub format: LogFormat,
    /// Least severe level, or a filter such as `proscenium=debug,warn`.
    pub level: String,
    /// Whether every answer is a line of the log: method, route, status, time; never a query.
    pub access: bool,
}

impl Default for LoggingSettings {
    fn default() -> Self {
        Self {
            format: LogFormat::Text,
            level: "info".to_owned(),
            access: false,
        }
    }
}

/// How log lines are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// For machines: one object a line.
    Json,
}

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// Keys or values are wrong: all of them.
    #[error("{}", .0.join("; "))]
    Invalid(Vec<String>),
}

/// Whether an address is a scheme and a host, and nothing else.
fn is_site(url: &Uri) -> bool {
    matches!(url.scheme_str(), Some("http" | "https"))
        && url.host().is_some_and(|host| !host.is_empty())
        && url.path_and_query().is_none_or(|path| path.as_str() == "/")
}

/// Whether a policy can name it: a site whose host is plain letters, with a `*.` in front at most.
fn is_origin(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let host = rest.strip_prefix("*.").unwrap_or(rest);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:/".contains(&byte);
    host.bytes().all(is_plain)
        && format!("{scheme}://{host}")
            .parse::<Uri>()
            .is_ok_and(|url| is_site(&url))
}

/// What of a configuration the server needs in a form of its own.
#[derive(Debug, Clone)]
pub(crate) struct Checked {
    pub(crate) listen: SocketAddr,
    pub(crate) public_url: Option<Uri>,
    pub(crate) trusted_proxies: Vec<IpNet>,
    pub(crate) embedders: Vec<String>,
}

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

    /// Says whether the server would start with this.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn validate(&self) -> Result<(), ConfigError> {
        self.check().map(|_| ())
    }

    /// Reads the values that have a form of their own; all that is wrong with them at once.
    pub(crate) fn check(&self) -> Result<Checked, ConfigError> {
        let mut problems = Vec::new();
        let listen = self.server.listen.parse::<SocketAddr>();
        if listen.is_err() {
            problems.push(format!(
                "server.listen: \"{}\" is no address and port, such as 127.0.0.1:6781",
                self.server.listen
            ));
        }
        let public_url = match self.server.public_url.as_str() {
            "" => None,
            text => {
                let url = text.parse::<Uri>().ok().filter(is_site);
                if url.is_none() {
                    problems.push(format!(
                        "server.public_url: \"{text}\" is no scheme and host, such as \
                         https://ui.example.org"
                    ));
                }
                url
            }
        };
        problems.extend(self.jwt.problems());
        let trusted_proxies = self.trusted_proxies(&mut problems);
        let embedders = self.embedders(&mut problems);
        if self.limits.http.header_bytes_max < HEADER_BYTES_MIN {
            problems.push(format!(
                "http.header_bytes_max: at least {HEADER_BYTES_MIN}"
            ));
        }
        if let Ok(listen) = &listen
            && self.is_open()
        {
            if !listen.ip().is_loopback() {
                problems.push(format!(
                    "server.listen: {listen} is reachable from other machines and needs \
                     server.keys_file or jwt.issuer; make a keys file with: proscenium keys create --app NAME \
                     --keys-file keys.toml"
                ));
            } else if !self.server.public_url.is_empty() {
                problems.push(
                    "server.public_url: a public address needs server.keys_file or jwt.issuer; make \
                     a keys file with: proscenium keys create --app NAME --keys-file keys.toml"
                        .to_owned(),
                );
            }
        }
        match listen {
            Ok(listen) if problems.is_empty() => Ok(Checked {
                listen,
                public_url,
                trusted_proxies,
                embedders,
            }),
            _ => Err(ConfigError::Invalid(problems)),
        }
    }

    /// Whether nobody needs a credential.
    pub(crate) fn is_open(&self) -> bool {
        self.server.keys_file.as_os_str().is_empty() && !self.jwt.is_on()
    }

    /// Origins as a browser's policy names them.
    fn embedders(&self, problems: &mut Vec<String>) -> Vec<String> {
        let texts = self.server.embedders.split(',').map(str::trim);
        let mut embedders = Vec::new();
        for text in texts.filter(|text| !text.is_empty()) {
            if text == "*" || is_origin(text) {
                embedders.push(text.trim_end_matches('/').to_owned());
            } else {
                problems.push(format!(
                    "server.embedders: \"{text}\" is no scheme and host, such as \
                     https://shop.example.org"
                ));
            }
        }
        embedders
    }

    /// The proxies, as addresses or as networks.
    fn trusted_proxies(&self, problems: &mut Vec<String>) -> Vec<IpNet> {
        let texts = self.server.trusted_proxies.split(',').map(str::trim);
        let mut proxies = Vec::new();
        for text in texts.filter(|text| !text.is_empty()) {
            let address = text.parse::<IpAddr>().map(IpNet::from);
            match text.parse::<IpNet>().or(address) {
                Ok(net) => proxies.push(net),
                Err(_) => problems.push(format!(
                    "server.trusted_proxies: \"{text}\" is no address or network, such as \
                     10.0.0.0/8"
                )),
            }
        }
        proxies
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

    #[test]
    fn embedders_are_origins_that_cannot_leave_their_directive() {
        let embedders = |text: &str| {
            let mut config = Config::default();
            config.server.embedders = text.into();
            config.check().map(|checked| checked.embedders)
        };
        let good = "https://shop.example.org, https://*.example.org:8443/,*";
        assert_eq!(
            embedders(good).unwrap(),
            [
                "https://shop.example.org",
                "https://*.example.org:8443",
                "*"
            ]
        );
        for bad in [
            "shop.example.org",
            "https://a.example; script-src *",
            "https://a.example/path",
            "https://*",
            "https://a.example 'self'",
            "data:",
            "https://u@a.example",
        ] {
            assert!(embedders(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_bind_that_others_can_reach_needs_keys() {
        let mut config = Config::default();
        config.server.listen = "0.0.0.0:6781".into();
        assert!(config.check().is_err());
        config.server.keys_file = "keys.toml".into();
        assert!(config.check().is_ok());
    }
}
