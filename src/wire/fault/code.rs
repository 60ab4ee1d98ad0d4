//! The fault table: one row per code, and the only place where numbers are defined.

use super::close::Close;
use super::row::Retry::{
    AfterDelay, AfterRestore, Backoff, Fix, Never, Rebase, Rehandshake, Resubmit, Simplify,
};
use super::row::Surface::{Brain, Channel, Gate, Ggui, Http, Jsonrpc, Resource, Rest};
use super::row::{Endpoint, Era, Retry, Surface};

/// Everything that is told about a code.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Unique name over all surfaces; `data.code` of JSON-RPC errors.
    pub name: &'static str,
    /// The word results and frames carry: the class in tool results, the code in frames
    /// (errors.md §3.1).
    pub word: &'static str,
    /// Who raises it.
    pub surface: Surface,
    /// JSON-RPC number up to 2025-11-25.
    pub legacy: Option<i32>,
    /// JSON-RPC number on 2026-07-28.
    pub modern: Option<i32>,
    /// HTTP status where HTTP speaks; its name is the `status` of tool results (errors.md §4.2).
    pub status: u16,
    /// How a socket ends after it, where it does.
    pub close: Option<Close>,
    /// What the caller may do.
    pub retry: Retry,
    /// The name a table of errors gives it.
    pub title: &'static str,
    /// Whether clients are written against its name, number and advice: then they never change.
    pub is_published: bool,
    /// What happened, for a developer.
    pub text: &'static str,
    /// What differs where it shows.
    pub looks: Looks,
}

/// What differs of a failure where it shows; where there is nothing, the code shows as it is.
#[derive(Clone, Copy, Debug)]
pub struct Looks {
    /// The code in frames of the live channel, and in results that fail in band.
    pub frame: Option<Code>,
    /// The code in other results of tools.
    pub tool: Option<Code>,
    /// The code of a resource.
    pub resource: Option<Code>,
    /// Code and words of the REST interface.
    pub rest: Option<(Code, &'static str)>,
    /// The words on the plain HTTP addresses of the live channel.
    pub http: Option<&'static str>,
    /// The reason that a page gives its script.
    pub page: Option<&'static str>,
    /// The code where only the page store's numbers are used.
    pub brain: Option<Code>,
}

impl Row {
    /// What a person is told: never a code.
    pub const fn sentence(&self) -> &'static str {
        match (self.status, self.retry) {
            (401, _) => "Authentication failed — contact support.",
            (429, _) => "Too many requests — please slow down.",
            (_, Retry::Rehandshake) => "Your session expired.",
            (_, Retry::Simplify) => "We couldn't generate that UI — try a simpler request.",
            (500.., _) => "The server is temporarily unavailable.",
            _ => "Something went wrong.",
        }
    }
}

/// HTTP status of a JSON-RPC error that answers a call.
const ANSWERED: u16 = 200;

/// The numbers for revisions up to 2025-11-25 and for 2026-07-28.
type Numbers = (Option<i32>, Option<i32>);
/// The code is never sent as a JSON-RPC error.
const NONE: Numbers = (None, None);

/// The same number in both eras.
const fn n(number: i32) -> Numbers {
    (Some(number), Some(number))
}

/// A different number in each era.
const fn eras(legacy: i32, modern: i32) -> Numbers {
    (Some(legacy), Some(modern))
}

const fn is_published(origin: &str) -> bool {
    matches!(origin.as_bytes(), b"published")
}

const fn first(codes: &[Code]) -> Option<Code> {
    codes.first().copied()
}

const fn text(texts: &[&'static str]) -> Option<&'static str> {
    texts.first().copied()
}

/// The columns are: code: origin, name, word, surface, number, status, retry, title, text.
/// `published` rows are part of the documents that clients are written against; `own` rows belong
/// to this server. After the text comes what differs where the failure shows: how it `closes` a socket; the code that `frames`,
/// `tools` and `resources` have for it; code and words of the `rest` interface; its words on the
/// plain HTTP addresses of the live channel (`http`); its reason on a page (`pages`); the code where
/// only the numbers of the page store are used (`brain`). A place that
/// is not named shows the code itself.
macro_rules! table {
    ($($code:ident: $origin:ident, $name:literal, $word:literal, $surface:ident, $number:expr,
       $status:literal, $retry:ident, $title:literal, $text:literal $(, closes $close:ident)?
       $(, frames $frame:ident)? $(, tools $tool:ident)? $(, resources $resource:ident)?
       $(, rest $rest:ident $said:literal)? $(, http $http:literal)? $(, pages $page:literal)?
       $(, brain $brain:ident)?;)*) => {
        /// One kind of failure. The variant is the identity; [`Code::row`] is everything else.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $(#[doc = $text] $code,)*
        }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Code] = &[$(Code::$code,)*];

            /// The row of this code.
            pub const fn row(self) -> Row {
                match self {
                    $(Code::$code => {
                        let (legacy, modern) = $number;
                        let closes: &[Close] = &[$(Close::$close)?];
                        Row {
                            name: $name, word: $word, surface: $surface, legacy, modern,
                            status: $status, close: closes.first().copied(), retry: $retry, title: $title,
                            is_published: is_published(stringify!($origin)), text: $text,
                            looks: Looks {
                                frame: first(&[$(Code::$frame)?]),
                                tool: first(&[$(Code::$tool)?]),
                                resource: first(&[$(Code::$resource)?]),
                                rest: match (first(&[$(Code::$rest)?]), text(&[$($said)?])) {
                                    (Some(code), Some(said)) => Some((code, said)),
                                    _ => None,
                                },
                                http: text(&[$($http)?]),
                                page: text(&[$($page)?]),
                                brain: first(&[$(Code::$brain)?]),
                            },
                        }
                    })*
                }
            }
        }
    };
}

table! {
    // The JSON-RPC envelope.
    ParseError: published, "PARSE_ERROR", "parse_error", Jsonrpc, n(-32700), 400, Fix, "Parse Error", "the body is not JSON", brain BrainParseError;
    InvalidRequest: published, "INVALID_REQUEST", "invalid_request", Jsonrpc, n(-32600), 400, Fix, "Invalid Request", "not a JSON-RPC message", brain BrainInvalidRequest;
    MethodNotFound: own, "METHOD_NOT_FOUND", "method_not_found", Jsonrpc, n(-32601), 404, Fix, "Method Not Found", "unknown method", brain BrainMethodNotFound;
    InvalidParams: own, "INVALID_PARAMS", "invalid_params", Jsonrpc, n(-32602), 400, Fix, "Invalid Params", "the parameters are malformed", brain BrainInvalidParams;
    InvalidArguments: published, "INVALID_ARGUMENTS", "invalid_arguments", Jsonrpc, n(-32602), 422, Fix, "Invalid Params", "the arguments do not fit the input schema", frames InvalidMessage, rest BadRequest "the request is malformed", brain BrainInvalidParams;
    Internal: published, "INTERNAL_ERROR", "internal_error", Jsonrpc, n(-32603), 500, Backoff, "Internal Error", "internal error", frames InternalFrame, brain BrainInternalError;
    HeaderMismatch: own, "HEADER_MISMATCH", "header_mismatch", Jsonrpc, n(-32020), 400, Fix, "Header Mismatch", "headers and body disagree";
    MissingCapability: own, "MISSING_CLIENT_CAPABILITY", "missing_client_capability", Jsonrpc, n(-32021), 400, Fix, "Missing Client Capability", "the client did not declare a capability that this request needs";
    UnsupportedProtocolVersion: own, "UNSUPPORTED_PROTOCOL_VERSION", "unsupported_protocol_version", Jsonrpc, n(-32022), 400, Fix, "Unsupported Protocol Version", "unsupported protocol version";

    // Refusals before a body is read.
    Unauthorized: published, "UNAUTHORIZED", "unauthorized", Http, n(-32001), 401, Never, "Unauthorized", "no valid credential", http "wsToken invalid", pages "AUTH_REJECTED";
    AppForbidden: own, "APP_FORBIDDEN", "forbidden", Http, n(-32000), 403, Never, "App Forbidden", "this credential does not open that app";
    InvalidHost: own, "INVALID_HOST", "invalid_host", Http, n(-32000), 403, Never, "Invalid Host", "the Host header is not one of this server's names";
    InvalidOrigin: own, "INVALID_ORIGIN", "invalid_origin", Http, n(-32000), 403, Never, "Invalid Origin", "the Origin is not allowed";
    NotFound: own, "NOT_FOUND", "not_found", Http, n(-32000), 404, Fix, "Not Found", "no such page";
    MethodNotAllowed: own, "METHOD_NOT_ALLOWED", "method_not_allowed", Http, n(-32000), 405, Fix, "Method Not Allowed", "method not allowed";
    NotAcceptable: own, "NOT_ACCEPTABLE", "not_acceptable", Http, n(-32000), 406, Fix, "Not Acceptable", "accept application/json or text/event-stream";
    RequestTimeout: own, "REQUEST_TIMEOUT", "request_timeout", Http, n(-32000), 408, Backoff, "Request Timeout", "the request did not come in time";
    PayloadTooLarge: own, "PAYLOAD_TOO_LARGE", "payload_too_large", Http, n(-32000), 413, Fix, "Payload Too Large", "the body is too large";
    AddressTooLong: own, "ADDRESS_TOO_LONG", "address_too_long", Http, n(-32000), 414, Fix, "Address Too Long", "the address is too long";
    HeadersTooLarge: own, "HEADERS_TOO_LARGE", "headers_too_large", Http, n(-32000), 431, Fix, "Headers Too Large", "the headers are too many or too large";
    UnsupportedMediaType: own, "UNSUPPORTED_MEDIA_TYPE", "unsupported_media_type", Http, n(-32000), 415, Fix, "Unsupported Media Type", "send application/json";
    DoorRateLimited: own, "DOOR_RATE_LIMITED", "rate_limited", Http, n(-32013), 429, AfterDelay, "Rate Limited at the Door", "too many requests";
    ConnectionLimit: own, "CONNECTION_LIMIT", "connection_limit", Http, n(-32013), 429, AfterDelay, "Connection Limit", "this address has as many connections as one may have";
    Overloaded: own, "OVERLOADED", "overloaded", Http, n(-32013), 503, AfterDelay, "Overloaded", "too much is under way";
    Draining: own, "UNAVAILABLE", "unavailable", Http, n(-32000), 503, AfterDelay, "Unavailable", "the server is shutting down", closes ServiceRestart;
    AnswerTimeout: own, "ANSWER_TIMEOUT", "answer_timeout", Http, n(-32000), 504, Backoff, "Answer Timeout", "the answer took too long";
    ServerGone: own, "SERVER_GONE", "upstream_error", Http, n(-32000), 502, Backoff, "Server Gone", "the server behind this process does not answer";

    // Sessions, handshakes, apps.
    UnknownTool: published, "UNKNOWN_TOOL", "unknown_tool", Ggui, eras(-32601, -32602), 404, Fix, "Method Not Found", "unknown tool", brain BrainUnknownTool;
    SessionNotFound: published, "SESSION_NOT_FOUND", "session_not_found", Ggui, n(-32002), 404, Rehandshake, "Session Not Found", "the session is gone", frames SessionNotFoundFrame, resources ResourceNotSupported, rest ThingNotFound "Session not found", http "render not found", pages "SESSION_NOT_FOUND";
    AppNotFound: published, "APP_NOT_FOUND", "app_not_found", Ggui, n(-32003), 404, Never, "App Not Found", "there is no such app";
    ProductionFailed: published, "PRODUCTION_FAILED", "PRODUCTION_FAILED", Ggui, n(-32004), 502, Simplify, "Production Failed", "the UI could not be made";
    CapabilityDenied: published, "CAPABILITY_DENIED", "capability_denied", Ggui, n(-32005), 403, Never, "Capability Denied", "this credential does not reach that far", frames UnauthenticatedFrame, pages "AUTH_REJECTED";
    GenerationQuota: published, "GENERATION_QUOTA_EXCEEDED", "generation_quota_exceeded", Ggui, n(-32010), 402, Never, "Generation Quota Exceeded", "the quota of generated UIs is used up";
    AppLimit: published, "APP_LIMIT_EXCEEDED", "app_limit_exceeded", Ggui, n(-32011), 409, Never, "App Limit Exceeded", "there are as many apps as there may be";
    SessionLimit: published, "CONCURRENT_SESSION_LIMIT", "concurrent_session_limit", Ggui, n(-32012), 429, Backoff, "Concurrent Session Limit", "too many sessions";
    RateLimited: published, "RATE_LIMIT_EXCEEDED", "rate_limited", Ggui, n(-32013), 429, AfterDelay, "Rate Limit Exceeded", "too many calls", frames RateLimitedFrame;
    HandshakeLimit: own, "HANDSHAKE_LIMIT", "handshake_limit", Ggui, n(-32013), 429, AfterDelay, "Handshake Limit", "too many open handshakes";
    WorkLimit: own, "WORK_LIMIT", "work_limit", Ggui, n(-32013), 429, AfterDelay, "Work Limit", "too many requests of this caller wait for their turn", frames RateLimitedFrame;
    MemoryLimit: own, "MEMORY_LIMIT", "memory_limit", Ggui, n(-32013), 503, AfterDelay, "Memory Limit", "the server holds as much as it may", frames RateLimitedFrame;
    StoreUnavailable: own, "STORE_UNAVAILABLE", "store_unavailable", Ggui, n(-32013), 503, AfterDelay, "Store Unavailable", "the server cannot reach what it keeps", frames RateLimitedFrame, brain BrainInternal;
    HandshakeNotFound: own, "HANDSHAKE_NOT_FOUND", "handshake_not_found", Ggui, NONE, 404, Rehandshake, "Handshake Not Found", "the handshake is gone";
    VersionConflict: own, "VERSION_CONFLICT", "version_conflict", Ggui, NONE, 409, Rebase, "Version Conflict", "the UI has changed since it was read";
    AppAccessDenied: own, "APP_ACCESS_DENIED", "app_access_denied", Ggui, NONE, 403, Never, "App Access Denied", "the appId contradicts the credential";
    BlueprintNotFound: own, "BLUEPRINT_NOT_FOUND", "blueprint_not_found", Ggui, NONE, 404, Fix, "Blueprint Not Found", "there is no such blueprint", rest ThingNotFound "Blueprint not found";
    DuplicateGadgetHook: own, "DUPLICATE_GADGET_HOOK", "duplicate_gadget_hook", Ggui, NONE, 422, Fix, "Duplicate Gadget Hook", "two packages of the contract export the same name";
    GadgetNotRegistered: own, "GADGET_NOT_REGISTERED", "gadget_not_registered", Ggui, NONE, 422, Fix, "Gadget Not Registered", "the contract names a gadget that is not there";
    GadgetPackageMismatch: own, "GADGET_PACKAGE_MISMATCH", "gadget_package_mismatch", Ggui, NONE, 422, Fix, "Gadget Package Mismatch", "the contract names a gadget under a wrong package";
    ContractViolation: own, "GGUI_CONTRACT_VIOLATION", "contract_violation", Ggui, NONE, 422, Fix, "Contract Violation", "a value does not fit the contract", frames ContractViolationFrame;
    ContractValidationFailed: own, "CONTRACT_VALIDATION_FAILED", "contract_validation_failed", Ggui, NONE, 422, Fix, "Contract Validation Failed", "the contract is not sound";
    SchemaMismatch: own, "SCHEMA_MISMATCH_ERROR", "schema_mismatch_error", Ggui, NONE, 422, Fix, "Schema Mismatch", "an action does not fit the tool it names";
    ChannelNotDeclared: own, "CHANNEL_NOT_DECLARED", "channel_not_declared", Ggui, NONE, 422, Fix, "Channel Not Declared", "the channel is not declared";
    ChannelNotCompletable: own, "CHANNEL_NOT_COMPLETABLE", "channel_not_completable", Ggui, NONE, 422, Fix, "Channel Not Completable", "the channel was not declared with complete: true";
    InvalidActionKind: own, "INVALID_ACTION_KIND", "INVALID_ACTION_KIND", Ggui, NONE, 422, Fix, "Invalid Action Kind", "the action envelope is malformed";
    ContextSchemaViolation: own, "CONTEXT_SCHEMA_VIOLATION", "CONTEXT_SCHEMA_VIOLATION", Ggui, NONE, 422, Fix, "Context Schema Violation", "the snapshot does not fit the contract";
    ContextTooLarge: own, "CONTEXT_TOO_LARGE", "CONTEXT_TOO_LARGE", Ggui, NONE, 413, Fix, "Context Too Large", "the snapshot is too large";
    RefreshWindowClosed: own, "REFRESH_WINDOW_CLOSED", "REFRESH_WINDOW_CLOSED", Ggui, NONE, 410, Rehandshake, "Refresh Window Closed", "the wsToken can no longer be refreshed";
    TenantMismatch: own, "TENANT_MISMATCH", "TENANT_MISMATCH", Ggui, NONE, 403, Never, "Tenant Mismatch", "the appId contradicts the credential";
    PipeNotFound: own, "PIPE_NOT_FOUND", "PIPE_NOT_FOUND", Ggui, NONE, 404, Rehandshake, "Pipe Not Found", "the session is gone";

    // `resources/read`.
    ResourceMalformed: own, "RESOURCE_MALFORMED", "", Resource, n(-32602), 404, Fix, "Resource Malformed", "no such resource";
    ResourceNotFound: own, "RESOURCE_NOT_FOUND", "NOT_FOUND", Resource, eras(-32002, -32602), 404, Fix, "Resource Not Found", "the resource is gone";
    ResourceNotSupported: own, "RESOURCE_NOT_SUPPORTED", "NOT_SUPPORTED", Resource, n(-32006), 404, Rehandshake, "Mount Unavailable", "This server keeps no durable record of renders.";

    // Frames of the live channel.
    ContractViolationFrame: published, "CONTRACT_VIOLATION", "CONTRACT_VIOLATION", Channel, n(-32020), 422, Fix, "Contract Violation", "the action does not fit the contract";
    AppMismatch: own, "APP_MISMATCH", "APP_MISMATCH", Channel, NONE, 403, Never, "App Mismatch", "the appId contradicts the credential";
    BootstrapAppMismatch: own, "BOOTSTRAP_APP_MISMATCH", "BOOTSTRAP_APP_MISMATCH", Channel, NONE, 401, Never, "Bootstrap App Mismatch", "the wsToken belongs to another app", pages "AUTH_REJECTED";
    BootstrapExpired: own, "BOOTSTRAP_EXPIRED", "BOOTSTRAP_EXPIRED", Channel, NONE, 410, Fix, "Bootstrap Expired", "the wsToken has expired; refresh it", http "wsToken expired", pages "EXPIRED_BOOTSTRAP";
    BootstrapInvalid: own, "BOOTSTRAP_INVALID", "BOOTSTRAP_INVALID", Channel, NONE, 401, Never, "Bootstrap Invalid", "the wsToken is not valid", http "wsToken invalid", pages "AUTH_REJECTED";
    BootstrapSessionMismatch: own, "BOOTSTRAP_SESSION_MISMATCH", "BOOTSTRAP_SESSION_MISMATCH", Channel, NONE, 401, Never, "Bootstrap Session Mismatch", "the wsToken belongs to another session", http "wsToken scope mismatch", pages "AUTH_REJECTED";
    InternalFrame: own, "INTERNAL_FRAME", "INTERNAL", Channel, NONE, 500, Backoff, "Internal", "internal error";
    InvalidJson: own, "INVALID_JSON", "INVALID_JSON", Channel, NONE, 400, Fix, "Invalid JSON", "the frame is not JSON";
    InvalidMessage: own, "INVALID_MESSAGE", "INVALID_MESSAGE", Channel, NONE, 400, Fix, "Invalid Message", "the frame is not a message";
    InvalidSinceSequence: own, "INVALID_SINCE_SEQUENCE", "INVALID_SINCE_SEQUENCE", Channel, NONE, 400, Fix, "Invalid Since Sequence", "sinceSequence must be a non-negative integer";
    ReplayHorizonPassed: own, "REPLAY_HORIZON_PASSED", "REPLAY_HORIZON_PASSED", Channel, NONE, 410, Fix, "Replay Horizon Passed", "the ledger is not kept from there on; continue from currentSequence";
    ChannelNotLocal: own, "CHANNEL_NOT_LOCAL", "CHANNEL_NOT_LOCAL", Channel, NONE, 404, Never, "Channel Not Local", "no tool of this server feeds the channel: poll it through the host";
    ChannelLimit: own, "CHANNEL_LIMIT", "CHANNEL_LIMIT", Channel, NONE, 409, Fix, "Channel Limit", "as many channels are fed through the socket as may: unsubscribe one";
    ChannelUnknown: own, "CHANNEL_UNKNOWN", "CHANNEL_UNKNOWN", Channel, NONE, 404, Fix, "Channel Unknown", "the contract names no tool that feeds such a channel";
    PollFailed: own, "POLL_FAILED", "POLL_FAILED", Channel, NONE, 502, Backoff, "Poll Failed", "the tool that feeds the channel gave nothing that fits; it is asked again";
    SubscribeUnauthorized: own, "SUBSCRIBE_UNAUTHORIZED", "SUBSCRIBE_UNAUTHORIZED", Channel, NONE, 403, Fix, "Subscribe Unauthorized", "the channel belongs to another session";
    NotSubscribed: own, "NOT_SUBSCRIBED", "NOT_SUBSCRIBED", Channel, NONE, 400, Fix, "Not Subscribed", "subscribe first";
    RateLimitedFrame: own, "RATE_LIMITED", "RATE_LIMITED", Channel, NONE, 429, AfterDelay, "Rate Limited", "too many actions";
    SubscriberLimit: own, "SUBSCRIBER_LIMIT", "SUBSCRIBER_LIMIT", Channel, NONE, 429, AfterDelay, "Subscriber Limit", "as many follow the session as may", tools RateLimited;
    SessionMismatch: own, "SESSION_MISMATCH", "SESSION_MISMATCH", Channel, NONE, 400, Fix, "Session Mismatch", "the frame names another session";
    SessionNotFoundFrame: own, "CHANNEL_SESSION_NOT_FOUND", "SESSION_NOT_FOUND", Channel, NONE, 404, Rehandshake, "Session Not Found", "the session is gone";
    UnauthenticatedFrame: own, "UNAUTHENTICATED", "UNAUTHENTICATED", Channel, NONE, 401, Never, "Unauthenticated", "no valid credential came, or it does not reach this far";
    UnsupportedMessage: own, "UNSUPPORTED_MESSAGE", "UNSUPPORTED_MESSAGE", Channel, NONE, 400, Fix, "Unsupported Message", "unknown frame type";
    UpgradeRequired: own, "UPGRADE_REQUIRED", "UPGRADE_REQUIRED", Channel, NONE, 400, Never, "Upgrade Required", "no common version of the live channel", closes UpgradeRequired;

    // The REST interface.
    BadRequest: own, "BAD_REQUEST", "bad_request", Rest, NONE, 400, Fix, "Bad Request", "the request is malformed";
    TrustInsufficient: own, "TRUST_INSUFFICIENT", "forbidden", Rest, NONE, 403, Never, "Trust Insufficient", "this credential's trust level is too low";
    ThingNotFound: own, "THING_NOT_FOUND", "not_found", Rest, NONE, 404, Fix, "Not Found", "there is no such thing, or it is another app's";
    Conflict: own, "CONFLICT", "conflict", Rest, NONE, 409, Rebase, "Conflict", "the request contradicts the present state";
    IdempotencyKeyInvalid: own, "IDEMPOTENCY_KEY_INVALID", "idempotency_key_invalid", Rest, NONE, 400, Fix, "Idempotency Key Invalid", "the idempotency key is blank or too long";
    IdempotencyKeyReused: own, "IDEMPOTENCY_KEY_REUSED", "idempotency_key_reused", Rest, NONE, 422, Fix, "Idempotency Key Reused", "the idempotency key was used with another request";
    IdempotencyInProgress: own, "IDEMPOTENCY_IN_PROGRESS", "idempotency_in_progress", Rest, NONE, 409, AfterDelay, "Idempotency In Progress", "the first request with this key is still running", frames RateLimitedFrame;
    Gone: own, "GONE", "gone", Rest, NONE, 410, Fix, "Gone", "it was here and is no more";
    InvalidFields: own, "INVALID_FIELDS", "invalid_arguments", Rest, NONE, 422, Fix, "Invalid Arguments", "fields of the request are not valid";
    NotImplemented: own, "NOT_IMPLEMENTED", "not_implemented", Rest, NONE, 501, Never, "Not Implemented", "this server does not do that";

    // The page store, with the numbers its existing clients expect.
    BrainParseError: published, "BRAIN_PARSE_ERROR", "parse_error", Brain, n(-32700), 400, Fix, "ParseError", "the body is not JSON";
    BrainInvalidRequest: published, "BRAIN_INVALID_REQUEST", "invalid_request", Brain, n(-32600), 400, Fix, "InvalidRequest", "not a JSON-RPC message";
    BrainMethodNotFound: published, "BRAIN_METHOD_NOT_FOUND", "method_not_found", Brain, n(-32601), 404, Fix, "MethodNotFound", "unknown method";
    BrainInvalidParams: published, "BRAIN_INVALID_PARAMS", "invalid_arguments", Brain, n(-32602), 422, Fix, "InvalidParams", "the parameters are not valid";
    BrainUnknownTool: own, "BRAIN_UNKNOWN_TOOL", "unknown_tool", Brain, eras(-32601, -32602), 404, Fix, "Unknown Tool", "the page store has no such tool";
    BrainInternalError: published, "BRAIN_INTERNAL_ERROR", "internal_error", Brain, n(-32603), 500, Fix, "InternalError", "internal error of the envelope";
    BrainNotFound: published, "BRAIN_NOT_FOUND", "not_found", Brain, n(-32001), 404, Fix, "NotFound", "there is no such page, link, collection or gap";
    BrainAmbiguous: published, "BRAIN_AMBIGUOUS", "ambiguity", Brain, n(-32002), 409, Fix, "Ambiguity", "the slug stands in more than one collection";
    BrainInternal: published, "BRAIN_INTERNAL", "internal_error", Brain, n(-32003), 500, Backoff, "Internal", "the page store failed";
    BrainConflict: published, "BRAIN_CONFLICT", "conflict", Brain, n(-32009), 409, Rebase, "Conflict", "the page has changed since it was read";
    BrainRestoring: published, "BRAIN_RESTORING", "restoring", Brain, n(-32010), 503, AfterRestore, "CollectionRestoringError", "the collection is being restored";
    BrainFull: own, "BRAIN_FULL", "limit_exceeded", Brain, NONE, 409, Fix, "Limit Exceeded", "there are as many as may be";
    BrainReadOnly: published, "BRAIN_READ_ONLY", "read_only", Brain, n(-32011), 403, Fix, "CollectionReadOnlyError", "the collection is not writable";

    // The gate in front of tools.
    GateParseError: published, "GATE_PARSE_ERROR", "parse_error", Gate, n(-32700), 400, Fix, "Parse Error", "the body is not JSON";
    GateInvalidRequest: published, "GATE_INVALID_REQUEST", "invalid_request", Gate, n(-32600), 400, Fix, "Invalid Request", "not a JSON-RPC request";
    GateMethodNotFound: published, "GATE_METHOD_NOT_FOUND", "method_not_found", Gate, n(-32601), 404, Fix, "Method Not Found", "unknown method";
    GateUnknownTool: own, "GATE_UNKNOWN_TOOL", "unknown_tool", Gate, n(-32601), 404, Fix, "Unknown Tool", "the gate has no such tool";
    GateInvalidParams: published, "GATE_INVALID_PARAMS", "invalid_arguments", Gate, n(-32602), 422, Fix, "Invalid Params", "the parameters are not valid";
    GateInternalError: published, "GATE_INTERNAL_ERROR", "internal_error", Gate, n(-32603), 500, Backoff, "Internal Error", "internal error";
    GateUpstreamConnect: published, "GATE_UPSTREAM_CONNECT", "upstream_connection_failed", Gate, n(-32000), 502, Never, "Upstream Connection Failed", "the upstream server cannot be reached";
    GateUpstreamTimeout: published, "GATE_UPSTREAM_TIMEOUT", "upstream_timeout", Gate, n(-32001), 504, Backoff, "Upstream Timeout", "the upstream server did not answer in time";
    GateUpstreamError: published, "GATE_UPSTREAM_ERROR", "upstream_error", Gate, n(-32002), 502, Never, "Upstream Error", "the upstream server answered with an error";
    GatePolicyDenied: published, "GATE_POLICY_DENIED", "policy_denied", Gate, n(-32003), 403, Never, "Policy Denied", "a rule denies this call";
    GateApprovalRejected: published, "GATE_APPROVAL_REJECTED", "approval_rejected", Gate, n(-32007), 403, Never, "Approval Rejected", "a person said no";
    GateApprovalTimeout: published, "GATE_APPROVAL_TIMEOUT", "approval_timeout", Gate, n(-32008), 408, Resubmit, "Approval Timeout", "nobody decided in time";
    GateRateLimited: published, "GATE_RATE_LIMITED", "rate_limited", Gate, n(-32009), 429, AfterDelay, "Rate Limited", "too many calls";
    GateUnavailable: published, "GATE_UNAVAILABLE", "unavailable", Gate, n(-32013), 503, Backoff, "Service Unavailable", "the gate is not ready";
}

impl Code {
    /// The JSON-RPC number of this code at an endpoint in an era; `None` where the code is never
    /// sent as a JSON-RPC error.
    pub const fn number(self, era: Era, endpoint: Endpoint) -> Option<i32> {
        let row = self.row();
        let is_known = endpoint.speaks(row.surface) || self.is_of_protocol();
        match (is_known, era) {
            (false, _) => None,
            (true, Era::Legacy) => row.legacy,
            (true, Era::Modern) => row.modern,
        }
    }

    /// Whether clients of every endpoint know the number, because the protocol itself defines it.
    pub(super) const fn is_of_protocol(self) -> bool {
        matches!(
            self,
            Code::HeaderMismatch | Code::MissingCapability | Code::UnsupportedProtocolVersion
        )
    }

    /// The code under which an endpoint shows a failure: at the page store and the gate, the row of
    /// their own registry that gives the same advice, since the numbers of others mean something else
    /// there.
    pub const fn at(self, endpoint: Endpoint) -> Code {
        match (endpoint, self.row().looks.brain) {
            (Endpoint::Brain, Some(code)) => code,
            (Endpoint::Gate, _) => self.at_gate(),
            (Endpoint::Mcp | Endpoint::Ggui | Endpoint::Brain, _) => self,
        }
    }

    const fn at_gate(self) -> Code {
        let row = self.row();
        match (self, row.status, row.retry) {
            _ if matches!(row.surface, Gate) || self.is_of_protocol() => self,
            (Code::ParseError, _, _) => Code::GateParseError,
            (Code::MethodNotFound, _, _) => Code::GateMethodNotFound,
            (Code::UnknownTool, _, _) => Code::GateUnknownTool,
            (Code::InvalidParams | Code::InvalidArguments, _, _) => Code::GateInvalidParams,
            (Code::CapabilityDenied, _, _) => Code::GatePolicyDenied,
            (_, 429, _) => Code::GateRateLimited,
            (_, 503, _) | (_, _, AfterDelay) => Code::GateUnavailable,
            (_, 500.., retry) if retry.is_allowed() => Code::GateInternalError,
            _ => Code::GateInvalidRequest,
        }
    }

    /// The row of the gate for a number that every JSON-RPC server shares.
    pub fn gate_standard(number: i32) -> Option<Code> {
        let standard = [
            Code::GateParseError,
            Code::GateInvalidRequest,
            Code::GateMethodNotFound,
            Code::GateInvalidParams,
            Code::GateInternalError,
        ];
        let mut standard = standard.into_iter();
        standard.find(|code| code.row().legacy == Some(number))
    }

    /// The HTTP status of a JSON-RPC error with this code: a refusal before the body is read keeps
    /// its own, an answer to a call is 200, and only the modern era has statuses for an unknown method
    /// and a capability that is missing.
    pub const fn rpc_status(self, era: Era) -> u16 {
        match (self, era) {
            (
                Code::MethodNotFound
                | Code::BrainMethodNotFound
                | Code::GateMethodNotFound
                | Code::InvalidParams
                | Code::MissingCapability,
                Era::Legacy,
            )
            | (Code::InvalidArguments, _) => ANSWERED,
            (
                Code::BrainParseError
                | Code::BrainInvalidRequest
                | Code::BrainMethodNotFound
                | Code::GateMethodNotFound,
                _,
            ) => self.row().status,
            _ => match self.row().surface {
                Http | Jsonrpc => self.row().status,
                Brain | Channel | Gate | Ggui | Resource | Rest => ANSWERED,
            },
        }
    }
}
