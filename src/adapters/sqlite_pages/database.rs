//! The database: opened, brought to the present version of its tables, and lent to one writer and to
//! readers beside it.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::Semaphore;

use super::schema::MIGRATIONS;
use crate::domain::store_error::StoreError;

/// The first SQLite in which a reset of the write-ahead log cannot damage the database.
const SQLITE_MIN: i32 = 3_051_003;
/// Connections that read: more than two cores keep busy gain little.
const READERS: usize = 4;
/// How long one process waits for another that writes: longer than any transaction of ours takes.
const BUSY_WAIT: Duration = Duration::from_secs(5);
/// Statements a connection keeps prepared: all there are.
const STATEMENTS_KEPT: usize = 64;

/// The file in the data folder where pages are kept unless another one is configured.
const FILE: &str = "pages.db";

/// The file of the pages: the one that is configured, or one in the data folder; none where there is
/// neither.
pub(crate) fn location(configured: &Path, folder: Option<&Path>) -> Option<PathBuf> {
    if configured.as_os_str().is_empty() {
        return folder.map(|folder| folder.join(FILE));
    }
    Some(configured.to_owned())
}

/// A file that only this user may open, made if it is not there.
pub(super) fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Why the database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It cannot be opened, or its tables cannot be read.
    #[error("the page store {path} cannot be used: {reason}; brain.path names another file")]
    Unusable {
        /// Where it lies.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The SQLite of this build is too old.
    #[error("SQLite {found} may damage its write-ahead log: build with 3.51.3 or newer")]
    TooOld {
        /// What there is.
        found: &'static str,
    },
    /// A newer server has written it.
    #[error(
        "the page store {path} has tables of version {found}, this server knows {known}: use the \
         server that wrote it, or a newer one"
    )]
    TooNew {
        /// Where it lies.
        path: PathBuf,
        /// Version of the tables.
        found: i64,
        /// The newest version this server knows.
        known: i64,
    },
}

impl OpenError {
    /// What an error of SQLite says of a file.
    pub(super) fn of_database(path: &Path) -> impl FnOnce(rusqlite::Error) -> Self {
        |error| Self::Unusable {
            path: path.to_owned(),
            reason: error.to_string(),
        }
    }

    /// What an error of the operating system says of a file.
    pub(super) fn of_system(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |error| Self::Unusable {
            path: path.to_owned(),
            reason: error.to_string(),
        }
    }
}

/// Connections of one kind; whoever asks waits for its turn.
struct Pool {
    idle: Mutex<Vec<Connection>>,
    turns: Arc<Semaphore>,
}

impl Pool {
    fn of(connections: Vec<Connection>) -> Arc<Self> {
        Arc::new(Self {
            turns: Arc::new(Semaphore::new(connections.len())),
            idle: Mutex::new(connections),
        })
    }

    /// Runs something on a connection, outside of the threads that serve. It runs to its end, also
    /// where nobody waits for it any more.
    async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        run: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        let turn = turn.map_err(StoreError::unavailable)?;
        let pool = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || {
            let Some(mut connection) = pool.idle.lock().pop() else {
                return Err(StoreError::unavailable("no connection is left"));
            };
            let done = run(&mut connection);
            pool.idle.lock().push(connection);
            drop(turn);
            done
        });
        done.await.map_err(StoreError::unavailable)?
    }
}

/// The database.
pub(crate) struct Database {
    writer: Arc<Pool>,
    readers: Arc<Pool>,
}

impl Database {
    /// Opens a file, and makes it if there is none.
    pub(crate) fn open(path: &Path) -> Result<Self, OpenError> {
        check_library()?;
        let unusable = |error| OpenError::of_database(path)(error);
        // SQLite gives its other files the mode of this one.
        private(path).map_err(OpenError::of_system(path))?;
        let mut writer = Connection::open(path).map_err(unusable)?;
        prepare(&writer).map_err(unusable)?;
        migrate(&mut writer, path)?;
        let mut readers = Vec::with_capacity(READERS);
        for _ in 0..READERS {
            let reader = Connection::open(path).map_err(unusable)?;
            prepare(&reader).map_err(unusable)?;
            reader
                .pragma_update(None, "query_only", true)
                .map_err(unusable)?;
            readers.push(reader);
        }
        Ok(Self {
            writer: Pool::of(vec![writer]),
            readers: Pool::of(readers),
        })
    }

    /// Keeps everything in this process: one connection reads and writes.
    pub(crate) fn in_memory() -> Result<Self, OpenError> {
        check_library()?;
        let path = Path::new(":memory:");
        let unusable = |error| OpenError::of_database(path)(error);
        let mut connection = Connection::open_in_memory().map_err(unusable)?;
        prepare(&connection).map_err(unusable)?;
        migrate(&mut connection, path)?;
        let only = Pool::of(vec![connection]);
        Ok(Self {
            writer: Arc::clone(&only),
            readers: only,
        })
    }

    /// Reads.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.readers.run(|connection| read(connection)).await
    }

    /// A number that changes when another process has written: the connection that writes is told of
    /// nothing else, because no other one here does.
    pub(super) async fn others_wrote(&self) -> Result<i64, StoreError> {
        let read = |connection: &mut Connection| {
            let version = connection.pragma_query_value(None, "data_version", |row| row.get(0));
            version.map_err(StoreError::unavailable)
        };
        self.writer.run(read).await
    }

    /// Writes in one transaction: all of it, or nothing where it fails.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let run = |connection: &mut Connection| {
            let transaction = connection
                .transaction_with_behavior(TransactionBehavior::Immediate)
                .map_err(StoreError::unavailable)?;
            let written = write(&transaction)?;
            transaction.commit().map_err(StoreError::unavailable)?;
            Ok(written)
        };
        self.writer.run(run).await
    }
}

fn check_library() -> Result<(), OpenError> {
    if rusqlite::version_number() < SQLITE_MIN {
        return Err(OpenError::TooOld {
            found: rusqlite::version(),
        });
    }
    Ok(())
}

fn prepare(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.busy_timeout(BUSY_WAIT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    // A statement is planned once, not anew for each value that it is given.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // What is in memory has a journal of its own kind, and says so.
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)
}

fn migrate(connection: &mut Connection, path: &Path) -> Result<(), OpenError> {
    let known = MIGRATIONS.len();
    let migrated = (|| {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let found = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
        for (version, step) in MIGRATIONS.iter().enumerate() {
            if found < version as i64 + 1 {
                transaction.execute_batch(step)?;
                transaction.pragma_update(None, "user_version", version as i64 + 1)?;
            }
        }
        transaction.commit()?;
        Ok::<i64, rusqlite::Error>(found)
    })();
    match migrated {
        Ok(found) if found > known as i64 => Err(OpenError::TooNew {
            path: path.to_owned(),
            found,
            known: known as i64,
        }),
        Ok(_) => Ok(()),
        Err(error) => Err(OpenError::of_database(path)(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_a_newer_server_is_refused_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("brain.db");
        drop(Database::open(&path).unwrap());
        let newer = Connection::open(&path).unwrap();
        newer.pragma_update(None, "user_version", 99).unwrap();
        drop(newer);
        assert!(matches!(
            Database::open(&path),
            Err(OpenError::TooNew { found: 99, .. })
        ));
    }

    #[test]
    fn a_file_that_is_no_database_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("brain.db");
        std::fs::write(
            &path,
            "a letter, and not a short one: no database begins like this",
        )
        .unwrap();
        assert!(matches!(
            Database::open(&path),
            Err(OpenError::Unusable { .. })
        ));
    }
}
