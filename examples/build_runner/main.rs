//! An agent in Rust: runs a command, shows its log and progress live, and lets the person cancel it
//! and run it again. What it shows and does is in `flow.rs`.

#[expect(dead_code, reason = "other agents use more of it")]
#[path = "../shared/agent.rs"]
mod agent;
mod flow;
mod process;
#[path = "../shared/terminal.rs"]
mod terminal;

use std::error::Error;

use agent::Agent;
use clap::Parser;
use flow::{Build, Work};

/// Runs a command, shows its log and progress live, and lets a person cancel it.
#[derive(Parser)]
#[command(after_help = "\
Examples:
  cargo run --release --example build_runner
  cargo run --release --example build_runner -- -- cargo test
  cargo run --release --example build_runner -- --once http://127.0.0.1:7000/mcp -- make -j4")]
struct Cli {
    /// MCP endpoint of the server.
    #[arg(default_value = terminal::SERVER)]
    url: String,
    /// End with the first run.
    #[arg(long)]
    once: bool,
    /// Run nothing: simulate a build
    #[arg(long, conflicts_with = "command")]
    rehearse: bool,
    /// What is run.
    #[arg(last = true, value_name = "COMMAND", default_values = ["cargo", "check"])]
    command: Vec<String>,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let cli = Cli::parse();
    let client = terminal::connect(&cli.url).await?;
    let agent = Agent::new(client.peer().clone());
    let build = Build::new(if cli.rehearse {
        Work::Rehearsal
    } else {
        Work::Command(cli.command)
    });
    loop {
        let shown = build.show(&agent).await?;
        terminal::say_where(&shown);
        tokio::select! {
            ended = build.run(&agent, &shown.session, cli.once) => {
                if !terminal::goes_on(ended)? {
                    break;
                }
            }
            _ = tokio::signal::ctrl_c() => break,
        }
    }
    client.cancel().await?;
    Ok(())
}
