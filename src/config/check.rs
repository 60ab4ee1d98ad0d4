//! Validates the configuration and parses values that need a type of their own.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs as _};

use http::Uri;
use ipnet::IpNet;

use super::error::ConfigError;
use super::settings::Config;
#[cfg(feature = "redis")]
use crate::adapters::redis::Address;
use crate::domain::brain::Collections;
use crate::domain::operation::table::TABLE;

/// The least room for headers the HTTP library accepts.
const HEADER_BYTES_MIN: usize = 8 << 10;

/// Whether an address is a scheme and a host, and nothing else.
fn is_site(url: &Uri) -> bool {
    matches!(url.scheme_str(), Some("http" | "https"))
        && url.host().is_some_and(|host| !host.is_empty())
        && url.path_and_query().is_none_or(|path| path.as_str() == "/")
}

/// Whether a content security policy can name it: a site whose host contains only
/// plain ASCII characters, with an optional `*.` in front.
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

/// Resolves an address, given as number or name; of several addresses of a name, IPv4 is preferred.
fn address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let has_port = text
        .rsplit_once(':')
        .is_some_and(|(name, port)| !name.is_empty() && port.parse::<u16>().is_ok());
    if !has_port {
        return Err(format!(
            "\"{text}\" is no address and port, such as 127.0.0.1:6781 or localhost:6781"
        ));
    }
    let found: Vec<_> = text
        .to_socket_addrs()
        .map_err(|error| format!("\"{text}\" names no address of this machine: {error}"))?
        .collect();
    let older = found.iter().find(|address| address.is_ipv4());
    older
        .or(found.first())
        .copied()
        .ok_or_else(|| format!("\"{text}\" names no address"))
}

/// The settings that the server needs parsed.
#[derive(Debug, Clone)]
pub(crate) struct Checked {
    pub(crate) listen: SocketAddr,
    pub(crate) public_url: Option<Uri>,
    pub(crate) trusted_proxies: Vec<IpNet>,
    pub(crate) embedders: Vec<String>,
    pub(crate) local_tools: Vec<&'static str>,
    pub(crate) collections: Collections,
}

impl Config {
    /// Checks whether the server would start with this configuration.
    ///
    /// # Errors
    /// Every problem of it.
    pub fn validate(&self) -> Result<(), ConfigError> {
        self.check().map(|_| ())
    }

    /// Parses the values that need it; returns every problem at once.
    pub(crate) fn check(&self) -> Result<Checked, ConfigError> {
        let mut problems = Vec::new();
        let listen = address(&self.server.listen);
        if let Err(why) = &listen {
            problems.push(format!("server.listen: {why}"));
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
        problems.extend(self.model.problems());
        problems.extend(self.brain.embedding().problems());
        problems.extend(self.store_problem());
        let trusted_proxies = self.trusted_proxies(&mut problems);
        let embedders = self.embedders(&mut problems);
        let local_tools = self.local_tools(&mut problems);
        let collections = Collections::parse(&self.brain.collections);
        if let Err(why) = &collections {
            problems.push(format!("brain.collections: {why}"));
        }
        let channels = &self.limits.channels;
        if channels.interval_max_ms < channels.interval_min_ms {
            problems.push("channels.interval_max_ms: at least channels.interval_min_ms".to_owned());
        }
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
        match (listen, collections) {
            (Ok(listen), Ok(collections)) if problems.is_empty() => Ok(Checked {
                listen,
                public_url,
                trusted_proxies,
                embedders,
                local_tools,
                collections,
            }),
            _ => {
                let problems = problems.into_iter().map(|problem| self.blame(problem));
                Err(ConfigError::Invalid(problems.collect()))
            }
        }
    }

    /// What is wrong with the address of a shared store.
    fn store_problem(&self) -> Option<String> {
        if self.store.url.is_empty() {
            return None;
        }
        if self.store.ephemeral || !self.store.data.as_os_str().is_empty() {
            return Some(
                "store.url: give it alone, without store.data and store.ephemeral".to_owned(),
            );
        }
        #[cfg(not(feature = "redis"))]
        return Some("store.url: this program was built without Redis".to_owned());
        #[cfg(feature = "redis")]
        Address::parse(&self.store.url)
            .err()
            .map(|problem| format!("store.url: {problem}"))
    }

    /// Whether the server needs no credentials.
    pub(crate) fn is_open(&self) -> bool {
        self.server.keys_file.as_os_str().is_empty() && !self.jwt.is_on()
    }

    /// Parses the origins that may embed renders.
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

    /// Parses the tools that may feed channels, without duplicates.
    fn local_tools(&self, problems: &mut Vec<String>) -> Vec<&'static str> {
        let possible = TABLE.iter().filter(|row| row.rules.feeds_channels);
        let possible: Vec<_> = possible.map(|row| row.name).collect();
        let texts = self.server.local_tools.split(',').map(str::trim);
        let mut tools = Vec::new();
        for text in texts.filter(|text| !text.is_empty()) {
            match possible.iter().find(|name| **name == text) {
                Some(name) if tools.contains(name) => {}
                Some(name) => tools.push(*name),
                None => {
                    problems.push(format!(
                        "server.local_tools: \"{text}\" cannot feed a channel; these can: {}",
                        possible.join(", ")
                    ));
                }
            }
        }
        tools
    }

    /// Parses the proxies, as addresses or networks.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedders_are_origins_that_cannot_break_out_of_their_directive() {
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

    #[test]
    fn only_tools_that_show_a_person_nothing_new_feed_channels() {
        let local_tools = |text: &str| {
            let mut config = Config::default();
            config.server.local_tools = text.into();
            config.check().map(|checked| checked.local_tools)
        };
        assert_eq!(local_tools("").unwrap(), [""; 0]);
        assert_eq!(
            local_tools("ggui_list_themes, ggui_get_session,ggui_get_session").unwrap(),
            ["ggui_list_themes", "ggui_get_session"]
        );
        for row in TABLE {
            let can = [
                "ggui_get_render_source",
                "ggui_get_session",
                "ggui_list_gadgets",
                "ggui_list_themes",
            ];
            let is_taken = local_tools(row.name).is_ok();
            assert_eq!(is_taken, can.contains(&row.name), "{}", row.name);
            assert!(!is_taken || row.rules.is_read());
        }
        let message = local_tools("ggui_list_sessions,nothing")
            .unwrap_err()
            .to_string();
        assert!(
            message.contains("\"ggui_list_sessions\" cannot feed a channel; these can: "),
            "{message}"
        );
        assert!(
            message.contains("\"nothing\"") && message.contains("ggui_get_session,"),
            "{message}"
        );
    }
}
