//! The addresses this server is reached by: every URL it hands out is made here.

use std::iter;
use std::net::SocketAddr;

use http::Uri;

use crate::wire::ids::{SessionId, ShortCode};

/// Host names of this machine that a browser treats as its own.
const LOOPBACK_NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Where the server stands.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    /// Scheme and authority of what is handed out, without a slash at the end.
    base: String,
    /// Host name of `--public-url`.
    public_host: Option<String>,
    /// Whether the listener is on loopback.
    loopback: bool,
    /// Whether it is there under both addresses: then nobody else answers to `localhost`.
    has_both_names: bool,
    /// Port of the listener.
    port: u16,
    /// Origins of others whose pages may embed renders.
    embedders: Vec<String>,
}

impl Site {
    /// The site of a listener, behind a public address or not.
    pub(crate) fn new(
        bound: SocketAddr,
        has_both_names: bool,
        public_url: Option<&Uri>,
        embedders: Vec<String>,
    ) -> Self {
        let base = match public_url {
            Some(url) => url.to_string().trim_end_matches('/').to_owned(),
            None => format!("http://{bound}"),
        };
        Self {
            base,
            public_host: public_url.and_then(|url| url.host().map(str::to_owned)),
            loopback: bound.ip().is_loopback(),
            has_both_names,
            port: bound.port(),
            embedders,
        }
    }

    /// Scheme and authority of this server.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// Whether only this machine reaches the listener.
    pub(crate) fn is_loopback(&self) -> bool {
        self.loopback
    }

    /// Whether people reach this server by https.
    pub(crate) fn is_https(&self) -> bool {
        self.base.starts_with("https:")
    }

    /// Address of the MCP endpoint.
    pub(crate) fn mcp_url(&self) -> String {
        format!("{}/mcp", self.base)
    }

    /// Scheme and authority of the live channel.
    pub(crate) fn ws_base(&self) -> String {
        // http -> ws, https -> wss.
        self.base.replacen("http", "ws", 1)
    }

    /// Address of the live channel.
    pub(crate) fn ws_url(&self) -> String {
        format!("{}/ws", self.ws_base())
    }

    /// Address of the guest's code, by content.
    pub(crate) fn runtime_url(&self, hash: &str) -> String {
        format!("{}/_ggui/iframe-runtime.{hash}.js", self.base)
    }

    /// Address of a session's plain HTTP door. Our tokens need no escaping in it.
    pub(crate) fn api_url(&self, session: &SessionId, door: &str, token: &str) -> String {
        format!(
            "{}/api/sessions/{session}/{door}?wsToken={token}",
            self.base
        )
    }

    /// Address of one render alone.
    pub(crate) fn viewer_url(&self, code: &ShortCode) -> String {
        format!("{}/r/{code}", self.base)
    }

    /// Origin of sandboxed frames for a page that was reached under `host`: on this machine the
    /// other loopback name, a second origin for free, as long as nobody else can answer to it; else
    /// the same.
    pub(crate) fn frame_base(&self, host: Option<&str>) -> String {
        match (&self.public_host, host.map(host_name)) {
            (None, Some("localhost")) if self.has_both_names => {
                format!("http://127.0.0.1:{}", self.port)
            }
            (None, _) if self.has_both_names => format!("http://localhost:{}", self.port),
            _ => self.base.clone(),
        }
    }

    /// Every origin whose pages may embed renders: our own, those that were configured, and on a
    /// machine of one's own its other servers, which may call us anyway ([`Site::allows_origin`]).
    pub(crate) fn embedders(&self) -> String {
        let own = if self.loopback && self.public_host.is_none() {
            // A policy cannot name an IPv6 address; nobody types one here.
            "http://127.0.0.1:* http://localhost:*"
        } else {
            &self.base
        };
        let others = self.embedders.iter().map(String::as_str);
        iter::once(own).chain(others).collect::<Vec<_>>().join(" ")
    }

    /// Whether a `Host` header is one of ours; only a loopback listener can be rebound to.
    pub(crate) fn knows_host(&self, host: &str) -> bool {
        let name = host_name(host);
        !self.loopback
            || LOOPBACK_NAMES.contains(&name)
            || self
                .public_host
                .as_deref()
                .is_some_and(|public| public.eq_ignore_ascii_case(name))
    }

    /// Whether a page of this `Origin` may use the caller's credentials.
    pub(crate) fn allows_origin(&self, origin: &str, host: Option<&str>) -> bool {
        let Ok(uri) = origin.parse::<Uri>() else {
            return false;
        };
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return false;
        };
        // A browser writes a web page's origin as scheme, host and port, and nothing else.
        let is_web = matches!(scheme, "http" | "https") && !authority.as_str().contains('@');
        if !is_web || !origin.eq_ignore_ascii_case(&format!("{scheme}://{authority}")) {
            return false;
        }
        let name = uri.host().unwrap_or_default();
        LOOPBACK_NAMES.contains(&name)
            || origin.eq_ignore_ascii_case(&self.base)
            || host.is_some_and(|host| host.eq_ignore_ascii_case(authority.as_str()))
    }
}

/// The name in a `Host` header, without its port.
fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loopback() -> Site {
        Site::new(([127, 0, 0, 1], 6781).into(), true, None, Vec::new())
    }

    #[test]
    fn a_frame_is_served_on_the_other_loopback_name() {
        assert_eq!(
            loopback().frame_base(Some("127.0.0.1:6781")),
            "http://localhost:6781"
        );
        assert_eq!(
            loopback().frame_base(Some("localhost:6781")),
            "http://127.0.0.1:6781"
        );
    }

    #[test]
    fn a_foreign_host_is_not_known_on_loopback() {
        assert!(loopback().knows_host("localhost:1"));
        assert!(loopback().knows_host("[::1]:6781"));
        assert!(!loopback().knows_host("evil.example"));
        assert!(!loopback().knows_host("127.0.0.1.evil.example:6781"));
    }

    #[test]
    fn an_origin_is_allowed_when_it_is_loopback_or_our_own() {
        let public: Uri = "https://ui.example".parse().unwrap();
        let site = Site::new(
            ([0, 0, 0, 0], 6781).into(),
            false,
            Some(&public),
            Vec::new(),
        );
        assert!(site.allows_origin("https://ui.example", None));
        assert!(site.allows_origin("http://localhost:3000", None));
        assert!(!site.allows_origin("https://evil.example", Some("ui.example")));
        assert!(!site.allows_origin("null", Some("ui.example")));
        for none in [
            "javascript://localhost",
            "file://localhost",
            "chrome-extension://localhost",
            "http://localhost/path",
            "http://me@localhost",
        ] {
            assert!(!site.allows_origin(none, Some("ui.example")), "{none}");
        }
    }

    #[test]
    fn the_live_channel_follows_the_scheme() {
        let public: Uri = "https://ui.example".parse().unwrap();
        let site = Site::new(
            ([0, 0, 0, 0], 6781).into(),
            false,
            Some(&public),
            Vec::new(),
        );
        assert_eq!(site.ws_url(), "wss://ui.example/ws");
    }
}
