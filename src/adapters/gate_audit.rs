//! The audit of approvals, as JSON lines in a file of the data folder.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use parking_lot::Mutex;

use crate::domain::clock::Time;
use crate::domain::gate::{Audit, AuditError, AuditEvent, AuditRow, Chain, is_open};
use crate::wire::ids::{AppId, SessionId, SessionKey};

/// The file in the data folder.
const FILE: &str = "gate-audit.jsonl";

/// Why an audit cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AuditUnusable {
    /// The file cannot be read or written.
    #[error("cannot use {path}: {reason}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// Somebody has changed it.
    #[error("{path}: {problem}; move the file away to begin a new one")]
    Broken {
        /// The file.
        path: PathBuf,
        /// Where it breaks.
        problem: String,
    },
}

/// The rows of a folder, and where they no longer follow one another.
pub(crate) struct AuditRead {
    /// The rows up to there, as they stand.
    pub(crate) lines: Vec<String>,
    /// What is wrong after them.
    pub(crate) problem: Option<String>,
}

/// The file of a folder, or the log alone where nothing is kept in a folder.
pub(crate) struct AuditFile {
    tail: Arc<Mutex<Tail>>,
    open_at_start: Vec<SessionKey>,
}

struct Tail {
    chain: Chain,
    file: Option<File>,
}

/// What a file holds.
#[derive(Default)]
struct Whole {
    rows: Vec<AuditRow>,
    lines: Vec<String>,
    chain: Chain,
    /// Bytes up to the end of the last whole row.
    bytes: u64,
    problem: Option<String>,
}

impl AuditFile {
    /// Goes on with the audit of a folder, or begins it.
    pub(crate) fn open(folder: Option<&Path>) -> Result<Self, AuditUnusable> {
        let Some(folder) = folder else {
            return Ok(Self::new(Chain::default(), None, Vec::new()));
        };
        let path = folder.join(FILE);
        let whole = read(&path)?;
        if let Some(problem) = whole.problem {
            return Err(AuditUnusable::Broken { path, problem });
        }
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        // What a crash has left of a last row was never acknowledged.
        let file = options
            .open(&path)
            .and_then(|file| file.set_len(whole.bytes).map(|()| file));
        let file = file.map_err(|error| unreadable(&path, &error))?;
        let mut open = BTreeSet::new();
        for row in &whole.rows {
            let place = (row.app.clone(), row.session.clone());
            match is_open(&row.event) {
                true => drop(open.insert(place)),
                false => drop(open.remove(&place)),
            }
        }
        let open = open.into_iter().map(|(app, session)| SessionKey {
            app: AppId::from(app.as_str()),
            session: SessionId::from(session.as_str()),
        });
        Ok(Self::new(whole.chain, Some(file), open.collect()))
    }

    fn new(chain: Chain, file: Option<File>, open_at_start: Vec<SessionKey>) -> Self {
        let tail = Arc::new(Mutex::new(Tail { chain, file }));
        Self {
            tail,
            open_at_start,
        }
    }
}

/// The audit of a folder.
pub(crate) fn audit_in(folder: &Path) -> Result<AuditRead, AuditUnusable> {
    let Whole { lines, problem, .. } = read(&folder.join(FILE))?;
    Ok(AuditRead { lines, problem })
}

fn unreadable(path: &Path, error: &std::io::Error) -> AuditUnusable {
    AuditUnusable::Unreadable {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}

fn read(path: &Path) -> Result<Whole, AuditUnusable> {
    let text = match std::fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        text => text.map_err(|error| unreadable(path, &error))?,
    };
    let mut whole = Whole::default();
    for line in text.split_inclusive('\n') {
        let Some(row) = line.strip_suffix('\n') else {
            break;
        };
        let place = whole.rows.len() + 1;
        let read = serde_json::from_str::<AuditRow>(row);
        let read = read.map_err(|error| format!("row {place} is no row: {error}"));
        let followed = read.and_then(|row| whole.chain.follow(&row).map(|()| row));
        match followed {
            Ok(read) => {
                whole.rows.push(read);
                whole.lines.push(row.to_owned());
                whole.bytes += line.len() as u64;
            }
            Err(problem) => {
                whole.problem = Some(problem);
                break;
            }
        }
    }
    Ok(whole)
}

impl Tail {
    fn append(&mut self, at: Time, key: &SessionKey, event: AuditEvent) -> Result<(), AuditError> {
        let row = self.chain.next(at, key, event);
        let line = serde_json::to_string(&row).map_err(|error| AuditError(error.to_string()))?;
        match &mut self.file {
            None => tracing::info!(target: "proscenium::gate_audit", row = line, "audit"),
            Some(file) => {
                let before = file.metadata().map(|known| known.len());
                let written = file
                    .write_all(format!("{line}\n").as_bytes())
                    .and_then(|()| file.sync_data());
                if let Err(error) = written {
                    // Half a row must not stand before the next one.
                    let cut = before.and_then(|before| file.set_len(before));
                    let cut = cut.map_or_else(|error| format!("; {error}"), |()| String::new());
                    return Err(AuditError(format!("{error}{cut}")));
                }
            }
        }
        self.chain.follow(&row).map_err(AuditError)
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
        let (tail, key) = (Arc::clone(&self.tail), key.clone());
        let appended = tokio::task::spawn_blocking(move || tail.lock().append(at, &key, event));
        appended
            .await
            .unwrap_or_else(|error| Err(AuditError(error.to_string())))
    }

    fn open_at_start(&self) -> Vec<SessionKey> {
        self.open_at_start.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(session: &str) -> SessionKey {
        SessionKey {
            app: "a".into(),
            session: session.into(),
        }
    }

    async fn add(audit: &AuditFile, session: &str, event: AuditEvent) {
        audit.append(Time(0), &key(session), event).await.unwrap();
    }

    fn decided(state: crate::domain::gate::State) -> AuditEvent {
        let (by, reason) = (None, None);
        AuditEvent::Decided { state, by, reason }
    }

    #[tokio::test]
    async fn a_file_is_gone_on_with_and_a_row_that_a_crash_has_cut_is_left_out() {
        use crate::domain::gate::State;
        let folder = tempfile::tempdir().unwrap();
        let audit = AuditFile::open(Some(folder.path())).unwrap();
        add(&audit, "one", decided(State::Approved)).await;
        add(&audit, "two", AuditEvent::Executed).await;
        add(&audit, "three", decided(State::Rejected)).await;
        drop(audit);
        let file = folder.path().join(FILE);
        let mut torn = OpenOptions::new().append(true).open(&file).unwrap();
        torn.write_all(b"{\"seq\":4,\"at\"").unwrap();
        let audit = AuditFile::open(Some(folder.path())).unwrap();
        assert_eq!(audit.open_at_start(), [key("one"), key("two")]);
        add(&audit, "two", AuditEvent::Returned { state: State::Done }).await;
        let read = audit_in(folder.path()).unwrap();
        assert_eq!((read.lines.len(), read.problem), (4, None));
    }

    #[tokio::test]
    async fn a_file_that_somebody_changed_is_not_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let audit = AuditFile::open(Some(folder.path())).unwrap();
        for session in ["one", "two"] {
            add(&audit, session, AuditEvent::Executed).await;
        }
        let file = folder.path().join(FILE);
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace("\"one\"", "\"six\"")).unwrap();
        let read = audit_in(folder.path()).unwrap();
        assert_eq!(read.lines.len(), 0);
        assert_eq!(read.problem.unwrap(), "row 1 is not as it was written");
        assert!(AuditFile::open(Some(folder.path())).is_err());
    }
}
