//! Why a request to the database is not answered as it was asked.

use rusqlite::types::FromSqlError;

use crate::domain::store_error::StoreError;

/// What the port answers, or what SQLite says.
#[derive(Debug)]
pub(super) enum Failure {
    /// The request cannot be granted, and changes nothing.
    Refused(StoreError),
    /// The database failed.
    Database(rusqlite::Error),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Refused(error)
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

impl From<FromSqlError> for Failure {
    fn from(error: FromSqlError) -> Self {
        Self::Database(error.into())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Refused(unreadable(&error))
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(error) => error,
            Failure::Database(error) => Self::unavailable(error),
        }
    }
}

/// Something that is stored cannot be read, or something cannot be written as it is stored.
pub(super) fn unreadable(error: &serde_json::Error) -> StoreError {
    StoreError::unavailable(format!(
        "a stored value is not what this release stores: {error}"
    ))
}
