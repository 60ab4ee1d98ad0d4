//! The pictures records may be shown as, and those an intent may ask for.

use super::super::fields::Field;
use super::super::words::split;

/// What records are shown as.
#[derive(Clone, Debug)]
pub(in super::super) enum Shape<'a> {
    /// Columns by state.
    Board { title: &'a str, group: &'a str },
    /// Days of a month.
    Calendar {
        title: &'a str,
        start: &'a str,
        end: Option<&'a str>,
    },
    /// Tiles.
    Cards {
        title: &'a str,
        image: Option<&'a str>,
    },
    /// Numbers over `x`.
    Chart {
        kind: &'static str,
        x: &'a str,
        series: Vec<Field<'a>>,
    },
    /// Steps of something.
    Stepper {
        label: &'a str,
        status: &'a str,
        time: Option<&'a str>,
    },
    /// Rows and columns.
    Table,
    /// Moments below each other.
    Timeline {
        time: Field<'a>,
        title: Option<&'a str>,
        text: Option<&'a str>,
    },
    /// Records inside records.
    Tree { title: &'a str, children: &'a str },
}

/// What the words of an intent ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Wish {
    Board,
    Calendar,
    Cards,
    Table,
    Timeline,
}

/// The picture an intent names, if it names one.
pub(in super::super) fn wish(intent: &str) -> Option<Wish> {
    split(intent).iter().find_map(|word| {
        Some(match word.as_str() {
            "board" | "kanban" => Wish::Board,
            "calendar" => Wish::Calendar,
            "cards" | "tiles" => Wish::Cards,
            "table" | "spreadsheet" => Wish::Table,
            "timeline" => Wish::Timeline,
            _ => return None,
        })
    })
}
