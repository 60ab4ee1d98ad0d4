//! What a use case decides about a session.

use crate::domain::event::Fact;

/// What a decision comes to: facts to append, and an answer.
pub(crate) struct Decision<T> {
    /// What happened; nothing is appended when it is empty.
    pub(crate) facts: Vec<Fact>,
    /// What the caller is told.
    pub(crate) answer: T,
}

impl Decision<()> {
    /// Facts, and no more to say.
    pub(crate) fn of(facts: impl IntoIterator<Item = Fact>) -> Self {
        Self {
            facts: facts.into_iter().collect(),
            answer: (),
        }
    }
}
