//! Random schemas, values and drafts for the property tests, small enough to collide often.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Map, Value, json};

/// The seed the generators use by default.
const SEED: u64 = 20_260_728;

/// How many cases a property is tested with; all properties together take a few seconds.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let config = ProptestConfig::default();
    // A fixed seed makes every run repeatable; PROPTEST_RNG_SEED sets another.
    let rng_seed = match config.rng_seed {
        RngSeed::Random => RngSeed::Fixed(SEED),
        chosen => chosen,
    };
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_shrink_iters: 2_000,
        rng_seed,
        ..config
    }
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..5).prop_map(Value::from),
        (-3_i32..5).prop_map(|n| json!(f64::from(n) / 2.0)),
        "[ab]{0,3}".prop_map(Value::from),
    ]
}

fn name() -> impl Strategy<Value = String> {
    "[abc]"
}

/// A value.
pub(crate) fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            members(inner).prop_map(Value::Object),
        ]
    })
}

fn members(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::btree_map(name(), inner, 0..4).prop_map(|map| map.into_iter().collect())
}

fn keyword() -> impl Strategy<Value = (&'static str, Value)> {
    let number = || (-3_i32..5).prop_map(|n| json!(f64::from(n) / 2.0));
    let whole = || (-3_i32..5).prop_map(|n| json!(n));
    let length = || (0_u8..4).prop_map(|n| json!(n));
    prop_oneof![
        (Just("minimum"), prop_oneof![number(), whole()]),
        (Just("maximum"), prop_oneof![number(), whole()]),
        (Just("exclusiveMinimum"), prop_oneof![number(), whole()]),
        (Just("exclusiveMaximum"), prop_oneof![number(), whole()]),
        (Just("multipleOf"), (1_u8..4).prop_map(|n| json!(n))),
        (Just("minLength"), length()),
        (Just("maxLength"), length()),
        (
            Just("pattern"),
            prop_oneof![Just(json!("^a")), Just(json!("b"))]
        ),
        (Just("minItems"), length()),
        (Just("maxItems"), length()),
        (Just("uniqueItems"), any::<bool>().prop_map(Value::from)),
        (Just("minProperties"), length()),
        (Just("maxProperties"), length()),
        (Just("const"), scalar()),
        (
            Just("enum"),
            prop::collection::vec(scalar(), 1..4).prop_map(Value::from)
        ),
    ]
}

fn kind() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!("string")),
        Just(json!("integer")),
        Just(json!("number")),
        Just(json!("boolean")),
        Just(json!("object")),
        Just(json!("array")),
        Just(json!(["string", "null"])),
        Just(json!(["integer", "null"])),
    ]
}

/// A schema without references; not every one passes the gate.
pub(crate) fn schema() -> impl Strategy<Value = Value> {
    let leaf = (
        prop::option::of(kind()),
        prop::collection::vec(keyword(), 0..3),
    )
        .prop_map(|(kind, keywords)| {
            let mut node = Map::new();
            node.extend(kind.map(|kind| ("type".to_owned(), kind)));
            node.extend(
                keywords
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value)),
            );
            Value::Object(node)
        });
    leaf.prop_recursive(3, 16, 3, |inner| {
        let union = || prop::collection::vec(inner.clone(), 1..3).prop_map(Value::from);
        let beside = |name: &'static str, value: BoxedStrategy<Value>| {
            (inner.clone(), value).prop_map(move |(mut node, value)| {
                node[name] = value;
                node
            })
        };
        prop_oneof![
            object(inner.clone()),
            object(inner.clone()),
            (inner.clone(), prop::collection::vec(keyword(), 0..2)).prop_map(
                |(items, keywords)| {
                    let mut node = json!({"type": "array", "items": items});
                    for (name, value) in keywords {
                        node[name] = value;
                    }
                    node
                }
            ),
            beside("anyOf", union().boxed()),
            beside("oneOf", union().boxed()),
            beside("allOf", union().boxed()),
            beside("not", inner.clone().boxed()),
        ]
    })
}

fn object(inner: impl Strategy<Value = Value> + Clone + 'static) -> impl Strategy<Value = Value> {
    let rest = prop_oneof![
        Just(None),
        any::<bool>().prop_map(|flag| Some(json!(flag))),
        inner.clone().prop_map(Some),
    ];
    (
        members(inner.clone()),
        any::<u8>(),
        rest,
        prop::option::weighted(0.1, inner),
    )
        .prop_map(|(properties, required, rest, pattern)| {
            let names: Vec<_> = properties
                .keys()
                .enumerate()
                .filter(|(at, _)| required & (1 << at) != 0)
                .map(|(_, name)| name.clone())
                .collect();
            let mut node = json!({"type":"object","properties":properties,"required":names});
            if let Some(rest) = rest {
                node["additionalProperties"] = rest;
            }
            if let Some(pattern) = pattern {
                node["patternProperties"] = json!({"^a": pattern});
            }
            node
        })
}

/// A schema that passes the gate, of the kinds contracts usually contain.
fn valid_schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "string"})),
        Just(json!({"type": "string", "nullable": true})),
        Just(json!({"type": ["integer", "null"]})),
        Just(json!({"type": "boolean"})),
        Just(json!({"enum": ["a", 1, null]})),
        Just(json!({})),
        prop_oneof![
            Just("date"),
            Just("date-time"),
            Just("email"),
            Just("uri"),
            Just("uuid"),
            Just("time"),
        ]
        .prop_map(|format| json!({"type": "string", "format": format})),
        (0..4_u8, 4..9_u8)
            .prop_map(|(min, max)| json!({"type": "string", "minLength": min, "maxLength": max})),
        (0..9_u8).prop_map(|max| json!({"type": "number", "minimum": 0, "maximum": max})),
        (1..8_usize).prop_map(|count| {
            let words: Vec<_> = (0..count).map(|n| format!("word{n}")).collect();
            json!({"type": "string", "enum": words})
        }),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        let record = prop::collection::vec((member_name(), inner.clone(), any::<bool>()), 0..5);
        prop_oneof![
            (record, prop::option::of(any::<bool>())).prop_map(|(members, rest)| {
                let mut node = json!({"type": "object", "properties": {}, "required": []});
                for (name, schema, is_required) in members {
                    if is_required && node["properties"].get(&name).is_none() {
                        node["required"]
                            .as_array_mut()
                            .into_iter()
                            .for_each(|names| names.push(json!(name)));
                    }
                    node["properties"][name] = schema;
                }
                if let Some(rest) = rest {
                    node["additionalProperties"] = json!(rest);
                }
                node
            }),
            inner
                .clone()
                .prop_map(|items| json!({"type": "array", "items": items})),
            inner
                .clone()
                .prop_map(|items| json!({"type": "array", "items": items, "maxItems": 5})),
            inner
                .clone()
                .prop_map(|one| json!({"anyOf": [one, {"type": "null"}]})),
            inner.prop_map(|value| json!({"type": "object", "additionalProperties": value})),
        ]
    })
}

/// Names the composer recognises, and some it does not.
fn member_name() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "id",
            "title",
            "name",
            "status",
            "done",
            "createdAt",
            "price",
            "currency",
            "percent",
            "email",
            "imageUrl",
            "tags",
            "count",
            "date",
            "lat",
            "lng",
            "parentId",
            "start",
            "end",
            "value",
            "message",
            "author",
            "a/b",
            "m~n",
            "a b",
            "",
        ])
        .prop_map(str::to_owned),
        "[a-zA-Z]{1,6}",
    ]
}

/// A contract that passes the gate.
pub(crate) fn contract() -> impl Strategy<Value = Value> {
    // Actions, channels and slots share one namespace.
    let entries = |prefix: &'static str, entry: BoxedStrategy<Value>| {
        prop::collection::vec((member_name(), entry), 0..4).prop_map(move |entries| {
            let named = entries
                .into_iter()
                .map(|(name, entry)| (format!("{prefix}{name}"), entry));
            Value::Object(named.collect())
        })
    };
    let prop = (valid_schema(), any::<bool>())
        .prop_map(|(schema, required)| json!({"schema": schema, "required": required}));
    let action = (prop::option::of(valid_schema()), any::<bool>()).prop_map(|(schema, confirm)| {
        let mut entry = json!({"label": "Go", "confirm": confirm});
        if let Some(schema) = schema {
            entry["schema"] = schema;
        }
        entry
    });
    let mode = prop::sample::select(vec!["append", "replace"]);
    let stream = (valid_schema(), mode, any::<bool>()).prop_map(
        |(schema, mode, complete)| json!({"schema": schema, "mode": mode, "complete": complete}),
    );
    let slot = valid_schema().prop_map(|schema| json!({"schema": schema}));
    (
        entries("", prop.boxed()),
        entries("do ", action.boxed()),
        entries("on ", stream.boxed()),
        entries("at ", slot.boxed()),
    )
        .prop_map(|(props, actions, streams, slots)| {
            json!({
                "propsSpec": {"properties": props},
                "actionSpec": actions,
                "streamSpec": streams,
                "contextSpec": slots,
            })
        })
}

/// A contract that may be invalid: its schemas and references may be wrong.
pub(crate) fn draft() -> impl Strategy<Value = Value> {
    let entries = |entry: BoxedStrategy<Value>| {
        prop::collection::btree_map("[a-e]{1,2}", entry, 0..3)
            .prop_map(|map| Value::Object(map.into_iter().collect()))
    };
    let prop = (schema(), any::<bool>())
        .prop_map(|(schema, required)| json!({"schema": schema, "required": required}));
    let tool = || prop_oneof![4 => Just(None), 1 => Just(Some("t")), 1 => Just(Some("u"))];
    let action = (prop::option::of(schema()), tool()).prop_map(|(schema, tool)| {
        let mut entry = json!({"label": "Go"});
        if let Some(schema) = schema {
            entry["schema"] = schema;
        }
        if let Some(tool) = tool {
            entry["nextStep"] = json!(tool);
        }
        entry
    });
    let stream = (schema(), tool()).prop_map(|(schema, tool)| {
        let mut entry = json!({"schema": schema});
        if let Some(tool) = tool {
            entry["source"] = json!({"tool": tool});
        }
        entry
    });
    let slot = schema().prop_map(|schema| json!({"schema": schema}));
    let parts = (
        entries(prop.boxed()),
        entries(action.boxed()),
        entries(stream.boxed()),
        entries(slot.boxed()),
        schema(),
        schema(),
    );
    parts.prop_map(|(props, actions, streams, slots, input, output)| {
        json!({
            "propsSpec": {"properties": props},
            "actionSpec": actions,
            "streamSpec": streams,
            "contextSpec": slots,
            "agentCapabilities": {"tools": {"t": {"toolInfo": {
                "inputSchema": input, "outputSchema": output}}}},
        })
    })
}

/// A draft with random values in random places.
pub(crate) fn broken() -> impl Strategy<Value = Value> {
    let junk = prop_oneof![
        Just(None),
        Just(Some(json!(null))),
        Just(Some(json!(5))),
        Just(Some(json!("text"))),
        Just(Some(json!([]))),
        Just(Some(json!({"foo": 1}))),
    ];
    let place = any::<prop::sample::Index>();
    (draft(), prop::collection::vec((place, junk), 0..4)).prop_map(|(mut draft, cuts)| {
        for (place, junk) in cuts {
            let mut places = Vec::new();
            pointers(&draft, "", &mut places);
            if places.is_empty() {
                continue;
            }
            let (parent, name) = place.get(&places);
            if let Some(Value::Object(parent)) = draft.pointer_mut(parent) {
                match junk {
                    None => drop(parent.remove(name)),
                    Some(junk) => drop(parent.insert(name.clone(), junk)),
                }
            }
        }
        draft
    })
}

fn pointers(value: &Value, at: &str, places: &mut Vec<(String, String)>) {
    for (name, inner) in value.as_object().into_iter().flatten() {
        places.push((at.to_owned(), name.clone()));
        pointers(inner, &format!("{at}/{name}"), places);
    }
}
