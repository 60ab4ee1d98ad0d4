//! How the examples start and end: an HTTP connection, and messages on the terminal.

use std::fmt::Display;

use rmcp::service::RunningService;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::{RoleClient, ServiceExt as _};

use crate::agent::{Failure, Shown};

/// The default address of the server.
pub(crate) const SERVER: &str = "http://127.0.0.1:6781/mcp";

/// Connects to a server's MCP endpoint.
pub(crate) async fn connect(url: &str) -> Result<RunningService<RoleClient, ()>, String> {
    let transport = StreamableHttpClientTransport::from_uri(url);
    ().serve(transport).await.map_err(|error| {
        format!("cannot reach {url}: {error}. Is the server running? cargo run --release")
    })
}

pub(crate) fn say_where(shown: &Shown) {
    say(format_args!("showing it at {}", shown.viewer_url));
}

/// Whether to show a new session: the end of the old one is not a failure.
pub(crate) fn goes_on(ended: Result<(), Failure>) -> Result<bool, Failure> {
    match ended {
        Ok(()) => Ok(false),
        Err(Failure::Gone) => {
            say("the session has ended; showing a new one");
            Ok(true)
        }
        Err(failure) => Err(failure),
    }
}

#[expect(clippy::print_stdout, reason = "an agent on a terminal talks to it")]
fn say(text: impl Display) {
    println!("{text}");
}
