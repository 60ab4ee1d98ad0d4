//! Performance as people experience it, measured in a real browser: the first paint, a large table,
//! and
//! a stream of a thousand messages a second.
//!
//! `PROSCENIUM_MEASURE_SECONDS=600` streams for ten minutes.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use tokio::process::Command;

use crate::chromium;
use crate::world::World;

/// How long the stream lasts by default.
const SECONDS: &str = "5";
/// Processor time of the main thread until a form is painted: three times what it takes here.
const PAINT_CPU_MS: u64 = 250;
/// The longest task of a gesture: twice what is felt, as other tests take the processor meanwhile.
const TASK_MS: u64 = 100;
/// How much a tab may grow while messages come and go: less than one buffer of them takes.
const GROWTH_KB: u64 = 1_024;
const GROWTH_NODES: u64 = 100;

#[tokio::test(flavor = "multi_thread")]
async fn a_view_paints_quickly_responds_at_once_and_does_not_grow_during_a_stream() {
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
    let reported: Value = serde_json::from_slice(&output.stdout).expect("what was measured");
    // Written past the test harness, which keeps what passing tests print to itself.
    let _ = std::io::stderr().write_all(format!("{reported:#}\n").as_bytes());

    for shown in ["form", "card"] {
        let busy = reported["paint"][shown]["cpuMs"].as_u64().expect("a time");
        assert!(busy < PAINT_CPU_MS, "{shown}: {reported:#}");
    }
    let table = reported["table"].as_object().expect("steps");
    for measured in table.values().chain([&reported["stream"]]) {
        let longest = measured["longestMs"].as_u64().expect("a time");
        assert!(longest < TASK_MS, "a task that is felt: {reported:#}");
    }
    let grown = |what: &str| {
        let at = |when: &str| reported["stream"][when][what].as_u64().expect("a size");
        at("last").saturating_sub(at("first"))
    };
    assert!(grown("heapKb") < GROWTH_KB, "{reported:#}");
    assert!(grown("nodes") < GROWTH_NODES, "{reported:#}");
    assert!(grown("elements") < GROWTH_NODES, "{reported:#}");
}
