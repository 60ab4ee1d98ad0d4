//! Connections to whoever computes for this server.

use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};

/// How long a connection may take to be made.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A client for requests with a key and pages: a redirect would carry both elsewhere.
pub(super) fn builder() -> ClientBuilder {
    Client::builder()
        .redirect(Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
}
