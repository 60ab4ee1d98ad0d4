//! The keys of an issuer: fetched, kept, advertised, and beside keys of the server's own.

use std::time::Duration;

use jsonwebtoken::{Algorithm, EncodingKey};
use serde_json::json;

use super::{ping, world_of};
use crate::contracts::{basket, basket_props};
use crate::issuer::{Files, ISSUER, Issuer, Pair, SECRET, claims, ed25519, header, signed};
use crate::world::World;

#[tokio::test]
async fn keys_are_fetched_when_a_token_names_a_new_one_but_not_for_every_unknown_name() {
    let issuer = Issuer::start().await;
    let (old, new) = (ed25519(), ed25519());
    issuer.publish(&[(&old, "old")]);
    let url = issuer.url.clone();
    let world = world_of(|jwt| jwt.jwks_url = url).await;
    let token = |pair: &Pair, kid: &str, subject: &str| {
        let mut claims = claims(&world);
        claims["sub"] = subject.into();
        signed(&header(Algorithm::EdDSA, Some(kid)), &claims, &pair.private)
    };
    assert_eq!(ping(&world, &token(&old, "old", "ada")).await.status, 200);
    issuer.publish(&[(&old, "old"), (&new, "new")]);
    world.clock.advance(Duration::from_secs(10));
    assert_eq!(ping(&world, &token(&new, "new", "ada")).await.status, 200);
    assert_eq!(ping(&world, &token(&old, "old", "bob")).await.status, 200);
    let before = issuer.asked();
    for number in 0..50 {
        let made_up = token(&new, &format!("made-up-{number}"), "eve");
        assert_eq!(ping(&world, &made_up).await.status, 401);
    }
    assert_eq!(issuer.asked(), before);
}

#[tokio::test]
async fn keys_stay_valid_while_the_issuer_is_unreachable_but_not_for_ever() {
    let issuer = Issuer::start().await;
    let pair = ed25519();
    issuer.publish(&[(&pair, "a")]);
    let url = issuer.url.clone();
    let world = world_of(|jwt| {
        jwt.jwks_url = url;
        jwt.jwks_stale_s = 3_600;
    })
    .await;
    let token = || {
        signed(
            &header(Algorithm::EdDSA, Some("a")),
            &claims(&world),
            &pair.private,
        )
    };
    assert_eq!(ping(&world, &token()).await.status, 200);
    issuer.falls_silent();
    let before = issuer.asked();
    world.clock.advance(Duration::from_secs(301));
    let looked = async |than: usize| {
        let looked = tokio::time::timeout(crate::world::PATIENCE, async {
            while issuer.asked() == than {
                tokio::task::yield_now().await;
            }
        });
        looked.await.expect("another look at the issuer");
    };
    looked(before).await;
    assert_eq!(ping(&world, &token()).await.status, 200);
    let before = issuer.asked();
    world.clock.advance(Duration::from_secs(3_600));
    looked(before).await;
    let refused = tokio::time::timeout(crate::world::PATIENCE, async {
        while ping(&world, &token()).await.status != 401 {
            tokio::task::yield_now().await;
        }
    });
    refused.await.expect("stale keys open nothing");
    // Once the issuer is back, the next fetch finds the keys.
    issuer.publish(&[(&pair, "a")]);
    world.clock.advance(Duration::from_secs(10));
    assert_eq!(ping(&world, &token()).await.status, 200);
}

#[tokio::test]
async fn the_issuer_is_advertised_to_hosts_only_if_there_is_one() {
    let files = Files::new();
    let secret = files.write("secret", SECRET);
    let world = world_of(|jwt| jwt.secret_file = secret).await;
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    let refused = world.send(world.post("/mcp").body(ping.clone())).await;
    assert_eq!(refused.status, 401);
    let challenge = refused.headers["www-authenticate"].to_str().unwrap();
    let address = world.url("/.well-known/oauth-protected-resource");
    assert_eq!(
        challenge,
        format!("Bearer realm=\"mcp\", resource_metadata=\"{address}\"")
    );
    for path in ["", "/mcp"] {
        let path = format!("/.well-known/oauth-protected-resource{path}");
        let response = world.send(world.get(&path)).await;
        assert_eq!(response.body["resource"], world.mcp_url());
        assert_eq!(response.body["authorization_servers"], json!([ISSUER]));
        assert_eq!(response.headers["access-control-allow-origin"], "*");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    proscenium::keys::create(&file, "ours", 1).expect("a key");
    let world = World::start_with(|config| config.server.keys_file = file).await;
    let refused = world.send(world.post("/mcp").body(ping)).await;
    assert_eq!(refused.headers["www-authenticate"], "Bearer realm=\"mcp\"");
    let response = world.send(world.get("/.well-known/oauth-protected-resource"));
    assert_eq!(response.await.status, 404);
}

#[tokio::test]
async fn keys_and_tokens_are_accepted_together() {
    let files = Files::new();
    let secret = files.write("secret", SECRET);
    let file = files.path("keys.toml");
    let api_key = proscenium::keys::create(&file, "ours", 2).expect("a key");
    let world = World::start_with(|config| {
        config.server.keys_file = file;
        config.jwt.issuer = ISSUER.to_owned();
        config.jwt.secret_file = secret;
    })
    .await;
    // Without a configured audience, the address of the endpoint is the audience.
    let mut claims = claims(&world);
    claims["aud"] = world.mcp_url().into();
    let key = EncodingKey::from_secret(SECRET);
    let token = signed(&header(Algorithm::HS256, None), &claims, &key);
    let world = world.with_bearer(&token);
    let shown = world.show(basket(), basket_props()).await;
    let world = world.with_bearer(&api_key);
    let read = json!({"sessionId": shown.session});
    world.tool("ggui_get_session", read).await;
}

#[tokio::test]
async fn all_problems_of_an_incomplete_issuer_are_reported() {
    let mut config = proscenium::config::Config::default();
    config.jwt.jwks_url = "http://keys.example/jwks".to_owned();
    config.jwt.jwks_file = "jwks.json".into();
    config.jwt.trust = 7;
    config.jwt.app = "our app".to_owned();
    let message = config.validate().expect_err("unsound").to_string();
    for word in [
        "jwt.issuer",
        "jwt.jwks_url",
        "jwt.jwks_file",
        "jwt.trust",
        "jwt.app",
    ] {
        assert!(message.contains(word), "{word}: {message}");
    }
}
