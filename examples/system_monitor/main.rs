//! An agent in Rust: shows this machine's processor, memory and load as a live UI with buttons. Its
//! behaviour is in `flow.rs`.

#[path = "../shared/agent.rs"]
mod agent;
mod flow;
#[path = "../shared/terminal.rs"]
mod terminal;

use std::error::Error;

use agent::Agent;
use clap::Parser;

/// Shows this machine's processor, memory and load as a live UI.
#[derive(Parser)]
#[command(after_help = "\
Examples:
  cargo run --release --example system_monitor
  cargo run --release --example system_monitor -- http://127.0.0.1:7000/mcp")]
struct Cli {
    /// MCP endpoint of the server.
    #[arg(default_value = terminal::SERVER)]
    url: String,
    /// End when the first click is answered.
    #[arg(long)]
    once: bool,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let cli = Cli::parse();
    let client = terminal::connect(&cli.url).await?;
    let agent = Agent::new(client.peer().clone());
    loop {
        let shown = flow::show(&agent).await?;
        terminal::say_where(&shown);
        tokio::select! {
            ended = flow::run(&agent, &shown.session, cli.once) => {
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
