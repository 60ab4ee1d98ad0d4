//! What is read of a request: its credential, its headers, and a body that is small enough.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequestParts, Query};
use axum::response::Response;
use bytes::{Bytes, BytesMut};
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::request::Parts;
use http::{HeaderMap, Uri};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

use serde_json::{Map, Value};

use crate::domain::credentials::Credentials;
use crate::domain::limits::HttpLimits;
use crate::domain::operation::IdempotencyKey;
use crate::domain::places::Place;
use crate::domain::principal::Principal;
use crate::domain::size::shorten;
use crate::transports::faults::Fault;
use crate::transports::http::{Client, Edge, Reason};
use crate::wire::fault::Code;

/// Characters of a parameter's name, as it is said again.
const NAME_CHARS_SHOWN: usize = 64;

/// Who calls. A scheme other than `Bearer` is refused, none at all is the dev identity's matter.
pub(crate) async fn principal(
    credentials: &dyn Credentials,
    headers: &HeaderMap,
) -> Result<Principal, Fault> {
    principal_at(credentials, headers, None).await
}

/// The same where a credential may stand in the address instead: a page cannot send headers with
/// an upgrade.
pub(crate) async fn principal_at(
    credentials: &dyn Credentials,
    headers: &HeaderMap,
    in_address: Option<&str>,
) -> Result<Principal, Fault> {
    let bearer = match headers.get(AUTHORIZATION) {
        None => in_address,
        Some(value) => {
            let value = value.to_str().map_err(|_| Fault::of(Code::Unauthorized))?;
            let token = value
                .split_once(' ')
                .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
            Some(token.ok_or_else(|| Fault::of(Code::Unauthorized))?.1.trim())
        }
    };
    Ok(credentials.identify(bearer, is_forwarded(headers)).await?)
}

/// Whether a proxy handed this request on: then its caller is not on this machine.
pub(crate) fn is_forwarded(headers: &HeaderMap) -> bool {
    headers
        .keys()
        .any(|name| name == "forwarded" || name.as_str().starts_with("x-forwarded-"))
}

/// What the address of a request says beside its path, each name once.
pub(crate) struct Parameters(HashMap<String, String>);

impl Parameters {
    /// The parameters of an address. Where a name is given twice, two readers may each take another
    /// one for the one that counts.
    pub(crate) fn of(uri: &Uri) -> Result<Self, Fault> {
        let refuse = |why: String| Fault::saying(Code::InvalidParams, why);
        let given = Query::<Vec<(String, String)>>::try_from_uri(uri);
        let given = given.map_err(|_| refuse("the query is malformed".to_owned()))?;
        let mut parameters = HashMap::new();
        for (name, value) in given.0 {
            match parameters.entry(name) {
                Entry::Vacant(place) => drop(place.insert(value)),
                Entry::Occupied(place) => {
                    let name = shorten(place.key(), NAME_CHARS_SHOWN);
                    return Err(refuse(format!("{name} is given more than once")));
                }
            }
        }
        Ok(Self(parameters))
    }

    /// The value of a name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

impl<S: Sync> FromRequestParts<S> for Parameters {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Response> {
        Self::of(&parts.uri).map_err(|fault| fault.to_rest())
    }
}

/// What an answer may be made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// For programs.
    Json,
    /// For people.
    Page,
}

/// The form a caller names first; none where it takes whatever comes. Browsers name a page.
pub(crate) fn form(headers: &HeaderMap) -> Option<Form> {
    let accepted = text(headers, ACCEPT.as_str()).unwrap_or_default();
    accepted.split(',').find_map(
        |part| match part.split(';').next().unwrap_or_default().trim() {
            "application/json" => Some(Form::Json),
            "text/html" => Some(Form::Page),
            _ => None,
        },
    )
}

/// Refuses a body that does not say that it is JSON.
pub(crate) fn check_is_json(headers: &HeaderMap) -> Result<(), Fault> {
    let media_type = text(headers, CONTENT_TYPE.as_str()).unwrap_or_default();
    let media_type = media_type.split(';').next().unwrap_or_default().trim();
    if media_type.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(Fault::saying(
        Code::UnsupportedMediaType,
        "Unsupported Media Type: Content-Type must be application/json",
    ))
}

/// The whole body, if it is small enough, comes in time, and there is room for it. It takes its room
/// until the place is given back.
pub(crate) async fn body(
    body: Body,
    limits: &HttpLimits,
    edge: &Edge,
    client: Client,
) -> Result<(Bytes, Place<IpAddr>), Fault> {
    let max = limits.body_bytes_max;
    let mut body = Limited::new(body, max);
    let mut place = edge.under_way.hold(&client.0);
    let whole = async {
        // Most bodies come in one piece, which is kept as it is.
        let (mut first, mut all) = (Bytes::new(), BytesMut::new());
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| match error.is::<LengthLimitError>() {
                true => {
                    let message = format!("The body is larger than {max} bytes.");
                    Fault::saying(Code::PayloadTooLarge, message)
                }
                false => Fault::saying(Code::ParseError, "The body ended early."),
            })?;
            let Ok(data) = frame.into_data() else {
                continue;
            };
            let room = place.grow(data.len());
            room.map_err(|_| edge.overloaded(Reason::UnderWay, client))?;
            if first.is_empty() && all.is_empty() {
                first = data;
            } else {
                all.extend_from_slice(&std::mem::take(&mut first));
                all.extend_from_slice(&data);
            }
        }
        Ok(if all.is_empty() { first } else { all.freeze() })
    };
    let read = tokio::time::timeout(Duration::from_secs(limits.body_read_s), whole).await;
    let read = read.unwrap_or_else(|_| Err(Fault::of(Code::RequestTimeout)));
    read.map(|bytes| (bytes, place))
}

/// A header as text, if it is one.
pub(crate) fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// Header in which a caller names an attempt.
pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// The name of an attempt as it stands in the headers.
pub(crate) fn attempt_header(headers: &HeaderMap) -> Option<String> {
    let values: Vec<_> = headers
        .get_all(IDEMPOTENCY_KEY)
        .iter()
        .map(|value| String::from_utf8_lossy(value.as_bytes()))
        .collect();
    // Two lines of a header are one value with a comma.
    (!values.is_empty()).then(|| values.join(", "))
}

/// The name of an attempt in the metadata of a body, for clients that cannot set headers.
pub(crate) fn attempt_in_metadata(metadata: &Value) -> Result<Option<IdempotencyKey>, Fault> {
    for name in ["idempotency_key", "client_idempotency_key"] {
        let text = metadata[name].as_str().unwrap_or_default();
        if text.trim().is_empty() {
            continue;
        }
        return match IdempotencyKey::in_body(text) {
            Ok(key) => Ok(Some(key)),
            Err(error) => {
                let why = format!("metadata.{name} {error}");
                Err(Fault::for_reason(Code::IdempotencyKeyInvalid, Some(why)))
            }
        };
    }
    Ok(None)
}

/// The name of an attempt: the header's, or `_meta.idempotencyKey` of a call.
pub(crate) fn attempt(
    header: Option<&str>,
    params: &Map<String, Value>,
) -> Result<Option<IdempotencyKey>, Fault> {
    let refuse = |why: String| Fault::for_reason(Code::IdempotencyKeyInvalid, Some(why));
    let in_meta = params
        .get("_meta")
        .and_then(|meta| meta.get("idempotencyKey"));
    let in_meta = match in_meta {
        None => None,
        Some(Value::String(text)) => Some(("_meta.idempotencyKey", text.as_str())),
        Some(_) => return Err(refuse("_meta.idempotencyKey must be a text".to_owned())),
    };
    let (place, text) = match (header.map(|text| ("Idempotency-Key", text)), in_meta) {
        (None, None) => return Ok(None),
        (Some(in_header), Some(in_meta)) if in_header.1 != in_meta.1 => {
            let why = "Idempotency-Key and _meta.idempotencyKey name different attempts";
            return Err(refuse(why.to_owned()));
        }
        (Some(given), _) | (None, Some(given)) => given,
    };
    match IdempotencyKey::new(text) {
        Ok(key) => Ok(Some(key)),
        Err(error) => Err(refuse(format!("{place} {error}"))),
    }
}
