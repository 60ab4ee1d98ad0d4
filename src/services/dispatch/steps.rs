//! The steps of an operation that was not answered before.

use super::error::DispatchError;
use super::policy::Passage;
#[cfg(feature = "gate")]
use super::policy::outcome;
use super::registry::Entry;
use super::run::Dispatch;
use crate::domain::credentials::CredentialError;
use crate::domain::footprint::Room as _;
use crate::domain::operation::{Answer, Operation};
#[cfg(feature = "gate")]
use crate::domain::operation::{Caller, Rules, Ui, table};
#[cfg(feature = "gate")]
use crate::domain::principal::Door;
use crate::domain::principal::Principal;
use crate::domain::size::value_bytes;

impl Entry {
    /// The name by which rules know it, where they are about a caller: a tool that agents call, or what
    /// stands for one at another door. People act on cards whatever the rules say.
    #[cfg(feature = "gate")]
    pub(super) fn governed(&self, caller: &Caller) -> Option<&str> {
        let is_tool = |rules: &Rules| !rules.listed.is_empty() && rules.ui != Ui::AppOnly;
        let is_of_agents = match self.rules.scope {
            Some(scope) => table::row(scope).is_some_and(|row| is_tool(&row.rules)),
            None => is_tool(&self.rules),
        };
        let is_asked = matches!(caller.door, Door::Mcp | Door::Rest);
        (is_of_agents && is_asked).then(|| self.rules.scope.unwrap_or(&self.name))
    }

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
        self.parts
            .limits
            .count(&operation.caller.principal, name, rules.rate)?;
        if entry.rules.adds() {
            self.parts.budget.check()?;
        }
        let passage = self.parts.policy.decide(entry, &operation).await?;
        match passage {
            Passage::Open => self.carry_out(entry, operation).await,
            #[cfg(feature = "gate")]
            Passage::Made(answer) => Ok(answer),
            #[cfg(feature = "gate")]
            Passage::Agreed(agreement) => {
                let done = self.carry_out(entry, operation).await;
                agreement.report(outcome(&done));
                done
            }
        }
    }

    /// Does what may be done.
    async fn carry_out(
        &self,
        entry: &Entry,
        operation: Operation,
    ) -> Result<Answer, DispatchError> {
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
        let done = self.parts.work.run(&caller.principal, bytes, work);
        if entry.rules.waits.is_none() {
            return done.await?;
        }
        tokio::select! {
            // What is done is handed out: it may be taken from where it was.
            biased;
            done = done => done?,
            () = self.parts.credentials.expired_or_revoked(caller.principal.lease) => {
                Err(CredentialError::Refused.into())
            }
        }
    }
}
