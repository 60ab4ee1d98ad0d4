//! JSON objects, and members that may only be read from an object.

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error};
use serde_json::{Map, Value};

/// Any JSON object.
pub type Object = Map<String, Value>;

/// Whether a JSON text is an object. Serde would also read a struct from an array of its members.
pub fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// Deserialises a member from an object and from nothing else.
pub(super) fn only<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let object = Object::deserialize(deserializer)?;
    T::deserialize(Value::Object(object)).map_err(Error::custom)
}

/// Deserialises a member that may be absent or null, from an object and from nothing else.
pub(super) fn only_some<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let object = Option::<Object>::deserialize(deserializer)?;
    let read = |object| T::deserialize(Value::Object(object));
    object.map(read).transpose().map_err(Error::custom)
}
