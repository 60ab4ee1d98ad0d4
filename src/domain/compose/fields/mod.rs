//! Reads schemas the way a designer would: what is this value, and how is it best shown?

#[cfg(test)]
mod cases;
mod formats;
mod kinds;
mod names;

pub(super) use formats::{format, is_image, is_long};
pub(super) use kinds::{
    Field, Kind, choices, core, fields, is_form, is_nullable, is_strings, items, kind,
};
pub(super) use names::{
    is_currency, is_id, is_money, is_patch, is_percent, is_source, is_technical_id, is_time, key,
};
