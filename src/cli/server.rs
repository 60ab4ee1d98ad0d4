//! A server that a verb runs: what it prints when it has started, and how it is stopped.

use std::io::IsTerminal as _;

use super::failure::Failure;
use super::process::say;
use crate::app::Running;
use crate::config::StageOpen;

/// What the banner says besides addresses when somebody reads it.
const FOR_PEOPLE: &str = "
  Open the stage in a browser: it lists how other clients connect, and shows whatever agents
  render. Ctrl-C stops the server; proscenium --help lists everything else.
";

/// Prints the banner, and opens the stage if that was asked for.
pub(super) fn announce(running: &Running, opens_stage: bool) -> Result<(), Failure> {
    let (stage, mcp) = (running.stage_url(), running.mcp_url());
    let credential = if running.is_dev() {
        ""
    } else {
        " --header \"Authorization: Bearer YOUR_KEY\""
    };
    let data = match running.data() {
        Some(folder) => folder.display().to_string(),
        None if running.is_shared() => "in Redis, shared with other servers".to_owned(),
        None => "in memory, gone with this process".to_owned(),
    };
    #[cfg(feature = "gate")]
    let gate = running.gate_url();
    #[cfg(not(feature = "gate"))]
    let gate = None::<String>;
    let gate = gate.map_or_else(String::new, |gate| format!("\n  gate     {gate}"));
    let banner = format!(
        "proscenium {version}\n\
         \n  stage    {stage}\
         \n  mcp      {mcp}{gate}\
         \n  data     {data}\
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
    if opens_stage {
        open_stage(&stage);
    }
    Ok(())
}

/// Asks the system for a browser; where there is none, the server goes on without.
fn open_stage(stage: &str) {
    if let Err(error) = open::that_detached(stage) {
        tracing::warn!(%error, "no browser could be opened: go to {stage} yourself");
    }
}

/// Opens the stage once, at the first render that nobody watches, if that is wanted and there is a
/// display; never ends.
pub(super) async fn call_person(running: &Running, open: StageOpen) {
    if open == StageOpen::Once
        && has_display(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
        && let Some(session) = running.unwatched_render().await
    {
        open_stage(&session);
    }
    std::future::pending().await
}

/// Whether this process can show somebody a browser, by the variables that are set.
fn has_display(is_set: impl Fn(&str) -> bool) -> bool {
    if cfg!(any(target_os = "macos", windows)) {
        !is_set("SSH_CONNECTION")
    } else {
        is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
    }
}

/// Stops a server in order.
pub(super) async fn stop(running: Running) {
    tracing::info!("shutting down");
    if !running.stop().await {
        tracing::warn!("some connections did not end in time and were cut");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_opened_where_there_is_no_display() {
        let with = |set: &'static str| has_display(move |name| name == set);
        if cfg!(any(target_os = "macos", windows)) {
            assert!(with("") && !with("SSH_CONNECTION"));
        } else {
            assert!(with("DISPLAY") && with("WAYLAND_DISPLAY"));
            assert!(!with("") && !with("SSH_CONNECTION"));
        }
    }
}
