//! Everything that can be set, section by section.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::ConfigError;
use super::sources::Sources;
use crate::domain::limits::Limits;
use crate::domain::theme::Themes;
use crate::domain::token_settings::JwtSettings;

/// Everything that can be set.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Config {
    /// Where the server listens and how it is reached.
    pub server: ServerSettings,
    /// What MCP clients are told.
    pub mcp: McpSettings,
    /// Tokens of an issuer, accepted beside API keys.
    pub jwt: JwtSettings,
    /// How UIs may look.
    pub themes: ThemeSettings,
    /// What the server writes about itself.
    pub logging: LoggingSettings,
    /// Every limit.
    #[serde(flatten)]
    pub limits: Limits,
    /// Who set what.
    #[serde(skip)]
    pub(crate) sources: Sources,
}

impl Config {
    /// Notes where a key was set, for whoever is told that its value is wrong.
    pub fn came_from(&mut self, key: &str, place: &str) {
        self.sources.note(key, place);
    }

    /// The address to listen on, where a flag names one.
    pub fn listen_on(&mut self, flag: Option<String>) {
        if let Some(listen) = flag {
            self.server.listen = listen;
            self.came_from("server.listen", "--listen");
        }
    }

    /// A problem that begins with its key, behind the place where the key was set.
    pub fn blame(&self, problem: String) -> String {
        self.sources.blame(problem)
    }
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
    /// Tools of this server that may feed channels of UIs, separated by commas: of
    /// `ggui_get_render_source`, `ggui_get_session`, `ggui_list_gadgets` and `ggui_list_themes`. A
    /// channel whose contract names one as `source.tool` gets its answers over the person's socket,
    /// poll by poll; empty: none.
    pub local_tools: String,
    /// Whether `/metrics` is for everybody who reaches the server; else it takes a credential, unless
    /// the server is on loopback and no proxy speaks.
    pub metrics_open: bool,
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
            local_tools: String::new(),
            metrics_open: false,
            unlimited: false,
            #[cfg(feature = "conformance")]
            control: String::new(),
        }
    }
}

/// What MCP clients are told.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct McpSettings {
    /// How a call with arguments that do not fit is answered before revision 2026-07-28: `error`, a
    /// JSON-RPC error -32602 as the protocol says, or `result`, a tool result with `isError` and the
    /// same text, for clients that give up on errors. Since 2026-07-28 it is a result.
    pub invalid_arguments: InvalidArguments,
}

/// How a call with arguments that do not fit is answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum InvalidArguments {
    /// A JSON-RPC error.
    #[default]
    Error,
    /// A tool result.
    Result,
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
