//! The tool table: name, words for the model, and what hosts are told of each.

use serde_json::{Value, json};

use super::super::mcp::generic_uri;
use super::output::output_schema;
use super::schemas::shown;
use crate::domain::operation::OperationKind;
use crate::services::arguments::Arguments;

/// One tool.
pub(super) struct Row {
    pub(super) kind: OperationKind,
    title: &'static str,
    /// Written for a model: what it does, when to use it, what comes next.
    description: &'static str,
    /// Changes nothing.
    read_only: bool,
    /// The same call again changes nothing more.
    idempotent: bool,
    /// What hosts are told of UIs.
    ui: Ui,
}

/// What hosts are told of a tool and UIs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ui {
    /// Its result is shown.
    Shown,
    /// Only the shown UI calls it.
    AppOnly,
    /// Nothing.
    Plain,
}

/// Every tool, in the order in which clients list them.
pub(super) const TABLE: &[Row] = &[
    Row {
        kind: OperationKind::Handshake,
        title: "Negotiate a UI",
        description: "First step to show a person a UI. Give the intent and a data contract: \
            propsSpec.properties{name:{schema,required?}} is what you show, \
            actionSpec{name:{label,schema?,confirm?}} what the person can do, \
            streamSpec{channel:{schema,mode:append|replace,replay?,complete?}} live data, \
            contextSpec{slot:{schema,default?}} inputs you observe. Schemas are JSON Schema \
            draft 7; objects take only the keys they declare; $comment \
            \"ui: component=Board\" or \"ui: primary\" says how to draw. Returns a handshakeId (once, \
            ten minutes) for ggui_render. Of an unsound draft only what is sound is kept (origin \
            \"synth\", every problem in validationFindings); if nothing is, action is \"declined\".",
        read_only: false,
        idempotent: false,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::Render,
        title: "Show a UI",
        description: "Second step: put the negotiated UI in front of the person with its first \
            props. Returns the sessionId for every later call and a viewerUrl to hand to the \
            person if your client shows no UI. Problems with props leave the handshake \
            usable. If the UI has actions, call ggui_consume next.",
        read_only: false,
        idempotent: false,
        ui: Ui::Shown,
    },
    Row {
        kind: OperationKind::Update,
        title: "Show a new version",
        description: "Change the props of a shown UI as a new version: hosts show a new card and \
            keep the old one as history. kind \"merge\" takes an RFC 7396 patch, \"replace\" all \
            props. To repaint in place use ggui_amend.",
        read_only: false,
        idempotent: true,
        ui: Ui::Shown,
    },
    Row {
        kind: OperationKind::Amend,
        title: "Repaint in place",
        description: "Change the props of a shown UI in place: the person sees it at once, \
            nothing is added to the history. kind \"merge\" takes an RFC 7396 patch (arrays \
            replace), \"replace\" all props. Use it to answer a click.",
        read_only: false,
        idempotent: true,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::Consume,
        title: "Wait for the person",
        description: "Take what the person did since the last call, or wait for it: {intent, \
            actionData, uiContext, actionId}. Without after each event is given once; with it, \
            again until confirmed, marked redelivered. Repeat while status is \"active\".",
        read_only: false,
        idempotent: false,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::Emit,
        title: "Stream an item",
        description: "Send one item on a channel of streamSpec: log lines, samples, progress. \
            complete:true ends a channel that was declared with complete.",
        read_only: false,
        idempotent: false,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::RequestAuth,
        title: "Ask for consent",
        description: "Ask the person to consent elsewhere (OAuth): the UI shows a button to \
            authUrl (https). Their answer comes through ggui_consume as intent \"_ggui:auth\" with \
            {authRequestId, outcome: completed|cancelled}.",
        read_only: false,
        idempotent: false,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::GetSession,
        title: "Read a UI's state",
        description: "The state of a shown UI: its props, epoch, position, actions that wait, and \
            when it expires.",
        read_only: true,
        idempotent: true,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::GetRenderSource,
        title: "Read how a UI is made",
        description: "The view of a shown UI as JSON, its contract and its first props.",
        read_only: true,
        idempotent: true,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::ListSessions,
        title: "List shown UIs",
        description: "Your live sessions, newest first; a host that comes back filters by its \
            own names.",
        read_only: true,
        idempotent: true,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::SearchBlueprints,
        title: "Search stored UIs",
        description: "UIs rendered before, found by words of their intent or contract. Negotiating \
            the same contract again reuses one by itself.",
        read_only: true,
        idempotent: true,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::ListFeaturedBlueprints,
        title: "List proven UIs",
        description: "Stored UIs that were shown again, most often first.",
        read_only: true,
        idempotent: true,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::RenderBlueprint,
        title: "Read a stored UI",
        description: "View and contract of a stored UI; pass the contract to ggui_handshake to \
            show it.",
        read_only: true,
        idempotent: true,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::ListGadgets,
        title: "List browser abilities",
        description: "Packages a contract may name under clientCapabilities.gadgets.",
        read_only: true,
        idempotent: true,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::ListThemes,
        title: "List themes",
        description: "Looks to choose from with themeId of ggui_render.",
        read_only: true,
        idempotent: true,
        ui: Ui::Plain,
    },
    Row {
        kind: OperationKind::SubmitAction,
        title: "Submit an action",
        description: "For the shown UI only: hands in what the person did; never call it for them. Accepted once per actionId; answers {ok:false, code} when it does not fit \
            the contract.",
        read_only: false,
        idempotent: true,
        ui: Ui::AppOnly,
    },
    Row {
        kind: OperationKind::SyncContext,
        title: "Sync context slots",
        description: "For the shown UI only: what its context slots hold now.",
        read_only: false,
        idempotent: true,
        ui: Ui::AppOnly,
    },
    Row {
        kind: OperationKind::Pull,
        title: "Pull events",
        description: "For the shown UI only, where it has no other channel: rows of the session's \
            ledger after sinceSequence, waiting up to wait seconds for the first.",
        read_only: true,
        idempotent: true,
        ui: Ui::AppOnly,
    },
    Row {
        kind: OperationKind::RefreshWsToken,
        title: "Refresh a channel token",
        description: "For the shown UI only: a fresh token of the live channel for an old one.",
        read_only: true,
        idempotent: false,
        ui: Ui::AppOnly,
    },
    Row {
        kind: OperationKind::Note,
        title: "Report",
        description: "For the shown UI only: how it fares, for the server's log.",
        read_only: false,
        idempotent: false,
        ui: Ui::AppOnly,
    },
];

/// Who is told of the tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Audience {
    /// A client that shows UIs, or may: it hands them what only they call.
    Whole,
    /// A client that shows none: all it is told of, its model may call.
    Model,
}

impl Audience {
    /// The audience behind a client of which it is known at most whether it shows UIs.
    pub(in super::super) fn of(shows_ui: Option<bool>) -> Self {
        if shows_ui == Some(false) {
            Self::Model
        } else {
            Self::Whole
        }
    }
}

/// How many tools there are.
pub(in super::super) fn count() -> usize {
    TABLE.len()
}

/// `tools/list`.
pub(in super::super) fn list(arguments: &Arguments, audience: Audience) -> Value {
    let rows = TABLE.iter();
    let rows = rows.filter(|row| audience == Audience::Whole || row.ui != Ui::AppOnly);
    rows.map(|row| descriptor(row, arguments)).collect()
}

fn descriptor(row: &Row, arguments: &Arguments) -> Value {
    // What is the default of the protocol is not said again: every byte is in a model's context.
    let mut annotations = json!({ "openWorldHint": false });
    if row.read_only {
        annotations["readOnlyHint"] = true.into();
    } else {
        annotations["destructiveHint"] = false.into();
        if row.idempotent {
            annotations["idempotentHint"] = true.into();
        }
    }
    let mut tool = json!({
        "name": row.kind.tool(),
        "title": row.title,
        "description": row.description,
        "inputSchema": shown(arguments.schema(row.kind).clone()),
        "outputSchema": output_schema(row.kind),
        "annotations": annotations,
    });
    match row.ui {
        Ui::Plain => {}
        Ui::AppOnly => tool["_meta"] = json!({ "ui": { "visibility": ["app"] } }),
        Ui::Shown => {
            let uri = generic_uri();
            tool["_meta"] = json!({
                "ui": { "resourceUri": uri, "visibility": ["model"] },
                "ui/resourceUri": uri,
            });
        }
    }
    tool
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the agent's tools may take of a model's context.
    const LIST_BYTES_MAX: usize = 22_000;

    #[test]
    fn the_list_of_tools_stays_small_enough_for_a_model_s_context() {
        let arguments = Arguments::new();
        // What only a UI calls, hosts keep from the model.
        let rows = TABLE.iter().filter(|row| row.ui != Ui::AppOnly);
        let bytes: usize = rows
            .map(|row| descriptor(row, &arguments).to_string().len())
            .sum();
        assert!(bytes <= LIST_BYTES_MAX, "{bytes} bytes");
    }

    #[test]
    fn no_schema_of_a_tool_speaks_of_null() {
        let arguments = Arguments::new();
        for row in TABLE {
            let text = descriptor(row, &arguments).to_string();
            assert!(!text.contains("\"null\""), "{text}");
        }
    }

    #[test]
    fn a_tool_is_read_only_where_its_operation_only_looks() {
        for row in TABLE {
            assert_eq!(row.read_only, row.kind.is_read(), "{}", row.kind.tool());
            assert!(
                OperationKind::ALL.contains(&row.kind),
                "{}",
                row.kind.tool()
            );
        }
    }

    #[test]
    fn every_output_schema_is_open_at_the_root_and_allows_the_error() {
        for row in TABLE {
            let schema = output_schema(row.kind);
            assert_eq!(schema["type"], "object");
            assert!(schema.get("additionalProperties").is_none());
            assert_eq!(schema["anyOf"][1]["required"][0], "error");
            assert!(!schema.to_string().contains("$ref"));
            let error = json!({ "error": { "code": "x", "message": "y", "details": {} } });
            assert!(jsonschema::is_valid(&schema, &error), "{}", row.kind.tool());
        }
    }
}
