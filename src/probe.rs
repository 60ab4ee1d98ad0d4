//! The door of benches and fuzzing to the engine and the readers behind it (feature `probe`).
//!
//! Nothing here is part of the server: the functions panic where a promise is broken, which is
//! what a fuzzer waits for, and their names may change with any release.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::domain::compose::compose;
use crate::domain::contract::{CompiledContract, ContractLimits, salvage, violation_text};
use crate::domain::view::check;
use crate::transports::probe as readers;
use crate::wire::contract::{Finding, Violation};

/// A contract that passed the gate.
pub struct Contract(CompiledContract);

impl Contract {
    /// Gates and compiles a draft.
    ///
    /// # Errors
    ///
    /// Every finding.
    pub fn compile(draft: &Value) -> Result<Self, Vec<Finding>> {
        let checked = CompiledContract::compile(draft, &ContractLimits::default())?;
        Ok(Self(checked.contract))
    }

    /// Judges props.
    ///
    /// # Errors
    ///
    /// Every violation.
    pub fn props(&self, props: &Value) -> Result<(), Vec<Violation>> {
        self.0.check_props(props)
    }

    /// Judges a gesture `{action, data}`.
    ///
    /// # Errors
    ///
    /// Every violation.
    pub fn action(&self, gesture: &Value) -> Result<(), Vec<Violation>> {
        self.0.check_action(gesture)
    }

    /// Holds the call that is proposed next against the contract.
    ///
    /// # Panics
    ///
    /// If it carries props that do not fit, or has none and does not say so.
    pub fn example(&self) {
        let call = self.0.example_call("h");
        let arguments = call.strip_prefix("ggui_render(").unwrap_or_default();
        let arguments = arguments
            .strip_suffix(')')
            .map(serde_json::from_str::<Value>);
        match arguments {
            Some(Ok(arguments)) => {
                let judged = self.0.check_props(&arguments["props"]);
                assert!(judged.is_ok(), "{judged:?}: {call}");
            }
            _ => assert!(call.contains("no value that fits was found for"), "{call}"),
        }
    }

    /// Composes the view of the contract; how many bytes it has.
    pub fn compose(&self, intent: &str) -> usize {
        compose(&self.0, intent).to_json().len()
    }

    /// Composes the view of the contract and checks it like one that an agent wrote.
    ///
    /// # Panics
    ///
    /// If the view breaks the catalog or the contract.
    pub fn view(&self, intent: &str) -> Arc<str> {
        let view = compose(&self.0, intent);
        let problems = check(view.value(), &self.0).err();
        assert!(
            problems.is_none(),
            "a composed view is refused: {problems:?}"
        );
        view.to_json()
    }
}

/// Tries a draft, alone or in a list with props for it: `draft` or `[draft, props]`.
///
/// # Panics
///
/// If the gate refuses without a reason, what was saved of a draft does not pass it, a view or the
/// proposed call breaks its contract, or a refusal cannot say why.
pub fn contract(bytes: &[u8]) {
    let Ok(input) = serde_json::from_slice::<Value>(bytes) else {
        return;
    };
    let (draft, props) = match input.as_array().map(Vec::as_slice) {
        Some([draft, props]) => (draft, Some(props)),
        _ => (&input, None),
    };
    let contract = match Contract::compile(draft) {
        Ok(contract) => contract,
        Err(findings) => {
            assert!(!findings.is_empty(), "refused without a reason");
            assert!(findings.iter().all(|finding| !finding.path.is_empty()));
            let Some(saved) = salvage(draft, &ContractLimits::default()).contract else {
                return;
            };
            let again = Contract::compile(&saved);
            assert!(
                again.is_ok(),
                "what was saved is refused: {:?}",
                again.err()
            );
            let Ok(contract) = again else { return };
            contract
        }
    };
    contract.view("Try it");
    contract.example();
    if let Some(Err(violations)) = props.map(|props| contract.props(props)) {
        // The words of a refusal that the explanation did not see.
        let silent = |violation: &Violation| violation.message == "must match the schema";
        assert!(!violations.iter().any(silent), "{violations:?}");
    }
}

/// Bytes of anything that is made from a schema: what a browser is given is a few times its contract,
/// the example call has a limit of its own, and lists in lists must not multiply.
const MADE_BYTES_MAX: usize = 4 << 20;

/// Tries a schema at every place of a contract that something is made from: an example, a form, a
/// slot, the words of a refusal.
///
/// # Panics
///
/// If something that is made from it is too large.
pub fn made(bytes: &[u8]) {
    let Ok(schema) = serde_json::from_slice::<Value>(bytes) else {
        return;
    };
    let draft = json!({
        "propsSpec": {"properties": {
            "needed": {"schema": schema, "required": true},
            "rows": {"schema": {"type": "array", "items": schema, "minItems": 3}},
        }},
        "actionSpec": {"go": {"label": "Go", "schema": schema}},
        "streamSpec": {"log": {"schema": schema}},
        "contextSpec": {"note": {"schema": schema}},
    });
    let is_small = |what: &str, text: &str| {
        assert!(text.len() <= MADE_BYTES_MAX, "{what}: {} bytes", text.len());
    };
    let are_small = |findings: &Vec<Finding>| {
        let texts = findings.iter().map(|f| format!("{} {}", f.path, f.message));
        is_small("findings", &texts.collect::<String>());
    };
    let contract = match Contract::compile(&draft) {
        Ok(contract) => contract,
        Err(findings) => return are_small(&findings),
    };
    contract.example();
    is_small("the example", &contract.0.example_call("h"));
    is_small("the view", &contract.view("Try it"));
    is_small("the summary", &contract.0.summary());
    is_small("the props schema", &contract.0.props_schema().to_string());
    for wrong in [
        json!({}),
        json!({"needed": 0, "rows": [null, [], {"a": 1}], "more": ""}),
    ] {
        let violations = contract.props(&wrong).err().unwrap_or_default();
        is_small("violations", &violation_text("probe", &violations));
    }
}

/// Tries a frame of the live channel.
pub fn frame(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        readers::frame(text);
    }
}

/// Tries a JSON-RPC message or batch.
///
/// # Panics
///
/// If a refusal is no JSON-RPC error.
pub fn envelope(bytes: &[u8]) {
    if let Some(answer) = readers::envelope(bytes) {
        let answer = serde_json::from_str::<Value>(&answer).unwrap_or_default();
        assert_eq!(answer["jsonrpc"], "2.0");
        assert!(answer["error"]["code"].is_i64(), "{answer}");
    }
}
