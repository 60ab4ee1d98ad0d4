//! `ui://` resources: the shell of every render, and the generic one (hosting.md §4).

use std::sync::Arc;

use serde_json::{Value, json};

use super::state::Mcp;
use crate::domain::operation::Caller;
use crate::domain::size::shorten;
use crate::domain::store_error::StoreError;
use crate::domain::view::CATALOG;
use crate::transports::faults::Fault;
use crate::transports::pages::{guest, shell};
use crate::wire::fault::Code;
use crate::wire::ids::Epoch;
use crate::wire::slice::Slice;

/// Scheme and place of all our resources.
const ROOT: &str = "ui://ggui/render";
/// Prefix of the generic shell's content-addressed name.
const GENERIC: &str = "rt-";

/// Where agents read which components a view may name.
const CATALOG_URI: &str = "proscenium://catalog";
/// Media type of the catalog.
const CATALOG_MEDIA_TYPE: &str = "application/json";

/// Characters of a uri that names nothing, as it is said again: longer than any that does.
const URI_CHARS_SHOWN: usize = 2_048;

/// What a uri names.
#[derive(Debug, PartialEq, Eq)]
enum Locator<'a> {
    /// The catalog of components.
    Catalog,
    /// The shell that waits for a tool result.
    Generic,
    /// The shell of one session, at an epoch where it is told. The key of a blueprint behind the id
    /// keeps hosts that cache by address apart; whichever it is, the session is what is shown.
    Session { id: &'a str, epoch: Option<u64> },
}

impl<'a> Locator<'a> {
    fn parse(uri: &'a str) -> Option<Self> {
        if uri == CATALOG_URI {
            return Some(Self::Catalog);
        }
        let rest = uri.strip_prefix(ROOT)?;
        if rest.is_empty() {
            return Some(Self::Generic);
        }
        let rest = rest.strip_prefix('/')?;
        let (path, epoch) = match pin(rest) {
            Some((path, epoch)) => (path, Some(epoch)),
            None => (rest, None),
        };
        let (id, contract) = match path.split_once('/') {
            Some((id, contract)) => (id, Some(contract)),
            None => (path, None),
        };
        if id.is_empty() || contract.is_some_and(|part| part.is_empty() || part.contains('/')) {
            return None;
        }
        if id.starts_with(GENERIC) && contract.is_none() {
            return Some(Self::Generic);
        }
        Some(Self::Session { id, epoch })
    }
}

/// The epoch a uri is pinned to: `#N`, also percent-encoded, without leading zeros.
fn pin(text: &str) -> Option<(&str, u64)> {
    let (path, digits) = text.rsplit_once('#').or_else(|| text.rsplit_once("%23"))?;
    let canonical = digits == "0" || !digits.starts_with('0');
    let decimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (canonical && decimal).then(|| digits.parse().ok().map(|epoch| (path, epoch)))?
}

/// Address of the generic shell: changes with its content, so that hosts may keep it.
pub(in super::super) fn generic_uri() -> String {
    format!("{ROOT}/{GENERIC}{}", guest::hash())
}

/// `resources/list`: the generic shell; renders are never listed.
pub(super) fn list() -> Value {
    let entry = |uri: String, name: &str| {
        json!({
            "uri": uri,
            "name": name,
            "title": "Render",
            "description": "The page that shows what ggui_render returns.",
            "mimeType": shell::MEDIA_TYPE,
        })
    };
    json!({
        "resources": [
            entry(ROOT.to_owned(), "ggui-render"),
            entry(generic_uri(), "ggui-render-versioned"),
            {
                "uri": CATALOG_URI,
                "name": "catalog",
                "title": "Catalog",
                "description": "The A2UI components a view of your own may name, each with its schema.",
                "mimeType": CATALOG_MEDIA_TYPE,
            },
        ]
    })
}

/// `resources/templates/list`.
pub(super) fn templates() -> Value {
    let entry = |template: String, name: &str, description: &str| {
        json!({
            "uriTemplate": template,
            "name": name,
            "title": "Render",
            "description": description,
            "mimeType": shell::MEDIA_TYPE,
        })
    };
    json!({
        "resourceTemplates": [
            entry(format!("{ROOT}/{GENERIC}{{shellHash}}"), "ggui-render-shell",
                "The page that shows what ggui_render returns, whatever its version."),
            entry(format!("{ROOT}/{{sessionId}}"), "ggui-render-session",
                "One render, ready to show."),
            entry(format!("{ROOT}/{{sessionId}}/{{blueprintKey}}"), "ggui-render-blueprint",
                "One render, ready to show, by the address ggui_render returned."),
        ]
    })
}

/// `resources/read`. What is gone, foreign or was never there is answered alike.
pub(super) async fn read(mcp: &Mcp, caller: &Caller, uri: &str) -> Result<Value, Fault> {
    let (html, csp) = match Locator::parse(uri) {
        None => {
            // In the words of the common SDK, which clients of the protocol match.
            let uri = shorten(uri, URI_CHARS_SHOWN);
            let code = Code::ResourceMalformed;
            let number = code.row().legacy.unwrap_or_default();
            let message = format!("MCP error {number}: Resource {uri} not found");
            return Err(Fault::saying(code, message).with(json!({ "uri": uri })));
        }
        Some(Locator::Catalog) => {
            return Ok(json!({
                "contents": [{
                    "uri": uri,
                    "mimeType": CATALOG_MEDIA_TYPE,
                    "text": CATALOG,
                }]
            }));
        }
        Some(Locator::Generic) => (shell::generic(), shell::csp_meta(&mcp.site, None)),
        Some(Locator::Session { id, epoch }) => {
            let Caller {
                principal, door, ..
            } = caller;
            mcp.access.check_mount(*door, principal, Some(id)).await?;
            let read = match epoch {
                None => mcp.live.read_as(principal, id).await,
                Some(epoch) => mcp.live.at(principal, id, Epoch(epoch)).await,
            };
            let session = read.map_err(|error| Fault::from(error).of_resource())?;
            let slice = Slice {
                pinned: epoch.is_some(),
                ..mcp.slices.of(&session, principal)
            };
            let shell = shell::of_session(&session, &slice);
            (shell.to_html(), shell::csp_meta(&mcp.site, Some(&session)))
        }
    };
    Ok(json!({
        "contents": [{
            "uri": uri,
            "mimeType": shell::MEDIA_TYPE,
            "text": html,
            "_meta": { "ui": { "csp": csp, "prefersBorder": false } },
        }]
    }))
}

/// A uri whose session changes.
pub(super) struct WatchedResource {
    /// As it was asked for.
    pub(super) uri: Arc<str>,
    pub(super) session: String,
    /// Version of its props when it was looked at.
    pub(super) version: u64,
}

/// What a uri follows; nothing where it is no session of the caller's, or shows what cannot change.
pub(super) async fn watched(
    mcp: &Mcp,
    caller: &Caller,
    uri: &str,
) -> Result<Option<WatchedResource>, Fault> {
    let Some(Locator::Session { id, epoch: None }) = Locator::parse(uri) else {
        return Ok(None);
    };
    let Caller {
        principal, door, ..
    } = caller;
    match mcp.access.check_mount(*door, principal, Some(id)).await {
        Ok(()) => {}
        Err(fault) if fault.code() == Code::StoreUnavailable => return Err(fault),
        Err(_) => return Ok(None),
    }
    match mcp.live.read_as(principal, id).await {
        Ok(session) => Ok(Some(WatchedResource {
            uri: uri.into(),
            session: id.to_owned(),
            version: session.version,
        })),
        Err(StoreError::Missing) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_names_a_session_and_an_epoch_whatever_blueprint_stands_between() {
        let session = |id, epoch| Some(Locator::Session { id, epoch });
        assert_eq!(Locator::parse("ui://ggui/render"), Some(Locator::Generic));
        assert_eq!(Locator::parse(CATALOG_URI), Some(Locator::Catalog));
        assert_eq!(
            Locator::parse("ui://ggui/render/rt-0123456789ab"),
            Some(Locator::Generic)
        );
        assert_eq!(Locator::parse("ui://ggui/render/s"), session("s", None));
        assert_eq!(
            Locator::parse("ui://ggui/render/s/c#3"),
            session("s", Some(3))
        );
        assert_eq!(
            Locator::parse("ui://ggui/render/s%233"),
            session("s", Some(3))
        );
        assert_eq!(
            Locator::parse("ui://ggui/render/s#03"),
            session("s#03", None)
        );
        for uri in [
            "ui://ggui/render/",
            "ui://ggui/render//c",
            "ui://ggui/renders",
            "x:y",
        ] {
            assert_eq!(Locator::parse(uri), None, "{uri}");
        }
    }
}
