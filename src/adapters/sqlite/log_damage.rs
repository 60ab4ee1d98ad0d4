//! Finds damage in a write-ahead log before SQLite opens it: SQLite reads up to the first frame whose
//! checksum is wrong, and drops what follows without a word (sqlite.org/fileformat.html, section 4).

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

const HEADER_BYTES: usize = 32;
const FRAME_HEADER_BYTES: usize = 24;
/// The magic number of a log whose checksums are computed from little-endian numbers; the one of
/// big-endian numbers is larger by one.
const MAGIC: u32 = 0x377f_0682;

/// What of a log cannot be read, in a sentence; none where SQLite reads it to its end.
pub(super) fn unreadable_end(database: &Path) -> io::Result<Option<String>> {
    let log = beside(database, "-wal");
    let bytes = match fs::read(&log) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(unreadable(&bytes).map(|lost| {
        format!(
            "{log} is damaged, or the power failed while it was written: {lost} at its end cannot \
             be read",
            log = log.display(),
        )
    }))
}

/// Keeps a copy of a log that cannot be read to its end; says so in a sentence.
pub(super) fn keep_damaged(database: &Path) -> io::Result<Option<String>> {
    let Some(damage) = unreadable_end(database)? else {
        return Ok(None);
    };
    let copies = (1..).map(|number| beside(database, &format!("-wal.damaged-{number}")));
    let mut copies = copies.filter(|copy| !copy.exists());
    let copy = copies
        .next()
        .unwrap_or_else(|| beside(database, "-wal.damaged"));
    fs::copy(beside(database, "-wal"), &copy)?;
    Ok(Some(format!(
        "{damage}. It was copied to {copy}; if something is missing, restore a backup with \
         `proscenium data restore FILE`",
        copy = copy.display(),
    )))
}

/// A file that belongs to a database.
pub(super) fn beside(database: &Path, suffix: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// What SQLite would drop, in words; none where it reads all that was committed.
fn unreadable(log: &[u8]) -> Option<String> {
    let (header, frames) = log.split_at_checked(HEADER_BYTES)?;
    let page = usize::try_from(number(header, 8)).ok()?;
    let mut sum = Checksum {
        is_big_endian: number(header, 0) == MAGIC + 1,
        state: (0, 0),
    };
    sum.add(&header[..24]);
    let is_header = number(header, 0) & !1 == MAGIC && page.is_power_of_two();
    if !is_header || sum.state != (number(header, 24), number(header, 28)) {
        return (!frames.is_empty()).then(|| "everything from the beginning".to_owned());
    }
    let mut frames = frames.chunks_exact(FRAME_HEADER_BYTES + page);
    // Frames of an earlier log, which was copied into the database, have other salts.
    let is_current = |frame: &[u8]| frame[8..16] == header[16..24];
    let mut is_sound = |frame: &[u8]| {
        sum.add(&frame[..8]);
        sum.add(&frame[FRAME_HEADER_BYTES..]);
        is_current(frame) && sum.state == (number(frame, 16), number(frame, 20))
    };
    let bad = frames.by_ref().find(|frame| !is_sound(frame))?;
    let is_commit = |frame: &&[u8]| is_current(frame) && number(frame, 4) != 0;
    let lost = std::iter::once(bad).chain(frames).filter(is_commit).count();
    match lost {
        0 => None,
        1 => Some("one transaction".to_owned()),
        lost => Some(format!("{lost} transactions")),
    }
}

/// The checksum of a log, which runs on from frame to frame.
struct Checksum {
    is_big_endian: bool,
    state: (u32, u32),
}

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        let (mut first, mut second) = self.state;
        for pair in bytes.chunks_exact(8) {
            let at = |at| {
                let number = number(pair, at);
                if self.is_big_endian {
                    number
                } else {
                    number.swap_bytes()
                }
            };
            first = first.wrapping_add(at(0)).wrapping_add(second);
            second = second.wrapping_add(at(4)).wrapping_add(first);
        }
        self.state = (first, second);
    }
}

/// The big-endian number at a place.
fn number(bytes: &[u8], at: usize) -> u32 {
    let bytes = bytes
        .get(at..at + 4)
        .and_then(|bytes| bytes.try_into().ok());
    u32::from_be_bytes(bytes.unwrap_or_default())
}
