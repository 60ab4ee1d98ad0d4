//! Requests and results as the client of the protocol has them, and as the gate does.

use rmcp::model::{ClientRequest, ErrorCode, ServerRequest, ServerResult};
use rmcp::service::{ClientInitializeError, ServiceError};
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::StreamableHttpError;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::domain::gate::{Abilities, AskError, ELICIT, Question, ROOTS, SAMPLE, UpstreamError};

/// Members of results that belong to one revision of one connection.
const OF_CONNECTION: [&str; 3] = ["cacheScope", "resultType", "ttlMs"];
/// Keys of `_meta` that belong to one connection.
const META_OF_CONNECTION: [&str; 1] = ["io.modelcontextprotocol/serverInfo"];
/// What a result is that asks for nothing more.
const COMPLETE: &str = "complete";
/// What it is when its server has to know something before.
const INPUT_REQUIRED: &str = "input_required";
/// What it is when its server goes on with it as a task.
const TASK: &str = "task";
/// What a server may ask, and what each is called where it has no other name.
const QUESTIONS: [(&str, &str); 3] = [
    ("elicitation", ELICIT),
    ("sampling", SAMPLE),
    ("roots", ROOTS),
];
/// The status of a server that is asked too often.
const TOO_MANY_REQUESTS: u16 = 429;
/// The status of a server that is not ready.
const SERVICE_UNAVAILABLE: u16 = 503;

/// A request for the client.
pub(super) fn request(
    method: &str,
    params: Map<String, Value>,
) -> Result<ClientRequest, UpstreamError> {
    serde_json::from_value(json!({ "method": method, "params": params }))
        .map_err(|error| UpstreamError::Unusable(error.to_string()))
}

/// The parameters of a notification, without what belongs to the connection.
pub(super) fn params(notification: &impl Serialize) -> Option<Map<String, Value>> {
    let Ok(Value::Object(mut params)) = serde_json::to_value(notification) else {
        return None;
    };
    params.shift_remove("_meta");
    Some(params)
}

/// What a server asks, as it wrote it.
pub(super) fn question(request: &ServerRequest) -> Option<Question> {
    let mut question = asked(&serde_json::to_value(request).ok()?)?;
    let params = &mut question.params;
    // A form is what is meant without a mode, which clients of older revisions do not know.
    if params.get("mode").is_some_and(|mode| mode == "form") {
        params.shift_remove("mode");
    }
    // Read in single precision: its shortest decimal is what was written.
    if let Some(temperature) = params.get_mut("temperature") {
        let read = temperature.as_f64().map(|read| (read as f32).to_string());
        if let Some(written) = read.and_then(|read| read.parse::<f64>().ok()) {
            *temperature = written.into();
        }
    }
    Some(question)
}

/// A question, by its method and its parameters.
fn asked(request: &Value) -> Option<Question> {
    let wanted = request.get("method").and_then(Value::as_str)?;
    let (name, method) = QUESTIONS.into_iter().find(|(_, known)| *known == wanted)?;
    let mut params = request.get("params").and_then(Value::as_object).cloned();
    if let Some(params) = &mut params {
        params.shift_remove("_meta");
    }
    Some(Question {
        name: name.to_owned(),
        method,
        params: params.unwrap_or_default(),
    })
}

/// What a server answers: a result, or what it has to know before.
pub(super) enum Answered {
    Result(Value),
    /// What it asks, and what it wants to be reminded of.
    Asks(Vec<Question>, Option<Value>),
    /// It goes on with it as a task, which is described.
    Began(Value),
}

/// A result without what belongs to the connection.
pub(super) fn result(result: &ServerResult) -> Result<Answered, UpstreamError> {
    let unusable = |why: String| Err(UpstreamError::Unusable(why));
    let mut value = match serde_json::to_value(result) {
        Ok(Value::Object(value)) => value,
        Ok(_) => return unusable("the result is no object".to_owned()),
        Err(error) => return unusable(error.to_string()),
    };
    let kind = value.get("resultType").and_then(Value::as_str);
    if kind == Some(INPUT_REQUIRED) {
        let requests = value.get("inputRequests").and_then(Value::as_object);
        let questions = questions(requests.into_iter().flatten());
        let questions = questions.ok_or_else(unknown_question)?;
        return Ok(Answered::Asks(
            questions,
            value.shift_remove("requestState"),
        ));
    }
    if kind == Some(TASK) {
        return Ok(Answered::Began(Value::Object(value)));
    }
    if kind.is_some_and(|kind| kind != COMPLETE) {
        return unusable(format!("the result is {}", kind.unwrap_or_default()));
    }
    complete(Value::Object(value)).map(Answered::Result)
}

/// What a server asks before it goes on, by its names; none where one of them is not known.
pub(super) fn questions<'a>(
    requests: impl Iterator<Item = (&'a String, &'a Value)>,
) -> Option<Vec<Question>> {
    let questions = requests.map(|(name, request)| {
        let question = asked(request);
        let name = name.clone();
        question.map(|question| Question { name, ..question })
    });
    questions.collect()
}

/// That a server asks what is no question of the protocol.
pub(super) fn unknown_question() -> UpstreamError {
    UpstreamError::Unusable("it asks something that is not known".to_owned())
}

/// That a server was not answered what it asked.
pub(super) fn unanswered(error: AskError) -> UpstreamError {
    UpstreamError::Unusable(format!("it asks the caller something: {error}"))
}

/// A result that was waited for, without what belongs to the connection.
pub(super) fn complete(result: Value) -> Result<Value, UpstreamError> {
    let Value::Object(mut value) = result else {
        return Err(UpstreamError::Unusable(
            "the result is no object".to_owned(),
        ));
    };
    for name in OF_CONNECTION {
        value.shift_remove(name);
    }
    if let Some(Value::Object(meta)) = value.get_mut("_meta") {
        for name in META_OF_CONNECTION {
            meta.shift_remove(name);
        }
        if meta.is_empty() {
            value.shift_remove("_meta");
        }
    }
    Ok(Value::Object(value))
}

/// An error that a server gives as the end of a task.
pub(super) fn answered(error: &Value) -> UpstreamError {
    let code = error["code"]
        .as_i64()
        .and_then(|code| i32::try_from(code).ok());
    let message = error["message"].as_str().unwrap_or_default().to_owned();
    match code {
        Some(code) => UpstreamError::Answered { code, message },
        None => UpstreamError::Unusable("its task failed without an error".to_owned()),
    }
}

/// Why a request gave no result.
pub(super) fn failed(error: ServiceError) -> UpstreamError {
    match error {
        ServiceError::McpError(error)
            if error.code == ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY =>
        {
            let needed = error
                .data
                .as_ref()
                .map(|data| &data["requiredCapabilities"]);
            let needed = needed.and_then(Value::as_object).map(Abilities::of);
            UpstreamError::Incapable(needed.unwrap_or(Abilities::NONE))
        }
        ServiceError::McpError(error) => UpstreamError::Answered {
            code: error.code.0,
            message: error.message.into_owned(),
        },
        ServiceError::TransportSend(error) => of_transport(&error),
        ServiceError::TransportClosed => {
            UpstreamError::Unreachable("the connection was closed".to_owned())
        }
        ServiceError::Timeout { .. } => UpstreamError::Timeout,
        other => UpstreamError::Unusable(other.to_string()),
    }
}

/// Why a connection was not made.
pub(super) fn not_connected(error: ClientInitializeError) -> UpstreamError {
    match error {
        ClientInitializeError::JsonRpcError(error) => UpstreamError::Answered {
            code: error.code.0,
            message: error.message.into_owned(),
        },
        ClientInitializeError::TransportError { error, .. } => of_transport(&error),
        ClientInitializeError::ConnectionClosed(why) => UpstreamError::Unreachable(why),
        other => UpstreamError::Unusable(other.to_string()),
    }
}

fn of_transport(error: &DynamicTransportError) -> UpstreamError {
    use StreamableHttpError as Http;
    let unreachable = || UpstreamError::Unreachable(error.to_string());
    let unusable = |why: String| UpstreamError::Unusable(why);
    let cause = error.error.downcast_ref::<Http<reqwest::Error>>();
    match cause {
        Some(Http::HttpStatus(error)) => match error.status {
            TOO_MANY_REQUESTS => UpstreamError::Busy,
            SERVICE_UNAVAILABLE => UpstreamError::Unavailable,
            status => unusable(format!("HTTP status {status}")),
        },
        // It cannot be reached, or the connection was cut.
        None
        | Some(
            Http::Client(_)
            | Http::Io(_)
            | Http::TokioJoinError(_)
            | Http::TransportChannelClosed
            | Http::UnexpectedEndOfStream,
        ) => unreachable(),
        Some(other) => unusable(other.to_string()),
    }
}
