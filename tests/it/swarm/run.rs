//! The swarm, and what may be left at its end: nothing.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::timeout;

use super::{APPS, Agent, Faults, Stage, count, number};
use crate::chance::Chance;
use crate::world::{PATIENCE, Shown, World};

/// Actions of a run by default, which takes a few seconds.
const ACTIONS: u64 = 1_500;
const ACTIONS_VARIABLE: &str = "PROSCENIUM_SWARM_ACTIONS";
const SEED_VARIABLE: &str = "PROSCENIUM_SWARM_SEED";
const SESSIONS_PER_APP: usize = 2;
const BROWSERS: u64 = 3;
/// Other participants with a seed: the emitter, two consumers, two watchers and a reader of the
/// stream.
const OTHERS: u64 = 6;
/// Events that a session keeps: more than anybody is ever behind, and fewer than a long run has.
const EVENTS_MAX: usize = 1 << 15;
/// Bytes of actions that a session keeps for the agent, delivered ones included: a few thousand.
const WAITING_BYTES_MAX: usize = 1 << 20;
/// Bytes of an item for a reader that does not read: a few hundred of them fill every buffer.
const FLOOD_BYTES: usize = 64 << 10;

/// A reader that does not read is disconnected with a reason, and finds the session when it comes
/// back.
async fn flood(agent: &Agent, shown: &Shown, faults: &Faults) {
    let (mut slow, _) = agent.world.browse(shown).await;
    let mut observer = agent.world.knock(shown).await;
    observer.subscribe(json!({"observe": true})).await;
    let is_ended = AtomicBool::new(false);
    let emits = async {
        let item = "x".repeat(FLOOD_BYTES);
        while !is_ended.load(Ordering::SeqCst) {
            let emit = json!({"sessionId": shown.session, "channel": "flood", "payload": item});
            agent.call("ggui_emit", emit).await;
        }
    };
    let watches = async {
        loop {
            let frame = observer.frame("observe").await;
            if frame["payload"]["event"]["kind"] == "slow-consumer" {
                is_ended.store(true, Ordering::SeqCst);
                return;
            }
        }
    };
    tokio::join!(emits, watches);
    slow.ended().await;
    count(&faults.slow_readers);
    agent.world.browse(shown).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_swarm_loses_no_action_takes_none_twice_and_sees_one_order() {
    let seed = number(SEED_VARIABLE, u64::from(std::process::id()));
    let actions = number(ACTIONS_VARIABLE, ACTIONS);
    let summary = format!("the swarm: {SEED_VARIABLE}={seed} {ACTIONS_VARIABLE}={actions}\n");
    let _ = std::io::stderr().write_all(summary.as_bytes());
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let secrets = APPS.map(|app| proscenium::keys::create(&file, app, 1).expect("a key"));
    let world = World::start_with(|config| {
        config.server.keys_file = file.clone();
        config.server.unlimited = true;
        config.limits.sockets.behind_s = 1;
        config.limits.log.events_max = EVENTS_MAX;
        config.limits.log.bytes_max = 1 << 30;
        config.limits.actions.pending_bytes_max = WAITING_BYTES_MAX;
    })
    .await;
    let world = Arc::new(world);
    let faults = Arc::new(Faults::default());
    let mut chance = Chance(seed);
    let each = actions / (APPS.len() * SESSIONS_PER_APP) as u64 / BROWSERS;
    let mut runs = Vec::new();
    let mut sessions = Vec::new();
    for (app, secret) in APPS.into_iter().zip(secrets) {
        let agent = Agent {
            world: Arc::clone(&world),
            secret,
            app,
        };
        for _ in 0..SESSIONS_PER_APP {
            let stage = Arc::new(Stage {
                shown: agent.show(&faults).await,
                agent: agent.clone(),
                faults: Arc::clone(&faults),
                accepted: Mutex::default(),
                drained: Mutex::default(),
                browsers_left: AtomicU64::new(BROWSERS),
            });
            sessions.push((agent.clone(), stage.shown.session.clone()));
            let seeds: Vec<_> = (0..BROWSERS + OTHERS).map(|_| chance.next()).collect();
            runs.push(tokio::spawn(perform(stage, each, seeds)));
        }
        let shown = agent.show(&faults).await;
        sessions.push((agent.clone(), shown.session.clone()));
        let faults = Arc::clone(&faults);
        runs.push(tokio::spawn(
            async move { flood(&agent, &shown, &faults).await },
        ));
    }
    for run in runs {
        run.await
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
    let Faults {
        renders_lost,
        lines_cut,
        sent_again,
        refused,
        watchers_back,
        consumers_beaten,
        slow_readers,
        consumers_cut,
        steps_cut,
        streams_cut,
    } = &*faults;
    for fault in [
        renders_lost,
        lines_cut,
        sent_again,
        refused,
        watchers_back,
        consumers_beaten,
        slow_readers,
        consumers_cut,
        steps_cut,
        streams_cut,
    ] {
        assert!(
            fault.load(Ordering::SeqCst) > 0,
            "seed {seed}: a fault never fired: {faults:?}"
        );
    }
    let summary = format!("the swarm: {faults:?}\n");
    let _ = std::io::stderr().write_all(summary.as_bytes());
    assert_eq!(world.gauge("sessions").await, sessions.len() as u64);
    assert!(world.gauge("log_bytes").await > 0);
    nothing_stays(&world, sessions)
        .await
        .unwrap_or_else(|left| panic!("seed {seed}: not given back: {left}"));
}

/// Half of the sessions are deleted and the others expire; then the server is as it was before.
async fn nothing_stays(world: &World, sessions: Vec<(Agent, String)>) -> Result<(), String> {
    for (agent, session) in sessions.iter().step_by(2) {
        let path = format!("/api/v1/sessions/{session}");
        let end = world.delete(&path).bearer_auth(&agent.secret);
        assert_eq!(world.send(end).await.status, 204);
    }
    world.clock.advance(Duration::from_secs(86_401));
    let mut left = String::new();
    let empty = async {
        loop {
            left.clear();
            for gauge in [
                "sessions",
                "handshakes",
                "log_bytes",
                "sockets",
                "readers",
                "consumers",
            ] {
                let kept = world.gauge(gauge).await;
                if kept > 0 {
                    left.push_str(&format!("{gauge} {kept} "));
                }
            }
            if left.is_empty() {
                return;
            }
        }
    };
    let is_empty = timeout(PATIENCE, empty).await.is_ok();
    if is_empty { Ok(()) } else { Err(left) }
}

async fn perform(stage: Arc<Stage>, each: u64, seeds: Vec<u64>) {
    let expected = watch::Sender::new(0);
    let (of_browsers, others) = seeds.split_at(BROWSERS as usize);
    let clicks = (0..).zip(of_browsers);
    let clicks = clicks.map(|(number, seed)| stage.click(number, each, *seed));
    let emits = async {
        let count = stage.emit(others[0]).await;
        expected.send_replace(count);
    };
    let (_, (), (), (), first, second, third) = tokio::join!(
        join_all(clicks),
        stage.consume(others[1]),
        stage.consume(others[2]),
        emits,
        stage.watch(others[3], &expected),
        stage.watch(others[4], &expected),
        stage.follow(others[5], &expected),
    );
    let accepted = stage.accepted.lock().unwrap().clone();
    let drained = stage.drained.lock().unwrap().clone();
    let once: BTreeSet<_> = drained.iter().cloned().collect();
    assert_eq!(once.len(), drained.len(), "an action was taken twice");
    assert_eq!(once, accepted, "an action was lost, or came from nowhere");
    assert_eq!(accepted.len() as u64, each * BROWSERS);
    // All watchers saw the same items at the same positions, without gaps or repetitions.
    assert_eq!(first, second, "two who watched saw different orders");
    assert_eq!(first, third, "the stream has another order than the socket");
    assert_eq!(first.len() as u64, *expected.borrow());
    let marks: BTreeSet<_> = first.values().collect();
    assert_eq!(marks.len(), first.len(), "an item was sent twice");
}
