//! The shell: the self-contained page that draws one render (hosting.md §6).

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::guest::Code;
use super::{guest, pictures};
use crate::domain::brain::page_of;
use crate::domain::compose::is_once;
use crate::domain::contract::CompiledContract;
use crate::domain::credentials::ChannelToken;
use crate::domain::digest::sha256;
use crate::domain::operation::{Signature as _, table};
use crate::domain::principal::Principal;
use crate::domain::session::Session;
use crate::transports::http::Site;
use crate::wire::slice::{
    AgreedAction, ContextSlot, SHELL_MEDIA_TYPE, SLICE_KEY, Slice, ToolChannel,
};

/// Media type of every shell.
pub(crate) const MEDIA_TYPE: &str = SHELL_MEDIA_TYPE;

/// The shape of a card, seen while the code that draws it is under way; the code takes it away. It is
/// grey in any theme, and unseen where the code comes at once.
const SHAPE: &str = "<div data-shape aria-hidden=\"true\"><i></i><i></i><i></i><i></i></div>";
const SHAPE_STYLE: &str = "[data-shape]{padding:18px 16px;animation:shape .4s .2s both}\
     [data-shape] i{display:block;height:12px;margin:0 0 12px;border-radius:6px;background:#8884;width:92%}\
     [data-shape] i:first-child{height:22px;width:45%;margin-bottom:18px}[data-shape] i:last-child{width:64%}\
     @keyframes shape{from{opacity:0}}\
     @media(prefers-reduced-motion:no-preference){[data-shape] i{animation:breath 2s ease-in-out .6s infinite alternate}}\
     @keyframes breath{to{opacity:.5}}@media print{[data-shape]{display:none}}";

/// What a mount of a session starts with.
pub(crate) fn slice(
    session: &Session,
    token: &ChannelToken,
    by: &Principal,
    site: &Site,
    local_tools: &[&'static str],
) -> Slice {
    let creation = &session.creation;
    let tool_channels = tool_channels(&session.contract);
    Slice {
        session_id: session.key.session.to_string(),
        app_id: session.key.app.to_string(),
        runtime_url: site.runtime_url(guest::hash()),
        ws_url: site.ws_url(),
        ws_token: token.text.clone(),
        may_act: table::SubmitAction::ROW.is_open_to(by),
        polling_url: site.api_url(&session.key.session, "events", &token.text),
        sse_url: site.api_url(&session.key.session, "stream", &token.text),
        expires_at: token.expires_at.to_string(),
        last_sequence: session.seq.0,
        epoch: session.epoch.0,
        pinned: false,
        props_json: session.props.as_ref().map(|props| props.to_string()),
        context_slots: context_slots(&session.contract, session.context.as_deref()),
        actions: actions(&session.contract),
        theme_id: creation.theme.as_ref().map(|theme| theme.id.clone()),
        theme: creation.theme.as_ref().map(|theme| theme.slice()),
        view_json: session.view().to_json().to_string(),
        stream_web_socket_local_tools: match tool_channels.as_slice() {
            [] => Vec::new(),
            _ => local_tools.to_vec(),
        },
        tool_channels,
    }
}

/// What the contract says of each action to the person in front of it.
fn actions(contract: &CompiledContract) -> BTreeMap<String, AgreedAction> {
    let actions = contract.contract().action_spec.iter().flatten();
    let agreed = actions.map(|(name, entry)| {
        let agreed = AgreedAction {
            label: entry.label.clone(),
            confirm: entry.confirm.unwrap_or_default(),
            once: is_once(contract.action_schema(name)),
        };
        (name.clone(), agreed)
    });
    agreed.collect()
}

/// The channels whose contract names the tool that feeds them, and that the mount has to ask for:
/// those of pages are fed without that.
fn tool_channels(contract: &CompiledContract) -> Vec<ToolChannel> {
    let contract = contract.contract();
    let streams = contract.stream_spec.iter().flatten();
    streams
        .filter(|(_, stream)| page_of(stream, contract.agent_capabilities.as_ref()).is_none())
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
pub(crate) struct Shell {
    boot: String,
    code: Code,
    /// Where its pictures come from.
    pictures: Vec<String>,
}

/// The shell of one session.
pub(crate) fn of_session(session: &Session, slice: &Slice) -> Shell {
    let meta = json!({ SLICE_KEY: slice }).to_string();
    let view = session.view().value();
    Shell {
        boot: format!("globalThis.__GGUI_META__ = {};", escape(&meta)),
        code: guest::for_view(view, session.props.as_deref()),
        pictures: pictures::origins(session),
    }
}

/// What a page without a session runs: it tells the page around it what a guest tells that cannot
/// start (hosting.md §6).
const REPORT_FAILURE: &str = "if (parent !== self) {\
    const { reason, message } = globalThis.__GGUI_FAILURE__;\
    const error = { code: reason, message };\
    parent.postMessage({ type: 'ggui:bootstrap-failed', reason, message }, '*');\
    parent.postMessage({ type: 'ggui:lifecycle', event: { state: 'error', error } }, '*');\
    }";
/// How such a page looks.
const FAILED_STYLE: &str = "body { margin: 24px; text-align: center; \
    font: 15px/1.5 system-ui, sans-serif; }";

/// A page in place of a session that cannot be shown. It carries nothing of the guest: anybody can
/// ask for it.
pub(crate) struct Failed {
    boot: String,
    sentence: &'static str,
    advice: &'static str,
}

/// The page of a frame that shows no session: it says so to the person in it, and to the page around
/// it.
pub(crate) fn of_failure(reason: &str, message: &str, sentence: &'static str) -> Failed {
    let failure = json!({ "reason": reason, "message": message }).to_string();
    Failed {
        boot: format!("globalThis.__GGUI_FAILURE__ = {};", escape(&failure)),
        sentence,
        advice: "",
    }
}

/// The page of a link that leads to no session, whether it ever did.
pub(crate) fn of_lost_link(message: &str, sentence: &'static str) -> Failed {
    Failed {
        advice: "What this link showed is no longer kept. Ask your agent to show it again.",
        ..of_failure("SESSION_NOT_FOUND", message, sentence)
    }
}

impl Failed {
    /// The whole document.
    pub(crate) fn to_html(&self) -> String {
        let Self {
            boot,
            sentence,
            advice,
        } = self;
        format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
             <meta name=\"color-scheme\" content=\"light dark\"><title>{sentence}</title>\
             <style>{FAILED_STYLE}</style></head><body><main><p>{sentence}</p><p>{advice}</p></main>\
             <script>{boot}</script><script>{REPORT_FAILURE}</script></body></html>"
        )
    }

    /// The policy it is served under.
    pub(crate) fn policy(&self, site: &Site) -> String {
        format!(
            "sandbox allow-scripts allow-forms; default-src 'none'; script-src {boot} {report}; \
             style-src {style}; form-action 'none'; base-uri 'none'; frame-ancestors {embedders}",
            boot = source(&self.boot),
            report = source(REPORT_FAILURE),
            style = source(FAILED_STYLE),
            embedders = site.embedders(),
        )
    }
}

impl Shell {
    /// The whole document.
    pub(crate) fn to_html(&self) -> String {
        page(
            &format!("<script>{}</script>", self.boot),
            &self.code.carried,
        )
    }

    /// The policy it is served under where no host adds one: an origin of its own, nothing to reach
    /// but the live channel and where the pictures of the session are, and no code but what we
    /// wrote: a browser holds each script against its hash before it runs.
    pub(crate) fn policy(&self, site: &Site) -> String {
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
            images = self
                .pictures
                .iter()
                .map(|origin| format!(" {origin}"))
                .collect::<String>(),
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
pub(crate) fn generic() -> String {
    page("", &guest::for_any())
}

fn page(boot: &str, code: &str) -> String {
    format!(
        "<!doctype html><html><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <meta name=\"referrer\" content=\"no-referrer\">\
         <meta http-equiv=\"x-dns-prefetch-control\" content=\"off\"><title>Render</title>\
         <style>html,body{{margin:0;background:transparent}}{SHAPE_STYLE}</style></head><body>\
         {SHAPE}{boot}\
         <script type=\"module\" data-ggui-runtime=\"inline\">{code}</script></body></html>"
    )
}

/// JSON that cannot end the script it stands in.
pub(crate) fn escape(json: &str) -> String {
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
pub(crate) fn csp_meta(site: &Site, session: Option<&Session>) -> Value {
    let pictures = session.map(pictures::origins).unwrap_or_default();
    let resources: Vec<_> = std::iter::once(site.base().to_owned())
        .chain(pictures)
        .collect();
    json!({
        "connectDomains": [site.base(), site.ws_base()],
        "resourceDomains": resources,
    })
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
