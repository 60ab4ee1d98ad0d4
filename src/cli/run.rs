//! Reads the command line, runs its verb, and turns the outcome into an exit code.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

use super::arguments::{Cli, Verb};
#[cfg(feature = "demo")]
use super::demo::demo;
use super::explain::explain;
use super::failure::{EXIT_USAGE, Failure};
#[cfg(feature = "gallery")]
use super::gallery::gallery;
#[cfg(feature = "gate")]
use super::gate;
#[cfg(feature = "model")]
use super::generate::generate;
use super::process::say;
use super::serve::serve;
use super::stdio::stdio;
use super::{brain, completions, config, data, keys};

/// Runs this process's command line to its end.
pub fn run() -> ExitCode {
    let outcome = match Cli::try_parse() {
        Ok(cli) => run_verb(cli),
        Err(error) if error.use_stderr() => {
            // What is missing, what is possible and how it is used stand on lines of their own.
            let _ = error.print();
            return ExitCode::from(EXIT_USAGE);
        }
        // `--help` and `--version` are answers, not errors.
        Err(answer) => say(answer.to_string().as_bytes()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(code, lines)) => {
            for line in lines.lines() {
                let _ = writeln!(std::io::stderr(), "proscenium: {line}");
            }
            ExitCode::from(code)
        }
    }
}

fn run_verb(cli: Cli) -> Result<(), Failure> {
    match cli.verb {
        None => serve(&cli.serve),
        Some(Verb::Serve(args)) => serve(&args),
        #[cfg(feature = "demo")]
        Some(Verb::Demo(args)) => demo(args),
        Some(Verb::Stdio(args)) => stdio(args),
        Some(Verb::Explain { file, json }) => explain(&file, json),
        #[cfg(feature = "model")]
        Some(Verb::Generate(args)) => generate(&args),
        Some(Verb::Completions { shell }) => completions::run(shell),
        #[cfg(feature = "gallery")]
        Some(Verb::Gallery(args)) => gallery(&args),
        Some(Verb::Brain { verb, args }) => brain::run(verb, args),
        Some(Verb::Config { verb, config }) => config::run(&verb, config.as_deref()),
        Some(Verb::Data {
            verb,
            data: folder,
            config,
        }) => data::run(verb, folder, config.as_deref()),
        #[cfg(feature = "gate")]
        Some(Verb::Gate { verb }) => gate::run(verb),
        Some(Verb::Keys { verb }) => keys::run(verb),
    }
}
