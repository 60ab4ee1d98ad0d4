//! Parts and offers with nothing in them yet, and the titles of things.

use std::collections::BTreeMap;

use super::super::reading::{Gesture, Thing, hints, is_markdown, label, split, titled};
use super::outline::{Offer, Part, Place, Region};

/// A part without anything in it yet.
pub(super) fn part(source: &str, component: &str, region: Region) -> Part {
    Part {
        source: source.to_owned(),
        component: component.to_owned(),
        region,
        title: None,
        roles: BTreeMap::new(),
        names: BTreeMap::new(),
        bindings: BTreeMap::new(),
        settings: BTreeMap::new(),
        fields: Vec::new(),
        heads: Vec::new(),
    }
}

/// An offer of an action that is about nothing yet.
pub(super) fn offer(gesture: &Gesture<'_>, place: Place) -> Offer {
    Offer {
        action: gesture.name.to_owned(),
        place,
        of: None,
        fixed: BTreeMap::new(),
        initial: BTreeMap::new(),
        chosen: BTreeMap::new(),
        given: gesture.given.clone(),
        edits: None,
        begins: None,
        unless: None,
        is_dangerous: gesture.is_dangerous,
    }
}

impl Part {
    /// Says which member of the data plays a part.
    pub(super) fn role(&mut self, role: &str, field: Option<&str>) {
        if let Some(field) = field {
            self.roles.insert(role.to_owned(), field.to_owned());
        }
    }

    /// Sets something of the component.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.settings.insert(name.to_owned(), value.to_owned());
        }
    }
}

/// The title of a thing, without the word for how it is written.
pub(super) fn title(thing: &Thing<'_>) -> String {
    let hints = hints(thing.schema);
    let words = split(thing.name);
    match (hints.get("title"), words.split_last()) {
        (Some(title), _) => title.to_owned(),
        (None, Some((last, rest)))
            if !rest.is_empty()
                && matches!(last.as_str(), "markdown" | "md")
                && is_markdown(thing.name, thing.schema)
                && thing.schema.get("title").is_none() =>
        {
            label(&rest.join("_"))
        }
        (None, _) => titled(thing.name, thing.schema),
    }
}
