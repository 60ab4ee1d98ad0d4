//! An agent in Rust: shows the packages of a `Cargo.lock` to a person, who marks some and submits a
//! review. Its behaviour is in `flow.rs`.

#[expect(dead_code, reason = "other agents use more of it")]
#[path = "../shared/agent.rs"]
mod agent;
mod flow;
mod lockfile;
#[path = "../shared/terminal.rs"]
mod terminal;

use std::error::Error;
use std::path::PathBuf;

use agent::Agent;
use clap::Parser;

/// Puts the packages of a Cargo.lock in front of a person, and writes the review they submit.
#[derive(Parser)]
#[command(after_help = "\
Examples:
  cargo run --release --example dependency_review
  cargo run --release --example dependency_review -- --lockfile ../app/Cargo.lock
  cargo run --release --example dependency_review -- --once http://127.0.0.1:7000/mcp")]
struct Cli {
    /// MCP endpoint of the server.
    #[arg(default_value = terminal::SERVER)]
    url: String,
    /// The file to review.
    #[arg(long, value_name = "FILE", default_value = "Cargo.lock")]
    lockfile: PathBuf,
    /// The folder reviews are written into.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    reviews: PathBuf,
    /// End when the first review is written.
    #[arg(long)]
    once: bool,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let cli = Cli::parse();
    let client = terminal::connect(&cli.url).await?;
    let agent = Agent::new(client.peer().clone());
    loop {
        let mut review = flow::Review::new(&cli.lockfile, &cli.reviews);
        let shown = review.show(&agent).await?;
        terminal::say_where(&shown);
        tokio::select! {
            ended = review.run(&agent, &shown.session, cli.once) => {
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
