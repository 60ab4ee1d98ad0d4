//! The issuer of tokens that the configuration names: its rules and its keys.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::adapters::jwks::{Jwks, Source};
use crate::adapters::keys_file::{KeysError, unusable};
use crate::domain::clock::Clock;
use crate::domain::digest::sha256;
use crate::domain::principal::{Trust, is_app};
use crate::domain::token::{KeySet, TokenRules};
use crate::domain::token_settings::JwtSettings;
use crate::services::auth::Tokens;
use crate::wire::ids::AppId;

/// How the configured issuer's tokens are judged, and its keys; nothing where none is configured.
pub(super) fn issuer(
    settings: &JwtSettings,
    mcp_url: String,
    clock: &Arc<dyn Clock>,
) -> Result<Option<(Tokens, Arc<Jwks>)>, KeysError> {
    if !settings.is_on() {
        return Ok(None);
    }
    let mut fixed = KeySet::default();
    // Nothing that is written twice in the same way is anything new.
    let mut written = serde_json::to_vec(settings).unwrap_or_default();
    written.extend_from_slice(mcp_url.as_bytes());
    let kinds: [(_, Parse); 2] = [
        (&settings.public_key_file, KeySet::of_pem),
        (&settings.secret_file, KeySet::of_secret),
    ];
    for (path, parse) in kinds {
        if !path.as_os_str().is_empty() {
            let (text, keys) = parsed(path, parse)?;
            fixed = fixed.and(&keys);
            written.extend_from_slice(&sha256(&text));
        }
    }
    let source = if settings.jwks_file.as_os_str().is_empty() {
        #[cfg(feature = "jwks-url")]
        let url = (!settings.jwks_url.is_empty()).then(|| Source::Url(settings.jwks_url.clone()));
        #[cfg(not(feature = "jwks-url"))]
        let url = None;
        url
    } else {
        // A file that is no key set is told at the start; later changes are told in the log.
        parsed(&settings.jwks_file, |text| KeySet::of_jwks(text, true))?;
        Some(Source::File(settings.jwks_file.clone()))
    };
    let keys = Arc::new(Jwks::new(
        Arc::clone(clock),
        fixed,
        source,
        Duration::from_secs(settings.jwks_ttl_s),
        Duration::from_secs(settings.jwks_stale_s),
    ));
    let audience = match settings.audience.as_str() {
        "" => mcp_url,
        audience => audience.to_owned(),
    };
    let tokens = Tokens {
        stamp: sha256(&written),
        rules: TokenRules {
            issuer: settings.issuer.clone(),
            audience,
            leeway: Duration::from_secs(settings.leeway_s),
            app_claim: settings.app_claim.clone(),
            trust_claim: settings.trust_claim.clone(),
        },
        keys: Arc::clone(&keys) as _,
        app: is_app(&settings.app).then(|| AppId::from(settings.app.as_str())),
        trust: Trust(settings.trust),
    };
    Ok(Some((tokens, keys)))
}

/// Reads one kind of key material.
type Parse = fn(&[u8]) -> Result<KeySet, String>;

/// What stands in a file of key material, and the keys of it.
fn parsed(
    path: &Path,
    parse: impl Fn(&[u8]) -> Result<KeySet, String>,
) -> Result<(Vec<u8>, KeySet), KeysError> {
    let text = fs::read(path).map_err(|error| unusable(path, &error))?;
    match parse(&text) {
        Ok(keys) => Ok((text, keys)),
        Err(why) => Err(KeysError::Invalid(vec![format!(
            "{}: {why}",
            path.display()
        )])),
    }
}
