//! The values of a record in order, each with its format, what is inside it, and what its id stands for.

use super::super::reading::{
    Field, Kind, Reading, Sort, Thing, amount, any_of, branches, columns_of, core, counts_minor,
    ends, fields, filled, format, hints, is_checksum, is_count, is_currency, is_id, is_key,
    is_minor, is_money, is_price, is_reference, is_technical_id, join, keyed, kind, label, meaning,
    measured, named_currency, named_record, naming, placed, referent, singular, somebody, split,
    structure,
};
use super::called::reference_label;
use super::outline::{Lookup, Reference, Shown, is_code};

/// How deep values inside values are told apart, as in the catalog; what is deeper is shown by its
/// own shape.
const DEPTH_MAX: usize = 2;

/// Makes values of records.
pub(super) struct Columns<'a, 'r> {
    reading: &'r Reading<'a>,
    /// Where the currency of amounts stands: a pointer, or a member of the record.
    currency: Option<String>,
    /// The record of another list whose currency it is.
    currency_of: Option<Lookup>,
    /// Whether the record around these has one.
    is_within: bool,
    /// Whether an amount beside these says that it counts cents: whole numbers that do not say so
    /// count something else.
    has_minor: bool,
}

impl<'a, 'r> Columns<'a, 'r> {
    /// For the records with these values.
    pub(super) fn of(reading: &'r Reading<'a>, all: &[Field<'a>]) -> Self {
        let own = all
            .iter()
            .find(|field| is_currency(field))
            .map(|field| field.name.to_owned());
        let currency_of = own.is_none().then(|| priced(reading, all)).flatten();
        let page = currency_of.is_none().then(|| reading.currency.clone());
        Self {
            reading,
            currency: own.or(page.flatten()),
            currency_of,
            is_within: false,
            has_minor: all
                .iter()
                .any(|field| counts_minor(field.name, field.schema)),
        }
    }

    /// Whether anything says in which currency amounts are.
    fn has_currency(&self) -> bool {
        self.currency.is_some() || self.currency_of.is_some() || self.is_within
    }

    /// All values but some, and but ids that tell a person nothing.
    pub(super) fn without(&self, all: &[Field<'a>], taken: &[&str]) -> Vec<Shown> {
        let has_words = all.iter().any(|field| !is_technical_id(field.name));
        let read = |field| (field, self.shown(field, 0), self.refers(field, all));
        let mut columns: Vec<(&Field<'a>, Shown, Option<Reference>)> =
            all.iter().map(read).collect();
        let is_amount = |shown: &Shown| matches!(shown.format.as_str(), "money" | "currency");
        let has_amounts = columns.iter().any(|(_, shown, _)| is_amount(shown));
        columns.retain(|(field, _, refers)| {
            let is_said = is_currency(field) && has_amounts;
            !taken.contains(&field.name)
                && !is_said
                && !hints(field.schema).says("hidden")
                && (refers.is_some() || !has_words || !is_technical_id(field.name))
                && (!has_words || !is_checksum(field.name))
                && !is_own_key(self.reading, field, all)
        });
        columns.sort_by_key(|(field, ..)| placed(field.schema));
        columns
            .into_iter()
            .map(|(field, mut shown, refers)| {
                if let Some(reference) = refers {
                    shown.format = "reference".to_owned();
                    // A `sku` of plants is a plant; who owns something is its owner.
                    let of = reference.rows.rsplit('/').next().unwrap_or_default();
                    shown.label = if reference.key == field.name && split(field.name).len() == 1 {
                        label(&singular(of))
                    } else {
                        reference_label(field.name, field)
                    };
                    shown.refers = Some(reference);
                }
                shown
            })
            .collect()
    }

    /// The same of one record that stands at a pointer: each value has its own.
    pub(super) fn of_record(&self, at: &str, all: &[Field<'a>], taken: &[&str]) -> Vec<Shown> {
        let mut values = self.without(all, taken);
        for shown in &mut values {
            if let Some(currency) = shown
                .currency
                .as_mut()
                .filter(|path| !path.starts_with('/') && !is_code(path))
            {
                *currency = join(at, currency);
            }
            if let Some(lookup) = &mut shown.currency_of {
                lookup.id = join(at, &lookup.id);
            }
            shown.field = join(at, &shown.field);
        }
        values
    }

    /// One value.
    pub(super) fn shown(&self, field: &Field<'a>, depth: usize) -> Shown {
        let counts_else =
            self.has_minor && is_whole(field.schema) && !counts_minor(field.name, field.schema);
        let read = meaning(
            field.name,
            field.schema,
            self.has_currency() && !counts_else,
        );
        let is_money = matches!(read.format.as_str(), "money" | "currency");
        let mut shown = Shown {
            field: field.name.to_owned(),
            label: read.label,
            format: read.format,
            unit: read.unit,
            currency: self.currency.clone().filter(|_| is_money),
            currency_of: self.currency_of.clone().filter(|_| is_money),
            ..Shown::default()
        };
        if let Some(code) = named_currency(field.name).filter(|_| is_money) {
            shown.currency = Some(code.to_owned());
            shown.currency_of = None;
        }
        let inner = match kind(field.schema) {
            Kind::Record => fields(field.schema),
            Kind::Records => columns_of(field.schema),
            // A record of one of several shapes has the values of whichever it is.
            Kind::Open => any_of(field.schema),
            _ => Vec::new(),
        };
        // What is a text or a number in one record may be an amount with its currency in another one.
        let mut records = branches(field.schema).filter(|own| kind(own) == Kind::Record);
        if let (true, Some(only), None) = (inner.is_empty(), records.next(), records.next()) {
            let only = Field {
                name: field.name,
                schema: only,
            };
            shown.parts = self.shown(&only, depth).parts;
        }
        if !inner.is_empty() && depth < DEPTH_MAX {
            shown.parts = self.inside(field, &inner, depth);
            // What is inside has the currency of the record around it.
            let has_amounts = shown.parts.iter().any(|part| {
                matches!(part.format.as_str(), "money" | "currency") && part.currency.is_none()
            });
            if has_amounts {
                shown.currency.clone_from(&self.currency);
                shown.currency_of.clone_from(&self.currency_of);
            }
        }
        shown
    }

    /// What stands inside a value.
    fn inside(&self, field: &Field<'a>, inner: &[Field<'a>], depth: usize) -> Vec<Shown> {
        let nested = Columns::of(self.reading, inner);
        // A currency of the record around is no member of the record within: there it is given on.
        let nested = match inner.iter().any(is_currency) {
            true => nested,
            false => Columns {
                currency: self.currency.clone().filter(|path| path.starts_with('/')),
                currency_of: None,
                is_within: self.has_currency(),
                ..nested
            },
        };
        let found = (kind(field.schema) == Kind::Record)
            .then(|| structure(field.schema))
            .flatten();
        let picked: Vec<Field<'a>> = match found {
            Some("amount" | "measure") => amount(inner).into_iter().collect(),
            Some("range") => match ends(inner) {
                Some((low, high)) => vec![low, high],
                None => filled(inner).map_or_else(|| inner.to_vec(), |(part, all)| vec![part, all]),
            },
            Some("place") => Vec::new(),
            _ => {
                let first = naming(inner);
                let named = inner.iter().filter(|own| Some(own.name) == first);
                let has_amounts = inner.iter().any(is_currency) && inner.len() > 1;
                // The colour of one record marks it elsewhere; colours in a list are what it shows.
                let is_mark = |own: &Field<'_>| {
                    kind(field.schema) == Kind::Record
                        && format(own.name, own.schema, false) == "colour"
                };
                // What tells the shapes of records apart is a word of a program.
                let is_shape = |own: &Field<'_>| own.schema.get("const").is_some();
                let rest = inner.iter().filter(|own| {
                    Some(own.name) != first
                        && (!is_technical_id(own.name) || self.refers(own, inner).is_some())
                        && !(is_shape(own) && inner.len() > 1)
                        && !(has_amounts && is_currency(own))
                });
                let rest = rest.filter(|own| !is_mark(own));
                named.chain(rest).copied().collect()
            }
        };
        let mut parts: Vec<Shown> = picked
            .iter()
            .map(|own| nested.shown(own, depth + 1))
            .collect();
        // What is counted is no money, whatever else on the page is.
        if found == Some("range") && filled(inner).is_some() {
            for part in parts.iter_mut().filter(|part| part.format == "currency") {
                part.format = "integer".to_owned();
                part.currency = None;
            }
        }
        // `{amount, currency}` with a whole number counts the smallest unit, as payment interfaces do.
        let is_small =
            |own: Field<'_>| matches!(own.name, "amount" | "value") && is_whole(own.schema);
        let has_small = found == Some("amount") && amount(inner).is_some_and(is_small);
        let priced = if is_minor(field.name) || has_small {
            "money"
        } else {
            "currency"
        };
        // What a record is called holds for all of it: `priceCents: {monthly, yearly}`, `sizeCm`.
        if found.is_none() && kind(field.schema) == Kind::Record {
            let is_priced = is_minor(field.name) || is_price(field.name);
            let measure = measured(field.name).map(|(_, unit)| unit.to_owned());
            let counts = ["count", "qty", "quantity"];
            for part in parts.iter_mut().filter(|part| {
                is_plain_number(&part.format)
                    && part.unit.is_none()
                    && !counts.contains(&part.field.as_str())
            }) {
                if is_priced && nested.has_currency() {
                    part.format = priced.to_owned();
                    part.currency.clone_from(&nested.currency);
                } else {
                    part.unit.clone_from(&measure);
                }
            }
        }
        if found == Some("range")
            && nested.has_currency()
            && (inner.iter().any(is_currency) || is_minor(field.name) || is_money(field.name))
        {
            for end in parts.iter_mut().filter(|end| is_plain_number(&end.format)) {
                end.format = priced.to_owned();
                end.currency.clone_from(&nested.currency);
            }
        }
        if found == Some("amount")
            && let [only] = parts.as_mut_slice()
            && only.format != "money"
        {
            only.format = priced.to_owned();
            only.currency.clone_from(&nested.currency);
        }
        for (part, own) in parts.iter_mut().zip(&picked) {
            if let Some(reference) = self.refers(own, inner) {
                part.format = "reference".to_owned();
                part.refers = Some(reference);
            }
        }
        parts
    }

    /// What is counted by records that hold its id and numbers: `{sku, qty}` of plants.
    fn counted(&self, field: &Field<'a>, all: &[Field<'a>]) -> Option<Reference> {
        if kind(field.schema) != Kind::Text || !is_count(all) {
            return None;
        }
        let things = &self.reading.things;
        let at = things.iter().position(|thing| {
            thing.sort == Sort::Records
                && thing.within.is_none()
                && thing.key() == Some(field.name)
                && !thing.is_count()
        })?;
        reference(things, at, field.name)
    }

    /// The records whose title stands for an id.
    fn refers(&self, field: &Field<'a>, all: &[Field<'a>]) -> Option<Reference> {
        // `from` may be somebody, but not where it is a date.
        let is_one = matches!(
            kind(field.schema),
            Kind::Text | Kind::Number | Kind::Strings
        ) && core(field.schema).get("format").is_none();
        if let Some(counted) = self.counted(field, all) {
            return Some(counted);
        }
        if !is_one {
            return None;
        }
        let things = &self.reading.things;
        let named = named_record(field.name, things);
        let is_other = || !is_reference(field.name);
        let (at, key) = named
            .or_else(|| keyed(field.name, things))
            .or_else(|| somebody(field.name, things).filter(|_| is_other()))?;
        let thing = &self.reading.things[at];
        // `registeredVoters: 1284` counts them.
        let is_number = |field: &Field<'_>| kind(field.schema) == Kind::Number;
        let own = thing.fields();
        let mut keys = own.iter().filter(|own| own.name == key);
        if is_number(field) && !keys.any(is_number) {
            return None;
        }
        (!is_key_of(thing, field, all))
            .then(|| reference(&self.reading.things, at, key))
            .flatten()
    }
}

/// Whether a field is a key that only tells records with a name of their own apart.
fn is_own_key(reading: &Reading<'_>, field: &Field<'_>, all: &[Field<'_>]) -> bool {
    let is_known = |thing: &Thing<'_>| {
        is_key_of(thing, field, all) && thing.title().is_some_and(|title| title != field.name)
    };
    // Issues and tickets are spoken of by their keys.
    const SPOKEN: &[&str] = &["bug", "issue", "story", "task", "ticket"];
    let mut things = reading.things.iter().filter(|thing| is_known(thing));
    things.any(|thing| {
        let is_word = matches!(field.name, "key" | "slug") && !SPOKEN.contains(&thing.one.as_str());
        is_key(field.name) || is_word || field.name == thing.one || field.name.len() == 1
    })
}

/// Whether a field of these records is the key of a thing, and they are its own.
fn is_key_of(thing: &Thing<'_>, field: &Field<'_>, all: &[Field<'_>]) -> bool {
    let own = thing.fields();
    let mut pairs = own.iter().zip(all);
    thing.key() == Some(field.name)
        && own.len() == all.len()
        && pairs.all(|(own, other)| own.name == other.name)
}

/// Whether only whole numbers fit.
fn is_whole(schema: &serde_json::Value) -> bool {
    core(schema).get("type") == Some(&serde_json::json!("integer"))
}

/// Whether a format is a plain number.
fn is_plain_number(format: &str) -> bool {
    matches!(format, "integer" | "number")
}

/// The record that an id among these values names, if that has a currency.
fn priced(reading: &Reading<'_>, all: &[Field<'_>]) -> Option<Lookup> {
    let ids = all.iter().filter(|field| is_id(field.name));
    ids.into_iter().find_map(|id| {
        let (at, key) = referent(id.name, &reading.things)?;
        let own = reading.things[at].fields();
        let currency = own.iter().find(|field| is_currency(field))?;
        let refers = Reference {
            title: currency.name.to_owned(),
            ..reference(&reading.things, at, key)?
        };
        Some(Lookup {
            id: id.name.to_owned(),
            refers,
        })
    })
}

/// Records of the page with the member that is their id and the one that names them.
pub(super) fn reference(things: &[Thing<'_>], at: usize, key: &str) -> Option<Reference> {
    let thing = &things[at];
    let in_map = thing.title_in_map();
    let title = thing.title().or(in_map).unwrap_or(key).to_owned();
    let (rows, within) = match thing.within {
        Some((outer, member)) => (things[outer].path.clone(), Some(member.to_owned())),
        None => (thing.path.clone(), None),
    };
    let children = thing.children().map(str::to_owned);
    // One outermost record is a list to choose from only with what is inside it.
    let is_list = thing.sort.is_list()
        || (thing.sort == Sort::Tree && children.is_some())
        || in_map.is_some();
    is_list.then(|| Reference {
        rows,
        within,
        children,
        key: key.to_owned(),
        title,
    })
}
