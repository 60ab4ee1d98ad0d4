//! What a designer would make of the contracts of `tests/labelled`: a judge of plans, and the fit of the
//! weights that headlines are chosen by.

mod fit;
mod judge;
