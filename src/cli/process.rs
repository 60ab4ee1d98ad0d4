//! What every verb needs of the process: its environment, its output, a runtime, and its end.

use std::io::Write as _;

use super::failure::{EXIT_UNAVAILABLE, Failure};

/// The environment; what is not text in it is made so, to be refused where it matters.
pub(super) fn environment() -> impl Iterator<Item = (String, String)> {
    let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
    std::env::vars_os().map(move |(name, value)| (text(name), text(value)))
}

/// Writes to standard output.
pub(super) fn say(text: &[u8]) -> Result<(), Failure> {
    // A reader that went away (`| head`) is no failure.
    let _ = std::io::stdout().write_all(text);
    Ok(())
}

/// Runs asynchronous work to its end.
pub(super) fn in_runtime<T, E: From<Failure>>(
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| Failure(EXIT_UNAVAILABLE, error.to_string()))?;
    let outcome = runtime.block_on(work);
    // A read of standard input cannot be cancelled: nobody waits for it.
    runtime.shutdown_background();
    outcome
}

/// Returns on Ctrl-C, and where there are such signals on SIGTERM.
pub(super) async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
