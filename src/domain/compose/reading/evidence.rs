//! Why something is taken for what it is taken for, and how sure that is.

use serde::Serialize;

/// One conclusion about a contract.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Evidence {
    /// What it is about: a pointer or the name of an action.
    pub(crate) about: String,
    /// The conclusion.
    pub(crate) is: String,
    /// What speaks for it.
    pub(crate) because: String,
    /// How sure it is, in hundredths.
    pub(crate) score: u8,
}

/// The conclusions of one reading, in the order in which they were drawn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes(Vec<Evidence>);

impl Notes {
    /// Keeps a conclusion.
    pub(crate) fn note(
        &mut self,
        about: &str,
        is: impl Into<String>,
        because: impl Into<String>,
        score: u8,
    ) {
        self.0.push(Evidence {
            about: about.to_owned(),
            is: is.into(),
            because: because.into(),
            score,
        });
    }

    /// All of them.
    pub(crate) fn all(&self) -> &[Evidence] {
        &self.0
    }
}
