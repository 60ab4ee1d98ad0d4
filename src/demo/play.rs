//! Plays the flows: a client of its own for each, in this process, and a new session when one ends.

use std::path::{Path, PathBuf};

use rmcp::ServiceExt as _;
use tokio::io::duplex;
use tokio::task::JoinSet;

use super::agent::{Agent, Failure, Shown};
use super::build_runner::{Build, Work};
use super::dependency_review::Review;
use super::{approval, system_monitor};
use crate::app::{KeyRefused, Running};

/// Bytes on their way between a flow and the server.
const PIPE_BYTES: usize = 64 << 10;

/// What the flows are played with.
#[derive(Debug, Clone)]
pub struct Demo {
    /// The lock file that is reviewed.
    pub lockfile: PathBuf,
    /// What the build runner runs; none is a rehearsal in which nothing is run.
    pub command: Option<Vec<String>>,
}

impl Demo {
    /// The demo that anyone at the stage may ask for: it starts no process.
    pub fn harmless() -> Self {
        Self {
            lockfile: PathBuf::from("Cargo.lock"),
            command: None,
        }
    }
}

/// Why there is no demo.
#[derive(Debug, thiserror::Error)]
pub enum NoDemo {
    /// The server wants keys.
    #[error("the demo is for this machine alone: start it without a keys file")]
    Keys(#[from] KeyRefused),
}

/// Flows that are played; dropped, they and whatever they started end.
pub struct Playing {
    _tasks: JoinSet<()>,
}

impl Demo {
    /// Plays all flows on a server.
    ///
    /// # Errors
    /// The server takes nobody without a key.
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
                        // An end of the session is answered by a new one.
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
    /// From a new session to its end.
    async fn play(&self, agent: &Agent) -> Result<(), Failure> {
        match self {
            Self::Approval => {
                let shown = told(approval::show(agent).await?);
                approval::run(agent, &shown.session).await
            }
            Self::BuildRunner(build) => {
                let shown = told(build.show(agent).await?);
                build.run(agent, &shown.session, false).await
            }
            Self::DependencyReview(lockfile) => {
                let mut review = Review::new(lockfile, Path::new("."));
                let shown = told(review.show(agent).await?);
                review.run(agent, &shown.session, false).await
            }
            Self::SystemMonitor => {
                let shown = told(system_monitor::show(agent).await?);
                system_monitor::run(agent, &shown.session, false).await
            }
        }
    }
}

fn told(shown: Shown) -> Shown {
    tracing::debug!(at = shown.viewer_url, "a flow is shown");
    shown
}
