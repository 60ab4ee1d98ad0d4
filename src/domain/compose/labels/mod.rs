//! What a designer would make of the contracts of `tests/labelled`: a judge of plans, and the fit of the
//! weights that headlines, actions, components and main data are chosen by.

mod actions;
mod components;
mod headlines;
mod judge;
mod logit;
mod main_data;
