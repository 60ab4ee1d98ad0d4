//! Checks addresses that people are sent to: https, with a host, and no user name in front of it.

use url::Url;

/// Returns the address in the form a browser uses, or what is wrong with it.
pub(crate) fn https(text: &str) -> Result<String, &'static str> {
    // Browsers drop some of these characters and reinterpret others.
    if text
        .chars()
        .any(|character| character.is_control() || character.is_whitespace() || character == '\\')
    {
        return Err("must hold no spaces, line breaks, control characters or backslashes");
    }
    let has_host = text
        .get(.."https://".len())
        .is_some_and(|start| start.eq_ignore_ascii_case("https://"))
        && !text["https://".len()..].starts_with('/');
    let url = Url::parse(text).ok().filter(|_| has_host);
    let url = url.ok_or("must be https:// and a host, as in https://id.example/login")?;
    if !url.username().is_empty() || url.password().is_some() || has_user(text) {
        return Err("must name no user before its host");
    }
    Ok(url.into())
}

/// Whether there is a user name before the host, even an empty one.
fn has_user(text: &str) -> bool {
    let rest = &text["https://".len()..];
    rest.split(['/', '?', '#'])
        .next()
        .is_some_and(|authority| authority.contains('@'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_written_as_a_browser_reads_it() {
        for (given, read) in [
            ("https://id.example", "https://id.example/"),
            (
                "HTTPS://ID.example:443/a?b=c#d",
                "https://id.example/a?b=c#d",
            ),
            (
                "https://b\u{fc}cher.example/",
                "https://xn--bcher-kva.example/",
            ),
            ("https://[::1]:8443/", "https://[::1]:8443/"),
        ] {
            assert_eq!(https(given).as_deref(), Ok(read), "{given}");
        }
        for none in [
            "",
            "https://",
            "https:///",
            "https:///path",
            "https:id.example",
            "http://id.example/",
            "https://good.example@evil.example/",
            "https://@evil.example/",
            "https://a:b@evil.example/",
            "https://id.example/\r\nx: y",
            " https://id.example/",
            "https://id.example/a b",
            "https://id.exa\tmple/",
            "https://good.example\\@evil.example/",
            "https://id.example\u{85}/",
            "https://id.example:99999/",
            "https://exa%00mple/",
            "https://exam ple/",
            "javascript://id.example/%0aalert(1)",
        ] {
            assert!(https(none).is_err(), "{none:?}: {:?}", https(none));
        }
    }
}
