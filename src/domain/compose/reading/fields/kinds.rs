//! What a schema describes, as far as drawing goes.

use serde_json::Value;

/// One named value of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// Its schema.
    pub(crate) schema: &'a Value,
}

/// What a schema describes, as far as drawing goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `true` or `false`.
    Boolean,
    /// One of a few words or numbers.
    Choice,
    /// A number.
    Number,
    /// Numbers in a row.
    Numbers,
    /// Nothing that has a component of its own.
    Open,
    /// A record with named values.
    Record,
    /// Records in a row.
    Records,
    /// Texts in a row.
    Strings,
    /// A text.
    Text,
}

/// The schema without its permission to be null.
pub(crate) fn core(schema: &Value) -> &Value {
    // What stands beside a union counts, too: only a bare one is another way to say null.
    if schema.get("type").is_some() || schema.get("properties").is_some() {
        return schema;
    }
    for union in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = schema.get(union) {
            let is_null = |branch: &&Value| branch.get("type").is_some_and(|name| name == "null");
            let mut real = branches.iter().filter(|branch| !is_null(branch));
            if let (Some(only), None) = (real.next(), real.next()) {
                return only;
            }
        }
    }
    schema
}

/// Whether null is a value.
pub(crate) fn is_nullable(schema: &Value) -> bool {
    let names_null = match schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(|name| name == "null"),
        _ => false,
    };
    let lists_null = schema
        .get("enum")
        .and_then(Value::as_array)
        .is_some_and(|all| all.contains(&Value::Null));
    names_null
        || lists_null
        || schema.get("nullable") == Some(&Value::Bool(true))
        || !std::ptr::eq(core(schema), schema)
}

/// The one type of a schema beside null.
pub(super) fn type_of(schema: &Value) -> Option<&str> {
    let schema = core(schema);
    match schema.get("type") {
        Some(Value::String(one)) => Some(one),
        Some(Value::Array(many)) => {
            let mut real = many
                .iter()
                .filter_map(Value::as_str)
                .filter(|name| *name != "null");
            real.next().filter(|_| real.next().is_none())
        }
        _ if schema.get("properties").is_some() => Some("object"),
        // What is always the same word is a word: `{"const": "account"}`.
        _ if schema.get("const").is_some_and(Value::is_string) => Some("string"),
        _ if chosen(schema).is_some_and(|mut all| all.all(Value::is_string)) => Some("string"),
        _ => None,
    }
}

/// What `schema` describes.
pub(crate) fn kind(schema: &Value) -> Kind {
    let bare = core(schema);
    if chosen(bare).is_some() {
        return Kind::Choice;
    }
    match type_of(bare) {
        Some("boolean") => Kind::Boolean,
        Some("number" | "integer") => Kind::Number,
        Some("string") => Kind::Text,
        Some("object") if is_plain_record(bare) => Kind::Record,
        Some("array") => match bare
            .get("items")
            .map(|items| (kind(items), is_nullable(items)))
        {
            Some((Kind::Record, false)) => Kind::Records,
            Some((Kind::Open, false)) if !shapes(items(bare)).is_empty() => Kind::Records,
            Some((Kind::Number, _)) => Kind::Numbers,
            Some((Kind::Text | Kind::Choice, _))
                if bare.get("items").and_then(type_of) == Some("string") =>
            {
                Kind::Strings
            }
            _ => Kind::Open,
        },
        _ => Kind::Open,
    }
}

/// An object whose members are all named; open maps and unions have no fixed picture.
fn is_plain_record(schema: &Value) -> bool {
    let named = schema.get("properties").and_then(Value::as_object);
    named.is_some_and(|properties| !properties.is_empty())
        && !matches!(
            schema.get("additionalProperties"),
            Some(Value::Bool(true) | Value::Object(_))
        )
        && ["anyOf", "oneOf", "allOf", "if", "patternProperties"]
            .iter()
            .all(|union| schema.get(union).is_none())
}

/// The values a choice is made from; `None` if any value will do.
pub(crate) fn choices(schema: &Value) -> Option<Vec<&Value>> {
    chosen(core(schema)).map(Iterator::collect)
}

/// The values one of which is chosen, of a schema without its permission to be null.
fn chosen(bare: &Value) -> Option<impl Iterator<Item = &Value>> {
    let all = bare.get("enum")?.as_array()?;
    let are_scalars = all
        .iter()
        .all(|value| !value.is_object() && !value.is_array());
    let mut scalars = all.iter().filter(|value| !value.is_null()).peekable();
    (are_scalars && scalars.peek().is_some()).then_some(scalars)
}

/// The schema of the items of a list.
pub(crate) fn items(schema: &Value) -> &Value {
    core(schema).get("items").unwrap_or(&Value::Null)
}

/// The schemas of what a value may be, of which each is another kind of value; none where there is one.
pub(crate) fn branches(schema: &Value) -> impl Iterator<Item = &Value> {
    let all = ["anyOf", "oneOf"]
        .iter()
        .find_map(|union| core(schema).get(union));
    all.and_then(Value::as_array).into_iter().flatten()
}

/// The schemas of the several shapes that a record may have; none where it has one.
fn shapes(record: &Value) -> Vec<&Value> {
    let is_null = |branch: &&Value| branch.get("type").and_then(Value::as_str) == Some("null");
    let branches: Vec<&Value> = branches(record).filter(|branch| !is_null(branch)).collect();
    let are_records = branches.iter().all(|branch| kind(branch) == Kind::Record);
    if are_records { branches } else { Vec::new() }
}

/// The fields of each shape that the records of a list may have; none where they have one shape.
pub(crate) fn shapes_of(list: &Value) -> Vec<Vec<Field<'_>>> {
    shapes(core(items(list))).into_iter().map(fields).collect()
}

/// The fields of the records of a list; of records of several shapes, all that any of them has.
pub(crate) fn columns_of(list: &Value) -> Vec<Field<'_>> {
    let record = items(list);
    let of_any = any_of(record);
    if of_any.is_empty() {
        fields(record)
    } else {
        of_any
    }
}

/// The fields of a record that may have several shapes: all that any of them has.
pub(crate) fn any_of(record: &Value) -> Vec<Field<'_>> {
    if shapes(core(record)).is_empty() {
        return Vec::new();
    }
    let mut all = fields(record);
    for own in shapes(core(record)).into_iter().flat_map(fields) {
        if all.iter().all(|field| field.name != own.name) {
            all.push(own);
        }
    }
    all
}

/// The fields of a record, in the order in which its author declared them.
pub(crate) fn fields(schema: &Value) -> Vec<Field<'_>> {
    let properties = core(schema).get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flatten()
        .map(|(name, schema)| Field { name, schema })
        .collect()
}

/// The names of the fields that a record must have.
pub(crate) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let names = core(schema).get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

/// Whether every field of an object can be drawn as a field of a form.
pub(crate) fn is_form(schema: &Value) -> bool {
    kind(schema) == Kind::Record && !fields(schema).is_empty()
}
