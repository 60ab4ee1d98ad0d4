//! What people are asked about pages: whether a preference is kept, which of two holds, and whether a
//! question may leave this machine.

use serde_json::{Value, json};

use super::super::card::Card;
use super::super::digest::{hex, sha256};
use super::interval::day_before;
use super::slug::Place;
use super::store::Conflict;
use crate::wire::ids::SessionId;

/// The wing of pages that are kept only after a person has agreed.
pub(crate) const PREFERENCES: &str = "preferences";

// How the names of the sessions begin in which people are asked.
const KEEP: &str = "preference-";
const WHICH: &str = "which-one-";
const SHARE: &str = "gap-";
/// All of them.
pub(crate) const CARDS: [&str; 3] = [KEEP, SHARE, WHICH];
/// Digits that stand for what is asked.
const DIGITS: usize = 16;

// What a person can answer.
pub(super) const YES: &str = "keep";
pub(super) const NO: &str = "drop";
pub(super) const FIRST: &str = "keepFirst";
pub(super) const SECOND: &str = "keepSecond";
pub(super) const BOTH: &str = "keepBoth";
pub(super) const AS_WRITTEN: &str = "share";
pub(super) const CHANGED: &str = "shareChanged";
/// What a form sends that a person has changed.
pub(super) const QUESTION: &str = "question";

/// A page that is kept if a person agrees.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Proposal {
    /// Its whole address.
    pub(crate) slug: String,
    /// What it is called.
    pub(crate) title: String,
    /// Its text.
    pub(crate) content: String,
    /// The version it takes the place of; none to create it.
    pub(crate) expected_version: Option<i64>,
    /// Who wants it kept.
    pub(crate) by: String,
}

/// Two preferences of which one can hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    /// What both are about.
    pub(crate) subject: String,
    /// The whole address of the earlier one, its version, and what it says.
    pub(crate) first: (String, i64, String),
    /// The same of the later one.
    pub(crate) second: (String, i64, String),
    /// The day before the later one: the last one of the one that does not hold.
    pub(crate) until: String,
}

/// A question that may leave this machine if a person agrees.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Disclosure {
    /// The row of the gap.
    pub(crate) gap: i64,
    /// The question.
    pub(crate) question: String,
    /// Who wants to share it.
    pub(crate) by: String,
}

/// What people are asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ask {
    /// Whether a preference is kept.
    Keep(Proposal),
    /// Whether a question may leave this machine.
    Share(Disclosure),
    /// Which of two preferences holds.
    Which(Choice),
}

/// What a person has decided.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Decided {
    /// The page is kept.
    Keep(Proposal),
    /// What a page says is over, if it still stands at this version.
    Close {
        /// The page.
        slug: String,
        /// Its version.
        version: i64,
        /// Its last day.
        until: String,
    },
    /// Nothing changes.
    Nothing,
    /// The question may leave this machine in these words.
    Share {
        /// The row of the gap.
        gap: i64,
        /// The words.
        words: String,
        /// Whether they are others than were asked about.
        is_redacted: bool,
    },
}

/// Whether a page is kept only after a person has agreed.
pub(crate) fn is_preference(place: &Place) -> bool {
    place.slug.wing() == PREFERENCES
}

/// Whether people are asked in this session about pages.
pub(crate) fn is_about_pages(session: &SessionId) -> bool {
    CARDS
        .iter()
        .any(|prefix| session.as_str().starts_with(prefix))
}

impl Ask {
    /// Which of two contradicting statements holds.
    pub(crate) fn which(conflict: &Conflict, versions: (i64, i64)) -> Self {
        let side =
            |place: &Place, version, object: &str| (place.to_string(), version, object.to_owned());
        Self::Which(Choice {
            subject: conflict.subject.clone(),
            first: side(&conflict.page, versions.0, &conflict.object),
            second: side(&conflict.other, versions.1, &conflict.other_object),
            until: day_before(&conflict.since).unwrap_or_else(|| conflict.since.clone()),
        })
    }

    /// How the name of the session begins: the same for whoever asks the same.
    pub(crate) fn prefix(&self) -> String {
        let (prefix, text) = match self {
            Self::Keep(asked) => {
                let Proposal { slug, content, .. } = asked;
                (KEEP, json!([slug, content, asked.expected_version]))
            }
            Self::Which(asked) => (WHICH, json!([asked.first, asked.second])),
            Self::Share(asked) => (SHARE, json!([asked.gap, asked.question])),
        };
        let mut digits = hex(&sha256(text.to_string().as_bytes()));
        digits.truncate(DIGITS);
        format!("{prefix}{digits}-")
    }

    /// The card.
    pub(crate) fn card(&self) -> Card {
        match self {
            Self::Keep(asked) => asked.card(),
            Self::Which(asked) => asked.card(),
            Self::Share(asked) => asked.card(),
        }
    }

    /// What a card with these props asks.
    fn read(session: &SessionId, props: &Value) -> Option<Self> {
        let text = |name: &str| props[name].as_str().map(str::to_owned);
        let side = |slug: &str, version: &str, says: &str| {
            Some((text(slug)?, props[version].as_i64()?, text(says)?))
        };
        let name = session.as_str();
        if name.starts_with(KEEP) {
            return Some(Self::Keep(Proposal {
                slug: text("page")?,
                title: text("title")?,
                content: text("content")?,
                expected_version: props["expectedVersion"].as_i64(),
                by: text("requester")?,
            }));
        }
        if name.starts_with(WHICH) {
            return Some(Self::Which(Choice {
                subject: text("subject")?,
                first: side("firstPage", "firstVersion", "first")?,
                second: side("secondPage", "secondVersion", "second")?,
                until: text("until")?,
            }));
        }
        name.starts_with(SHARE).then_some(())?;
        Some(Self::Share(Disclosure {
            gap: props["gap"].as_i64()?,
            question: text(QUESTION)?,
            by: text("requester")?,
        }))
    }

    /// What a person has decided by an action on a card with these props; none where the action is
    /// none of its answers.
    pub(crate) fn decided(
        session: &SessionId,
        props: &Value,
        action: &str,
        data: &Value,
    ) -> Option<Decided> {
        let close = |side: (String, i64, String), until| Decided::Close {
            slug: side.0,
            version: side.1,
            until,
        };
        match (Self::read(session, props)?, action) {
            (Self::Keep(asked), YES) => Some(Decided::Keep(asked)),
            (Self::Which(asked), FIRST) => Some(close(asked.second, asked.until)),
            (Self::Which(asked), SECOND) => Some(close(asked.first, asked.until)),
            (Self::Share(asked), AS_WRITTEN) => Some(Decided::Share {
                gap: asked.gap,
                words: asked.question,
                is_redacted: false,
            }),
            (Self::Share(asked), CHANGED) => Some(Decided::Share {
                gap: asked.gap,
                words: data[QUESTION].as_str()?.to_owned(),
                is_redacted: true,
            }),
            (Self::Keep(_) | Self::Share(_), NO) | (Self::Which(_), BOTH) => Some(Decided::Nothing),
            _ => None,
        }
    }
}

/// The props of a card as they are stored: without the question that may be stored only once a person
/// agrees. None where nothing has to be left out.
pub(crate) fn without_question(session: &SessionId, props: &Value) -> Option<Value> {
    if !session.as_str().starts_with(SHARE) {
        return None;
    }
    let mut stored = props.clone();
    stored[QUESTION] = String::new().into();
    stored["editable"] = json!({ QUESTION: "" });
    stored["shown"] = "It was kept in the memory of a server that has ended: ask again.".into();
    Some(stored)
}

/// What a card says while nobody has decided.
pub(crate) fn open() -> Value {
    json!({
        "state": "pending", "message": "Waiting for a decision.", "tone": "info", "choices": [{}],
    })
}

/// What a card says once it was decided on: nothing can be decided any more.
pub(crate) fn closed(state: &str, message: &str, tone: &str) -> Value {
    json!({ "state": state, "message": message, "tone": tone, "choices": [] })
}

#[cfg(test)]
mod tests {
    use super::super::super::contract::{CompiledContract, ContractLimits};
    use super::super::super::view::check;
    use super::*;

    #[test]
    fn every_card_fits_its_contract_and_says_what_it_was_made_of() {
        let side = |page: &str, says: &str| (page.to_owned(), 2, says.to_owned());
        let asks = [
            Ask::Keep(Proposal {
                slug: "default::preferences/density".to_owned(),
                title: "Density".to_owned(),
                content: "Compact\ntables.".to_owned(),
                expected_version: Some(3),
                by: "builder".to_owned(),
            }),
            Ask::Which(Choice {
                subject: "Density".to_owned(),
                first: side("default::preferences/a", "compact tables"),
                second: side("default::preferences/b", "roomy tables"),
                until: "2026-05-01".to_owned(),
            }),
            Ask::Share(Disclosure {
                gap: 7,
                question: "When was Ida born?".to_owned(),
                by: "builder".to_owned(),
            }),
        ];
        for ask in asks {
            let card = ask.card();
            let compiled = CompiledContract::compile(&card.contract, &ContractLimits::default());
            let contract = compiled.ok().unwrap().contract;
            assert_eq!(check(card.view.value(), &contract).err(), None, "{ask:?}");
            assert_eq!(contract.check_props(&card.props).err(), None, "{ask:?}");
            let session = SessionId::from(format!("{}1", ask.prefix()).as_str());
            assert!(is_about_pages(&session));
            assert_eq!(Ask::read(&session, &card.props), Some(ask));
            let none = Ask::decided(&session, &card.props, "approve", &Value::Null);
            assert_eq!(none, None);
        }
    }
}
