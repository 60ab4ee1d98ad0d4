//! `proscenium demo`: the server, with five agents that play on the stage.

use std::future::pending;
use std::path::PathBuf;

use super::arguments::DemoArgs;
use super::failure::{EXIT_UNAVAILABLE, Failure};
use super::logging::log_to_stderr;
use super::process::{environment, in_runtime, interrupted};
use super::server::{announce, stop};
use crate::app::{App, Running};
use crate::config::Config;
use crate::demo::{Demo, Desk, serve_desk};

/// Serves and plays until the process is interrupted.
pub(super) fn demo(args: DemoArgs) -> Result<(), Failure> {
    let mut config = Config::load(args.config.as_deref(), environment())?;
    config.listen_on(args.listen);
    // A demo leaves nothing behind, and plays beside a server that owns the data.
    config.store.ephemeral = true;
    let desk = Desk::new().map_err(|error| {
        let why = format!("the files of the demo cannot be made: {error}");
        Failure(EXIT_UNAVAILABLE, why)
    })?;
    // In front of the demo's own files, which no other gate file names.
    config.server.gate_file = desk.gate_file();
    log_to_stderr(&config)?;
    in_runtime(async {
        let running = App::new(config).start().await?;
        let demo = Demo {
            lockfile: args.lockfile,
            command: Some(args.command),
            desk: Some(desk),
        };
        let playing = demo.play(&running).await?;
        announce(&running, args.open)?;
        interrupted().await;
        drop(playing);
        stop(running).await;
        Ok(())
    })
}

/// The program behind the demo's gate.
pub(super) fn demo_desk(folder: PathBuf) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure(EXIT_UNAVAILABLE, error.to_string());
    in_runtime(async { serve_desk(folder).await.map_err(failed) })
}

/// Plays once somebody at the empty stage asks for it, and returns only if that fails.
pub(super) async fn play_when_requested(running: &Running) -> Failure {
    if !running.is_dev() {
        return pending().await;
    }
    running.demo_taken().await;
    let _playing = match Demo::harmless().play(running).await {
        Ok(playing) => playing,
        Err(error) => return error.into(),
    };
    tracing::info!("the stage plays the demo");
    pending().await
}
