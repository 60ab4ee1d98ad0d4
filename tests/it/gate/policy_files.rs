//! Files of policies: checked as a whole, told what is wrong with them, and exchanged in one step.

use std::path::Path;

use tokio::time::timeout;

use super::reload::Served;
use super::site::Folder;
use crate::process::{failed, proscenium};
use crate::world::PATIENCE;

const GATE: &str = r#"
schema: 1
sources:
  - { id: script, kind: mcp, SCRIPT }
governance:
  rules:
    - { match: "get_*", action: policy, policy_id: reading }
cedar: { policies: [one.cedar, two.cedar] }
approval: { ops: {} }
"#;

const SOUND: &str =
    r#"permit(principal, action, resource) when { context.policy_id == "reading" };"#;

const WRONG: &str = r#"
permit(principal, action, resource)
when { principal.nmae == "x" };

@id("amount")
permit(principal, action == ThoughtGate::Action::"tools/call", resource)
when { resource.arguments.amount <= 10 };

@id("both")
permit(principal, action == ThoughtGate::Action::"tools/call", resource)
when {
  resource.arguments has a && resource.arguments.a > 1 && resource.arguments.a like "x"
};

@id("asked") @thoughtgate_approval("nobody")
permit(principal, action, resource);

@id("twice")
permit(principal, action == ThoughtGate::Action::"Forward", resource);

@id("twice") @thoughtgate_approval("ops")
forbid(principal, action, resource);

@id("twice")
forbid(principal, action, resource);

permit(principal == ?principal, action, resource);
"#;

/// What is told of it, each with its place.
const PROBLEMS: [&str; 8] = [
    "two.cedar:3: for policy `two.cedar policy 1`, attribute `nmae` on entity type \
     `ThoughtGate::App` not found; did you mean `name`?",
    "two.cedar:7: for policy `amount`, unable to guarantee safety of access to optional attribute \
     `arguments.amount`",
    "two.cedar:12: for policy `both`, unexpected type: expected String but saw Long",
    "two.cedar: policy `asked`: @thoughtgate_approval: approval has no \"nobody\"; there is ops \
     (V-006)",
    "two.cedar:19: for policy `twice`, unrecognized action `ThoughtGate::Action::",
    "two.cedar: policy `twice`: @thoughtgate_approval has a meaning on permit only",
    "two.cedar: policy `twice`: another policy has this @id",
    "two.cedar: has templates (?principal, ?resource), which nothing here fills in",
];

async fn check(file: &Path) -> (i32, String) {
    let (code, lines) = failed(&["gate", "check", file.to_str().expect("a path")]).await;
    (code, lines.join("\n"))
}

#[tokio::test]
async fn every_problem_of_policies_is_told_with_its_file_and_line_before_anything_starts() {
    let folder = Folder::new();
    let file = folder.write(GATE);
    let (code, text) = check(&file).await;
    assert_eq!(code, 78, "{text}");
    for name in ["one", "two"] {
        let problem = format!("\"{name}.cedar\" cannot be read: ");
        assert!(
            text.contains(&problem) && text.contains("(V-013)"),
            "{text}"
        );
    }
    folder.put(
        "one.cedar",
        "permit(principal, action, resource)\nwhen { 1 + };",
    );
    folder.put("two.cedar", WRONG);
    let (code, text) = check(&file).await;
    assert_eq!(code, 78, "{text}");
    for problem in PROBLEMS {
        assert!(text.contains(problem), "{problem}\n{text}");
    }
    assert!(text.contains("one.cedar:2: unexpected token `}`"), "{text}");
    folder.put("one.cedar", SOUND);
    folder.put("two.cedar", "// Nothing yet.");
    let arguments = ["gate", "check", file.to_str().expect("a path")];
    let sound = proscenium(&arguments).output().await.expect("a process");
    assert!(sound.status.success(), "{sound:?}");
    folder.put("one.cedar", &format!("{SOUND}{}", " ".repeat(1024 * 1024)));
    let (_, text) = check(&file).await;
    assert!(
        text.contains("one.cedar: has more than 1048576 bytes"),
        "{text}"
    );
    folder.put("one.cedar", "");
    let (code, text) = check(&file).await;
    assert_eq!(code, 78, "{text}");
    assert!(text.contains("there is no policy in any file"), "{text}");
    assert_eq!(folder.notes(), "", "it was started");
}

#[tokio::test]
async fn a_schema_says_of_which_types_all_arguments_are() {
    let folder = Folder::new();
    let file = folder.write(&GATE.replace("two.cedar]", "two.cedar], schema: all.cedarschema"));
    let reads = |argument: &str, value: &str| {
        format!(
            "permit(principal, action == ThoughtGate::Action::\"tools/call\", resource)\n\
             when {{ resource.arguments has {argument} && resource.arguments.{argument} == {value} }};"
        )
    };
    let types = "namespace ThoughtGate { type Arguments = { amount?: Long, to?: String }; }";
    folder.put("all.cedarschema", types);
    folder.put("one.cedar", &reads("amount", "5"));
    folder.put("two.cedar", &reads("to", "\"x\""));
    let arguments = ["gate", "check", file.to_str().expect("a path")];
    let sound = proscenium(&arguments).output().await.expect("a process");
    assert!(sound.status.success(), "{sound:?}");
    folder.put("one.cedar", &reads("amount", "\"5\""));
    folder.put("two.cedar", &reads("amuont", "5"));
    let (_, text) = check(&file).await;
    for problem in [
        "one.cedar:2: the types Long and String",
        "two.cedar:1: for policy",
    ] {
        assert!(text.contains(problem), "{text}");
    }
    for schema in ["namespace ThoughtGate { type Argument = {}; }", "nonsense"] {
        folder.put("all.cedarschema", schema);
        let (code, text) = check(&file).await;
        assert_eq!(code, 78, "{text}");
        assert!(text.contains("all.cedarschema:1: "), "{text}");
    }
}

#[tokio::test]
async fn policies_in_which_anything_is_wrong_change_nothing_and_sound_ones_hold_at_once() {
    let folder = Folder::new();
    folder.put("one.cedar", SOUND);
    folder.put("two.cedar", "");
    let mut served = Served::start(&folder, GATE).await;
    let weather = "get_weather".to_owned();
    assert!(served.names().await.contains(&weather));
    folder.put("two.cedar", WRONG);
    let complaint = served.complaint().await;
    for problem in PROBLEMS {
        // The log escapes quotes.
        let problem = problem.replace('"', "\\\"");
        assert!(complaint.contains(&problem), "{problem}\n{complaint}");
    }
    assert!(served.names().await.contains(&weather));
    // The same file, sound again, and then the gate file with a file that nobody has looked at.
    folder.put("two.cedar", "forbid(principal, action, resource);");
    let changed = async { while served.names().await.contains(&weather) {} };
    timeout(PATIENCE, changed).await.expect("a change in time");
    folder.write(&GATE.replace("two.cedar", "three.cedar"));
    let complaint = served.complaint().await;
    assert!(
        complaint.contains("three.cedar") && complaint.contains("(V-013)"),
        "{complaint}"
    );
    assert!(!served.names().await.contains(&weather));
    folder.put("three.cedar", SOUND);
    let changed = async { while !served.names().await.contains(&weather) {} };
    timeout(PATIENCE, changed).await.expect("a change in time");
}
