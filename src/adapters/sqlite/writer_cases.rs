//! Requests that are committed together: none depends on what becomes of the others.

use std::pin::pin;
use std::sync::Arc;
use std::sync::mpsc::channel;

use futures_util::poll;
use rusqlite::Connection;
use tempfile::TempDir;

use super::blueprints::SqliteBlueprints;
use super::database::Database;
use super::failure::Failure;
use super::folder::Folder;
use crate::adapters::battery::blueprints::row;
use crate::adapters::battery::samples::contract;
use crate::domain::blueprint::BlueprintStore as _;
use crate::domain::store_error::StoreError;
use crate::domain::store_settings::{Durability, StoreSettings};
use crate::wire::ids::AppId;

fn insert(connection: &Connection, name: &str) -> Result<(), Failure> {
    let insert = "INSERT INTO secrets (name, value) VALUES (?1, x'00')";
    connection.execute(insert, [name])?;
    Ok(())
}

#[tokio::test]
async fn a_request_that_is_refused_or_fails_changes_nothing_and_keeps_no_other_from_its_commit() {
    let held = TempDir::new().unwrap();
    let folder = Folder::own(held.path().to_owned()).unwrap();
    let database = Database::open(folder, &StoreSettings::default()).unwrap();
    let (release, released) = channel::<()>();
    let first = database.write(move |_| {
        // Meanwhile the others come.
        let _ = released.recv();
        Ok(())
    });
    let (first, one, refused, failed, other, ()) = tokio::join!(
        first,
        database.write(|connection| insert(connection, "one")),
        database.write(|connection| {
            insert(connection, "refused")?;
            Err(StoreError::Conflict.into())
        }),
        database.write(|connection| {
            insert(connection, "failed")?;
            Ok(connection.execute_batch("no statement")?)
        }),
        database.write(|connection| insert(connection, "other")),
        async { drop(release) },
    );
    assert_eq!((first, one, other), (Ok(()), Ok(()), Ok(())));
    assert_eq!(refused, Err(StoreError::Conflict));
    assert!(matches!(failed, Err(StoreError::Unavailable { .. })));
    let names = database.read(|connection| {
        let mut select = connection.prepare("SELECT name FROM secrets ORDER BY name")?;
        let names = select.query_map([], |row| row.get::<_, String>(0))?;
        Ok(names.collect::<rusqlite::Result<Vec<_>>>()?)
    });
    assert_eq!(names.await.unwrap(), ["one", "other"]);
}

#[tokio::test]
async fn a_blueprint_is_found_as_it_is_after_a_change_for_which_nobody_has_waited() {
    let held = TempDir::new().unwrap();
    let folder = Folder::own(held.path().to_owned()).unwrap();
    let database = Database::open(folder, &StoreSettings::default()).unwrap();
    let blueprints = SqliteBlueprints::new(Arc::clone(&database));
    let app = AppId::from("a");
    let put = |id, replaces: Option<&str>| {
        let documents = vec![contract()];
        blueprints.put(&app, row(id, "k"), documents, replaces.map(Into::into))
    };
    put("one", None).await.unwrap();
    assert_eq!(&*blueprints.find(&app, "k").await.unwrap().id, "one");
    let (release, released) = channel::<()>();
    let first = database.write(move |_| {
        let _ = released.recv();
        Ok(())
    });
    let mut first = pin!(first);
    assert!(poll!(&mut first).is_pending());
    // It waits behind the first one, and whoever asked for it goes.
    assert!(poll!(pin!(put("two", Some("one")))).is_pending());
    assert_eq!(&*blueprints.find(&app, "k").await.unwrap().id, "one");
    drop(release);
    first.await.unwrap();
    // What is written now comes after it.
    database.write(|_| Ok(())).await.unwrap();
    assert_eq!(&*blueprints.find(&app, "k").await.unwrap().id, "two");
}

#[tokio::test]
async fn where_too_many_writes_wait_one_more_is_refused_and_reads_go_on() {
    let held = TempDir::new().unwrap();
    let folder = Folder::own(held.path().to_owned()).unwrap();
    let settings = StoreSettings {
        writes_waiting_max: 1,
        ..StoreSettings::default()
    };
    let database = Database::open(folder, &settings).unwrap();
    let (release, released) = channel::<()>();
    let (begin, mut begun) = tokio::sync::watch::channel(false);
    let first = database.write(move |_| {
        begin.send_replace(true);
        let _ = released.recv();
        Ok(())
    });
    let then = async {
        // The thread has taken the first: one may wait.
        begun.wait_for(|begun| *begun).await.unwrap();
        let waiting = database.write(|connection| insert(connection, "one"));
        let more = async {
            let refused = database.write(|connection| insert(connection, "more"));
            let refused = refused.await;
            assert!(matches!(refused, Err(StoreError::Unavailable { .. })));
            let read = database.read(|connection| Ok(connection.is_readonly("main")?));
            assert!(read.await.unwrap());
            drop(release);
        };
        tokio::join!(waiting, more).0
    };
    assert_eq!(tokio::join!(first, then), (Ok(()), Ok(())));
}

#[tokio::test]
async fn a_log_that_is_written_without_a_pause_begins_anew_from_time_to_time() {
    let held = TempDir::new().unwrap();
    let folder = Folder::own(held.path().to_owned()).unwrap();
    let file = folder.database();
    let settings = StoreSettings {
        durability: Durability::Normal,
        ..StoreSettings::default()
    };
    let database = Database::open(folder, &settings).unwrap();
    // 100 MB in the log, of which 4 kB stay.
    for number in 0..12_000_u32 {
        let written = database.write(move |connection| {
            let put = "INSERT OR REPLACE INTO secrets (name, value) VALUES ('one', zeroblob(?1))";
            connection
                .prepare_cached(put)?
                .execute([4_000 + number % 2])?;
            Ok(())
        });
        written.await.unwrap();
    }
    let log = file.with_extension("db-wal").metadata().unwrap().len();
    // A slow disk lets it grow further while it is copied; it is far from all that was written.
    assert!(log < 72 << 20, "{log}");
}
