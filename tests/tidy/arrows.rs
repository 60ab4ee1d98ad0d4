//! Who names whom: layers, outside crates, siblings, façades, and circles of files.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use syn::buffer::Cursor;
use syn::parse::{ParseStream, Parser};
use syn::visit::{self, Visit};

use crate::modules::{BINARY, Modules, Segments, Target, is_test_only, leaves};
use crate::tree::Tree;
use crate::{Finding, Rule};

struct Layer {
    name: &'static str,
    /// The layers whose files it may name, besides its own.
    may_name: &'static [&'static str],
    /// Crates it may not name; a family such as `tower_http` goes with its head.
    may_not_name: &'static [&'static str],
}

const PROTOCOLS: &[&str] = &[
    "axum",
    "http",
    "http_body",
    "http_body_util",
    "hyper",
    "hyper_util",
    "tower",
    "tower_http",
];
const RUNTIMES_AND_PROTOCOLS: &[&str] = &[
    "axum",
    "dashmap",
    "governor",
    "http",
    "http_body",
    "http_body_util",
    "hyper",
    "hyper_util",
    "redis",
    "reqwest",
    "rusqlite",
    "tokio",
    "tokio_tungstenite",
    "tokio_util",
    "tower",
    "tower_http",
];
const PROTOCOLS_AND_STORES: &[&str] = &[
    "axum",
    "http",
    "http_body",
    "http_body_util",
    "hyper",
    "hyper_util",
    "redis",
    "rusqlite",
    "tower",
    "tower_http",
];
const STORES: &[&str] = &["redis", "rusqlite"];

/// What transports may name of the services: where operations enter, and the reader of live
/// sessions.
const ENTRANCES: &[&str] = &["mod", "dispatch", "live"];
/// The ports of stores.
const STORE_PORTS: &[&str] = &["ReplayedAnswers", "SessionLog", "SessionStore"];
/// What gives the errors of all services their codes, and what prepares sessions for the conformance
/// suites, which no release has.
const EXEMPT: &[&str] = &[
    "transports/faults/brain_failures.rs",
    "transports/faults/failures.rs",
    "transports/faults/fields.rs",
    "transports/faults/gate.rs",
    "transports/conformance/",
];

/// A new arrow in this table needs a reason in the commit that draws it.
const LAYERS: &[Layer] = &[
    Layer {
        name: "wire",
        may_name: &[],
        may_not_name: RUNTIMES_AND_PROTOCOLS,
    },
    Layer {
        name: "domain",
        may_name: &["wire"],
        may_not_name: RUNTIMES_AND_PROTOCOLS,
    },
    Layer {
        name: "adapters",
        may_name: &["wire", "domain"],
        may_not_name: PROTOCOLS,
    },
    Layer {
        name: "services",
        may_name: &["wire", "domain"],
        may_not_name: PROTOCOLS_AND_STORES,
    },
    Layer {
        name: "transports",
        may_name: &["wire", "domain", "services"],
        may_not_name: STORES,
    },
    Layer {
        name: "config",
        may_name: &["wire", "domain", "adapters", "services", "transports"],
        may_not_name: STORES,
    },
    Layer {
        name: "app",
        may_name: &[
            "wire",
            "domain",
            "adapters",
            "services",
            "transports",
            "config",
        ],
        may_not_name: STORES,
    },
    // The verbs run the server and all that is beside it, and keep the keys file.
    Layer {
        name: "cli",
        may_name: &[
            "domain",
            "adapters",
            "transports",
            "config",
            "app",
            "demo",
            "gallery",
        ],
        may_not_name: PROTOCOLS_AND_STORES,
    },
    Layer {
        name: "gallery",
        may_name: &["app", "config"],
        may_not_name: STORES,
    },
    // Benches and fuzzing try what judges and what reads; nobody names them.
    Layer {
        name: "probe",
        may_name: &["wire", "domain", "transports"],
        may_not_name: RUNTIMES_AND_PROTOCOLS,
    },
    Layer {
        name: "demo",
        may_name: &["app", "examples"],
        may_not_name: PROTOCOLS_AND_STORES,
    },
    // An example knows an agent's tools and the other files of its own; nothing of the server.
    Layer {
        name: "examples",
        may_name: &["demo"],
        may_not_name: PROTOCOLS_AND_STORES,
    },
];

/// The one service that knows the others.
const DISPATCH: &str = "dispatch";
/// The one service that the others know: the sessions they all work on.
const BOOK: &str = "book";

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

/// A path as it stands in a file.
struct Name {
    at: Segments,
    path: Segments,
    is_glob: bool,
    /// Written with `::` in front.
    is_global: bool,
    /// Stands in a `use`.
    is_import: bool,
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

/// Finds every path of a file: in imports, in code, in attributes, and inside macro calls.
struct Names {
    at: Segments,
    found: Vec<Name>,
}

impl Names {
    fn path(&mut self, path: Segments, is_global: bool) {
        let at = self.at.clone();
        self.found.push(Name {
            at,
            path,
            is_glob: false,
            is_global,
            is_import: false,
        });
    }

    /// Paths that only a macro or an attribute understands are found by their shape.
    fn tokens(&mut self, tokens: &impl ToString) {
        let mut paths = Vec::new();
        let parser =
            |input: ParseStream<'_>| input.step(|cursor| Ok(((), scan(*cursor, &[], &mut paths))));
        // What does not lex again would not have compiled.
        let _ = parser.parse_str(&tokens.to_string());
        for path in paths {
            self.path(path, false);
        }
    }
}

/// Collects `a::b::{c, d::e}` wherever it stands, and answers the end.
fn scan<'c>(mut cursor: Cursor<'c>, prefix: &[String], paths: &mut Vec<Segments>) -> Cursor<'c> {
    while !cursor.eof() {
        if let Some((inside, _, _, next)) = cursor.any_group() {
            scan(inside, &[], paths);
            cursor = next;
        } else if let Some((first, next)) = cursor.ident() {
            let mut path = prefix.to_vec();
            path.push(first.to_string());
            cursor = next;
            while let Some(next) = colons(cursor) {
                cursor = next;
                if let Some((name, next)) = cursor.ident() {
                    path.push(name.to_string());
                    cursor = next;
                } else if let Some((inside, _, _, next)) = cursor.any_group() {
                    scan(inside, &path, paths);
                    cursor = next;
                }
            }
            if path.len() > 1 {
                paths.push(path);
            }
        } else if let Some((literal, next)) = cursor.literal() {
            text_path(&literal.to_string(), paths);
            cursor = next;
        } else if let Some((_, next)) = cursor.token_tree() {
            cursor = next;
        } else {
            break;
        }
    }
    cursor
}

fn colons(cursor: Cursor<'_>) -> Option<Cursor<'_>> {
    let (first, next) = cursor.punct()?;
    let (second, after) = next.punct()?;
    (first.as_char() == ':' && second.as_char() == ':').then_some(after)
}

/// Attributes such as `#[serde(with = "path::to")]` name files in a string.
fn text_path(literal: &str, paths: &mut Vec<Segments>) {
    let Some(text) = literal
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
    else {
        return;
    };
    if let Ok(path) = syn::parse_str::<syn::Path>(text)
        && path.segments.len() > 1
    {
        paths.push(
            path.segments
                .iter()
                .map(|segment| segment.ident.to_string())
                .collect(),
        );
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if let syn::Item::Verbatim(tokens) = item {
            self.tokens(tokens);
        } else if !is_test_only(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        match item {
            syn::ImplItem::Fn(item) if is_test_only(&item.attrs) => {}
            syn::ImplItem::Verbatim(tokens) => self.tokens(tokens),
            _ => visit::visit_impl_item(self, item),
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if item.content.is_some() {
            self.at.push(item.ident.to_string());
            visit::visit_item_mod(self, item);
            self.at.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let is_global = item.leading_colon.is_some();
        for leaf in leaves(&item.tree) {
            let at = self.at.clone();
            let is_glob = leaf.is_glob;
            self.found.push(Name {
                at,
                path: leaf.path,
                is_glob,
                is_global,
                is_import: true,
            });
        }
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        let (at, path) = (self.at.clone(), vec![item.ident.to_string()]);
        let is_global = item.ident != "self";
        let path = if is_global {
            path
        } else {
            vec!["crate".to_owned()]
        };
        self.found.push(Name {
            at,
            path,
            is_glob: false,
            is_global,
            is_import: true,
        });
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        self.path(segments, path.leading_colon.is_some());
        visit::visit_path(self, path);
    }

    /// `pub(crate)` and `pub(in super)` name nobody.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.visit_path(&mac.path);
        self.tokens(&mac.tokens);
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if attribute.path().is_ident("doc") {
            return;
        }
        match &attribute.meta {
            syn::Meta::Path(path) => self.visit_path(path),
            syn::Meta::List(list) => {
                self.visit_path(&list.path);
                self.tokens(&list.tokens);
            }
            syn::Meta::NameValue(pair) => self.visit_expr(&pair.value),
        }
    }

    fn visit_expr(&mut self, expression: &'ast syn::Expr) {
        match expression {
            syn::Expr::Verbatim(tokens) => self.tokens(tokens),
            _ => visit::visit_expr(self, expression),
        }
    }

    fn visit_type(&mut self, ty: &'ast syn::Type) {
        match ty {
            syn::Type::Verbatim(tokens) => self.tokens(tokens),
            _ => visit::visit_type(self, ty),
        }
    }
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    use syn::Item;
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
