//! Really signed tokens of an issuer: which are accepted, what they grant, and how keys rotate.

mod issuer_keys;

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use proscenium::Clock as _;
use proscenium::config::JwtSettings;
use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::issuer::{
    AUDIENCE, Files, ISSUER, Pair, RSA, SECRET, claims, ed25519, header, jwk, p256, signed,
};
use crate::stopped::Stopped;
use crate::world::{Answer, World};

async fn world_of(change: impl FnOnce(&mut JwtSettings)) -> World {
    World::start_with(|config| {
        config.jwt.issuer = ISSUER.to_owned();
        config.jwt.audience = AUDIENCE.to_owned();
        // These tests poll until a change is noticed.
        config.limits.rates.door_burst = u32::MAX;
        change(&mut config.jwt);
    })
    .await
}

async fn ping(world: &World, token: &str) -> Answer {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    world
        .send(world.post("/mcp").bearer_auth(token).body(body))
        .await
}

#[tokio::test]
async fn a_token_of_each_algorithm_is_accepted_with_a_key_from_a_file_or_a_set() {
    for pair in [&*RSA, &p256(), &ed25519()] {
        let files = Files::new();
        let public = files.write("public.pem", &pair.public);
        let world = world_of(|jwt| jwt.public_key_file = public).await;
        let token = signed(
            &header(pair.algorithm, None),
            &claims(&world),
            &pair.private,
        );
        assert_eq!(
            ping(&world, &token).await.status,
            200,
            "{:?}",
            pair.algorithm
        );
        let set = json!({"keys": [{"kty": "unheard-of"}, jwk(pair, "a")]});
        let set = files.write("jwks.json", set.to_string());
        let world = world_of(|jwt| jwt.jwks_file = set).await;
        let token = signed(
            &header(pair.algorithm, Some("a")),
            &claims(&world),
            &pair.private,
        );
        assert_eq!(
            ping(&world, &token).await.status,
            200,
            "{:?}",
            pair.algorithm
        );
    }
    let files = Files::new();
    let secret = files.write("secret", SECRET);
    let world = world_of(|jwt| jwt.secret_file = secret).await;
    let key = EncodingKey::from_secret(SECRET);
    let token = signed(&header(Algorithm::HS256, None), &claims(&world), &key);
    assert_eq!(ping(&world, &token).await.status, 200);
}

#[tokio::test]
async fn a_token_with_any_defect_is_refused() {
    let files = Files::new();
    let set = json!({"keys": [jwk(&RSA, "a")]});
    let set = files.write("jwks.json", set.to_string());
    let world = world_of(|jwt| jwt.jwks_file = set).await;
    let good = claims(&world);
    let now = world.clock.now().as_secs();
    let with = |name: &str, value: Value| {
        let mut claims = good.clone();
        claims[name] = value;
        claims
    };
    let without = |name: &str| {
        let mut claims = good.clone();
        claims.as_object_mut().unwrap().remove(name);
        claims
    };
    let rs256 = header(Algorithm::RS256, Some("a"));
    let by_rsa = |claims: &Value| signed(&rs256, claims, &RSA.private);
    assert_eq!(ping(&world, &by_rsa(&good)).await.status, 200);

    let typed = |typ: &str| Header {
        typ: Some(typ.to_owned()),
        ..rs256.clone()
    };
    let at = signed(&typed("application/at+jwt"), &good, &RSA.private);
    assert_eq!(ping(&world, &at).await.status, 200);

    let mut critical = rs256.clone();
    critical.crit = Some(vec!["exp".to_owned()]);
    let stranger = p256();
    let mut brought = header(Algorithm::ES256, Some("a"));
    brought.jwk = Some(Jwk::from_encoding_key(&stranger.private, Algorithm::ES256).unwrap());
    let unsigned = {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let none = json!({"alg": "none", "typ": "JWT"});
        format!("{}.{}.", part(&none), part(&good))
    };
    let stripped = {
        let token = by_rsa(&good);
        let (body, _) = token.rsplit_once('.').unwrap();
        format!("{body}.")
    };
    let confused = |secret: &[u8]| {
        let key = EncodingKey::from_secret(secret);
        signed(&header(Algorithm::HS256, Some("a")), &good, &key)
    };
    let modulus = jwk(&RSA, "a")["n"].as_str().unwrap().to_owned();
    let shown = {
        let files = Files::new();
        let secret = files.write("secret", SECRET);
        let world = world_of(|jwt| jwt.secret_file = secret).await;
        let key = EncodingKey::from_secret(SECRET);
        let token = signed(&header(Algorithm::HS256, None), &claims(&world), &key);
        let world = world.with_bearer(&token);
        let shown = world.show(basket(), basket_props()).await;
        let own = shown.slice()["wsToken"].as_str().unwrap().to_owned();
        let world = world.with_bearer(&own);
        assert_eq!(
            world.rpc("ping", json!({})).await.status,
            401,
            "own ws token"
        );
        own
    };
    let refused = [
        ("no signature", stripped),
        ("alg none", unsigned),
        ("HS256 with the public key", confused(RSA.public.as_bytes())),
        ("HS256 with the modulus", confused(modulus.as_bytes())),
        (
            "another algorithm of the key",
            signed(&header(Algorithm::RS384, Some("a")), &good, &RSA.private),
        ),
        (
            "unknown kid",
            signed(&header(Algorithm::RS256, Some("b")), &good, &RSA.private),
        ),
        (
            "a stranger's key",
            signed(
                &header(Algorithm::ES256, Some("a")),
                &good,
                &stranger.private,
            ),
        ),
        (
            "a key it brings itself",
            signed(&brought, &good, &stranger.private),
        ),
        (
            "an extension that must be known",
            signed(&critical, &good, &RSA.private),
        ),
        (
            "another type",
            signed(&typed("ggui-ws+jwt"), &good, &RSA.private),
        ),
        (
            "an identity token's type",
            signed(&typed("dpop+jwt"), &good, &RSA.private),
        ),
        (
            "another audience",
            by_rsa(&with("aud", json!(["https://other.example"]))),
        ),
        ("no audience", by_rsa(&without("aud"))),
        (
            "an issuer among others",
            by_rsa(&with("iss", json!([ISSUER, "https://evil.example"]))),
        ),
        ("an issuer in a list", by_rsa(&with("iss", json!([ISSUER])))),
        (
            "another issuer",
            by_rsa(&with("iss", json!("https://evil.example"))),
        ),
        ("no issuer", by_rsa(&without("iss"))),
        ("no end", by_rsa(&without("exp"))),
        (
            "an end that no clock shows",
            by_rsa(&with("exp", json!(1e300))),
        ),
        ("over", by_rsa(&with("exp", json!(now - 31)))),
        ("not yet", by_rsa(&with("nbf", json!(now + 31)))),
        ("nobody", by_rsa(&without("sub"))),
        (
            "a subject with a line break",
            by_rsa(&with("sub", json!("a\nb"))),
        ),
        ("no app", by_rsa(&without("app"))),
        (
            "an app that is none",
            by_rsa(&with("app", json!("../theirs"))),
        ),
        ("two apps", by_rsa(&with("app", json!(["ours", "theirs"])))),
        ("too much trust", by_rsa(&with("trust", json!(4)))),
        ("trust as a text", by_rsa(&with("trust", json!("3")))),
        ("a ws token", shown),
        ("no token", "ada".to_owned()),
    ];
    for (why, token) in &refused {
        let answer = ping(&world, token).await;
        assert_eq!(answer.status, 401, "{why}");
        assert_eq!(answer.body["error"]["code"], -32001, "{why}");
        let challenge = answer.headers["www-authenticate"].to_str().unwrap();
        assert!(challenge.contains("error=\"invalid_token\""), "{challenge}");
    }
    let leeway = by_rsa(&with("exp", json!(now - 15)));
    assert_eq!(ping(&world, &leeway).await.status, 200);
}

#[tokio::test]
async fn claims_name_the_app_the_trust_and_the_scopes() {
    let files = Files::new();
    let secret = files.write("secret", SECRET);
    let world = world_of(|jwt| {
        jwt.secret_file = secret;
        jwt.app_claim = "https://ui.example/app".to_owned();
        jwt.app = "everyone".to_owned();
    })
    .await;
    let key = EncodingKey::from_secret(SECRET);
    let token = |name: &str, value: Value| {
        let mut claims = claims(&world);
        claims[name] = value;
        signed(&header(Algorithm::HS256, None), &claims, &key)
    };
    let [ours, nobodys, reader, scoped, unscoped] = [
        token("https://ui.example/app", json!("ours")),
        token("nickname", json!("Ada")),
        token("trust", json!(0)),
        token("scope", json!("openid ggui_handshake")),
        token("scp", json!(["openid"])),
    ];
    let app_of = async |world: &World| {
        let shown = world.show(basket(), basket_props()).await;
        let read = json!({"sessionId": shown.session});
        world.tool("ggui_get_session", read).await["appId"].clone()
    };
    let world = world.with_bearer(&ours);
    assert_eq!(app_of(&world).await, "ours");
    let world = world.with_bearer(&nobodys);
    assert_eq!(app_of(&world).await, "everyone");
    let denied = async |world: &World, tool: &str| {
        let params = json!({"name": tool, "arguments": {}});
        let error = world.rpc("tools/call", params).await.body["error"].clone();
        (
            error["code"].clone(),
            error["data"]["required_level"].clone(),
        )
    };
    let world = world.with_bearer(&reader);
    assert_eq!(
        denied(&world, "ggui_render").await,
        (json!(-32005), json!(1))
    );
    let world = world.with_bearer(&scoped);
    world.handshake(basket()).await;
    assert_eq!(denied(&world, "ggui_render").await.0, -32005);
    let world = world.with_bearer(&unscoped);
    assert_eq!(denied(&world, "ggui_get_session").await.0, -32005);
}

#[tokio::test]
async fn a_verified_token_ends_with_its_time_and_within_a_minute_of_its_key() {
    let files = Files::new();
    let (first, second) = (p256(), p256());
    let write =
        |pair: &Pair| files.write("jwks.json", json!({"keys": [jwk(pair, "a")]}).to_string());
    let set = write(&first);
    let world = world_of(|jwt| {
        jwt.jwks_file = set;
        jwt.jwks_ttl_s = 1;
        jwt.leeway_s = 0;
    })
    .await;
    let mut short = claims(&world);
    short["exp"] = json!(world.clock.now().as_secs() + 30);
    let es256 = header(Algorithm::ES256, Some("a"));
    let short = signed(&es256, &short, &first.private);
    let long = signed(&es256, &claims(&world), &first.private);
    for token in [&short, &long] {
        assert_eq!(ping(&world, token).await.status, 200);
    }
    world.clock.advance(Duration::from_secs(30));
    assert_eq!(ping(&world, &short).await.status, 401);
    assert_eq!(ping(&world, &long).await.status, 200);
    write(&second);
    world.clock.advance(Duration::from_secs(31));
    let new = signed(&es256, &claims(&world), &second.private);
    let noticed = tokio::time::timeout(crate::world::PATIENCE, async {
        while ping(&world, &new).await.status != 200 {
            tokio::task::yield_now().await;
        }
    });
    noticed.await.expect("the set is read anew");
    assert_eq!(ping(&world, &long).await.status, 401);
}

#[tokio::test]
async fn pending_calls_of_a_token_end_with_it_and_consume_nothing() {
    let files = Files::new();
    let secret = files.write("secret", SECRET);
    let world = world_of(|jwt| {
        jwt.secret_file = secret;
        jwt.leeway_s = 0;
    })
    .await;
    let mut short = claims(&world);
    short["exp"] = json!(world.clock.now().as_secs() + 10);
    let key = EncodingKey::from_secret(SECRET);
    let hs256 = header(Algorithm::HS256, None);
    let world = world.with_bearer(&signed(&hs256, &short, &key));
    let shown = world.show(basket(), basket_props()).await;
    let (mut person, _) = world.browse(&shown).await;
    let consume = json!({"sessionId": shown.session, "timeout": 25});
    let held = tokio::spawn(world.calling("ggui_consume", consume.clone()));
    while person.frame("data").await["payload"]["payload"]["kind"] != "consume_polling" {}
    let time = Stopped::now();
    world.clock.advance(Duration::from_secs(10));
    time.advance(10_001).await;
    let refused = held.await.expect("an answer");
    assert!(time.stands(), "too late");
    assert_eq!(refused.status, 401, "{}", refused.body);
    // The person's own token belongs to the session, and the next agent gets their actions.
    let id = person.act("checkout", Value::Null).await;
    assert_eq!(person.answer_to(&id).await["type"], "ack");
    let next = signed(&hs256, &claims(&world), &key);
    let world = world.with_bearer(&next);
    let taken = world.tool("ggui_consume", consume).await;
    assert_eq!(taken["events"][0]["intent"], "checkout", "{taken}");
}
