//! A model chooses a page, and mends its choice until that holds, or there is no more to try.

use super::generator::{NoAnswer, Question, Speaker, Trouble, Turn, Usage, ViewGenerator};
use super::page::Page;
use super::prompt::{self, SYSTEM};
use crate::domain::compose::{Choice, choice_schema, chosen};
use crate::domain::contract::error;
use crate::domain::limits::GenerationLimits;
use crate::domain::size::shorten;
use crate::domain::view::View;
use crate::wire::contract::Finding;

/// Characters of an answer that its model is reminded of: more than a choice for a large page takes.
const REPEATED_CHARS_MAX: usize = 16_384;

/// A view that a model has chosen.
#[derive(Debug)]
pub(crate) struct Drawn {
    /// The view.
    pub(crate) view: View,
    /// What was chosen of it.
    pub(crate) choice: Choice,
    /// Answers it took.
    pub(crate) rounds: usize,
    /// Tokens it took.
    pub(crate) usage: Usage,
}

/// Why a model has chosen no view, and what it took all the same.
#[derive(Debug)]
pub(crate) struct Undrawn {
    /// Why.
    pub(crate) reason: Reason,
    /// Answers it took.
    pub(crate) rounds: usize,
    /// Tokens it took.
    pub(crate) usage: Usage,
}

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
    #[error("what the model has chosen does not fit: {}", told(.0))]
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
fn told(found: &[Finding]) -> String {
    const TOLD_MAX: usize = 3;
    let lines: Vec<String> = found.iter().take(TOLD_MAX).map(prompt::line).collect();
    lines.join("; ")
}

/// Has a model choose a page, and draws it.
///
/// # Errors
///
/// Why there is no view that holds after as many rounds as there may be.
pub(crate) async fn draw(
    generator: &dyn ViewGenerator,
    model: &str,
    page: &Page<'_>,
    limits: &GenerationLimits,
) -> Result<Drawn, Undrawn> {
    let schema = choice_schema();
    let first = prompt::page(page);
    let (bytes, max) = (first.len(), limits.page_bytes_max);
    let (mut rounds, mut usage) = (0, Usage::default());
    if bytes > max {
        let reason = Reason::TooLarge { bytes, max };
        return Err(Undrawn {
            reason,
            rounds,
            usage,
        });
    }
    let mut turns = vec![Turn {
        speaker: Speaker::Server,
        text: first,
    }];
    let mut choice = Choice::default();
    loop {
        rounds += 1;
        let question = Question {
            model,
            system: SYSTEM,
            turns: &turns,
            schema: &schema,
        };
        let text = match generator.answer(&question).await {
            Ok(answer) => {
                usage += answer.usage;
                answer.text
            }
            Err(NoAnswer { why, usage: taken }) => {
                usage += taken;
                return Err(Undrawn {
                    reason: why.into(),
                    rounds,
                    usage,
                });
            }
        };
        let found = match read(&text) {
            Ok(next) => {
                choice = choice.mended_by(next);
                match chosen(page.contract, page.intent, &choice) {
                    Ok(view) => {
                        return Ok(Drawn {
                            view,
                            choice,
                            rounds,
                            usage,
                        });
                    }
                    Err(found) => {
                        choice = choice.without(&found);
                        found
                    }
                }
            }
            Err(found) => vec![*found],
        };
        if rounds >= limits.rounds_max {
            return Err(Undrawn {
                reason: Reason::Unfit(found),
                rounds,
                usage,
            });
        }
        let told = prompt::findings(&found);
        let text = shorten(&text, REPEATED_CHARS_MAX);
        let said = [(Speaker::Model, text), (Speaker::Server, told)];
        turns.extend(said.map(|(speaker, text)| Turn { speaker, text }));
    }
}

/// The choice in an answer, whatever stands around it.
fn read(text: &str) -> Result<Choice, Box<Finding>> {
    let begin = text.find('{').unwrap_or(0);
    let end = text.rfind('}').map_or(text.len(), |end| end + 1);
    let json = text.get(begin..end).unwrap_or_default();
    serde_json::from_str(json).map_err(|why| {
        let why = format!("is no choice as the schema has it: {why}");
        Box::new(error("CHOICE_SHAPE_INVALID", "", why))
    })
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use parking_lot::Mutex;

    use super::*;
    use crate::domain::contract::samples::{compiled, todo_list};
    use crate::domain::generation::Answer;

    /// Says what it was told to say, and remembers what it was asked.
    struct Script {
        answers: Mutex<Vec<&'static str>>,
        asked: Mutex<Vec<String>>,
    }

    #[async_trait]
    impl ViewGenerator for Script {
        async fn answer(&self, question: &Question<'_>) -> Result<Answer, NoAnswer> {
            let last = question.turns.last().unwrap();
            assert_eq!(last.speaker, Speaker::Server);
            self.asked.lock().push(last.text.clone());
            let usage = Usage {
                prompt_tokens: 10,
                answer_tokens: 1,
            };
            Ok(Answer {
                text: self.answers.lock().remove(0).to_owned(),
                usage,
            })
        }
    }

    async fn drawn(answers: &[&'static str]) -> (Result<Drawn, Undrawn>, Vec<String>) {
        let script = Script {
            answers: Mutex::new(answers.to_vec()),
            asked: Mutex::default(),
        };
        let contract = compiled(&todo_list());
        let page = Page {
            contract: &contract,
            intent: "Keep track of the work",
            variance: None,
            values: None,
        };
        let limits = GenerationLimits::default();
        let result = draw(&script, "m", &page, &limits).await;
        (result, script.asked.into_inner())
    }

    #[tokio::test]
    async fn what_does_not_fit_is_told_and_mended() {
        let wrong = r#"{"headline":{"text":"Chores"},"parts":[{"source":"/props/nothing"}],"primary":"deleteTodo"}"#;
        let mended = r#"Here: {"primary":"addTodo","parts":[]}"#;
        let (result, asked) = drawn(&[wrong, "no JSON", mended]).await;
        let drawn = result.unwrap();
        assert_eq!((drawn.rounds, drawn.usage.tokens()), (3, 33));
        let view = drawn.view.to_json();
        assert!(
            view.contains("\"text\":\"Chores\""),
            "what was right stays: {view}"
        );
        assert!(
            asked[1].contains("[CHOICE_UNKNOWN_SOURCE] parts[/props/nothing]:"),
            "{}",
            asked[1]
        );
        assert!(
            asked[1].contains("[CHOICE_UNFIT_PRIMARY] primary:"),
            "{}",
            asked[1]
        );
        assert!(
            asked[2].contains("[CHOICE_SHAPE_INVALID] <root>:"),
            "{}",
            asked[2]
        );
    }

    #[tokio::test]
    async fn what_is_still_wrong_after_the_last_round_is_told() {
        let wrong = r#"{"parts":[{"source":"/props/todos","component":"Carousel"}]}"#;
        let (result, asked) = drawn(&[wrong, wrong, wrong]).await;
        let undrawn = result.unwrap_err();
        assert_eq!((undrawn.rounds, asked.len()), (3, 3));
        let told = undrawn.reason.to_string();
        let expected = "[CHOICE_UNFIT_COMPONENT] parts[/props/todos].component:";
        assert!(told.contains(expected), "{told}");
    }

    #[tokio::test]
    async fn a_choice_that_holds_is_drawn_at_once() {
        let answer = r#"{"headline":{"text":"Chores"},"primary":"addTodo"}"#;
        let (result, asked) = drawn(&[answer]).await;
        let drawn = result.unwrap();
        assert_eq!(
            (drawn.rounds, drawn.usage.tokens(), asked.len()),
            (1, 11, 1)
        );
        assert!(drawn.view.to_json().contains("\"text\":\"Chores\""));
    }
}
