//! The demo: five agents in this process that play real flows on the stage.
//!
//! Three of them are the examples themselves: an example and the demo include the same files.

#[path = "../../examples/shared/agent.rs"]
mod agent;
mod approval;
#[path = "../../examples/build_runner/flow.rs"]
mod build_runner;
#[path = "../../examples/dependency_review/flow.rs"]
mod dependency_review;
mod desk;
mod desk_server;
#[path = "../../examples/dependency_review/lockfile.rs"]
mod lockfile;
mod play;
#[path = "../../examples/build_runner/process.rs"]
mod process;
#[path = "../../examples/system_monitor/flow.rs"]
mod system_monitor;
mod tidying;

pub use desk::Desk;
pub use desk_server::serve_desk;
pub use play::{Demo, NoDemo, Playing};
