//! The page a model is to choose.

use serde_json::Value;

use crate::domain::contract::CompiledContract;

/// The page a model is to choose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page<'a> {
    /// What may go in and out.
    pub(crate) contract: &'a CompiledContract,
    /// What it is for.
    pub(crate) intent: &'a str,
    /// How it should feel, where that was said.
    pub(crate) variance: Option<&'a Value>,
    /// The props, where a model may see them.
    pub(crate) values: Option<&'a Value>,
}
