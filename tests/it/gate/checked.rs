//! What is wrong with a gate file is said with the number of its rule.

use super::site::Folder;
use crate::process::failed;

const SOURCE: &str =
    "schema: 1\nsources:\n  - { id: a, kind: mcp, url: \"http://127.0.0.1:1/mcp\" }\n";

#[tokio::test]
async fn each_rule_that_a_file_breaks_is_named_by_its_number() {
    let governed = |rule: &str| format!("{SOURCE}governance:\n  rules:\n    - {rule}\n");
    let sourced = |id: &str| SOURCE.replace("id: a", &format!("id: \"{id}\""));
    let folder = Folder::new();
    for (number, text) in [
        ("V-002", sourced("_a")),
        // The tools of this server are no source.
        ("V-002", sourced("local")),
        ("V-005", governed("{ match: x, action: policy }")),
        ("V-007", governed("{ match: x, action: deny, source: b }")),
        (
            "V-007",
            governed("{ match: x, action: deny, source: [local, b] }"),
        ),
        ("V-016", sourced("a b")),
    ] {
        let file = folder.write(&text);
        let (code, lines) = failed(&["gate", "check", file.to_str().expect("a path")]).await;
        let output = lines.join("\n");
        assert_eq!(code, 78, "{number}: {output}");
        assert!(
            output.contains(&format!("({number})")),
            "{number}: {output}"
        );
    }
}
