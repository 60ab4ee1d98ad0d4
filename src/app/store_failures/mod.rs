//! The real server, over real sockets, above stores that fail: nothing that was acknowledged is lost,
//! nothing is seen twice, and every door says when to come back.

mod clicks;
mod doors;
mod keyed;
mod mounts;
mod nodes;
mod operations;
mod pages;
mod world;
