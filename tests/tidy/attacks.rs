//! Ways in which each rule was once broken; each must be found, and the unbroken sample must pass.

use crate::tree::Tree;
use crate::{Finding, Rule, check};

const ROOT: &str = "\
//! A sample of the real shape.
//!
//! ```text
//! lib.rs                  the map
//! main.rs                 the binary
//! app.rs                  the composition root
//!
//! wire/                   the types,
//!                         and ids
//! domain/                 the rules
//! adapters/               products
//! services/               the use cases
//! transports/             the doors
//! transports/mcp/         one door
//! ```
//!
//! # Invariants
//!
//! 1. What happened stays (test: `what_happened_stays`).
//! 2. An id that was printed
//!    parses again (test: `an_id_survives_printing`).

pub mod wire;

mod adapters;
mod app;
mod domain;
mod services;
mod transports;

pub use app::App;
";

/// A small tree of the real shape that obeys every rule.
pub(crate) fn sample() -> Vec<(&'static str, String)> {
    let files = [
        ("lib.rs", ROOT),
        (
            "main.rs",
            "//! The binary of the sample.\nuse proscenium::App;\nfn main() { App::run(); }\n",
        ),
        (
            "app.rs",
            "//! Puts the parts together.\n\
             use crate::adapters::memory::Memory;\n\
             use crate::services::dispatch::Dispatch;\n\
             use crate::transports::router;\n\
             pub struct App;\n\
             impl App { pub fn run() { router(Dispatch::new(Memory)); } }\n",
        ),
        ("wire/mod.rs", "//! The types of the wire.\npub mod ids;\n"),
        (
            "wire/ids.rs",
            "//! Ids that parse and print.\npub struct Id(pub(crate) String);\n\
             #[cfg(test)]\nmod tests {\n    use crate::App;\n    #[test]\n    fn an_id_survives_printing() {}\n}\n",
        ),
        (
            "domain/mod.rs",
            "//! The rules of the sample.\npub(crate) mod event;\npub(crate) mod session;\n",
        ),
        (
            "domain/event.rs",
            "//! What can happen to a session.\nuse crate::wire::ids::Id;\npub(crate) struct Event(Id);\n",
        ),
        (
            "domain/session.rs",
            "//! The fold of what happened.\nuse super::event::Event;\npub(crate) struct Session(Event);\n",
        ),
        (
            "adapters/mod.rs",
            "//! What the ports are made of.\npub(crate) mod memory;\n",
        ),
        (
            "adapters/memory.rs",
            "//! Keeps everything in this process.\nuse crate::domain::event::Event;\npub(crate) struct Memory;\n",
        ),
        (
            "services/mod.rs",
            "//! The use cases of the sample.\npub(crate) mod actions;\npub(crate) mod content;\npub(crate) mod dispatch;\n",
        ),
        (
            "services/actions.rs",
            "//! Submits and consumes actions.\nuse crate::domain::session::Session;\npub(crate) struct Actions;\n",
        ),
        (
            "services/content.rs",
            "//! Renders and updates views.\nuse crate::domain::{event::Event, session::Session};\npub(crate) struct Content;\n",
        ),
        (
            "services/dispatch.rs",
            "//! The one path of every operation.\nuse super::actions::Actions;\nuse super::content::Content;\npub(crate) struct Dispatch;\n",
        ),
        (
            "transports/mod.rs",
            "//! The transports of the sample.\nmod fault;\nmod mcp;\npub(crate) use mcp::router;\n",
        ),
        (
            "transports/fault.rs",
            "//! Every error and its code.\nuse axum::Router;\npub(super) struct Fault;\n",
        ),
        (
            "transports/mcp/mod.rs",
            "//! The door that agents use.\nmod call;\nmod era;\npub(crate) use call::router;\n",
        ),
        (
            "transports/mcp/era.rs",
            "//! The dialects of the door.\nuse super::super::fault::Fault;\n",
        ),
        (
            "transports/mcp/call.rs",
            "//! The calls of the door.\nuse super::era;\nuse crate::services::dispatch::Dispatch;\n",
        ),
    ];
    files.map(|(path, text)| (path, text.to_owned())).into()
}

pub(crate) const TESTS: &str =
    "//! Tests of the sample.\n#[tokio::test]\nasync fn what_happened_stays() {}\n";

/// Adds lines to a file of the sample, or a new file to it.
pub(crate) fn with(changes: &[(&'static str, &str)]) -> Tree {
    let mut files = sample();
    for (path, lines) in changes {
        match files.iter_mut().find(|(name, _)| name == path) {
            Some((_, text)) => text.push_str(lines),
            None => files.push((path, (*lines).to_owned())),
        }
    }
    Tree::written(files, [("it/main.rs", TESTS.to_owned())])
}

/// The sample with one text of a file replaced by another.
pub(crate) fn replaced(path: &str, old: &str, new: &str) -> Tree {
    let mut files = sample();
    for (name, text) in &mut files {
        if name == &path {
            assert!(text.contains(old), "{path} has no {old:?}");
            *text = text.replace(old, new);
        }
    }
    Tree::written(files, [("it/main.rs", TESTS.to_owned())])
}

#[track_caller]
pub(crate) fn assert_seen(tree: &Tree, rule: Rule, place: &str) {
    let findings = check(tree);
    let is_meant = |finding: &Finding| finding.rule == rule && finding.place.starts_with(place);
    assert!(
        findings.iter().any(is_meant),
        "no {rule:?} at {place} in {findings:#?}"
    );
}

#[track_caller]
pub(crate) fn assert_clean(tree: &Tree) {
    let findings = check(tree);
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn the_untouched_sample_passes() {
    assert_clean(&with(&[]));
}

#[test]
fn a_domain_file_that_uses_a_service_is_seen() {
    let tree = with(&[(
        "domain/event.rs",
        "use crate::services::content::Content;\n",
    )]);
    assert_seen(&tree, Rule::Layer, "src/domain/event.rs:4");
}

#[test]
fn an_inline_path_to_an_adapter_is_seen() {
    let tree = with(&[(
        "domain/event.rs",
        "fn f() { let _ = crate::adapters::memory::Memory; }\n",
    )]);
    assert_seen(&tree, Rule::Layer, "src/domain/event.rs:4");
}

#[test]
fn a_climb_over_super_is_seen() {
    let climb = "fn f(_: super::super::adapters::memory::Memory) {}\n";
    assert_seen(
        &with(&[("domain/event.rs", climb)]),
        Rule::Layer,
        "src/domain/event.rs",
    );
    let climb = "use self::super::super::adapters::memory::Memory;\n";
    assert_seen(
        &with(&[("domain/event.rs", climb)]),
        Rule::Layer,
        "src/domain/event.rs",
    );
}

#[test]
fn a_climb_out_of_an_inline_module_is_seen() {
    let climb = "mod inner { use super::super::super::services::content::Content; }\n";
    assert_seen(
        &with(&[("domain/event.rs", climb)]),
        Rule::Layer,
        "src/domain/event.rs",
    );
}

#[test]
fn a_path_hidden_in_a_grouped_use_is_seen() {
    let group = "use crate::{wire::ids, services::{content::{self as c, Content}}};\n";
    assert_seen(
        &with(&[("domain/event.rs", group)]),
        Rule::Layer,
        "src/domain/event.rs",
    );
}

#[test]
fn a_path_inside_a_macro_call_is_seen() {
    for call in [
        "fn f() { println!(\"{}\", crate::services::content::Content::NAME); }\n",
        "fn f() { vec![vec![crate::services::content::f()]]; }\n",
        "macro_rules! m { () => { $crate::services::content::f() } }\n",
        "macro_rules! m { () => { use crate::{wire::ids, services::content}; } }\n",
    ] {
        assert_seen(
            &with(&[("domain/event.rs", call)]),
            Rule::Layer,
            "src/domain/event.rs",
        );
    }
}

#[test]
fn a_path_in_an_attribute_is_seen() {
    let attribute = "#[serde(with = \"crate::services::content\")]\nstruct A;\n";
    assert_seen(
        &with(&[("domain/event.rs", attribute)]),
        Rule::Layer,
        "src/domain/event.rs",
    );
}

#[test]
fn a_name_laundered_through_the_crate_root_is_seen() {
    let tree = with(&[
        ("lib.rs", "pub(crate) use services::content::Content;\n"),
        ("domain/event.rs", "use crate::Content;\n"),
    ]);
    assert_seen(&tree, Rule::Root, "src/domain/event.rs");
    assert_seen(&tree, Rule::Layer, "src/domain/event.rs");
}

#[test]
fn a_glob_of_the_root_is_seen() {
    let tree = with(&[(
        "domain/event.rs",
        "use crate::*;\nfn f(_: services::content::Content) {}\n",
    )]);
    assert_seen(&tree, Rule::Root, "src/domain/event.rs");
    assert_seen(&tree, Rule::Layer, "src/domain/event.rs");
    let climb = with(&[("domain/event.rs", "use super::super::*;\n")]);
    assert_seen(&climb, Rule::Root, "src/domain/event.rs");
}

#[test]
fn a_root_under_another_name_is_seen() {
    let renamed = "use crate as root;\nfn f(_: root::services::content::Content) {}\n";
    let tree = with(&[("domain/event.rs", renamed)]);
    assert_seen(&tree, Rule::Root, "src/domain/event.rs");
    assert_seen(&tree, Rule::Layer, "src/domain/event.rs");
    let external = with(&[("domain/event.rs", "extern crate self as root;\n")]);
    assert_seen(&external, Rule::Root, "src/domain/event.rs");
}

#[test]
fn a_name_borrowed_from_another_file_s_import_is_seen() {
    let tree = with(&[
        ("domain/mod.rs", "use crate as root;\n"),
        (
            "domain/event.rs",
            "fn f(_: super::root::services::content::Content) {}\n",
        ),
    ]);
    assert_seen(&tree, Rule::Layer, "src/domain/event.rs");
    assert_seen(&tree, Rule::Facade, "src/domain/mod.rs");
}

#[test]
fn an_outside_crate_above_its_layer_is_seen() {
    for (path, line) in [
        ("domain/event.rs", "use axum::Router;\n"),
        ("domain/event.rs", "use axum;\n"),
        (
            "domain/event.rs",
            "use {serde::Serialize, ::axum::Router as R};\n",
        ),
        ("domain/event.rs", "fn f(_: ::axum::Router) {}\n"),
        ("domain/event.rs", "fn f() { assert!(axum::f()); }\n"),
        ("domain/event.rs", "extern crate axum as a;\n"),
        ("domain/event.rs", "use tokio::sync::Mutex;\n"),
        ("wire/ids.rs", "use dashmap::DashMap;\n"),
        ("services/content.rs", "use http::StatusCode;\n"),
        ("services/content.rs", "fn f() { tower::service_fn(f); }\n"),
        ("adapters/memory.rs", "use hyper::body::Body;\n"),
        ("transports/fault.rs", "use rusqlite::Connection;\n"),
    ] {
        assert_seen(
            &with(&[(path, line)]),
            Rule::OutsideCrate,
            &format!("src/{path}"),
        );
    }
}

#[test]
fn two_files_in_a_circle_are_seen() {
    let tree = with(&[("domain/event.rs", "use super::session::Session;\n")]);
    assert_seen(&tree, Rule::Cycle, "src/domain/event.rs");
}

#[test]
fn a_circle_hidden_behind_the_facade_is_seen() {
    let tree = with(&[
        ("domain/mod.rs", "pub(crate) use session::Session;\n"),
        ("domain/event.rs", "use super::Session;\n"),
    ]);
    assert_seen(&tree, Rule::Facade, "src/domain/event.rs");
    assert_seen(&tree, Rule::Cycle, "src/domain/event.rs");
}

#[test]
fn a_circle_through_the_facade_of_a_folder_is_seen() {
    let tree = with(&[
        ("transports/fault.rs", "use super::mcp::router;\n"),
        (
            "transports/mcp/call.rs",
            "use super::super::fault::Fault;\n",
        ),
    ]);
    assert_seen(&tree, Rule::Cycle, "src/transports/fault.rs");
    let tree = with(&[
        (
            "transports/fault.rs",
            "use super::mcp;\nfn f() { mcp::router(); }\n",
        ),
        (
            "transports/mcp/call.rs",
            "use super::super::fault::Fault;\n",
        ),
    ]);
    assert_seen(&tree, Rule::Cycle, "src/transports/fault.rs");
}

#[test]
fn a_service_that_reaches_a_private_door_is_seen() {
    let tree = with(&[(
        "services/content.rs",
        "use crate::transports::fault::Fault;\n",
    )]);
    assert_seen(&tree, Rule::Layer, "src/services/content.rs");
}

#[test]
fn a_door_that_reaches_a_store_is_seen() {
    let tree = with(&[(
        "transports/mcp/call.rs",
        "use crate::adapters::memory::Memory;\n",
    )]);
    assert_seen(&tree, Rule::Layer, "src/transports/mcp/call.rs");
}

#[test]
fn a_transport_that_goes_around_dispatch_is_seen() {
    for line in [
        "use crate::services::content::Content;\n",
        "fn f(_: &crate::services::actions::Actions) {}\n",
        "use crate::domain::blueprint::BlueprintStore;\n",
    ] {
        let tree = with(&[("transports/mcp/call.rs", line)]);
        assert_seen(&tree, Rule::Entrance, "src/transports/mcp/call.rs");
    }
}

#[test]
fn a_part_that_knows_the_app_is_seen() {
    let tree = with(&[("transports/fault.rs", "use crate::app::App;\n")]);
    assert_seen(&tree, Rule::Layer, "src/transports/fault.rs");
}
