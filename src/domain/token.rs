//! Verifies JSON Web Tokens of an issuer.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;
use serde_json::Value;

use super::clock::Time;
use crate::wire::whole;

/// Keys of a set that are read; an issuer publishes a handful.
const KEYS_MAX: usize = 64;
/// Keys that are tried for one token: without a `kid`, any key of its algorithm may have signed it.
const TRIED_MAX: usize = 4;
/// The shortest secret of HS256: as long as its hash (RFC 7518 §3.2).
const SECRET_BYTES_MIN: usize = 32;
/// Values of `typ` that are accepted as access tokens, without `application/` (RFC 9068 §4).
const TYPES: [&str; 2] = ["jwt", "at+jwt"];

/// Why a token is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TokenError {
    /// It has expired, or is not valid yet.
    #[error("the token's time is over or has not come")]
    NotNow,
    /// It is not a token of the issuer for this server.
    #[error("the token is not valid here")]
    Refused,
    /// No known key signed it; a newer key set may contain the key.
    #[error("no known key made the token")]
    UnknownKey,
}

/// The source of an issuer's keys.
#[async_trait]
pub(crate) trait TokenKeys: Send + Sync + 'static {
    /// The keys as they are cached.
    fn current(&self) -> Arc<KeySet>;

    /// The keys after fetching them again, unless they were fetched a moment ago.
    async fn refreshed(&self) -> Arc<KeySet>;
}

/// The keys of an issuer.
#[derive(Default)]
pub(crate) struct KeySet {
    keys: Vec<VerifyingKey>,
}

/// A key and the one algorithm it verifies; the token cannot choose another.
#[derive(Clone)]
struct VerifyingKey {
    id: Option<String>,
    algorithm: Algorithm,
    key: DecodingKey,
}

#[derive(Deserialize)]
struct Written {
    keys: Vec<Value>,
}

impl KeySet {
    /// Reads a JWK set (RFC 7517). Unsupported kinds of keys are skipped, and so are secrets,
    /// unless the set is a file of the server's own: a published secret is not secret.
    pub(crate) fn of_jwks(text: &[u8], takes_secrets: bool) -> Result<Self, String> {
        let written: Written =
            serde_json::from_slice(text).map_err(|error| format!("is no JWK set: {error}"))?;
        let keys = written.keys.into_iter().take(KEYS_MAX);
        let keys: Vec<_> = keys
            .filter_map(|key| serde_json::from_value::<Jwk>(key).ok())
            .filter_map(|key| VerifyingKey::of_jwk(&key, takes_secrets))
            .collect();
        if keys.is_empty() {
            return Err("holds no key for RS256, ES256 or EdDSA".to_owned());
        }
        Ok(Self { keys })
    }

    /// Reads a public key in PEM format; the kind of key decides the algorithm.
    pub(crate) fn of_pem(text: &[u8]) -> Result<Self, String> {
        let kinds = [
            (Algorithm::RS256, DecodingKey::from_rsa_pem(text)),
            (Algorithm::ES256, DecodingKey::from_ec_pem(text)),
            (Algorithm::EdDSA, DecodingKey::from_ed_pem(text)),
        ];
        let key = kinds.into_iter().find_map(|(algorithm, key)| {
            let key = key.ok()?;
            Some(VerifyingKey {
                id: None,
                algorithm,
                key,
            })
        });
        match key {
            Some(key) => Ok(Self { keys: vec![key] }),
            None => Err("is no public key of RSA, P-256 or Ed25519 in PEM form".to_owned()),
        }
    }

    /// A key set of one secret that is shared with the issuer.
    pub(crate) fn of_secret(secret: &[u8]) -> Result<Self, String> {
        if secret.len() < SECRET_BYTES_MIN {
            return Err(format!("holds less than {SECRET_BYTES_MIN} bytes"));
        }
        Ok(Self {
            keys: vec![VerifyingKey {
                id: None,
                algorithm: Algorithm::HS256,
                key: DecodingKey::from_secret(secret),
            }],
        })
    }

    /// Joins two key sets; the keys of this one come first.
    #[must_use]
    pub(crate) fn and(mut self, others: &KeySet) -> Self {
        self.keys.extend(others.keys.iter().cloned());
        self
    }
}

impl VerifyingKey {
    fn of_jwk(jwk: &Jwk, takes_secrets: bool) -> Option<Self> {
        if matches!(jwk.common.public_key_use, Some(PublicKeyUse::Encryption)) {
            return None;
        }
        let algorithm = match &jwk.algorithm {
            AlgorithmParameters::RSA(_) => Algorithm::RS256,
            AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
                Algorithm::ES256
            }
            AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => {
                Algorithm::EdDSA
            }
            AlgorithmParameters::OctetKey(_) if takes_secrets => Algorithm::HS256,
            _ => return None,
        };
        // A key for another algorithm of the same family is not used.
        let named = jwk.common.key_algorithm.map(|named| named.to_string());
        let is_named = named.is_none_or(|named| named.parse() == Ok(algorithm));
        Some(Self {
            id: jwk.common.key_id.clone(),
            algorithm,
            key: is_named.then(|| DecodingKey::from_jwk(jwk).ok())??,
        })
    }

    fn may_be(&self, algorithm: Algorithm, id: Option<&str>) -> bool {
        let is_meant = match (&self.id, id) {
            (Some(own), Some(meant)) => own == meant,
            _ => true,
        };
        self.algorithm == algorithm && is_meant
    }
}

/// What a token has to contain to be accepted, and in which claims.
pub(crate) struct TokenRules {
    /// The required `iss`.
    pub(crate) issuer: String,
    /// The required `aud`, or one of them.
    pub(crate) audience: String,
    /// How far the issuer's clock may differ from ours.
    pub(crate) leeway: Duration,
    /// Claim that names the app.
    pub(crate) app_claim: String,
    /// Claim that holds the trust.
    pub(crate) trust_claim: String,
}

/// The content of a verified token.
#[derive(Debug, PartialEq)]
pub(crate) struct Verified {
    pub(crate) subject: String,
    pub(crate) ends: Time,
    pub(crate) app: Option<String>,
    pub(crate) trust: Option<u8>,
    /// `None` if the token has no scopes.
    pub(crate) scopes: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Claims {
    /// A string only: the library would also accept a list that contains the issuer (RFC 7519
    /// §4.1.1).
    iss: String,
    sub: String,
    /// Seconds since the Unix epoch; fractions are allowed (RFC 7519 §2).
    exp: f64,
    nbf: Option<f64>,
    /// Names separated by spaces (RFC 8693).
    scope: Option<String>,
    /// The same claim as some issuers name it.
    scp: Option<Names>,
    #[serde(flatten)]
    others: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Names {
    List(Vec<String>),
    Text(String),
}

impl TokenRules {
    /// Verifies a token: type, algorithm, signature, issuer, audience, times and its other claims.
    pub(crate) fn verify(
        &self,
        token: &str,
        keys: &KeySet,
        now: Time,
    ) -> Result<Verified, TokenError> {
        let header = decode_header(token).map_err(|_| TokenError::Refused)?;
        let kind = header.typ.as_deref().unwrap_or("jwt").to_ascii_lowercase();
        let kind = kind.strip_prefix("application/").unwrap_or(&kind);
        // `crit` names extensions that must be understood, and this server knows none.
        if !TYPES.contains(&kind) || header.crit.is_some() {
            return Err(TokenError::Refused);
        }
        let id = header.kid.as_deref();
        let meant = keys.keys.iter().filter(|key| key.may_be(header.alg, id));
        let mut found = Err(TokenError::UnknownKey);
        for key in meant.take(TRIED_MAX) {
            found = decode::<Claims>(token, &key.key, &self.validation(key.algorithm))
                .map_err(|_| TokenError::Refused);
            if found.is_ok() {
                break;
            }
        }
        let claims = found?.claims;
        if claims.iss != self.issuer {
            return Err(TokenError::Refused);
        }
        let (now, leeway) = (now.0 as f64 / 1000.0, self.leeway.as_secs_f64());
        let is_over = now >= claims.exp + leeway;
        let is_early = claims.nbf.is_some_and(|nbf| now + leeway < nbf);
        if is_over || is_early {
            return Err(TokenError::NotNow);
        }
        self.read(claims)
    }

    fn validation(&self, algorithm: Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        validation.set_audience(&[&self.audience]);
        validation.set_required_spec_claims(&["exp", "aud", "iss", "sub"]);
        // `exp` is compared with our own clock; the library only knows the system's.
        validation.validate_exp = false;
        validation
    }

    fn read(&self, claims: Claims) -> Result<Verified, TokenError> {
        let app = match claims.others.get(&self.app_claim) {
            None => None,
            Some(Value::String(app)) => Some(app.clone()),
            Some(_) => return Err(TokenError::Refused),
        };
        let trust = match claims.others.get(&self.trust_claim) {
            None => None,
            Some(trust) => {
                let trust = whole::of(trust).and_then(|trust| u8::try_from(trust).ok());
                Some(trust.ok_or(TokenError::Refused)?)
            }
        };
        let split = |text: String| text.split_whitespace().map(str::to_owned).collect();
        let scopes = match (claims.scope, claims.scp) {
            (Some(text), _) | (None, Some(Names::Text(text))) => Some(split(text)),
            (None, Some(Names::List(names))) => Some(names),
            (None, None) => None,
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a cast of a float ends at the bounds of its target"
        )]
        let ends = Time((claims.exp * 1000.0) as u64);
        Ok(Verified {
            subject: claims.sub,
            ends,
            app,
            trust,
            scopes,
        })
    }
}
