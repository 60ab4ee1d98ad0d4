//! The command line: verbs, flags and exit codes.

use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser as _;
#[cfg(feature = "demo")]
use proscenium::cli::DemoArgs;
#[cfg(feature = "gallery")]
use proscenium::cli::GalleryArgs;
use proscenium::cli::{self, Cli, ConfigVerb, KeysVerb, ServeArgs, StdioArgs, Verb};
use proscenium::config::{Config, ConfigError, LogFormat};
#[cfg(feature = "demo")]
use proscenium::demo::{Demo, NoDemo};
use proscenium::explain::{ExplainError, explain};
#[cfg(feature = "gallery")]
use proscenium::gallery::{self, GalleryError, Studio};
use proscenium::keys::{self, KeysError};
use proscenium::{App, AttachError, Attached, Hangups, KeyRefused, Running, StartError};
use tracing_subscriber::EnvFilter;

/// Gives memory back to the system after a peak.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// The command line is wrong.
const EXIT_USAGE: u8 = 64;
/// A file cannot be read.
const EXIT_NO_INPUT: u8 = 66;
/// The address cannot be listened on.
const EXIT_UNAVAILABLE: u8 = 69;
/// The configuration is wrong.
const EXIT_CONFIG: u8 = 78;

/// What the banner says besides addresses when somebody reads it.
const FOR_PEOPLE: &str = "
  Open the stage in a browser: it lists how other clients connect, and shows whatever agents
  render. Ctrl-C stops the server; proscenium --help lists everything else.
";

/// What stderr is told, and how the process ends.
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
            KeysError::Unknown { .. } => EXIT_USAGE,
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

impl From<KeyRefused> for Failure {
    fn from(error: KeyRefused) -> Self {
        Self(EXIT_CONFIG, error.to_string())
    }
}

impl From<AttachError> for Failure {
    fn from(error: AttachError) -> Self {
        match error {
            AttachError::Key(error) => error.into(),
            AttachError::Start(error) => error.into(),
            AttachError::Stranger { .. } => Self(EXIT_UNAVAILABLE, error.to_string()),
        }
    }
}

impl From<ExplainError> for Failure {
    fn from(error: ExplainError) -> Self {
        Self(EXIT_NO_INPUT, error.to_string())
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

#[cfg(feature = "demo")]
impl From<NoDemo> for Failure {
    fn from(error: NoDemo) -> Self {
        Self(EXIT_CONFIG, error.to_string())
    }
}

fn main() -> ExitCode {
    let outcome = match Cli::try_parse() {
        Ok(cli) => run(cli),
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

fn run(cli: Cli) -> Result<(), Failure> {
    match cli.verb {
        None => serve(cli.serve),
        Some(Verb::Serve(args)) => serve(args),
        #[cfg(feature = "demo")]
        Some(Verb::Demo(args)) => demo(args),
        Some(Verb::Stdio(args)) => stdio(args),
        Some(Verb::Explain { file, json }) => say(explain(&file, json)?.as_bytes()),
        Some(Verb::Completions { shell }) => say(&cli::completions(shell)),
        #[cfg(feature = "gallery")]
        Some(Verb::Gallery(args)) => gallery(&args),
        Some(Verb::Config { verb, config }) => match verb {
            ConfigVerb::Print => {
                let config = Config::load(config.as_deref(), environment())?;
                say(config.print().as_bytes())
            }
            ConfigVerb::Check => check(config.as_deref()),
        },
        Some(Verb::Keys { verb }) => keys_verb(verb),
    }
}

/// Everything that keeps a server from starting, each on a line.
fn check(file: Option<&Path>) -> Result<(), Failure> {
    let (config, mut problems) = Config::examine(file, environment())?;
    let keys_file = &config.server.keys_file;
    if !keys_file.as_os_str().is_empty()
        && let Err(error) = keys::check(keys_file)
    {
        problems.push(config.blame(format!("server.keys_file: {error}")));
    }
    problems.extend(log_filter(&config).err());
    if problems.is_empty() {
        say(b"the configuration is sound\n")
    } else {
        Err(Failure(EXIT_CONFIG, problems.join("\n")))
    }
}

fn keys_verb(verb: KeysVerb) -> Result<(), Failure> {
    match verb {
        KeysVerb::Create {
            app,
            trust,
            scopes,
            keys_file,
        } => {
            let secret = keys::create_scoped(&keys_file, &app, trust, &scopes)?;
            say(format!("{secret}\n").as_bytes())
        }
        KeysVerb::List { json, keys_file } => {
            let listed = keys::list(&keys_file)?;
            if json {
                let text = serde_json::to_string_pretty(&listed).unwrap_or_default();
                return say(format!("{text}\n").as_bytes());
            }
            let mut table = format!(
                "{:<18}{:<20}{:<7}{:<26}{}\n",
                "ID", "APP", "TRUST", "CREATED", "SCOPES"
            );
            for key in listed {
                let scopes = if key.scopes.is_empty() {
                    "all".to_owned()
                } else {
                    key.scopes.join(" ")
                };
                table.push_str(&format!(
                    "{:<18}{:<20}{:<7}{:<26}{scopes}\n",
                    key.id, key.app, key.trust, key.created_at
                ));
            }
            say(table.as_bytes())
        }
        KeysVerb::Revoke { id, keys_file } => Ok(keys::revoke(&keys_file, &id)?),
    }
}

/// The environment; what is not text in it is made so, to be refused where it matters.
fn environment() -> impl Iterator<Item = (String, String)> {
    let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
    std::env::vars_os().map(move |(name, value)| (text(name), text(value)))
}

fn say(text: &[u8]) -> Result<(), Failure> {
    // A reader that went away (`| head`) is no failure.
    let _ = std::io::stdout().write_all(text);
    Ok(())
}

fn serve(args: ServeArgs) -> Result<(), Failure> {
    let config = configured(&args)?;
    log_to_stderr(&config)?;
    in_runtime(async {
        let mut hangups = Hangups::listen();
        let running = App::new(config).start().await?;
        greet(&running)?;
        if args.open {
            open_stage(&running);
        }
        let reloading = async {
            loop {
                hangups.next().await;
                running.reload(configured(&args)).await;
            }
        };
        tokio::select! {
            served = serve_until(&running, interrupted()) => served?,
            () = reloading => {}
        }
        stop(running).await;
        Ok(())
    })
}

/// The configuration, with what the command line says over it.
fn configured(args: &ServeArgs) -> Result<Config, ConfigError> {
    let mut config = Config::load(args.config.as_deref(), environment())?;
    config.listen_on(args.listen.clone());
    if let Some(url) = &args.public_url {
        config.server.public_url.clone_from(url);
        config.came_from("server.public_url", "--public-url");
    }
    if let Some(file) = &args.keys_file {
        config.server.keys_file.clone_from(file);
        config.came_from("server.keys_file", "--keys-file");
    }
    config.server.unlimited |= args.unlimited;
    Ok(config)
}

/// Serves, and plays the demo if somebody at the stage asks for it.
async fn serve_until(
    running: &Running,
    interrupted: impl Future<Output = ()>,
) -> Result<(), Failure> {
    #[cfg(feature = "demo")]
    {
        let mut interrupted = std::pin::pin!(interrupted);
        let is_asked = tokio::select! {
            () = interrupted.as_mut() => false,
            () = running.demo_taken(), if running.is_dev() => true,
        };
        if is_asked {
            let _playing = Demo::harmless().play(running).await?;
            tracing::info!("the stage plays the demo");
            interrupted.await;
        }
    }
    #[cfg(not(feature = "demo"))]
    interrupted.await;
    Ok(())
}

#[cfg(feature = "demo")]
fn demo(args: DemoArgs) -> Result<(), Failure> {
    let mut config = Config::load(args.config.as_deref(), environment())?;
    config.listen_on(args.listen);
    log_to_stderr(&config)?;
    in_runtime(async {
        let running = App::new(config).start().await?;
        let demo = Demo {
            lockfile: args.lockfile,
            command: Some(args.command),
        };
        let playing = demo.play(&running).await?;
        greet(&running)?;
        if args.open {
            open_stage(&running);
        }
        interrupted().await;
        drop(playing);
        stop(running).await;
        Ok(())
    })
}

async fn stop(running: Running) {
    tracing::info!("shutting down");
    if !running.stop().await {
        tracing::warn!("some connections did not end in time and were cut");
    }
}

fn stdio(args: StdioArgs) -> Result<(), Failure> {
    let mut config = Config::load(args.config.as_deref(), environment())?;
    config.listen_on(args.listen);
    log_to_stderr(&config)?;
    in_runtime(async {
        let attached = Attached::open(config, args.key).await?;
        let (stage, is_own) = attached.stage();
        let what = if is_own { "started" } else { "joined" };
        // Standard output belongs to the client.
        let _ = writeln!(
            std::io::stderr(),
            "proscenium: {what} a server; the stage is at {stage}"
        );
        let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
        Ok(attached.serve(input, output, interrupted()).await?)
    })
}

fn in_runtime(work: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| Failure(EXIT_UNAVAILABLE, error.to_string()))?;
    let outcome = runtime.block_on(work);
    // A read of standard input cannot be taken back: nobody waits for it.
    runtime.shutdown_background();
    outcome
}

#[cfg(feature = "gallery")]
fn gallery(args: &GalleryArgs) -> Result<(), Failure> {
    let entries = gallery::read(&args.from, args.only.as_deref())?;
    in_runtime(async {
        let studio = Studio::open(&args.listen, &entries).await?;
        let drawn = match &args.out {
            Some(folder) => studio.draw(folder, args.browser.as_deref()).await,
            None => Ok(()),
        };
        if drawn.is_ok() {
            if let Some(folder) = &args.out {
                let (count, folder) = (entries.len(), folder.display());
                say(format!("{count} entries drawn: {folder}/index.html\n").as_bytes())?;
            }
            if args.serve || args.out.is_none() {
                let (count, stage) = (entries.len(), studio.stage_url());
                say(format!("{count} entries on stage: {stage}\n").as_bytes())?;
                interrupted().await;
            }
        }
        studio.close().await;
        Ok(drawn?)
    })
}

/// What is logged, or why that cannot be told.
fn log_filter(config: &Config) -> Result<EnvFilter, String> {
    // The demo's own clients are no news.
    let filter = EnvFilter::try_new(format!("rmcp=warn,{}", config.logging.level));
    filter.map_err(|error| config.blame(format!("logging.level: {error}")))
}

fn log_to_stderr(config: &Config) -> Result<(), Failure> {
    let filter = log_filter(config).map_err(|problem| Failure(EXIT_CONFIG, problem))?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    match config.logging.format {
        LogFormat::Text => {
            let ansi = std::io::stderr().is_terminal();
            builder.with_target(false).with_ansi(ansi).init();
        }
        LogFormat::Json => builder.json().init(),
    }
    Ok(())
}

/// Asks the system for a browser; a machine without one is told, and goes on serving.
fn open_stage(running: &Running) {
    let stage = running.stage_url();
    if let Err(error) = open::that_detached(&stage) {
        tracing::warn!(%error, "no browser could be opened: go to {stage} yourself");
    }
}

fn greet(running: &Running) -> Result<(), Failure> {
    let (stage, mcp) = (running.stage_url(), running.mcp_url());
    let credential = if running.is_dev() {
        ""
    } else {
        " --header \"Authorization: Bearer YOUR_KEY\""
    };
    let banner = format!(
        "proscenium {version}\n\
         \n  stage    {stage}\
         \n  mcp      {mcp}\
         \n  connect  claude mcp add --transport http proscenium {mcp}{credential}\
         {notes}\n{rest}\n",
        notes = running
            .notes()
            .iter()
            .map(|note| format!("\n  note     {note}"))
            .collect::<String>(),
        rest = if std::io::stdout().is_terminal() {
            FOR_PEOPLE
        } else {
            ""
        },
        version = env!("CARGO_PKG_VERSION"),
    );
    say(banner.as_bytes())?;
    #[cfg(feature = "conformance")]
    if let Some(control) = running.control_url() {
        say(format!("  control  {control}\n").as_bytes())?;
    }
    if running.address().ip().is_unspecified() && stage.contains(&running.address().to_string()) {
        tracing::warn!(
            "links lead to {stage}, which other machines cannot open: give the address by which \
             people and agents reach this server with --public-url (server.public_url)"
        );
    }
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
