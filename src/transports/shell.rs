//! The shell: the self-contained page that draws one render (hosting.md §6).

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::Uri;
use http::uri::Authority;
use serde_json::{Value, json};

use super::guest::{self, Code};
use super::site::Site;
use crate::domain::contract::CompiledContract;
use crate::domain::digest::sha256;
use crate::domain::operation::OperationKind;
use crate::domain::session::Session;
use crate::services::auth::ChannelToken;
use crate::wire::slice::{ContextSlot, SHELL_MEDIA_TYPE, SLICE_KEY, Slice, ToolChannel};

/// Media type of every shell.
pub(super) const MEDIA_TYPE: &str = SHELL_MEDIA_TYPE;

/// Origins of pictures a host is asked to allow: a policy with more of them allows everything.
const IMAGE_ORIGINS_MAX: usize = 16;

/// What a mount of a session starts with.
pub(super) fn slice(
    session: &Session,
    token: &ChannelToken,
    site: &Site,
    local_tools: &[OperationKind],
) -> Slice {
    let creation = &session.creation;
    let tool_channels = tool_channels(&creation.contract);
    let local_tools = local_tools.iter().map(|kind| kind.tool());
    Slice {
        session_id: session.key.session.to_string(),
        app_id: session.key.app.to_string(),
        runtime_url: site.runtime_url(guest::hash()),
        ws_url: site.ws_url(),
        ws_token: token.text.clone(),
        polling_url: site.api_url(&session.key.session, "events", &token.text),
        sse_url: site.api_url(&session.key.session, "stream", &token.text),
        expires_at: token.expires_at.to_string(),
        last_sequence: session.seq.0,
        epoch: session.epoch.0,
        pinned: false,
        props_json: session.props.as_ref().map(|props| props.to_string()),
        context_slots: context_slots(&session.creation.contract, session.context.as_deref()),
        theme_id: creation.theme.as_ref().map(|theme| theme.id.clone()),
        theme: creation.theme.as_ref().map(|theme| theme.slice()),
        view_json: session.creation.view.to_json().to_string(),
        stream_web_socket_local_tools: local_tools.filter(|_| !tool_channels.is_empty()).collect(),
        tool_channels,
    }
}

/// The channels whose contract names the tool that feeds them.
fn tool_channels(contract: &CompiledContract) -> Vec<ToolChannel> {
    let streams = contract.contract().stream_spec.iter().flatten();
    streams
        .filter_map(|(name, stream)| {
            let source = stream.source.as_ref()?;
            Some(ToolChannel {
                name: name.clone(),
                tool: source.tool.clone(),
                args: source.args.clone(),
                mode: stream.mode.unwrap_or_default(),
            })
        })
        .collect()
}

/// The slots as a mount finds them: with what another mount left in them.
fn context_slots(contract: &CompiledContract, context: Option<&Value>) -> Vec<ContextSlot> {
    let slots = contract.contract().context_spec.iter().flatten();
    slots
        .map(|(name, entry)| ContextSlot {
            name: name.clone(),
            context_name: contract.context_name(name),
            schema: entry.schema.clone(),
            default: context
                .and_then(|context| context.get(name))
                .cloned()
                .unwrap_or_else(|| contract.context_default(name)),
            debounce_ms: entry.debounce_ms,
        })
        .collect()
}

/// A page that runs two scripts: what it starts with, and the part of the guest its view needs.
pub(super) struct Shell<'a> {
    boot: String,
    code: Code,
    view: &'a Value,
}

/// The shell of one session.
pub(super) fn of_session<'a>(session: &'a Session, slice: &Slice) -> Shell<'a> {
    let meta = json!({ SLICE_KEY: slice }).to_string();
    let view = session.creation.view.value();
    Shell {
        boot: format!("globalThis.__GGUI_META__ = {};", escape(&meta)),
        code: guest::for_view(view, session.props.as_deref()),
        view,
    }
}

/// The shell of a session that cannot be shown: it says so to the person in it and, as any guest
/// does that cannot start, to the page around it (hosting.md §6).
pub(super) fn of_failure(reason: &str, message: &str) -> Shell<'static> {
    static NOTHING: Value = Value::Null;
    let failure = json!({ "reason": reason, "message": message }).to_string();
    Shell {
        boot: format!("globalThis.__GGUI_FAILURE__ = {};", escape(&failure)),
        code: guest::for_view(&NOTHING, None),
        view: &NOTHING,
    }
}

impl Shell<'_> {
    /// The whole document.
    pub(super) fn to_html(&self) -> String {
        page(
            &format!("<script>{}</script>", self.boot),
            &self.code.carried,
        )
    }

    /// The policy it is served under where no host adds one: an origin of its own, nothing to reach
    /// but the live channel, pictures only where the view draws some, and no code but what we wrote:
    /// a browser holds each script against its hash before it runs.
    pub(super) fn policy(&self, site: &Site) -> String {
        format!(
            "sandbox allow-scripts allow-forms; default-src 'none'; script-src {boot} {code}{later}; \
             style-src 'unsafe-inline'; img-src data:{images}; font-src data:; \
             connect-src {base} {ws}; form-action 'none'; base-uri 'none'; \
             frame-ancestors {embedders}",
            boot = source(&self.boot),
            code = source(&self.code.carried),
            later = self
                .code
                .later
                .map(|code| format!(" {}", source(code)))
                .unwrap_or_default(),
            images = if shows_images(self.view) {
                " https:"
            } else {
                ""
            },
            base = site.base(),
            ws = site.ws_base(),
            embedders = site.embedders(),
        )
    }
}

/// A script as a policy names it.
fn source(script: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(sha256(script.as_bytes())))
}

/// The shell that waits for its host to deliver a tool result.
pub(super) fn generic() -> String {
    page("", &guest::for_any())
}

fn page(boot: &str, code: &str) -> String {
    format!(
        "<!doctype html><html><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>Render</title>\
         <style>html,body{{margin:0;background:transparent}}</style></head><body>{boot}\
         <script type=\"module\" data-ggui-runtime=\"inline\">{code}</script></body></html>"
    )
}

/// JSON that cannot end the script it stands in.
pub(super) fn escape(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                escaped.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// What a host has to allow for a shell to reach us (MCP Apps, `_meta.ui.csp`), and for the pictures
/// of a session to be seen.
pub(super) fn csp_meta(site: &Site, session: Option<&Session>) -> Value {
    let mut origins = BTreeSet::new();
    if let Some(session) = session
        && shows_images(session.creation.view.value())
    {
        https_origins(session.creation.view.value(), &mut origins);
        if let Some(props) = &session.props {
            https_origins(props, &mut origins);
        }
    }
    let mut resources = vec![site.base().to_owned()];
    resources.extend(origins.into_iter().take(IMAGE_ORIGINS_MAX));
    json!({
        "connectDomains": [site.base(), site.ws_base()],
        "resourceDomains": resources,
    })
}

/// Whether a view draws pictures from addresses.
fn shows_images(view: &Value) -> bool {
    match view {
        Value::Array(items) => items.iter().any(shows_images),
        Value::Object(members) => members.iter().any(|(name, value)| match name.as_str() {
            "component" => value == "Image",
            "format" => value == "image",
            "imageField" => value.is_string(),
            _ => shows_images(value),
        }),
        _ => false,
    }
}

/// The origins of every https address among some values.
fn https_origins(value: &Value, origins: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| https_origins(item, origins)),
        Value::Object(members) => members
            .values()
            .for_each(|item| https_origins(item, origins)),
        Value::String(text) if text.starts_with("https://") => {
            let host = text.parse::<Uri>().ok();
            // A name before the host is nobody's origin.
            let host = host
                .as_ref()
                .and_then(Uri::authority)
                .map(Authority::as_str);
            origins.extend(
                host.filter(|host| !host.contains('@'))
                    .map(|host| format!("https://{host}")),
            );
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_slice_can_end_its_script() {
        let escaped = escape("{\"a\":\"</script><!-- \u{2028} &\"}");
        assert!(!escaped.contains(['<', '>', '&', '\u{2028}']));
        let back: Value = serde_json::from_str(&escaped).unwrap();
        assert_eq!(back["a"], "</script><!-- \u{2028} &");
    }
}
