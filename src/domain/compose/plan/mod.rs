//! The second step: what a page shows, decided from a reading.

mod action;
mod around;
mod article;
mod blank;
mod called;
mod channels;
mod charts;
mod check;
mod columns;
mod comparison;
mod controls;
mod fitting;
mod headline;
mod likely;
mod listed;
mod live;
mod main_data;
mod matrix;
mod numbers;
mod offers;
mod outline;
mod picked;
mod pictures;
mod plain;
mod rules;
mod shapes;
mod verbs;
mod weighing;
mod wishes;
mod wizard;

#[cfg(test)]
pub(super) use action::action_candidates;
pub(super) use check::check;
pub(super) use controls::{is_several_lines, scale};
#[cfg(test)]
pub(super) use headline::headline_candidates;
#[cfg(test)]
pub(super) use likely::{COMPONENTS, main_signs};
#[cfg(test)]
pub(super) use main_data::main_candidates;
pub(super) use numbers::VALUE_COMPONENTS;
pub(super) use outline::{
    Headline, Lookup, Offer, Part, Place, Plan, Reference, Region, Shown, is_code,
};
pub(super) use plain::TEXT_COMPONENTS;
pub(super) use rules::plan;
pub(super) use shapes::Shape;
#[cfg(test)]
pub(super) use weighing::ONE as WEIGHT_ONE;
pub(super) use wishes::Wishes;
