//! Who calls, found out once for each request.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::response::Response;
use http::request::Parts;

use super::extract::principal;
use crate::domain::principal::Principal;
use crate::transports::doors::Doors;
use crate::transports::faults::Fault;

/// What the credential in the headers is worth, or why it is worth nothing. Whoever needs it before
/// the handler does leaves it with the request.
#[derive(Clone)]
pub(crate) struct Identity(pub(crate) Result<Principal, Fault>);

impl FromRequestParts<Arc<Doors>> for Identity {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, doors: &Arc<Doors>) -> Result<Self, Infallible> {
        Ok(match parts.extensions.remove::<Self>() {
            Some(known) => known,
            None => Self(principal(&doors.auth, &parts.headers).await),
        })
    }
}

/// The caller of a route that shows sessions: one that may read them.
pub(crate) struct Reader(pub(crate) Principal);

impl FromRequestParts<Arc<Doors>> for Reader {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, doors: &Arc<Doors>) -> Result<Self, Response> {
        let principal = Principal::from_request_parts(parts, doors).await?;
        let may_read = doors.may_read(&principal);
        may_read.map_err(|fault| fault.to_rest())?;
        Ok(Self(principal))
    }
}

/// The caller of a route that is for nobody else: without one it is answered in the envelope.
impl FromRequestParts<Arc<Doors>> for Principal {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, doors: &Arc<Doors>) -> Result<Self, Response> {
        let Ok(Identity(found)) = Identity::from_request_parts(parts, doors).await;
        found.map_err(|fault| fault.to_rest())
    }
}
