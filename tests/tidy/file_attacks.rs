//! The ways around the rules about single files, about the map and about what stands where.

use crate::Rule;
use crate::attacks::{TESTS, assert_clean, assert_seen, replaced, sample, with};
use crate::tree::Tree;

#[test]
fn a_file_without_a_purpose_is_seen() {
    for start in ["", "//\n", "//! Ids\n", "//! placeholder until later.\n"] {
        let tree = replaced("wire/ids.rs", "//! Ids that parse and print.\n", start);
        assert_seen(&tree, Rule::Purpose, "src/wire/ids.rs");
    }
}

#[test]
fn a_file_of_more_than_one_subject_is_seen() {
    let long = "// One more line.\n".repeat(400);
    let tree = with(&[("domain/event.rs", &long)]);
    assert_seen(&tree, Rule::Length, "src/domain/event.rs");
    let tree = Tree::written(sample(), [("it/main.rs", format!("{TESTS}{long}"))]);
    assert_seen(&tree, Rule::Length, "tests/it/main.rs");
}

#[test]
fn a_service_that_uses_an_adapter_is_seen() {
    let tree = with(&[(
        "services/content.rs",
        "use crate::adapters::memory::Memory;\n",
    )]);
    assert_seen(&tree, Rule::Layer, "src/services/content.rs");
}

#[test]
fn a_file_that_no_one_mounts_is_seen() {
    let tree = with(&[("domain/lost.rs", "//! Nobody knows this file.\n")]);
    assert_seen(&tree, Rule::Mount, "src/domain/lost.rs");
    let elsewhere = with(&[("domain/event.rs", "#[path = \"../lost.rs\"]\nmod lost;\n")]);
    assert_seen(&elsewhere, Rule::Mount, "src/domain/event.rs");
    let included = with(&[("domain/event.rs", "include!(\"../services/content.rs\");\n")]);
    assert_seen(&included, Rule::Mount, "src/domain/event.rs");
}

#[test]
fn a_service_that_names_its_sibling_is_seen() {
    for line in [
        "use super::actions::Actions;\n",
        "use crate::services::{actions};\n",
        "fn f() { super::dispatch::f(); }\n",
    ] {
        let tree = with(&[("services/content.rs", line)]);
        assert_seen(&tree, Rule::Sibling, "src/services/content.rs");
    }
}

#[test]
fn a_facade_with_logic_is_seen() {
    for line in [
        "fn f() {}\n",
        "use event::Event;\n",
        "pub(crate) use event::*;\n",
        "mod x {}\n",
    ] {
        assert_seen(
            &with(&[("domain/mod.rs", line)]),
            Rule::Facade,
            "src/domain/mod.rs",
        );
    }
}

#[test]
fn a_glob_of_a_facade_is_seen() {
    let tree = with(&[("services/content.rs", "use crate::domain::*;\n")]);
    assert_seen(&tree, Rule::Facade, "src/services/content.rs");
}

#[test]
fn a_folder_or_a_file_beside_the_map_that_it_does_not_name_is_seen() {
    let tree = replaced("lib.rs", "//! transports/mcp/         one door\n", "");
    assert_seen(&tree, Rule::Map, "src/lib.rs");
    let tree = replaced(
        "lib.rs",
        "//! app.rs                  the composition root\n",
        "",
    );
    assert_seen(&tree, Rule::Map, "src/lib.rs");
}

#[test]
fn a_map_that_names_twice_or_nothing_or_no_file_is_seen() {
    for line in [
        "//! app.rs  again\n",
        "//! lost.rs  not there\n",
        "//! lost/  not there\n",
        "//! wire/ids.rs  a file in a folder\n",
        "//! app.rs\n",
    ] {
        let tree = replaced("lib.rs", "//! wire/", &format!("{line}//! wire/"));
        assert_seen(&tree, Rule::Map, "src/lib.rs:8");
    }
    let none = replaced("lib.rs", "//! lib.rs                  the map\n", "");
    assert_seen(&none, Rule::Map, "src/lib.rs:1");
}

#[test]
fn an_invariant_without_a_running_test_is_seen() {
    for (old, new) in [
        ("`what_happened_stays`", "`what_happened_goes`"),
        (" (test: `what_happened_stays`)", ""),
        ("//! 2. An id", "//! 3. An id"),
        ("# Invariants", "# Promises"),
    ] {
        assert_seen(&replaced("lib.rs", old, new), Rule::Invariant, "src/lib.rs");
    }
    let ignored = TESTS.replace("async fn", "#[ignore]\nasync fn");
    let tree = Tree::written(sample(), [("it/main.rs", ignored)]);
    assert_seen(&tree, Rule::Invariant, "src/lib.rs");
}

#[test]
fn a_test_inside_a_suite_macro_counts() {
    let suite = TESTS.replace(
        "#[tokio::test]",
        "macro_rules! suite { () => { #[tokio::test]",
    ) + "} }";
    assert_clean(&Tree::written(sample(), [("it/main.rs", suite)]));
}

#[test]
fn an_error_number_outside_its_table_is_seen() {
    for line in [
        "const N: i32 = -32600;\n",
        "const N: i32 = - 32_001;\n",
        "const N: i64 = -32700i64;\n",
        "const S: &str = \"{\\\"code\\\":-32603}\";\n",
    ] {
        assert_seen(
            &with(&[("transports/fault.rs", line)]),
            Rule::Word,
            "src/transports/fault.rs:4",
        );
    }
    assert_clean(&with(&[(
        "transports/fault.rs",
        "// -32600\nconst N: i32 = -3260;\n",
    )]));
    let test = "#[cfg(test)]\nmod tests { const N: i32 = -32600; }\n";
    assert_clean(&with(&[("transports/fault.rs", test)]));
}

#[test]
fn a_status_code_below_the_doors_is_seen() {
    let tree = with(&[("domain/event.rs", "fn f(_: StatusCode) {}\n")]);
    assert_seen(&tree, Rule::Word, "src/domain/event.rs:4");
    assert_clean(&with(&[(
        "transports/fault.rs",
        "fn f(_: StatusCode) {}\n",
    )]));
}

#[test]
fn sql_outside_its_adapter_is_seen() {
    for text in [
        "SELECT id FROM page",
        "insert into page values (1)",
        "UPDATE page SET id = 1",
    ] {
        let line = format!("const Q: &str = \"{text}\";\n");
        let tree = with(&[("services/content.rs", &line)]);
        assert_seen(&tree, Rule::Word, "src/services/content.rs:4");
    }
    let prose = "const P: &str = \"Select a row from the list, then update the set.\";\n";
    assert_clean(&with(&[("services/content.rs", prose)]));
}

#[test]
fn a_sleeping_test_is_seen() {
    let sleepy = format!("{TESTS}async fn f() {{ tokio::time::sleep(D).await; }}\n");
    let tree = Tree::written(sample(), [("it/main.rs", sleepy)]);
    assert_seen(&tree, Rule::Word, "tests/it/main.rs:4");
    let awake = format!("{TESTS}// sleep(1)\nfn asleep() {{ \"sleep(1)\"; }}\n");
    assert_clean(&Tree::written(sample(), [("it/main.rs", awake)]));
}

#[test]
fn visibilities_and_tests_raise_no_alarm() {
    let line = "pub(in crate::domain) struct A;\npub(crate) struct B(pub(super) u8);\n\
                #[cfg(test)]\nuse crate::services::content::Content;\n\
                #[cfg(test)]\nmod tests { use super::super::*; use crate::app::App; }\n";
    assert_clean(&with(&[("domain/event.rs", line)]));
}

#[test]
fn a_sample_file_for_tests_may_do_more() {
    let mut files = sample();
    for (path, text) in &mut files {
        if *path == "domain/mod.rs" {
            text.push_str("#[cfg(test)]\nmod samples;\n");
        }
    }
    let samples = "//! Samples for the tests of the rules.\nuse crate::app::App;\n";
    files.push(("domain/samples.rs", samples.to_owned()));
    assert_clean(&Tree::written(files, [("it/main.rs", TESTS.to_owned())]));
}
