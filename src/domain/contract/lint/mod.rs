//! The schema phase of the gate: which parts of JSON Schema a contract may use.

#[cfg(test)]
mod cases;
mod schema;
mod scope;
mod value;

pub(super) use schema::check;
pub(crate) use schema::schema_problems;
