//! What speaks for and against an action.

use super::super::super::reading::{
    Deed, Gesture, Kind, Reading, Sort, Thing, Word, Words, fields, is, kind, sets_cell, singular,
    split, stem, stems,
};
use super::super::likely::Likely;
use super::super::picked::said;
use super::super::shapes::{is_conversation, is_quiz};
use super::super::verbs::{ADDING, ARRANGING, ENDING};
use super::super::weighing::{Signs, count, place};
use super::relations::{
    finishes, is_asked_last, is_box, is_decision, is_ended_by_another, is_given_out,
    is_one_of_several, moves, particle,
};

/// What all actions of a page are held against.
pub(super) struct Page<'a, 'r> {
    reading: &'r Reading<'a>,
    main: Option<usize>,
    /// What the main data are most likely shown as.
    component: &'static str,
    /// The words of the intent, each by its beginning.
    intent: Words,
    /// The words of the intent as they are written.
    words: Words,
    /// Where the intent says the verb of each action first.
    asked: Vec<Option<usize>>,
    /// The most that an action asks for.
    most: usize,
    /// Which actions move records.
    moving: Vec<bool>,
    /// Which actions tick off one record of a list, or take one change of a text.
    single: Vec<bool>,
    /// Which actions end what is done on the page.
    ending: Vec<bool>,
    /// Whether people talk on the page.
    is_talk: bool,
    /// What kind of verb each action has.
    classes: Vec<&'static str>,
    /// What each action is about.
    deeds: Vec<&'static str>,
}

impl<'a, 'r> Page<'a, 'r> {
    /// Reads what the actions of a page have in common.
    pub(super) fn read(
        reading: &'r Reading<'a>,
        main: Option<usize>,
        likely: Option<&Likely>,
    ) -> Self {
        let intent = stems(reading.intent);
        let words = split(reading.intent);
        let all = || reading.gestures.iter();
        let asked = all().map(|gesture| said_at(gesture, &intent, &words));
        let mut page = Self {
            reading,
            main,
            component: likely.map_or("nothing", |likely| likely.component),
            asked: asked.collect(),
            most: all()
                .map(|gesture| gesture.inputs().len())
                .max()
                .unwrap_or_default(),
            moving: all().map(|gesture| moves(gesture, reading)).collect(),
            single: all()
                .map(|gesture| is_one_of_several(gesture, reading))
                .collect(),
            ending: all().map(finishes).collect(),
            is_talk: reading.things.iter().any(|thing| {
                thing.sort == Sort::Records && is_conversation(thing.name, &thing.fields())
            }),
            classes: Vec::new(),
            deeds: Vec::new(),
            intent,
            words,
        };
        let each = 0..reading.gestures.len();
        page.classes = each.map(|at| page.class(at)).collect();
        page.deeds = all().map(|gesture| page.deed(gesture)).collect();
        page
    }

    /// Whether an action only goes around what the page is for, and the intent does not ask for it.
    pub(super) fn is_beside(&self, at: usize) -> bool {
        let gesture = &self.reading.gestures[at];
        gesture.is_quiet && gesture.deed == Deed::Nothing && self.asked[at].is_none()
    }

    /// What speaks for and against one action.
    pub(super) fn signs(&self, at: usize) -> Vec<String> {
        let reading = self.reading;
        let gesture = &reading.gestures[at];
        let mut all = Signs::default();
        let words = split(gesture.name);
        let verb = words.first().map(Word::as_str).unwrap_or_default();
        let label = split(&gesture.entry.label);
        all.add("it says", verb);
        all.add("its button says", label.first().map_or("", Word::as_str));
        for word in words.iter().skip(1) {
            all.add("it speaks of", &singular(word));
        }
        let (class, deed) = (self.classes[at], self.deeds[at]);
        all.add("it", class);
        all.add("it is declared", place(at));
        let many = reading.gestures.len();
        all.note(at + 1 == many && many > 1, "it is declared last");
        all.add("it", deed);
        let inputs = gesture.inputs();
        all.add("it asks for", count(inputs.len()));
        all.note(
            inputs.len() == self.most && self.most > 0,
            "it asks for most",
        );
        for input in &inputs {
            all.add("it asks for a", of(kind(input.schema)));
        }
        all.note(gesture.entry.confirm == Some(true), "it asks once more");
        all.add(self.component, &format!("{class}, {deed}"));
        self.intent(&mut all, at, &words, &label);
        self.others(&mut all, at, &words);
        all.into_vec()
    }

    /// What kind of verb an action has.
    fn class(&self, at: usize) -> &'static str {
        let gesture = &self.reading.gestures[at];
        let words = split(gesture.name);
        let verb = words.first().map(Word::as_str).unwrap_or_default();
        match verb {
            _ if gesture.is_quiet => "goes around the page",
            _ if particle(&words).is_some_and(|word| word == "back") => "gives back",
            "release" if is_given_out(self.reading, &words) => "takes back",
            _ if self.moving[at] => "moves",
            _ if is_box(gesture, self.reading) => "ticks a box",
            _ if ENDING.contains(&verb) => "ends",
            _ if ADDING.contains(&verb) => "adds",
            _ if ARRANGING.contains(&verb) => "arranges",
            _ => "does something else",
        }
    }

    /// What an action is about.
    fn deed(&self, gesture: &Gesture<'_>) -> &'static str {
        let is_main = gesture.about().is_some() && gesture.about() == self.main;
        let is_cell = || {
            let main = self.main.map(|at| &self.reading.things[at]);
            main.is_some_and(|main| sets_cell(gesture.schema, main).is_some())
        };
        match gesture.deed {
            Deed::Nothing => "takes nothing",
            Deed::Ask if said(gesture).is_some() && self.is_talk => "says something next",
            Deed::Ask if said(gesture).is_some() => "says something",
            Deed::Ask if is_cell() => "sets a cell",
            Deed::Ask if self.is_about_arrival(gesture) => "is about one that a channel brings",
            Deed::Ask => "asks",
            Deed::One { thing, .. } if self.is_answer(thing, gesture) => "answers a question",
            Deed::One { .. } if is_main => "is about one of the main data",
            Deed::One { thing, .. } if !names(&self.reading.things[thing], gesture) => {
                "is given one of other data"
            }
            Deed::One { .. } => "is about one of other data",
            Deed::Several { .. } => "takes several",
            Deed::Text { .. } => "takes a text",
            Deed::Edit { .. } => "edits",
        }
    }

    /// Whether an action carries the id of what a channel brings one by one.
    fn is_about_arrival(&self, gesture: &Gesture<'_>) -> bool {
        let asked = fields(gesture.schema);
        let mut piles = self
            .reading
            .channels
            .iter()
            .filter(|channel| channel.is_pile);
        piles.any(|channel| {
            let key = channel.thing.key();
            asked.iter().any(|field| Some(field.name) == key)
        })
    }

    /// Whether an action answers the questions that the records of a thing are.
    fn is_answer(&self, thing: usize, gesture: &Gesture<'_>) -> bool {
        is_quiz(&self.reading.things[thing].fields(), gesture)
    }

    /// What the intent says of an action.
    fn intent(&self, all: &mut Signs, at: usize, words: &[Word], label: &[Word]) {
        let gesture = &self.reading.gestures[at];
        let others = || {
            let others = self
                .asked
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != at);
            others.filter_map(|(_, asked)| *asked)
        };
        match self.asked[at] {
            Some(said) => {
                let third = 3 * said / self.words.len().max(1);
                all.add(
                    "the intent says its verb",
                    ["early", "amid", "late"][third.min(2)],
                );
                all.note(others().next().is_none(), "the intent says its verb alone");
                all.note(
                    others().all(|other| said <= other),
                    "the intent says its verb first",
                );
                all.note(
                    others().all(|other| said >= other),
                    "the intent says its verb last",
                );
                let is_other = said > 0 && self.words[said - 1] == "or";
                all.note(is_other, "it is the other way out");
                let objects: Words = words.iter().skip(1).map(|word| stem(word)).collect();
                let near = self.intent.iter().skip(said + 1).take(3);
                let mut near = near.filter(|word| objects.contains(word));
                all.note(
                    near.next().is_some(),
                    "the intent says its verb and of what",
                );
            }
            None => all.note(
                others().next().is_some(),
                "the intent says the verbs of others",
            ),
        }
        let is_said = |word: &&Word| self.intent.contains(&stem(word));
        all.add(
            "words that the intent says",
            count(words.iter().skip(1).filter(is_said).count()),
        );
        all.add(
            "words of its button that the intent says",
            count(label.iter().filter(is_said).count()),
        );
        all.note(
            is_asked_last(gesture, self.reading, &self.intent),
            "the intent ends with it",
        );
    }

    /// How an action stands to the others.
    fn others(&self, all: &mut Signs, at: usize, words: &[Word]) {
        let reading = self.reading;
        let gesture = &reading.gestures[at];
        let is_other = |(other, is_seen): (usize, &bool)| other != at && *is_seen;
        let another = |seen: &[bool]| seen.iter().enumerate().any(is_other);
        all.note(
            is_decision(gesture, reading),
            "another refuses what it grants",
        );
        all.note(is_ended_by_another(gesture, reading), "another ends it all");
        let is_end = self.ending[at] && another(&self.single);
        all.note(is_end, "it ends what is done one by one");
        let is_step = self.single[at] && another(&self.ending);
        all.note(is_step, "it is one step to the end");
        let others = || {
            let others = reading.gestures.iter().enumerate();
            others.filter(|(other, _)| *other != at)
        };
        let is_same = |other: &Gesture<'_>| other.about() == gesture.about();
        let is_beside = !self.moving[at]
            && gesture.about().is_some()
            && others().any(|(other, gesture)| self.moving[other] && is_same(gesture));
        all.note(is_beside, "others move what it is about");
        let is_apart = gesture.about().is_none() && another(&self.moving);
        all.note(is_apart, "others move records");
        let others = || others().map(|(_, gesture)| gesture);
        let same = others().filter(|other| is_same(other)).count();
        all.add("others of its kind", count(same));
        let loud = others()
            .filter(|other| !other.is_quiet && !other.is_dangerous)
            .count();
        all.add("others that count", count(loud));
        all.note(
            others().any(|other| other.is_dangerous && is_same(other)),
            "something dangerous is done beside it",
        );
        all.note(
            fields(gesture.schema).is_empty() && words.len() == 1,
            "it is one word",
        );
    }

    /// What speaks for it that no action stands out.
    pub(super) fn signs_of_none(&self) -> Vec<String> {
        let mut all = Signs::default();
        let gestures = &self.reading.gestures;
        all.note(true, "none");
        all.add("none of", count(gestures.len()));
        all.add("none, with", self.component);
        for (at, gesture) in gestures.iter().enumerate() {
            let words = split(gesture.name);
            let verb = words.first().map(Word::as_str).unwrap_or_default();
            all.add("none, where one says", verb);
            all.add("none, where one", self.classes[at]);
            all.add("none, where one", self.deeds[at]);
            all.note(gesture.is_dangerous, "none, where one is dangerous");
        }
        for word in &self.intent {
            all.add("none, where the intent says", word);
        }
        all.note(
            self.asked.iter().all(Option::is_none),
            "none, where the intent says no verb",
        );
        all.note(self.reading.things.is_empty(), "none, without data");
        all.note(
            !gestures.iter().any(|gesture| is(gesture.name, ENDING)),
            "none, where nothing ends",
        );
        all.into_vec()
    }
}

/// Whether an action speaks of the records of a thing, with its name or on its button.
fn names(thing: &Thing<'_>, gesture: &Gesture<'_>) -> bool {
    let said = [split(gesture.name), split(&gesture.entry.label)];
    said.iter()
        .flatten()
        .any(|word| singular(word) == thing.one)
}

/// Where the intent says the verb of an action, or that of its button.
fn said_at(gesture: &Gesture<'_>, intent: &[Word], words: &[Word]) -> Option<usize> {
    let own = split(gesture.name);
    let first = own.first()?;
    let verb = stem(first);
    let called = split(&gesture.entry.label);
    let called = called.first().map(|word| stem(word)).unwrap_or_default();
    let is_called = ENDING.iter().any(|own| stem(own) == called);
    let particle = particle(&own);
    let is_said = |at: usize| particle.is_none() || words.get(at + 1) == particle;
    // "Attached files" ask for nothing.
    let asks = |(at, word): (usize, &Word)| {
        let is_verb = (intent[at] == verb || (is_called && intent[at] == called)) && is_said(at);
        (is_verb && !(word.ends_with("ed") && word != first)).then_some(at)
    };
    words.iter().enumerate().find_map(asks)
}

/// What an input is.
fn of(kind: Kind) -> &'static str {
    match kind {
        Kind::Boolean => "yes or no",
        Kind::Choice => "choice",
        Kind::Number => "number",
        Kind::Record => "record",
        Kind::Records => "list",
        Kind::Strings | Kind::Numbers => "row",
        Kind::Text => "text",
        Kind::Open => "thing",
    }
}
