//! What a conformance suite changes about subscriptions.

use std::borrow::Cow;

use super::profile::Profile;
use crate::domain::store_error::StoreError;
use crate::services::live::LiveError;
use crate::transports::faults::Fault;
use crate::wire::fault::Code;
use crate::wire::frames::DRAFTS;
use crate::wire::ids::SessionKey;

/// A suite that may prepare this server, where it has an address for that.
pub(crate) struct Suite(pub(crate) Option<Profile>);

impl Suite {
    /// The drafts that are spoken in a session, newest first, or the one it pretends to speak.
    pub(crate) fn drafts(&self, session: &str) -> Vec<Cow<'static, str>> {
        let pretended = self.0.as_ref().and_then(|suite| suite.version_of(session));
        match pretended {
            Some(version) => vec![Cow::Owned(version.to_string())],
            None => DRAFTS.iter().map(|draft| Cow::Borrowed(*draft)).collect(),
        }
    }

    /// Makes a session that a subscription without a token found missing; whether it did.
    pub(crate) async fn provision(
        &self,
        key: &SessionKey,
        error: &LiveError,
    ) -> Result<bool, Fault> {
        match (&self.0, error) {
            (Some(suite), LiveError::Store(StoreError::Missing)) => {
                if suite.is_elsewhere(key) {
                    return Err(Fault::of(Code::AppMismatch));
                }
                suite.provision(key).await;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}
