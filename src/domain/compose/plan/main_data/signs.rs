//! What speaks for and against a thing being what a page is about.

use std::collections::{BTreeMap, BTreeSet};

use super::super::super::reading::{
    Deed, Field, Gesture, Kind, Reading, SlotUse, Sort, Thing, Words, fields, is_markdown,
    is_reference, is_steps, is_time, kind, referent, singular, split, stem, stems,
};
use super::super::weighing::{Signs, count, kind_of_deed, kind_of_thing, kind_of_value, place};

/// What all things of a page are held against.
pub(super) struct Page<'a, 'r> {
    reading: &'r Reading<'a>,
    /// The things that it may be about.
    places: Vec<usize>,
    /// The words of the intent, each by its beginning.
    intent: Words,
    /// Where the intent first says what each thing is called.
    said: BTreeMap<usize, usize>,
    /// What each thing is.
    kinds: Vec<&'static str>,
    /// How many of the places are of which kind.
    alike: BTreeMap<&'static str, usize>,
    /// The values of one record of each thing.
    owns: Vec<Vec<Field<'a>>>,
    /// How many others each thing refers to.
    refers: Vec<usize>,
    /// How many others refer to each thing.
    referred: Vec<usize>,
    /// How many actions are about each thing.
    done: Vec<usize>,
    /// The inputs of each action that asks for values.
    asked: Vec<Vec<Field<'a>>>,
    /// The values that each channel brings.
    brought: Vec<Vec<Field<'a>>>,
}

impl<'a, 'r> Page<'a, 'r> {
    /// Reads what the things of a page have in common.
    pub(super) fn read(reading: &'r Reading<'a>, places: Vec<usize>) -> Self {
        let things = || reading.things.iter();
        let intent = stems(reading.intent);
        let said = |at: &usize| {
            let one = stem(&reading.things[*at].one);
            Some((*at, intent.iter().position(|word| *word == one)?))
        };
        let kinds: Vec<&'static str> = things().map(is).collect();
        let mut alike = BTreeMap::new();
        for at in &places {
            *alike.entry(kinds[*at]).or_default() += 1;
        }
        let refers = things().map(|thing| referred(reading, thing));
        let refers: Vec<BTreeSet<usize>> = refers.collect();
        let mut by = vec![0; kinds.len()];
        for found in places.iter().flat_map(|at| &refers[*at]) {
            by[*found] += 1;
        }
        let mut done = vec![0; kinds.len()];
        for at in reading.gestures.iter().filter_map(Gesture::about) {
            done[at] += 1;
        }
        let asks = reading.gestures.iter().filter(|own| own.deed == Deed::Ask);
        let channels = reading.channels.iter();
        Self {
            said: places.iter().filter_map(said).collect(),
            owns: things().map(Thing::fields).collect(),
            refers: refers.iter().map(BTreeSet::len).collect(),
            referred: by,
            asked: asks.map(|own| fields(own.schema)).collect(),
            brought: channels.map(|channel| channel.thing.fields()).collect(),
            reading,
            places,
            intent,
            kinds,
            alike,
            done,
        }
    }

    /// Each thing that the page may be about, with what speaks for it.
    pub(super) fn candidates(&self) -> Vec<(usize, Vec<String>)> {
        let places = self.places.iter();
        places.map(|at| (*at, self.signs(*at))).collect()
    }

    /// What speaks for and against one thing.
    fn signs(&self, at: usize) -> Vec<String> {
        let thing = &self.reading.things[at];
        let mut all = Signs::default();
        let is = self.kinds[at];
        all.add("it is", is);
        all.add("it is called", &thing.one);
        for word in split(thing.name) {
            all.add("its name says", &singular(&word));
        }
        self.beside(&mut all, at, is);
        self.values(&mut all, at, is);
        self.intent(&mut all, at);
        self.relations(&mut all, at);
        self.actions(&mut all, at);
        self.state(&mut all, at);
        all.into_vec()
    }

    /// The other things that the page may be about.
    fn others(&self, at: usize) -> impl Iterator<Item = usize> {
        self.places
            .iter()
            .copied()
            .filter(move |other| *other != at)
    }

    /// How a thing stands among the others.
    fn beside(&self, all: &mut Signs, at: usize, is: &str) {
        let places = || self.places.iter().take_while(|other| **other != at);
        all.add("it stands", place(places().count()));
        let same = places().filter(|other| self.kinds[**other] == is);
        all.add(&format!("each {is}"), place(same.count()));
        let beside = |kind: &str| {
            let many = self.alike.get(kind).copied().unwrap_or_default();
            many - usize::from(kind == is)
        };
        let lists = beside("list") + beside("tree");
        all.add(&format!("{is}, with lists beside it"), count(lists));
        all.add(&format!("{is}, with others like it"), count(beside(is)));
        for other in self.alike.keys().filter(|kind| beside(kind) > 0) {
            all.add(&format!("{is}, beside"), other);
        }
    }

    /// What its values are.
    fn values(&self, all: &mut Signs, at: usize, is: &str) {
        let own = &self.owns[at];
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        for field in own {
            let kind = kind_of_value(field);
            all.add("a value is", kind);
            let last = split(field.name).pop().unwrap_or_default();
            all.add("a value is called", &singular(&last));
            *kinds.entry(kind).or_default() += 1;
        }
        for (kind, many) in kinds {
            all.add(&format!("{} of", count(many)), kind);
        }
        all.add(&format!("{is}, with values"), count(own.len()));
        let most = self.others(at).map(|other| self.owns[other].len()).max();
        all.note(
            most.is_some_and(|most| own.len() > most),
            "it has most values",
        );
        let numbers = own
            .iter()
            .filter(|field| kind(field.schema) == Kind::Number);
        let is_series = own.len() > 1 && numbers.count() + 1 >= own.len();
        all.note(is_series && own.iter().any(is_time), "it is a series");
    }

    /// What the intent says of it.
    fn intent(&self, all: &mut Signs, at: usize) {
        match self.said.get(&at) {
            Some(said) => {
                let third = 3 * said / self.intent.len().max(1);
                all.add(
                    "the intent says it",
                    ["early", "amid", "late"][third.min(2)],
                );
                let is_first = self.said.values().all(|other| said <= other);
                all.note(is_first, "the intent says it first");
                all.note(self.said.len() == 1, "the intent says it alone");
            }
            None => all.note(!self.said.is_empty(), "the intent says others"),
        }
        let own = &self.owns[at];
        let said = own.iter().filter(|field| {
            let last = split(field.name).pop();
            last.is_some_and(|last| self.intent.contains(&stem(&last)))
        });
        all.add("values that the intent says", count(said.count()));
        let others = split(self.reading.things[at].name);
        let others = others.iter().rev().skip(1);
        let said = others.filter(|word| self.intent.contains(&stem(word)));
        all.add("more of its name that the intent says", count(said.count()));
    }

    /// What refers to it, what it refers to, and what stands in it.
    fn relations(&self, all: &mut Signs, at: usize) {
        all.add("others refer to it", count(self.referred[at]));
        all.add("it refers to", count(self.refers[at]));
        let things = self.reading.things.iter();
        let inside = things.filter(|thing| thing.within.is_some_and(|(outer, _)| outer == at));
        all.add("lists inside it", count(inside.count()));
    }

    /// What is done with it.
    fn actions(&self, all: &mut Signs, at: usize) {
        let gestures = || self.reading.gestures.iter();
        for gesture in gestures().filter(|own| own.about() == Some(at)) {
            let verb = split(gesture.name).into_iter().next().unwrap_or_default();
            all.add("an action about it says", &verb);
            all.add("an action about it", kind_of_deed(&gesture.deed));
            all.note(gesture.is_dangerous, "an action about it is dangerous");
        }
        let many = self.done[at];
        all.add("actions about it", count(many));
        let most = self.others(at).map(|other| self.done[other]).max();
        all.note(many > most.unwrap_or_default(), "most actions are about it");
        let first = gestures().next().and_then(Gesture::about);
        all.note(first == Some(at), "the first action is about it");
        let is_inside = |thing: usize| {
            let within = self.reading.things[thing].within;
            within.is_some_and(|(outer, _)| outer == at)
        };
        let inside = gestures().filter(|own| own.about().is_some_and(is_inside));
        all.add("actions about what is inside it", count(inside.count()));
        let chooses = |gesture: &Gesture<'_>| {
            let mut chosen = gesture.chosen.values();
            gesture.about() != Some(at) && chosen.any(|(thing, _)| *thing == at)
        };
        let chosen = gestures().filter(|gesture| chooses(gesture)).count();
        all.add("actions that only choose from it", count(chosen));
        let makes = |asked: &Vec<Field<'_>>| self.shared(at, asked) > 1;
        all.note(self.asked.iter().any(makes), "a form asks for its values");
    }

    /// How many of some values are called as values of a thing are.
    fn shared(&self, at: usize, values: &[Field<'_>]) -> usize {
        let own = &self.owns[at];
        let is_own = |value: &&Field<'_>| own.iter().any(|own| own.name == value.name);
        values.iter().filter(is_own).count()
    }

    /// What slots and channels have to do with it.
    fn state(&self, all: &mut Signs, at: usize) {
        let thing = &self.reading.things[at];
        for slot in &self.reading.slots {
            match slot.is {
                SlotUse::Selection { thing } if thing == at => {
                    all.note(true, "a slot says which is chosen");
                }
                SlotUse::Ticks { thing } if thing == at => all.note(true, "a slot ticks it"),
                SlotUse::Step => all.note(is_steps(thing), "a slot walks through it"),
                _ => {}
            }
        }
        for (channel, brought) in self.reading.channels.iter().zip(&self.brought) {
            let changed = channel.changes.is_some_and(|change| change.thing == at);
            all.note(changed, "a channel changes it");
            all.note(channel.adds_to == Some(at), "a channel adds to it");
            let is_all = brought.len() > 1 && self.shared(at, brought) == brought.len();
            all.note(is_all, "a channel brings nothing but its values");
        }
    }
}

/// What a thing is, in the words of signs.
fn is(thing: &Thing<'_>) -> &'static str {
    match thing.sort {
        Sort::Text if is_markdown(thing.name, thing.schema) => "article",
        sort => kind_of_thing(sort),
    }
}

/// The things that the records of one refer to.
pub(super) fn referred(reading: &Reading<'_>, thing: &Thing<'_>) -> BTreeSet<usize> {
    let own = thing.fields();
    let ids = own.iter().filter(|field| is_reference(field.name));
    let found = ids.filter_map(|field| referent(field.name, &reading.things));
    let found = found.map(|(found, _)| found);
    found
        .filter(|found| reading.things[*found].path != thing.path)
        .collect()
}
