//! Where the pictures of a session come from: the origins a policy has to name.

use std::collections::BTreeSet;

use serde_json::Value;
use url::{Host, Url};

use crate::domain::session::Session;

/// Origins a policy names: more pictures than these stand beside each other on no page. Those of
/// others are shown as links.
const ORIGINS_MAX: usize = 16;
/// Characters of a host name and of each of its labels (RFC 1035).
const HOST_CHARS_MAX: usize = 253;
const LABEL_CHARS_MAX: usize = 63;

/// The origins of every https address in the contract, the view and the props of a session, if its
/// view draws pictures.
pub(crate) fn origins(session: &Session) -> Vec<String> {
    let view = session.view().value();
    if !shows_pictures(view) {
        return Vec::new();
    }
    let mut origins = BTreeSet::new();
    collect(view, &mut origins);
    collect(session.contract.source(), &mut origins);
    if let Some(props) = &session.props {
        collect(props, &mut origins);
    }
    origins.into_iter().take(ORIGINS_MAX).collect()
}

/// Whether a view draws pictures from addresses.
fn shows_pictures(view: &Value) -> bool {
    match view {
        Value::Array(items) => items.iter().any(shows_pictures),
        Value::Object(members) => members.iter().any(|(name, value)| match name.as_str() {
            "component" => value == "Image",
            "format" => value == "image",
            "imageField" => value.is_string(),
            _ => shows_pictures(value),
        }),
        _ => false,
    }
}

fn collect(value: &Value, origins: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, origins)),
        Value::Object(members) => members.values().for_each(|item| collect(item, origins)),
        Value::String(text) => origins.extend(origin(text)),
        _ => {}
    }
}

/// The origin of an https address as a browser reads it, if it can stand in a policy as it is.
fn origin(text: &str) -> Option<String> {
    let is_https = text
        .get(.."https:".len())
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:"));
    let address = is_https.then(|| Url::parse(text).ok()).flatten()?;
    // A name before the host is nobody's origin.
    if !address.username().is_empty() || address.password().is_some() {
        return None;
    }
    let host = match address.host()? {
        Host::Domain(name) => name.to_owned(),
        Host::Ipv4(number) => number.to_string(),
        // A policy cannot name one.
        Host::Ipv6(_) => return None,
    };
    let port = address.port().map(|port| format!(":{port}"));
    is_host(&host).then(|| format!("https://{host}{}", port.unwrap_or_default()))
}

/// Letters, digits and hyphens in labels: nothing of it means anything else in a policy.
fn is_host(name: &str) -> bool {
    let is_label = |label: &str| {
        (1..=LABEL_CHARS_MAX).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    name.len() <= HOST_CHARS_MAX && name.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gives_the_origin_a_browser_would_ask() {
        for (address, expected) in [
            ("https://img.example/a.png?b#c", "https://img.example"),
            ("HTTPS://IMG.Example:443/", "https://img.example"),
            ("https://img.example:8443", "https://img.example:8443"),
            ("https://bücher.example/a", "https://xn--bcher-kva.example"),
            ("https://192.0.2.1/a", "https://192.0.2.1"),
            ("https:\\\\img.example\\a", "https://img.example"),
            (
                "https://img.example/${/props/id}.png",
                "https://img.example",
            ),
        ] {
            assert_eq!(origin(address).as_deref(), Some(expected), "{address}");
        }
    }

    #[test]
    fn what_means_more_than_a_host_in_a_policy_gives_none() {
        for address in [
            "",
            "text",
            "http://img.example",
            "//img.example",
            "https://",
            "https://*",
            "https://*.example",
            "https://a;connect-src",
            "https://a; script-src *",
            "https://a,b",
            "https://a b",
            "https://'self'",
            "https://\"a\"",
            "https://a%3bb",
            "https://user@img.example",
            "https://user:word@img.example",
            "https://good.example@evil.example",
            "https://[::1]/a",
            "https://img.example./a",
            "https://-a.example",
            "https://a_b.example",
            "https://img.example:0x50",
            "https://img.example:*",
            "https://${/props/host}/a",
            "data:image/png;base64,AA==",
        ] {
            assert_eq!(origin(address), None, "{address}");
        }
        let long = format!("https://{}.example", "a".repeat(64));
        assert_eq!(origin(&long), None);
    }
}
