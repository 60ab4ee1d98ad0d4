//! Slots that are the state of a list: which of its records are chosen, searched for, and in which order.

use super::super::reading::{Deed, Kind, Reading, Slot, choices, core, kind, referent, split};
use super::outline::Part;

/// Components whose records are chosen by their own actions, or beside them.
const CHOOSING: &[&str] = &["Poll", "Seats"];
const CHOSEN: &[&str] = &["Board", "Calendar", "Cards", "Table", "Tree"];

/// Lets the component that shows a list write which of its records are chosen; false, if it cannot.
pub(super) fn selects(
    reading: &Reading<'_>,
    slot: &Slot<'_>,
    thing: usize,
    parts: &mut [Part],
    path: &str,
) -> bool {
    let list = &reading.things[thing];
    let takes = |part: &&mut Part| {
        let component = part.component.as_str();
        part.source == list.path && (CHOOSING.contains(&component) || CHOSEN.contains(&component))
    };
    let Some(part) = parts.iter_mut().find(takes) else {
        return false;
    };
    // Another slot says already which of them is chosen.
    if part.bindings.contains_key("value") {
        return false;
    }
    if !CHOOSING.contains(&part.component.as_str()) {
        let known = list.key().and_then(|key| {
            let mut own = list.fields().into_iter();
            own.find(|field| field.name == key)
        });
        let Some(known) = known else {
            return false;
        };
        let is_several = match (kind(slot.schema), kind(known.schema)) {
            (Kind::Text, Kind::Text) | (Kind::Number, Kind::Number) => false,
            (Kind::Strings, Kind::Text) | (Kind::Numbers, Kind::Number) => true,
            _ => return false,
        };
        // Boxes that mark several for an action leave no room for one that is chosen.
        let is_marked = reading.gestures.iter().any(|gesture| {
            gesture.about() == Some(thing) && matches!(gesture.deed, Deed::Several { .. })
        });
        if part.roles.contains_key("cardsField")
            || (matches!(part.component.as_str(), "Calendar" | "Tree") && is_several)
            || (is_marked && !is_several)
            || !names(reading, slot, thing)
        {
            return false;
        }
        part.role("key", Some(known.name));
        part.set("several", is_several.then_some("true"));
    }
    part.bindings.insert("value".to_owned(), path.to_owned());
    true
}

/// Whether a slot is called after the records of a list; or after nothing, where there is one list.
fn names(reading: &Reading<'_>, slot: &Slot<'_>, thing: usize) -> bool {
    const ANY: &[&str] = &[
        "chosen",
        "id",
        "ids",
        "item",
        "items",
        "key",
        "keys",
        "picked",
        "record",
        "records",
        "row",
        "rows",
        "selected",
        "selection",
    ];
    if let Some((found, _)) = referent(slot.name, &reading.things) {
        return found == thing;
    }
    let words = split(slot.name);
    let lists = reading.things.iter().filter(|thing| thing.has_records());
    words.iter().all(|word| ANY.contains(&word.as_str())) && lists.count() == 1
}

/// Lets the one table of a page write what is searched for in it, and what it is sorted by; false, if
/// that is not what a slot holds.
pub(super) fn arranges(
    reading: &Reading<'_>,
    slot: &Slot<'_>,
    parts: &mut [Part],
    path: &str,
) -> bool {
    let mut tables = parts.iter_mut().filter(|part| part.component == "Table");
    let (Some(table), None) = (tables.next(), tables.next()) else {
        return false;
    };
    let words = split(slot.name);
    let says = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
    let is_text = kind(slot.schema) == Kind::Text && core(slot.schema).get("format").is_none();
    if is_text && is_search(slot.name) {
        const FINDING: &[&str] = &["find", "lookup", "query", "search"];
        let finds = |name: &str| {
            split(name)
                .iter()
                .any(|word| FINDING.contains(&word.as_str()))
        };
        // Where the agent searches, what it found is not filtered once more.
        if reading.gestures.iter().any(|gesture| finds(gesture.name)) {
            table.set("searchable", Some("false"));
            return false;
        }
        return bound(table, "search", path);
    }
    let columns = || table.fields.iter().map(|shown| shown.field.as_str());
    let is_column = choices(slot.schema).is_some_and(|all| {
        all.iter().all(|value| {
            let name = value.as_str();
            name.is_some_and(|name| columns().any(|column| column == name))
        })
    });
    is_column
        && says(&["order", "ordered", "sort", "sorted", "sorting"])
        && bound(table, "sort", path)
}

fn bound(table: &mut Part, member: &str, path: &str) -> bool {
    if table.bindings.contains_key(member) {
        return false;
    }
    table.bindings.insert(member.to_owned(), path.to_owned());
    true
}

/// Whether a slot holds what somebody looks for.
pub(super) fn is_search(name: &str) -> bool {
    const SEARCHES: &[&str] = &["filter", "keyword", "keywords", "q", "query", "search"];
    split(name)
        .iter()
        .any(|word| SEARCHES.contains(&word.as_str()))
}
