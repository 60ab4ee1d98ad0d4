//! Contracts shared by tests: three published ones, two everyday ones, and a hostile schema.

use super::compiled::CompiledContract;
use super::limits::ContractLimits;
use serde_json::{Map, Value, json};

/// The published basket (contract.md §12.1).
pub(crate) fn basket() -> Value {
    json!({"propsSpec":{"description":"Basket shown at checkout","properties":{
       "items":{"required":true,"schema":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string"},"title":{"type":"string"},"qty":{"type":"integer"},"unitPrice":{"type":"number"}},"required":["sku","title","qty","unitPrice"]}},
         "example":[{"sku":"A1","title":"Mug","qty":2,"unitPrice":7.5}]},
       "currency":{"required":true,"schema":{"type":"string","enum":["EUR","USD","GBP"]}},
       "note":{"schema":{"type":"string","nullable":true},"description":"Optional banner line"}}},
     "actionSpec":{
       "setQuantity":{"label":"Change quantity","nextStep":"cart_set_qty","schema":{"type":"object","properties":{"sku":{"type":"string"},"qty":{"type":"integer"}},"required":["sku","qty"],"additionalProperties":false}},
       "checkout":{"label":"Check out","confirm":true}},
     "contextSpec":{"coupon":{"schema":{"type":"string"},"default":"","debounceMs":500}},
     "agentCapabilities":{"tools":{"cart_set_qty":{"serverInfo":{"name":"cart"},
       "toolInfo":{"description":"Set one line quantity","inputSchema":{"type":"object","properties":{"sku":{"type":"string"},"qty":{"type":"integer"}},"required":["sku","qty"],"additionalProperties":false}},
       "usage":"Call after the user edits a quantity","example":{"input":{"sku":"A1","qty":3},"output":{"ok":true}}}}}})
}

/// The published build log (contract.md §12.2).
pub(crate) fn build_log() -> Value {
    json!({"propsSpec":{"properties":{"pipeline":{"schema":{"type":"string"},"required":true},"startedAt":{"schema":{"type":"string","format":"date-time"}}}},
     "streamSpec":{
      "log":{"description":"One console line","mode":"append","replay":"all","complete":true,
        "schema":{"type":"object","properties":{"line":{"type":"string"},"level":{"type":"string","enum":["info","warn","error"]}},"required":["line","level"]}},
      "progress":{"mode":"replace","replay":"latest","schema":{"type":"object","properties":{"percent":{"type":"number"}},"required":["percent"]}}},
     "actionSpec":{"cancel":{"label":"Cancel build","confirm":true,"nextStep":"ci_cancel"}},
     "agentCapabilities":{"tools":{"ci_cancel":{"toolInfo":{"inputSchema":{"type":"object","properties":{}}},"usage":"Stops the running pipeline","example":{"input":{},"output":{"cancelled":true}}}}}})
}

/// The published field report (contract.md §12.3).
pub(crate) fn field_report() -> Value {
    json!({"propsSpec":{"properties":{"siteName":{"schema":{"type":"string"},"required":true},"checklist":{"schema":{"type":"array","items":{"type":"string"}},"default":[]}}},
     "contextSpec":{"location":{"schema":{"type":"object","properties":{"lat":{"type":"number"},"lng":{"type":"number"}}},"default":{"lat":0,"lng":0}},
       "checked":{"schema":{"type":"array","items":{"type":"string"}},"default":[],"debounceMs":0}},
     "actionSpec":{"submitReport":{"label":"Send report","schema":{"type":"object","properties":{"summary":{"type":"string"},"photoDataUrl":{"type":"string"}},"required":["summary"],"additionalProperties":false},"example":{"summary":"All valves closed"}}},
     "clientCapabilities":{"gadgets":{"@ggui-ai/gadgets":{"useGeolocation":{"usage":"Fill the location slot on demand"},"useCamera":{}}}}})
}

/// A to-do list.
pub(crate) fn todo_list() -> Value {
    json!({"propsSpec":{"properties":{"todos":{"required":true,"schema":{"type":"array","items":{"type":"object","properties":{
        "id":{"type":"string"},"title":{"type":"string"},"done":{"type":"boolean"}},"required":["id","title","done"]}}}}},
     "actionSpec":{
        "addTodo":{"label":"Add","schema":{"type":"object","properties":{"title":{"type":"string","minLength":1}},"required":["title"]}},
        "toggleTodo":{"label":"Done","schema":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}},
        "deleteTodo":{"label":"Delete","confirm":true,"schema":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}}}})
}

/// A monitor of one machine.
pub(crate) fn system_monitor() -> Value {
    json!({"propsSpec":{"properties":{"host":{"required":true,"schema":{"type":"string"}},"cores":{"schema":{"type":"integer"}}}},
     "streamSpec":{
        "cpu":{"mode":"append","replay":"all","schema":{"type":"object","properties":{"t":{"type":"string","format":"date-time"},"percent":{"type":"number"}},"required":["t","percent"]}},
        "memory":{"mode":"replace","replay":"latest","schema":{"type":"object","properties":{"usedBytes":{"type":"integer"},"totalBytes":{"type":"integer"},"percent":{"type":"number"}},"required":["usedBytes","totalBytes","percent"]}},
        "load":{"mode":"append","replay":"all","schema":{"type":"object","properties":{"t":{"type":"string","format":"date-time"},"one":{"type":"number"},"five":{"type":"number"},"fifteen":{"type":"number"}},"required":["t","one","five","fifteen"]}}},
     "actionSpec":{"pause":{"label":"Pause"},"resume":{"label":"Resume"},
        "setInterval":{"label":"Set interval","schema":{"type":"object","properties":{"seconds":{"type":"integer","enum":[1,2,5]}},"required":["seconds"]}}}})
}

/// A schema of a few lines that grows to 2^28 when its references are resolved.
pub(crate) fn doubling_chain() -> Value {
    let mut definitions = Map::new();
    for level in 0..28 {
        let next = json!({"$ref": format!("#/definitions/d{}", level + 1)});
        definitions.insert(format!("d{level}"), json!({"anyOf":[next, next]}));
    }
    definitions.insert("d28".into(), json!({"type":"string"}));
    json!({"$ref":"#/definitions/d0","definitions":definitions})
}

/// A contract that passes the gate without a warning that matters here.
pub(crate) fn compiled(draft: &Value) -> CompiledContract {
    let checked = CompiledContract::compile(draft, &ContractLimits::default()).unwrap();
    let mut warnings = checked.warnings.iter();
    // The gate warns about what shows or takes nothing; a test may use it anyway.
    let is_meant = |code: &str| matches!(code, "CTR_EMPTY" | "LINT_CLOSED_OBJECT");
    assert!(warnings.all(|finding| is_meant(&finding.code)), "{draft}");
    checked.contract
}
