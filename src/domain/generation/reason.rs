//! Why a model has drawn no view.

use super::generator::Trouble;
use super::prompt;
use crate::wire::contract::Finding;

/// Why a model has chosen no view.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Reason {
    /// The contract is too large for a model.
    #[error("the contract takes {bytes} bytes of a question, more than {max}")]
    TooLarge {
        /// Of the question.
        bytes: usize,
        /// The bound.
        max: usize,
    },
    /// There is no answer.
    #[error("{0}")]
    Trouble(#[from] Trouble),
    /// What it has chosen does not fit.
    #[error("what the model has drawn does not fit: {}", summary(.0))]
    Unfit(Vec<Finding>),
}

impl Reason {
    /// The same in one word, for metrics.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "too_large",
            Self::Trouble(trouble) => trouble.word(),
            Self::Unfit(_) => "unfit",
        }
    }
}

/// The first few of what is wrong, as `[code] path: message`.
fn summary(found: &[Finding]) -> String {
    const LISTED_MAX: usize = 3;
    let lines: Vec<String> = found.iter().take(LISTED_MAX).map(prompt::line).collect();
    lines.join("; ")
}
