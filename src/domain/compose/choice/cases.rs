//! Choices for the contracts that designers have judged: what may be chosen holds, and nothing else does.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::apply::chosen;
use super::form::{Choice, PartChoice};
use super::sketch::sketch;
use crate::domain::compose::compose;
use crate::domain::contract::samples::{compiled, todo_list};
use crate::domain::contract::{CompiledContract, ContractLimits};

/// One of every `many` contracts, in the order of their names: all of them together take minutes.
fn one_of(many: usize) -> Vec<(String, CompiledContract, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/labelled/contracts");
    let files = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths.into_iter().step_by(many) {
        let entry: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let compiled = CompiledContract::compile(&entry["contract"], &ContractLimits::default());
        let contract = compiled
            .unwrap_or_else(|found| panic!("{found:#?}"))
            .contract;
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        found.push((name, contract, entry["intent"].as_str().unwrap().to_owned()));
    }
    found
}

fn choice(value: Value) -> Choice {
    serde_json::from_value(value).unwrap()
}

fn refused(value: Value) -> Vec<String> {
    let contract = compiled(&todo_list());
    let found = chosen(&contract, "Keep track", &choice(value)).unwrap_err();
    let findings = found.into_iter();
    findings
        .map(|finding| format!("[{}] {}", finding.code, finding.path))
        .collect()
}

#[test]
fn whoever_chooses_nothing_gets_the_composed_view() {
    for (name, contract, intent) in one_of(8) {
        let found = chosen(&contract, &intent, &Choice::default());
        let found = found.unwrap_or_else(|found| panic!("{name}: {found:#?}"));
        assert_eq!(found, compose(&contract, &intent), "{name}");
    }
}

#[test]
fn everything_a_sketch_offers_can_be_chosen() {
    // Each choice is a page that is planned many times over.
    for (name, contract, intent) in one_of(32) {
        let sketch = sketch(&contract, &intent);
        let holds = |what: &str, value: Value| {
            let found = chosen(&contract, &intent, &choice(value));
            assert!(found.is_ok(), "{name}: {what}: {:#?}", found.err());
        };
        for path in &sketch.headline_paths {
            holds(path, json!({"headline": {"text": "About", "path": path}}));
        }
        for main in &sketch.mains {
            holds(main, json!({"main": main}));
        }
        for action in &sketch.actions {
            for place in &action.places {
                let chosen = json!({"action": action.action, "place": place});
                holds(&action.action, json!({"actions": [chosen]}));
            }
        }
        for part in &sketch.parts {
            for component in &part.others {
                let chosen = json!({"source": part.source, "component": component});
                holds(component, json!({"parts": [chosen]}));
            }
        }
    }
}

#[test]
fn a_sketch_of_work_offers_a_board_or_a_table() {
    let contract = compiled(&json!({
        "propsSpec": {"properties": {"tasks": {"required": true, "schema": {"type": "array", "items": {
            "type": "object",
            "properties": {"id": {"type": "string"}, "title": {"type": "string"},
                "status": {"type": "string", "enum": ["todo", "doing", "done"]}},
            "required": ["id", "title", "status"]}}}}},
        "actionSpec": {"moveTask": {"label": "Move", "schema": {"type": "object", "properties": {
            "id": {"type": "string"}, "status": {"type": "string", "enum": ["todo", "doing", "done"]}},
            "required": ["id", "status"]}}},
    }));
    let part = &sketch(&contract, "Open work").parts[0];
    let mut known = vec![part.component.as_str()];
    known.extend(part.others.iter().map(String::as_str));
    assert!(
        known.contains(&"Board") && known.contains(&"Table"),
        "{known:?}"
    );
}

#[test]
fn words_and_order_are_those_that_were_chosen() {
    let contract = compiled(&todo_list());
    let chosen = chosen(
        &contract,
        "Keep track",
        &choice(json!({
            "headline": {"text": "Chores"},
            "lead": "What is left for this week.",
            "parts": [{"source": "/props/todos", "title": "This week", "fields": [
                {"field": "done", "label": "Ready"}]}],
            "actions": [{"action": "addTodo", "place": "dialog"}],
        })),
    );
    let chosen = chosen.unwrap_or_else(|found| panic!("{found:#?}"));
    let view = chosen.to_json();
    for text in [
        "\"Chores\"",
        "\"What is left for this week.\"",
        "\"This week\"",
        "\"Ready\"",
        "\"dialog\"",
    ] {
        assert!(view.contains(text), "{text}: {view}");
    }
    let components = chosen.value()["view"]["components"].as_array().unwrap();
    let list = components
        .iter()
        .find(|component| component.get("columns").is_some());
    assert_eq!(list.unwrap()["columns"][0]["field"], "done");
}

#[test]
fn all_that_does_not_fit_is_told_at_once_by_its_path() {
    let found = refused(json!({
        "headline": {"text": "About", "path": "/props/secret"},
        "lead": "See https://evil.example for more",
        "main": "/props/nothing",
        "primary": "deleteTodo",
        "parts": [
            {"source": "/props/todos", "component": "Carousel", "title": "",
                "fields": [{"field": "price"}, {"field": "done", "label": "${/props/todos}"}]},
            {"source": "/props/todos"},
            {"source": "/props/nothing"},
        ],
        "actions": [{"action": "explode"}, {"action": "deleteTodo", "place": "form"}],
    }));
    let expected = [
        "[CHOICE_UNFIT_HEADLINE] headline.path",
        "[CHOICE_UNFIT_TEXT] lead",
        "[CHOICE_UNFIT_MAIN] main",
        "[CHOICE_UNFIT_PRIMARY] primary",
        "[CHOICE_UNFIT_COMPONENT] parts[/props/todos].component",
        "[CHOICE_DUPLICATE] parts[/props/todos]",
        "[CHOICE_UNKNOWN_SOURCE] parts[/props/nothing]",
        "[CHOICE_UNFIT_TEXT] parts[/props/todos].title",
        "[CHOICE_UNKNOWN_FIELD] parts[/props/todos].fields[price]",
        "[CHOICE_UNFIT_TEXT] parts[/props/todos].fields[done]",
        "[CHOICE_UNKNOWN_ACTION] actions[explode]",
        "[CHOICE_UNFIT_PLACE] actions[deleteTodo].place",
    ];
    assert_eq!(found, expected);
}

#[test]
fn what_the_author_of_a_contract_has_said_holds() {
    let contract = compiled(&json!({
        "propsSpec": {"properties": {
            "shop": {"schema": {"type": "string", "$comment": "ui: headline"}},
            "town": {"schema": {"type": "string"}},
        }},
        "actionSpec": {"open": {"label": "Open"}},
    }));
    let found = chosen(
        &contract,
        "Look",
        &choice(json!({"headline": {"text": "", "path": "/props/town"}})),
    );
    assert_eq!(found.unwrap_err()[0].code, "CHOICE_UNFIT_HEADLINE");
    let part = PartChoice {
        source: "/props/town".to_owned(),
        component: Some("Board".to_owned()),
        title: None,
        fields: Vec::new(),
    };
    let parts = vec![part];
    let choice = Choice {
        parts,
        ..Choice::default()
    };
    assert!(chosen(&contract, "Look", &choice).is_err());
}
