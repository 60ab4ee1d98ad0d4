//! Settings for the tokens of an issuer, which are accepted beside API keys.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::principal::{Trust, is_app};

/// Tokens (JWT) of one issuer, accepted beside API keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct JwtSettings {
    /// The issuer, exactly as in `iss`; empty: no tokens are accepted.
    pub issuer: String,
    /// Value that `aud` has to contain; empty: the address of `/mcp`.
    pub audience: String,
    /// Address of the issuer's key set, https or on this machine; fetched again as keys rotate.
    pub jwks_url: String,
    /// File with a key set, instead of an address; it may contain secrets.
    pub jwks_file: PathBuf,
    /// File with one public key in PEM form: RSA (RS256), P-256 (ES256) or Ed25519 (EdDSA).
    pub public_key_file: PathBuf,
    /// File with a secret shared with the issuer, at least 32 bytes (HS256).
    pub secret_file: PathBuf,
    /// Claim that names the app.
    pub app_claim: String,
    /// App of tokens without the claim; empty: they are refused.
    pub app: String,
    /// Claim that holds the trust, 0 to 3.
    pub trust_claim: String,
    /// Trust of tokens without the claim.
    pub trust: u8,
    /// Seconds by which the issuer's clock may differ from ours.
    pub leeway_s: u64,
    /// Seconds until the key set is fetched again; the old one is used meanwhile.
    pub jwks_ttl_s: u64,
    /// Seconds the key set is used while its source does not answer; after that its keys are
    /// refused.
    pub jwks_stale_s: u64,
}

impl Default for JwtSettings {
    fn default() -> Self {
        Self {
            issuer: String::new(),
            audience: String::new(),
            jwks_url: String::new(),
            jwks_file: PathBuf::new(),
            public_key_file: PathBuf::new(),
            secret_file: PathBuf::new(),
            app_claim: "app".to_owned(),
            app: String::new(),
            trust_claim: "trust".to_owned(),
            trust: 1,
            leeway_s: 30,
            jwks_ttl_s: 300,
            jwks_stale_s: 86_400,
        }
    }
}

impl JwtSettings {
    /// Whether tokens are accepted.
    pub(crate) fn is_on(&self) -> bool {
        !self.issuer.is_empty()
    }

    /// Every problem of the settings.
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let is_set = |path: &PathBuf| !path.as_os_str().is_empty();
        let has_keys = !self.jwks_url.is_empty()
            || [&self.jwks_file, &self.public_key_file, &self.secret_file]
                .into_iter()
                .any(is_set);
        match (self.is_on(), has_keys) {
            (true, false) => problems.push(
                "jwt.issuer: its keys are missing: set jwt.jwks_url, jwt.jwks_file, \
                 jwt.public_key_file or jwt.secret_file"
                    .to_owned(),
            ),
            (false, true) => problems.push("jwt.issuer: keys are set, but no issuer".to_owned()),
            _ => {}
        }
        if !self.jwks_url.is_empty() && is_set(&self.jwks_file) {
            problems.push("jwt.jwks_file: set it or jwt.jwks_url, not both".to_owned());
        }
        if !self.jwks_url.is_empty() {
            if cfg!(not(feature = "jwks-url")) {
                problems.push("jwt.jwks_url: this build was made without jwks-url".to_owned());
            } else if !is_safe(&self.jwks_url) {
                problems.push(format!(
                    "jwt.jwks_url: \"{}\" is neither https nor on this machine",
                    self.jwks_url
                ));
            }
        }
        if !self.app.is_empty() && !is_app(&self.app) {
            problems.push("jwt.app: letters, digits and . _ - only".to_owned());
        }
        if self.trust > Trust::MAX.0 {
            problems.push("jwt.trust: 0 to 3".to_owned());
        }
        problems
    }
}

/// Whether the connection protects the keys: https, or an address of this machine.
fn is_safe(url: &str) -> bool {
    let on_this_machine = ["http://127.0.0.1", "http://localhost", "http://[::1]"];
    url.starts_with("https://")
        || on_this_machine.iter().any(|start| {
            url.strip_prefix(start)
                .is_some_and(|rest| rest.starts_with([':', '/']))
        })
}
