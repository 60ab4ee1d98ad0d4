//! What only a file can suffer: an earlier or later schema, a step that fails, a damaged log.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use futures_util::StreamExt as _;
use rusqlite::Connection;
use tempfile::TempDir;

use super::database::Database;
use super::fixture::{Beside, documents, key};
use super::folder::{Folder, database_in};
use super::log_damage::beside;
use super::open_error::OpenError;
use super::schema::{MIGRATIONS, migrate, version};
use super::{SqliteSessions, backup, check, restore};
use crate::adapters::battery::samples::{next, noted, summary};
use crate::domain::clock::Time;
use crate::domain::event::{Event, Record};
use crate::domain::handshake::{Artist, Handshake};
use crate::domain::store::{Append, SessionStore as _, WriteId};
use crate::domain::store_settings::StoreSettings;
use crate::wire::ids::{HandshakeId, Seq};
use crate::wire::tools::Variance;

/// A database of each schema, with a session, a handshake and what they name.
const SCHEMAS: [&str; MIGRATIONS.len()] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/store/schema-1.db"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/store/schema-2.db"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/store/schema-3.db"),
];
/// The records of its session.
const RECORDS: [&str; MIGRATIONS.len()] = [
    include_str!("../../../tests/events/schema-1.jsonl"),
    include_str!("../../../tests/events/schema-1.jsonl"),
    include_str!("../../../tests/events/schema-3.jsonl"),
];
/// The schema of now.
const NOW: usize = MIGRATIONS.len();
/// Set to write the database of the schema of now.
const BLESS: &str = "PROSCENIUM_BLESS";
/// When everything expires.
const LATE: Time = Time(4_000_000_000_000);

fn open(folder: &Path) -> Result<Arc<Database>, OpenError> {
    Database::open(Folder::own(folder.to_owned())?, &StoreSettings::default())
}

fn handshake(id: &str) -> Arc<Handshake> {
    Arc::new(Handshake {
        app: "shop".into(),
        owner: "agent".into(),
        id: HandshakeId::from(id),
        intent: "Choose a table".into(),
        contract: documents()[0].hash,
        view: None,
        variance: Variance::default(),
        matched: None,
        force_create: false,
        artist: Artist::default(),
        is_amended: false,
        created_at: Time(1),
        expires_at: LATE,
    })
}

/// The records in a schema, up to the end of the session.
fn records(schema: usize) -> Vec<Arc<Record>> {
    let records = RECORDS[schema - 1]
        .lines()
        .map(|line| Record::from_json(line).unwrap());
    let mut records: Vec<_> = records.map(Arc::new).collect();
    assert_eq!(records.pop().unwrap().fact.event, Event::Deleted);
    records
}

/// Writes the session, a record at a time, and a handshake that is open.
async fn fill(sessions: &SqliteSessions) {
    for id in ["h-1", "h-2"] {
        let put = sessions.put_handshake(handshake(id), documents(), 10);
        put.await.unwrap();
    }
    let mut snapshot = None;
    for record in records(NOW) {
        let expected = Seq(record.seq.0 - 1);
        match &record.fact.event {
            Event::Snapshot(_) => snapshot = Some(record),
            event => {
                let append = Append {
                    id: WriteId(record.seq.0),
                    key: key(),
                    expected,
                    expires_at: LATE,
                    snapshot: snapshot.take(),
                    records: vec![Arc::clone(&record)],
                    summary: summary(&key(), record.seq.0),
                };
                if let Event::Created(_) = event {
                    let claim = HandshakeId::from("h-1");
                    let created = sessions.create(&claim, Time(2), &append, documents(), 10);
                    created.await.unwrap();
                } else {
                    sessions.append(&append).await.unwrap();
                }
            }
        }
    }
}

async fn assert_filled(sessions: &SqliteSessions, schema: usize) {
    let records = records(schema);
    let is_snapshot = |record: &Arc<Record>| matches!(record.fact.event, Event::Snapshot(_));
    let at = records.iter().position(is_snapshot).unwrap();
    assert_eq!(sessions.read(&key(), Seq(0)).await.unwrap(), records[at..]);
    let (app, id) = (key().app, HandshakeId::from("h-2"));
    let open = sessions.handshake(&app, &id).await;
    assert_eq!(open.unwrap(), handshake("h-2"));
    for document in documents() {
        let kept = sessions.document(document.hash).await.unwrap();
        assert_eq!(kept, document.value);
    }
}

#[tokio::test]
async fn a_database_of_every_release_opens() {
    if std::env::var_os(BLESS).is_some() {
        // An older schema's file is never written anew.
        let file = SCHEMAS[SCHEMAS.len() - 1];
        let made = TempDir::new().unwrap();
        let database = open(made.path()).unwrap();
        fill(&SqliteSessions(Arc::clone(&database))).await;
        Beside::of(&database).fill().await;
        let _ = fs::remove_file(file);
        let made = backup(made.path(), Path::new(file), |_| Ok::<_, OpenError>(()));
        assert_eq!(made.unwrap(), None);
    }
    for (schema, file) in (1..).zip(SCHEMAS) {
        let folder = TempDir::new().unwrap();
        fs::copy(file, database_in(folder.path())).unwrap();
        let connection = Connection::open(file).unwrap();
        assert_eq!(version(&connection, Path::new(file)).unwrap(), schema);
        let database = open(folder.path()).unwrap();
        if schema >= 3 {
            Beside::of(&database).assert_filled().await;
        }
        let sessions = SqliteSessions(database);
        assert_filled(&sessions, schema).await;
        let head = records(schema).last().unwrap().seq;
        let listed = async || {
            let first = sessions.sessions(&key().app).next().await;
            first.unwrap().unwrap().summary
        };
        let kept = (schema >= 2).then(|| summary(&key(), head.0));
        assert_eq!(listed().await, kept, "schema {schema}");
        // Whatever has written the log before, it goes on.
        let append = next(&key(), head.0, noted("more"));
        for _ in 0..2 {
            sessions.append(&append).await.unwrap();
        }
        assert_eq!(listed().await, Some(summary(&key(), head.0 + 1)));
        let report = check(folder.path()).unwrap();
        assert_eq!((report.sessions, report.problems), (1, Vec::new()));
    }
}

#[test]
fn a_migration_happens_as_a_whole_after_a_copy_and_a_newer_database_is_refused() {
    let folder = TempDir::new().unwrap();
    let file = database_in(folder.path());
    drop(open(folder.path()).unwrap());
    let mut connection = Connection::open(&file).unwrap();
    let now = MIGRATIONS.len();
    let with = |step| [MIGRATIONS.as_slice(), &[step]].concat();
    let broken = with("CREATE TABLE later (x); CREATE TABLE later (x);");
    assert!(migrate(&mut connection, &file, &broken).is_err());
    let is_there = |connection: &Connection| connection.table_exists(None, "later").unwrap();
    assert!(!is_there(&connection) && version(&connection, &file).unwrap() == now);
    let copy = file.with_extension(format!("schema-{now}"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(&copy).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    assert!(!beside(&copy, ".partial").exists());
    assert_eq!(
        version(&Connection::open(&copy).unwrap(), &copy).unwrap(),
        now
    );
    let later = with("CREATE TABLE later (x);");
    migrate(&mut connection, &file, &later).unwrap();
    assert!(is_there(&connection) && version(&connection, &file).unwrap() == now + 1);
    drop(connection);
    let refused = open(folder.path()).err().unwrap().to_string();
    let next = now + 1;
    assert!(
        refused.contains(&format!(
            "has schema {next}, and this release knows schemas up to {now}"
        )),
        "{refused}"
    );
}

#[tokio::test]
async fn a_damaged_log_is_reported_and_kept_and_one_that_was_not_written_to_its_end_is_not() {
    let folder = TempDir::new().unwrap();
    let written = SqliteSessions(open(folder.path()).unwrap());
    fill(&written).await;
    let file = database_in(folder.path());
    // Taken while it is open, as if the process had been killed.
    let taken = |change: &dyn Fn(&mut Vec<u8>)| {
        let other = TempDir::new().unwrap();
        let copy = database_in(other.path());
        fs::copy(&file, &copy).unwrap();
        let mut log = fs::read(beside(&file, "-wal")).unwrap();
        change(&mut log);
        fs::write(beside(&copy, "-wal"), log).unwrap();
        let opened = open(other.path()).unwrap();
        let copy = beside(&copy, "-wal.damaged-1");
        (SqliteSessions(opened), copy.exists(), other)
    };
    let (whole, is_copied, _held) = taken(&|_| {});
    assert!(whole.0.notes().is_empty() && !is_copied);
    assert_filled(&whole, NOW).await;
    let (torn, is_copied, _held) = taken(&|log| log.truncate(log.len() - 100));
    assert!(torn.0.notes().is_empty() && !is_copied);
    assert!(torn.read(&key(), Seq(0)).await.is_ok());
    let (damaged, is_copied, _held) = taken(&|log| {
        let middle = log.len() / 2;
        log[middle] ^= 1;
    });
    let notes = damaged.0.notes().join("\n");
    assert!(
        notes.contains("proscenium.db-wal is damaged") && is_copied,
        "{notes}"
    );
    assert!(notes.contains(" transactions at its end"), "{notes}");
}

/// A folder whose log is damaged in its middle, as a process left it that was killed.
async fn damaged() -> TempDir {
    let (written, left) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let sessions = SqliteSessions(open(written.path()).unwrap());
    fill(&sessions).await;
    let (from, to) = (database_in(written.path()), database_in(left.path()));
    fs::copy(&from, &to).unwrap();
    let mut log = fs::read(beside(&from, "-wal")).unwrap();
    let middle = log.len() / 2;
    log[middle] ^= 1;
    fs::write(beside(&to, "-wal"), log).unwrap();
    left
}

#[tokio::test]
async fn a_damaged_log_is_told_of_by_a_check_and_a_backup_and_kept_by_a_restore() {
    let folder = damaged().await;
    let (file, copy) = (database_in(folder.path()), folder.path().join("copy.db"));
    let names_damage = |text: &str| text.contains("proscenium.db-wal is damaged");
    let log = fs::read(beside(&file, "-wal")).unwrap();
    let problems = check(folder.path()).unwrap().problems.join("\n");
    assert!(names_damage(&problems), "{problems}");
    let note = backup(folder.path(), &copy, |_| Ok::<_, OpenError>(()));
    let note = note.unwrap().unwrap_or_default();
    assert!(names_damage(&note), "{note}");
    let restored = restore(folder.path(), &copy, |_| Ok::<_, OpenError>(Vec::new())).unwrap();
    assert!(names_damage(&restored.notes.join("\n")), "{restored:?}");
    let kept = fs::read(beside(&file, "-wal.damaged-1")).unwrap();
    assert!(kept == log, "the log is kept as it was");
    assert_eq!(check(folder.path()).unwrap().problems, Vec::<String>::new());
}

#[tokio::test]
async fn what_nobody_names_any_more_leaves_the_file() {
    let folder = TempDir::new().unwrap();
    let sessions = SqliteSessions(open(folder.path()).unwrap());
    fill(&sessions).await;
    sessions.sweep(LATE).await.unwrap();
    let connection = Connection::open(database_in(folder.path())).unwrap();
    for table in ["documents", "handshakes", "records", "sessions"] {
        let count = format!("SELECT count(*) FROM {table}");
        let count: i64 = connection.query_row(&count, [], |row| row.get(0)).unwrap();
        assert_eq!(count, 0, "{table}");
    }
    assert_eq!(check(folder.path()).unwrap().problems, Vec::<String>::new());
}
