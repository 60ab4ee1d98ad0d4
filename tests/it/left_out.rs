//! Tests that are not run because something is missing: each says so at once, and the last line of the
//! run, which `tests/unrun` writes, counts them.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::process::parent_id;
use std::path::Path;

/// Notes that a test is not run.
pub(crate) fn note(why: &str) {
    // Written past the test harness, which keeps what passing tests print to itself.
    let _ = writeln!(std::io::stderr(), "\n*** NOT RUN: {why} ***\n");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("not-run");
    let file = OpenOptions::new().create(true).append(true).open(file);
    // The process that runs all tests is the same for whoever counts.
    let line = format!("{}\t{why}\n", parent_id());
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.expect("a line for the count");
}
