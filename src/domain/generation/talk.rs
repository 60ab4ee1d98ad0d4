//! What is said with a model for one page: counted, and no longer than it may be.

use serde_json::Value;

use super::generator::{Meter, Question, Speaker, Turn, Usage, ViewGenerator};
use super::prompt;
use super::reason::Reason;
use crate::domain::limits::GenerationLimits;
use crate::domain::size::shorten;
use crate::wire::contract::Finding;

/// Characters of an answer that its model is reminded of: more than a choice for a large page takes.
const REPEATED_CHARS_MAX: usize = 16_384;

/// A model that is asked for one page.
pub(super) struct Model<'a> {
    pub(super) generator: &'a dyn ViewGenerator,
    pub(super) name: &'a str,
    pub(super) limits: &'a GenerationLimits,
    /// Answers it has given.
    pub(super) rounds: usize,
    /// Tokens they took.
    pub(super) usage: Usage,
    /// What the question takes that is asked now.
    pub(super) meter: Meter,
}

/// What it is asked for.
pub(super) struct Task<'a> {
    /// The rules.
    pub(super) system: &'a str,
    /// JSON Schema of an answer.
    pub(super) schema: &'a Value,
    /// Whether the schema leaves parts of an answer open.
    pub(super) is_open: bool,
    /// What is said when an answer does not fit, behind the findings.
    pub(super) mend: &'a str,
}

impl Model<'_> {
    /// Asks until an answer fits, or there is no more to try.
    ///
    /// # Errors
    ///
    /// Why none does.
    pub(super) async fn ask<T>(
        &mut self,
        task: &Task<'_>,
        page: String,
        mut fit: impl FnMut(&str) -> Result<T, Vec<Finding>>,
    ) -> Result<T, Reason> {
        let (bytes, max) = (page.len(), self.limits.page_bytes_max);
        if bytes > max {
            return Err(Reason::TooLarge { bytes, max });
        }
        let mut turns = vec![Turn {
            speaker: Speaker::Server,
            text: page,
        }];
        loop {
            self.rounds += 1;
            let question = Question {
                model: self.name,
                system: task.system,
                turns: &turns,
                schema: task.schema,
                is_open: task.is_open,
            };
            let answered = self.generator.answer(&question, &self.meter).await;
            self.usage += self.meter.take();
            let text = answered?;
            let found = match fit(json_in(&text)) {
                Ok(fitting) => return Ok(fitting),
                Err(found) => found,
            };
            if !self.may_go_on() {
                return Err(Reason::Unfit(found));
            }
            let correction = prompt::findings(&found, task.mend);
            let text = shorten(&text, REPEATED_CHARS_MAX);
            let said = [(Speaker::Model, text), (Speaker::Server, correction)];
            turns.extend(said.map(|(speaker, text)| Turn { speaker, text }));
        }
    }

    /// Tokens all of it has taken so far, a question among it that was given up.
    pub(super) fn used(&self) -> Usage {
        self.usage + self.meter.read()
    }

    /// Whether it may give another answer for this page.
    pub(super) fn may_go_on(&self) -> bool {
        self.rounds < self.limits.rounds_max
    }
}

/// The JSON object in an answer, whatever stands around it.
fn json_in(text: &str) -> &str {
    let begin = text.find('{').unwrap_or(0);
    let end = text.rfind('}').map_or(text.len(), |end| end + 1);
    text.get(begin..end).unwrap_or_default()
}
