//! The compiled contract: the gate before it, and the validation of every value.

mod all_names;
mod at;
mod changes;
mod close;
mod compare;
mod compiled;
mod cost;
mod enforced;
mod example;
mod explain;
mod findings;
mod formats;
mod found;
mod gadgets;
mod gate;
#[cfg(test)]
pub(crate) mod generate;
mod grammar;
mod hash;
mod judge;
mod keywords;
mod limits;
mod lint;
mod names;
mod normalise;
mod patterns;
#[cfg(test)]
mod properties;
mod refs;
mod salvage;
#[cfg(test)]
pub(crate) mod samples;
mod shape;
mod subset;
mod summary;
mod values;
#[cfg(test)]
mod vectors;
mod violated;
mod violations;

pub(crate) use changes::changes;
pub(crate) use compiled::{Checked, CompiledContract};
pub(crate) use findings::{bounded, error, failed_phase, warning};
pub(crate) use gadgets::{GadgetProblem, check_gadgets, packages};
pub(crate) use gate::oversized;
pub(crate) use hash::{contract_hash, variant_key};
pub(crate) use limits::ContractLimits;
pub(crate) use lint::schema_problems;
pub(crate) use salvage::{props_of, salvage};
pub(crate) use subset::{Comparison, Misfit};
pub(crate) use summary::summary;
pub(crate) use values::Checker;
pub(crate) use violations::violation_text;
