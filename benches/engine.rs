//! What the contract engine costs: `cargo bench --features probe --bench engine`.

#![expect(
    clippy::unwrap_used,
    reason = "a bench that cannot be set up is no bench"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use proscenium::probe::Contract;
use serde_json::{Value, json};

/// Contract A of the protocol's reference, and props for it.
const BASKET: &str = include_str!("../fuzz/seeds/contract/basket.json");

fn basket() -> (Value, Value) {
    let pair: Vec<Value> = serde_json::from_str(BASKET).unwrap();
    let [draft, props] = pair.try_into().unwrap();
    (draft, props)
}

fn compile(criterion: &mut Criterion) {
    let (draft, _) = basket();
    criterion.bench_function("gate and compile contract A", |bencher| {
        bencher.iter(|| Contract::compile(black_box(&draft)).is_ok());
    });
}

fn action(criterion: &mut Criterion) {
    let contract = Contract::compile(&basket().0).ok().unwrap();
    let gesture = json!({"action": "setQuantity", "data": {"sku": "A1", "qty": 3}});
    assert!(contract.action(&gesture).is_ok());
    criterion.bench_function("judge an action", |bencher| {
        bencher.iter(|| contract.action(black_box(&gesture)).is_ok());
    });
    let wrong = json!({"action": "setQuantity", "data": {"sku": 1, "count": 3}});
    assert!(contract.action(&wrong).is_err());
    criterion.bench_function("refuse an action with three violations", |bencher| {
        bencher.iter(|| contract.action(black_box(&wrong)).is_err());
    });
}

fn props(criterion: &mut Criterion) {
    let (draft, mut props) = basket();
    let row = props["items"][0].clone();
    props["items"] = (0..1_000).map(|_| row.clone()).collect();
    let contract = Contract::compile(&draft).ok().unwrap();
    assert!(contract.props(&props).is_ok());
    criterion.bench_function("judge props with a table of 1,000 rows", |bencher| {
        bencher.iter(|| contract.props(black_box(&props)).is_ok());
    });
    for row in props["items"].as_array_mut().unwrap() {
        row["qty"] = json!("two");
    }
    assert!(contract.props(&props).is_err());
    criterion.bench_function("refuse props with 1,000 wrong rows", |bencher| {
        bencher.iter(|| contract.props(black_box(&props)).is_err());
    });
}

/// Contracts as agents send them: the slowest of them to compose, and the one in the middle.
#[expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a bench measures the machine's time, and the times of the others are worth a line"
)]
fn composing(criterion: &mut Criterion) {
    const TRIES: usize = 20;
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/labelled/contracts");
    let mut all: Vec<(Duration, String, Contract, String)> = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let entry: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let contract = Contract::compile(&entry["contract"]).ok().unwrap();
        let intent = entry["intent"].as_str().unwrap().to_owned();
        let mut times: Vec<Duration> = (0..TRIES)
            .map(|_| {
                let start = Instant::now();
                black_box(contract.compose(black_box(&intent)));
                start.elapsed()
            })
            .collect();
        times.sort();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        all.push((times[TRIES / 2], name, contract, intent));
    }
    all.sort_by_key(|(time, ..)| *time);
    for (time, name, ..) in all.iter().rev().take(5) {
        println!("compose {name}: {time:?}");
    }
    for (which, at) in [("slowest", all.len() - 1), ("median", all.len() / 2)] {
        let (_, name, contract, intent) = &all[at];
        criterion.bench_function(
            &format!("compose the {which} of {}: {name}", all.len()),
            |bencher| {
                bencher.iter(|| contract.compose(black_box(intent)));
            },
        );
    }
}

/// Drafts that were written to keep the gate busy: each has to be decided, and soon.
fn hostile(criterion: &mut Criterion) {
    let mut sub = json!({"type": "string"});
    let mut sup = json!({"type": "string", "minLength": 1});
    for level in 0..6 {
        let other = json!({"type": "object", "properties": {"k": {"const": level}}});
        sub =
            json!({"anyOf": [{"type": "array", "items": sub}, {"type": "array", "items": other}]});
        sup = json!({"anyOf": [{"type": "array", "items": sup}, {"type": "array", "items": sup}, other]});
    }
    let tangled = json!({
        "actionSpec": {"go": {"label": "Go", "nextStep": "t", "schema": sub}},
        "agentCapabilities": {"tools": {"t": {"toolInfo": {"inputSchema": sup}}}},
    });
    let patterns: serde_json::Map<String, Value> = (0..64)
        .map(|n| {
            let pattern = format!("[ab]*a[ab]{{1000}}c{n}");
            (
                format!("p{n}"),
                json!({"schema": {"type": "string", "pattern": pattern}}),
            )
        })
        .collect();
    let patterned = json!({"propsSpec": {"properties": patterns}});
    let names: Vec<Value> = (0..7_000).map(|n| Value::from(format!("n{n}"))).collect();
    let required = json!({"propsSpec": {"properties": {"a": {"schema":
        {"type": "object", "properties": {}, "required": names}}}}});
    for (name, draft) in [
        ("refuse schemas that cannot be compared in time", tangled),
        ("compile 64 of the largest patterns", patterned),
        ("refuse 7,000 required names", required),
    ] {
        criterion.bench_function(name, |bencher| {
            bencher.iter(|| Contract::compile(black_box(&draft)).is_ok());
        });
    }
}

/// Values that were written to keep a check busy, as large as they may be without being refused.
fn heavy(criterion: &mut Criterion) {
    let contract = |schema: Value| {
        let draft = json!({"propsSpec": {"properties": {"p": {"schema": schema}}}});
        Contract::compile(&draft).ok().unwrap()
    };
    let mut group = criterion.benchmark_group("heaviest");
    group.sample_size(10);
    // Each state of the pattern is alive at every byte, and no two sets of them are the same.
    let slow = contract(json!({"type": "string", "pattern": "[ab]*a[ab]{1000}c"}));
    let mut bits = 0x2545_f491_4f6c_dd1d_u64;
    let mut letter = || {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        if bits & 1 == 0 { 'a' } else { 'b' }
    };
    let text = json!({"p": (0..45_000).map(|_| letter()).collect::<String>()});
    assert!(
        slow.props(&text)
            .is_err_and(|violations| violations[0].message.contains("pattern"))
    );
    group.bench_function("text against the slowest pattern", |bencher| {
        bencher.iter(|| slow.props(black_box(&text)).is_ok());
    });
    let listed: Vec<Value> = (0..12_000).map(Value::from).collect();
    let long = contract(json!({"type": "array", "items": {"enum": listed}}));
    let last = json!({"p": vec![11_999; 25_000]});
    assert!(long.props(&last).is_ok());
    group.bench_function("numbers against a list of 12,000", |bencher| {
        bencher.iter(|| long.props(black_box(&last)).is_ok());
    });
    let none = json!({"p": vec![12_001; 25_000]});
    assert!(long.props(&none).is_err());
    group.bench_function("numbers that are not in a list of 12,000", |bencher| {
        bencher.iter(|| long.props(black_box(&none)).is_ok());
    });
    let tied = Contract::compile(&basket().0).ok().unwrap();
    let extra: serde_json::Map<_, _> = (0..100_000).map(|n| (format!("k{n}"), json!(n))).collect();
    let extra = Value::Object(extra);
    assert!(tied.props(&extra).is_err());
    group.bench_function("100,000 members too many", |bencher| {
        bencher.iter(|| tied.props(black_box(&extra)).is_ok());
    });
    group.finish();
}

criterion_group!(benches, compile, action, props, composing, hostile, heavy);
criterion_main!(benches);
