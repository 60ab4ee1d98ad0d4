//! `/api/v1`: sessions, blueprints, memories and faults as resources, for programs that speak plain HTTP.

mod answer;
mod blueprints;
mod body;
mod faults;
mod memories;
mod page;
mod sessions;

pub(super) use blueprints::{blueprint, blueprints, delete_blueprint};
pub(super) use faults::{fault, faults, openapi};
pub(super) use memories::{
    change_memory, change_page, create_memory, delete_memory, delete_page, memories, memory,
    search, version, versions,
};
pub(super) use sessions::{confirm, delete_session, remark, session, sessions};
