//! `proscenium serve`: the server, until it is interrupted.

use tracing_subscriber::EnvFilter;

use super::arguments::ServeArgs;
#[cfg(feature = "demo")]
use super::demo::play_when_requested;
use super::failure::Failure;
use super::logging::{log_filter, log_to_stderr};
use super::process::{environment, in_runtime, interrupted};
use super::server::{announce, call_person, stop};
use crate::app::{App, Hangups};
use crate::config::{Config, ConfigError};

/// Serves until the process is interrupted, and reloads on SIGHUP.
pub(super) fn serve(args: &ServeArgs) -> Result<(), Failure> {
    let config = configured(args)?;
    let log = log_to_stderr(&config)?;
    in_runtime(async {
        let mut hangups = Hangups::listen();
        let open = config.stage.open;
        let running = App::new(config).start().await?;
        announce(&running, args.open)?;
        let reloading = async {
            loop {
                hangups.next().await;
                let (config, filter) = reread(args);
                if running.reload(config).await {
                    log.follow(filter);
                }
            }
        };
        #[cfg(feature = "demo")]
        let playing = play_when_requested(&running);
        #[cfg(not(feature = "demo"))]
        let playing = std::future::pending();
        tokio::select! {
            () = interrupted() => {}
            () = reloading => {}
            () = call_person(&running, open) => {}
            failure = playing => return Err(failure),
        }
        stop(running).await;
        Ok(())
    })
}

/// The configuration as it is now, and what is logged by it.
fn reread(args: &ServeArgs) -> (Result<Config, ConfigError>, EnvFilter) {
    let config = match configured(args) {
        Ok(config) => config,
        Err(error) => return (Err(error), EnvFilter::default()),
    };
    match log_filter(&config) {
        Ok(filter) => (Ok(config), filter),
        Err(problem) => {
            let mut problems = match config.validate() {
                Err(ConfigError::Invalid(problems)) => problems,
                Err(error @ ConfigError::Unreadable { .. }) => vec![error.to_string()],
                Ok(()) => Vec::new(),
            };
            problems.push(problem);
            (Err(ConfigError::Invalid(problems)), EnvFilter::default())
        }
    }
}

/// The configuration, with what the command line says over it.
fn configured(args: &ServeArgs) -> Result<Config, ConfigError> {
    let mut config = Config::load(args.config.as_deref(), environment())?;
    config.listen_on(args.listen.clone());
    config.keep_in(args.store.data.clone(), args.store.ephemeral);
    config.share_at(args.store.store.clone());
    if let Some(url) = &args.public_url {
        config.server.public_url.clone_from(url);
        config.came_from("server.public_url", "--public-url");
    }
    if let Some(file) = &args.keys_file {
        config.server.keys_file.clone_from(file);
        config.came_from("server.keys_file", "--keys-file");
    }
    #[cfg(feature = "gate")]
    if let Some(file) = &args.gate {
        config.server.gate_file.clone_from(file);
        config.came_from("server.gate_file", "--gate");
    }
    config.server.unlimited |= args.unlimited;
    Ok(config)
}
