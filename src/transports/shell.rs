//! The shell: the self-contained page that draws one render (live-channel §6.4).

use std::sync::OnceLock;

use serde_json::{Value, json};

use super::site::Site;
use crate::domain::contract::CompiledContract;
use crate::domain::digest::{hex, sha256};
use crate::domain::session::Session;
use crate::services::auth::ChannelToken;
use crate::wire::slice::{ContextSlot, SHELL_MEDIA_TYPE, SLICE_KEY, Slice};

/// Media type of every shell.
pub(super) const MEDIA_TYPE: &str = SHELL_MEDIA_TYPE;
/// The guest: everything a view needs to be drawn, built from `web-host`.
pub(super) const GUEST: &str = include_str!("../../web-host/dist/guest.js");
/// Hex digits of a content hash in a URL.
const HASH_DIGITS: usize = 12;

/// First digits of the guest's SHA-256: its address changes with its content.
pub(super) fn runtime_hash() -> &'static str {
    static HASH: OnceLock<String> = OnceLock::new();
    HASH.get_or_init(|| hex(&sha256(GUEST.as_bytes()))[..HASH_DIGITS].to_owned())
}

/// What a mount of a session starts with.
pub(super) fn slice(session: &Session, token: &ChannelToken, site: &Site) -> Slice {
    Slice {
        session_id: session.key.session.to_string(),
        app_id: session.key.app.to_string(),
        runtime_url: site.runtime_url(runtime_hash()),
        ws_url: site.ws_url(),
        ws_token: token.text.clone(),
        polling_url: site.api_url(&session.key.session, "events", &token.text),
        sse_url: site.api_url(&session.key.session, "stream", &token.text),
        expires_at: token.expires_at.to_string(),
        last_sequence: session.seq.0,
        epoch: session.epoch.0,
        props_json: session.props.as_ref().map(|props| props.to_string()),
        context_slots: context_slots(&session.creation.contract, session.context.as_deref()),
        view_json: session.creation.view.to_json().to_string(),
    }
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

/// The shell of one session. With a nonce, its scripts run under a policy that names it.
pub(super) fn of_session(slice: &Slice, nonce: Option<&str>) -> String {
    let nonce = nonce
        .map(|nonce| format!(" nonce=\"{nonce}\""))
        .unwrap_or_default();
    let meta = json!({ SLICE_KEY: slice }).to_string();
    let meta = escape(&meta);
    let boot = format!("<script{nonce}>globalThis.__GGUI_META__ = {meta};</script>");
    page(&boot, &nonce)
}

/// The shell that waits for its host to deliver a tool result.
pub(super) fn generic() -> String {
    page("", "")
}

fn page(boot: &str, nonce: &str) -> String {
    format!(
        "<!doctype html><html><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>Render</title>\
         <style{nonce}>html,body{{margin:0;background:transparent}}</style></head><body>{boot}\
         <script type=\"module\" data-ggui-runtime=\"inline\"{nonce}>{GUEST}</script></body></html>"
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

/// What a host has to allow for a shell to reach us (MCP Apps, `_meta.ui.csp`).
pub(super) fn csp_meta(site: &Site) -> Value {
    json!({
        "connectDomains": [site.base(), site.ws_base()],
        "resourceDomains": [site.base()],
    })
}

/// The policy a shell is served under where no host adds one: an origin of its own, our scripts
/// only, and nothing to reach but the live channel (ruling 34).
pub(super) fn frame_policy(site: &Site, nonce: &str) -> String {
    format!(
        "sandbox allow-scripts allow-forms; default-src 'none'; script-src 'nonce-{nonce}'; \
         style-src 'unsafe-inline'; img-src data: https:; font-src data:; \
         connect-src {base} {ws}; form-action 'none'; base-uri 'none'; frame-ancestors {stage}",
        base = site.base(),
        ws = site.ws_base(),
        stage = site.stage_origins(),
    )
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

    #[test]
    fn the_guest_can_stand_inside_a_script() {
        assert!(!GUEST.contains("</script"));
        assert!(!GUEST.contains("<!--"));
    }
}
