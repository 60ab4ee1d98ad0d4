//! Decides whether everything that one schema accepts is accepted by another one, too.

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
