//! The subject of a page in a few words: never the agent's instruction.

use super::super::reading::{
    Kind, Reading, Sort, Thing, core, hints, is_currency, is_id, is_long, is_markdown, is_nullable,
    is_source, is_steps, join, kind, label, required, singular, split,
};
use super::comparison::change;
use super::forms::{asked_for, is_aimed, is_filled_in, is_long_form, sent};
use super::main_action::granted;
use super::nouns::{nouns, short};
use super::outline::Headline;
use super::phrases::{full_name, pairs_of};
use super::subjects::{BARE, BESIDE, NUMBERS, PEOPLE, TITLES, UNSPECIFIC, VAGUE, is_subject};

/// Words between "at" and the place: "at our travel clinic".
const PLACED_WITHIN: usize = 3;

/// Chooses the headline and says why.
pub(super) fn headline(reading: &mut Reading<'_>, main: Option<usize>) -> Headline {
    let (found, because, score) = candidates(reading, main);
    let chosen = found.path.clone().unwrap_or_else(|| found.text.clone());
    reading.notes.note("headline", chosen, because, score);
    found
}

fn candidates(reading: &Reading<'_>, main: Option<usize>) -> (Headline, &'static str, u8) {
    let top = || reading.things.iter().filter(|thing| thing.is_top());
    let at = |path: &str| Headline {
        text: String::new(),
        path: Some(path.to_owned()),
    };
    let words = |text: String| Headline { text, path: None };
    if let Some(thing) = top().find(|thing| hints(thing.schema).says("headline")) {
        return (at(&thing.path), "a hint", 100);
    }
    let is_name = |name: &str| {
        split(name)
            .last()
            .is_some_and(|word| TITLES.contains(&word.as_str()))
    };
    // A title that may be missing would leave the page without one.
    let text = |schema: &serde_json::Value| {
        kind(schema) == Kind::Text && core(schema).get("format").is_none() && !is_nullable(schema)
    };
    if let Some(thing) = top().find(|thing| TITLES.contains(&thing.name) && text(thing.schema)) {
        return (at(&thing.path), "it is called a title", 95);
    }
    let intent = split(reading.intent);
    let has = |word: &str| intent.iter().any(|own| singular(own) == *word);
    // "Help a household book a collection": who is led through steps is not what they are about.
    let is_leading = matches!(
        intent.first().map(String::as_str),
        Some("guide" | "help" | "lead" | "take" | "walk")
    );
    let has_steps = is_leading && top().any(|thing| thing.has_records() && is_steps(thing));
    let is_led_there = |thing: &Thing<'_>| has_steps && PEOPLE.contains(&thing.one.as_str());
    let is_record = |thing: &Thing<'_>| {
        thing.sort == Sort::Record && !is_nullable(thing.schema) && !is_led_there(thing)
    };
    // "Book them at our clinic": where something is done is not what it is about.
    let is_place = |at: usize| {
        let before = intent[at.saturating_sub(PLACED_WITHIN)..at].iter();
        before
            .rev()
            .any(|word| matches!(word.as_str(), "at" | "by" | "from" | "with"))
    };
    // The first record is the subject; one further down if the intent speaks of it.
    let mut records = top()
        .filter(|thing| matches!(thing.sort, Sort::Record | Sort::Tree))
        .filter(|thing| !is_nullable(thing.schema) && !is_led_there(thing))
        .enumerate();
    let record = records.find_map(|(nth, thing)| {
        let own = thing.fields();
        let title = TITLES.iter().rev().find_map(|word| {
            own.iter()
                .find(|field| field.name == *word && text(field.schema))
        });
        let title = title.or_else(|| {
            own.iter().find(|field| {
                let words = split(field.name);
                // Whose report it is is not what is reported.
                let is_somebody = words
                    .first()
                    .is_some_and(|word| PEOPLE.contains(&word.as_str()));
                is_name(field.name) && text(field.schema) && words.len() <= 2 && !is_somebody
            })
        });
        // What a record begins with labels it.
        let label = own
            .first()
            .filter(|field| field.name == "label" && text(field.schema));
        let title = title.or(label);
        let is_titled = title.is_some_and(|field| field.name == "title");
        // "One supplier invoice" is an invoice.
        let is_spoken_of = (0..intent.len()).filter(|at| !is_place(*at)).any(|at| {
            let follows = |other: &Thing<'_>| {
                intent
                    .get(at + 1)
                    .is_some_and(|next| singular(next) == other.one)
            };
            singular(&intent[at]) == thing.one && !top().any(follows)
        });
        let is_subject = nth == 0 || is_titled || is_spoken_of;
        title
            .filter(|_| is_subject)
            .map(|field| join(&thing.path, field.name))
    });
    // What a record begins with names it, if the intent speaks of it: `pass.satellite`.
    let leading = || {
        let thing = top().find(|thing| is_record(thing))?;
        let own = thing.fields();
        let first = own.first().filter(|field| text(field.schema))?;
        let says_nothing = UNSPECIFIC.contains(&thing.one.as_str());
        ((has(&thing.one) || says_nothing)
            && !is_beside(first.name)
            && !is_id(first.name)
            && !is_currency(first)
            && first.name != "label")
            .then(|| join(&thing.path, first.name))
    };
    let numbered = || {
        top().find(|thing| is_record(thing)).and_then(|thing| {
            let own = thing.fields();
            let number = own.iter().find(|field| {
                text(field.schema)
                    && split(field.name)
                        .last()
                        .is_some_and(|word| NUMBERS.contains(&word.as_str()))
            })?;
            Some(Headline {
                text: label(thing.name),
                path: Some(join(&thing.path, number.name)),
            })
        })
    };
    let list = main
        .map(|at| &reading.things[at])
        .filter(|thing| thing.sort == Sort::Records);
    let name_of_list = |thing: &Thing<'_>| {
        let title = super::super::reading::titled(thing.name, thing.schema);
        let last = split(thing.name).pop().unwrap_or_default();
        (!BARE.contains(&last.as_str())).then_some(title)
    };
    let changed = change(reading);
    let is_changed = |name: &str| {
        changed
            .is_some_and(|(old, new)| [old, new].iter().any(|at| reading.things[*at].name == name))
    };
    // Who looks at a page is not what it is about.
    let me = reading.me();
    let subject = top()
        .filter(|thing| thing.sort == Sort::Fact || thing.sort == Sort::Text)
        .filter(|thing| !is_changed(thing.name) && me.as_ref() != Some(&thing.path))
        .find(|thing| is_subject(thing, reading));
    // What stands first names the page.
    let is_led = |path: &str| matches!(subject, Some(thing) if is_before(reading, thing, path));
    if let Some(path) = record.as_ref().filter(|path| !is_led(path)) {
        return (at(path), "the record is called so", 85);
    }
    // A record that the intent speaks of before the list is what the list belongs to.
    let nth = |thing: &Thing<'_>| intent.iter().position(|own| singular(own) == thing.one);
    let owner = top().next().filter(|thing| thing.sort == Sort::Record);
    if let (Some(owner), Some(list)) = (owner, list)
        && let (Some(first), Some(second)) = (nth(owner), nth(list))
        && first < second
        && let Some(found) = leading().map(|path| at(&path)).or_else(numbered)
    {
        return (found, "the intent speaks of this record first", 74);
    }
    // What a form offers to choose from is not what it is for.
    let is_form = is_filled_in(reading) && top().all(|thing| thing.sort != Sort::Record);
    let named = list
        .filter(|_| !(is_form && is_long_form(reading)))
        .and_then(name_of_list);
    let is_asked = list.is_some_and(|thing| has(&thing.one));
    let short = short(reading.intent);
    // Of two clauses the one that speaks of something on the page.
    let mentioned = nouns(reading.intent);
    let is_here = |noun: &&String| {
        let words = split(noun);
        let names = |thing: &Thing<'_>| words.iter().any(|word| singular(word) == thing.one);
        reading.things.iter().any(names)
    };
    let mentioned = mentioned
        .iter()
        .find(|noun| is_here(noun) && !is_form)
        .or(mentioned
            .iter()
            .find(|noun| !is_form || !is_aimed(noun) && !is_here(noun)))
        .cloned();
    if let Some(thing) = subject {
        return (
            at(&thing.path),
            "the first words of the page name its subject",
            75,
        );
    }
    if let Some(text) = &named
        && is_asked
    {
        let place = top().find(|thing| {
            matches!(thing.name, "city" | "town" | "region" | "country") && text_of(thing)
        });
        // "flight offers" says more than "offers".
        let is_one = |noun: &String| {
            let last = split(noun).pop();
            last.as_ref() == list.map(|thing| &thing.one)
        };
        let fuller = mentioned
            .clone()
            .filter(|noun| super::super::reading::says(noun, text))
            // "Every order": what is asked of one of them is asked of them all.
            .filter(|noun| !is_one(noun) || list.is_some_and(|thing| thing.one == thing.name));
        let is_word = |thing: &&Thing<'_>| {
            split(thing.name).len() == 1 && hints(thing.schema).get("title").is_none()
        };
        let fuller = fuller.or_else(|| {
            let word = list.filter(is_word);
            word.and_then(|_| full_name(reading.intent, text))
        });
        return match place {
            None if fuller.is_some() => (
                words(fuller.unwrap_or_default()),
                "the intent speaks of the main list",
                73,
            ),
            Some(place) => (
                Headline {
                    text: format!("{text} in"),
                    path: Some(place.path.clone()),
                },
                "the main list, and where",
                72,
            ),
            None => (
                words(text.clone()),
                "the intent speaks of the main list",
                72,
            ),
        };
    }
    if let Some(text) = short {
        return (words(text), "the intent is a title itself", 70);
    }
    if let Some(text) = asked_for(reading.intent).filter(|_| is_form) {
        return (words(text), "what is done with the form", 69);
    }
    if let Some(path) = record {
        return (at(&path), "the record is called so", 65);
    }
    let numbered = numbered();
    // The intent may be about another record than the first.
    let word = mentioned
        .as_ref()
        .and_then(|noun| split(noun).pop())
        .map(|word| singular(&word));
    let is_other = top().any(|thing| {
        thing.sort == Sort::Record
            && word.as_ref() == Some(&thing.one)
            && numbered
                .as_ref()
                .and_then(|found: &Headline| found.path.as_ref())
                .is_some_and(|path| !path.starts_with(&format!("{}/", thing.path)))
    });
    if let Some(found) = numbered.filter(|_| !is_other) {
        return (found, "the record has a number", 64);
    }
    if let Some(path) = leading() {
        return (at(&path), "the record begins with it", 62);
    }
    // What the page shows nothing of is seldom what it is about.
    let alone = top()
        .next()
        .filter(|thing| thing.sort == Sort::Record && !is_led_there(thing));
    let is_aside = mentioned.as_ref().is_some_and(|noun| !is_here(&noun)) && !is_filled_in(reading);
    // A request says what it is by what is granted or refused.
    let is_request =
        |thing: &&Thing<'_>| VAGUE.contains(&thing.one.as_str()) && granted(reading).is_some();
    if let Some(path) = alone
        .filter(|thing| (is_aside || named.is_none()) && !is_request(thing))
        .and_then(first_text)
    {
        return (at(&path), "the first words of the record say it", 61);
    }
    if let Some(thing) = alone.filter(|thing| is_aside && (has(&thing.one) || is_request(thing))) {
        let title = super::super::reading::titled(thing.name, thing.schema);
        // A request says little: what somebody grants or refuses says of what.
        let of = granted(reading).filter(|_| VAGUE.contains(&thing.one.as_str()));
        let text = of.map_or(title.clone(), |of| format!("{of} {}", title.to_lowercase()));
        return (words(text), "the record stands first", 61);
    }
    // A question, and what somebody has done, begin with other things.
    const TELLING: &[&str] = &["how", "i", "we", "what", "when", "where", "which", "who"];
    let is_told = intent
        .first()
        .is_some_and(|word| TELLING.contains(&word.as_str()));
    if let Some(text) = named.clone().filter(|_| is_told) {
        return (words(text), "the main list answers the intent", 60);
    }
    // "Which bin goes out": what is known of the bins is what is shown.
    let paired = mentioned.as_ref().zip(list);
    let paired = paired.and_then(|(noun, list)| pairs_of(reading, noun, list));
    if let Some(text) = paired {
        return (
            words(text),
            "the main list is about what the intent speaks of",
            60,
        );
    }
    if let Some(noun) = mentioned {
        return (words(noun), "the first thing the intent speaks of", 60);
    }
    if let Some(text) = named {
        return (words(text), "the main list", 55);
    }
    if let Some(text) = sent(reading).filter(|_| is_form) {
        return (words(text), "what its form sends", 50);
    }
    let alone = top()
        .next()
        .map(|thing| super::super::reading::titled(thing.name, thing.schema));
    let channel = reading
        .channels
        .first()
        .map(|channel| label(channel.thing.name));
    let action = reading
        .gestures
        .first()
        .map(|gesture| gesture.entry.label.clone());
    let text = alone
        .or(channel)
        .or(action)
        .unwrap_or_else(|| "Overview".to_owned());
    (words(text), "nothing else is said", 30)
}

/// The first text of a record that says what it is, rather than which one, where, or whose.
fn first_text(thing: &Thing<'_>) -> Option<String> {
    let own = thing.fields();
    let first = own.iter().find(|field| {
        kind(field.schema) == Kind::Text
            && is_given(thing, field.name)
            && core(field.schema).get("format").is_none()
            && !is_nullable(field.schema)
            && !is_beside(field.name)
            && !is_id(field.name)
            && !is_currency(field)
            && !is_source(field.name)
            && !is_markdown(field.name, field.schema)
            && !is_long(field.name, core(field.schema))
    })?;
    Some(join(&thing.path, first.name))
}

/// Whether a record always has a member: a headline that may be missing is none.
fn is_given(thing: &Thing<'_>, name: &str) -> bool {
    required(thing.schema).any(|own| own == name)
}

/// Whether a value says where something is, whose it is, or which one, by its name.
fn is_beside(name: &str) -> bool {
    let last = split(name).pop().unwrap_or_default();
    [BESIDE, PEOPLE, NUMBERS]
        .iter()
        .any(|words| words.contains(&last.as_str()))
}

fn text_of(thing: &Thing<'_>) -> bool {
    kind(thing.schema) == Kind::Text
}

/// Whether a list stands before a record in the contract.
fn is_before(reading: &Reading<'_>, list: &Thing<'_>, path: &str) -> bool {
    let place = |path: &str| {
        reading
            .things
            .iter()
            .position(|thing| path == thing.path || path.starts_with(&format!("{}/", thing.path)))
    };
    place(&list.path) < place(path)
}
