//! All settings, section by section.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::ConfigError;
use super::sources::Sources;
use crate::domain::brain::{EmbedderKind, EmbedderSettings, JournalDepth};
use crate::domain::limits::Limits;
use crate::domain::model_settings::ModelSettings;
use crate::domain::store_settings::StoreSettings;
use crate::domain::theme::Themes;
use crate::domain::token_settings::JwtSettings;

/// All settings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Config {
    /// Where the server listens and how it is reached.
    pub server: ServerSettings,
    /// Where everything is kept.
    pub store: StoreSettings,
    /// How MCP clients are answered.
    pub mcp: McpSettings,
    /// How the stage calls a person.
    pub stage: StageSettings,
    /// The model that may draw views, and its provider.
    pub model: ModelSettings,
    /// The page store.
    pub brain: BrainSettings,
    /// Tokens of an issuer, accepted beside API keys.
    pub jwt: JwtSettings,
    /// Themes of UIs.
    pub themes: ThemeSettings,
    /// Logging.
    pub logging: LoggingSettings,
    /// Every limit.
    #[serde(flatten)]
    pub limits: Limits,
    /// Where each key was set.
    #[serde(skip)]
    pub(crate) sources: Sources,
}

impl Config {
    /// Records where a key was set, for messages about its value.
    pub fn came_from(&mut self, key: &str, place: &str) {
        self.sources.note(key, place);
    }

    /// Sets the address to listen on, if a flag names one.
    pub fn listen_on(&mut self, flag: Option<String>) {
        if let Some(listen) = flag {
            self.server.listen = listen;
            self.came_from("server.listen", "--listen");
        }
    }

    /// Sets where everything is kept, if flags say so.
    pub fn keep_in(&mut self, data: Option<PathBuf>, ephemeral: bool) {
        if let Some(data) = data {
            self.store.data = data;
            self.store.url = String::new();
            self.came_from("store.data", "--data");
        }
        if ephemeral {
            self.store.ephemeral = true;
            self.store.url = String::new();
            self.came_from("store.ephemeral", "--ephemeral");
        }
    }

    /// Sets the address of a store that several servers share, if a flag names one.
    pub fn share_at(&mut self, url: Option<String>) {
        if let Some(url) = url {
            self.store.url = url;
            self.store.data = PathBuf::new();
            self.store.ephemeral = false;
            self.came_from("store.url", "--store");
        }
    }

    /// Prefixes a problem, which begins with its key, with the place where the key was set.
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
    /// File of API keys, created by `proscenium keys create`; empty: the dev identity on loopback.
    pub keys_file: PathBuf,
    /// Seconds between two reads of the keys file; a revoked key stops working within that time.
    pub keys_reread_s: u64,
    /// Proxies in front of this server, addresses or networks, separated by commas; X-Forwarded-For
    /// is only trusted from them.
    pub trusted_proxies: String,
    /// Origins of pages that may embed renders, such as `https://shop.example.org` or
    /// `https://*.example.org`, separated by commas; `*` allows every page. Pages of this server
    /// always may, and pages of this machine while the server is on loopback without a public URL.
    /// The stage can never be embedded by others.
    pub embedders: String,
    /// Tools of this server that may feed channels of UIs, separated by commas: any of
    /// `ggui_get_render_source`, `ggui_get_session`, `ggui_list_gadgets` and `ggui_list_themes`. A
    /// channel whose contract names one as `source.tool` is polled over the person's socket; empty:
    /// none.
    pub local_tools: String,
    /// File of MCP servers behind the gate at `/mcp/gate`, and of what may be used of them; empty:
    /// there is no gate. A changed file is read within `gate.reread_s`.
    #[cfg(feature = "gate")]
    pub gate_file: PathBuf,
    /// Tools that `/mcp` and standard input list: `ggui`; with `+brain` those of the page store, too,
    /// and with `+gate` those behind the gate, where there is one, as in `ggui+brain+gate`.
    /// `/mcp/brain` and `/mcp/gate` always have their own alone.
    pub mcp_tools: McpTools,
    /// Whether `/metrics` needs no credential. Otherwise it needs one, unless the server is on
    /// loopback and the request did not come through a proxy.
    pub metrics_open: bool,
    /// Removes all limits of rates and counts; for benchmarks only.
    pub unlimited: bool,
    /// Loopback address on which a conformance suite creates its sessions; empty: none.
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
            #[cfg(feature = "gate")]
            gate_file: PathBuf::new(),
            mcp_tools: McpTools::default(),
            metrics_open: false,
            unlimited: false,
            #[cfg(feature = "conformance")]
            control: String::new(),
        }
    }
}

/// How MCP clients are answered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct McpSettings {
    /// How a call with invalid arguments is answered before revision 2026-07-28: `error`, a
    /// JSON-RPC error -32602 as the protocol says, or `result`, a tool result with `isError` and
    /// the same text, for clients that stop at errors. Since 2026-07-28 it is always a result.
    pub invalid_arguments: InvalidArguments,
}

/// How a call with invalid arguments is answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum InvalidArguments {
    /// A JSON-RPC error.
    #[default]
    Error,
    /// A tool result.
    Result,
}

/// How the stage calls a person.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StageSettings {
    /// Whether a server on loopback that needs no key opens the stage in a browser: `once`, at the
    /// first render that nobody watches some seconds later, or `never`. Nothing is ever opened where
    /// there is no display.
    pub open: StageOpen,
}

/// Whether the stage is opened for a person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StageOpen {
    /// It is opened by people only.
    Never,
    /// At the first render that nobody watches.
    #[default]
    Once,
}

/// The tools that `/mcp` lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum McpTools {
    /// Those that show UIs.
    #[serde(rename = "ggui")]
    Ggui,
    /// Those of the page store, too.
    #[serde(rename = "ggui+brain")]
    GguiAndBrain,
    /// Those that show UIs and those behind the gate: whoever writes a gate file wants them used.
    #[default]
    #[serde(rename = "ggui+gate")]
    GguiAndGate,
    /// All.
    #[serde(rename = "ggui+brain+gate")]
    All,
}

impl McpTools {
    /// Whether those of the page store are among them.
    pub(crate) fn have_pages(self) -> bool {
        matches!(self, Self::GguiAndBrain | Self::All)
    }

    /// Whether those behind the gate are among them.
    #[cfg(feature = "gate")]
    pub(crate) fn have_gate(self) -> bool {
        matches!(self, Self::GguiAndGate | Self::All)
    }
}

/// The page store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BrainSettings {
    /// File of the pages; empty: `pages.db` in the data folder. Without a data folder, as with
    /// `store.ephemeral` and `store.url`, they are then kept in memory, and gone with the server.
    pub path: PathBuf,
    /// Collections of every app's pages, separated by commas; the first takes new pages that name
    /// none. A name may be followed by `=read-only`, or by `=restoring` or `=needs-full-sync` while
    /// its pages are copied in: then nothing in it is changed.
    pub collections: String,
    /// What the server writes of itself into the first collection: `off`, nothing; `names`, the
    /// blueprints it has shown, what people did by the names of the actions, and approvals; `values`,
    /// with what people gave, without secrets.
    pub journal: JournalDepth,
    /// What turns pages and queries into vectors: `hashed`, words and their parts, with nothing to
    /// load; `table`, a table of vectors of word pieces in the file format of model2vec; or `http`, an
    /// interface of embeddings as OpenAI has it, which many local servers speak, too.
    pub embedder: EmbedderKind,
    /// Folder of the table: `model.safetensors` and `tokenizer.json`.
    pub embedder_path: PathBuf,
    /// Address of the interface, https or on this machine; empty: OpenAI's. `/v1/embeddings` is added
    /// to it. It is sent the text of every page and every query, and nothing else is.
    pub embedder_url: String,
    /// The model of the interface.
    pub embedder_model: String,
    /// File of the interface's key; empty: the environment variable `OPENAI_API_KEY`. A server under
    /// an address of its own may need none.
    pub embedder_key_file: PathBuf,
    /// How alike a page has to be that shares no word with a query: the cosine of both vectors, up to
    /// 1, where they are the same. 0: what suits the embedder, 0.15 for `hashed` and 0.3 for the others.
    /// Models differ: where one finds what has nothing to do with a query, it has to be more.
    pub embedder_cosine_min: f64,
}

impl BrainSettings {
    /// What turns pages into vectors.
    pub(crate) fn embedding(&self) -> EmbedderSettings<'_> {
        EmbedderSettings {
            kind: self.embedder,
            path: &self.embedder_path,
            url: &self.embedder_url,
            model: &self.embedder_model,
            key_file: &self.embedder_key_file,
            cosine_min: self.embedder_cosine_min,
        }
    }
}

impl Default for BrainSettings {
    fn default() -> Self {
        Self {
            path: PathBuf::new(),
            collections: "default".to_owned(),
            journal: JournalDepth::default(),
            embedder: EmbedderKind::default(),
            embedder_path: PathBuf::new(),
            embedder_url: String::new(),
            embedder_model: String::new(),
            embedder_key_file: PathBuf::new(),
            embedder_cosine_min: 0.0,
        }
    }
}

/// Themes of UIs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ThemeSettings {
    /// File of themes (`[[theme]]` tables) offered beside the built-in ones; empty: none.
    pub file: PathBuf,
}

impl ThemeSettings {
    /// Loads the offered themes.
    ///
    /// # Errors
    /// The file cannot be read, or a theme is invalid; all problems are reported at once.
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

/// Logging.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LoggingSettings {
    /// `text` or `json`.
    pub format: LogFormat,
    /// Least severe level, or a filter such as `proscenium=debug,warn`.
    pub level: String,
    /// Whether every response is logged: method, route, status, time; never a query string.
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

/// The format of log lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// For machines: one JSON object per line.
    Json,
}
