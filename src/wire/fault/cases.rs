//! What holds of every row of the fault table.

use std::collections::{BTreeMap, BTreeSet};

use super::code::Code;
use super::row::Retry::{
    self, AfterDelay, AfterRestore, Backoff, Fix, Never, Rebase, Rehandshake, Resubmit, Simplify,
};
use super::row::Surface::{self, Brain, Channel, Gate, Ggui, Http, Jsonrpc};
use super::row::{Endpoint, Era};

#[test]
fn every_code_has_a_name_of_its_own_in_upper_snake_case() {
    let names: BTreeSet<_> = Code::ALL.iter().map(|code| code.row().name).collect();
    assert_eq!(names.len(), Code::ALL.len());
    let is_word = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
    assert!(names.iter().all(|name| name.bytes().all(is_word)));
}

#[test]
fn a_published_number_means_one_thing_on_its_surface() {
    let mut seen = BTreeMap::new();
    for code in Code::ALL {
        let row = code.row();
        if row.is_published {
            let earlier = seen.insert((row.surface, row.legacy), row.name);
            assert_eq!(earlier, None, "{}", row.name);
        }
    }
}

#[test]
fn numbers_are_unique_where_an_endpoint_has_one_registry() {
    for endpoint in [Endpoint::Ggui, Endpoint::Brain, Endpoint::Gate] {
        let published = Code::ALL.iter().filter(|code| code.row().is_published);
        let numbers: Vec<_> = published
            .filter_map(|code| code.number(Era::Legacy, endpoint))
            .collect();
        let unique: BTreeSet<_> = numbers.iter().collect();
        assert_eq!(unique.len(), numbers.len(), "{endpoint:?}: {numbers:?}");
    }
}

/// The errors in the documents that clients are written against: surface, number, name, advice.
const DOCUMENTED: &[(Surface, i32, &str, Retry)] = &[
    (Jsonrpc, -32700, "Parse Error", Fix),
    (Jsonrpc, -32600, "Invalid Request", Fix),
    (Ggui, -32601, "Method Not Found", Fix),
    (Jsonrpc, -32602, "Invalid Params", Fix),
    (Jsonrpc, -32603, "Internal Error", Backoff),
    (Http, -32001, "Unauthorized", Never),
    (Ggui, -32002, "Session Not Found", Rehandshake),
    (Ggui, -32003, "App Not Found", Never),
    (Ggui, -32004, "Production Failed", Simplify),
    (Ggui, -32005, "Capability Denied", Never),
    (Ggui, -32010, "Generation Quota Exceeded", Never),
    (Ggui, -32011, "App Limit Exceeded", Never),
    (Ggui, -32012, "Concurrent Session Limit", Backoff),
    (Ggui, -32013, "Rate Limit Exceeded", AfterDelay),
    (Channel, -32020, "Contract Violation", Fix),
    (Brain, -32001, "NotFound", Fix),
    (Brain, -32002, "Ambiguity", Fix),
    (Brain, -32003, "Internal", Backoff),
    (Brain, -32009, "Conflict", Rebase),
    (Brain, -32010, "CollectionRestoringError", AfterRestore),
    (Brain, -32011, "CollectionReadOnlyError", Fix),
    (Brain, -32700, "ParseError", Fix),
    (Brain, -32600, "InvalidRequest", Fix),
    (Brain, -32601, "MethodNotFound", Fix),
    (Brain, -32602, "InvalidParams", Fix),
    (Brain, -32603, "InternalError", Fix),
    (Gate, -32700, "Parse Error", Fix),
    (Gate, -32600, "Invalid Request", Fix),
    (Gate, -32601, "Method Not Found", Fix),
    (Gate, -32602, "Invalid Params", Fix),
    (Gate, -32603, "Internal Error", Backoff),
    (Gate, -32000, "Upstream Connection Failed", Never),
    (Gate, -32001, "Upstream Timeout", Backoff),
    (Gate, -32002, "Upstream Error", Never),
    (Gate, -32003, "Policy Denied", Never),
    (Gate, -32007, "Approval Rejected", Never),
    (Gate, -32008, "Approval Timeout", Resubmit),
    (Gate, -32009, "Rate Limited", AfterDelay),
    (Gate, -32013, "Service Unavailable", Backoff),
];

#[test]
fn every_documented_error_is_in_the_table_with_its_name_number_and_advice() {
    let published = Code::ALL.iter().filter(|code| code.row().is_published);
    let mut published_rows: Vec<_> = published
        .map(|code| {
            let row = code.row();
            (
                row.surface,
                row.legacy,
                row.title,
                format!("{:?}", row.retry),
            )
        })
        .collect();
    let mut documented: Vec<_> = DOCUMENTED
        .iter()
        .map(|(surface, number, title, retry)| {
            (*surface, Some(*number), *title, format!("{retry:?}"))
        })
        .collect();
    published_rows.sort();
    documented.sort();
    assert_eq!(published_rows, documented);
}

#[test]
fn the_contract_violation_number_never_leaves_on_a_json_rpc_answer() {
    for code in Code::ALL {
        let row = code.row();
        if row.surface != Channel && *code != Code::HeaderMismatch {
            assert_ne!(row.legacy, Some(-32020), "{}", row.name);
            assert_ne!(row.modern, Some(-32020), "{}", row.name);
        }
        for endpoint in [
            Endpoint::Mcp,
            Endpoint::Ggui,
            Endpoint::Brain,
            Endpoint::Gate,
        ] {
            assert!(!endpoint.speaks(Channel));
        }
    }
}

#[test]
fn the_session_number_means_a_resource_or_a_session_and_only_in_the_legacy_era_a_resource() {
    let row = Code::ResourceNotFound.row();
    assert_eq!((row.legacy, row.modern), (Some(-32002), Some(-32602)));
}

#[test]
fn an_unknown_tool_has_a_number_per_era_and_is_never_a_404() {
    assert_eq!(Code::UnknownTool.row().modern, Some(-32602));
    assert_eq!(Code::UnknownTool.rpc_status(Era::Modern), 200);
    assert_eq!(Code::GateUnknownTool.rpc_status(Era::Modern), 200);
    for unknown in [Code::MethodNotFound, Code::GateMethodNotFound] {
        assert_eq!(unknown.rpc_status(Era::Modern), 404);
        assert_eq!(unknown.rpc_status(Era::Legacy), 200);
    }
}

#[test]
fn a_person_sees_a_sentence_and_never_a_code() {
    for (code, sentence) in [
        (
            Code::Unauthorized,
            "Authentication failed — contact support.",
        ),
        (
            Code::DoorRateLimited,
            "Too many requests — please slow down.",
        ),
        (Code::SessionNotFound, "Your session expired."),
        (
            Code::ProductionFailed,
            "We couldn't generate that UI — try a simpler request.",
        ),
        (Code::Draining, "The server is temporarily unavailable."),
        (Code::InvalidArguments, "Something went wrong."),
    ] {
        assert_eq!(code.row().sentence(), sentence);
    }
}

#[test]
fn every_failure_has_a_number_of_the_gate_s_own_there_or_one_of_the_protocol() {
    for code in Code::ALL {
        let there = code.at(Endpoint::Gate);
        let row = there.row();
        assert!(row.surface == Gate || there.is_of_protocol(), "{code:?}");
        assert!(there.number(Era::Modern, Endpoint::Gate).is_some());
        // Nobody is told to try again what will not succeed.
        let given = code.row().retry;
        assert!(given.is_allowed() || !row.retry.is_allowed(), "{code:?}");
    }
    let gate = |code: Code| code.at(Endpoint::Gate);
    assert_eq!(gate(Code::Unauthorized), Code::GateInvalidRequest);
    assert_eq!(gate(Code::DoorRateLimited), Code::GateRateLimited);
    assert_eq!(gate(Code::Draining), Code::GateUnavailable);
    assert_eq!(gate(Code::UnknownTool), Code::GateUnknownTool);
}
