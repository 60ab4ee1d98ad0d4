//! The JSON-RPC envelope over raw values: what came is one message, a batch, or nothing.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::transports::faults::Fault;
use crate::wire::fault::Code;
use crate::wire::object::is_object;

/// Messages of a batch: what the one revision that has batches was ever seen to send, tenfold.
const BATCH_MESSAGES_MAX: usize = 50;

/// The notification that takes a request back.
const CANCELLED: &str = "notifications/cancelled";
/// An id as it was not read, or may not be echoed.
pub(super) const NO_ID: &str = "null";

/// One message.
pub(super) enum Message<'a> {
    /// Wants an answer.
    Request(Request<'a>),
    /// Takes back the request of this id; wants no answer.
    Cancelled(&'a RawValue),
    /// Answers a question of ours; wants no answer.
    #[cfg(feature = "gate")]
    Reply(Reply<'a>),
    /// Wants none: a notification.
    Silent,
}

/// A request; `id` is the caller's own text.
pub(super) struct Request<'a> {
    /// Echoed verbatim.
    pub(super) id: &'a str,
    /// What is asked.
    pub(super) method: String,
    pub(super) params: Option<&'a RawValue>,
}

/// What a client answers when it is asked something: one of both.
#[cfg(feature = "gate")]
pub(super) struct Reply<'a> {
    /// Our id of the question, as it came.
    pub(super) id: &'a str,
    pub(super) result: Option<&'a RawValue>,
    pub(super) error: Option<&'a RawValue>,
}

/// What a body holds.
pub(super) enum Body<'a> {
    /// One message.
    One(Result<Message<'a>, Refused<'a>>),
    /// Several; only the revision that has batches may send them.
    Batch(Vec<Result<Message<'a>, Refused<'a>>>),
}

impl Body<'_> {
    /// The id of a single message, to be echoed.
    pub(super) fn id(&self) -> &str {
        match self {
            Self::One(Ok(Message::Request(request))) => request.id,
            Self::One(Err(refused)) => refused.id,
            Self::One(Ok(_)) | Self::Batch(_) => NO_ID,
        }
    }
}

/// A malformed message, with the id it had.
pub(super) struct Refused<'a> {
    /// Echoed verbatim, `null` where there was none to echo.
    pub(super) id: &'a str,
    pub(super) fault: Fault,
}

/// What a notification of [`CANCELLED`] says.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Cancelled<'a> {
    #[serde(borrow)]
    request_id: &'a RawValue,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default)]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    method: Option<&'a RawValue>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

/// Keeps an explicit `null` apart from a missing member.
fn present<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Reads a body.
pub(super) fn read(bytes: &[u8]) -> Result<Body<'_>, Fault> {
    let raw: &RawValue = serde_json::from_slice(bytes)
        .map_err(|error| Fault::saying(Code::ParseError, format!("Parse error: {error}")))?;
    if !raw.get().starts_with('[') {
        return Ok(Body::One(message(raw)));
    }
    let raws: Vec<&RawValue> = serde_json::from_str(raw.get())
        .map_err(|error| Fault::saying(Code::ParseError, format!("Parse error: {error}")))?;
    if raws.is_empty() || raws.len() > BATCH_MESSAGES_MAX {
        let message = format!("Invalid Request: a batch has 1 to {BATCH_MESSAGES_MAX} messages");
        return Err(Fault::saying(Code::InvalidRequest, message));
    }
    Ok(Body::Batch(raws.into_iter().map(message).collect()))
}

fn message(raw: &RawValue) -> Result<Message<'_>, Refused<'_>> {
    let refuse = |id, why: &str| {
        let fault = Fault::saying(Code::InvalidRequest, format!("Invalid Request: {why}"));
        Refused { id, fault }
    };
    if !is_object(raw.get()) {
        return Err(refuse(NO_ID, "a message is an object"));
    }
    let envelope: Envelope<'_> = serde_json::from_str(raw.get())
        .map_err(|_| refuse(NO_ID, "a message is an object with each member once"))?;
    let id = match envelope.id.map(RawValue::get) {
        Some(id) if is_id(id) => Some(id),
        Some(_) => {
            return Err(refuse(
                NO_ID,
                "id is a text or a number that can be read back",
            ));
        }
        None => None,
    };
    let echo = id.unwrap_or(NO_ID);
    if envelope.jsonrpc.map(RawValue::get) != Some("\"2.0\"") {
        return Err(refuse(echo, "jsonrpc is \"2.0\""));
    }
    let Some(method) = envelope.method else {
        let is_answer = envelope.result.is_some() != envelope.error.is_some();
        return match id {
            #[cfg(not(feature = "gate"))]
            Some(_) if is_answer => Ok(Message::Silent),
            #[cfg(feature = "gate")]
            Some(id) if is_answer => Ok(Message::Reply(Reply {
                id,
                result: envelope.result,
                error: envelope.error,
            })),
            _ => Err(refuse(echo, "there is no method")),
        };
    };
    let method: String =
        serde_json::from_str(method.get()).map_err(|_| refuse(echo, "method is a text"))?;
    if let Some(params) = envelope.params
        && !params.get().starts_with(['{', '['])
    {
        return Err(refuse(echo, "params is an object"));
    }
    Ok(match id {
        Some(id) => Message::Request(Request {
            id,
            method,
            params: envelope.params,
        }),
        None => envelope
            .params
            .filter(|_| method == CANCELLED)
            .and_then(|params| serde_json::from_str::<Cancelled<'_>>(params.get()).ok())
            .map_or(Message::Silent, |params| {
                Message::Cancelled(params.request_id)
            }),
    })
}

/// Whether a raw value may be an id: a text, or a number, that the answer can be read with. What is
/// JSON only by its grammar – half a surrogate pair, a number beyond all doubles – is none.
fn is_id(raw: &str) -> bool {
    match raw.as_bytes() {
        [b'"', ..] => !raw.contains("\\u") || serde_json::from_str::<String>(raw).is_ok(),
        [b'-' | b'0'..=b'9', ..] => serde_json::from_str::<f64>(raw).is_ok(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> (String, Code) {
        match read(text.as_bytes()) {
            Err(fault) => (NO_ID.to_owned(), fault.code()),
            Ok(Body::One(Err(refused))) => (refused.id.to_owned(), refused.fault.code()),
            Ok(_) => panic!("{text} was accepted"),
        }
    }

    #[test]
    fn what_is_not_json_is_a_parse_error_and_what_is_not_json_rpc_is_an_invalid_request() {
        for text in ["", "{", "nope", "{\"a\":1,}"] {
            assert_eq!(
                refused(text),
                (NO_ID.to_owned(), Code::ParseError),
                "{text}"
            );
        }
        for text in [
            "1",
            "\"x\"",
            "null",
            "{}",
            "[]",
            r#"{"jsonrpc":"2.0","id":null,"method":"a"}"#,
            r#"{"jsonrpc":"2.0","id":1E400,"method":"a"}"#,
            r#"{"jsonrpc":"2.0","id":"\ud800","method":"a"}"#,
        ] {
            assert_eq!(
                refused(text),
                (NO_ID.to_owned(), Code::InvalidRequest),
                "{text}"
            );
        }
    }

    #[test]
    fn the_id_of_a_refused_message_is_echoed_as_it_came() {
        for (text, id) in [
            (r#"{"jsonrpc":"1.0","id":1.50,"method":"a"}"#, "1.50"),
            (r#"{"jsonrpc":"2.0","id":"é","method":5}"#, "\"é\""),
            (r#"{"jsonrpc":"2.0","id":7,"method":"a","params":5}"#, "7"),
        ] {
            assert_eq!(refused(text), (id.to_owned(), Code::InvalidRequest));
        }
    }

    #[test]
    fn notifications_and_answers_want_no_answer() {
        let text = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let read_one = read(text.as_bytes());
        assert!(matches!(read_one, Ok(Body::One(Ok(Message::Silent)))));
    }

    #[cfg(feature = "gate")]
    #[test]
    fn an_answer_has_the_id_of_its_question_and_a_result_or_an_error() {
        for (text, is_result) in [
            (r#"{"jsonrpc":"2.0","id":"a","result":{}}"#, true),
            (
                r#"{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":""}}"#,
                false,
            ),
        ] {
            let Ok(Body::One(Ok(Message::Reply(reply)))) = read(text.as_bytes()) else {
                panic!("{text} is no answer");
            };
            assert_eq!((reply.id, reply.result.is_some()), ("\"a\"", is_result));
            assert_ne!(reply.result.is_some(), reply.error.is_some());
        }
    }
}
