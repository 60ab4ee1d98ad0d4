//! The files of an audit: their names, and how their rows are read, one after the other.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use super::error::AuditUnusable;
use crate::domain::gate::{AuditRow, Chain};

/// The file to which rows are added.
const CURRENT: &str = "gate-audit.jsonl";
/// How the names of full files begin; the number of their first row follows.
const FULL: &str = "gate-audit-";
/// How they end.
const EXTENSION: &str = ".jsonl";
/// Digits of the number: enough that names stand in the order of the rows.
const DIGITS: usize = 12;
/// The longest row: many times what the longest reason of a person takes.
const ROW_BYTES_MAX: u64 = 64 * 1024;

/// The file to which rows are added.
pub(super) fn current(folder: &Path) -> PathBuf {
    folder.join(CURRENT)
}

/// The name of a full file that begins with this row.
pub(super) fn full(folder: &Path, first: u64) -> PathBuf {
    folder.join(format!("{FULL}{first:0DIGITS$}{EXTENSION}"))
}

/// The number of the first row of a full file, by its name.
fn first_of(name: &str) -> Option<u64> {
    let digits = name.strip_prefix(FULL)?.strip_suffix(EXTENSION)?;
    let is_number = digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok())?
}

/// Whether a file of this name belongs to an audit.
pub(crate) fn is_audit_file(name: &str) -> bool {
    name == CURRENT || first_of(name).is_some()
}

/// The full files of a folder, in the order of their rows.
pub(super) fn full_files(folder: &Path) -> Result<Vec<PathBuf>, AuditUnusable> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(AuditUnusable::of_system(folder))?,
    };
    let mut numbers = Vec::new();
    for entry in entries {
        let entry = entry.map_err(AuditUnusable::of_system(folder))?;
        numbers.extend(entry.file_name().to_str().and_then(first_of));
    }
    numbers.sort_unstable();
    Ok(numbers
        .into_iter()
        .map(|first| full(folder, first))
        .collect())
}

/// All files of an audit, in the order of their rows.
pub(crate) fn audit_files(folder: &Path) -> Result<Vec<PathBuf>, AuditUnusable> {
    let mut files = full_files(folder)?;
    let current = current(folder);
    if current.exists() {
        files.push(current);
    }
    Ok(files)
}

/// What files that follow one another come to.
pub(super) struct Read {
    /// The end of their rows.
    pub(super) chain: Chain,
    /// The number of the first row of the last file, where it has one.
    pub(super) first_of_last: Option<u64>,
    /// Bytes of the last file up to the end of its last whole row.
    pub(super) bytes_of_last: u64,
    /// Where they no longer follow one another, and why.
    pub(super) problem: Option<(PathBuf, String)>,
}

/// Reads files that follow one another, row by row, as far as the rows do.
pub(super) fn read<E: From<AuditUnusable>>(
    files: &[PathBuf],
    mut each: impl FnMut(&str, AuditRow) -> Result<(), E>,
) -> Result<Read, E> {
    let mut read = Read {
        chain: Chain::default(),
        first_of_last: None,
        bytes_of_last: 0,
        problem: None,
    };
    for (at, path) in files.iter().enumerate() {
        (read.first_of_last, read.bytes_of_last) = (None, 0);
        // Where older files are no longer kept, the name says with which row the audit begins.
        let name = path.file_name().and_then(|name| name.to_str());
        let begins_at = name.and_then(first_of).filter(|_| at == 0);
        let is_last = at + 1 == files.len();
        let file = File::open(path).map_err(AuditUnusable::of_system(path))?;
        let mut lines = BufReader::new(file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let mut limited = (&mut lines).take(ROW_BYTES_MAX);
            let count = limited.read_until(b'\n', &mut line);
            let count = count.map_err(AuditUnusable::of_system(path))?;
            let Some(text) = line.strip_suffix(b"\n") else {
                // What a crash has left of a last row was never acknowledged.
                let is_torn = is_last && (count as u64) < ROW_BYTES_MAX;
                if count > 0 && !is_torn {
                    let problem = format!("after row {}: no row", read.chain.seq());
                    read.problem = Some((path.clone(), problem));
                }
                break;
            };
            let text = String::from_utf8_lossy(text);
            match read.follow(&text, begins_at) {
                Ok(row) => {
                    read.bytes_of_last += count as u64;
                    each(&text, row)?;
                }
                Err(problem) => {
                    read.problem = Some((path.clone(), problem));
                    break;
                }
            }
        }
        if read.problem.is_some() {
            break;
        }
    }
    Ok(read)
}

impl Read {
    fn follow(&mut self, text: &str, begins_at: Option<u64>) -> Result<AuditRow, String> {
        let row = serde_json::from_str::<AuditRow>(text);
        let place = self.chain.seq() + 1;
        let row = row.map_err(|error| format!("row {place} is no row: {error}"))?;
        if self.first_of_last.is_none() {
            self.first_of_last = Some(row.seq);
            if begins_at == Some(row.seq) {
                self.chain = Chain::before(&row);
            }
        }
        self.chain.follow(&row)?;
        Ok(row)
    }
}

/// Shows the rows of a folder as they stand, and says where they no longer follow one another.
pub(crate) fn audit_in<E: From<AuditUnusable>>(
    folder: &Path,
    mut each: impl FnMut(&str) -> Result<(), E>,
) -> Result<Option<String>, E> {
    let read = read(&audit_files(folder)?, |text, _| each(text))?;
    Ok(read.problem.map(|(_, problem)| problem))
}
