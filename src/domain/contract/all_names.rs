//! The names in a contract, by which it is told whether another one is of the same kind.

use std::collections::BTreeSet;

use super::compiled::CompiledContract;
use crate::domain::digest::{hex, sha256};

/// Digits of the hash of all names: as many as the hash of a contract has.
const DIGITS: usize = 16;

impl CompiledContract {
    /// The names of its props, actions, channels and slots, each with what it is the name of.
    pub(crate) fn names(&self) -> BTreeSet<(&'static str, &str)> {
        let spec = self.contract();
        let props = spec
            .props_spec
            .iter()
            .flat_map(|spec| spec.properties.keys());
        let actions = spec.action_spec.iter().flat_map(|all| all.keys());
        let channels = spec.stream_spec.iter().flat_map(|all| all.keys());
        let slots = spec.context_spec.iter().flat_map(|all| all.keys());
        let all = props.map(|name| ("prop", name.as_str()));
        all.chain(actions.map(|name| ("action", name.as_str())))
            .chain(channels.map(|name| ("channel", name.as_str())))
            .chain(slots.map(|name| ("slot", name.as_str())))
            .collect()
    }

    /// The same text for contracts with the same names, and another one for others.
    pub(crate) fn names_hash(&self) -> &str {
        self.names_hash.get_or_init(|| {
            let names = serde_json::to_vec(&self.names()).unwrap_or_default();
            let mut digits = hex(&sha256(&names));
            digits.truncate(DIGITS);
            digits.into()
        })
    }
}
