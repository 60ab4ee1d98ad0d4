//! Checks what a gate file says of its sources.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use url::Url;

use super::duration::duration;
use super::file::{ExposeEntry, ExposeMode, SourceEntry};
use super::pattern::Pattern;
use super::source::{Connection, Expose, LOCAL, Place, Source};

/// The one kind of source.
const KIND: &str = "mcp";
/// How long a request may take where a source does not say: longer than most tools take, shorter
/// than most clients wait.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The longest a request may take: an answer that takes longer has nobody waiting for it.
const TIMEOUT_MAX: Duration = Duration::from_secs(600);
/// Headers that belong to the protocol.
const PROTOCOL_HEADERS: [&str; 8] = [
    "accept",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "mcp-protocol-version",
    "mcp-session-id",
    "transfer-encoding",
];

/// The sources that are used, and everything that is wrong with any.
pub(super) fn sources(entries: Vec<SourceEntry>, problems: &mut Vec<String>) -> Vec<Arc<Source>> {
    let (mut ids, mut prefixes) = (BTreeSet::new(), BTreeSet::new());
    let mut sources = Vec::new();
    for (at, entry) in entries.into_iter().enumerate() {
        let path = format!("sources.{at}");
        if !ids.insert(entry.id.clone()) {
            problems.push(format!(
                "{path}.id: another source is called \"{}\" (V-001)",
                entry.id
            ));
        }
        let prefix = entry.prefix.clone().unwrap_or_default();
        if !prefix.is_empty() && !prefixes.insert(prefix.clone()) {
            problems.push(format!(
                "{path}.prefix: another source has the prefix \"{prefix}\" (V-003)"
            ));
        }
        let is_used = entry.enabled != Some(false);
        if let Some(source) = source(&path, entry, problems).filter(|_| is_used) {
            sources.push(Arc::new(source));
        }
    }
    sources
}

fn is_id(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}

fn source(path: &str, entry: SourceEntry, problems: &mut Vec<String>) -> Option<Source> {
    let before = problems.len();
    let mut say = |member: &str, why: String| problems.push(format!("{path}.{member}: {why}"));
    if entry.id.starts_with('_') {
        say("id", "a leading \"_\" is reserved (V-002)".to_owned());
    } else if entry.id == LOCAL {
        let why = format!("\"{LOCAL}\" is reserved for the tools of this server (V-002)");
        say("id", why);
    } else if !is_id(&entry.id) {
        let why = format!(
            "\"{}\" is not made of letters, digits, \".\", \"_\" and \"-\" (V-016)",
            entry.id
        );
        say("id", why);
    }
    if entry.kind != KIND {
        say(
            "kind",
            format!("\"{}\" is unknown; there is \"{KIND}\" (V-012)", entry.kind),
        );
    }
    let prefix = entry.prefix.unwrap_or_default();
    if !prefix.is_empty() && !is_id(&prefix) {
        let why = format!("\"{prefix}\" is not made of letters, digits, \".\", \"_\" and \"-\"");
        say("prefix", why);
    }
    let timeout = entry.timeout.as_deref();
    let timeout = timeout.map_or(Ok(TIMEOUT), |text| duration(text, TIMEOUT_MAX));
    let timeout = timeout.map_err(|why| say("timeout", why)).ok();
    let place = match (entry.url, entry.command) {
        (Some(url), None) => {
            if !entry.env.is_empty() {
                say("env", "is for a source with a command".to_owned());
            }
            if let Err(why) = address(&url) {
                say("url", why);
            }
            for (name, value) in &entry.headers {
                if let Err(why) = header(name, value) {
                    say(&format!("headers.{name}"), why);
                }
            }
            let headers = entry.headers;
            Some(Place::Address { url, headers })
        }
        (None, Some(command)) => {
            if !entry.headers.is_empty() {
                say("headers", "are for a source with a url".to_owned());
            }
            if command.first().is_none_or(String::is_empty) {
                let why = "needs a program, as in [\"npx\", \"-y\", \"a-server\"]";
                say("command", why.to_owned());
            }
            let env = entry.env;
            Some(Place::Program { command, env })
        }
        (Some(_), Some(_)) => {
            say("command", "give either url or command, not both".to_owned());
            None
        }
        (None, None) => {
            let why =
                "is needed: the address of the server; or command, the program to run (V-008)";
            say("url", why.to_owned());
            None
        }
    };
    let expose = expose(path, entry.expose, problems);
    let (Some(timeout), Some(place), true) = (timeout, place, problems.len() == before) else {
        return None;
    };
    Some(Source {
        connection: Connection {
            id: entry.id.clone(),
            place,
            timeout,
        },
        id: entry.id,
        prefix,
        expose,
    })
}

fn expose(path: &str, entry: Option<ExposeEntry>, problems: &mut Vec<String>) -> Expose {
    let Some(ExposeEntry { mode, tools }) = entry else {
        return Expose {
            mode: ExposeMode::All,
            patterns: Vec::new(),
        };
    };
    if mode == ExposeMode::All && !tools.is_empty() {
        problems.push(format!(
            "{path}.expose.tools: has no meaning with mode all; write allowlist or blocklist"
        ));
    }
    let mut patterns = Vec::new();
    for (at, text) in tools.iter().enumerate() {
        match Pattern::read(text) {
            Ok(pattern) => patterns.push(pattern),
            Err(why) => problems.push(format!("{path}.expose.tools.{at}: {why}")),
        }
    }
    Expose { mode, patterns }
}

pub(super) fn address(text: &str) -> Result<(), String> {
    let url = Url::parse(text).ok();
    let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let Some(url) = url else {
        return Err("is no http:// or https:// address (V-008)".to_owned());
    };
    if !url.username().is_empty() || url.password().is_some() {
        return Err("holds a user; give credentials in headers (V-008)".to_owned());
    }
    Ok(())
}

fn header(name: &str, value: &str) -> Result<(), String> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_token) {
        return Err("is no name of a header".to_owned());
    }
    if PROTOCOL_HEADERS.contains(&name.to_ascii_lowercase().as_str()) {
        return Err("belongs to the protocol and cannot be set".to_owned());
    }
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~');
    if !value.bytes().all(is_plain) {
        return Err("its value holds other characters than visible ASCII".to_owned());
    }
    Ok(())
}
