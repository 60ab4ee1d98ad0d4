//! Adds rows to the audit of a folder, and begins another file when one is full.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use parking_lot::Mutex;

use super::error::AuditUnusable;
use super::files::{audit_files, current, full, full_files, read};
use crate::domain::clock::Time;
use crate::domain::gate::{Audit, AuditError, AuditEvent, Chain, is_open};
use crate::domain::limits::GateLimits;
use crate::wire::ids::{AppId, SessionId, SessionKey};

/// Files that are read at the start: the one to which rows are added, and the full one before it. What
/// is open is in them, and whoever wants to verify all of them asks for it.
const READ_AT_START: usize = 2;

/// The audit of a folder, or the log alone where nothing is kept in a folder.
pub(crate) struct AuditFile {
    tail: Arc<Mutex<Tail>>,
    open_at_start: Vec<(SessionKey, AuditEvent)>,
}

struct Tail {
    chain: Chain,
    file: Option<Current>,
}

/// The file to which rows are added.
struct Current {
    folder: PathBuf,
    file: File,
    bytes: u64,
    /// The number of its first row.
    first: u64,
    bytes_max: u64,
    full_max: usize,
}

impl AuditFile {
    /// Goes on with the audit of a folder, or begins it.
    pub(crate) fn open(folder: Option<&Path>, limits: &GateLimits) -> Result<Self, AuditUnusable> {
        let Some(folder) = folder else {
            return Ok(Self::new(Chain::default(), None, Vec::new()));
        };
        let files = audit_files(folder)?;
        let newest = files.len().saturating_sub(READ_AT_START);
        let mut open = BTreeMap::new();
        let read = read(files.get(newest..).unwrap_or_default(), |_, row| {
            let place = (row.app, row.session);
            match is_open(&row.event) {
                true => drop(open.insert(place, row.event)),
                false => drop(open.remove(&place)),
            }
            Ok::<_, AuditUnusable>(())
        })?;
        if let Some((path, problem)) = read.problem {
            return Err(AuditUnusable::Broken { path, problem });
        }
        let path = current(folder);
        // A server that ended between two files has left none to add to.
        let is_there = files.last() == Some(&path);
        let (bytes, first) = match read.first_of_last.filter(|_| is_there) {
            Some(first) => (read.bytes_of_last, first),
            None => (0, read.chain.seq() + 1),
        };
        let file = begin(&path).and_then(|file| file.set_len(bytes).map(|()| file));
        let file = Current {
            folder: folder.to_owned(),
            file: file.map_err(AuditUnusable::of_system(&path))?,
            bytes,
            first,
            bytes_max: limits.audit_file_bytes_max,
            full_max: limits.audit_files_max,
        };
        let open = open.into_iter().map(|((app, session), last)| {
            let app = AppId::from(app.as_str());
            let session = SessionId::from(session.as_str());
            (SessionKey { app, session }, last)
        });
        Ok(Self::new(read.chain, Some(file), open.collect()))
    }

    fn new(
        chain: Chain,
        file: Option<Current>,
        open_at_start: Vec<(SessionKey, AuditEvent)>,
    ) -> Self {
        let tail = Arc::new(Mutex::new(Tail { chain, file }));
        Self {
            tail,
            open_at_start,
        }
    }
}

impl AuditFile {
    async fn add(
        &self,
        at: Time,
        key: &SessionKey,
        event: AuditEvent,
        is_kept: bool,
    ) -> Result<(), AuditError> {
        let (tail, key) = (Arc::clone(&self.tail), key.clone());
        let add = move || tail.lock().append(at, &key, event, is_kept);
        let added = tokio::task::spawn_blocking(add).await;
        added.unwrap_or_else(|error| Err(AuditError(error.to_string())))
    }
}

/// Opens the file to which rows are added; only its owner may read it.
fn begin(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

impl Current {
    /// Adds a line, and says so once it is on the disk, where that is waited for.
    fn add(&mut self, line: &str, is_kept: bool) -> io::Result<()> {
        let mut written = self.file.write_all(line.as_bytes());
        if is_kept {
            written = written.and_then(|()| self.file.sync_data());
        }
        if let Err(error) = written {
            // Half a row must not stand before the next one.
            let cut = self.file.set_len(self.bytes);
            let cut = cut.map_or_else(|error| format!("; {error}"), |()| String::new());
            return Err(io::Error::other(format!("{error}{cut}")));
        }
        self.bytes += line.len() as u64;
        Ok(())
    }

    /// Begins another file with the row of this number, if this one is full.
    fn turn(&mut self, next: u64) -> io::Result<()> {
        if self.bytes == 0 || self.bytes < self.bytes_max {
            return Ok(());
        }
        let path = current(&self.folder);
        fs::rename(&path, full(&self.folder, self.first))?;
        self.file = begin(&path)?;
        // Both names have to be on the disk before a row is acknowledged.
        #[cfg(unix)]
        File::open(&self.folder)?.sync_all()?;
        (self.bytes, self.first) = (0, next);
        let full = full_files(&self.folder).map_err(|error| io::Error::other(error.to_string()))?;
        let too_many = full.len().saturating_sub(self.full_max.max(1));
        for oldest in full.iter().take(too_many) {
            let file = oldest.display();
            tracing::warn!(%file, "the oldest file of the audit goes (gate.audit_files_max)");
            fs::remove_file(oldest)?;
        }
        Ok(())
    }
}

impl Tail {
    fn append(
        &mut self,
        at: Time,
        key: &SessionKey,
        event: AuditEvent,
        is_kept: bool,
    ) -> Result<(), AuditError> {
        let row = self.chain.next(at, key, event);
        let line = serde_json::to_string(&row).map_err(|error| AuditError(error.to_string()))?;
        match &mut self.file {
            None => tracing::info!(target: "proscenium::gate_audit", row = line, "audit"),
            Some(file) => {
                let added = file
                    .turn(row.seq)
                    .and_then(|()| file.add(&format!("{line}\n"), is_kept));
                added.map_err(|error| AuditError(error.to_string()))?;
            }
        }
        self.chain.advance(&row);
        Ok(())
    }
}

#[async_trait]
impl Audit for AuditFile {
    async fn append(
        &self,
        at: Time,
        key: &SessionKey,
        event: AuditEvent,
    ) -> Result<(), AuditError> {
        self.add(at, key, event, true).await
    }

    async fn note(&self, at: Time, key: &SessionKey, event: AuditEvent) -> Result<(), AuditError> {
        self.add(at, key, event, false).await
    }

    fn open_at_start(&self) -> Vec<(SessionKey, AuditEvent)> {
        self.open_at_start.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::super::files::audit_in;
    use super::*;
    use crate::domain::gate::State;

    fn key(session: &str) -> SessionKey {
        SessionKey {
            app: "a".into(),
            session: session.into(),
        }
    }

    fn open(folder: &Path) -> Result<AuditFile, AuditUnusable> {
        AuditFile::open(Some(folder), &GateLimits::default())
    }

    /// With files of one row each.
    fn open_small(folder: &Path, full_max: usize) -> AuditFile {
        let limits = GateLimits {
            audit_file_bytes_max: 1,
            audit_files_max: full_max,
            ..GateLimits::default()
        };
        AuditFile::open(Some(folder), &limits).unwrap()
    }

    async fn add(audit: &AuditFile, session: &str, event: AuditEvent) {
        audit.append(Time(0), &key(session), event).await.unwrap();
    }

    fn decided(state: State) -> AuditEvent {
        let (by, reason) = (None, None);
        AuditEvent::Decided { state, by, reason }
    }

    /// How many rows there are, and what is wrong after them.
    fn rows(folder: &Path) -> (usize, Option<String>) {
        let mut rows = 0;
        let problem = audit_in(folder, |_| {
            rows += 1;
            Ok::<_, AuditUnusable>(())
        });
        (rows, problem.unwrap())
    }

    #[tokio::test]
    async fn a_file_is_gone_on_with_and_a_row_that_a_crash_has_cut_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let audit = open(folder.path()).unwrap();
        add(&audit, "one", decided(State::Approved)).await;
        add(&audit, "two", AuditEvent::Executed { arguments: None }).await;
        add(&audit, "three", decided(State::Rejected)).await;
        drop(audit);
        let file = current(folder.path());
        let mut torn = OpenOptions::new().append(true).open(&file).unwrap();
        torn.write_all(b"{\"seq\":4,\"at\"").unwrap();
        let audit = open(folder.path()).unwrap();
        let approved = (key("one"), decided(State::Approved));
        let executed = (key("two"), AuditEvent::Executed { arguments: None });
        assert_eq!(audit.open_at_start(), [approved, executed]);
        add(&audit, "two", AuditEvent::Returned { state: State::Done }).await;
        assert_eq!(rows(folder.path()), (4, None));
    }

    #[tokio::test]
    async fn a_file_that_somebody_changed_is_not_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let audit = open(folder.path()).unwrap();
        for session in ["one", "two"] {
            add(&audit, session, AuditEvent::Executed { arguments: None }).await;
        }
        let file = current(folder.path());
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.replace("\"one\"", "\"six\"")).unwrap();
        let problem = "row 1 is not as it was written".to_owned();
        assert_eq!(rows(folder.path()), (0, Some(problem)));
        assert!(open(folder.path()).is_err());
        // A first row that is gone is missed, too.
        let (_, rest) = text.split_once('\n').unwrap();
        fs::write(&file, rest).unwrap();
        let problem = "row 1 is missing: there is 2".to_owned();
        assert_eq!(rows(folder.path()), (0, Some(problem)));
        // What ends in no row is read no further than a row may be long.
        let long = "x".repeat(1024 * 1024);
        fs::write(&file, format!("{text}{long}")).unwrap();
        assert_eq!(
            rows(folder.path()),
            (2, Some("after row 2: no row".to_owned()))
        );
    }

    #[tokio::test]
    async fn a_full_file_is_followed_by_another_one_and_the_chain_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        for session in ["one", "two", "three"] {
            // Each by a server of its own.
            let audit = open_small(folder.path(), 10);
            add(&audit, session, AuditEvent::Executed { arguments: None }).await;
        }
        assert_eq!(audit_files(folder.path()).unwrap().len(), 3);
        assert_eq!(rows(folder.path()), (3, None));
        let audit = open_small(folder.path(), 10);
        // What was begun in the last two files; sessions end long before one is full.
        let executed = |session| (key(session), AuditEvent::Executed { arguments: None });
        assert_eq!(audit.open_at_start(), [executed("three"), executed("two")]);
        drop(audit);
        // A file in the middle that is gone is missed.
        fs::remove_file(full(folder.path(), 2)).unwrap();
        let problem = "row 2 is missing: there is 3".to_owned();
        assert_eq!(rows(folder.path()), (1, Some(problem)));
    }

    #[tokio::test]
    async fn the_oldest_files_go_and_the_rest_is_still_a_chain() {
        let folder = tempfile::tempdir().unwrap();
        let audit = open_small(folder.path(), 2);
        for _ in 0..6 {
            add(&audit, "one", AuditEvent::Executed { arguments: None }).await;
        }
        let files = audit_files(folder.path()).unwrap();
        let wanted = [
            full(folder.path(), 4),
            full(folder.path(), 5),
            current(folder.path()),
        ];
        assert_eq!(files, wanted);
        assert_eq!(rows(folder.path()), (3, None));
        // The name of the oldest says with which row the audit begins, and nothing else will do.
        fs::rename(full(folder.path(), 4), full(folder.path(), 3)).unwrap();
        let problem = "row 1 is missing: there is 4".to_owned();
        assert_eq!(rows(folder.path()), (0, Some(problem)));
    }

    #[tokio::test]
    async fn a_server_that_ended_between_two_files_goes_on_with_the_chain() {
        let folder = tempfile::tempdir().unwrap();
        let audit = open(folder.path()).unwrap();
        add(&audit, "one", AuditEvent::Executed { arguments: None }).await;
        drop(audit);
        fs::rename(current(folder.path()), full(folder.path(), 1)).unwrap();
        let audit = open(folder.path()).unwrap();
        add(&audit, "two", AuditEvent::Executed { arguments: None }).await;
        assert_eq!(rows(folder.path()), (2, None));
    }
}
