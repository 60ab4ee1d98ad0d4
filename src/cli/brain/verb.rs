//! One verb: its flags, who does it, and what is printed of it.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::super::attached::stdio_pages;
use super::super::failure::{EXIT_CONFIG, EXIT_NO_INPUT, EXIT_USAGE, Failure};
use super::super::process::{environment, in_runtime, say};
use super::arguments::BrainVerb;
use super::client::{Client, Problem};
use super::files;
use crate::config::Config;

/// The flags of every verb of the page store.
#[derive(Args)]
pub(in super::super) struct BrainArgs {
    /// One JSON object instead of text.
    #[arg(long, global = true)]
    json: bool,
    /// Folder of the data [default: the platform's]. A server that owns it is asked.
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    /// API key, where the server wants one.
    #[arg(long, global = true, value_name = "SECRET")]
    key: Option<String>,
    /// TOML file to read over the defaults.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Speak MCP on standard input and output, the tools of the page store and nothing else, for
    /// clients that only start processes. A verb is left out.
    #[arg(long)]
    stdio: bool,
}

/// Does one thing with the pages: through the server that owns the data, or with a server of its own
/// for as long as it takes.
pub(in super::super) fn run(verb: Option<BrainVerb>, args: BrainArgs) -> Result<(), Failure> {
    let as_json = args.json;
    let done = match (verb, args.stdio) {
        (Some(verb), false) => configured(&args)
            .map_err(Problem::from)
            .and_then(|config| in_runtime(perform(config, verb, args))),
        (None, true) => return stdio_pages(configured(&args)?, args.key),
        _ => {
            let why = "name one verb, or --stdio; proscenium brain --help lists them";
            Err(Failure(EXIT_USAGE, why.to_owned()).into())
        }
    };
    match done {
        Ok(printed) => say(printed.as_bytes()),
        Err(problem) if as_json => {
            // One object in one line, and nothing in front of it.
            let _ = writeln!(std::io::stderr(), "{}", problem.to_json());
            Err(Failure(problem.failure.0, String::new()))
        }
        Err(problem) => Err(problem.failure),
    }
}

/// The configuration, if it has pages that outlive a process.
fn configured(args: &BrainArgs) -> Result<Config, Failure> {
    let mut config = Config::load(args.config.as_deref(), environment())?;
    config.keep_in(args.data.clone(), false);
    let has_folder = !config.store.ephemeral && config.store.url.is_empty();
    if !has_folder && config.brain.path.as_os_str().is_empty() {
        let why = "this configuration keeps pages in the memory of a server: name a file with \
                   brain.path, or a folder with --data DIR and without store.ephemeral";
        return Err(Failure(EXIT_CONFIG, why.to_owned()));
    }
    Ok(config)
}

async fn perform(config: Config, verb: BrainVerb, args: BrainArgs) -> Result<String, Problem> {
    let client = Client::open(config, args.key.as_deref()).await?;
    let done = printed(&client, verb, args.json).await;
    client.close().await;
    done
}

/// What is printed of what came of a verb.
async fn printed(client: &Client, verb: BrainVerb, as_json: bool) -> Result<String, Problem> {
    let (result, text) = match verb {
        BrainVerb::Tool {
            name,
            mut arguments,
        } => {
            for argument in arguments.values_mut() {
                if argument.as_str() == Some("-") {
                    *argument = standard_input()?.into();
                }
            }
            let result = client.call(name, Value::Object(arguments)).await?;
            let text = result["content"][0]["text"].as_str();
            (
                result["structuredContent"].clone(),
                text.unwrap_or_default().to_owned(),
            )
        }
        BrainVerb::Export { folder, collection } => {
            let written = files::export(client, &folder, collection).await?;
            (
                json!({ "pages": written }),
                format!("{written} pages are in {}", folder.display()),
            )
        }
        BrainVerb::Import { folder, collection } => {
            let imported = files::import(client, &folder, collection).await?;
            (imported.to_json(), imported.to_string())
        }
    };
    let mut text = if as_json { result.to_string() } else { text };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

fn standard_input() -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::io::stdin().read_to_string(&mut text);
    let unreadable = |error| {
        let why = format!("standard input cannot be read: {error}");
        Failure(EXIT_NO_INPUT, why)
    };
    read.map_err(unreadable).map(|_| text)
}
