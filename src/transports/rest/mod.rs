//! `/api/v1`: sessions, blueprints and faults as resources, for programs that speak plain HTTP.

mod answer;
mod blueprints;
mod faults;
mod page;
mod sessions;

pub(super) use blueprints::{blueprint, blueprints, delete_blueprint};
pub(super) use faults::{fault, faults, openapi};
pub(super) use sessions::{delete_session, session, sessions};
