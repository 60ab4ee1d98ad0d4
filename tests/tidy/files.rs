//! Rules about single files: mounted, with a purpose, not too long, and façades without logic.

use syn::{Item, Visibility};

use crate::modules::{Modules, is_test_only, leaves};
use crate::tree::{Source, Tree};
use crate::{Finding, Rule};

/// More than this is two subjects, or more than a reader keeps in mind.
const LINES_MAX: usize = 400;
/// Tests of services whose lists of cases are longer for now.
const LONGER: [&str; 3] = ["it/brain/", "it/gate/", "it/generation/"];

pub(crate) fn check(tree: &Tree, modules: &Modules) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, source) in &tree.src {
        let mut say = |rule: Rule, what: String| {
            findings.push(Finding {
                rule,
                place: format!("src/{path}"),
                what,
            });
        };
        if let Err(error) = &source.parsed {
            say(Rule::Syntax, error.clone());
        }
        if path != "main.rs" && !modules.is_mounted(path) {
            say(Rule::Mount, "no `mod` declares this file".to_owned());
        }
        if source.blanked.product.contains("include!") {
            say(
                Rule::Mount,
                "`include!` mounts code past the module tree".to_owned(),
            );
        }
        if let Some(what) = length(source) {
            say(Rule::Length, what);
        }
        if let Some(what) = purpose(source) {
            say(Rule::Purpose, what.to_owned());
        }
        if path == "lib.rs" || path.ends_with("mod.rs") {
            for what in logic(source) {
                say(Rule::Facade, what);
            }
        }
    }
    let is_held = |path: &str| LONGER.iter().all(|longer| !path.starts_with(longer));
    for (path, source) in tree.tests.iter().filter(|(path, _)| is_held(path)) {
        findings.extend(length(source).map(|what| Finding {
            rule: Rule::Length,
            place: format!("tests/{path}"),
            what,
        }));
    }
    findings
}

fn length(source: &Source) -> Option<String> {
    let lines = source.text.lines().count();
    (lines > LINES_MAX).then(|| format!("it has {lines} lines"))
}

fn purpose(source: &Source) -> Option<&'static str> {
    let Some(sentence) = source
        .text
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("//! "))
    else {
        return Some("its first line is not a `//! ` sentence");
    };
    let paragraph = source
        .text
        .lines()
        .map_while(|line| line.strip_prefix("//! "))
        .last()
        .unwrap_or(sentence);
    let ends = |text: &str| text.trim_end().ends_with(['.', '!', '?', ':', ')']);
    if sentence.split_whitespace().count() < 3 || sentence.contains("placeholder") {
        return Some("its first line does not say what the file owns");
    }
    (!ends(sentence) && !ends(paragraph)).then_some("its first sentence has no full stop")
}

fn logic(source: &Source) -> Vec<String> {
    let Ok(file) = &source.parsed else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for item in &file.items {
        let kind = match item {
            Item::Mod(item) if item.content.is_none() || is_test_only(&item.attrs) => continue,
            Item::Use(item) if is_test_only(&item.attrs) => continue,
            Item::Use(item) if leaves(&item.tree).iter().any(|leaf| leaf.is_glob) => {
                "a glob re-export, which hides the file it means".to_owned()
            }
            Item::Use(item) if !matches!(item.vis, Visibility::Inherited) => continue,
            Item::Mod(item) => format!("the inline module `{}`", item.ident),
            Item::Use(_) => "an import of its own".to_owned(),
            Item::Fn(item) => format!("the function `{}`", item.sig.ident),
            Item::Struct(item) => format!("the type `{}`", item.ident),
            Item::Enum(item) => format!("the type `{}`", item.ident),
            Item::Type(item) => format!("the alias `{}`", item.ident),
            Item::Trait(item) => format!("the trait `{}`", item.ident),
            Item::Const(item) => format!("the constant `{}`", item.ident),
            _ => "an item that is neither `mod` nor a re-export".to_owned(),
        };
        found.push(format!("the façade holds {kind}"));
    }
    found
}
