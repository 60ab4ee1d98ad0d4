//! The rights of a token of the live channel: exactly those of the caller it was issued to, on
//! every
//! endpoint that accepts tokens.

use std::collections::BTreeSet;

use jsonwebtoken::{Algorithm, EncodingKey};
use proscenium::Clock as _;
use reqwest::Method;
use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::issuer::{AUDIENCE, Files, ISSUER, SECRET, claims, header, signed};
use crate::keyed_world::{ACT, KeyedWorld, READ, consumed, handed, walk_socket};
use crate::world::World;

#[tokio::test]
async fn a_token_has_the_rights_of_its_caller_and_no_refresh_extends_them() {
    let keyed = KeyedWorld::build(basket(), basket_props()).await;
    let session = &keyed.session;
    let (mut acts, mut walked) = (0, BTreeSet::new());
    for key in &keyed.keys {
        for (door, first, slice) in handed(&keyed, key).await {
            let (may_read, may_act) = (key.may(READ), key.may(ACT));
            let who = format!("{door} for {}", key.description());
            walked.insert((door, may_read, may_act));
            if let Some(slice) = slice {
                let flag = if may_act { Value::Null } else { json!(false) };
                assert_eq!(slice["mayAct"], flag, "{who}");
            }
            let mut generations = vec![first.clone()];
            let state = format!("/api/sessions/{session}/state?wsToken={first}");
            let state = keyed.world.send(keyed.world.get(&state)).await;
            assert_eq!(state.status, if may_read { 200 } else { 403 }, "{who}");
            if may_read {
                let slice = &state.body["ai.ggui/render"];
                let flag = if may_act { Value::Null } else { json!(false) };
                assert_eq!(slice["mayAct"], flag, "{who}");
                generations.push(slice["wsToken"].as_str().expect("a token").to_owned());
            }
            // The key of the highest trust requests another token, which has the same rights as the
            // first.
            let envelope = json!({"envelope": first});
            let tool = "ggui_runtime_refresh_ws_token";
            let fresh = keyed.call(&keyed.keys[0].secret, tool, envelope).await.body;
            let fresh = &fresh["result"]["structuredContent"]["envelope"];
            generations.push(fresh.as_str().expect("a token").to_owned());
            if may_read {
                let mut socket = keyed.knock(&first).await;
                let ack = socket.subscribe(json!({})).await;
                let kept = ack["payload"]["sessionToken"].as_str().expect("a token");
                generations.push(kept.to_owned());
            }
            for token in &generations {
                let paths = [
                    format!("/frame/{session}?wsToken={token}"),
                    format!("/api/sessions/{session}/state?wsToken={token}"),
                    format!("/api/sessions/{session}/events?wsToken={token}&sinceSequence=0"),
                    format!("/api/sessions/{session}/stream?wsToken={token}"),
                ];
                for path in paths {
                    let status = keyed.status(Method::GET, &path, None).await;
                    assert_eq!(status, if may_read { 200 } else { 403 }, "{who} {path}");
                }
                let expected = if may_read {
                    Ok(may_act)
                } else {
                    Err("UNAUTHENTICATED")
                };
                acts += walk_socket(keyed.knock(token).await, expected, &who).await;
            }
        }
    }
    assert_eq!(
        consumed(&keyed).await,
        acts,
        "only what was acked has arrived"
    );
    for seen in [
        ("/stage/frame", true, false),
        ("/stage/frame", true, true),
        ("resources/read", true, false),
        ("ggui_list_sessions", false, false),
    ] {
        assert!(walked.contains(&seen), "{seen:?}: {walked:?}");
    }
}

#[tokio::test]
async fn a_render_s_token_has_the_renderer_s_rights_and_its_link_those_of_a_person() {
    let mut keyed = KeyedWorld::build(basket(), basket_props()).await;
    let renderer = keyed.keys.last().expect("a key");
    assert!(renderer.may(READ) && !renderer.may(ACT));
    let shown = keyed.show(&renderer.secret, basket(), basket_props()).await;
    let slice = &shown["_meta"]["ai.ggui/render"];
    assert_eq!(slice["mayAct"], false, "{slice}");
    let session = shown["structuredContent"]["sessionId"]
        .as_str()
        .expect("a session");
    keyed.session = session.to_owned();
    let token = slice["wsToken"].as_str().expect("a token");
    walk_socket(keyed.knock(token).await, Ok(false), "the renderer's token").await;
    let viewer = shown["structuredContent"]["viewerUrl"]
        .as_str()
        .expect("a link");
    let (_, link) = viewer.split_at(keyed.world.url("").len());
    let to_frame = keyed
        .world
        .send(keyed.world.get(&format!("{link}/frame")))
        .await;
    let location = to_frame.headers["location"].to_str().expect("text");
    let (_, token) = location.split_once("wsToken=").expect("a token");
    walk_socket(keyed.knock(token).await, Ok(true), "the person's token").await;
    assert_eq!(consumed(&keyed).await, 1);
}

#[tokio::test]
async fn a_read_only_token_of_an_issuer_only_reads_its_own_sessions() {
    let files = Files::new();
    let secret = files.write("secret", SECRET);
    let world = World::start_with(|config| {
        config.jwt.issuer = ISSUER.to_owned();
        config.jwt.audience = AUDIENCE.to_owned();
        config.jwt.secret_file = secret;
    })
    .await;
    let key = EncodingKey::from_secret(SECRET);
    let held = |trust: u8| {
        let mut claims = claims(&world);
        claims["trust"] = trust.into();
        claims["exp"] = json!(world.clock.now().as_secs() + 900);
        signed(&header(Algorithm::HS256, None), &claims, &key)
    };
    let (agent, looker) = (held(1), held(0));
    let world = world.with_bearer(&agent);
    let shown = world.show(basket(), basket_props()).await;
    let world = world.with_bearer(&looker);
    let to_frame = world.get(&format!("/stage/frame/{}", shown.session));
    let to_frame = world.send(to_frame).await;
    let location = to_frame.headers["location"].to_str().expect("text");
    let (_, token) = location.split_once("wsToken=").expect("a token");
    let why = world.get(&format!("/stage/explain/{}", shown.session));
    let why = world.send(why).await;
    assert_eq!(why.status, 200, "who may look may ask why");
    assert!(why.body["evidence"].is_array() && why.body["plan"].is_object());
    let mut looking = shown.clone();
    looking.result["_meta"]["ai.ggui/render"]["wsToken"] = token.into();
    walk_socket(world.knock(&looking).await, Ok(false), "a looker").await;
}
