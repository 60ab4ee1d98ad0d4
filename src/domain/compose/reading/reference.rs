//! Which records of the page an id names.

use super::fields::{Kind, abbreviates, choices, is_id, is_reference, is_registered, key, kind};
use super::thing::{Sort, Thing};
use super::words::{Word, singular, split};

/// Words for people, and the lists they may stand in.
const PEOPLE: &[&str] = &[
    "approver",
    "assignee",
    "attendee",
    "author",
    "boss",
    "by",
    "captain",
    "carer",
    "chair",
    "clerk",
    "clinician",
    "coach",
    "colleague",
    "deputy",
    "doctor",
    "driver",
    "editor",
    "examiner",
    "expert",
    "from",
    "helper",
    "host",
    "inspector",
    "instructor",
    "judge",
    "lead",
    "learner",
    "loser",
    "manager",
    "member",
    "mentor",
    "nurse",
    "officer",
    "opponent",
    "owner",
    "participant",
    "person",
    "pilot",
    "recipient",
    "referee",
    "requester",
    "responsible",
    "reviewer",
    "sender",
    "skipper",
    "speaker",
    "substitute",
    "superior",
    "supervisor",
    "surgeon",
    "teacher",
    "technician",
    "therapist",
    "to",
    "trainee",
    "trainer",
    "tutor",
    "user",
    "volunteer",
    "voter",
    "winner",
    "witness",
    "worker",
];
/// Words that say which of several is meant, and not of what.
const SEEN: &[&str] = &["active", "current", "open", "selected", "shown"];

/// Words of a single name that tell what is there apart, and are made up by nobody who refers to it.
const KNOWN_BY: &[&str] = &["anchor", "sku", "slug"];

/// Letters of a word that another one may end with and mean the same.
const COMPOUND_MIN: usize = 4;

/// Letters of a member that is no word, and that two lists share for that: `d` of drains.
const SHORT_MAX: usize = 2;

/// Words that are cut short in ids, where a list has the whole word: `techId` of technicians.
const CUTS: &[&str] = &[
    "admin", "cat", "cust", "dev", "doc", "emp", "eng", "equip", "inst", "lang", "loc", "org",
    "prod", "proj", "prop", "spec", "tech", "veh", "vol",
];

const GROUPS: &[&str] = &[
    "agent",
    "athlete",
    "attendee",
    "colleague",
    "crew",
    "employee",
    "family",
    "household",
    "interpreter",
    "member",
    "participant",
    "person",
    "player",
    "staff",
    "team",
    "technician",
    "user",
    "volunteer",
    "worker",
];

/// The thing a name like `ownerId` or `stageIds` speaks of, and the member of its records that is
/// such an id.
pub(crate) fn referent<'a>(name: &str, things: &[Thing<'a>]) -> Option<(usize, &'a str)> {
    referent_beside(name, things, None)
}

/// The same, of all things but one.
pub(super) fn referent_beside<'a>(
    name: &str,
    things: &[Thing<'a>],
    except: Option<usize>,
) -> Option<(usize, &'a str)> {
    let one = singular(name);
    let words = split(&one);
    let lists = || {
        things
            .iter()
            .enumerate()
            .filter(|(at, thing)| thing.has_records() && Some(*at) != except)
    };
    let has =
        |thing: &Thing<'a>, name: &str| thing.fields().into_iter().find(|field| field.name == name);
    // `memberId` of records that have a `memberId` as their own, `boxNos` of those known by `boxNo`.
    let exact = lists().find_map(|(at, thing)| {
        let own = thing.key()?;
        let is_known = words.len() > 1
            || (own != "id" && own.len() <= SHORT_MAX)
            || KNOWN_BY.contains(&own)
            || is_registered(own)
            || abbreviates(own, &thing.one);
        (own == one && is_known).then_some((at, own))
    });
    if exact.is_some() {
        return exact;
    }
    // `allergenCode` of allergens that have a `code`.
    let coded = words.split_last().and_then(|(own, subject)| {
        let noun = singular(subject.last()?);
        lists().find_map(|(at, thing)| {
            let key = thing.key()?;
            (thing.one == noun && key == own).then_some((at, key))
        })
    });
    if coded.is_some() {
        return coded;
    }
    // `suggestedFieldKey` of fields known by their `fieldKey`, `homeTeamId` of those with a `teamId`.
    let roled = lists().find_map(|(at, thing)| {
        let key = thing.key()?;
        let own = split(key);
        (own.len() > 1 && words.len() > own.len() && words.ends_with(&own)).then_some((at, key))
    });
    if roled.is_some() {
        return roled;
    }
    let (id, subject) = match words.last().map(Word::as_str) {
        Some("id" | "key" | "ref" | "uuid") if words.len() > 1 => (true, &words[..words.len() - 1]),
        _ => (false, words.as_slice()),
    };
    let noun = singular(subject.last()?);
    // A reply goes to a message, and not to a person.
    let is_person = PEOPLE.contains(&noun.as_str()) && !subject.iter().any(|word| word == "reply");
    // The parent of a record of a tree is another one of it.
    if id && noun == "parent" {
        let names_parents = |thing: &Thing<'a>| {
            let own = thing.fields();
            own.iter().any(|field| is_parent(field.name))
        };
        let (at, thing) =
            lists().find(|(_, thing)| thing.children().is_some() || names_parents(thing))?;
        return Some((at, thing.key()?));
    }
    // People are called after what they do here, and known by what they are: `attendees` with a `personId`.
    let called = lists().find(|(_, thing)| thing.one == noun);
    let named = called.or_else(|| lists().find(|(_, thing)| id && is_person && are_people(thing)));
    // The records of a tree are called what they hold: a `root` of `units` is a unit.
    let held = || {
        let mut trees = lists().filter_map(|(at, thing)| Some((at, thing, thing.children()?)));
        let found = trees.find(|(_, _, held)| id && singular(held) == noun);
        found.map(|(at, thing, _)| (at, thing))
    };
    // `shotfirerId` of a crew among whose roles is a shotfirer.
    let by_role = || {
        let has_role = |thing: &Thing<'a>| {
            let own = thing.fields();
            let mut roles = own.iter().filter(|field| field.name == "role");
            roles.any(|role| {
                let all = choices(role.schema).unwrap_or_default();
                all.iter().any(|one| *one == noun.as_str())
            })
        };
        lists().find(|(_, thing)| id && has_role(thing))
    };
    // `shownCaseId` of showcases, where no other list is called so; a `pickupPointId` is no checkpoint.
    let compound = || {
        let (_, before) = subject.split_last()?;
        if !before.iter().all(|word| SEEN.contains(&word.as_str())) {
            return None;
        }
        let ends = |thing: &Thing<'a>| {
            noun.len() >= COMPOUND_MIN
                && thing.one.ends_with(noun.as_str())
                && has(thing, &one).is_none()
        };
        let mut all = lists().filter(|(_, thing)| id && ends(thing));
        all.next().filter(|_| all.next().is_none())
    };
    let cut = || {
        let begins =
            |thing: &Thing<'a>| thing.one.len() > noun.len() && thing.one.starts_with(&*noun);
        let mut all =
            lists().filter(|(_, thing)| id && CUTS.contains(&noun.as_str()) && begins(thing));
        all.next().filter(|_| all.next().is_none())
    };
    let found = named.or_else(held).or_else(by_role).or_else(compound);
    let (at, thing) = found.or_else(cut)?;
    if id {
        return Some((at, thing.key()?));
    }
    // `stage` of stages without an id of their own is their name; with one it is that id.
    let own = key(&thing.fields());
    own.or_else(|| thing.title())
        .and_then(|name| has(thing, name))
        .map(|field| (at, field.name))
}

/// The map of records by their ids that a name speaks of, `games` of `gameId`, and of a bare `game`
/// where the records of a list hold one, too; with what such an id is called.
pub(crate) fn keyed<'n>(name: &'n str, things: &[Thing<'_>]) -> Option<(usize, &'n str)> {
    let mut words = split(&singular(name));
    let is_id = words.len() > 1 && is_reference(name);
    if is_id {
        words.pop();
    }
    let noun = singular(words.last()?);
    let holds = |thing: &Thing<'_>| {
        thing.has_records() && thing.fields().iter().any(|field| field.name == name)
    };
    let is_held = || words.len() == 1 && things.iter().any(holds);
    let is_meant =
        |thing: &Thing<'_>| thing.is_top() && thing.one == noun && thing.title_in_map().is_some();
    let at = things.iter().position(is_meant)?;
    (is_id || is_held()).then_some((at, name))
}

/// The record of the page that a member names: by an id, or under the name of a list whose records
/// have a key beside their title, `shop` of `shops` with a `code`.
pub(crate) fn named_record<'a>(name: &str, things: &[Thing<'a>]) -> Option<(usize, &'a str)> {
    let (at, key) = referent(name, things)?;
    let thing = &things[at];
    let is_called = thing.sort == Sort::Records
        && thing.within.is_none()
        && thing.key() == Some(key)
        && thing.title().is_some_and(|title| title != key);
    let is_short = key == name && name.len() <= SHORT_MAX;
    (is_reference(name) || ((thing.one == name || is_short) && is_called)).then_some((at, key))
}

/// The people of the page, for a member that may hold the id of one of them or a name: `proposedBy`,
/// `voters`.
pub(crate) fn somebody<'a>(name: &str, things: &[Thing<'a>]) -> Option<(usize, &'a str)> {
    const ROLES: &[&str] = &["by", "supporter", "voter", "who"];
    let last = singular(&split(name).pop()?);
    let is_role = ROLES.contains(&last.as_str()) || PEOPLE.contains(&last.as_str());
    let (at, thing) = things.iter().enumerate().find(|(_, thing)| {
        thing.sort == Sort::Records
            && thing.within.is_none()
            && are_people(thing)
            && thing.title().is_some()
    })?;
    let key = thing.key().filter(|_| is_role)?;
    (Some(key) != thing.title()).then_some((at, key))
}

/// Whether the records of one list name those of another: tasks with an `assignee`.
pub(super) fn names_one_of(thing: &Thing<'_>, other: usize, things: &[Thing<'_>]) -> bool {
    let own = thing.fields();
    let mut texts = own.iter().filter(|field| kind(field.schema) == Kind::Text);
    texts.any(|field| {
        let found = referent(field.name, things).or_else(|| somebody(field.name, things));
        found.is_some_and(|(at, _)| at == other)
    })
}

/// Whether records are people, by what they are called or known by.
fn are_people(thing: &Thing<'_>) -> bool {
    let known = thing.key().map(split).unwrap_or_default();
    GROUPS.contains(&thing.one.as_str()) || (known.len() > 1 && GROUPS.contains(&known[0].as_str()))
}

/// Whether a member names the record above: `parent`, `parentId`.
fn is_parent(name: &str) -> bool {
    split(name).first().is_some_and(|word| word == "parent")
}

/// Whether a name is one of several ids or of one.
pub(crate) fn names_ids(name: &str) -> bool {
    is_id(&singular(name))
}
