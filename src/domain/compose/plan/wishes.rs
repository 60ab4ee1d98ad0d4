//! What somebody else than the rules has decided of a page: it goes before what they would choose.

use std::collections::BTreeMap;

use super::outline::Headline;
use super::shapes::PreferredShape;

/// What is wished for of a page; empty, where everything is left to the rules.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wishes {
    /// The subject of the page.
    pub(crate) headline: Option<Headline>,
    /// The pointer to what the page is about.
    pub(crate) main: Option<String>,
    /// The action that stands out.
    pub(crate) primary: Option<String>,
    /// What lists are shown as, by their pointers.
    shapes: BTreeMap<String, PreferredShape>,
}

impl Wishes {
    /// What a list is wished to be shown as.
    pub(super) fn shape(&self, path: &str) -> Option<PreferredShape> {
        self.shapes.get(path).copied()
    }

    /// The components that a list may be wished to be shown as.
    pub(crate) fn components() -> impl Iterator<Item = &'static str> {
        PreferredShape::names()
    }

    /// Wishes a list to be shown as a component; false, where no list is ever shown as that.
    pub(crate) fn show(&mut self, path: &str, component: &str) -> bool {
        let shape = PreferredShape::named(component);
        self.shapes
            .extend(shape.map(|shape| (path.to_owned(), shape)));
        shape.is_some()
    }
}
