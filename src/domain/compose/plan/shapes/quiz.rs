//! Questions with their options, answered one by one or handed in together.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::super::reading::{
    Deed, Field, Gesture, Kind, Thing, Word, any_of, branches, choices, columns_of, ends_with,
    fields, is_id, is_markdown, items, key, kind, names_text, naming, split, values,
};
use super::shape::Shape;

/// Whether an action answers, by its name or by what stands on its button.
pub(crate) fn is_answer(gesture: &Gesture<'_>) -> bool {
    [gesture.name, &gesture.entry.label]
        .iter()
        .any(|text| split(text).iter().any(|word| word == "answer"))
}

/// Whether an action answers the questions that records are, each with its options.
pub(crate) fn is_quiz(columns: &[Field<'_>], gesture: &Gesture<'_>) -> bool {
    quiz(columns, &[gesture], false).is_some()
}

/// Questions with the options to answer them with, one by one or all together.
pub(super) fn quiz<'a>(
    columns: &[Field<'a>],
    gestures: &[&Gesture<'_>],
    is_handed_in: bool,
) -> Option<Shape<'a>> {
    let options = columns.iter().find(|field| {
        matches!(kind(field.schema), Kind::Strings | Kind::Records)
            && ends_with(field, &["alternatives", "answers", "choices", "options"])
    })?;
    let inner = columns_of(options.schema);
    // What an option says stands before the letter that it is known by.
    let said = inner
        .iter()
        .find(|field| kind(field.schema) == Kind::Text && names_text(field.name, &["text"]));
    let option = said.map(|field| field.name).or_else(|| naming(&inner));
    if kind(options.schema) == Kind::Records && option.is_none() {
        return None;
    }
    let is_text = |field: &&Field<'_>| kind(field.schema) == Kind::Text && !is_id(field.name);
    let asks = |field: &&Field<'_>| {
        names_text(field.name, &["prompt", "question", "stem", "text", "title"])
    };
    // A situation that is described asks what to make of it.
    let describes = |field: &&Field<'_>| is_markdown(field.name, field.schema);
    let text = columns.iter().filter(is_text).find(asks);
    let text = text.or_else(|| columns.iter().filter(is_text).find(describes))?;
    let answers = gestures
        .iter()
        .any(|gesture| matches!(gesture.deed, Deed::One { .. }) && is_answer(gesture));
    const SEVERAL: &[&str] = &["multiple", "picks", "several"];
    let is_several = |value: &Value| {
        let word = value
            .as_str()
            .and_then(|value| split(value).into_iter().next());
        word.is_some_and(|word| SEVERAL.contains(&word.as_str()))
    };
    let several = columns.iter().find(|field| match kind(field.schema) {
        Kind::Boolean | Kind::Number => names_text(field.name, SEVERAL),
        Kind::Choice => choices(field.schema).is_some_and(|all| all.into_iter().any(is_several)),
        _ => false,
    });
    (answers || is_handed_in).then_some(Shape::Quiz {
        text: text.name,
        options: options.name,
        option,
        key: key(&inner),
        several: several.map(|field| field.name),
    })
}

/// How an action takes the answers to all questions of a list: the payload member, and what stands there
/// for one question.
pub(crate) fn handed_in(
    gesture: &Gesture<'_>,
    questions: &Thing<'_>,
) -> Option<BTreeMap<String, String>> {
    const ANSWERS: &[&str] = &["answers", "responses", "solutions"];
    let inputs = gesture.inputs();
    let answers = inputs.iter().find(|field| ends_with(field, ANSWERS))?;
    let pair = |role: &str, member: &str| (role.to_owned(), member.to_owned());
    if let Some(each) = values(answers.schema) {
        let is_answer = matches!(kind(each), Kind::Text | Kind::Choice | Kind::Strings);
        let roles = [pair("to", answers.name), pair("as", "map")];
        return is_answer.then(|| roles.into());
    }
    // Answers may have another shape where a number is given.
    let each = items(answers.schema);
    let item = match fields(each) {
        none if none.is_empty() => any_of(each),
        item => item,
    };
    let id = item.iter().find(|field| {
        Some(field.name) == questions.key()
            || (is_id(field.name) && split(field.name).first() == Some(&questions.one))
    })?;
    let mut roles: BTreeMap<String, String> = [
        pair("to", answers.name),
        pair("as", "list"),
        pair("id", id.name),
    ]
    .into();
    for (role, kinds) in [
        ("value", &[Kind::Text, Kind::Choice][..]),
        ("values", &[Kind::Strings]),
        ("number", &[Kind::Number]),
    ] {
        let mut others = item.iter().filter(|field| field.name != id.name);
        // What is a number for one question may be a word for another one.
        let found = others.find(|field| {
            let mut all = branches(field.schema).chain([field.schema]);
            all.any(|one| kinds.contains(&kind(one)))
        });
        roles.extend(found.map(|field| pair(role, field.name)));
    }
    (roles.len() > 3).then_some(roles)
}

/// Whether a value gives the answer away.
pub(crate) fn is_solution(name: &str) -> bool {
    const SOLVES: &[&str] = &["answer", "correct", "expected", "right", "solution"];
    const EXPLAINS: &[&str] = &["because", "explanation", "rationale", "reason", "why"];
    let words = split(name);
    let is =
        |word: Option<&Word>, all: &[&str]| word.is_some_and(|word| all.contains(&word.as_str()));
    is(words.first(), SOLVES) || is(words.last(), EXPLAINS)
}
