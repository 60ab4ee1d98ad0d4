//! Who names whom: layers, outside crates, siblings, façades, and circles of files.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use syn::visit::Visit;

use crate::layers::{BOOK, DISPATCH, ENTRANCES, EXEMPT, LAYERS, STORE_PORTS};
use crate::modules::{BINARY, Modules, Segments, Target, is_test_only};
use crate::names::{Name, Names};
use crate::tree::Tree;
use crate::{Finding, Rule};

pub(crate) fn check(tree: &Tree, modules: &Modules) -> Vec<Finding> {
    let mut judge = Judge {
        modules,
        findings: Vec::new(),
        said: BTreeSet::new(),
        edges: BTreeMap::new(),
    };
    for (path, source) in &tree.src {
        let Ok(parsed) = &source.parsed else { continue };
        let at = if path == BINARY {
            Some(Segments::new())
        } else {
            modules.of_file(path)
        };
        let (Some(at), false) = (at, is_test_file(tree, modules, path)) else {
            continue;
        };
        let mut names = Names {
            at,
            found: Vec::new(),
        };
        names.visit_file(parsed);
        for name in names.found {
            judge.name(path, &name, &|| {
                let joined = name.path.join("::");
                let last = name.path.last().cloned().unwrap_or_default();
                source.line_of(&[&joined, &last])
            });
        }
    }
    judge.circles();
    judge.findings
}

/// A file that only `#[cfg(test)] mod` declares may do more.
fn is_test_file(tree: &Tree, modules: &Modules, path: &str) -> bool {
    let Some(at) = modules.of_file(path) else {
        return false;
    };
    (1..=at.len()).any(|length| {
        let (name, parent) = (&at[length - 1], modules.file(&at[..length - 1]));
        let Some(Ok(parent)) = tree.src.get(parent).map(|source| source.parsed.as_ref()) else {
            return false;
        };
        parent.items.iter().any(|item| {
            matches!(item, syn::Item::Mod(item) if item.ident == name && is_test_only(&item.attrs))
        })
    })
}

struct Judge<'tree> {
    modules: &'tree Modules,
    findings: Vec<Finding>,
    /// File, rule and offence; the first place is enough.
    said: BTreeSet<(String, Rule, String)>,
    /// File, file it names, and the path as first written.
    edges: BTreeMap<String, BTreeMap<String, String>>,
}

impl Judge<'_> {
    fn name(&mut self, path: &str, name: &Name, line: &dyn Fn() -> String) {
        let target = if path == BINARY {
            self.modules.resolve_in_binary(&name.path)
        } else {
            self.modules.resolve(&name.at, &name.path, name.is_global)
        };
        self.edge(path, &target, name);
        if path == BINARY || path == "lib.rs" {
            return;
        }
        let mut broken = Vec::new();
        outside(path, &target, name, &mut broken);
        through_root(&target, name, &mut broken);
        self.through_facade(path, &target, name, &mut broken);
        self.between_files(path, &target, &mut broken);
        Self::to_store(path, name, &mut broken);
        for (rule, what) in broken {
            if self.said.insert((path.to_owned(), rule, what.clone())) {
                let place = format!("src/{path}{}", line());
                let what = format!("{what} (`{}`)", name.path.join("::"));
                self.findings.push(Finding { rule, place, what });
            }
        }
    }

    /// A transport that names the port of a store.
    fn to_store(path: &str, name: &Name, broken: &mut Vec<(Rule, String)>) {
        let is_exempt = EXEMPT.iter().any(|exempt| path.starts_with(exempt));
        let port = name.path.last().map_or("", String::as_str);
        if head(path) == "transports" && !is_exempt && STORE_PORTS.contains(&port) {
            broken.push((Rule::Entrance, format!("a transport names a store: {port}")));
        }
    }

    fn between_files(&self, path: &str, target: &Target, broken: &mut Vec<(Rule, String)>) {
        let from = head(path);
        for file in self.files(target) {
            if file == "lib.rs" || file == path {
                continue;
            }
            let to = head(&file);
            let mut layers = LAYERS.iter().filter(|layer| layer.name == from);
            if !layers.any(|layer| layer.name == to || layer.may_name.contains(&to)) {
                broken.push((
                    Rule::Layer,
                    format!("`{from}` may not name `{to}`: src/{file}"),
                ));
            }
            let is_entrance = ENTRANCES.contains(&second(&file));
            let is_exempt = EXEMPT.iter().any(|exempt| path.starts_with(exempt));
            if from == "transports" && to == "services" && !is_entrance && !is_exempt {
                broken.push((
                    Rule::Entrance,
                    format!("a transport names a service: src/{file}"),
                ));
            }
            let is_inside = from == "services" && to == "services" && second(path) != "mod";
            let is_sibling = second(&file) != "mod" && second(&file) != second(path);
            let is_known = second(path) == DISPATCH || second(&file) == BOOK;
            if is_inside && is_sibling && !is_known {
                broken.push((
                    Rule::Sibling,
                    format!("a service names another: src/{file}"),
                ));
            }
        }
    }

    /// A file below a façade that names its own façade, and globs of any façade.
    fn through_facade(
        &self,
        path: &str,
        target: &Target,
        name: &Name,
        broken: &mut Vec<(Rule, String)>,
    ) {
        let is_facade = |module: &Segments| self.modules.file(module).ends_with("mod.rs");
        let Some(own) = self.modules.of_file(path) else {
            return;
        };
        let is_above = |module: &Segments| {
            let is_other = !module.is_empty() && self.modules.file(module) != path;
            is_other && own.starts_with(module) && is_facade(module)
        };
        let end = target.through.last();
        if target.reexports.iter().any(is_above) || end.is_some_and(is_above) {
            broken.push((
                Rule::Facade,
                "the façade above the file is named".to_owned(),
            ));
        } else if name.is_glob && target.is_module && end.is_some_and(is_facade) {
            broken.push((
                Rule::Facade,
                "a glob of a façade hides which files are meant".to_owned(),
            ));
        }
    }

    fn files(&self, target: &Target) -> BTreeSet<String> {
        let file = |module: &Segments| self.modules.file(module).to_owned();
        target
            .through
            .iter()
            .map(file)
            .filter(|file| !file.is_empty())
            .collect()
    }

    /// Re-exports are transparent: an arrow ends at the file that owns the name.
    fn edge(&mut self, path: &str, target: &Target, name: &Name) {
        if path.ends_with("mod.rs") || path == "lib.rs" {
            return;
        }
        let mut ends: Vec<&Segments> = target.reexports.iter().collect();
        ends.extend(target.through.last());
        for end in ends {
            let file = self.modules.file(end);
            let is_facade = file.ends_with("mod.rs") || file == "lib.rs";
            if !is_facade && !file.is_empty() && file != path {
                self.edges
                    .entry(path.to_owned())
                    .or_default()
                    .entry(file.to_owned())
                    .or_insert_with(|| name.path.join("::"));
            }
        }
    }

    /// Reports the shortest circle through each file that is on one and was not yet reported.
    fn circles(&mut self) {
        let mut reported = BTreeSet::new();
        for start in self.edges.keys() {
            if reported.contains(start) {
                continue;
            }
            if let Some(circle) = self.shortest_circle(start) {
                reported.extend(circle.iter().cloned());
                let mut what = start.clone();
                let ends = circle.iter().skip(1).chain([start]);
                for (from, to) in circle.iter().zip(ends) {
                    let names = self.edges.get(from).and_then(|ends| ends.get(to));
                    let written = names.map_or("", String::as_str);
                    what.push_str(&format!("\n        → {to} (`{written}`)"));
                }
                let place = format!("src/{start}");
                self.findings.push(Finding {
                    rule: Rule::Cycle,
                    place,
                    what,
                });
            }
        }
    }

    fn shortest_circle(&self, start: &str) -> Option<Vec<String>> {
        let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
        let mut open = VecDeque::from([start]);
        while let Some(file) = open.pop_front() {
            for next in self.edges.get(file).into_iter().flat_map(BTreeMap::keys) {
                if next == start {
                    let mut circle = vec![file.to_owned()];
                    let mut at = file;
                    while at != start {
                        at = came_from.get(at).copied()?;
                        circle.push(at.to_owned());
                    }
                    circle.reverse();
                    return Some(circle);
                }
                if !came_from.contains_key(next.as_str()) {
                    came_from.insert(next, file);
                    open.push_back(next);
                }
            }
        }
        None
    }
}

fn outside(path: &str, target: &Target, name: &Name, broken: &mut Vec<(Rule, String)>) {
    let Some(krate) = &target.outside else { return };
    // One segment alone is a local name, unless an import says it.
    let is_crate = name.path.len() > 1 || name.is_import || name.is_global;
    let layer = LAYERS.iter().find(|layer| layer.name == head(path));
    if is_crate && layer.is_some_and(|layer| layer.may_not_name.contains(&krate.as_str())) {
        broken.push((
            Rule::OutsideCrate,
            format!("`{}` may not name `{krate}`", head(path)),
        ));
    }
}

/// `crate::Thing`, `crate::*` and `use crate as root`.
fn through_root(target: &Target, name: &Name, broken: &mut Vec<(Rule, String)>) {
    let ends_at_root = target.through.last().is_some_and(Vec::is_empty);
    if ends_at_root || target.reexports.iter().any(Vec::is_empty) {
        let what = if name.is_glob {
            "a glob of the crate root"
        } else {
            "the crate root is named"
        };
        broken.push((Rule::Root, what.to_owned()));
    }
}

/// The layer of a file: its folder, or its own name at the top.
fn head(path: &str) -> &str {
    path.trim_start_matches("../")
        .split('/')
        .next()
        .unwrap_or(path)
        .trim_end_matches(".rs")
}

/// The file or folder within a layer.
fn second(path: &str) -> &str {
    path.split('/').nth(1).unwrap_or("").trim_end_matches(".rs")
}
