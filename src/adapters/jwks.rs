//! The keys of a token issuer: from files, and from its JWK set with a cache that rotates.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;

use crate::domain::clock::{Clock, Time};
use crate::domain::token::{KeySet, TokenKeys};

/// Bytes of a key set: an issuer's is a few thousand.
const SET_BYTES_MAX: usize = 256 << 10;
/// How long an issuer may take to send its keys.
#[cfg(feature = "jwks-url")]
const FETCH_TIMEOUT: Duration = Duration::from_secs(5);
/// Least time between two looks for a key nobody knows: made-up key ids must not become a flood.
const REFETCH_AFTER: Duration = Duration::from_secs(10);

/// Where a key set is read.
pub(crate) enum Source {
    /// A file; read anew as it would be fetched anew.
    File(PathBuf),
    /// An address.
    #[cfg(feature = "jwks-url")]
    Url(String),
}

/// The keys of one issuer.
pub(crate) struct Jwks {
    clock: Arc<dyn Clock>,
    /// Known from the start, and for good.
    fixed: KeySet,
    source: Option<Source>,
    /// How long a set is taken for fresh.
    ttl: Duration,
    /// How long it is used when its source does not answer.
    stale_max: Duration,
    state: Mutex<State>,
    /// Held by whoever looks at the source: the others wait and share what it found.
    flight: tokio::sync::Mutex<()>,
    #[cfg(feature = "jwks-url")]
    client: reqwest::Client,
}

struct State {
    known: Arc<KeySet>,
    /// When the source last answered.
    read_at: Option<Time>,
    /// When it was last asked.
    tried_at: Option<Time>,
}

impl Jwks {
    /// Fixed keys, and a source of more.
    pub(crate) fn new(
        clock: Arc<dyn Clock>,
        fixed: KeySet,
        source: Option<Source>,
        ttl: Duration,
        stale_max: Duration,
    ) -> Self {
        let known = Arc::new(KeySet::default().and(&fixed));
        Self {
            clock,
            fixed,
            source,
            ttl,
            stale_max,
            state: Mutex::new(State {
                known,
                read_at: None,
                tried_at: None,
            }),
            flight: tokio::sync::Mutex::new(()),
            #[cfg(feature = "jwks-url")]
            client: reqwest::Client::builder()
                .redirect(reqwest::redirect::Policy::none())
                .timeout(FETCH_TIMEOUT)
                .build()
                .unwrap_or_default(),
        }
    }

    /// Looks at the source when the set is no longer fresh; the old one serves meanwhile.
    pub(crate) async fn keep_fresh(&self) {
        self.look_unless_tried_within(self.ttl).await;
    }

    /// One look at the source at a time, and none within `least` of the last.
    async fn look_unless_tried_within(&self, least: Duration) {
        let Some(source) = &self.source else {
            return;
        };
        let _flight = self.flight.lock().await;
        let now = self.clock.now();
        {
            let mut state = self.state.lock();
            if state.tried_at.is_some_and(|tried| now.since(tried) < least) {
                return;
            }
            state.tried_at = Some(now);
        }
        let read = match self.read(source).await {
            Ok(text) => KeySet::of_jwks(&text, matches!(source, Source::File(_))),
            Err(why) => Err(why),
        };
        let mut state = self.state.lock();
        match read {
            Ok(found) => {
                state.known = Arc::new(found.and(&self.fixed));
                state.read_at = Some(now);
            }
            Err(why) => {
                tracing::warn!(why, "the key set of the token issuer cannot be read");
                let is_stale = state
                    .read_at
                    .is_none_or(|read| now.since(read) >= self.stale_max);
                if is_stale {
                    // What the issuer may have withdrawn long ago opens nothing.
                    state.known = Arc::new(KeySet::default().and(&self.fixed));
                }
            }
        }
    }

    async fn read(&self, source: &Source) -> Result<Vec<u8>, String> {
        match source {
            Source::File(path) => {
                let path = path.clone();
                let read = tokio::task::spawn_blocking(move || std::fs::read(path)).await;
                let text = read.map_err(|error| error.to_string())?;
                let text = text.map_err(|error| error.to_string())?;
                if text.len() > SET_BYTES_MAX {
                    return Err(format!("is larger than {SET_BYTES_MAX} bytes"));
                }
                Ok(text)
            }
            #[cfg(feature = "jwks-url")]
            Source::Url(url) => self.fetch(url).await.map_err(|error| match error {
                Fetch::Failed(error) => error.without_url().to_string(),
                Fetch::Status(status) => format!("the issuer answered {status}"),
                Fetch::TooLarge => format!("is larger than {SET_BYTES_MAX} bytes"),
            }),
        }
    }

    #[cfg(feature = "jwks-url")]
    async fn fetch(&self, url: &str) -> Result<Vec<u8>, Fetch> {
        let mut response = self.client.get(url).send().await?;
        if !response.status().is_success() {
            return Err(Fetch::Status(response.status().as_u16()));
        }
        let mut text = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            text.extend_from_slice(&chunk);
            if text.len() > SET_BYTES_MAX {
                return Err(Fetch::TooLarge);
            }
        }
        Ok(text)
    }
}

/// Why an address gave no key set.
#[cfg(feature = "jwks-url")]
enum Fetch {
    Failed(reqwest::Error),
    Status(u16),
    TooLarge,
}

#[cfg(feature = "jwks-url")]
impl From<reqwest::Error> for Fetch {
    fn from(error: reqwest::Error) -> Self {
        Self::Failed(error)
    }
}

#[async_trait]
impl TokenKeys for Jwks {
    fn current(&self) -> Arc<KeySet> {
        Arc::clone(&self.state.lock().known)
    }

    async fn refreshed(&self) -> Arc<KeySet> {
        self.look_unless_tried_within(REFETCH_AFTER).await;
        self.current()
    }
}
