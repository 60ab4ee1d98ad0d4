//! Operations as data: who asks for what, with which arguments; and the table of all there are.

mod answer;
mod caller;
mod endings;
mod handler;
mod idempotency_key;
mod rights;
mod row;
mod schema;
pub(crate) mod table;
mod value;

pub(crate) use answer::{Answer, Hint, Mount, Reply, resource_uri};
pub(crate) use caller::Caller;
pub(crate) use handler::{Handler, Handlers, Registration};
pub(crate) use idempotency_key::IdempotencyKey;
pub(crate) use rights::{SCOPES, known_scopes};
pub(crate) use row::{Effect, Fails, PAGE_ENDPOINTS_AND_MCP, Rate, Rules, Signature, Ui, Wait};
pub(crate) use schema::{input_schema, shown};
pub(crate) use value::Operation;
