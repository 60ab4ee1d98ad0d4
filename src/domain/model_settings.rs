//! Settings of the model that may draw views, and of its provider.

use std::fmt;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::generation::Prices;

/// The model that may draw views, and its provider.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ModelSettings {
    /// Whose interface is spoken: `none`, every view is composed; `openai`, which many providers and
    /// local servers speak, too; or `anthropic`.
    pub provider: Provider,
    /// Address of the interface, https or on this machine; empty: that of the provider itself. The
    /// path of a request, such as `/v1/chat/completions`, is added to it.
    pub url: String,
    /// The model.
    pub name: String,
    /// Other models that a render may name in `infra.model`, separated by commas.
    pub others: String,
    /// File of the provider's key; empty: the environment variable `OPENAI_API_KEY` or
    /// `ANTHROPIC_API_KEY`. A server on this machine may need none.
    pub key_file: PathBuf,
    /// Entry of the system's keyring that holds the key, as `SERVICE/USER`, such as
    /// `proscenium/openai`; `proscenium config keep-key` puts it there. Empty: it is not in the
    /// keyring. Needs a program that was built with the feature `keyring`.
    pub keyring: String,
    /// Whether the provider is sent the props of the render and the examples of the contract, which
    /// may tell something of a person. Otherwise it sees what the data look like and none of them.
    pub sends_values: bool,
    /// Whether the model, once its choice holds, may draw the page itself, of any components of the
    /// catalog. That takes a second, longer question of each page.
    pub free_views: bool,
    /// Price of a million tokens that are sent, in millionths of a US dollar: 150000 is $0.15.
    pub prompt_price: u64,
    /// Price of a million tokens that are received, in millionths of a US dollar.
    pub answer_price: u64,
}

/// The names under which the system's keyring holds a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyringEntry {
    pub(crate) service: String,
    pub(crate) user: String,
}

impl fmt::Display for KeyringEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.service, self.user)
    }
}

/// Whose interface is spoken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// Nobody's.
    #[default]
    None,
    /// Chat completions, as OpenAI has them.
    OpenAi,
    /// Messages, as Anthropic has them.
    Anthropic,
}

impl Provider {
    /// Its own address.
    pub(crate) fn url(self) -> &'static str {
        match self {
            Self::None => "",
            Self::OpenAi => "https://api.openai.com",
            Self::Anthropic => "https://api.anthropic.com",
        }
    }

    /// The environment variable where its users keep their key.
    #[cfg(feature = "model")]
    pub(crate) fn key_variable(self) -> &'static str {
        match self {
            Self::None => "",
            Self::OpenAi => "OPENAI_API_KEY",
            Self::Anthropic => "ANTHROPIC_API_KEY",
        }
    }

    /// What may stand in front of the name of a model.
    fn prefix(self) -> &'static str {
        match self {
            Self::None => "",
            Self::OpenAi => "openai/",
            Self::Anthropic => "anthropic/",
        }
    }
}

impl ModelSettings {
    /// Whether a model may draw.
    pub(crate) fn is_on(&self) -> bool {
        self.provider != Provider::None
    }

    /// The address of the interface.
    pub(crate) fn base(&self) -> &str {
        let base = match self.url.as_str() {
            "" => self.provider.url(),
            url => url,
        };
        base.trim_end_matches('/')
    }

    /// The models that may draw; the first one does where none is named.
    pub(crate) fn names(&self) -> Vec<&str> {
        let others = self.others.split(',').map(str::trim);
        let others = others.filter(|name| !name.is_empty());
        std::iter::once(self.name.as_str()).chain(others).collect()
    }

    /// The model that a render names, with or without its provider in front, if it may draw.
    pub(crate) fn named<'a>(&'a self, name: &str) -> Option<&'a str> {
        let bare = name.strip_prefix(self.provider.prefix()).unwrap_or(name);
        let mut names = self.names().into_iter();
        names.find(|known| *known == name || *known == bare)
    }

    /// What tokens cost.
    pub(crate) fn prices(&self) -> Prices {
        Prices {
            prompt: self.prompt_price,
            answer: self.answer_price,
        }
    }

    /// The entry of the keyring that holds the key, if one is named.
    pub(crate) fn keyring_entry(&self) -> Option<KeyringEntry> {
        let (service, user) = self.keyring.split_once('/')?;
        let is_named = !service.is_empty() && !user.is_empty();
        is_named.then(|| KeyringEntry {
            service: service.to_owned(),
            user: user.to_owned(),
        })
    }

    /// Every problem of the settings.
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if !self.is_on() {
            return problems;
        }
        if cfg!(not(feature = "model")) {
            problems.push("model.provider: this program was built without model".to_owned());
        }
        if self.name.trim().is_empty() {
            problems.push("model.name: is needed with model.provider".to_owned());
        }
        problems.extend(self.keyring_problem());
        if !is_safe(self.base()) {
            problems.push(format!(
                "model.url: \"{}\" is neither https nor on this machine",
                self.url
            ));
        }
        problems
    }

    /// What is wrong with the entry of the keyring.
    fn keyring_problem(&self) -> Option<String> {
        if self.keyring.is_empty() {
            return None;
        }
        let why = if cfg!(not(feature = "keyring")) {
            "this program was built without keyring (--features keyring)".to_owned()
        } else if self.keyring_entry().is_none() {
            format!(
                "\"{}\" is no SERVICE/USER, such as proscenium/openai",
                self.keyring
            )
        } else if !self.key_file.as_os_str().is_empty() {
            "give it alone, without model.key_file".to_owned()
        } else {
            return None;
        };
        Some(format!("model.keyring: {why}"))
    }
}

/// Whether a connection protects the key: https, or an address of this machine; and nothing in it is
/// a user, a query or a fragment.
pub(crate) fn is_safe(url: &str) -> bool {
    let Ok(url) = url::Url::parse(url) else {
        return false;
    };
    let is_here = match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let is_plain = url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    is_plain && (url.scheme() == "https" || (url.scheme() == "http" && is_here))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_only_sent_where_nobody_listens() {
        for good in [
            "https://api.example.org/proxy",
            "http://127.0.0.1:11434",
            "http://localhost:8080/v1",
            "http://[::1]:9",
        ] {
            assert!(is_safe(good), "{good}");
        }
        for bad in [
            "http://api.example.org",
            "http://127.0.0.1.example.org",
            "https://user:secret@api.example.org",
            "https://api.example.org?key=secret",
            "ftp://127.0.0.1",
            "api.example.org",
            "",
        ] {
            assert!(!is_safe(bad), "{bad}");
        }
    }

    #[test]
    fn a_model_is_named_with_its_provider_or_without_and_no_other_may_draw() {
        let settings = ModelSettings {
            provider: Provider::Anthropic,
            name: "quick".to_owned(),
            others: "large, huge".to_owned(),
            ..ModelSettings::default()
        };
        assert_eq!(settings.names(), ["quick", "large", "huge"]);
        assert_eq!(settings.named("anthropic/large"), Some("large"));
        assert_eq!(settings.named("huge"), Some("huge"));
        assert_eq!(settings.named("openai/large"), None);
        assert_eq!(settings.named("dearest"), None);
        assert_eq!(settings.base(), "https://api.anthropic.com");
    }
}
