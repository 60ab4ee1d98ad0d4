//! The changes that people are asked about now, so that each has one card.

use std::collections::HashMap;

use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use crate::domain::gate::ToolChange;

/// A source, and a tool of it or all.
type Subject = (String, Option<String>);

/// The changes that people are asked about now.
#[derive(Default)]
pub(crate) struct Changes(Mutex<HashMap<Subject, Asked>>);

/// A change that people are asked about.
struct Asked {
    prefix: String,
    /// Cancelled when the change no longer stands.
    over: CancellationToken,
}

fn subject(change: &ToolChange) -> Subject {
    let tool = change.tool().map(str::to_owned);
    (change.source().to_owned(), tool)
}

impl Changes {
    /// Begins to ask about a change, unless people are asked about it already. Whatever else they
    /// are asked about the same tool is over.
    pub(super) fn begin(
        &self,
        change: &ToolChange,
        prefix: &str,
        max: usize,
    ) -> Option<CancellationToken> {
        let mut asked = self.0.lock();
        let subject = subject(change);
        if let Some(before) = asked.get(&subject) {
            if before.prefix == prefix {
                return None;
            }
            before.over.cancel();
        } else if asked.len() >= max {
            tracing::warn!(
                gate.source = change.source(),
                tool = change.tool(),
                "no card for a changed tool: {max} are open (gate.change_cards_max)"
            );
            return None;
        }
        let over = CancellationToken::new();
        let now = Asked {
            prefix: prefix.to_owned(),
            over: over.clone(),
        };
        asked.insert(subject, now);
        Some(over)
    }

    /// People are no longer asked about a change.
    pub(super) fn end(&self, change: &ToolChange, prefix: &str) {
        let mut asked = self.0.lock();
        let subject = subject(change);
        if asked
            .get(&subject)
            .is_some_and(|asked| asked.prefix == prefix)
        {
            asked.remove(&subject);
        }
    }

    /// A tool is what was accepted: whatever people are asked about it is over.
    pub(super) fn over(&self, source: &str, tool: &str) {
        let asked = self.0.lock();
        if asked.is_empty() {
            return;
        }
        if let Some(asked) = asked.get(&(source.to_owned(), Some(tool.to_owned()))) {
            asked.over.cancel();
        }
    }
}
