//! Requests whose caller is told things before the answer, and asked: on the stream of the answer in
//! the older era, in rounds or as a task in the newer one.

mod begin;
mod conversation;
mod course;
mod exchanges;
mod follower;
mod levels;
mod questions;
mod rounds;
mod steps;
pub(super) mod tasks;

pub(super) use begin::{begin, hears, is_one};
pub(super) use course::Exchange;
pub(crate) use exchanges::Exchanges;
pub(super) use follower::Follower;
pub(super) use levels::Level;
pub(super) use steps::{Step, next};
