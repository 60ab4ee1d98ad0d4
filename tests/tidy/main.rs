//! The code about itself: every failure prints the rule, the place and the cure.
//!
//! `attacks.rs` holds the ways in which these rules were once got around, as tests of the rules.

mod arrows;
mod attacks;
mod citation_cases;
mod citations;
mod file_attacks;
mod files;
mod layers;
mod lexer;
mod map;
mod modules;
mod names;
mod tree;
mod words;

use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

use citations::Texts;
use modules::Modules;
use tree::Tree;

/// One broken rule at one place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    pub(crate) rule: Rule,
    pub(crate) place: String,
    pub(crate) what: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rule {
    Citation,
    Cycle,
    Entrance,
    Facade,
    Invariant,
    Layer,
    Length,
    Map,
    Mount,
    OutsideCrate,
    Purpose,
    Root,
    Sibling,
    Syntax,
    Word,
}

impl Rule {
    /// What the rule says, and what to do about it.
    fn text(self) -> (&'static str, &'static str) {
        match self {
            Self::Citation => (
                "every section that is cited stands in `docs/protocol/` or in a public standard",
                "cite `page.md` with a number that is there, or a standard as in `RFC 7396`; write what is missing into the page",
            ),
            Self::Cycle => (
                "files never depend on each other in a circle",
                "move what both ends need into a file of its own that names neither",
            ),
            Self::Entrance => (
                "transports name no store, and of the services only dispatch and the reader of live sessions",
                "run an `Operation` with `Dispatch::run`; read what is followed through `services/live`",
            ),
            Self::Facade => (
                "a `mod.rs` only declares and re-exports, and the files below it name each other by file",
                "write `super::file::Name`; move logic out of the `mod.rs` into a file named after it",
            ),
            Self::Invariant => (
                "an invariant in `src/lib.rs` reads `N. Sentence (test: `name`).` and its test exists and runs",
                "cite a test function that exists under src/ or tests/, or drop the invariant",
            ),
            Self::Layer => (
                "arrows point left: wire ← domain ← adapters, services ← transports ← app, config",
                "move the name to the lower layer, or define a port below and fill it in `src/app/compose.rs`",
            ),
            Self::Length => (
                "no file of src/ or tests/ has more than 400 lines",
                "find the seam between its subjects, and give one of them a file of its own",
            ),
            Self::Map => (
                "every folder of src/, and every file in src/ itself, has one line in the map of `src/lib.rs`",
                "add `folder/  what it owns` to the ```text block that starts with `lib.rs`",
            ),
            Self::Mount => (
                "every file of src/ is mounted by one `mod`, without `include!`, and without `#[path]` except for the examples of `src/demo/mod.rs`",
                "declare it in the `mod.rs` of its folder, or delete it",
            ),
            Self::OutsideCrate => (
                "a layer names only the outside crates that it may know",
                "keep the product behind a port: adapters know stores, transports know protocols",
            ),
            Self::Purpose => (
                "every file of src/ opens with one `//! ` sentence that says what it owns",
                "write it as the first line of the file, with a full stop",
            ),
            Self::Root => (
                "nobody reaches a name through the crate root",
                "name the file that defines it: `crate::layer::file::Name`",
            ),
            Self::Sibling => (
                "only `services/dispatch` names other services",
                "let dispatch call both, or move what they share to domain/",
            ),
            Self::Syntax => ("every file parses", "make it compile first"),
            Self::Word => ("some words belong to some files", "see the sentence above"),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rule, cure) = self.rule.text();
        write!(
            f,
            "{}: {}\n    rule: {rule}\n    cure: {cure}",
            self.place, self.what
        )
    }
}

/// Everything tidy has to say about a tree.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let modules = Modules::of(tree);
    let mut findings = modules.findings.clone();
    findings.extend(arrows::check(tree, &modules));
    findings.extend(files::check(tree, &modules));
    findings.extend(map::check(tree));
    findings.extend(words::check(tree));
    findings.sort();
    findings.dedup();
    findings
}

#[track_caller]
fn assert_tidy(rules: &[Rule]) {
    static FINDINGS: OnceLock<Vec<Finding>> = OnceLock::new();
    let all = FINDINGS.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut all = check(&Tree::read(root));
        all.extend(citations::check(&Texts::read(root)));
        all
    });
    let broken: Vec<String> = all
        .iter()
        .filter(|finding| rules.contains(&finding.rule))
        .map(ToString::to_string)
        .collect();
    assert!(broken.is_empty(), "\n\n{}\n", broken.join("\n\n"));
}

#[test]
fn arrows_between_layers_point_left() {
    assert_tidy(&[Rule::Layer, Rule::Root, Rule::Syntax]);
}

#[test]
fn a_layer_names_no_outside_crate_above_it() {
    assert_tidy(&[Rule::OutsideCrate]);
}

#[test]
fn files_form_no_circle() {
    assert_tidy(&[Rule::Cycle]);
}

#[test]
fn facades_hold_no_logic_and_hide_no_sibling() {
    assert_tidy(&[Rule::Facade]);
}

#[test]
fn transports_enter_by_dispatch() {
    assert_tidy(&[Rule::Entrance]);
}

#[test]
fn services_are_blind_to_each_other() {
    assert_tidy(&[Rule::Sibling]);
}

#[test]
fn no_file_is_too_long() {
    assert_tidy(&[Rule::Length]);
}

#[test]
fn every_file_is_mounted_and_says_its_purpose() {
    assert_tidy(&[Rule::Mount, Rule::Purpose]);
}

#[test]
fn every_folder_is_in_the_map() {
    assert_tidy(&[Rule::Map]);
}

#[test]
fn every_invariant_is_locked_by_a_test() {
    assert_tidy(&[Rule::Invariant]);
}

#[test]
fn words_stay_where_they_belong() {
    assert_tidy(&[Rule::Word]);
}

#[test]
fn every_section_that_is_cited_is_there() {
    assert_tidy(&[Rule::Citation]);
}
