//! What is open: any JSON object.

use serde_json::{Map, Value};

/// Any JSON object.
pub type Object = Map<String, Value>;
