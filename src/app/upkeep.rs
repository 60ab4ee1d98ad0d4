//! Background tasks: re-reading keys, removing what has expired, metrics.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::adapters::jwks::Jwks;
use crate::adapters::keys_file;
use crate::services::auth::Auth;
use crate::services::book::Book;
use crate::services::dispatch::Dispatch;
use crate::transports::RequestLimiter;

/// How often expired things are removed; no response depends on it.
const SWEEP_EVERY: Duration = Duration::from_secs(5);
/// How often the age of the issuer's keys is checked; they are fetched far less often.
const FRESHEN_EVERY: Duration = Duration::from_secs(1);
/// Upper bounds of the latency histogram, in seconds: from a memory read to a full consume.
const LATENCY_BUCKETS: [f64; 10] = [
    0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 5.0, 30.0,
];

/// Re-reads the keys file at intervals, so that new keys are accepted and revoked ones refused. A
/// file that cannot be read or is malformed changes nothing, and is logged.
pub(super) async fn reread_keys(
    auth: Arc<Auth>,
    path: watch::Receiver<PathBuf>,
    every: Duration,
    drain: CancellationToken,
) {
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // The first one comes at once, and the start has read the file.
    ticks.tick().await;
    let mut seen = None;
    loop {
        tokio::select! {
            () = drain.cancelled() => return,
            _ = ticks.tick() => {}
        }
        let (file, before) = (path.borrow().clone(), seen.clone());
        // The file is only read if it was replaced.
        let read = tokio::task::spawn_blocking(move || {
            let now = keys_file::stamp(&file).map(|stamp| (file.clone(), stamp));
            (now != before).then(|| (file.clone(), now, keys_file::load(&file)))
        });
        let Ok(Some((file, now, read))) = read.await else {
            continue;
        };
        // The configuration named another file meanwhile.
        if *path.borrow() != file {
            continue;
        }
        seen = now;
        match read {
            Ok(keys) => {
                if keys.is_empty() {
                    tracing::warn!("the keys file holds no key any more: no key opens anything");
                }
                auth.admit(keys);
            }
            Err(error) => {
                tracing::error!(%error, "the keys file cannot be read: the keys stay as they were");
            }
        }
    }
}

/// Fetches the issuer's keys again as they expire.
pub(super) async fn keep_fresh(
    issuer: watch::Receiver<Option<Arc<Jwks>>>,
    drain: CancellationToken,
) {
    let mut ticks = tokio::time::interval(FRESHEN_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = drain.cancelled() => return,
            _ = ticks.tick() => {}
        }
        let Some(keys) = issuer.borrow().clone() else {
            continue;
        };
        tokio::select! {
            () = drain.cancelled() => return,
            () = keys.keep_fresh() => {}
        }
    }
}

/// Removes what has expired from every part until the server drains.
pub(super) async fn sweep(
    book: Arc<Book>,
    auth: Arc<Auth>,
    dispatch: Arc<Dispatch>,
    request_limiter: Option<RequestLimiter>,
    metrics: PrometheusHandle,
    drain: CancellationToken,
) {
    let mut ticks = tokio::time::interval(SWEEP_EVERY);
    loop {
        tokio::select! {
            () = drain.cancelled() => return,
            _ = ticks.tick() => {}
        }
        if let Err(error) = book.sweep().await {
            tracing::warn!(%error, "what has expired is not freed now");
        }
        auth.sweep();
        dispatch.sweep().await;
        if let Some(request_limiter) = &request_limiter {
            request_limiter.sweep();
        }
        metrics.run_upkeep();
    }
}

/// The one metrics recorder of the process; the library's registry is global.
pub(super) fn recorder() -> PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    let handle = HANDLE.get_or_init(|| {
        let builder = PrometheusBuilder::new();
        let builder = match builder.set_buckets(&LATENCY_BUCKETS) {
            Ok(builder) => builder,
            Err(_) => PrometheusBuilder::new(),
        };
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("another metrics recorder is installed: /metrics stays empty");
        }
        handle
    });
    handle.clone()
}
