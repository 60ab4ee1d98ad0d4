//! What pages cost, in instructions of SQLite, and which of two statements is the later one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rusqlite::Connection;

use super::schema::MIGRATIONS;
use super::{notes, write};
use crate::domain::brain::{Address, Document, NewPage, Place, PutOutcome, Slug, assertions};
use crate::domain::limits::BrainLimits;
use crate::wire::ids::AppId;

/// Statements that one is compared with.
const COMPARED: u32 = 32;

fn database() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    for step in MIGRATIONS {
        connection.execute_batch(step).unwrap();
    }
    connection
}

fn app() -> AppId {
    AppId::from("app")
}

/// Writes a page at a second of a minute.
fn put(connection: &Connection, slug: &str, content: &str, version: Option<i64>, second: usize) {
    let slug = Slug::parse(slug).unwrap();
    let document = Document::parse(content);
    let page = NewPage {
        assertions: assertions(&document.title(&slug), &document),
        content: content.to_owned(),
        answers: Vec::new(),
        vectors: None,
        wiki_links: vec![Address::parse("notes/other").unwrap()],
        expected_version: version,
        new_uuid: slug.as_str().to_owned(),
        now: format!("2026-01-01T00:00:{second:02}Z"),
        by: String::new(),
        person: None,
        place: Place {
            collection: "main".to_owned(),
            slug,
        },
        document,
    };
    let limits = BrainLimits::default();
    let outcome = write::put(connection, &app(), &page, "none", &limits).unwrap();
    assert!(matches!(outcome, PutOutcome::Written { .. }));
}

/// The instructions that SQLite carries out meanwhile.
fn steps(connection: &mut Connection, run: impl FnOnce(&Connection)) -> usize {
    let steps = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&steps);
    let count = move || {
        counted.fetch_add(1, Ordering::Relaxed);
        false
    };
    connection.progress_handler(1, Some(count)).unwrap();
    run(connection);
    connection
        .progress_handler(1, None::<fn() -> bool>)
        .unwrap();
    steps.load(Ordering::Relaxed)
}

#[test]
fn a_page_takes_no_more_steps_beside_many_than_beside_few() {
    let mut connection = database();
    let steps: Vec<_> = (0..1_000)
        .map(|number| {
            let slug = format!("notes/page-{number}");
            let content = "The boiler hums, see [[notes/other]].";
            steps(&mut connection, |connection| {
                put(connection, &slug, content, None, 0)
            })
        })
        .collect();
    let (few, many): (usize, usize) = (steps[10..110].iter().sum(), steps[900..].iter().sum());
    assert!(many < 2 * few, "{many} beside {few}");
}

#[test]
fn statements_about_one_thing_are_compared_in_steps_that_grow_as_they_do() {
    let mut connection = database();
    let mut compared_after = |pages: std::ops::Range<usize>| {
        for page in pages {
            let lines = (0..100).map(|line| format!("- The boiler is a thing {page} {line}\n"));
            let content = format!("## Assertions\n{}", lines.collect::<String>());
            put(
                &connection,
                &format!("notes/page-{page}"),
                &content,
                None,
                0,
            );
        }
        let count = |connection: &Connection| {
            let counts = notes::counts(connection, &app(), COMPARED).unwrap();
            assert!(counts.conflicts > counts.assertions);
        };
        let list = |connection: &Connection| {
            let found = notes::conflicts(connection, &app(), None, COMPARED, 10).unwrap();
            assert_eq!(found.len(), 10);
        };
        steps(&mut connection, |connection| {
            count(connection);
            list(connection);
        })
    };
    let (few, many) = (compared_after(0..5), compared_after(5..20));
    assert!(
        many < 6 * few,
        "{many} beside {few}, for four times as many"
    );
}

#[test]
fn a_statement_stays_the_earlier_one_when_its_page_is_written_again() {
    let connection = database();
    let stated = |what: &str| format!("---\ntitle: Ida\nworks_at: {what}\n---\nIda.");
    put(&connection, "people/ida", &stated("Acme Corp"), None, 1);
    put(&connection, "people/cv", &stated("Beta Labs"), None, 2);
    let more = format!("{} More.", stated("Acme Corp"));
    put(&connection, "people/ida", &more, Some(1), 3);
    let found = notes::conflicts(&connection, &app(), None, COMPARED, 10).unwrap();
    let found: Vec<_> = found
        .iter()
        .map(|found| {
            (
                found.object.as_str(),
                found.other_object.as_str(),
                &*found.detected_at,
            )
        })
        .collect();
    assert_eq!(found, [("Acme Corp", "Beta Labs", "2026-01-01T00:00:02Z")]);
}
