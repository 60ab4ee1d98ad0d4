//! Whether an address fits the pattern of a resource template (RFC 6570).

/// Whether an address fits: what stands between expressions appears in it, in order. The server
/// that listed the template decides the rest.
pub(super) fn fits(template: &str, uri: &str) -> bool {
    let mut literals = Vec::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        literals.push(before);
        let Some((_, end)) = after.split_once('}') else {
            return false;
        };
        rest = end;
    }
    if literals.is_empty() {
        return template == uri;
    }
    let Some(mut left) = uri.strip_prefix(literals[0]) else {
        return false;
    };
    for literal in &literals[1..] {
        match left.split_once(literal) {
            Some((_, after)) => left = after,
            None => return false,
        }
    }
    left.ends_with(rest)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn an_address_fits_what_stands_between_expressions() {
        for (template, uri) in [
            ("a://x", "a://x"),
            ("a://x/{id}", "a://x/5"),
            ("a://{id}/y", "a://5/y"),
            ("a://{x}/b/{y}.txt", "a://1/b/2.txt"),
            ("a://x{?q}", "a://x?q=1"),
        ] {
            assert!(fits(template, uri), "{template} {uri}");
        }
        for (template, uri) in [
            ("a://x", "a://xy"),
            ("a://x/{id}", "b://x/5"),
            ("a://{id}/y", "a://5/z"),
            ("a://{x}/b/{y}.txt", "a://1/c/2.txt"),
            ("a://{x", "a://1"),
        ] {
            assert!(!fits(template, uri), "{template} {uri}");
        }
    }
}
