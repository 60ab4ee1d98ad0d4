//! What every store must do, whatever it is made of: one battery of tests for each port, and a store
//! that fails on purpose.
//!
//! A store runs a battery with one line in its own tests, for example
//! `session_store_battery!(fresh);`. `fresh` is an `async fn() -> (store, held)` that makes an empty
//! store; `held` is whatever has to live as long as it: a folder, a process.

pub(super) mod activity;
pub(super) mod answers;
pub(super) mod appends;
pub(super) mod blueprints;
mod failing;
mod failing_cases;
mod failing_pages;
pub(super) mod presence;
pub(super) mod samples;
pub(super) mod sessions;
mod store_tests;

pub(super) use activity::activity_store_battery;
pub(super) use answers::replayed_answers_battery;
pub(super) use blueprints::blueprint_store_battery;
pub(crate) use failing::{Failing, Mode};
pub(super) use presence::presence_store_battery;
pub(super) use sessions::session_store_battery;
pub(super) use store_tests::store_tests;
