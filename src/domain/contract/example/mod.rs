//! The call an agent makes after a handshake: sample props that fit, or word that none were found.

mod build;
mod call;
#[cfg(test)]
mod cases;
mod merge;
mod numbers;
mod patterns;
mod placeholder;
mod search;
mod texts;
