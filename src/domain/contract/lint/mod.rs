//! The schema phase of the gate: what of JSON Schema a contract may use, decided before anything is compiled.

#[cfg(test)]
mod cases;
mod schema;
mod scope;
mod value;

pub(super) use schema::check;
pub(crate) use schema::schema_problems;
