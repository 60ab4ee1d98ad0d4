//! The things of a contract: records, lists of them, matrices, texts, and single facts.

use serde_json::Value;

use super::fields::{
    Field, Kind, abbreviates, columns_of, core, fields, is_id, is_long, is_markdown, is_nullable,
    is_time, items, key, kind,
};
use super::records::{children, ends_with, names_text, naming};
use super::words::{Word, singular, split};

/// Something the props or a channel hold.
#[derive(Clone, Debug)]
pub(crate) struct Thing<'a> {
    /// The pointer to it.
    pub(crate) path: String,
    /// Its name.
    pub(crate) name: &'a str,
    /// Its schema.
    pub(crate) schema: &'a Value,
    /// What it is, in the contract's words.
    pub(crate) description: Option<&'a str>,
    /// What it is.
    pub(crate) sort: Sort,
    /// The list it stands in each record of, with the name it has there.
    pub(crate) within: Option<(usize, &'a str)>,
    /// What one of it is called: `task` of `openTasks`.
    pub(crate) one: Word,
    /// The two others that each of its records says something of.
    pub(crate) pairs: Option<Pairs<'a>>,
    own: Vec<Field<'a>>,
    key: Option<&'a str>,
    children: Option<&'a str>,
    title: Option<&'a str>,
}

/// What a thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A number, a word, a moment: one value.
    Fact,
    /// A text of several lines.
    Text,
    /// Named values.
    Record,
    /// Records.
    Records,
    /// A record with records like it inside.
    Tree,
    /// A value for each pair of two names.
    Matrix,
    /// A value for each of some names.
    Map,
    /// Numbers.
    Numbers,
    /// Texts.
    Texts,
    /// Anything else.
    Open,
}

/// What a list of pairs consists of.
#[derive(Clone, Debug)]
pub(crate) struct Pairs<'a> {
    /// The member that names the row.
    pub(crate) row: Axis<'a>,
    /// The member that names the column.
    pub(crate) column: Axis<'a>,
    /// What is said of both.
    pub(crate) value: Field<'a>,
    /// What else is said of them.
    pub(crate) more: Vec<Field<'a>>,
}

/// A member that is the id of a record of another list, or a number or a letter of its own: a year.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis<'a> {
    /// The member.
    pub(crate) field: Field<'a>,
    /// The other list, and the member of its records that is the id.
    pub(crate) names: Option<(usize, &'a str)>,
}

impl Sort {
    /// Whether it is a list of records.
    pub(crate) fn is_list(self) -> bool {
        self == Sort::Records
    }
}

impl<'a> Thing<'a> {
    /// Reads what a schema describes.
    pub(crate) fn read(
        path: String,
        name: &'a str,
        schema: &'a Value,
        description: Option<&'a str>,
    ) -> Self {
        let sort = sort(name, schema);
        let own = match sort {
            Sort::Records => columns_of(schema),
            _ => fields(schema),
        };
        let one = split(name)
            .pop()
            .map(|word| singular(&word))
            .unwrap_or_default();
        let named = own.iter().find(|field| {
            let words = split(field.name);
            let is_own = is_id(field.name)
                || words
                    .last()
                    .is_some_and(|word| matches!(word.as_str(), "code" | "key"));
            words.len() == 2 && words[0] == one && is_own
        });
        let others = own.get(1..).unwrap_or_default();
        // `bid` of bookings, `req` of requests with a text; the `plantCode` of whatever has a name.
        let is_short = |first: &&Field<'a>| {
            let is_said = kind(first.schema) == Kind::Text && !is_nullable(first.schema);
            let is_called = naming(others).is_some() || is_id(first.name);
            let is_coded = || {
                let words = split(first.name);
                let is_name = |field: &Field<'a>| split(field.name)[..] == ["name"];
                matches!(words.as_slice(), [_, code] if code == "code")
                    && others.iter().any(is_name)
            };
            is_said
                && !others.is_empty()
                && sort == Sort::Records
                && ((is_called && abbreviates(first.name, &one)) || is_coded())
        };
        let short = own.first().filter(is_short);
        let title = naming(if short.is_some() { others } else { &own });
        let called = own.iter().find(|field| {
            split(field.name)[..] == [one.as_str()]
                && title.is_some_and(|title| title != field.name)
                && kind(field.schema) == Kind::Text
                && core(field.schema).get("format").is_none()
        });
        // `member` of members that have a `displayName` beside it is an id; the `watch` of watches with a
        // ticket is what they are called.
        let is_name = title.is_some_and(|title| names_text(title, &["label", "name", "title"]));
        let title = called
            .filter(|_| !is_name)
            .map_or(title, |field| Some(field.name));
        let called = called.filter(|_| is_name);
        // What may be missing tells nothing apart: the candidate at a desk.
        let always: Vec<Field<'a>> = own
            .iter()
            .filter(|field| !is_nullable(field.schema))
            .copied()
            .collect();
        let key = named
            .or(called)
            .or(short)
            .map(|field| field.name)
            .or_else(|| key(&always));
        let children = children(match sort {
            Sort::Tree => schema,
            _ => items(schema),
        });
        Self {
            path,
            name,
            schema,
            description,
            sort,
            within: None,
            one,
            pairs: None,
            own,
            key,
            title,
            children,
        }
    }

    /// The same, as it stands in each record of a list.
    pub(crate) fn inside(self, list: usize, name: &'a str) -> Self {
        Self {
            within: Some((list, name)),
            ..self
        }
    }

    /// The same list, as a value for each pair of two others.
    pub(super) fn paired(&mut self, pairs: Pairs<'a>) {
        self.sort = Sort::Matrix;
        self.key = None;
        self.pairs = Some(pairs);
    }

    /// Names its records by another member than the one that is the id of a record elsewhere.
    pub(super) fn without_title(&mut self, id: &str) {
        let rest: Vec<Field<'a>> = self
            .own
            .iter()
            .filter(|field| field.name != id)
            .copied()
            .collect();
        self.title = naming(&rest);
    }

    /// Says which member tells its records apart, if one does.
    pub(super) fn known_by(&mut self, key: Option<&'a str>) {
        self.key = key;
    }

    /// Whether it is a prop, and stands in nothing else.
    pub(crate) fn is_top(&self) -> bool {
        self.within.is_none() && self.path.matches('/').count() == 2
    }

    /// Whether each of its records has a moment.
    pub(crate) fn is_dated(&self) -> bool {
        self.own.iter().any(is_time)
    }

    /// The values of one of its records.
    pub(crate) fn fields(&self) -> Vec<Field<'a>> {
        self.own.clone()
    }

    /// Whether it consists of records that something can be done with.
    pub(crate) fn has_records(&self) -> bool {
        matches!(self.sort, Sort::Records | Sort::Tree)
    }

    /// What the records of a map are called by, where their ids are the keys of the map.
    pub(crate) fn title_in_map(&self) -> Option<&'a str> {
        let record = values(self.schema).filter(|inner| kind(inner) == Kind::Record)?;
        naming(&fields(record))
    }

    /// Whether its records only say how many there are of another record.
    pub(crate) fn is_count(&self) -> bool {
        self.sort == Sort::Records && is_count(&self.own)
    }

    /// The member of every record that holds records like it, where they stand as a tree.
    pub(crate) fn children(&self) -> Option<&'a str> {
        self.children
    }

    /// The member that tells its records apart.
    pub(crate) fn key(&self) -> Option<&'a str> {
        self.key
    }

    /// The member that names its records for people.
    pub(crate) fn title(&self) -> Option<&'a str> {
        self.title
    }
}

/// Whether values are the id of another record and how many of it there are: `{sku, qty}`.
pub(crate) fn is_count(own: &[Field<'_>]) -> bool {
    const AMOUNTS: &[&str] = &["amount", "count", "pieces", "qty", "quantity", "units"];
    let has_amount = own
        .iter()
        .any(|field| kind(field.schema) == Kind::Number && ends_with(field, AMOUNTS));
    own.len() == 2 && has_amount && own.iter().any(|field| kind(field.schema) == Kind::Text)
}

fn sort(name: &str, schema: &Value) -> Sort {
    match kind(schema) {
        Kind::Records => Sort::Records,
        Kind::Record if children(schema).is_some() && naming(&fields(schema)).is_some() => {
            Sort::Tree
        }
        Kind::Record => Sort::Record,
        Kind::Numbers => Sort::Numbers,
        Kind::Strings => Sort::Texts,
        Kind::Text if is_markdown(name, schema) || is_long(name, core(schema)) => Sort::Text,
        Kind::Boolean | Kind::Choice | Kind::Number | Kind::Text => Sort::Fact,
        Kind::Open => match values(schema) {
            Some(inner) if values(inner).is_some_and(is_scalar) => Sort::Matrix,
            Some(inner) if is_scalar(inner) => Sort::Map,
            // Rows of values, whose names stand in lists of their own.
            None if rows_of(schema).is_some_and(is_scalar) => Sort::Matrix,
            _ => Sort::Open,
        },
    }
}

/// The schema of what an open map holds under each name.
pub(crate) fn values(schema: &Value) -> Option<&Value> {
    let bare = core(schema);
    let named = bare.get("properties").and_then(Value::as_object);
    let is_only = named.is_none_or(serde_json::Map::is_empty);
    bare.get("additionalProperties")
        .filter(|open| open.is_object() && is_only)
}

/// The schema of what the rows of an array of arrays hold.
pub(crate) fn rows_of(schema: &Value) -> Option<&Value> {
    let is_list = |schema: &Value| core(schema).get("items").is_some_and(Value::is_object);
    let row = items(schema);
    (is_list(schema) && is_list(row)).then(|| items(row))
}

/// The schema of the cells of a map of maps, or of rows of values.
pub(crate) fn cells_of(schema: &Value) -> Option<&Value> {
    values(schema).and_then(values).or_else(|| rows_of(schema))
}

fn is_scalar(schema: &Value) -> bool {
    matches!(
        kind(schema),
        Kind::Boolean | Kind::Choice | Kind::Number | Kind::Text
    )
}
