//! One database: a thread that writes, and connections that read beside it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use rusqlite::{Connection, OpenFlags};
use tokio::sync::{Semaphore, mpsc, oneshot};

use super::failure::Failure;
use super::folder::{Folder, private};
use super::log_damage::keep_damaged;
use super::open_error::OpenError;
use super::schema::{MIGRATIONS, migrate};
use super::writer::{Work, Write, Writer};
use crate::domain::store_error::StoreError;
use crate::domain::store_settings::{Durability, StoreSettings};

/// The first SQLite without the WAL-reset defect, by which two connections could damage a database
/// (sqlite.org/wal.html, section 11).
const SQLITE_MIN: i32 = 3_051_003;
/// Statements that each connection keeps compiled: more than there are.
const STATEMENTS: usize = 64;
/// Pages in KiB that the writing connection keeps in memory: what hundreds of sessions touch.
const WRITER_CACHE_KIB: i64 = 16 << 10;
/// The same for a reading one: reads are rare, because the sessions in use are in memory.
const READER_CACHE_KIB: i64 = 1 << 10;
/// Connections that read at a time: reads wait for the disk more than for a core.
const READERS: usize = 4;
/// Bytes to which the write-ahead log is cut after a peak.
const LOG_BYTES_KEPT: i64 = 16 << 20;

/// A database that is open.
pub(crate) struct Database {
    file: PathBuf,
    writes: mpsc::Sender<Write>,
    readers: Arc<Readers>,
    /// What the operator should know of the data, a sentence each.
    notes: Vec<String>,
}

struct Readers {
    idle: Mutex<Vec<Connection>>,
    places: Arc<Semaphore>,
}

impl Database {
    /// Opens the database of a folder, which is owned as long as this is open.
    pub(crate) fn open(folder: Folder, settings: &StoreSettings) -> Result<Arc<Self>, OpenError> {
        if rusqlite::version_number() < SQLITE_MIN {
            return Err(OpenError::Library(rusqlite::version()));
        }
        let file = folder.database();
        let damage = keep_damaged(&file).map_err(OpenError::of_system(&file))?;
        let connection = writable(&file, settings.durability)?;
        if damage.is_some() {
            // What lies behind the damage would be found again at every start.
            let cut = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
            cut.map_err(|error| OpenError::of_database(&file, &error))?;
        }
        let writer = Writer::new(connection, &file, folder).map_err(OpenError::of_system(&file))?;
        let (writes, queue) = mpsc::channel(settings.writes_waiting_max.max(1));
        let thread = std::thread::Builder::new().name("sqlite-writer".to_owned());
        thread
            .spawn(move || writer.run(queue))
            .map_err(OpenError::of_system(&file))?;
        let readers = Arc::new(Readers {
            idle: Mutex::default(),
            places: Arc::new(Semaphore::new(READERS)),
        });
        Ok(Arc::new(Self {
            file,
            writes,
            readers,
            notes: Vec::from_iter(damage),
        }))
    }

    /// What the operator should know of the data, a sentence each.
    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// A secret that is kept with the data, `fresh` where there is none yet.
    pub(crate) async fn secret(
        self: &Arc<Self>,
        name: &'static str,
        fresh: [u8; 32],
    ) -> Result<[u8; 32], StoreError> {
        self.write(move |connection| {
            let insert = "INSERT INTO secrets (name, value) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            connection.execute(insert, (name, fresh))?;
            Ok(())
        })
        .await?;
        self.read(move |connection| {
            let select = "SELECT value FROM secrets WHERE name = ?1";
            Ok(connection.query_row(select, [name], |row| row.get(0))?)
        })
        .await
    }

    /// Does something in the next transaction, and returns once that is committed. What is refused
    /// changes nothing.
    pub(super) async fn write(
        &self,
        work: impl Fn(&Connection) -> Result<(), Failure> + Send + 'static,
    ) -> Result<(), StoreError> {
        let (answer, answered) = oneshot::channel();
        let work: Work = Box::new(work);
        let queued = self.writes.try_send(Write { work, answer });
        queued.map_err(|error| {
            StoreError::unavailable(match error {
                mpsc::error::TrySendError::Full(_) => "too many writes wait",
                mpsc::error::TrySendError::Closed(_) => "the writer has ended",
            })
        })?;
        let ended = |_| Err(StoreError::unavailable("the writer has ended"));
        answered.await.unwrap_or_else(ended)
    }

    /// Reads what is committed at one moment, without waiting for what is written.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let place = Arc::clone(&self.readers.places).acquire_owned().await;
        let place = place.map_err(|_| StoreError::unavailable("the readers have ended"))?;
        let (readers, file) = (Arc::clone(&self.readers), self.file.clone());
        let done = tokio::task::spawn_blocking(move || {
            let _place = place;
            let idle = readers.idle.lock().pop();
            let connection = match idle {
                Some(connection) => connection,
                None => readable(&file)?,
            };
            let transaction = connection.unchecked_transaction()?;
            let done = work(&transaction);
            drop(transaction);
            // A connection that failed is not used again: its next one opens the file anew.
            if !matches!(done, Err(Failure::Database(_))) {
                readers.idle.lock().push(connection);
            }
            done
        });
        let done = done.await.map_err(StoreError::unavailable)?;
        Ok(done?)
    }
}

/// The connection that writes, to a database of the last schema.
fn writable(file: &Path, durability: Durability) -> Result<Connection, OpenError> {
    // SQLite gives its other files the mode of this one.
    private(file).map_err(OpenError::of_system(file))?;
    let open = || -> rusqlite::Result<Connection> {
        let connection = Connection::open(file)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "cache_size", -WRITER_CACHE_KIB)?;
        connection.pragma_update(None, "journal_size_limit", LOG_BYTES_KEPT)?;
        let is_full = durability == Durability::Full;
        let synchronous = if is_full { "full" } else { "normal" };
        connection.pragma_update(None, "synchronous", synchronous)?;
        // Where an ordinary fsync does not reach the disk (macOS).
        connection.pragma_update(None, "fullfsync", is_full)?;
        Ok(connection)
    };
    let mut connection = open().map_err(|error| OpenError::of_database(file, &error))?;
    migrate(&mut connection, file, &MIGRATIONS)?;
    Ok(connection)
}

fn readable(file: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.pragma_update(None, "cache_size", -READER_CACHE_KIB)?;
    Ok(connection)
}
