//! The steps of an operation that was not answered before.

use super::error::DispatchError;
use super::registry::Entry;
use super::run::Dispatch;
use crate::domain::credentials::CredentialError;
use crate::domain::footprint::Room as _;
use crate::domain::operation::{Answer, Operation};
use crate::domain::principal::Principal;
use crate::domain::size::value_bytes;

impl Entry {
    /// Whether a caller may ask for it at all.
    pub(super) fn check_reach(&self, principal: &Principal) -> Result<(), DispatchError> {
        let Principal { trust, scopes, .. } = principal;
        let (needed, held) = (self.rules.trust, *trust);
        if held < needed {
            return Err(DispatchError::OutOfReach { needed, held });
        }
        if !self.rules.is_within(&self.name, scopes) {
            let held = scopes.names().into_iter().flatten();
            let needed = self.rules.scopes(&self.name);
            return Err(DispatchError::OutOfScope {
                needed: needed.map(str::to_owned).collect(),
                held: held.map(str::to_owned).collect(),
            });
        }
        Ok(())
    }
}

impl Dispatch {
    /// Does an operation, in turn where it takes long.
    pub(super) async fn perform(
        &self,
        entry: &Entry,
        operation: Operation,
    ) -> Result<Answer, DispatchError> {
        let Entry { name, rules, .. } = entry;
        self.limits
            .count(&operation.caller.principal, name, rules.rate)?;
        if entry.rules.adds() {
            self.budget.check()?;
        }
        self.policy.decide(&operation).await?;
        let bytes = if entry.rules.weighs {
            let given = &operation.arguments;
            value_bytes(given) + entry.handler.held(&operation.caller, given).await
        } else {
            0
        };
        let Operation {
            caller, arguments, ..
        } = operation;
        let work = async {
            entry.handler.ready(&caller, &arguments).await?;
            if entry.rules.is_checked {
                entry.input.check(&arguments)?;
            }
            entry.handler.run(&caller, arguments).await
        };
        let done = self.work.run(&caller.principal, bytes, work);
        if entry.rules.waits.is_none() {
            return done.await?;
        }
        tokio::select! {
            // What is done is handed out: it may be taken from where it was.
            biased;
            done = done => done?,
            () = self.credentials.expired_or_revoked(caller.principal.lease) => {
                Err(CredentialError::Refused.into())
            }
        }
    }
}
