//! Contracts and views in the database, each once; the schema counts who holds them.

use rusqlite::{Connection, OptionalExtension as _};

use super::failure::Failure;
use crate::domain::document::Document;

/// Writes documents that are not there yet; the ids of all, as whoever holds them names them.
pub(super) fn keep(connection: &Connection, documents: &[Document]) -> Result<String, Failure> {
    let mut find = connection.prepare_cached("SELECT id FROM documents WHERE hash = ?1")?;
    let mut ids = Vec::with_capacity(documents.len());
    for document in documents {
        let hash = document.hash.to_string();
        let found = find.query_row([&hash], |row| row.get::<_, i64>(0));
        let id = match found.optional()? {
            Some(id) => id,
            None => {
                let insert = "INSERT INTO documents (hash, text) VALUES (?1, ?2)";
                let mut insert = connection.prepare_cached(insert)?;
                insert.insert((&hash, document.value.to_string()))?
            }
        };
        ids.push(id);
    }
    Ok(serde_json::to_string(&ids)?)
}
