//! proscenium: the server that lets agents put living, safe interfaces in front of people.

pub mod wire;

mod domain;
