//! Where failures get their code: every error of the services, here and nowhere else.
#![deny(clippy::wildcard_enum_match_arm)]

use std::time::Duration;

use serde_json::{Value, json};

use super::fault::{ATTEMPT_WAIT, FULL_WAIT, Fault};
use crate::domain::contract::{GadgetProblem, failed_phase, violation_text};
use crate::domain::credentials::CredentialError;
use crate::domain::footprint::OverBudget;
use crate::domain::store_error::StoreError;
use crate::services::actions::ActionError;
use crate::services::arguments::{ArgumentsError, Problem};
use crate::services::content::{ContentError, Mismatch};
use crate::services::discovery::DiscoveryError;
use crate::services::dispatch::DispatchError;
use crate::services::limits::LimitExceeded;
use crate::services::live::{CursorError, LiveError, PageError};
use crate::services::mounts::MountError;
use crate::services::replay::ReplayError;
use crate::services::sessions::SessionError;
use crate::services::work::TooMuchWork;
use crate::wire::contract::{Finding, Severity, Violation};
use crate::wire::fault::Code;

/// How long a caller waits when the server cannot know how long.
const WAIT_UNKNOWN: Duration = Duration::from_secs(30);
/// How long a caller waits before it asks again for what could not be reached: long enough for a
/// connection to come back, short enough that nobody gives up.
const STORE_WAIT: Duration = Duration::from_secs(1);
/// Advice of violation frames and results.
const VIOLATION_HINT: &str = "Compare the value with the contract: names and schemas must match \
    exactly, and objects take only declared keys.";
/// Advice where a consume names an event that was never delivered.
const NEVER_DELIVERED: &str = "after: no event of this actionId was delivered in this session, or \
    so long ago that nobody remembers; give \"\" to get all that is not confirmed";

impl Fault {
    fn too_many_readers(max: usize) -> Self {
        let message = format!("{max} follow the session already, which is as many as may.");
        Self::saying(Code::SubscriberLimit, message).after(FULL_WAIT)
    }

    /// Why an operation failed, in words that name it.
    pub(crate) fn of_operation(tool: &str, error: DispatchError) -> Self {
        match error {
            DispatchError::Action(error) => Self::from_action(error, tool),
            DispatchError::Arguments(ArgumentsError { problems }) => {
                Self::unfit(tool, problems.iter().map(Problem::to_string).collect())
            }
            DispatchError::Brain(error) => error.into(),
            DispatchError::Credential(error) => error.into(),
            DispatchError::Content(error) => Self::from_content(error, tool),
            #[cfg(feature = "gate")]
            DispatchError::Gate(error) => Self::from_gate(error, tool),
            DispatchError::Live(PageError::Passed { current }) => {
                CursorError::Passed { current }.into()
            }
            DispatchError::Live(PageError::Unread { id, error }) => match error {
                LiveError::Full { max } => Self::too_many_readers(max),
                LiveError::Store(StoreError::Missing) => Self::session_gone(&id),
                LiveError::Store(error) => error.into(),
            },
            DispatchError::Mount(error) => Self::from_mount(error, tool),
            DispatchError::OverBudget(error) => error.into(),
            DispatchError::TooMuchWork(error) => error.into(),
            DispatchError::OutOfScope { needed, held } => Self::saying(
                Code::CapabilityDenied,
                format!("{tool} is outside the scopes of this credential."),
            )
            .with(json!({ "required_scopes": needed, "scopes": held })),
            DispatchError::Discovery(error) => Self::from_discovery(error),
            DispatchError::OutOfReach { needed, held } => Self::saying(
                Code::CapabilityDenied,
                format!(
                    "{tool} needs trust level {}; this key has {}.",
                    needed.0, held.0
                ),
            )
            .with(json!({ "required_level": needed.0, "trust_level": held.0 })),
            DispatchError::Replay(error) => Self::from_replay(error),
            DispatchError::Session(error) => Self::from_session(error),
            DispatchError::TooOften(LimitExceeded { wait }) => {
                Self::too_fast(Code::RateLimited, wait)
            }
            DispatchError::Unknown(name) => {
                Self::saying(Code::UnknownTool, format!("Unknown tool: {name}."))
            }
        }
    }

    fn from_replay(error: ReplayError) -> Self {
        match error {
            ReplayError::Full => Self::too_fast(Code::RateLimited, ATTEMPT_WAIT),
            ReplayError::InProgress => {
                let fault = Self::for_reason(Code::IdempotencyInProgress, None);
                fault.after(ATTEMPT_WAIT)
            }
            ReplayError::Reused => Self::for_reason(Code::IdempotencyKeyReused, None),
            ReplayError::Store(error) => error.into(),
        }
    }

    fn from_discovery(error: DiscoveryError) -> Self {
        match error {
            DiscoveryError::AppDenied { app } => Self::other_app(&app),
            DiscoveryError::BlueprintNotFound { id } => Self::saying(
                Code::BlueprintNotFound,
                format!("Blueprint \"{id}\" not found: look for one with ggui_search_blueprints."),
            ),
            DiscoveryError::SessionNotFound { id } => Self::session_gone(&id),
            DiscoveryError::Store(error) => error.into(),
        }
    }

    /// The request contradicts the app of its credential.
    pub(super) fn other_app(app: &str) -> Self {
        Self::saying(
            Code::AppAccessDenied,
            format!("app_access_denied: \"{app}\" is not the app of this credential."),
        )
    }

    fn from_gadgets(problem: GadgetProblem) -> Self {
        let (code, lines) = match problem {
            GadgetProblem::DuplicateHook(lines) => (Code::DuplicateGadgetHook, lines),
            GadgetProblem::NotRegistered(lines) => (Code::GadgetNotRegistered, lines),
            GadgetProblem::PackageMismatch(lines) => (Code::GadgetPackageMismatch, lines),
        };
        let row = code.row();
        let message = format!("{}: {}\n  - {}", row.word, row.text, lines.join("\n  - "));
        Self::saying(code, message).with(json!({ "gadgets": lines }))
    }

    fn from_session(error: SessionError) -> Self {
        match error {
            SessionError::HandshakesFull { max, wait } => Self::saying(
                Code::HandshakeLimit,
                format!("{max} handshakes are open: render some, or wait until one expires."),
            )
            .after(wait.unwrap_or(WAIT_UNKNOWN)),
            SessionError::NotFound { id } => Self::session_gone(&id),
            SessionError::Store(error) => error.into(),
        }
    }

    fn from_mount(error: MountError, tool: &str) -> Self {
        match error {
            MountError::AppMismatch => Self::of(Code::TenantMismatch),
            MountError::AuthFull { max } => Self::saying(
                Code::RateLimited,
                format!("{max} requests for consent wait for the person already."),
            )
            .after(WAIT_UNKNOWN),
            MountError::NotHttps { problem } => Self::unfit(tool, vec![problem]),
            MountError::SessionNotFound { id } => Self::session_gone(&id),
            MountError::Store(error) => error.into(),
            MountError::TooFast { wait } => Self::too_fast(Code::RateLimited, wait),
            MountError::TooLarge { problems } => Self::saying(
                Code::ContextTooLarge,
                format!("{tool}: the snapshot is too large: {}", problems.join("; ")),
            ),
            MountError::Violations(violations) => {
                let lines: Vec<_> = violations
                    .iter()
                    .map(|found| format!("{}: {}", found.field, found.message))
                    .collect();
                let message = format!("{tool} violates contextSpec: {}", lines.join("; "));
                Self::saying(Code::ContextSchemaViolation, message)
            }
        }
    }

    fn session_gone(id: &str) -> Self {
        Self::saying(
            Code::SessionNotFound,
            format!(
                "GguiSession \"{id}\" not found. It has expired or was never rendered: call \
                 ggui_handshake, then ggui_render, for a new one."
            ),
        )
    }

    fn from_content(error: ContentError, tool: &str) -> Self {
        match error {
            ContentError::ChannelNotCompletable { channel } => Self::saying(
                Code::ChannelNotCompletable,
                format!("Channel '{channel}' was not declared with complete: true."),
            ),
            ContentError::ChannelNotDeclared { channel, declared } => {
                let names = if declared.is_empty() {
                    "none".into()
                } else {
                    declared.join(", ")
                };
                let message = format!(
                    "Channel '{channel}' is not declared on the GguiSession's streamSpec. \
                     Declared channels: [{names}]"
                );
                Self::saying(Code::ChannelNotDeclared, message)
                    .with(json!({ "declared": declared }))
            }
            ContentError::Gadgets(problem) => Self::from_gadgets(problem),
            ContentError::HandshakeNotFound { id } => Self::saying(
                Code::HandshakeNotFound,
                format!(
                    "{tool}: handshakeId \"{id}\" not found. Its draft was declined, or it is \
                     unknown, expired or already used: call ggui_handshake again and render with \
                     the new id."
                ),
            ),
            ContentError::OverrideUnsound(findings) => {
                let message = format!(
                    "override_contract_invalid: Contract validation failed at phase '{}': {}",
                    failed_phase(&findings),
                    findings_text(&findings)
                );
                Self::saying(Code::ContractValidationFailed, message)
                    .with(json!({ "findings": findings }))
            }
            ContentError::SchemaMismatch(mismatches) => {
                let lines: Vec<_> = mismatches
                    .iter()
                    .map(|Mismatch { action, tool, problem }| {
                        format!(
                            "- action \"{action}\" (tool \"{tool}\") — schema mismatch — {problem}"
                        )
                    })
                    .collect();
                let message = format!(
                    "{tool}: SCHEMA_MISMATCH_ERROR — {} finding(s)\n{}",
                    lines.len(),
                    lines.join("\n")
                );
                Self::saying(Code::SchemaMismatch, message)
            }
            ContentError::SessionNotFound { id } => Self::session_gone(&id),
            ContentError::NoModel => Self::of_no_model(tool),
            ContentError::Undrawn(reason) => Self::of_undrawn(tool, &reason),
            ContentError::SessionsFull { max } => Self::saying(
                Code::SessionLimit,
                format!("{max} sessions are open: wait until some have expired."),
            ),
            ContentError::Store(error) => error.into(),
            ContentError::ThemeUnknown { id, known } => {
                let mut violation = Violation::new(
                    "themeId",
                    format!("there is no theme \"{id}\"; ggui_list_themes lists them"),
                );
                violation.expected = Some(known.join("|"));
                violation.received = Some(id);
                Self::violations(tool, &[violation], None)
            }
            ContentError::TooFast { wait } => Self::too_fast(Code::RateLimited, wait),
            ContentError::VersionConflict { current, expected } => Self::saying(
                Code::VersionConflict,
                format!(
                    "{tool}: the props are at version {current}, not at {expected}; nothing was \
                     changed. Read them with ggui_get_session and try again."
                ),
            )
            .with(json!({ "current_version": current, "expected_version": expected })),
            ContentError::Violations {
                violations,
                props_schema_hash,
            } => Self::violations(tool, &violations, props_schema_hash),
        }
    }

    fn violations(tool: &str, violations: &[Violation], props_schema: Option<String>) -> Self {
        let mut details = violation_details(tool, violations);
        if let Some(hash) = props_schema {
            details["propsSchemaHash"] = hash.into();
        }
        Self::saying(Code::ContractViolation, violation_text(tool, violations)).with(details)
    }

    /// Arguments a tool cannot work with: all that is wrong with them.
    fn unfit(tool: &str, problems: Vec<String>) -> Self {
        let lines: Vec<_> = problems.iter().map(|line| format!("- {line}")).collect();
        let message = format!("Invalid arguments for {tool}:\n{}", lines.join("\n"));
        Self::saying(Code::InvalidArguments, message).with(json!({ "problems": problems }))
    }

    fn from_action(error: ActionError, tool: &str) -> Self {
        match error {
            ActionError::InboxFull { waiting } => Self::saying(
                Code::RateLimited,
                format!("{waiting} actions wait for the agent; it has to take some first."),
            )
            .after(Duration::from_secs(1)),
            ActionError::NeverDelivered => Self::unfit(tool, vec![NEVER_DELIVERED.to_owned()]),
            ActionError::SessionNotFound { id } => Self::session_gone(&id),
            ActionError::Store(error) => error.into(),
            ActionError::Violations(violations) => {
                Self::saying(Code::ContractViolation, violation_text(tool, &violations))
                    .with(violation_details(tool, &violations))
            }
        }
    }
}

fn violation_details(tool: &str, violations: &[Violation]) -> Value {
    json!({
        "error": Code::ContractViolation.row().word,
        "tool": tool,
        "violations": violations,
        "hint": VIOLATION_HINT,
    })
}

/// What refused a contract, on one line (contract.md §4.3).
fn findings_text(findings: &[Finding]) -> String {
    let errors = findings
        .iter()
        .filter(|found| found.severity == Severity::Error);
    let texts: Vec<_> = errors
        .map(|finding| format!("[{}] {}: {}", finding.code, finding.path, finding.message))
        .collect();
    texts.join(" | ")
}

impl From<OverBudget> for Fault {
    fn from(OverBudget { wait, .. }: OverBudget) -> Self {
        Self::saying(
            Code::MemoryLimit,
            "The server holds as much as it may: what is there can be read, consumed and deleted; \
             nothing can be added until something has gone.",
        )
        .after(wait)
    }
}

impl From<TooMuchWork> for Fault {
    fn from(TooMuchWork { queued, wait }: TooMuchWork) -> Self {
        let message = format!("{queued} requests of this caller wait for their turn already.");
        Self::saying(Code::WorkLimit, message).after(wait)
    }
}

impl From<CredentialError> for Fault {
    fn from(error: CredentialError) -> Self {
        match error {
            CredentialError::RefreshClosed => Self::of(Code::RefreshWindowClosed),
            CredentialError::Refused => Self::of(Code::Unauthorized),
            CredentialError::TokenExpired => Self::of(Code::BootstrapExpired),
            CredentialError::TokenInvalid => Self::of(Code::BootstrapInvalid),
        }
    }
}

/// What could not be read. What is missing may be another's, too.
impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        let fault = match &error {
            StoreError::Missing => return Self::of(Code::SessionNotFound),
            StoreError::Conflict | StoreError::Full { .. } => Self::of(Code::Internal),
            StoreError::Unavailable { .. } => {
                let message = format!(
                    "The server cannot reach what it keeps — retry after {}ms.",
                    STORE_WAIT.as_millis()
                );
                Self::saying(Code::StoreUnavailable, message).after(STORE_WAIT)
            }
        };
        Self {
            source: Some(error.to_string()),
            ..fault
        }
    }
}

impl From<LiveError> for Fault {
    fn from(error: LiveError) -> Self {
        match error {
            LiveError::Full { max } => Self::too_many_readers(max),
            LiveError::Store(error) => error.into(),
        }
    }
}

impl From<CursorError> for Fault {
    fn from(error: CursorError) -> Self {
        match error {
            CursorError::Malformed => Self::of(Code::InvalidSinceSequence),
            CursorError::Passed { current } => {
                Self::of(Code::ReplayHorizonPassed).with(json!({ "currentSequence": current }))
            }
        }
    }
}
