//! Plays the demo flows: each has its own client, and a new session when one ends.

use std::path::{Path, PathBuf};

use rmcp::ServiceExt as _;
use tokio::io::duplex;
use tokio::task::JoinSet;

use super::agent::{Agent, Failure, Shown};
use super::build_runner::{Build, Work};
use super::dependency_review::Review;
use super::{approval, system_monitor};
use crate::app::{KeyRefused, Running};

/// Size of the pipe between a flow and the server, in bytes.
const PIPE_BYTES: usize = 64 << 10;

/// The inputs of the demo.
#[derive(Debug, Clone)]
pub struct Demo {
    /// The lock file shown for review.
    pub lockfile: PathBuf,
    /// The command of the build runner; `None` simulates a build without running anything.
    pub command: Option<Vec<String>>,
}

impl Demo {
    /// The demo that anyone at the stage may start: it starts no process.
    pub fn harmless() -> Self {
        Self {
            lockfile: PathBuf::from("Cargo.lock"),
            command: None,
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

/// The running flows; dropping this ends them and every process they started.
pub struct Playing {
    _tasks: JoinSet<()>,
}

impl Demo {
    /// Plays all flows on a running server.
    ///
    /// # Errors
    /// The server requires a key.
    pub async fn play(self, running: &Running) -> Result<Playing, NoDemo> {
        let mut tasks = JoinSet::new();
        let flows = [
            Flow::Approval,
            Flow::DependencyReview(self.lockfile),
            Flow::BuildRunner(Build::new(match self.command {
                Some(command) => Work::Command(command),
                None => Work::Rehearsal,
            })),
            Flow::SystemMonitor,
        ];
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
        Ok(Playing { _tasks: tasks })
    }
}

enum Flow {
    Approval,
    BuildRunner(Build),
    DependencyReview(PathBuf),
    SystemMonitor,
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
        }
    }
}

fn logged(shown: Shown) -> Shown {
    tracing::debug!(at = shown.viewer_url, "a flow is shown");
    shown
}
