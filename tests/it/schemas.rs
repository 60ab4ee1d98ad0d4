//! The schemas of `schemas/`: they are those the server lists, their samples are valid or invalid
//! as
//! filed, and every result and frame of any test fits them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::brain::Pages;
use crate::world::World;

/// Set to write the schemas of the tools again.
const BLESS: &str = "PROSCENIUM_BLESS";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas")
}

fn read(name: &str) -> Value {
    let path = root().join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path);
    let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("JSON")
}

/// Names of the schemas that are generated: `contract`, `frames/…`, `tools/…`.
fn names() -> BTreeSet<String> {
    let mut names = BTreeSet::from(["contract".to_owned()]);
    for folder in ["frames", "tools"] {
        names.extend(listed(folder));
    }
    names
}

fn listed(folder: &str) -> BTreeSet<String> {
    let files = std::fs::read_dir(root().join(folder)).expect("a folder");
    files
        .map(|file| {
            let name = file.expect("a file").file_name();
            let name = name.to_str().expect("text").trim_end_matches(".json");
            format!("{folder}/{name}")
        })
        .collect()
}

fn validator(name: &str) -> Option<&'static Validator> {
    static ALL: OnceLock<BTreeMap<String, Validator>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let compiled = names().into_iter().map(|name| {
            let compiled = jsonschema::validator_for(&read(&name)).expect("a schema");
            (name, compiled)
        });
        compiled.collect()
    });
    all.get(name)
}

/// Fails if a value does not fit a schema in the repository.
#[track_caller]
pub(crate) fn assert_fits(name: &str, value: &Value) {
    let validator = validator(name).unwrap_or_else(|| panic!("there is no schema {name}"));
    let problems: Vec<_> = validator
        .iter_errors(value)
        .map(|error| error.to_string())
        .collect();
    assert!(
        problems.is_empty(),
        "does not fit {name}: {problems:?} in {value}"
    );
}

/// Fails if the result of a call does not fit the schema its tool lists.
#[track_caller]
pub(crate) fn assert_results_fit(asked: &Value, answered: &Value) {
    if asked["method"] != "tools/call" {
        return;
    }
    let result = &answered["result"];
    // Tools of servers behind the gate have schemas of their own.
    let name = asked["params"]["name"].as_str();
    let tool = name.filter(|name| name.starts_with("ggui_") || name.starts_with("brain_"));
    if let (Some(tool), true) = (tool, result.is_object()) {
        assert_fits(
            &format!("tools/{tool}.output"),
            &result["structuredContent"],
        );
    }
}

async fn tools(world: &World) -> Vec<Value> {
    let list = world.rpc("tools/list", json!({})).await.body;
    list["result"]["tools"].as_array().expect("tools").clone()
}

/// The tools of the page store.
async fn tools_of_pages(pages: &Pages) -> Vec<Value> {
    let list = pages.rpc("tools/list", json!({})).await.body;
    list["result"]["tools"].as_array().expect("tools").clone()
}

#[tokio::test]
async fn what_the_tools_list_is_what_is_checked_in() {
    let pages = Pages::start().await;
    let world = &pages.0;
    let mut expected = BTreeMap::new();
    for tool in tools(world)
        .await
        .into_iter()
        .chain(tools_of_pages(&pages).await)
    {
        let name = tool["name"].as_str().expect("a name");
        for (side, schema) in [("input", "inputSchema"), ("output", "outputSchema")] {
            expected.insert(format!("tools/{name}.{side}"), tool[schema].clone());
        }
    }
    let can = json!({"extensions": {"io.modelcontextprotocol/ui": {}}});
    let modern = world.modern_as("tools/list", json!({}), can).await.body;
    let is_same = modern["result"]["tools"] == json!(tools(world).await);
    assert!(is_same, "both eras list the same tools");
    if std::env::var_os(BLESS).is_some() {
        let folder = root().join("tools");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        for (name, schema) in &expected {
            let text = serde_json::to_string_pretty(schema).expect("text") + "\n";
            std::fs::write(root().join(format!("{name}.json")), text).expect("a file");
        }
    }
    let known: BTreeSet<_> = expected.keys().cloned().collect();
    assert_eq!(listed("tools"), known, "run this test with {BLESS}=1");
    for (name, schema) in &expected {
        assert!(
            read(name) == *schema,
            "{name} is out of date; run this test with {BLESS}=1"
        );
    }
}

/// What the agent's tools may take of a model's context, in bytes.
const LIST_BYTES_MAX: usize = 24_000;

#[tokio::test]
async fn the_list_of_tools_stays_small_enough_for_a_model_s_context() {
    let world = World::start().await;
    // What only a UI calls, hosts keep from the model.
    let is_model_s = |tool: &&Value| tool["_meta"]["ui"]["visibility"] != json!(["app"]);
    let tools = tools(&world).await;
    let tools = tools.iter().filter(is_model_s);
    let bytes: usize = tools.map(|tool| tool.to_string().len()).sum();
    assert!(bytes <= LIST_BYTES_MAX, "{bytes} bytes");
    let pages = tools_of_pages(&Pages::start().await).await;
    let bytes: usize = pages.iter().map(|tool| tool.to_string().len()).sum();
    assert!(bytes <= LIST_BYTES_MAX, "{bytes} bytes of the page store's");
}

#[tokio::test]
async fn every_result_may_be_an_error_and_no_schema_of_a_tool_has_null() {
    let pages = Pages::start().await;
    let all = tools(&pages.0)
        .await
        .into_iter()
        .chain(tools_of_pages(&pages).await);
    for tool in all {
        assert!(!tool.to_string().contains("\"null\""), "{tool}");
        let schema = &tool["outputSchema"];
        assert_eq!(schema["type"], "object");
        assert!(schema.get("additionalProperties").is_none());
        assert!(!schema.to_string().contains("$ref"));
        let error = json!({"error": {"code": "x", "message": "y", "details": {}}});
        assert!(jsonschema::is_valid(schema, &error), "{}", tool["name"]);
    }
}

/// The samples of a schema in a folder.
fn samples(name: &str, verdict: &str) -> Vec<Value> {
    let samples = read(&format!("samples/{name}"));
    let samples = samples[verdict].as_array().expect("samples").clone();
    assert!(!samples.is_empty(), "{name}: no {verdict} sample");
    samples
}

#[test]
fn every_schema_has_samples_and_accepts_only_the_valid_ones() {
    let mut wrong = Vec::new();
    for name in names() {
        let validator = validator(&name).expect("a schema");
        for (verdict, is_valid) in [("valid", true), ("invalid", false)] {
            for sample in samples(&name, verdict) {
                if validator.is_valid(&sample) != is_valid {
                    wrong.push(format!("{name}: {verdict} {sample}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn the_server_accepts_the_valid_sample_arguments_and_no_others() {
    let world = World::start().await;
    for tool in tools(&world).await {
        let name = tool["name"].as_str().expect("a name");
        for (verdict, is_valid) in [("valid", true), ("invalid", false)] {
            for arguments in samples(&format!("tools/{name}.input"), verdict) {
                let params = json!({"name": name, "arguments": arguments});
                for answer in [
                    world.rpc("tools/call", params.clone()).await,
                    world.modern("tools/call", params.clone()).await,
                ] {
                    let error = &answer.body["error"]["data"]["code"];
                    let result = &answer.body["result"]["structuredContent"];
                    let is_refused = ["INVALID_ARGUMENTS", "INVALID_PARAMS"]
                        .iter()
                        .any(|code| error == code)
                        || result["error"]["code"] == "invalid_arguments"
                        || result["message"]
                            .as_str()
                            .is_some_and(|text| text.starts_with("Invalid arguments"));
                    assert_eq!(is_refused, !is_valid, "{name} {arguments}: {}", answer.body);
                }
            }
        }
    }
}

#[tokio::test]
async fn the_page_store_accepts_the_valid_sample_arguments_and_no_others() {
    let pages = Pages::start().await;
    for tool in tools_of_pages(&pages).await {
        let name = tool["name"].as_str().expect("a name");
        for (verdict, is_valid) in [("valid", true), ("invalid", false)] {
            for arguments in samples(&format!("tools/{name}.input"), verdict) {
                let params = json!({"name": name, "arguments": arguments});
                let legacy = pages.rpc("tools/call", params).await.body;
                let modern = pages.modern(name, arguments.clone()).await.body;
                let code = &modern["result"]["structuredContent"]["error"]["code"];
                for is_refused in [
                    legacy["error"]["code"] == -32602,
                    modern["error"]["code"] == -32602 || code == "INVALID_ARGUMENTS",
                ] {
                    assert_eq!(
                        is_refused, !is_valid,
                        "{name} {arguments}: {legacy} {modern}"
                    );
                }
            }
        }
    }
}

#[tokio::test]
async fn the_server_accepts_the_valid_sample_contracts_unchanged_and_no_others() {
    let world = World::start().await;
    for (verdict, is_valid) in [("valid", true), ("invalid", false)] {
        let drafts = samples("contract", verdict).into_iter();
        for contract in drafts.filter(Value::is_object) {
            let draft = json!({"intent": "A sample", "blueprintDraft": {"contract": contract}});
            let agreed = world.tool("ggui_handshake", draft).await;
            let is_as_written =
                agreed["action"] == "create" && agreed["suggestion"]["origin"] == "agent";
            assert_eq!(is_as_written, is_valid, "{contract}: {agreed}");
        }
    }
}

/// The catalog's schema of one part of a view: a component, or the arguments of a function.
fn part_validator(catalog: &Value, sample: &Value) -> Option<(Validator, Value)> {
    let (schema, value) = match sample["component"].as_str() {
        Some(name) => (catalog["components"].get(name)?, sample),
        None => {
            let name = sample["call"].as_str()?;
            (&catalog["functions"].get(name)?["args"], &sample["args"])
        }
    };
    let mut schema = schema.clone();
    schema["$defs"] = catalog["$defs"].clone();
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    Some((validator, value.clone()))
}

#[test]
fn the_catalog_has_samples_of_every_part_and_accepts_only_the_valid_ones() {
    let catalog = read("catalog");
    for (verdict, is_valid) in [("valid", true), ("invalid", false)] {
        let samples = samples("catalog", verdict);
        for sample in &samples {
            let judged = part_validator(&catalog, sample);
            let fits = judged.is_some_and(|(validator, value)| validator.is_valid(&value));
            assert_eq!(fits, is_valid, "{sample}");
        }
        for (part, member) in [("components", "component"), ("functions", "call")] {
            for name in catalog[part].as_object().expect("a part").keys() {
                let has_one = samples.iter().any(|sample| sample[member] == name.as_str());
                assert!(has_one, "no {verdict} sample of {name}");
            }
        }
    }
}

#[tokio::test]
async fn the_server_accepts_the_valid_sample_parts_of_views_and_reports_the_others() {
    let world = World::start().await;
    for (verdict, is_valid) in [("valid", true), ("invalid", false)] {
        for sample in samples("catalog", verdict) {
            let component = match sample.get("call") {
                Some(_) => json!({"id": "root", "component": "Text", "text": sample}),
                None => sample.clone(),
            };
            let draft = json!({"contract": {}, "view": {"components": [component]}});
            let arguments = json!({"intent": "A sample", "blueprintDraft": draft});
            let agreed = world.tool("ggui_handshake", arguments).await;
            let findings = agreed["suggestion"]["validationFindings"].as_array();
            // The contract is empty, so bindings and actions of a part are reported as well.
            let refused = [
                "VIEW_CALL_INVALID",
                "VIEW_COMPONENT_INVALID",
                "VIEW_SHAPE_INVALID",
                "VIEW_UNKNOWN_COMPONENT",
            ];
            let is_refused = findings
                .into_iter()
                .flatten()
                .any(|finding| refused.iter().any(|code| finding["code"] == *code));
            assert_eq!(is_refused, !is_valid, "{sample}: {agreed}");
        }
    }
}
