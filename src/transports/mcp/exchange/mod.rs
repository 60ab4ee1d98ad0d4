//! Requests whose caller is told things before the answer, and asked: on the stream of the answer in
//! the older era, in rounds in the newer one.

mod conversation;
mod exchanges;
mod levels;
mod questions;
mod rounds;
mod steps;

pub(crate) use exchanges::Exchanges;
pub(super) use levels::Level;
pub(super) use steps::{Exchange, Step, hears};
