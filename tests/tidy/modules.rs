//! The module tree as the compiler sees it, and what a path in it means.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, UseTree};

use crate::tree::{EXAMPLES, MOUNTS, Tree};
use crate::{Finding, Rule};

/// A path from the crate root; the root itself is empty.
pub(crate) type Segments = Vec<String>;

/// Re-exports that lead to re-exports end here.
const DEPTH_MAX: usize = 8;

#[derive(Debug, Default)]
struct Module {
    file: String,
    children: BTreeSet<String>,
    /// Names that a `use` brings in, with the path as written.
    bindings: BTreeMap<String, Segments>,
    /// Paths as written of `use path::*`.
    globs: Vec<Segments>,
}

/// Where a path leads.
#[derive(Debug, Default, Clone)]
pub(crate) struct Target {
    /// Every module on the way, in order; the last is the one that owns the name.
    pub(crate) through: Vec<Segments>,
    /// The modules of which a re-export or import was followed.
    pub(crate) reexports: Vec<Segments>,
    /// The path ends at a module rather than at a name inside it.
    pub(crate) is_module: bool,
    /// The first segment when it is a crate of others.
    pub(crate) outside: Option<String>,
}

pub(crate) struct Modules {
    modules: BTreeMap<Segments, Module>,
    /// What was wrong with the declarations.
    pub(crate) findings: Vec<Finding>,
}

pub(crate) const BINARY: &str = "main.rs";
const LIBRARY: &str = "proscenium";

impl Modules {
    pub(crate) fn of(tree: &Tree) -> Self {
        let mut all = Self {
            modules: BTreeMap::new(),
            findings: Vec::new(),
        };
        if tree.src.contains_key("lib.rs") {
            all.mount(tree, Segments::new(), "lib.rs");
        }
        all
    }

    pub(crate) fn is_mounted(&self, path: &str) -> bool {
        self.modules.values().any(|module| module.file == path)
    }

    /// The module that a file is; the binary is outside the tree.
    pub(crate) fn of_file(&self, path: &str) -> Option<Segments> {
        let shortest = |(segments, module): (&Segments, &Module)| {
            (module.file == path).then(|| segments.clone())
        };
        self.modules
            .iter()
            .filter_map(shortest)
            .min_by_key(Vec::len)
    }

    pub(crate) fn file(&self, segments: &[String]) -> &str {
        self.modules.get(segments).map_or("", |module| &module.file)
    }

    fn mount(&mut self, tree: &Tree, at: Segments, file: &str) {
        let Some(Ok(parsed)) = tree.src.get(file).map(|source| source.parsed.as_ref()) else {
            self.modules.insert(
                at,
                Module {
                    file: file.to_owned(),
                    ..Module::default()
                },
            );
            return;
        };
        self.declare(tree, at, file, &parsed.items);
    }

    fn declare(&mut self, tree: &Tree, at: Segments, file: &str, items: &[Item]) {
        let mut module = Module {
            file: file.to_owned(),
            ..Module::default()
        };
        let mut inner = Vec::new();
        for item in items {
            let Item::Mod(item) = item else { continue };
            let name = item.ident.to_string();
            let path = item
                .attrs
                .iter()
                .find(|attribute| attribute.path().is_ident("path"));
            if let Some(example) = path.and_then(|path| example(file, path)) {
                if self.is_mounted(&example) {
                    let what = format!("`mod {name}` mounts `{example}` a second time");
                    let place = format!("src/{file}");
                    self.findings.push(Finding {
                        rule: Rule::Mount,
                        place,
                        what,
                    });
                }
                module.children.insert(name.clone());
                let mut at = at.clone();
                at.push(name);
                self.mount(tree, at, &example);
                continue;
            }
            if path.is_some() {
                let what = format!("`mod {name}` uses `#[path]`");
                self.findings.push(Finding {
                    rule: Rule::Mount,
                    place: format!("src/{file}"),
                    what,
                });
            }
            if item.content.is_some() && is_test_only(&item.attrs) {
                continue;
            }
            module.children.insert(name.clone());
            inner.push((
                name,
                item.content.as_ref().map(|(_, items)| items.as_slice()),
            ));
        }
        let mut uses = Uses {
            module: &mut module,
        };
        for item in items {
            uses.visit_item(item);
        }
        self.modules.insert(at.clone(), module);
        for (name, content) in inner {
            let mut path = at.clone();
            path.push(name.clone());
            if let Some(items) = content {
                self.declare(tree, path, file, items);
                continue;
            }
            let flat = format!("{}.rs", path.join("/"));
            let folder = format!("{}/mod.rs", path.join("/"));
            match [flat, folder]
                .into_iter()
                .find(|file| tree.src.contains_key(file))
            {
                Some(found) if self.is_mounted(&found) => {
                    let what = format!("`mod {name}` mounts `{found}` a second time");
                    let place = format!("src/{file}");
                    self.findings.push(Finding {
                        rule: Rule::Mount,
                        place,
                        what,
                    });
                }
                Some(found) => self.mount(tree, path, &found),
                None => {
                    let what = format!("`mod {name}` has no file of that name");
                    let place = format!("src/{file}");
                    self.findings.push(Finding {
                        rule: Rule::Mount,
                        place,
                        what,
                    });
                }
            }
        }
    }

    /// What a path written in the module `at` leads to.
    pub(crate) fn resolve(&self, at: &[String], written: &[String], is_global: bool) -> Target {
        let mut target = Target::default();
        if is_global {
            target.outside = written.first().cloned();
        } else {
            self.walk(at, written, &mut target, 0);
        }
        target
    }

    /// The binary sees the library as a crate.
    pub(crate) fn resolve_in_binary(&self, written: &[String]) -> Target {
        let mut target = Target::default();
        match written.split_first() {
            Some((first, rest)) if first == LIBRARY => self.descend(&[], rest, &mut target, 0),
            Some((first, _)) => target.outside = Some(first.clone()),
            None => {}
        }
        target
    }

    fn walk(&self, at: &[String], written: &[String], target: &mut Target, depth: usize) {
        let Some((first, rest)) = written.split_first() else {
            return;
        };
        match first.as_str() {
            "crate" => self.descend(&[], rest, target, depth),
            "self" | "super" => self.descend(at, written, target, depth),
            _ if self.knows(at, first, depth) => self.descend(at, written, target, depth),
            // A `Self::X`, a local type, or a crate of others.
            _ => target.outside = Some(first.clone()),
        }
    }

    fn knows(&self, at: &[String], name: &str, depth: usize) -> bool {
        let Some(module) = self.modules.get(at) else {
            return false;
        };
        module.children.contains(name)
            || module.bindings.contains_key(name)
            || self.through_glob(at, name, depth).is_some()
    }

    /// The path that a glob import of the module offers for a name.
    fn through_glob(&self, at: &[String], name: &str, depth: usize) -> Option<Segments> {
        if depth > DEPTH_MAX {
            return None;
        }
        self.modules.get(at)?.globs.iter().find_map(|glob| {
            let mut target = Target::default();
            self.walk(at, glob, &mut target, depth + 1);
            let owner = target.through.last().filter(|_| target.is_module)?;
            if owner == at || !self.knows(owner, name, depth + 1) {
                return None;
            }
            let mut path = vec!["crate".to_owned()];
            path.extend(owner.iter().cloned());
            path.push(name.to_owned());
            Some(path)
        })
    }

    fn descend(&self, from: &[String], rest: &[String], target: &mut Target, depth: usize) {
        target.through.push(from.to_vec());
        let empty = Module::default();
        let module = self.modules.get(from).unwrap_or(&empty);
        let Some((name, later)) = rest.split_first() else {
            target.is_module = true;
            return;
        };
        if name == "self" {
            return self.descend(from, later, target, depth);
        }
        if name == "super" {
            return self.descend(&from[..from.len().saturating_sub(1)], later, target, depth);
        }
        if module.children.contains(name) {
            let mut inner = from.to_vec();
            inner.push(name.clone());
            return self.descend(&inner, later, target, depth);
        }
        if depth > DEPTH_MAX {
            return;
        }
        let bound = module.bindings.get(name).cloned();
        let Some(path) = bound.or_else(|| self.through_glob(from, name, depth)) else {
            return;
        };
        let mut onward = path;
        onward.extend(later.iter().cloned());
        target.reexports.push(from.to_vec());
        self.walk(from, &onward, target, depth + 1);
    }
}

/// The example that a `#[path]` of the demo mounts; elsewhere, or elsewhere to, there is none.
fn example(file: &str, path: &Attribute) -> Option<String> {
    let syn::Meta::NameValue(path) = &path.meta else {
        return None;
    };
    let syn::Expr::Lit(path) = &path.value else {
        return None;
    };
    let syn::Lit::Str(path) = &path.lit else {
        return None;
    };
    let name = path.value().strip_prefix(EXAMPLES)?.to_owned();
    (file == MOUNTS && !name.contains("..")).then(|| format!("../examples/{name}"))
}

/// `#[cfg(test)]`, `#[test]` and their like.
pub(crate) fn is_test_only(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let last = attribute.path().segments.last();
        let is_test = last.is_some_and(|segment| segment.ident == "test");
        let condition = attribute.path().is_ident("cfg")
            && attribute.meta.require_list().is_ok_and(|list| {
                let text: String = list.tokens.to_string().split_whitespace().collect();
                text == "test" || text.starts_with("all(test,")
            });
        is_test || condition
    })
}

/// Collects the imports of one module, those inside its functions too.
struct Uses<'module> {
    module: &'module mut Module,
}

impl<'ast> Visit<'ast> for Uses<'_> {
    /// Inline modules collect their own.
    fn visit_item_mod(&mut self, _: &'ast syn::ItemMod) {}

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_test_only(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if is_test_only(&item.attrs) {
            return;
        }
        for leaf in leaves(&item.tree) {
            if leaf.is_glob {
                self.module.globs.push(leaf.path);
            } else if leaf.path.first() != Some(&leaf.name) {
                // `use axum` and `use check::check` say nothing that the name itself does not.
                self.module.bindings.insert(leaf.name, leaf.path);
            }
        }
    }
}

/// One name of a `use`, out of however many groups.
pub(crate) struct Leaf {
    pub(crate) path: Segments,
    pub(crate) name: String,
    pub(crate) is_glob: bool,
}

pub(crate) fn leaves(tree: &UseTree) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(tree, &Segments::new(), &mut found);
    found
}

fn collect(tree: &UseTree, prefix: &[String], found: &mut Vec<Leaf>) {
    let with = |name: &syn::Ident| {
        let mut path = prefix.to_vec();
        // `a::{self}` is `a`.
        if name != "self" || path.is_empty() {
            path.push(name.to_string());
        }
        path
    };
    match tree {
        UseTree::Path(path) => collect(&path.tree, &with(&path.ident), found),
        UseTree::Group(group) => {
            for item in &group.items {
                collect(item, prefix, found);
            }
        }
        UseTree::Glob(_) => {
            found.push(Leaf {
                path: prefix.to_vec(),
                name: String::new(),
                is_glob: true,
            });
        }
        UseTree::Name(name) => {
            let path = with(&name.ident);
            let name = path.last().cloned().unwrap_or_default();
            found.push(Leaf {
                path,
                name,
                is_glob: false,
            });
        }
        UseTree::Rename(rename) => found.push(Leaf {
            path: with(&rename.ident),
            name: rename.rename.to_string(),
            is_glob: false,
        }),
    }
}
