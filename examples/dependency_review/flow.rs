//! The dependency review: a table to search and mark, and a form whose data is written to a file.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::agent::{Agent, Event, Failure, Shown};
use super::lockfile::{self, Package};

/// Reviews in one folder; beyond it, somebody should delete old ones.
const REVIEWS_MAX: usize = 100;

/// A review in progress.
pub(crate) struct Review {
    lockfile: PathBuf,
    /// The folder it will be written to.
    folder: PathBuf,
    packages: Vec<Package>,
    /// Why there is nothing to review; `None` if there is.
    problem: Option<String>,
}

impl Review {
    pub(crate) fn new(lockfile: &Path, folder: &Path) -> Self {
        // An absolute path is easier to find for a person than a relative one.
        let whole = std::path::absolute(lockfile).unwrap_or_else(|_| lockfile.to_owned());
        let (packages, problem) = match lockfile::read(&whole) {
            Ok(packages) => (packages, None),
            Err(problem) => (Vec::new(), Some(problem)),
        };
        Self {
            lockfile: whole,
            folder: std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()),
            packages,
            problem,
        }
    }

    /// Negotiates the contract and renders it.
    pub(crate) async fn show(&self, agent: &Agent) -> Result<Shown, Failure> {
        let mut props = self.figures();
        props["lockfile"] = self.lockfile.display().to_string().into();
        props["state"] = "Mark what should be looked at, then submit the review.".into();
        props["warning"] = json!(self.problem);
        agent.show("Dependency review", contract(), props).await
    }

    /// Handles what the person does until the session ends; with `once`, until the first review is
    /// written.
    pub(crate) async fn run(
        &mut self,
        agent: &Agent,
        session: &str,
        once: bool,
    ) -> Result<(), Failure> {
        loop {
            let mut is_written = false;
            for event in agent.consume(session).await? {
                let patch = match event.action.as_str() {
                    "mark" => self.mark(&event),
                    _ => {
                        let written = self.submit(&event.data);
                        is_written |= written.is_ok();
                        outcome(written)
                    }
                };
                agent.amend(session, patch).await?;
            }
            if once && is_written {
                return Ok(());
            }
        }
    }

    /// Marks a package, or removes its mark.
    fn mark(&mut self, event: &Event) -> Value {
        let id = event.data["id"].as_str().unwrap_or_default();
        let Some(package) = self.packages.iter_mut().find(|package| package.id == id) else {
            return json!({ "warning": format!("There is no {id} in the file any more.") });
        };
        package.marked = !package.marked;
        let state = if package.marked {
            format!("{id} is marked.")
        } else {
            format!("{id} is no longer marked.")
        };
        let mut patch = self.figures();
        patch["state"] = state.into();
        patch["warning"] = Value::Null;
        patch
    }

    /// The props that change with every mark.
    fn figures(&self) -> Value {
        let count = |is: fn(&Package) -> bool| self.packages.iter().filter(|one| is(one)).count();
        json!({
            "packages": self.packages.len(),
            "duplicated": count(|package| !package.finding.is_empty()),
            "marked": count(|package| package.marked),
            "dependencies": self.packages,
        })
    }

    /// Writes the review to a new file.
    fn submit(&self, given: &Value) -> io::Result<PathBuf> {
        let text = self.text(given);
        for number in 1..=REVIEWS_MAX {
            let name = match number {
                1 => "dependency-review.md".to_owned(),
                _ => format!("dependency-review-{number}.md"),
            };
            let path = self.folder.join(name);
            // An earlier review is never overwritten.
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => return file.write_all(text.as_bytes()).map(|()| path),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other(format!(
            "{} holds {REVIEWS_MAX} reviews already",
            self.folder.display()
        )))
    }

    fn text(&self, given: &Value) -> String {
        let verdict = given["verdict"].as_str().unwrap_or_default();
        let mut text = format!(
            "# Dependency review\n\n- File: {}\n- Verdict: {verdict}\n\n## Marked\n\n",
            self.lockfile.display()
        );
        let marked: Vec<_> = self
            .packages
            .iter()
            .filter(|package| package.marked)
            .collect();
        if marked.is_empty() {
            text.push_str("Nothing.\n");
        }
        for Package {
            id,
            source,
            used_by,
            finding,
            ..
        } in marked
        {
            let finding = if finding.is_empty() {
                String::new()
            } else {
                format!(", {finding}")
            };
            let _ = writeln!(text, "- {id} ({source}, used by {used_by}{finding})");
        }
        if let Some(note) = given["note"].as_str() {
            let _ = write!(text, "\n## Note\n\n{}\n", note.trim());
        }
        text
    }
}

/// The outcome, as props for the person.
fn outcome(written: io::Result<PathBuf>) -> Value {
    match written {
        Ok(path) => json!({
            "state": format!("The review is written to {}.", path.display()),
            "warning": null,
        }),
        Err(error) => json!({
            "warning": format!("The review could not be written: {error}."),
        }),
    }
}

/// The contract: the packages as props, an action to mark a row, and a form.
fn contract() -> Value {
    let text = json!({ "type": "string" });
    let number = json!({ "type": "integer" });
    let required = |schema: &Value| json!({ "schema": schema, "required": true });
    json!({
        "propsSpec": {
            "description": "What this project depends on",
            "properties": {
                "lockfile": required(&text),
                "state": required(&text),
                "warning": { "schema": { "type": ["string", "null"] } },
                "packages": required(&number),
                "duplicated": required(&number),
                "marked": required(&number),
                "dependencies": required(&json!({
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "id": text,
                            "name": text,
                            "version": text,
                            "source": text,
                            "usedBy": number,
                            "finding": text,
                            "marked": { "type": "boolean" },
                        },
                        "required": ["id", "name", "version"],
                    },
                })),
            },
        },
        "actionSpec": {
            "mark": {
                "label": "Mark",
                "schema": {
                    "type": "object", "properties": { "id": text }, "required": ["id"],
                },
            },
            "submitReview": {
                "label": "Submit review",
                "schema": {
                    "type": "object",
                    "properties": {
                        "verdict": {
                            "type": "string",
                            "enum": ["accept", "accept with changes", "reject"],
                        },
                        "note": { "type": "string", "maxLength": 4_000 },
                    },
                    "required": ["verdict"],
                },
            },
        },
    })
}
