//! The arguments of the command line: verbs, flags, and what `--help` says of them.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use super::brain::{BrainArgs, BrainVerb};
#[cfg(feature = "demo")]
use super::examples::DEMO_EXAMPLES;
#[cfg(feature = "gallery")]
use super::examples::GALLERY_EXAMPLES;
#[cfg(feature = "gate")]
use super::examples::GATE_EXAMPLES;
#[cfg(feature = "model")]
use super::examples::GENERATE_EXAMPLES;
#[cfg(feature = "keyring")]
use super::examples::KEEP_KEY_EXAMPLES;
use super::examples::{
    BRAIN_EXAMPLES, COMPLETIONS_EXAMPLES, CONFIG_EXAMPLES, DATA_EXAMPLES, EXAMPLES,
    EXPLAIN_EXAMPLES, KEYS_EXAMPLES, STDIO_EXAMPLES,
};
#[cfg(feature = "gallery")]
use super::gallery::GalleryArgs;
#[cfg(feature = "model")]
use super::generate::GenerateArgs;

/// Puts living, safe interfaces of AI agents in front of people.
#[derive(Parser)]
#[command(version, name = "proscenium", after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(super) struct Cli {
    /// What to do; none is `serve`.
    #[command(subcommand)]
    pub(super) verb: Option<Verb>,
    /// The flags of `serve`.
    #[command(flatten)]
    pub(super) serve: ServeArgs,
}

/// What to do.
#[derive(Subcommand)]
pub(super) enum Verb {
    /// Serve agents and browsers (the default).
    #[command(after_help = EXAMPLES)]
    Serve(ServeArgs),
    /// Serve, with five agents that play real flows on the stage.
    ///
    /// A monitor of this machine, a review of the dependencies in a Cargo.lock, a build runner, an
    /// approval, and an agent that may delete a file once you agree. Only for this machine: it runs
    /// without keys, and keeps nothing.
    #[cfg(feature = "demo")]
    #[command(after_help = DEMO_EXAMPLES)]
    Demo(DemoArgs),
    /// The files behind the gate of the demo, on standard input and output.
    #[cfg(feature = "demo")]
    #[command(hide = true)]
    DemoDesk {
        /// The folder.
        folder: PathBuf,
    },
    /// Speak MCP on standard input and output, for clients that only start processes.
    ///
    /// Joins the server on the configured address, or starts one there, so that there is a stage.
    /// Nothing but MCP is written to standard output.
    #[command(after_help = STDIO_EXAMPLES)]
    Stdio(StdioArgs),
    /// Read, write and search the pages of the page store.
    ///
    /// Through the server that owns the data, or with the data alone where none runs. The verbs are
    /// the tools that agents have; a text `-` is read from standard input.
    #[command(after_help = BRAIN_EXAMPLES)]
    Brain {
        /// What to do with the pages.
        #[command(subcommand)]
        verb: Option<BrainVerb>,
        /// The flags of every verb.
        #[command(flatten)]
        args: BrainArgs,
    },
    /// Look at the configuration.
    #[command(after_help = CONFIG_EXAMPLES)]
    Config {
        /// How to look at it.
        #[command(subcommand)]
        verb: ConfigVerb,
        /// TOML file to read over the defaults.
        #[arg(long, global = true, value_name = "FILE")]
        config: Option<PathBuf>,
    },
    /// Find, check and copy the data.
    #[command(after_help = DATA_EXAMPLES)]
    Data {
        /// What to do with it.
        #[command(subcommand)]
        verb: DataVerb,
        /// Folder of the data [default: the platform's].
        #[arg(long, global = true, value_name = "DIR")]
        data: Option<PathBuf>,
        /// TOML file to read over the defaults.
        #[arg(long, global = true, value_name = "FILE")]
        config: Option<PathBuf>,
    },
    /// Make, list and revoke API keys.
    #[command(after_help = KEYS_EXAMPLES)]
    Keys {
        /// What to do with keys.
        #[command(subcommand)]
        verb: KeysVerb,
    },
    /// Say what is drawn of a contract, and why: what each part of it is taken for, what speaks for
    /// that, and the plan of the page.
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain {
        /// A contract, or {"intent", "contract"}, as JSON.
        file: PathBuf,
        /// One JSON object instead of text.
        #[arg(long)]
        json: bool,
    },
    /// Have the configured model draw one contract, and print the view with what it took.
    #[cfg(feature = "model")]
    #[command(after_help = GENERATE_EXAMPLES)]
    Generate(GenerateArgs),
    /// Look at contracts with data: as pictures, or live on a stage.
    #[cfg(feature = "gallery")]
    #[command(after_help = GALLERY_EXAMPLES)]
    Gallery(GalleryArgs),
    /// Look at a gate file: MCP servers behind one endpoint, and what may be used of them.
    #[cfg(feature = "gate")]
    #[command(after_help = GATE_EXAMPLES)]
    Gate {
        /// How to look at it.
        #[command(subcommand)]
        verb: GateVerb,
    },
    /// Print the completions of a shell.
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell.
        shell: Shell,
    },
}

/// How to look at a gate file.
#[cfg(feature = "gate")]
#[derive(Subcommand)]
pub(super) enum GateVerb {
    /// Say whether a gate file is sound; all that is wrong with it at once. Nothing is started.
    #[command(after_help = GATE_EXAMPLES)]
    Check {
        /// The file.
        file: PathBuf,
    },
    /// Print who was asked to approve which calls, what they decided and what came of it.
    ///
    /// JSON lines, oldest first, from the files gate-audit*.jsonl of the data folder. Each row names
    /// the hash of the row before it: where a row was changed or left out, the rest is not printed
    /// and the exit code is 66.
    #[command(after_help = GATE_EXAMPLES)]
    Audit {
        /// Folder of the data [default: the platform's].
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
        /// TOML file to read over the defaults.
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
    },
    /// Show what has changed of the tools behind a gate since they were accepted.
    ///
    /// Asks every source for its tools and compares them with the file that `pins` names in the gate
    /// file: names, titles, descriptions, schemas, annotations, and the name of the server. A running
    /// server uses only tools that are as they were accepted, and asks people on its stage about each
    /// that is not.
    #[command(after_help = GATE_EXAMPLES)]
    Pin {
        /// The gate file.
        file: PathBuf,
        /// Accept all of it as it is now. A running server notices within `gate.reread_s` seconds.
        #[arg(long)]
        accept: bool,
    },
}

/// How to look at the configuration.
#[derive(Subcommand)]
pub(super) enum ConfigVerb {
    /// Print every key with its meaning, its environment variable and its value.
    #[command(after_help = CONFIG_EXAMPLES)]
    Print,
    /// Say whether the configuration is sound; all that is wrong with it at once.
    #[command(after_help = CONFIG_EXAMPLES)]
    Check,
    /// Put the key of the model's provider, read from standard input, into the system's keyring,
    /// under the name that `model.keyring` has.
    #[cfg(feature = "keyring")]
    #[command(after_help = KEEP_KEY_EXAMPLES)]
    KeepKey,
}

/// What to do with the data.
#[derive(Subcommand)]
pub(super) enum DataVerb {
    /// Print the folder where everything is kept.
    #[command(after_help = DATA_EXAMPLES)]
    Path,
    /// Read everything, and say what is wrong with it; a server may run meanwhile.
    #[command(after_help = DATA_EXAMPLES)]
    Check,
    /// Copy everything that is acknowledged by now into a new file; a server may run meanwhile.
    #[command(after_help = DATA_EXAMPLES)]
    Backup {
        /// The new file.
        file: PathBuf,
    },
    /// Put a backup in the place of the data. What was there is kept in a file beside it.
    #[command(after_help = DATA_EXAMPLES)]
    Restore {
        /// The backup.
        file: PathBuf,
    },
}

/// What to do with keys.
#[derive(Subcommand)]
pub(super) enum KeysVerb {
    /// Add a key to a file and print its secret, which is stored nowhere.
    #[command(after_help = KEYS_EXAMPLES)]
    Create {
        /// The app it opens.
        #[arg(long)]
        app: String,
        /// 0 read, 1 own sessions, 2 any session of the app, 3 keys and blueprints.
        #[arg(long, default_value_t = 1)]
        trust: u8,
        /// What it may ask for: ggui:read, ggui:write, ggui:person, or the name of a tool; may be given again.
        /// Without one, all that its trust allows.
        #[arg(long = "scope", value_name = "SCOPE")]
        scopes: Vec<String>,
        /// The file; made if it is not there.
        #[arg(long, default_value = "keys.toml", value_name = "FILE")]
        keys_file: PathBuf,
    },
    /// Show the keys of a file. Their secrets are nowhere to be shown.
    #[command(after_help = KEYS_EXAMPLES)]
    List {
        /// One JSON array instead of a table.
        #[arg(long)]
        json: bool,
        /// The file.
        #[arg(long, default_value = "keys.toml", value_name = "FILE")]
        keys_file: PathBuf,
    },
    /// Take a key out of a file.
    ///
    /// The file is replaced as a whole, so that nobody reads half of it. A running server looks at
    /// it every `server.keys_reread_s` seconds. Then the key opens nothing, its sockets and streams
    /// are closed, and its calls that wait are answered 401 and take nothing; others that are being
    /// answered are finished. What the key has put in front of people belongs to its sessions: links
    /// and tokens of a session open it until it ends, which it does by itself within
    /// `limits.sessions.life_max_s`, or at once with `DELETE /api/v1/sessions/{id}`.
    #[command(after_help = KEYS_EXAMPLES)]
    Revoke {
        /// Its id, as `keys list` shows it.
        id: String,
        /// The file.
        #[arg(long, default_value = "keys.toml", value_name = "FILE")]
        keys_file: PathBuf,
    },
}

/// The flags of `serve`.
#[derive(Args)]
pub(super) struct ServeArgs {
    /// Address or name, and port, to listen on [default: 127.0.0.1:6781].
    #[arg(long, value_name = "ADDR")]
    pub(super) listen: Option<String>,
    /// Scheme and host under which the server is reached.
    #[arg(long, value_name = "URL")]
    pub(super) public_url: Option<String>,
    /// File of API keys; needed for any address but loopback.
    #[arg(long, value_name = "FILE")]
    pub(super) keys_file: Option<PathBuf>,
    /// File of MCP servers behind the gate at /mcp/gate, and of what may be used of them.
    #[cfg(feature = "gate")]
    #[arg(long, value_name = "FILE")]
    pub(super) gate: Option<PathBuf>,
    /// TOML file to read over the defaults.
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Where everything is kept.
    #[command(flatten)]
    pub(super) store: StoreArgs,
    /// Open the stage in the browser.
    #[arg(long)]
    pub(super) open: bool,
    /// Take rates and counts out of the way; for benchmarks only.
    #[arg(long)]
    pub(super) unlimited: bool,
}

/// The flags that say where everything is kept.
#[derive(Args)]
pub(super) struct StoreArgs {
    /// Folder of the data [default: the platform's, as `proscenium data path` shows it].
    #[arg(long, value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
    /// Keep everything in memory, and forget it with the process.
    #[arg(long, conflicts_with = "data")]
    pub(super) ephemeral: bool,
    /// Keep everything in a Redis or Valkey that other servers share [for example:
    /// redis://127.0.0.1].
    #[arg(long, value_name = "URL", conflicts_with_all = ["data", "ephemeral"])]
    pub(super) store: Option<String>,
}

/// The flags of `demo`.
#[cfg(feature = "demo")]
#[derive(Args)]
pub(super) struct DemoArgs {
    /// Address and port to listen on [default: 127.0.0.1:6781].
    #[arg(long, value_name = "ADDR")]
    pub(super) listen: Option<String>,
    /// TOML file to read over the defaults.
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Open the stage in the browser.
    #[arg(long)]
    pub(super) open: bool,
    /// The Cargo.lock whose dependencies are reviewed.
    #[arg(long, value_name = "FILE", default_value = "Cargo.lock")]
    pub(super) lockfile: PathBuf,
    /// What the build runner runs.
    #[arg(last = true, value_name = "COMMAND", default_values = ["cargo", "check"])]
    pub(super) command: Vec<String>,
}

/// The flags of `stdio`.
#[derive(Args)]
pub(super) struct StdioArgs {
    /// Address of the server to join, or to start [default: 127.0.0.1:6781].
    #[arg(long, value_name = "ADDR")]
    pub(super) listen: Option<String>,
    /// API key, where the server wants one.
    #[arg(long, value_name = "SECRET")]
    pub(super) key: Option<String>,
    /// TOML file to read over the defaults.
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Where a server that is started keeps everything.
    #[command(flatten)]
    pub(super) store: StoreArgs,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Cli;

    #[test]
    fn the_command_line_is_sound_and_every_verb_shows_examples() {
        let mut command = Cli::command();
        command.build();
        command.clone().debug_assert();
        for verb in command
            .get_subcommands()
            .filter(|verb| verb.get_name() != "help" && !verb.is_hide_set())
        {
            let help = verb.clone().render_long_help().to_string();
            assert!(help.contains("Examples:"), "{help}");
        }
    }
}
