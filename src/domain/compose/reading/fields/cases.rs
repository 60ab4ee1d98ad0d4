//! How schemas are read, one by one.

use serde_json::{Value, json};

use super::*;

#[test]
fn schemas_are_read_as_a_person_would() {
    for (schema, expect) in [
        (json!({"type":"string","nullable":true}), Kind::Text),
        (
            json!({"anyOf":[{"type":"null"},{"type":"integer"}]}),
            Kind::Number,
        ),
        (json!({"type":"string","enum":["a","b",null]}), Kind::Choice),
        (
            json!({"type":"array","items":{"type":"object","properties":{"a":{}}}}),
            Kind::Records,
        ),
        (
            json!({"type":"array","items":{"type":"number"}}),
            Kind::Numbers,
        ),
        (
            json!({"type":"array","items":{"type":"string","enum":["a"]}}),
            Kind::Strings,
        ),
        (json!({"type":"array","items":{"enum":[1,2]}}), Kind::Open),
        (
            json!({"type":"object","additionalProperties":true}),
            Kind::Open,
        ),
        (json!({}), Kind::Open),
        (Value::Null, Kind::Open),
    ] {
        assert_eq!(kind(&schema), expect, "{schema}");
    }
}

#[test]
fn fields_come_in_the_declared_order() {
    let schema = json!({"type":"object","properties":{"z":{},"ownerId":{},"title":{},"id":{},"a":{}},"required":["a","z"]});
    let fields = fields(&schema);
    let names: Vec<_> = fields.iter().map(|field| field.name).collect();
    assert_eq!(names, ["z", "ownerId", "title", "id", "a"]);
    assert_eq!(key(&fields), Some("id"));
    assert_eq!(key(&fields[..2]), Some("ownerId"));
    assert_eq!(key(&fields[..1]), None);
}

#[test]
fn formats_follow_name_and_schema() {
    let number = json!({"type":"number"});
    assert_eq!(format("unitPrice", &number, true), "currency");
    assert_eq!(format("unitPrice", &number, false), "number");
    for minor in ["balanceMinor", "amount_cents", "fee_subunit"] {
        assert_eq!(format(minor, &json!({"type":"integer"}), true), "money");
        assert_eq!(format(minor, &json!({"type":"integer"}), false), "integer");
    }
    // Pence are pounds wherever they stand.
    assert_eq!(
        format("feePence", &json!({"type":"integer"}), false),
        "money"
    );
    assert_eq!(
        format("usedBytes", &json!({"type":"integer"}), false),
        "bytes"
    );
    assert_eq!(
        format("avatarUrl", &json!({"type":"string"}), false),
        "image"
    );
    assert_eq!(
        format("at", &json!({"type":"string","format":"date-time"}), false),
        "datetime"
    );
    assert_eq!(format("tags", &json!({"type":"array"}), false), "record");
    for (name, schema, shown) in [
        (
            "tags",
            json!({"type":"array","items":{"type":"string"}}),
            "tags",
        ),
        ("pricePerNight", number.clone(), "currency"),
        ("changePercent", number.clone(), "percent"),
        ("rating", number.clone(), "rating"),
        ("durationSeconds", number, "duration"),
        ("year", json!({"type":"integer"}), "text"),
        ("builtIn", json!({"type":"integer"}), "text"),
        ("hoursSpent", json!({"type":"number"}), "number"),
        ("status", json!({"enum":["open","done"]}), "badge"),
        (
            "size",
            json!({"type":"string","enum":["small","large"]}),
            "choice",
        ),
        ("command", json!({"type":"string"}), "code"),
        ("snippet", json!({"type":"string"}), "text"),
        ("likelySource", json!({"type":"string"}), "text"),
        ("pageHtml", json!({"type":"string"}), "code"),
        ("runtime", json!({"type":"string"}), "duration"),
        ("price", json!({"type":"string"}), "currency"),
        ("costCentre", json!({"type":"string"}), "text"),
        ("confidence", json!({"type":"number"}), "ratio"),
        ("confidence", json!({"type":"integer"}), "integer"),
        ("savingCentsPerMonth", json!({"type":"integer"}), "money"),
        ("centsRounded", json!({"type":"integer"}), "integer"),
        ("unitPriceKurus", json!({"type":"integer"}), "money"),
        ("pencePerKwh", json!({"type":"number"}), "number"),
        (
            "costPlanned",
            json!({"type":"integer","description":"minor units"}),
            "money",
        ),
        ("amountInMinorUnits", json!({"type":"integer"}), "money"),
        (
            "estimate",
            json!({"type":"integer","description":"net, in euro cents"}),
            "money",
        ),
        (
            "price",
            json!({"type":"integer","description":"whole euros, not cents"}),
            "currency",
        ),
        (
            "change",
            json!({"type":"number","description":"ratio of the old net"}),
            "ratio",
        ),
        ("img", json!({"type":"string","format":"uri"}), "image"),
        ("yearBuilt", json!({"type":"integer"}), "text"),
        ("hour", json!({"type":"integer"}), "text"),
        ("parcelsPerHour", json!({"type":"integer"}), "integer"),
        ("ratingCount", json!({"type":"integer"}), "integer"),
        (
            "pricePerSheet",
            json!({"type":"integer","description":"pence"}),
            "money",
        ),
        ("piano", json!({"enum":["uprightPiano",null]}), "choice"),
        ("pagesThisYear", json!({"type":"integer"}), "integer"),
        ("bodyMd", json!({"type":"string"}), "markdown"),
        (
            "story",
            json!({"type":"string","description":"Markdown, a few lines"}),
            "markdown",
        ),
        (
            "walk",
            json!({"type":"string","description":"ISO 8601 duration"}),
            "duration",
        ),
        (
            "moisture",
            json!({"type":"number","description":"Share of water, 0 to 1"}),
            "ratio",
        ),
        (
            "ourFee",
            json!({"type":"number","description":"Our share of the fee"}),
            "currency",
        ),
    ] {
        assert_eq!(format(name, &schema, true), shown, "{name}");
    }
}
