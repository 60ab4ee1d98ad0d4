//! A value for each pair: what its rows and columns are called; and lists of which a page shows no more than names.

use super::super::reading::{
    Axis, Deed, Field, Kind, Reading, SlotUse, Sort, Thing, cells_of, is_id, is_technical_id, kind,
    referent, rows_of, sets_cell, singular,
};
use super::blank::{part, title};
use super::columns::{Columns, reference};
use super::outline::{Part, Reference, Region, Shown};
use super::shapes::{Shape, is_ordered, is_vote};

/// The part of a map of maps, or of a list of pairs: its values are the row, the column, the cell
/// and what else stands in it.
pub(super) fn matrix<'a>(reading: &Reading<'a>, thing: &Thing<'a>) -> Part {
    let mut whole = part(&thing.path, "Matrix", Region::Main);
    whole.title = Some(title(thing));
    let [rows, columns] = names(reading, thing).map(|refers| Shown {
        refers,
        ..Shown::default()
    });
    let mut cells = vec![Shown::default()];
    if let Some(pairs) = &thing.pairs {
        whole.role("rowField", Some(pairs.row.field.name));
        whole.role("columnField", Some(pairs.column.field.name));
        whole.role("valueField", Some(pairs.value.name));
        let columns = Columns::of(reading, &pairs.more);
        cells = vec![columns.shown(&pairs.value, 0)];
        cells.extend(columns.without(&pairs.more, &[]));
    } else if let Some(schema) = cells_of(thing.schema)
        && kind(schema) == Kind::Number
    {
        let cell = Field {
            name: thing.name,
            schema,
        };
        cells = vec![Columns::of(reading, &[cell]).shown(&cell, 0)];
    }
    whole.fields = vec![rows, columns];
    whole.fields.append(&mut cells);
    whole
}

/// A number for each pair as lines, where the rows or the columns of the pairs come one after the other.
pub(super) fn lines<'a>(reading: &Reading<'a>, thing: &Thing<'a>) -> Option<Shape<'a>> {
    let pairs = thing.pairs.as_ref()?;
    let is_dated = |axis: &Axis<'_>| {
        let is_named = |(at, _): (usize, _)| reading.things[at].is_dated();
        is_ordered(&axis.field) || axis.names.is_some_and(is_named)
    };
    let (x, by) = match (is_dated(&pairs.column), is_dated(&pairs.row)) {
        (true, _) => (&pairs.column, &pairs.row),
        (_, true) => (&pairs.row, &pairs.column),
        _ => return None,
    };
    (kind(pairs.value.schema) == Kind::Number).then(|| Shape::Chart {
        kind: "line",
        x: x.field.name,
        series: vec![pairs.value],
        by: Some(by.field.name),
    })
}

/// The records whose titles stand for the names of rows and of columns, as far as that is known.
fn names(reading: &Reading<'_>, thing: &Thing<'_>) -> [Option<Reference>; 2] {
    let named = |at: usize, key: &str| reference(&reading.things, at, key);
    if let Some(pairs) = &thing.pairs {
        return [&pairs.row, &pairs.column].map(|axis| {
            let (at, key) = axis.names?;
            named(at, key)
        });
    }
    if rows_of(thing.schema).is_some() {
        return axes(reading, thing).map(|axis| {
            let at = axis?;
            let other = &reading.things[at];
            if names_itself(other) {
                return Some(Reference {
                    rows: other.path.clone(),
                    within: None,
                    children: None,
                    key: String::new(),
                    title: String::new(),
                });
            }
            let key = other.key().or(other.title());
            named(at, key.or_else(|| own_number(other))?)
        });
    }
    // Whoever sets a cell chooses its row and its column among records of the page.
    let setting = reading.gestures.iter().find_map(|gesture| {
        let [row, column, _] = sets_cell(gesture.schema, thing)?;
        Some((gesture, [row, column]))
    });
    setting.map_or([None, None], |(gesture, names)| {
        names.map(|name| {
            let (at, key) = gesture.chosen.get(name)?;
            named(*at, key)
        })
    })
}

/// The lists before rows of values, which name them in their order: two for the rows and for what stands
/// in each, or one for both.
fn axes(reading: &Reading<'_>, thing: &Thing<'_>) -> [Option<usize>; 2] {
    let before = |names: &dyn Fn(&Thing<'_>) -> bool| -> Vec<usize> {
        let all = reading.things.iter().enumerate();
        all.take_while(|(_, other)| other.path != thing.path)
            .filter(|(_, other)| other.is_top() && names(other))
            .map(|(at, _)| at)
            .collect()
    };
    let has_names = |other: &Thing<'_>| {
        other.sort == Sort::Records && (other.title().is_some() || own_number(other).is_some())
    };
    let records = before(&has_names);
    // Plain texts may be anything; where two lists of records name both, they do not.
    let lists = if records.len() < 2 {
        before(&|other| has_names(other) || names_itself(other))
    } else {
        records
    };
    match lists.as_slice() {
        [.., rows, columns] => [Some(*rows), Some(*columns)],
        [only] => [Some(*only), Some(*only)],
        [] => [None, None],
    }
}

/// Whether the values of a list are names themselves: plain texts and numbers.
fn names_itself(thing: &Thing<'_>) -> bool {
    matches!(thing.sort, Sort::Numbers | Sort::Texts)
}

/// The member that is called as each record of the list is: `hour` of `hours`.
fn own_number<'a>(thing: &Thing<'a>) -> Option<&'a str> {
    let own = thing.fields();
    let found = own.iter().find(|field| field.name == thing.one);
    found.map(|field| field.name)
}

/// Whether plain texts or numbers are the names of rows or columns.
pub(super) fn is_axis(reading: &Reading<'_>, at: usize) -> bool {
    let mut grids = reading
        .things
        .iter()
        .filter(|thing| thing.sort == Sort::Matrix && rows_of(thing.schema).is_some());
    names_itself(&reading.things[at]) && grids.any(|grid| axes(reading, grid).contains(&Some(at)))
}

/// Whether a list only names what is shown or chosen by name elsewhere: the rows of a matrix, the
/// records that ids stand for.
pub(super) fn is_legend(reading: &Reading<'_>, at: usize) -> bool {
    let thing = &reading.things[at];
    let names = thing.fields().into_iter().all(|field| {
        Some(field.name) == thing.title()
            || Some(field.name) == thing.key()
            || is_technical_id(field.name)
    });
    let refers = |name: &str| {
        is_id(&singular(name))
            && referent(name, &reading.things).is_some_and(|(found, _)| found == at)
    };
    let is_named = || {
        reading.things.iter().enumerate().any(|(other, thing)| {
            other != at && thing.fields().iter().any(|field| refers(field.name))
        })
    };
    let is_chosen = reading
        .gestures
        .iter()
        .any(|gesture| gesture.chosen.values().any(|(thing, _)| *thing == at));
    // What is voted for, or marked for the agent to see, is chosen where it stands.
    let is_marked = reading.gestures.iter().any(|gesture| is_vote(gesture.name))
        || reading
            .slots
            .iter()
            .any(|slot| slot.is == SlotUse::Selection { thing: at });
    let is_touched = reading
        .gestures
        .iter()
        .any(|gesture| gesture.about() == Some(at) && !matches!(gesture.deed, Deed::Edit { .. }));
    let is_live = reading.channels.iter().any(|channel| {
        channel.adds_to == Some(at) || channel.changes.is_some_and(|change| change.thing == at)
    });
    thing.sort == Sort::Records
        && names
        && !is_marked
        && !is_touched
        && !is_live
        && (is_chosen || is_named())
}
