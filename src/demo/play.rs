//! Plays the demo flows: each has its own client, and a new session when one ends.

use std::path::{Path, PathBuf};

use rmcp::ServiceExt as _;
use rmcp::transport::StreamableHttpClientTransport;
use tokio::io::duplex;
use tokio::task::JoinSet;

use super::agent::{Agent, Failure, Shown};
use super::build_runner::{Build, Work};
use super::dependency_review::Review;
use super::desk::Desk;
use super::{approval, system_monitor, tidying};
use crate::app::{KeyRefused, Running};

/// Size of the pipe between a flow and the server, in bytes.
const PIPE_BYTES: usize = 64 << 10;

/// The inputs of the demo.
#[derive(Debug)]
pub struct Demo {
    /// The lock file shown for review.
    pub lockfile: PathBuf,
    /// The command of the build runner; `None` simulates a build without running anything.
    pub command: Option<Vec<String>>,
    /// The files behind the server's gate; `None` leaves out the agent that wants to delete one.
    pub desk: Option<Desk>,
}

impl Demo {
    /// The demo that anyone at the stage may start: it starts no process.
    pub fn harmless() -> Self {
        Self {
            lockfile: PathBuf::from("Cargo.lock"),
            command: None,
            desk: None,
        }
    }
}

/// Why the demo cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum NoDemo {
    /// The server requires keys.
    #[error("the demo is for this machine alone: start it without a keys file")]
    Keys(#[from] KeyRefused),
}

/// The running flows; dropping this ends them and every process they started, and removes the files.
pub struct Playing {
    _tasks: JoinSet<()>,
    _desk: Option<Desk>,
}

impl Demo {
    /// Plays all flows on a running server.
    ///
    /// # Errors
    /// The server requires a key.
    pub async fn play(self, running: &Running) -> Result<Playing, NoDemo> {
        let mut tasks = JoinSet::new();
        let mut flows = vec![
            Flow::Approval,
            Flow::DependencyReview(self.lockfile),
            Flow::BuildRunner(Build::new(match self.command {
                Some(command) => Work::Command(command),
                None => Work::Rehearsal,
            })),
            Flow::SystemMonitor,
        ];
        if self.desk.is_some() {
            flows.extend(running.gate_url().map(Flow::Tidying));
        }
        for flow in flows {
            let (near, far) = duplex(PIPE_BYTES);
            let (reader, writer) = tokio::io::split(far);
            tasks.spawn(running.attach(None, reader, writer).await?);
            tasks.spawn(async move {
                let client = match ().serve(near).await {
                    Ok(client) => client,
                    Err(error) => {
                        tracing::warn!(%error, "a flow of the demo did not begin");
                        return;
                    }
                };
                let agent = Agent::new(client.peer().clone());
                loop {
                    match flow.play(&agent).await {
                        // A session that ended is followed by a new one.
                        Ok(()) | Err(Failure::Gone) => {}
                        Err(error) => {
                            tracing::warn!(%error, "a flow of the demo has ended");
                            return;
                        }
                    }
                }
            });
        }
        Ok(Playing {
            _tasks: tasks,
            _desk: self.desk,
        })
    }
}

enum Flow {
    Approval,
    BuildRunner(Build),
    DependencyReview(PathBuf),
    SystemMonitor,
    /// With the address of the gate.
    Tidying(String),
}

impl Flow {
    /// Plays the flow from a new session to its end.
    async fn play(&self, agent: &Agent) -> Result<(), Failure> {
        match self {
            Self::Approval => {
                let shown = logged(approval::show(agent).await?);
                approval::run(agent, &shown.session).await
            }
            Self::BuildRunner(build) => {
                let shown = logged(build.show(agent).await?);
                build.run(agent, &shown.session, false).await
            }
            Self::DependencyReview(lockfile) => {
                let mut review = Review::new(lockfile, Path::new("."));
                let shown = logged(review.show(agent).await?);
                review.run(agent, &shown.session, false).await
            }
            Self::SystemMonitor => {
                let shown = logged(system_monitor::show(agent).await?);
                system_monitor::run(agent, &shown.session, false).await
            }
            Self::Tidying(gate) => {
                let gate = StreamableHttpClientTransport::from_uri(gate.as_str());
                let gate = ().serve(gate).await;
                let gate = gate.map_err(|error| Failure::Lost(error.into()))?;
                let files = tidying::Files::new(gate.peer().clone());
                let shown = logged(tidying::show(agent, &files).await?);
                tidying::run(agent, &files, &shown.session).await
            }
        }
    }
}

fn logged(shown: Shown) -> Shown {
    tracing::debug!(at = shown.viewer_url, "a flow is shown");
    shown
}
