//! Whether a request is written, and may be answered, as this endpoint does it.

use http::HeaderMap;
use http::header::ACCEPT;

use crate::transports::faults::Fault;
use crate::transports::request::check_is_json;
use crate::wire::fault::Code;

/// Whether its types fit.
///
/// # Errors
/// It is no JSON, or its client reads neither of ours.
pub(super) fn check_media_types(headers: &HeaderMap) -> Result<(), Fault> {
    check_is_json(headers)?;
    // Lenient: either of our two types will do, and so will none named at all.
    let accepts = headers
        .get_all(ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let types: Vec<_> = accepts
        .flat_map(|value| value.split(','))
        .map(|part| {
            part.split(';')
                .next()
                .unwrap_or_default()
                .trim()
                .to_ascii_lowercase()
        })
        .collect();
    let ours = [
        "application/json",
        "text/event-stream",
        "application/*",
        "text/*",
        "*/*",
    ];
    if types.is_empty()
        || types
            .iter()
            .any(|accepted| ours.contains(&accepted.as_str()))
    {
        Ok(())
    } else {
        Err(Fault::saying(
            Code::NotAcceptable,
            "Not Acceptable: Client must accept application/json or text/event-stream",
        ))
    }
}
