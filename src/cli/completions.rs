//! `proscenium completions`: the completions of a shell.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::arguments::Cli;
use super::failure::Failure;
use super::process::say;

/// Prints the completions of a shell.
pub(super) fn run(shell: Shell) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "proscenium", &mut text);
    say(&text)
}
