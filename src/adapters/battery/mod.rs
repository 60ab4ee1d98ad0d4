//! What every store must do, whatever it is made of: one battery of tests for each port, and a store
//! that fails on purpose.

mod blueprints;
mod failing;
mod presence;
mod samples;
mod sessions;

pub(crate) use failing::{Failing, Mode};
