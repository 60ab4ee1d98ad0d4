//! The last line of a test run: how many tests were not run, and why. `cargo test` runs test binaries
//! in the order of their names, so this one comes after those that leave tests out.

use std::fs;
use std::io::Write as _;
use std::os::unix::process::parent_id;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Runners other than `cargo test` ask what is in here: no test.
    if std::env::args().any(|argument| argument == "--list") {
        return ExitCode::SUCCESS;
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("not-run");
    let noted = fs::read_to_string(&file).unwrap_or_default();
    let run = parent_id().to_string();
    let lines = noted.lines().filter_map(|line| line.split_once('\t'));
    let left_out: Vec<_> = lines.filter(|(by, _)| *by == run).collect();
    // What runs that were interrupted have noted is of no use any more, either.
    let _ = fs::remove_file(&file);
    let mut out = std::io::stdout();
    for (_, why) in &left_out {
        let _ = writeln!(out, "not run, {why}");
    }
    let _ = writeln!(out, "\nnot run: {}", left_out.len());
    ExitCode::SUCCESS
}
