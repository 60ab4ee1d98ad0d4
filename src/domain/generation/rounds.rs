//! A model chooses a page, and mends its choice until that holds; then it may draw one of its own.

use std::mem;
use std::pin::{Pin, pin};

use futures_util::future::{Either, select};

use super::free::{Canvas, sheet_schema};
use super::generator::{Meter, Trouble, Usage, ViewGenerator};
use super::given_values::GivenValues;
use super::page::Page;
use super::prompt::{self, CHOOSE, DRAW};
use super::reason::Reason;
use super::talk::{Model, Task};
use crate::domain::compose::{Choice, choice_schema, chosen};
use crate::domain::contract::{bounded, error};
use crate::domain::limits::GenerationLimits;
use crate::domain::view::View;

/// A view that a model has chosen.
#[derive(Debug)]
pub(crate) struct Drawn {
    /// The view.
    pub(crate) view: View,
    /// What was chosen of it, or of the page that it takes the place of.
    pub(crate) choice: Choice,
    /// Whether the model has drawn it itself.
    pub(crate) own: Own,
    /// Answers it took.
    pub(crate) rounds: usize,
    /// Tokens it took.
    pub(crate) usage: Usage,
}

/// What came of a view of the model's own.
#[derive(Debug)]
pub(crate) enum Own {
    /// There is none.
    None,
    /// It is shown.
    Shown,
    /// It is not shown.
    LeftOut(Reason),
}

impl Own {
    /// Why it is not shown, where there is one.
    pub(crate) fn why_left_out(&self) -> Option<String> {
        match self {
            Self::None | Self::Shown => None,
            Self::LeftOut(why) => Some(format!("the view of its own is left out: {why}")),
        }
    }

    /// The same in one word, for logs.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Shown => "shown",
            Self::LeftOut(why) => why.word(),
        }
    }
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

/// Has a model choose a page, and draws it; then, where it may, has it draw one of its own, which is
/// shown if it holds. Whatever has come of it by the deadline is taken.
///
/// # Errors
///
/// Why there is no view that holds after as many rounds as there may be.
pub(crate) async fn draw(
    generator: &dyn ViewGenerator,
    name: &str,
    page: &Page<'_>,
    limits: &GenerationLimits,
    has_free_views: bool,
    deadline: impl Future<Output = ()>,
) -> Result<Drawn, Undrawn> {
    let mut deadline = pin!(deadline);
    let mut model = Model {
        generator,
        name,
        limits,
        rounds: 0,
        usage: Usage::default(),
        meter: Meter::default(),
    };
    let chosen = within(deadline.as_mut(), choose(&mut model, page)).await;
    let (mut view, choice) = chosen.map_err(|reason| Undrawn {
        reason,
        rounds: model.rounds,
        usage: model.used(),
    })?;
    let mut own = Own::None;
    if has_free_views && model.may_go_on() {
        let drawing = draw_freely(&mut model, page, &view);
        match within(deadline.as_mut(), drawing).await {
            Ok(None) => {}
            Ok(Some(free)) => (view, own) = (free, Own::Shown),
            Err(why) => own = Own::LeftOut(why),
        }
    }
    Ok(Drawn {
        view,
        choice,
        own,
        rounds: model.rounds,
        usage: model.used(),
    })
}

/// What comes before the deadline.
async fn within<T>(
    deadline: Pin<&mut impl Future<Output = ()>>,
    work: impl Future<Output = Result<T, Reason>>,
) -> Result<T, Reason> {
    match select(pin!(work), deadline).await {
        Either::Left((done, _)) => done,
        Either::Right(_) => Err(Trouble::TimedOut.into()),
    }
}

/// A choice of the model that holds, and its view.
async fn choose(model: &mut Model<'_>, page: &Page<'_>) -> Result<(View, Choice), Reason> {
    let task = Task {
        system: CHOOSE,
        schema: &choice_schema(),
        is_open: false,
        mend: "Answer with a choice that holds whole corrected entries only; everything else stays \
               as you have chosen it.",
    };
    let given = GivenValues::of(page);
    let mut choice = Choice::default();
    let fit = |answer: &str| {
        let next = serde_json::from_str(answer).map_err(|why| {
            let why = format!("is no choice as the schema has it: {why}");
            vec![error("CHOICE_SHAPE_INVALID", "", why)]
        })?;
        choice = mem::take(&mut choice).mended_by(next);
        let drawn = chosen(page.contract, page.intent, &choice);
        let repeated = given.repeated_in(&choice);
        let drawn = match drawn {
            drawn if repeated.is_empty() => drawn,
            drawn => {
                let mut found = repeated;
                found.extend(drawn.err().into_iter().flatten());
                Err(bounded(found))
            }
        };
        if let Err(found) = &drawn {
            choice = mem::take(&mut choice).without(found);
        }
        drawn
    };
    let view = model.ask(&task, prompt::choose(page), fit).await?;
    Ok((view, choice))
}

/// A view of the model's own that holds; none where it wants none.
async fn draw_freely(
    model: &mut Model<'_>,
    page: &Page<'_>,
    chosen: &View,
) -> Result<Option<View>, Reason> {
    let task = Task {
        system: &DRAW,
        schema: &sheet_schema(),
        is_open: true,
        mend: "Answer with the components that change, whole; all others stay as you have drawn them.",
    };
    let mut canvas = Canvas::new(page, chosen);
    let request = prompt::draw(page, chosen);
    model
        .ask(&task, request, |answer| canvas.take(answer))
        .await
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use async_trait::async_trait;
    use parking_lot::Mutex;

    use super::super::generator::{Question, Speaker};
    use super::*;
    use crate::domain::contract::samples::{compiled, todo_list};

    /// Says what it was told to say, and remembers what it was asked.
    struct Script {
        answers: Mutex<Vec<&'static str>>,
        asked: Mutex<Vec<String>>,
    }

    #[async_trait]
    impl ViewGenerator for Script {
        async fn answer(&self, question: &Question<'_>, meter: &Meter) -> Result<String, Trouble> {
            let last = question.turns.last().unwrap();
            assert_eq!(last.speaker, Speaker::Server);
            self.asked.lock().push(last.text.clone());
            meter.set(Usage {
                prompt_tokens: 10,
                answer_tokens: 1,
            });
            Ok(self.answers.lock().remove(0).to_owned())
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
            remarks: &[],
            values: None,
        };
        let limits = GenerationLimits::default();
        let result = draw(&script, "m", &page, &limits, false, pending()).await;
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
        let message = undrawn.reason.to_string();
        let expected = "[CHOICE_UNFIT_COMPONENT] parts[/props/todos].component:";
        assert!(message.contains(expected), "{message}");
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
