//! Citations, examples and links that the rules have to see, and those they have to leave alone.

use crate::citations::{Texts, check};

/// A page of the protocol, and one file that cites it.
fn cited_by(path: &str, text: &str) -> Vec<String> {
    let page = "# Tools\n\n## 1 The endpoint\n\n### 1.1 Addresses\n\n```sh\n# no heading\n```\n";
    let texts = Texts::written(&[
        ("docs/protocol/tools.md", page),
        ("README.md", "# Us\n"),
        (path, text),
    ]);
    check(&texts)
        .iter()
        .map(|found| found.place.clone())
        .collect()
}

#[test]
fn a_section_that_is_there_is_no_finding() {
    for text in [
        "// (tools.md \u{a7}1.1)",
        "//! As docs/protocol/tools.md \u{a7}1 says.",
        "/// what it takes (tools.md\n    /// \u{a7}1.1)",
        "/// A JSON Merge Patch (RFC 7396 \u{a7}2).",
        "// MCP Apps 2026-01-26 \u{a7}3, WCAG 2.2 \u{a7}1.4.3",
        "// README.md and ../README.md",
    ] {
        assert_eq!(cited_by("src/a.rs", text), [""; 0], "{text}");
    }
    let data = "const PATTERN: &str = \"^\u{a7}[0-9]+$\";";
    assert_eq!(cited_by("src/a.rs", data), [""; 0]);
    assert_eq!(cited_by("schemas/samples/a.json", "\"\u{a7} 3\""), [""; 0]);
    let schema = "{\"description\": \"What it is (tools.md \u{a7}1).\"}";
    assert_eq!(cited_by("schemas/a.json", schema), [""; 0]);
}

#[test]
fn a_section_that_is_not_there_is_seen() {
    for text in [
        "// (tools.md \u{a7}1.2)",
        "// (other.md \u{a7}1)",
        "// (docs/tools.md \u{a7}1)",
        "// (\u{a7}1.1)",
        "// some-spec \u{a7}1.1",
        "// tools.md \u{a7}x",
        "// RFC \u{a7}2",
        "// the rows of tools.md chapter 1",
        "// tools.md, appendix B",
        "// see elsewhere.md",
        "let a = 1;\u{20}// (other.md \u{a7}1)",
    ] {
        assert_eq!(
            cited_by("src/a.rs", text).first().map(String::as_str),
            Some("src/a.rs:1"),
            "{text}"
        );
    }
}

#[test]
fn a_page_of_the_protocol_cites_itself_by_number_alone_and_numbers_all_headings() {
    let at = "docs/protocol/b.md";
    assert_eq!(cited_by(at, "# B\n\n## 1 One\n\n\u{a7}1\n"), [""; 0]);
    assert_eq!(cited_by(at, "# B\n\n\u{a7}1\n"), ["docs/protocol/b.md:3"]);
    assert_eq!(cited_by(at, "# B\n\n## One\n"), ["docs/protocol/b.md:3"]);
    assert_eq!(
        cited_by(at, "## 2 Two\n## 1 One\n"),
        ["docs/protocol/b.md:2"]
    );
    assert_eq!(
        cited_by(at, "## 1 One\n## 1 One\n"),
        ["docs/protocol/b.md:2"]
    );
}

#[test]
fn an_example_that_is_not_json_is_seen() {
    let at = "docs/protocol/b.md";
    assert_eq!(cited_by(at, "```json\n{\"a\": 1}\n```\n"), [""; 0]);
    assert_eq!(
        cited_by(at, "```json\n{\"a\": …}\n```\n"),
        ["docs/protocol/b.md:1"]
    );
}

#[test]
fn a_link_that_leads_nowhere_is_seen() {
    let at = "docs/protocol/b.md";
    for text in [
        "[a](tools.md#11-addresses)",
        "[b](../../README.md)",
        "[c](https://example.org/x#y)",
        "[d](../)",
    ] {
        assert_eq!(cited_by(at, text), [""; 0], "{text}");
    }
    for text in [
        "[a](tools.md#12-more)",
        "[b](README.md)",
        "[c](../../src/b.rs)",
    ] {
        assert_eq!(cited_by(at, text), ["docs/protocol/b.md:1"], "{text}");
    }
}
