//! Addresses that are told when a person is asked: what they get, how it is signed, and that nobody
//! decides there.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aws_lc_rs::hmac;
use axum::Router;
use axum::extract::State;
use axum::routing::post;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::approvals_kept::Served;
use super::people::Person;
use super::site::{Folder, Site};
use crate::elsewhere::{listener, serve};
use crate::process::failed;
use crate::world::PATIENCE;

const KEY: [u8; 32] = [7; 32];

fn gate(url: &str, secret: &str) -> String {
    format!(
        r#"
schema: 1
sources:
  - {{ id: script, kind: mcp, SCRIPT }}
governance:
  rules:
    - {{ match: "delete_*", action: approve, description: "Deleting cannot be undone" }}
approval:
  people:
    destination: {{ type: webhook, url: "{url}", secret: "{secret}" }}
    redact_fields: [card.number]
"#
    )
}

fn secret() -> String {
    format!("whsec_{}", STANDARD.encode(KEY))
}

type Received = (HeaderMap, String);

/// A receiver that refuses the first notices it gets, and what it gets.
async fn receiver(refused: usize) -> (String, mpsc::UnboundedReceiver<Received>) {
    type Shared = (mpsc::UnboundedSender<Received>, Arc<AtomicUsize>);
    async fn take(
        State((send, left)): State<Shared>,
        headers: HeaderMap,
        body: String,
    ) -> StatusCode {
        send.send((headers, body)).expect("a test that listens");
        let is_refused = left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
            left.checked_sub(1)
        });
        match is_refused {
            Ok(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Err(_) => StatusCode::NO_CONTENT,
        }
    }
    let (send, received) = mpsc::unbounded_channel();
    let state = (send, Arc::new(AtomicUsize::new(refused)));
    let routes = Router::new().route("/hook", post(take)).with_state(state);
    let address = serve(listener().await, routes).await;
    (format!("http://{address}/hook"), received)
}

async fn next(received: &mut mpsc::UnboundedReceiver<Received>) -> (HeaderMap, Value) {
    let (headers, body) = timeout(PATIENCE, received.recv())
        .await
        .expect("in time")
        .expect("one");
    let text = |name: &str| headers[name].to_str().expect("text");
    let (id, at) = (text("webhook-id"), text("webhook-timestamp"));
    let signature = text("webhook-signature")
        .strip_prefix("v1,")
        .expect("a version");
    let signature = STANDARD.decode(signature).expect("base64");
    let key = hmac::Key::new(hmac::HMAC_SHA256, &KEY);
    let signed = format!("{id}.{at}.{body}");
    hmac::verify(&key, signed.as_bytes(), &signature).expect("the signature of this notice");
    assert_eq!(text("content-type"), "application/json");
    let body = serde_json::from_str(&body).expect("JSON");
    (headers, body)
}

#[tokio::test]
async fn a_webhook_gets_a_signed_notice_without_secrets_and_the_person_decides_on_the_stage() {
    let (url, mut received) = receiver(1).await;
    let site = Site::start(&gate(&url, &secret())).await;
    let arguments = json!({"path": "/a", "password": "hunter2", "card": {"number": "4111"}});
    let held = site.call("delete_file", arguments);
    let decided = async {
        // The first attempt is answered with an error, and made again.
        let (first, _) = next(&mut received).await;
        let (headers, notice) = next(&mut received).await;
        assert_eq!(headers["webhook-id"], first["webhook-id"]);
        assert_eq!(notice["type"], "approval.requested", "{notice}");
        let data = &notice["data"];
        assert_eq!(data["tool"], "delete_file");
        assert_eq!(data["server"], "script");
        assert_eq!(data["why"], "Deleting cannot be undone");
        assert_eq!(data["arguments"][0], json!({"name": "path", "value": "/a"}));
        for kept in ["hunter2", "4111", "whsec_"] {
            assert!(!notice.to_string().contains(kept), "{notice}");
        }
        assert_eq!(
            site.folder.calls("delete_file"),
            0,
            "a receiver decides nothing"
        );
        let mut card = Person::at(&site.world.url("")).card().await;
        let address = format!("{}#s={}", site.world.stage_url(), card.session);
        assert_eq!(data["card"], address);
        card.approve().await;
    };
    let (answer, ()) = tokio::join!(held, decided);
    assert!(answer["result"].is_object(), "{answer}");
    assert_eq!(site.folder.calls("delete_file"), 1);
    assert!(received.try_recv().is_err(), "it was taken");
}

#[tokio::test]
async fn a_webhook_that_is_not_there_keeps_nobody_from_deciding() {
    let site = Site::start(&gate("http://127.0.0.1:9/", &secret())).await;
    let held = site.call("delete_file", json!({"path": "/a"}));
    let decided = async { Person::at(&site.world.url("")).card().await.approve().await };
    let (answer, ()) = tokio::join!(held, decided);
    assert!(answer["result"].is_object(), "{answer}");
}

#[tokio::test]
async fn a_channel_of_slack_reads_what_is_asked_and_the_way_to_the_card() {
    let (url, mut received) = receiver(0).await;
    let gate = gate(&url, "").replace(", secret: \"\"", "");
    let site = Site::start(&gate.replace("type: webhook", "type: slack")).await;
    let arguments = json!({"path": "/a", "password": "hunter2"});
    let held = site.call("delete_file", arguments);
    let decided = async {
        let delivery = timeout(PATIENCE, received.recv()).await.expect("in time");
        let (headers, body) = delivery.expect("one");
        assert!(!headers.contains_key("webhook-signature"));
        let mut card = Person::at(&site.world.url("")).card().await;
        let body: Value = serde_json::from_str(&body).expect("JSON");
        let text = body["text"].as_str().expect("a text");
        for said in [
            "Approve delete_file? Asked by an agent on this machine.",
            "Deleting cannot be undone",
            "path: /a",
            &format!("{}#s={}", site.world.stage_url(), card.session),
        ] {
            assert!(text.contains(said), "{text}");
        }
        assert!(!text.contains("hunter2"), "{text}");
        card.approve().await;
    };
    let (answer, ()) = tokio::join!(held, decided);
    assert!(answer["result"].is_object(), "{answer}");
}

#[tokio::test]
async fn the_console_reads_what_is_asked_and_the_way_to_the_card() {
    let folder = Folder::new();
    let webhook = "type: webhook, url: \"\", secret: \"\"";
    folder.write(&gate("", "").replace(webhook, "type: console"));
    let server = Served::start(&folder).await;
    let arguments = json!({"path": "/a", "password": "hunter2"});
    let asked = server.call("delete_file", arguments).await;
    let card = asked["error"]["data"]["viewerUrl"]
        .as_str()
        .expect("a card");
    let log = server.kill().await;
    let line = log.lines().find(|line| line.contains("Approve "));
    let line = line.unwrap_or_else(|| panic!("no line in\n{log}"));
    for said in [card, "delete_file", "an agent on this machine"] {
        assert!(line.contains(said), "{line}");
    }
    assert!(!log.contains("hunter2"));
}

#[tokio::test]
async fn what_is_wrong_with_a_webhook_is_told_at_once_and_its_secret_is_not() {
    let folder = Folder::new();
    let file = folder.write(&gate("ftp://hooks.example/", "whsec_c2hvcnQ="));
    let (code, lines) = failed(&["gate", "check", file.to_str().expect("a path")]).await;
    let output = lines.join("\n");
    assert_eq!(code, 78, "{output}");
    for words in [
        "approval.people.destination.url: is no http:// or https:// address",
        "approval.people.destination.secret: is not whsec_ and 24 to 64 bytes in base64",
    ] {
        assert!(output.contains(words), "{output}");
    }
    assert!(!output.contains("c2hvcnQ"), "{output}");
    let others = gate("https://hooks.example/", "whsec_c2hvcnQ=");
    for (kind, wrong) in [
        ("slack", vec!["secret: is for the type webhook"]),
        (
            "console",
            vec![
                "url: is for the types webhook and slack",
                "secret: is for the type webhook",
            ],
        ),
        ("pigeon", vec!["type: \"pigeon\" is unknown"]),
    ] {
        let file = folder.write(&others.replace("type: webhook", &format!("type: {kind}")));
        let (code, lines) = failed(&["gate", "check", file.to_str().expect("a path")]).await;
        let output = lines.join("\n");
        assert_eq!(code, 78, "{output}");
        for words in wrong {
            let words = format!("approval.people.destination.{words}");
            assert!(output.contains(&words), "{output}");
        }
    }
}
