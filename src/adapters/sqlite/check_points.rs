//! Copies the write-ahead log into the database beside the thread that writes, so that nobody waits for
//! the disk meanwhile (sqlite.org/wal.html, section 3).

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;

/// Pages that are written before the log is copied once more, as SQLite does by itself.
const PAGES_AT_ONCE: i32 = 1_000;
/// Pages at which the writer waits until all of the log is copied: only then it begins anew. 32 MiB,
/// which a start after a crash reads in a fraction of a second.
const PAGES_MAX: i32 = 8_000;
/// Pages from which the log is copied again and again, so that little is left to be copied when the
/// writer waits for it.
const PAGES_NEAR_MAX: i32 = PAGES_MAX - PAGES_AT_ONCE / 2;

/// When the log is copied, and the thread that does it.
pub(super) struct CheckPoints {
    /// Pages in the log after the last commit.
    pages: Arc<AtomicI32>,
    /// How many there were when the thread was last asked.
    asked_at: i32,
    /// None once this ends.
    ask: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl CheckPoints {
    /// Check points of a database, whose commits this counts.
    pub(super) fn of(connection: &mut Connection, file: &Path) -> io::Result<Self> {
        let pages = Arc::new(AtomicI32::new(0));
        let counted = Arc::clone(&pages);
        connection
            .wal_hook(Some(move |_: &mut _, pages| {
                counted.store(pages, Ordering::Relaxed);
                Ok(())
            }))
            .map_err(io::Error::other)?;
        // One that is asked for while another is made is the same.
        let (ask, asked) = sync_channel(1);
        let thread = thread::Builder::new().name("sqlite-check-points".to_owned());
        let file = file.to_owned();
        let thread = thread.spawn(move || copy_when_asked(&file, &asked))?;
        Ok(Self {
            pages,
            asked_at: 0,
            ask: Some(ask),
            thread: Some(thread),
        })
    }

    /// Has the log copied where it has grown.
    pub(super) fn after_commit(&mut self, writer: &Connection) {
        let pages = self.pages.load(Ordering::Relaxed);
        if pages < self.asked_at {
            // It has begun anew.
            self.asked_at = 0;
        }
        if pages >= PAGES_MAX {
            copy(writer);
        } else if pages - self.asked_at >= PAGES_AT_ONCE || pages >= PAGES_NEAR_MAX {
            self.asked_at = pages;
            if let Some(ask) = &self.ask {
                // It is full where the thread was asked already.
                let _ = ask.try_send(());
            }
        }
    }
}

impl Drop for CheckPoints {
    /// Waits for the thread: nothing is written any more once the folder is free.
    fn drop(&mut self) {
        drop(self.ask.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Copies the log whenever it is asked to. Without a connection it does nothing, and the writer copies
/// the log itself once that is long.
fn copy_when_asked(file: &Path, asked: &Receiver<()>) {
    let mut connection = None;
    while asked.recv().is_ok() {
        if connection.is_none() {
            connection = open(file).ok();
        }
        if let Some(connection) = &connection {
            copy(connection);
        }
    }
}

fn open(file: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(file)?;
    // Where an ordinary fsync does not reach the disk (macOS): the log is written over afterwards.
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    Ok(connection)
}

/// Copies what no reader still needs. Where that fails it is tried again later, and nothing is lost: the
/// log is read as long as it is there.
fn copy(connection: &Connection) {
    let pragma = "PRAGMA wal_checkpoint(PASSIVE)";
    if let Err(error) = connection.query_row(pragma, [], |_| Ok(())) {
        tracing::warn!(%error, "the write-ahead log cannot be copied into the database");
    }
}
