//! The closed list of fault codes and their row: data only. Numbers live here and nowhere else.

use std::borrow::Cow;

use serde::Serialize;

/// Which rules a request is answered by (ruling 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Era {
    /// `initialize` and revisions up to 2025-11-25; all seed clients.
    Legacy,
    /// The stateless revision 2026-07-28.
    Modern,
}

/// Which registry of numbers an address may speak (integration.md §4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endpoint {
    /// `/mcp` and `/apps/{appId}/mcp`: the ggui registry.
    Mcp,
}

/// Who raises a fault; a number means something only together with its surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    /// Frames of the live channel.
    Channel,
    /// Sessions, handshakes, apps.
    Ggui,
    /// The door: what is answered before the body is read.
    Http,
    /// The JSON-RPC envelope.
    Jsonrpc,
    /// `resources/read`.
    Resource,
}

/// What the caller may do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Retry {
    /// The same request may succeed later.
    Backoff,
    /// The same request may succeed after the time told.
    AfterTold,
    /// Never with the same request: fix it first.
    Fix,
    /// Never: the configuration has to change.
    Never,
    /// Negotiate and render again: what was named is gone.
    Rehandshake,
}

/// One kind of failure. The variant is the identity; [`Code::row`] is everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// The app addressed is not the credential's.
    AppForbidden,
    /// A request's `appId` contradicts its credential (live channel).
    AppMismatch,
    /// A request's `appId` contradicts its ws token.
    BootstrapAppMismatch,
    /// The ws token has expired.
    BootstrapExpired,
    /// The ws token is not one of ours.
    BootstrapInvalid,
    /// The ws token belongs to another session.
    BootstrapSessionMismatch,
    /// The credential does not reach that far.
    CapabilityDenied,
    /// A value does not fit the contract, on a tool call.
    ContractViolation,
    /// A value does not fit the contract, on the live channel.
    ContractViolationFrame,
    /// The contract itself is not sound.
    ContractValidationFailed,
    /// The channel is not in the session's streamSpec.
    ChannelNotDeclared,
    /// `complete` on a channel that has no end.
    ChannelNotCompletable,
    /// The server is shutting down.
    Draining,
    /// The handshake is unknown, expired, consumed or another app's.
    HandshakeNotFound,
    /// Too many open handshakes.
    HandshakeLimit,
    /// Headers and body disagree.
    HeaderMismatch,
    /// Something of ours broke.
    Internal,
    /// Something of ours broke while a frame was answered.
    InternalFrame,
    /// The action envelope is malformed.
    InvalidActionKind,
    /// Arguments do not fit the tool's input schema.
    InvalidArguments,
    /// A Host header that is not ours.
    InvalidHost,
    /// A frame is not JSON.
    InvalidJson,
    /// A frame is no message.
    InvalidMessage,
    /// An Origin that is not allowed.
    InvalidOrigin,
    /// Parameters of a method are malformed.
    InvalidParams,
    /// Not a JSON-RPC message.
    InvalidRequest,
    /// The client did not declare a capability that the request needs.
    MissingCapability,
    /// Unknown method.
    MethodNotFound,
    /// A verb the address does not know.
    MethodNotAllowed,
    /// Neither offered media type is accepted.
    NotAcceptable,
    /// No such page.
    NotFound,
    /// An action before a subscription.
    NotSubscribed,
    /// The body is not JSON.
    ParseError,
    /// The body is larger than allowed.
    PayloadTooLarge,
    /// The session behind an action is gone.
    PipeNotFound,
    /// A limit on single operations.
    RateLimited,
    /// A limit on frames.
    RateLimitedFrame,
    /// The body did not come in time.
    RequestTimeout,
    /// A resource uri that names nothing this server can name.
    ResourceMalformed,
    /// A resource that is gone, where nothing durable is kept.
    ResourceNotSupported,
    /// An action does not fit the tool of this server it names.
    SchemaMismatch,
    /// Too many sessions.
    SessionLimit,
    /// The frame names another session than the subscription.
    SessionMismatch,
    /// The session is unknown, expired or another app's.
    SessionNotFound,
    /// The session behind a subscription is gone.
    SessionNotFoundFrame,
    /// No or bad credential.
    Unauthorized,
    /// A subscription without credential.
    UnauthenticatedFrame,
    /// A tool that does not exist.
    UnknownTool,
    /// The body has another media type.
    UnsupportedMediaType,
    /// A frame of an unknown type.
    UnsupportedMessage,
    /// A protocol revision this server does not speak.
    UnsupportedProtocolVersion,
    /// No common draft of the live channel.
    UpgradeRequired,
}

/// Everything that is told about a [`Code`].
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Row {
    /// Unique name over all surfaces; `data.code` of JSON-RPC errors.
    pub name: &'static str,
    /// The word results and frames carry: the seed's class in tool results, the frame's code.
    pub word: &'static str,
    /// Who raises it.
    pub surface: Surface,
    /// JSON-RPC number up to 2025-11-25.
    pub legacy: Option<i32>,
    /// JSON-RPC number on 2026-07-28.
    pub modern: Option<i32>,
    /// HTTP status where HTTP speaks; its name is the `status` of tool results (seed 003).
    pub status: u16,
    /// What the caller may do.
    pub retry: Retry,
    /// What happened, for a developer.
    pub text: &'static str,
}

/// HTTP status of a JSON-RPC error that is an answer to a call.
const ANSWERED: u16 = 200;

/// A row whose number does not depend on the era.
const fn row(
    name: &'static str,
    word: &'static str,
    surface: Surface,
    number: Option<i32>,
    status: u16,
    retry: Retry,
    text: &'static str,
) -> Row {
    Row {
        name,
        word,
        surface,
        legacy: number,
        modern: number,
        status,
        retry,
        text,
    }
}

impl Code {
    /// Every code, in the order of the enum.
    pub const ALL: &'static [Code] = &[
        Code::AppForbidden,
        Code::AppMismatch,
        Code::BootstrapAppMismatch,
        Code::BootstrapExpired,
        Code::BootstrapInvalid,
        Code::BootstrapSessionMismatch,
        Code::CapabilityDenied,
        Code::ContractViolation,
        Code::ContractViolationFrame,
        Code::ContractValidationFailed,
        Code::ChannelNotDeclared,
        Code::ChannelNotCompletable,
        Code::Draining,
        Code::HandshakeNotFound,
        Code::HandshakeLimit,
        Code::HeaderMismatch,
        Code::Internal,
        Code::InternalFrame,
        Code::InvalidActionKind,
        Code::InvalidArguments,
        Code::InvalidHost,
        Code::InvalidJson,
        Code::InvalidMessage,
        Code::InvalidOrigin,
        Code::InvalidParams,
        Code::InvalidRequest,
        Code::MissingCapability,
        Code::MethodNotFound,
        Code::MethodNotAllowed,
        Code::NotAcceptable,
        Code::NotFound,
        Code::NotSubscribed,
        Code::ParseError,
        Code::PayloadTooLarge,
        Code::PipeNotFound,
        Code::RateLimited,
        Code::RateLimitedFrame,
        Code::RequestTimeout,
        Code::ResourceMalformed,
        Code::ResourceNotSupported,
        Code::SchemaMismatch,
        Code::SessionLimit,
        Code::SessionMismatch,
        Code::SessionNotFound,
        Code::SessionNotFoundFrame,
        Code::Unauthorized,
        Code::UnauthenticatedFrame,
        Code::UnknownTool,
        Code::UnsupportedMediaType,
        Code::UnsupportedMessage,
        Code::UnsupportedProtocolVersion,
        Code::UpgradeRequired,
    ];

    /// The row of this code.
    #[rustfmt::skip]
    pub const fn row(self) -> Row {
        use Retry::{AfterTold, Backoff, Fix, Never, Rehandshake};
        use Surface::{Channel, Ggui, Http, Jsonrpc, Resource};
        match self {
            Code::AppForbidden => row("APP_FORBIDDEN", "forbidden", Http, Some(-32000), 403, Never, "this credential does not open that app"),
            Code::AppMismatch => row("APP_MISMATCH", "APP_MISMATCH", Channel, None, 403, Never, "the appId contradicts the credential"),
            Code::BootstrapAppMismatch => row("BOOTSTRAP_APP_MISMATCH", "BOOTSTRAP_APP_MISMATCH", Channel, None, 401, Never, "the wsToken belongs to another app"),
            Code::BootstrapExpired => row("BOOTSTRAP_EXPIRED", "BOOTSTRAP_EXPIRED", Channel, None, 410, Fix, "the wsToken has expired; refresh it"),
            Code::BootstrapInvalid => row("BOOTSTRAP_INVALID", "BOOTSTRAP_INVALID", Channel, None, 401, Never, "the wsToken is not valid"),
            Code::BootstrapSessionMismatch => row("BOOTSTRAP_SESSION_MISMATCH", "BOOTSTRAP_SESSION_MISMATCH", Channel, None, 401, Never, "the wsToken belongs to another session"),
            Code::CapabilityDenied => row("CAPABILITY_DENIED", "capability_denied", Ggui, Some(-32005), 403, Never, "this credential does not reach that far"),
            Code::ContractViolation => row("GGUI_CONTRACT_VIOLATION", "contract_violation", Ggui, None, 422, Fix, "a value does not fit the contract"),
            Code::ContractViolationFrame => row("CONTRACT_VIOLATION", "CONTRACT_VIOLATION", Channel, Some(-32020), 422, Fix, "the action does not fit the contract"),
            Code::ContractValidationFailed => row("CONTRACT_VALIDATION_FAILED", "contract_validation_failed", Ggui, None, 422, Fix, "the contract is not sound"),
            Code::ChannelNotDeclared => row("CHANNEL_NOT_DECLARED", "channel_not_declared", Ggui, None, 422, Fix, "the channel is not declared"),
            Code::ChannelNotCompletable => row("CHANNEL_NOT_COMPLETABLE", "channel_not_completable", Ggui, None, 422, Fix, "the channel was not declared with complete: true"),
            Code::Draining => row("UNAVAILABLE", "unavailable", Http, Some(-32000), 503, AfterTold, "the server is shutting down"),
            Code::HandshakeNotFound => row("HANDSHAKE_NOT_FOUND", "handshake_not_found", Ggui, None, 404, Rehandshake, "the handshake is gone"),
            Code::HandshakeLimit => row("HANDSHAKE_LIMIT", "handshake_limit", Ggui, Some(-32013), 429, AfterTold, "too many open handshakes"),
            Code::HeaderMismatch => row("HEADER_MISMATCH", "header_mismatch", Jsonrpc, Some(-32020), 400, Fix, "headers and body disagree"),
            Code::Internal => row("INTERNAL_ERROR", "internal_error", Jsonrpc, Some(-32603), 500, Backoff, "internal error"),
            Code::InternalFrame => row("INTERNAL_FRAME", "INTERNAL", Channel, None, 500, Backoff, "internal error"),
            Code::InvalidActionKind => row("INVALID_ACTION_KIND", "INVALID_ACTION_KIND", Ggui, None, 422, Fix, "the action envelope is malformed"),
            Code::InvalidArguments => row("INVALID_ARGUMENTS", "invalid_arguments", Jsonrpc, Some(-32602), 422, Fix, "the arguments do not fit the input schema"),
            Code::InvalidHost => row("INVALID_HOST", "invalid_host", Http, Some(-32000), 403, Never, "the Host header is not one of this server's names"),
            Code::InvalidJson => row("INVALID_JSON", "INVALID_JSON", Channel, None, 400, Fix, "the frame is not JSON"),
            Code::InvalidMessage => row("INVALID_MESSAGE", "INVALID_MESSAGE", Channel, None, 400, Fix, "the frame is not a message"),
            Code::InvalidOrigin => row("INVALID_ORIGIN", "invalid_origin", Http, Some(-32000), 403, Never, "the Origin is not allowed"),
            Code::InvalidParams => row("INVALID_PARAMS", "invalid_params", Jsonrpc, Some(-32602), 400, Fix, "the parameters are malformed"),
            Code::InvalidRequest => row("INVALID_REQUEST", "invalid_request", Jsonrpc, Some(-32600), 400, Fix, "not a JSON-RPC message"),
            Code::MissingCapability => row("MISSING_CLIENT_CAPABILITY", "missing_client_capability", Jsonrpc, Some(-32021), 400, Fix, "the client did not declare a capability that this request needs"),
            Code::MethodNotFound => row("METHOD_NOT_FOUND", "method_not_found", Jsonrpc, Some(-32601), 404, Fix, "unknown method"),
            Code::MethodNotAllowed => row("METHOD_NOT_ALLOWED", "method_not_allowed", Http, Some(-32000), 405, Fix, "method not allowed"),
            Code::NotAcceptable => row("NOT_ACCEPTABLE", "not_acceptable", Http, Some(-32000), 406, Fix, "accept application/json or text/event-stream"),
            Code::NotFound => row("NOT_FOUND", "not_found", Http, Some(-32000), 404, Fix, "no such page"),
            Code::NotSubscribed => row("NOT_SUBSCRIBED", "NOT_SUBSCRIBED", Channel, None, 400, Fix, "subscribe first"),
            Code::ParseError => row("PARSE_ERROR", "parse_error", Jsonrpc, Some(-32700), 400, Fix, "the body is not JSON"),
            Code::PayloadTooLarge => row("PAYLOAD_TOO_LARGE", "payload_too_large", Http, Some(-32000), 413, Fix, "the body is too large"),
            Code::PipeNotFound => row("PIPE_NOT_FOUND", "PIPE_NOT_FOUND", Ggui, None, 404, Rehandshake, "the session is gone"),
            Code::RateLimited => row("RATE_LIMIT_EXCEEDED", "rate_limited", Ggui, Some(-32013), 429, AfterTold, "too many calls"),
            Code::RateLimitedFrame => row("RATE_LIMITED", "RATE_LIMITED", Channel, None, 429, AfterTold, "too many actions"),
            Code::RequestTimeout => row("REQUEST_TIMEOUT", "request_timeout", Http, Some(-32000), 408, Backoff, "the request did not come in time"),
            Code::ResourceMalformed => row("RESOURCE_MALFORMED", "", Resource, Some(-32602), 404, Fix, "no such resource"),
            Code::ResourceNotSupported => row("RESOURCE_NOT_SUPPORTED", "NOT_SUPPORTED", Resource, Some(-32006), 404, Rehandshake, "This server keeps no durable record of renders."),
            Code::SchemaMismatch => row("SCHEMA_MISMATCH_ERROR", "schema_mismatch_error", Ggui, None, 422, Fix, "an action does not fit the tool it names"),
            Code::SessionLimit => row("CONCURRENT_SESSION_LIMIT", "concurrent_session_limit", Ggui, Some(-32012), 429, Backoff, "too many sessions"),
            Code::SessionMismatch => row("SESSION_MISMATCH", "SESSION_MISMATCH", Channel, None, 400, Fix, "the frame names another session"),
            Code::SessionNotFound => row("SESSION_NOT_FOUND", "session_not_found", Ggui, Some(-32002), 404, Rehandshake, "the session is gone"),
            Code::SessionNotFoundFrame => row("CHANNEL_SESSION_NOT_FOUND", "SESSION_NOT_FOUND", Channel, None, 404, Rehandshake, "the session is gone"),
            Code::Unauthorized => row("UNAUTHORIZED", "unauthorized", Http, Some(-32001), 401, Never, "no valid credential"),
            Code::UnauthenticatedFrame => row("UNAUTHENTICATED", "UNAUTHENTICATED", Channel, None, 401, Never, "the subscription carries no valid credential"),
            Code::UnknownTool => Row { modern: Some(-32602), ..row("UNKNOWN_TOOL", "unknown_tool", Ggui, Some(-32601), 404, Fix, "unknown tool") },
            Code::UnsupportedMediaType => row("UNSUPPORTED_MEDIA_TYPE", "unsupported_media_type", Http, Some(-32000), 415, Fix, "send application/json"),
            Code::UnsupportedMessage => row("UNSUPPORTED_MESSAGE", "UNSUPPORTED_MESSAGE", Channel, None, 400, Fix, "unknown frame type"),
            Code::UnsupportedProtocolVersion => row("UNSUPPORTED_PROTOCOL_VERSION", "unsupported_protocol_version", Jsonrpc, Some(-32022), 400, Fix, "unsupported protocol version"),
            Code::UpgradeRequired => row("UPGRADE_REQUIRED", "UPGRADE_REQUIRED", Channel, None, 400, Never, "no common version of the live channel"),
        }
    }

    /// The JSON-RPC number an endpoint speaks for this code in an era; `None` where the code never
    /// leaves as a JSON-RPC error.
    pub const fn number(self, era: Era, endpoint: Endpoint) -> Option<i32> {
        match (endpoint, era) {
            (Endpoint::Mcp, Era::Legacy) => self.row().legacy,
            (Endpoint::Mcp, Era::Modern) => self.row().modern,
        }
    }

    /// The HTTP status of a JSON-RPC error with this code: refusals at the door keep theirs, an
    /// answer to a call is 200, and only the modern era says 404 to an unknown method.
    pub const fn rpc_status(self, era: Era) -> u16 {
        match (self, era) {
            (Code::MethodNotFound | Code::InvalidParams, Era::Legacy)
            | (Code::InvalidArguments, _) => ANSWERED,
            _ => match self.row().surface {
                Surface::Http | Surface::Jsonrpc => self.row().status,
                Surface::Channel | Surface::Ggui | Surface::Resource => ANSWERED,
            },
        }
    }
}

/// The canonical name of an HTTP status (seed 003).
pub fn status_word(status: u16) -> Cow<'static, str> {
    Cow::Borrowed(match status {
        400 => "BAD_REQUEST",
        401 => "UNAUTHORIZED",
        402 => "PAYMENT_REQUIRED",
        403 => "FORBIDDEN",
        404 => "NOT_FOUND",
        405 => "METHOD_NOT_ALLOWED",
        408 => "REQUEST_TIMEOUT",
        409 => "CONFLICT",
        410 => "GONE",
        413 => "PAYLOAD_TOO_LARGE",
        415 => "UNSUPPORTED_MEDIA_TYPE",
        422 => "INVALID_ARGUMENTS",
        429 => "RATE_LIMITED",
        500 => "INTERNAL_ERROR",
        501 => "NOT_IMPLEMENTED",
        502 => "UPSTREAM_ERROR",
        503 => "UNAVAILABLE",
        504 => "UPSTREAM_TIMEOUT",
        other => return Cow::Owned(format!("HTTP_{other}")),
    })
}

/// Why the server ends a socket: code and reason (live-channel §1.6, rulings 29 and 33).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    /// The frame before the subscription was too large.
    PreSubscribePayloadExceeded,
    /// Nothing was subscribed in time.
    PreSubscribeIdleTimeout,
    /// Too many sockets wait for a subscription.
    PreSubscribeCeiling,
    /// The reader does not keep up.
    SlowConsumer,
    /// The session has ended.
    SessionExpired,
    /// The server restarts; come back at once.
    ServiceRestart,
    /// The client speaks no draft this server speaks.
    UpgradeRequired,
}

impl Close {
    /// Close code and reason string.
    pub const fn wire(self) -> (u16, &'static str) {
        match self {
            Close::PreSubscribePayloadExceeded => (1009, "pre_subscribe_payload_exceeded"),
            Close::PreSubscribeIdleTimeout => (1008, "pre_subscribe_idle_timeout"),
            Close::PreSubscribeCeiling => (1013, "pre_subscribe_connection_ceiling"),
            Close::SlowConsumer => (1013, "slow_consumer"),
            Close::SessionExpired => (1008, "session_expired"),
            Close::ServiceRestart => (1012, "service_restart"),
            Close::UpgradeRequired => (1000, "upgrade_required"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Code, Era, Surface};

    #[test]
    fn every_code_is_listed_once_and_has_a_name_of_its_own() {
        let names: BTreeSet<_> = Code::ALL.iter().map(|code| code.row().name).collect();
        assert_eq!(names.len(), Code::ALL.len());
    }

    #[test]
    fn the_seed_s_numbers_are_spoken_as_documented() {
        let number = |code: Code| code.row().legacy;
        assert_eq!(number(Code::ParseError), Some(-32700));
        assert_eq!(number(Code::InvalidRequest), Some(-32600));
        assert_eq!(number(Code::UnknownTool), Some(-32601));
        assert_eq!(number(Code::InvalidArguments), Some(-32602));
        assert_eq!(number(Code::Internal), Some(-32603));
        assert_eq!(number(Code::Unauthorized), Some(-32001));
        assert_eq!(number(Code::SessionNotFound), Some(-32002));
        assert_eq!(number(Code::CapabilityDenied), Some(-32005));
        assert_eq!(number(Code::SessionLimit), Some(-32012));
        assert_eq!(number(Code::RateLimited), Some(-32013));
        assert_eq!(number(Code::ContractViolationFrame), Some(-32020));
    }

    #[test]
    fn the_contract_violation_number_never_leaves_on_a_json_rpc_answer() {
        for code in Code::ALL {
            let row = code.row();
            if row.surface != Surface::Channel && *code != Code::HeaderMismatch {
                assert_ne!(row.legacy, Some(-32020), "{}", row.name);
                assert_ne!(row.modern, Some(-32020), "{}", row.name);
            }
        }
    }

    #[test]
    fn an_unknown_tool_has_a_number_per_era_and_is_never_a_404() {
        assert_eq!(Code::UnknownTool.row().modern, Some(-32602));
        assert_eq!(Code::UnknownTool.rpc_status(Era::Modern), 200);
        assert_eq!(Code::MethodNotFound.rpc_status(Era::Modern), 404);
        assert_eq!(Code::MethodNotFound.rpc_status(Era::Legacy), 200);
    }
}
