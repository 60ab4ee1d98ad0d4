//! A token issuer: its keys, the tokens it signs, and the key set it publishes.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der, PublicKeyX509Der};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair as RsaKeyPair, KeySize};
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _,
};
use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use proscenium::Clock as _;
use serde_json::{Value, json};

use crate::elsewhere::{listener, serve};
use crate::world::World;

pub(crate) const ISSUER: &str = "https://issuer.example";
pub(crate) const AUDIENCE: &str = "https://ui.example/mcp";
pub(crate) const SECRET: &[u8] = b"a secret that two parties share, and nobody else";

/// A private key, and its public key in PEM format.
pub(crate) struct Pair {
    pub(crate) algorithm: Algorithm,
    pub(crate) private: EncodingKey,
    pub(crate) public: String,
    jwk: Value,
}

/// The public key in the form of a key set.
fn published(private: &EncodingKey, algorithm: Algorithm) -> Value {
    let jwk = Jwk::from_encoding_key(private, algorithm).expect("a public key");
    serde_json::to_value(jwk).unwrap()
}

fn pem(label: &str, der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let lines: Vec<_> = text
        .as_bytes()
        .chunks(64)
        .map(|line| std::str::from_utf8(line).unwrap())
        .collect();
    format!(
        "-----BEGIN {label}-----\n{}\n-----END {label}-----\n",
        lines.join("\n")
    )
}

fn rsa() -> Pair {
    let pair = RsaKeyPair::generate(KeySize::Rsa2048).expect("a key");
    let private: Pkcs8V1Der<'_> = pair.as_der().expect("its form");
    let public: PublicKeyX509Der<'_> = pair.public_key().as_der().expect("its form");
    let private = EncodingKey::from_rsa_pem(pem("PRIVATE KEY", private.as_ref()).as_bytes());
    let private = private.expect("a key");
    Pair {
        algorithm: Algorithm::RS256,
        jwk: published(&private, Algorithm::RS256),
        private,
        public: pem("PUBLIC KEY", public.as_ref()),
    }
}

pub(crate) fn p256() -> Pair {
    let pkcs8 =
        EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
    let pkcs8 = pkcs8.expect("a key");
    let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref());
    let pair = pair.expect("a key");
    let public: PublicKeyX509Der<'_> = pair.public_key().as_der().expect("its form");
    let private = EncodingKey::from_ec_der(pkcs8.as_ref());
    Pair {
        algorithm: Algorithm::ES256,
        jwk: published(&private, Algorithm::ES256),
        private,
        public: pem("PUBLIC KEY", public.as_ref()),
    }
}

pub(crate) fn ed25519() -> Pair {
    let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("a key");
    let pair = Ed25519KeyPair::from_pkcs8(pkcs8.as_ref()).expect("a key");
    let public: PublicKeyX509Der<'_> = pair.public_key().as_der().expect("its form");
    let x = URL_SAFE_NO_PAD.encode(pair.public_key().as_ref());
    Pair {
        algorithm: Algorithm::EdDSA,
        jwk: json!({"kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "x": x}),
        private: EncodingKey::from_ed_der(pkcs8.as_ref()),
        public: pem("PUBLIC KEY", public.as_ref()),
    }
}

/// Generated once, because an RSA key takes a while.
pub(crate) static RSA: LazyLock<Pair> = LazyLock::new(rsa);

pub(crate) fn header(algorithm: Algorithm, kid: Option<&str>) -> Header {
    let mut header = Header::new(algorithm);
    header.kid = kid.map(str::to_owned);
    header
}

/// Claims that are valid for a quarter of an hour.
pub(crate) fn claims(world: &World) -> Value {
    let now = world.clock.now().as_secs();
    json!({"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "app": "ours", "exp": now + 900})
}

pub(crate) fn signed(header: &Header, claims: &Value, key: &EncodingKey) -> String {
    encode(header, claims, key).expect("a token")
}

/// A public key in the form of a key set.
pub(crate) fn jwk(pair: &Pair, kid: &str) -> Value {
    let mut jwk = pair.jwk.clone();
    jwk["kid"] = kid.into();
    jwk
}

/// A folder with files of key material.
pub(crate) struct Files(tempfile::TempDir);

impl Files {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).expect("a file");
        path
    }
}

/// An issuer that publishes its keys and counts the requests.
pub(crate) struct Issuer {
    pub(crate) url: String,
    asked: Arc<AtomicUsize>,
    set: Arc<std::sync::Mutex<Option<String>>>,
}

impl Issuer {
    pub(crate) async fn start() -> Self {
        let asked = Arc::new(AtomicUsize::new(0));
        let set = Arc::new(std::sync::Mutex::new(None));
        let (counter, published) = (Arc::clone(&asked), Arc::clone(&set));
        let answer = move || {
            counter.fetch_add(1, Ordering::SeqCst);
            let text: Option<String> = published.lock().unwrap().clone();
            async move { text.ok_or(StatusCode::INTERNAL_SERVER_ERROR) }
        };
        let router = Router::new().route("/jwks", get(answer));
        let url = format!("http://{}/jwks", serve(listener().await, router).await);
        Self { url, asked, set }
    }

    pub(crate) fn publish(&self, keys: &[(&Pair, &str)]) {
        let keys: Vec<_> = keys.iter().map(|(pair, kid)| jwk(pair, kid)).collect();
        *self.set.lock().unwrap() = Some(json!({"keys": keys}).to_string());
    }

    /// Stops responding.
    pub(crate) fn falls_silent(&self) {
        *self.set.lock().unwrap() = None;
    }

    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}
