//! What comes in on a socket: frames, their payloads, and what is said of those that are none.

use std::error::Error;

use axum::extract::ws::{Message, Utf8Bytes};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::line::{End, Step};
use crate::domain::size::shorten;
use crate::transports::faults::Fault;
use crate::wire::fault::{Close, Code};
use crate::wire::frames::ClientFrame;
use crate::wire::object::is_object;

/// What is said of a frame or a payload that is something else.
const NO_OBJECT: &str = "it has to be a JSON object";

/// The text of a message, if it has one; binary is read as UTF-8 (live-channel.md §1.1).
pub(super) fn inbound(message: Option<Result<Message, axum::Error>>) -> Step<Option<Utf8Bytes>> {
    match message {
        Some(Ok(Message::Text(text))) => Ok(Some(text)),
        // What is not UTF-8 is no JSON either, and is answered as such.
        Some(Ok(Message::Binary(bytes))) => {
            Ok(Some(Utf8Bytes::try_from(bytes).unwrap_or_default()))
        }
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(None),
        Some(Ok(Message::Close(_))) => Err(End::Left),
        Some(Err(error)) => Err(end_of(&error)),
        None => Err(End::Gone),
    }
}

/// How a socket ends on which something came that cannot be read: with a close code where
/// somebody is left to read it.
fn end_of(error: &axum::Error) -> End {
    use tungstenite::Error::{Capacity, Protocol, Utf8};
    use tungstenite::error::ProtocolError::ResetWithoutClosingHandshake;

    match error.source().and_then(|cause| cause.downcast_ref()) {
        Some(Capacity(_)) => End::Close(Close::FrameTooLarge),
        Some(Utf8(_)) => End::Close(Close::NotText),
        Some(Protocol(error)) if *error != ResetWithoutClosingHandshake => {
            End::Close(Close::NoWebSocket)
        }
        _ => End::Gone,
    }
}

/// Read once when it is a message; why it is none is found out on a second reading.
pub(in super::super) fn read_frame(text: &str) -> Result<ClientFrame<'_>, Fault> {
    let problem = match serde_json::from_str(text) {
        Ok(frame) if is_object(text) => return Ok(frame),
        Err(error) if is_object(text) => error.to_string(),
        _ => NO_OBJECT.to_owned(),
    };
    Err(match serde_json::from_str::<&RawValue>(text) {
        Ok(_) => Fault::saying(
            Code::InvalidMessage,
            format!("the frame is not a message: {problem}"),
        ),
        Err(_) => Fault::of(Code::InvalidJson),
    })
}

pub(in super::super) fn read_payload<T: DeserializeOwned>(
    payload: Option<&RawValue>,
) -> Result<T, Fault> {
    let refuse = |problem: &str| Fault::saying(Code::InvalidMessage, format!("payload: {problem}"));
    let payload = payload.map_or("{}", RawValue::get);
    if !is_object(payload) {
        return Err(refuse(NO_OBJECT));
    }
    serde_json::from_str(payload).map_err(|error| refuse(&error.to_string()))
}

/// The request id to echo: only one that says something.
pub(super) fn echo<'a>(frame: &'a ClientFrame<'_>) -> Option<&'a str> {
    frame.request_id.as_deref().filter(|id| !id.is_empty())
}

pub(super) fn unsupported(kind: &str) -> Fault {
    /// Characters of an unknown type that are repeated to its sender.
    const KIND_CHARS_MAX: usize = 60;
    let kind = shorten(kind, KIND_CHARS_MAX);
    Fault::saying(
        Code::UnsupportedMessage,
        format!("Unsupported message type: {kind}"),
    )
}
