//! What people wait for, measured in a real browser: the first paint, a large table, and a stream of
//! a thousand messages a second.
//!
//! `PROSCENIUM_MEASURE_SECONDS=600` streams for ten minutes.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use tokio::process::Command;

use crate::chromium;
use crate::world::World;

/// How long the stream lasts when nobody says otherwise.
const SECONDS: &str = "5";
/// Processor time of the main thread until a form is painted: three times what it needs here.
const PAINT_CPU_MS: u64 = 250;
/// What a tab may have grown by while messages came and went: less than one ring of them.
const GROWTH_KB: u64 = 1_024;
const GROWTH_NODES: u64 = 100;

#[tokio::test(flavor = "multi_thread")]
async fn a_view_paints_soon_answers_at_once_and_grows_no_larger_while_a_stream_goes_on() {
    if !chromium::is_there() {
        return;
    }
    let world = World::start_with(|config| config.server.unlimited = true).await;
    let seconds = std::env::var("PROSCENIUM_MEASURE_SECONDS");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("web-host/tests/e2e/measure.mjs");
    let measuring = Command::new("node")
        .arg(script)
        .arg(world.url(""))
        .arg(seconds.as_deref().unwrap_or(SECONDS))
        .stderr(Stdio::inherit())
        .kill_on_drop(true)
        .output();
    let output = measuring.await.expect("node");
    let told: Value = serde_json::from_slice(&output.stdout).expect("what was measured");
    // Written past the test harness, which keeps what passing tests print to itself.
    let _ = std::io::stderr().write_all(format!("{told:#}\n").as_bytes());

    for shown in ["form", "card"] {
        let busy = told["paint"][shown]["cpuMs"].as_u64().expect("a time");
        assert!(busy < PAINT_CPU_MS, "{shown}: {told:#}");
    }
    let table = told["table"].as_object().expect("steps");
    for measured in table.values().chain([&told["stream"]]) {
        assert_eq!(measured["long"], 0, "a task over 50 ms: {told:#}");
    }
    let grown = |what: &str| {
        let at = |when: &str| told["stream"][when][what].as_u64().expect("a size");
        at("last").saturating_sub(at("first"))
    };
    assert!(grown("heapKb") < GROWTH_KB, "{told:#}");
    assert!(grown("nodes") < GROWTH_NODES, "{told:#}");
    assert!(grown("elements") < GROWTH_NODES, "{told:#}");
}
