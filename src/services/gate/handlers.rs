//! What the gate does, registered by name.

use std::sync::Arc;

use super::error::GateError;
use super::service::Gate;
use crate::domain::operation::{Handlers, Registration, table};

impl Gate {
    /// What this service does.
    pub(crate) fn handlers<F>(self: &Arc<Self>) -> Vec<Registration<F>>
    where
        F: From<serde_json::Error> + From<GateError> + Send + 'static,
    {
        Handlers::<_, GateError, F>::of(self)
            .on::<table::GateCall>(|gate, caller, params| {
                Box::pin(async move { Ok(gate.call(caller, params).await?.into()) })
            })
            .on::<table::GateFollow>(|gate, caller, params| {
                Box::pin(async move { Ok(gate.follow(caller, params).await?.into()) })
            })
            .on::<table::ConfirmCall>(|gate, caller, params| {
                Box::pin(async move { Ok(gate.confirm(caller, params).await?.into()) })
            })
            .on::<table::GateRead>(|gate, caller, params| {
                Box::pin(async move { Ok(gate.read(caller, params).await?.into()) })
            })
            .into_registrations()
    }
}
