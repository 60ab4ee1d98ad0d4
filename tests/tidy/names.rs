//! Every path that a file names: in imports, in code, in attributes, and inside macro calls.

use syn::buffer::Cursor;
use syn::parse::{ParseStream, Parser};
use syn::visit::{self, Visit};

use crate::modules::{Segments, is_test_only, leaves};

/// A path as it stands in a file.
pub(crate) struct Name {
    pub(crate) at: Segments,
    pub(crate) path: Segments,
    pub(crate) is_glob: bool,
    /// Written with `::` in front.
    pub(crate) is_global: bool,
    /// Stands in a `use`.
    pub(crate) is_import: bool,
}

/// Finds every path of a file: in imports, in code, in attributes, and inside macro calls.
pub(crate) struct Names {
    pub(crate) at: Segments,
    pub(crate) found: Vec<Name>,
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
