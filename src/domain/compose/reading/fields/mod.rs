//! Reads schemas the way a designer would: what is this value, and how is it best shown?

#[cfg(test)]
mod cases;
mod formats;
mod kinds;
mod names;

pub(crate) use formats::{counts_minor, format, is_image, is_long, is_markdown};
pub(crate) use kinds::{
    Field, Kind, any_of, branches, choices, columns_of, core, fields, is_form, is_nullable, items,
    kind, required, shapes_of,
};
pub(super) use names::{abbreviates, is_registered};
pub(crate) use names::{
    is_checksum, is_currency, is_duty, is_id, is_key, is_minor, is_money, is_ordinal, is_patch,
    is_percent, is_price, is_reference, is_source, is_technical_id, is_time, key, minor_word,
    named_currency,
};
