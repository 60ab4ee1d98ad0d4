//! The command line: verbs, flags and exit codes.

use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use proscenium::config::{Config, ConfigError, LogFormat, LoggingSettings};
#[cfg(feature = "gallery")]
use proscenium::gallery::{self, GalleryError, Studio};
use proscenium::keys::{self, KeysError};
use proscenium::{App, Running, StartError};
use tracing_subscriber::EnvFilter;

/// The command line is wrong.
const EXIT_USAGE: u8 = 64;
/// A file cannot be read.
const EXIT_NO_INPUT: u8 = 66;
/// The address cannot be listened on.
const EXIT_UNAVAILABLE: u8 = 69;
/// The configuration is wrong.
const EXIT_CONFIG: u8 = 78;

const EXAMPLES: &str = "\
Examples:
  proscenium                                   serve on http://127.0.0.1:6781, no key needed
  proscenium serve --listen 127.0.0.1:0        on any free port
  proscenium keys create --app demo --keys-file keys.toml
  proscenium serve --listen 0.0.0.0:6781 --keys-file keys.toml --public-url https://ui.example.org
  PROSCENIUM_HANDSHAKES_TTL_S=60 proscenium    every key is also an environment variable
  proscenium config print                      all keys, their meaning and their values";

#[cfg(feature = "gallery")]
const GALLERY_EXAMPLES: &str = "\
Examples:
  proscenium gallery --out shots                draw examples/gallery: two pictures each, and a sheet
  proscenium gallery --out shots --only shop    those with `shop` in their name
  proscenium gallery                            look at them on a stage, and click
  proscenium gallery --from mine --out shots    contracts of your own, one JSON file each:
                                                {\"intent\", \"contract\", \"props\", \"streams\": {channel: [payload]}}";

/// Puts living, safe interfaces of AI agents in front of people.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    serve: ServeArgs,
}

#[derive(Subcommand)]
enum Verb {
    /// Serve agents and browsers (the default).
    #[command(after_help = EXAMPLES)]
    Serve(ServeArgs),
    /// Look at the configuration.
    Config {
        #[command(subcommand)]
        verb: ConfigVerb,
        /// TOML file to read over the defaults.
        #[arg(long, global = true, value_name = "FILE")]
        config: Option<PathBuf>,
    },
    /// Make API keys.
    Keys {
        #[command(subcommand)]
        verb: KeysVerb,
    },
    /// Look at contracts with data: as pictures, or live on a stage.
    #[cfg(feature = "gallery")]
    #[command(after_help = GALLERY_EXAMPLES)]
    Gallery(GalleryArgs),
}

#[derive(Subcommand)]
enum ConfigVerb {
    /// Print every key with its meaning, its environment variable and its value.
    Print,
    /// Say whether the configuration is sound.
    Check,
}

#[derive(Subcommand)]
enum KeysVerb {
    /// Add a key to a file and print its secret, which is stored nowhere.
    Create {
        /// The app it opens.
        #[arg(long)]
        app: String,
        /// 0 read, 1 own sessions, 2 any session of the app, 3 keys and blueprints.
        #[arg(long, default_value_t = 1)]
        trust: u8,
        /// The file; made if it is not there.
        #[arg(long, default_value = "keys.toml", value_name = "FILE")]
        keys_file: PathBuf,
    },
}

#[derive(Args)]
struct ServeArgs {
    /// Address and port to listen on [default: 127.0.0.1:6781].
    #[arg(long, value_name = "ADDR")]
    listen: Option<String>,
    /// Scheme and host under which the server is reached.
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// File of API keys; needed for any address but loopback.
    #[arg(long, value_name = "FILE")]
    keys_file: Option<PathBuf>,
    /// TOML file to read over the defaults.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Take rates and counts out of the way; for benchmarks only.
    #[arg(long)]
    unlimited: bool,
}

#[cfg(feature = "gallery")]
#[derive(Args)]
struct GalleryArgs {
    /// Folder the pictures are written to; needs a Chromium.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show the entries on a stage until Ctrl-C (the default without --out).
    #[arg(long)]
    serve: bool,
    /// Folder of the entries.
    #[arg(long, default_value = "examples/gallery", value_name = "DIR")]
    from: PathBuf,
    /// Only entries whose name contains this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Address and port of the stage.
    #[arg(long, default_value = "127.0.0.1:0", value_name = "ADDR")]
    listen: String,
    /// The browser to draw with.
    #[arg(long, value_name = "FILE")]
    browser: Option<PathBuf>,
}

/// One line for stderr, and how the process ends.
struct Failure(u8, String);

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        let code = match &error {
            ConfigError::Unreadable { .. } => EXIT_NO_INPUT,
            ConfigError::Invalid(_) => EXIT_CONFIG,
        };
        Self(code, error.to_string())
    }
}

impl From<KeysError> for Failure {
    fn from(error: KeysError) -> Self {
        let code = match &error {
            KeysError::Unusable { .. } => EXIT_NO_INPUT,
            KeysError::Invalid(_) => EXIT_CONFIG,
        };
        Self(code, error.to_string())
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Config(error) => error.into(),
            StartError::Keys(error) => error.into(),
            StartError::Listen { .. } => Self(EXIT_UNAVAILABLE, error.to_string()),
        }
    }
}

#[cfg(feature = "gallery")]
impl From<GalleryError> for Failure {
    fn from(error: GalleryError) -> Self {
        let code = match error {
            GalleryError::Start(error) => return error.into(),
            GalleryError::Unreadable { .. } | GalleryError::Refused { .. } => EXIT_NO_INPUT,
            GalleryError::Browser(_)
            | GalleryError::NoBrowser
            | GalleryError::Server(_)
            | GalleryError::Unwritable { .. } => EXIT_UNAVAILABLE,
        };
        Self(code, error.to_string())
    }
}

fn main() -> ExitCode {
    let outcome = match Cli::try_parse() {
        Ok(cli) => run(cli),
        Err(error) if error.use_stderr() => {
            let text = error.to_string();
            let line = text
                .lines()
                .next()
                .unwrap_or_default()
                .trim_start_matches("error: ");
            Err(Failure(
                EXIT_USAGE,
                format!("{line} (see proscenium --help)"),
            ))
        }
        // `--help` and `--version` are answers, not errors.
        Err(answer) => say(&answer.to_string()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(code, line)) => {
            let _ = writeln!(std::io::stderr(), "proscenium: {line}");
            ExitCode::from(code)
        }
    }
}

fn run(cli: Cli) -> Result<(), Failure> {
    match cli.verb {
        None => serve(cli.serve),
        Some(Verb::Serve(args)) => serve(args),
        #[cfg(feature = "gallery")]
        Some(Verb::Gallery(args)) => gallery(&args),
        Some(Verb::Config { verb, config }) => {
            let config = Config::load(config.as_deref(), environment())?;
            match verb {
                ConfigVerb::Print => say(&config.print()),
                ConfigVerb::Check => {
                    config.validate()?;
                    say("the configuration is sound\n")
                }
            }
        }
        Some(Verb::Keys {
            verb:
                KeysVerb::Create {
                    app,
                    trust,
                    keys_file,
                },
        }) => say(&format!("{}\n", keys::create(&keys_file, &app, trust)?)),
    }
}

/// The environment; what is not text in it is made so, to be refused where it matters.
fn environment() -> impl Iterator<Item = (String, String)> {
    let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
    std::env::vars_os().map(move |(name, value)| (text(name), text(value)))
}

fn say(text: &str) -> Result<(), Failure> {
    // A reader that went away (`| head`) is no failure.
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(())
}

fn serve(args: ServeArgs) -> Result<(), Failure> {
    let mut config = Config::load(args.config.as_deref(), environment())?;
    let server = &mut config.server;
    server.listen = args.listen.unwrap_or(std::mem::take(&mut server.listen));
    server.public_url = args
        .public_url
        .unwrap_or(std::mem::take(&mut server.public_url));
    server.keys_file = args
        .keys_file
        .unwrap_or(std::mem::take(&mut server.keys_file));
    server.unlimited |= args.unlimited;
    log_to_stderr(&config.logging)?;
    runtime()?.block_on(async {
        let running = App::new(config).start().await?;
        greet(&running)?;
        interrupted().await;
        tracing::info!("shutting down");
        if !running.stop().await {
            tracing::warn!("some connections did not end in time and were cut");
        }
        Ok(())
    })
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    runtime.map_err(|error| Failure(EXIT_UNAVAILABLE, error.to_string()))
}

#[cfg(feature = "gallery")]
fn gallery(args: &GalleryArgs) -> Result<(), Failure> {
    let entries = gallery::read(&args.from, args.only.as_deref())?;
    runtime()?.block_on(async {
        let studio = Studio::open(&args.listen, &entries).await?;
        let drawn = match &args.out {
            Some(folder) => studio.draw(folder, args.browser.as_deref()).await,
            None => Ok(()),
        };
        if drawn.is_ok() {
            if let Some(folder) = &args.out {
                let (count, folder) = (entries.len(), folder.display());
                say(&format!("{count} entries drawn: {folder}/index.html\n"))?;
            }
            if args.serve || args.out.is_none() {
                let (count, stage) = (entries.len(), studio.stage_url());
                say(&format!("{count} entries on stage: {stage}\n"))?;
                interrupted().await;
            }
        }
        studio.close().await;
        Ok(drawn?)
    })
}

fn log_to_stderr(settings: &LoggingSettings) -> Result<(), Failure> {
    let filter = EnvFilter::try_new(&settings.level)
        .map_err(|error| Failure(EXIT_CONFIG, format!("logging.level: {error}")))?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    match settings.format {
        LogFormat::Text => {
            let ansi = std::io::stderr().is_terminal();
            builder.with_target(false).with_ansi(ansi).init();
        }
        LogFormat::Json => builder.json().init(),
    }
    Ok(())
}

fn greet(running: &Running) -> Result<(), Failure> {
    let (stage, mcp) = (running.stage_url(), running.mcp_url());
    say(&format!(
        "proscenium {version}\n\
         \n  stage    {stage}\
         \n  mcp      {mcp}\
         \n  connect  claude mcp add --transport http proscenium {mcp}\
         \n\n",
        version = env!("CARGO_PKG_VERSION"),
    ))?;
    if running.is_dev() {
        tracing::warn!(
            "DEV IDENTITY: everyone on this machine is `builder` and needs no key; \
             use --keys-file to change that"
        );
    }
    Ok(())
}

/// Returns on Ctrl-C, and where there are such signals on SIGTERM.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
