//! The thread that writes: all requests that wait are committed together, and answered then.

use std::io;
use std::path::Path;
use std::thread;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::{mpsc, oneshot};

use super::check_points::CheckPoints;
use super::failure::Failure;
use super::folder::Folder;
use crate::domain::store_error::StoreError;

/// Requests of one transaction: enough that waiting for the disk is shared, few enough that the
/// first does not wait long for the last.
const GROUP_MAX: usize = 256;
/// How often the thread yields before it commits while several callers write at the same time: on a
/// machine with few cores, the first request would otherwise be committed almost alone.
const YIELDS_MAX: usize = 4;
/// What is done in a transaction. It may be done again where the first transaction failed.
pub(super) type Work = Box<dyn Fn(&Connection) -> Result<(), Failure> + Send>;

/// A request.
pub(super) struct Write {
    pub(super) work: Work,
    pub(super) answer: oneshot::Sender<Result<(), StoreError>>,
}

/// What the thread has.
pub(super) struct Writer {
    connection: Connection,
    check_points: CheckPoints,
    /// Owned as long as something may be written.
    _folder: Folder,
}

impl Writer {
    pub(super) fn new(mut connection: Connection, file: &Path, folder: Folder) -> io::Result<Self> {
        let check_points = CheckPoints::of(&mut connection, file)?;
        Ok(Self {
            connection,
            check_points,
            _folder: folder,
        })
    }

    /// Writes until nobody can ask for more.
    pub(super) fn run(mut self, mut queue: mpsc::Receiver<Write>) {
        let mut group = Vec::with_capacity(GROUP_MAX);
        let mut several_wrote = false;
        while queue.blocking_recv_many(&mut group, GROUP_MAX) > 0 {
            if several_wrote {
                gather(&mut queue, &mut group);
            }
            several_wrote = group.len() > 1;
            self.write(std::mem::take(&mut group));
            self.check_points.after_commit(&self.connection);
        }
    }

    /// Commits a group together; where that cannot be, each by itself, so that one that cannot be
    /// written does not keep the others from it.
    fn write(&mut self, group: Vec<Write>) {
        match self.commit(&group) {
            Ok(outcomes) => {
                for (Write { work, answer }, outcome) in group.into_iter().zip(outcomes) {
                    // Whatever the work holds is released before its caller hears of the commit.
                    drop(work);
                    // Nobody waits any more where a caller has gone.
                    let _ = answer.send(outcome);
                }
            }
            Err(_) if group.len() > 1 => {
                for write in group {
                    self.write(vec![write]);
                }
            }
            Err(failure) => {
                let error = StoreError::from(failure);
                for Write { work, answer } in group {
                    drop(work);
                    let _ = answer.send(Err(error.clone()));
                }
            }
        }
    }

    /// The outcome of each request, once all of them are committed; a failure has changed nothing.
    fn commit(&mut self, group: &[Write]) -> Result<Vec<Result<(), StoreError>>, Failure> {
        let behavior = TransactionBehavior::Immediate;
        let transaction = self.connection.transaction_with_behavior(behavior)?;
        let mut outcomes = Vec::with_capacity(group.len());
        for write in group {
            let before = transaction.total_changes();
            match (write.work)(&transaction) {
                Ok(()) => outcomes.push(Ok(())),
                // Refused before it has written anything, as nearly all are: the others stand.
                Err(Failure::Refused(error)) if transaction.total_changes() == before => {
                    outcomes.push(Err(error));
                }
                Err(failure) => return Err(failure),
            }
        }
        transaction.commit()?;
        Ok(outcomes)
    }
}

/// Adds the requests that arrive while other threads run, as long as more arrive.
fn gather(queue: &mut mpsc::Receiver<Write>, group: &mut Vec<Write>) {
    for _ in 0..YIELDS_MAX {
        thread::yield_now();
        let before = group.len();
        while group.len() < GROUP_MAX
            && let Ok(write) = queue.try_recv()
        {
            group.push(write);
        }
        if group.len() == before {
            return;
        }
    }
}
