//! Decides whether everything that one schema accepts is also accepted by another one.

#[cfg(test)]
mod cases;
mod comparison;
mod lengths;
mod members;
mod misfit;
mod numbers;
mod piece;

pub(crate) use comparison::Comparison;
pub(crate) use misfit::Misfit;
