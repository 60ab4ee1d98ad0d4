//! Who calls, found out once for each request.

use std::convert::Infallible;

use axum::extract::{FromRef, FromRequestParts};
use axum::response::Response;
use http::request::Parts;

use super::access::Access;
use super::extract::principal;
use crate::domain::principal::{Door, Principal};
use crate::transports::faults::Fault;

/// What the credential in the headers is worth, or why it is worth nothing. Whoever needs it before
/// the handler does leaves it with the request.
#[derive(Clone)]
pub(crate) struct Identity(pub(crate) Result<Principal, Fault>);

impl<S> FromRequestParts<S> for Identity
where
    S: Send + Sync,
    Access: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        Ok(match parts.extensions.remove::<Self>() {
            Some(known) => known,
            None => {
                let access = Access::from_ref(state);
                Self(principal(&*access.credentials, &parts.headers).await)
            }
        })
    }
}

/// The caller of a route that shows sessions: one that may read them.
pub(crate) struct Reader(pub(crate) Principal);

impl<S> FromRequestParts<S> for Reader
where
    S: Send + Sync,
    Access: FromRef<S>,
{
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let principal = Principal::from_request_parts(parts, state).await?;
        let access = Access::from_ref(state);
        let checked = access.check_mount(Door::Rest, &principal, None).await;
        checked.map_err(|fault| fault.to_rest())?;
        Ok(Self(principal))
    }
}

/// The caller of a route that is for nobody else: without one it is answered in the envelope.
impl<S> FromRequestParts<S> for Principal
where
    S: Send + Sync,
    Access: FromRef<S>,
{
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let Ok(Identity(found)) = Identity::from_request_parts(parts, state).await;
        found.map_err(|fault| fault.to_rest())
    }
}
