//! The scripts other pages load: the guest's code, and the element that shows a render anywhere.

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};

use super::guest;
use crate::transports::faults::Fault;
use crate::wire::fault::Code;

/// `<proscenium-stage>` as a module, built from `web-host`.
const ELEMENT: &str = include_str!("../../../web-host/dist/proscenium-stage.js");
/// Its types, `ObservabilityEvent` among them.
const ELEMENT_TYPES: &str = include_str!("../../../web-host/dist/proscenium-stage.d.ts");
const SCRIPT: &str = "text/javascript; charset=utf-8";
/// What registries and editors send for declarations.
const TYPES: &str = "application/typescript; charset=utf-8";
/// An address that changes with its content.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// An address that stays while its content changes.
const ASK_FIRST: &str = "no-cache";

/// `GET /_ggui/iframe-runtime.{hash}.js`, and the same without its hash; and beside it
/// `painter.{hash}.js`, which a guest fetches once a chart has grown very long.
pub(crate) async fn runtime(Path(file): Path<String>) -> Response {
    if file == format!("iframe-runtime.{}.js", guest::hash()) {
        sent(SCRIPT, FOR_EVER, guest::GUEST)
    } else if file == "iframe-runtime.js" {
        sent(SCRIPT, ASK_FIRST, guest::GUEST)
    } else {
        let painter = guest::painter().filter(|_| guest::painter_file() == Some(file.as_str()));
        painter.map_or_else(
            || Fault::of(Code::NotFound).to_rest(),
            |code| sent(SCRIPT, FOR_EVER, code),
        )
    }
}

/// `GET /stage/proscenium-stage.js`.
pub(crate) async fn element() -> Response {
    sent(SCRIPT, ASK_FIRST, ELEMENT)
}

/// `GET /stage/proscenium-stage.d.ts`.
pub(crate) async fn element_types() -> Response {
    sent(TYPES, ASK_FIRST, ELEMENT_TYPES)
}

fn sent(media_type: &'static str, kept: &'static str, body: &'static str) -> Response {
    let headers = [(CONTENT_TYPE, media_type), (CACHE_CONTROL, kept)];
    (headers, body).into_response()
}
