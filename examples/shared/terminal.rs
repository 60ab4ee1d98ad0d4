//! How the examples begin and end: a connection over HTTP, and a line for whoever started them.

use std::fmt::Display;

use rmcp::service::RunningService;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::{RoleClient, ServiceExt as _};

use crate::agent::{Failure, Shown};

/// Where the server is found when nothing else is said.
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

/// Whether to show a new session: an end of the old one is no failure.
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
