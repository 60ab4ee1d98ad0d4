//! The shell: the self-contained page that draws one render (live-channel §6.4).

use serde_json::{Value, json};

use super::guest;
use super::site::Site;
use crate::domain::contract::CompiledContract;
use crate::domain::session::Session;
use crate::services::auth::ChannelToken;
use crate::wire::slice::{ContextSlot, SHELL_MEDIA_TYPE, SLICE_KEY, Slice};

/// Media type of every shell.
pub(super) const MEDIA_TYPE: &str = SHELL_MEDIA_TYPE;

/// What a mount of a session starts with.
pub(super) fn slice(session: &Session, token: &ChannelToken, site: &Site) -> Slice {
    let creation = &session.creation;
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

/// The shell of one session, with the part of the guest its view needs. With a nonce, its scripts
/// run under a policy that names it.
pub(super) fn of_session(session: &Session, slice: &Slice, nonce: Option<&str>) -> String {
    let nonce = nonce
        .map(|nonce| format!(" nonce=\"{nonce}\""))
        .unwrap_or_default();
    let meta = json!({ SLICE_KEY: slice }).to_string();
    let meta = escape(&meta);
    let boot = format!("<script{nonce}>globalThis.__GGUI_META__ = {meta};</script>");
    page(
        &boot,
        &guest::for_view(session.creation.view.value()),
        &nonce,
    )
}

/// The shell that waits for its host to deliver a tool result.
pub(super) fn generic() -> String {
    page("", guest::GUEST, "")
}

fn page(boot: &str, code: &str, nonce: &str) -> String {
    format!(
        "<!doctype html><html><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>Render</title>\
         <style{nonce}>html,body{{margin:0;background:transparent}}</style></head><body>{boot}\
         <script type=\"module\" data-ggui-runtime=\"inline\"{nonce}>{code}</script></body></html>"
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
/// only, and nothing to reach but the live channel.
pub(super) fn frame_policy(site: &Site, nonce: &str) -> String {
    format!(
        "sandbox allow-scripts allow-forms; default-src 'none'; script-src 'nonce-{nonce}'; \
         style-src 'unsafe-inline'; img-src data: https:; font-src data:; \
         connect-src {base} {ws}; form-action 'none'; base-uri 'none'; frame-ancestors {embedders}",
        base = site.base(),
        ws = site.ws_base(),
        embedders = site.embedders(),
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
}
