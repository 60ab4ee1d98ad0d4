//! Unsigned numbers as SQLite has them, which has signed ones only.

/// A position, time or size; what is larger than SQLite counts is its largest number.
pub(super) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The same back; nothing below zero was ever written.
pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
