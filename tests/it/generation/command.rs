//! `proscenium generate`, and what is wrong with the settings of a model.

use serde_json::{Value, json};
use tokio::process::Command;
use tokio::time::timeout;

use super::{KEY, Provider, Reply, chores, todos};
use crate::contracts::todo_list;
use crate::process::{failed, proscenium};
use crate::world::PATIENCE;

/// A command with a model behind it.
fn with_model(provider: &Provider, arguments: &[&str]) -> Command {
    let mut command = proscenium(arguments);
    command
        .env("PROSCENIUM_MODEL_PROVIDER", "openai")
        .env("PROSCENIUM_MODEL_URL", provider.url())
        .env("PROSCENIUM_MODEL_NAME", "quick")
        .env("PROSCENIUM_MODEL_PROMPT_PRICE", "1000000")
        .env("PROSCENIUM_MODEL_ANSWER_PRICE", "5000000")
        .env("OPENAI_API_KEY", KEY);
    command
}

/// The JSON that a command prints, the rest, and its exit code.
async fn run(mut command: Command) -> (Value, String, i32) {
    let output = timeout(PATIENCE, command.output()).await;
    let output = output.expect("an end").expect("a process");
    let stderr = String::from_utf8(output.stderr).expect("text");
    let printed = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (printed, stderr, output.status.code().expect("a code"))
}

#[tokio::test]
async fn one_contract_is_drawn_with_its_cost_or_composed_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("todo.json");
    let entry = json!({"intent": "Keep track", "contract": todo_list(), "props": todos()});
    std::fs::write(&file, entry.to_string()).expect("a file");
    let arguments = ["generate", file.to_str().expect("a path")];

    let provider = Provider::start([Reply::Says(chores())]).await;
    let (drawn, stderr, code) = run(with_model(&provider, &arguments)).await;
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(drawn["outcome"], "drawn");
    assert_eq!(
        (&drawn["rounds"], &drawn["microdollars"]),
        (&json!(1), &json!(2000))
    );
    assert!(
        drawn["view"].to_string().contains("Chores of the week"),
        "{drawn}"
    );
    let key = &provider.asked()[0].headers["authorization"];
    assert_eq!(key, format!("Bearer {KEY}").as_str());

    let wrong = json!({"parts": [{"source": "/props/nothing"}]}).to_string();
    let provider = Provider::start([Reply::Says(wrong)]).await;
    let (composed, stderr, code) = run(with_model(&provider, &arguments)).await;
    assert_eq!(code, 1, "{stderr}");
    assert!(
        stderr.contains("[CHOICE_UNKNOWN_SOURCE] parts[/props/nothing]"),
        "{stderr}"
    );
    assert_eq!(
        (&composed["outcome"], &composed["rounds"]),
        (&json!("composed"), &json!(3))
    );
    assert_eq!(composed["findings"][0]["code"], "CHOICE_UNKNOWN_SOURCE");
    assert!(composed["view"]["view"]["components"].is_array());
    assert!(!stderr.contains(KEY) && !composed.to_string().contains(KEY));
}

#[cfg(feature = "gallery")]
#[tokio::test]
async fn what_a_model_draws_is_pictured_alone_and_beside_what_is_composed() {
    if !crate::chromium::is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let entry = json!({"intent": "Keep track", "contract": todo_list(), "props": todos()});
    std::fs::write(path("todo.json"), entry.to_string()).expect("a file");
    let is_picture = |name: &str| {
        let data = std::fs::read(path(name)).unwrap_or_default();
        data.starts_with(b"\x89PNG")
    };

    let provider = Provider::start([Reply::Says(chores())]).await;
    let (file, picture) = (path("todo.json"), path("todo.png"));
    let arguments = ["generate", &file, "--picture", &picture];
    let (drawn, stderr, code) = run(with_model(&provider, &arguments)).await;
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(drawn["outcome"], "drawn");
    assert!(is_picture("todo.png"));

    let replies = [Reply::Says(chores()), Reply::Refuses];
    for (reply, has_drawn) in replies.into_iter().zip([true, false]) {
        let out = if has_drawn { "both" } else { "one" };
        let provider = Provider::start([reply]).await;
        let (from, out_path) = (path(""), path(out));
        let arguments = [
            "gallery",
            "--generator",
            "--from",
            &from,
            "--out",
            &out_path,
        ];
        let mut command = with_model(&provider, &arguments);
        let output = timeout(PATIENCE, command.output()).await;
        let output = output.expect("an end").expect("a process");
        let stderr = String::from_utf8(output.stderr).expect("text");
        assert!(output.status.success(), "{stderr}");
        assert!(is_picture(&format!("{out}/todo.png")));
        let generated = format!("{out}/todo-generated.png");
        assert_eq!(is_picture(&generated), has_drawn);
        let sheet = std::fs::read_to_string(path(&format!("{out}/index.html"))).expect("a sheet");
        assert!(sheet.contains("todo-generated"), "{sheet}");
        assert_eq!(sheet.contains("PRODUCTION_FAILED"), !has_drawn, "{sheet}");
    }
}

#[tokio::test]
async fn settings_of_a_model_that_cannot_work_are_told_and_the_key_is_not() {
    let (code, lines) = failed(&["generate", "contract.json"]).await;
    assert_eq!(code, 78);
    assert!(
        lines[0].contains("set model.provider and model.name"),
        "{lines:?}"
    );

    let mut command = proscenium(&["config", "check"]);
    command
        .env("PROSCENIUM_MODEL_PROVIDER", "openai")
        .env("PROSCENIUM_MODEL_URL", "http://models.example.org")
        .env("PROSCENIUM_MODEL_KEYRING", "proscenium")
        .env("OPENAI_API_KEY", "two words");
    let (_, stderr, code) = run(command).await;
    assert_eq!(code, 78, "{stderr}");
    for problem in [
        "model.name: is needed with model.provider",
        "model.url: \"http://models.example.org\" is neither https nor on this machine",
        match cfg!(feature = "keyring") {
            true => "model.keyring: \"proscenium\" is no SERVICE/USER, such as proscenium/openai",
            false => "model.keyring: this program was built without keyring (--features keyring)",
        },
        "OPENAI_API_KEY: holds no key",
    ] {
        assert!(stderr.contains(problem), "{problem}: {stderr}");
    }
    assert!(!stderr.contains("two words"), "{stderr}");
}
