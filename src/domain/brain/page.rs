//! Pages and what belongs to them, as they are kept.

use super::super::digest::{hex, sha256};
use super::assertions::Assertion;
use super::document::Document;
use super::embedder::Vector;
use super::interval::{Bound, Interval};
use super::slug::{Address, Place};

/// A page as it is kept.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    /// Its row.
    pub(crate) id: i64,
    /// Where it stands.
    pub(crate) place: Place,
    /// An id that no other page ever has.
    pub(crate) uuid: String,
    /// One when created, one more with each change.
    pub(crate) version: i64,
    /// Its text, as it was given.
    pub(crate) source: String,
    /// What it says.
    pub(crate) document: Document,
    /// Sorted.
    pub(crate) tags: Vec<String>,
    /// ISO 8601.
    pub(crate) created_at: String,
    /// ISO 8601.
    pub(crate) updated_at: String,
}

/// A version of a page that was kept.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    /// Its number.
    pub(crate) version: i64,
    /// ISO 8601.
    pub(crate) written_at: String,
    /// Who wrote it.
    pub(crate) written_by: String,
    /// The whole text, as it was given; empty where only versions are listed.
    pub(crate) source: String,
}

/// A page to be written, with all that is read from its text.
#[derive(Clone, Debug)]
pub(crate) struct NewPage {
    /// Where.
    pub(crate) place: Place,
    /// Its text, as it was given.
    pub(crate) content: String,
    /// What the text says.
    pub(crate) document: Document,
    /// What it states.
    pub(crate) assertions: Vec<Assertion>,
    /// Hashes of the questions that it answers by its name.
    pub(crate) answers: Vec<String>,
    /// Of the parts that are searched by meaning; none where they follow.
    pub(crate) vectors: Option<Vec<Vector>>,
    /// Pages it points to, in its own collection unless they name another.
    pub(crate) wiki_links: Vec<Address>,
    /// The version it was made from; none to create it.
    pub(crate) expected_version: Option<i64>,
    /// Its id if it is new.
    pub(crate) new_uuid: String,
    /// ISO 8601.
    pub(crate) now: String,
    /// Who writes.
    pub(crate) by: String,
    /// The same where that is a person whose name is known.
    pub(crate) person: Option<String>,
}

/// A page whose vectors are not those of its text, or of another model.
#[derive(Clone, Debug)]
pub(crate) struct Unembedded {
    /// Its row.
    pub(crate) id: i64,
    /// Where it stands.
    pub(crate) place: Place,
    /// The version of the text.
    pub(crate) version: i64,
    /// What it says.
    pub(crate) document: Document,
}

/// A page of a list.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    /// Its id.
    pub(crate) uuid: String,
    /// Where it stands.
    pub(crate) place: Place,
    /// What kind of page it is.
    pub(crate) kind: String,
    /// What it is called.
    pub(crate) title: String,
    /// How it begins.
    pub(crate) summary: String,
    /// Its version.
    pub(crate) version: i64,
    /// ISO 8601.
    pub(crate) created_at: String,
    /// ISO 8601.
    pub(crate) updated_at: String,
}

/// A page that was found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Its row.
    pub(crate) id: i64,
    /// Its id.
    pub(crate) uuid: String,
    /// Where it stands.
    pub(crate) place: Place,
    /// What kind of page it is.
    pub(crate) kind: String,
    /// What it is called.
    pub(crate) title: String,
    /// Where the words stand; empty where none were looked for.
    pub(crate) snippet: String,
    /// How it begins.
    pub(crate) summary: String,
    /// The part of the collection it stands in.
    pub(crate) wing: String,
    /// Bytes of its compiled truth.
    pub(crate) truth_bytes: usize,
    /// Higher is better.
    pub(crate) score: f64,
}

/// A link to be made.
#[derive(Clone, Debug)]
pub(crate) struct NewLink {
    /// Where it starts.
    pub(crate) from: Place,
    /// Where it leads.
    pub(crate) to: Place,
    /// What it says.
    pub(crate) relationship: String,
    /// When it holds.
    pub(crate) interval: Interval,
    /// ISO 8601.
    pub(crate) now: String,
}

/// A link with the rows of its pages.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    /// Its row.
    pub(crate) id: i64,
    /// Where it starts.
    pub(crate) from: Place,
    /// What the page is called where it starts.
    pub(crate) from_title: String,
    /// Where it leads.
    pub(crate) to: Place,
    /// The row of the page it leads to.
    pub(crate) to_id: i64,
    /// What it says.
    pub(crate) relationship: String,
    /// As it was written.
    pub(crate) valid_from: Option<String>,
    /// As it was written.
    pub(crate) valid_until: Option<String>,
}

/// Data about a page, to be kept.
#[derive(Clone, Debug)]
pub(crate) struct NewRaw {
    /// The page.
    pub(crate) place: Place,
    /// Where the data came from.
    pub(crate) source: String,
    /// JSON.
    pub(crate) data: String,
    /// Whether data of the same source is replaced.
    pub(crate) overwrite: bool,
    /// ISO 8601.
    pub(crate) now: String,
}

/// A question without an answer, to be kept by its hash.
#[derive(Clone, Debug)]
pub(crate) struct NewGap {
    /// The page it is about.
    pub(crate) place: Option<Place>,
    /// SHA-256 in hexadecimal digits.
    pub(crate) query_hash: String,
    /// How much what was found has to do with it, from 0 to 1, where that is known.
    pub(crate) confidence: Option<f64>,
    /// ISO 8601.
    pub(crate) now: String,
}

/// By this a question is known again, and nobody learns it.
pub(crate) fn question_hash(question: &str) -> String {
    hex(&sha256(question.as_bytes()))
}

/// That a person has agreed to a question leaving this machine.
#[derive(Clone, Debug)]
pub(crate) struct GapApproval {
    /// The row of the gap.
    pub(crate) gap: i64,
    /// The words.
    pub(crate) words: String,
    /// Whether they are others than those of the question.
    pub(crate) is_redacted: bool,
    /// Who has agreed.
    pub(crate) by: String,
    /// When, ISO 8601.
    pub(crate) now: String,
}

/// A question without an answer.
#[derive(Clone, Debug)]
pub(crate) struct Gap {
    /// Its row.
    pub(crate) id: i64,
    /// The row of the page it is about.
    pub(crate) page_id: Option<i64>,
    /// SHA-256 in hexadecimal digits.
    pub(crate) query_hash: String,
    /// `internal`, `redacted` or `external`.
    pub(crate) sensitivity: String,
    /// The question in the words that a person has agreed to.
    pub(crate) shared_query: Option<String>,
    /// How much what was found had to do with it, from 0 to 1, where that is known.
    pub(crate) confidence: Option<f64>,
    /// ISO 8601; none while it is open.
    pub(crate) resolved_at: Option<String>,
    /// The whole address of the page that answers it.
    pub(crate) resolved_by: Option<String>,
    /// ISO 8601.
    pub(crate) detected_at: String,
}

impl Link {
    /// The end it gets.
    pub(crate) fn closed(self, until: &Bound) -> Self {
        Self {
            valid_until: Some(until.text.clone()),
            ..self
        }
    }
}
