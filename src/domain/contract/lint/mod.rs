//! The schema phase of the gate: what of JSON Schema a contract may use, decided before anything is compiled.

#[cfg(test)]
mod cases;
mod patterns;
mod schema;
mod scope;
mod value;

pub(super) use patterns::Trials;
pub(super) use schema::check;
pub(crate) use schema::schema_problems;
