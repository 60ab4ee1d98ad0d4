//! A command and its child processes: reads the output by line, and kills all of them at the end.

use std::io;
use std::process::{ExitStatus, Stdio};

use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;
use tokio::sync::mpsc;

/// Bytes of a line; longer ones are shown in pieces.
const LINE_BYTES_MAX: usize = 4 << 10;
/// Lines that may wait to be shown; a faster command is slowed down, and no line is lost.
const LINES_WAITING: usize = 256;

/// One piece of output.
#[derive(Debug, PartialEq)]
pub(crate) enum Said {
    Line(String),
    /// Cargo's own count of finished units.
    Progress {
        done: u64,
        total: u64,
    },
}

/// A running command; dropping it kills the command and everything it started.
pub(crate) struct Process {
    child: Box<dyn ChildWrapper>,
    said: mpsc::Receiver<Said>,
    has_ended: bool,
}

impl Process {
    pub(crate) fn start(command: &[String]) -> io::Result<Self> {
        let (program, arguments) = command
            .split_first()
            .ok_or_else(|| io::Error::other("no command is given"))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            // Without a terminal, cargo only shows its progress if it is configured to.
            .env("CARGO_TERM_PROGRESS_WHEN", "always")
            .env("CARGO_TERM_PROGRESS_WIDTH", "80")
            .env("CARGO_TERM_COLOR", "never")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::tokio::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::tokio::JobObject);
        let mut child = command.spawn()?;
        let (out, said) = mpsc::channel(LINES_WAITING);
        if let Some(stdout) = child.stdout().take() {
            tokio::spawn(read(stdout, out.clone()));
        }
        if let Some(stderr) = child.stderr().take() {
            tokio::spawn(read(stderr, out));
        }
        Ok(Self {
            child,
            said,
            has_ended: false,
        })
    }

    /// The next piece of output; `None` once the output has ended.
    pub(crate) async fn next(&mut self) -> Option<Said> {
        self.said.recv().await
    }

    /// Waits for the exit status.
    pub(crate) async fn end(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait().await;
        self.has_ended = true;
        status
    }

    /// Kills the command and everything it started.
    pub(crate) async fn kill(&mut self) -> io::Result<()> {
        self.child.start_kill()?;
        self.end().await.map(drop)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.has_ended {
            let _ = self.child.start_kill();
        }
    }
}

/// Reads to the end; a line ends with a line feed, a progress count with a carriage return.
async fn read(mut pipe: impl AsyncRead + Unpin, out: mpsc::Sender<Said>) {
    let mut buffer = [0; 8 << 10];
    let mut line = Vec::new();
    loop {
        let count = match pipe.read(&mut buffer).await {
            Ok(0) | Err(_) => break,
            Ok(count) => count,
        };
        for byte in &buffer[..count] {
            let is_end = matches!(byte, b'\n' | b'\r');
            if !is_end {
                line.push(*byte);
            }
            if is_end || line.len() >= LINE_BYTES_MAX {
                if let Some(said) = said(&line)
                    && out.send(said).await.is_err()
                {
                    return;
                }
                line.clear();
            }
        }
    }
    if let Some(said) = said(&line) {
        let _ = out.send(said).await;
    }
}

fn said(line: &[u8]) -> Option<Said> {
    let text = plain(&String::from_utf8_lossy(line));
    let text = text.trim_end();
    if text.is_empty() {
        return None;
    }
    Some(count(text).unwrap_or_else(|| Said::Line(text.to_owned())))
}

/// Reads `Building [====>    ] 45/300: name`.
fn count(text: &str) -> Option<Said> {
    let (_, rest) = text
        .trim_start()
        .strip_prefix("Building [")?
        .split_once(']')?;
    let (done, rest) = rest.trim_start().split_once('/')?;
    let total = rest
        .split(|character: char| !character.is_ascii_digit())
        .next()?;
    Some(Said::Progress {
        done: done.parse().ok()?,
        total: total.parse().ok()?,
    })
}

/// The text without terminal escape sequences.
fn plain(text: &str) -> String {
    let mut characters = text.chars();
    let mut plain = String::with_capacity(text.len());
    while let Some(character) = characters.next() {
        match character {
            // `ESC [ … <character>`
            '\u{1b}' => {
                if characters.next() == Some('[') {
                    characters
                        .by_ref()
                        .find(|character| character.is_ascii_alphabetic());
                }
            }
            '\t' => plain.push_str("    "),
            _ if character.is_control() => {}
            _ => plain.push(character),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shown_as_text_and_cargo_s_count_as_progress() {
        let line = |text: &str| Some(Said::Line(text.to_owned()));
        assert_eq!(
            said(b"   Compiling serde v1.0.0"),
            line("   Compiling serde v1.0.0")
        );
        assert_eq!(
            said(b"\x1b[1m\x1b[31merror\x1b[0m: no\x07\tway"),
            line("error: no    way")
        );
        assert_eq!(said(b"  \x1b[K"), None);
        let progress = Some(Said::Progress {
            done: 45,
            total: 300,
        });
        assert_eq!(said(b"    Building [===>    ] 45/300: serde"), progress);
        assert_eq!(said(b"Building [a/b] x"), line("Building [a/b] x"));
    }
}
