//! One request as a value: it can be stored, compared, and run at another time.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::digest::sha256;
use super::caller::Caller;
use super::idempotency_key::IdempotencyKey;

/// One request, whichever way it came in.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Operation {
    /// Who asks.
    pub(crate) caller: Caller,
    /// Name of a row of the table, or of what was registered while the server runs.
    pub(crate) name: Arc<str>,
    /// As the caller gave them; nothing has been checked.
    pub(crate) arguments: Value,
    /// The caller's name for this attempt.
    pub(crate) idempotency_key: Option<IdempotencyKey>,
}

impl Operation {
    /// A request without a name of its own.
    pub(crate) fn new(caller: Caller, name: impl Into<Arc<str>>, arguments: Value) -> Self {
        Self {
            caller,
            name: name.into(),
            arguments,
            idempotency_key: None,
        }
    }

    /// Tells these arguments from others, whatever the order of their members.
    pub(crate) fn digest(&self) -> [u8; 32] {
        let canonical = serde_jcs::to_string(&self.arguments);
        // What has no canonical text (a number beyond all others) is compared as it was written.
        let text = canonical.unwrap_or_else(|_| self.arguments.to_string());
        sha256(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher as _, RandomState};

    use serde_json::json;

    use super::super::super::principal::{Door, Principal};
    use super::*;

    #[test]
    fn an_operation_that_was_stored_is_the_same_when_it_is_read_again() {
        let arguments = json!({"sessionId": "s", "props": {"a": [1, 2.5, null]}});
        let operation = Operation {
            idempotency_key: IdempotencyKey::new("k").ok(),
            ..Operation::new(
                Caller::through(Door::Mcp, Principal::builder()),
                "ggui_amend",
                arguments,
            )
        };
        let stored = serde_json::to_string(&operation).unwrap();
        let read: Operation = serde_json::from_str(&stored).unwrap();
        assert_eq!(read, operation);
        let hasher = RandomState::new();
        assert_eq!(hasher.hash_one(&read), hasher.hash_one(&operation));
    }

    #[test]
    fn arguments_in_another_order_are_the_same_arguments() {
        let of = |arguments| {
            let caller = Caller::through(Door::Mcp, Principal::builder());
            Operation::new(caller, "ggui_amend", arguments).digest()
        };
        assert_eq!(of(json!({"a": 1, "b": 2})), of(json!({"b": 2, "a": 1})));
        assert_ne!(of(json!({"a": 1, "b": 2})), of(json!({"a": 2, "b": 1})));
    }
}
