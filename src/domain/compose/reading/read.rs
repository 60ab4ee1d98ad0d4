//! Reads a contract and the intent it comes with.

use serde_json::Value;

use super::channel::Channel;
use super::deed::Deed;
use super::evidence::Notes;
use super::fields::{Kind, columns_of, fields, is_currency, is_id, kind};
use super::gesture::Gesture;
use super::identity::identify;
use super::pairs::pairs;
use super::pointer::join;
use super::reference::keyed;
use super::slot::{SlotUse, names_viewer, slot_use};
use super::thing::{Sort, Thing};
use crate::domain::contract::CompiledContract;

/// What is there.
pub(crate) struct Reading<'a> {
    /// The contract.
    pub(crate) contract: &'a CompiledContract,
    /// What the agent said the page is for.
    pub(crate) intent: &'a str,
    /// The props, and the lists inside them.
    pub(crate) things: Vec<Thing<'a>>,
    /// The actions.
    pub(crate) gestures: Vec<Gesture<'a>>,
    /// The context slots.
    pub(crate) slots: Vec<Slot<'a>>,
    /// The live channels.
    pub(crate) channels: Vec<Channel<'a>>,
    /// The pointer to the currency of the page.
    pub(crate) currency: Option<String>,
    /// Why.
    pub(crate) notes: Notes,
}

impl Reading<'_> {
    /// Whether something is done with the records of a thing that neither ends them nor goes around
    /// what the page is for.
    pub(crate) fn is_worked_on(&self, at: usize) -> bool {
        self.gestures.iter().any(|gesture| {
            gesture.about() == Some(at) && !gesture.is_dangerous && !gesture.is_quiet
        })
    }

    /// Turns an action on one record into a form that also asks for the record.
    pub(crate) fn ask(&mut self, action: &str) {
        let mut all = self.gestures.iter_mut();
        if let Some(gesture) = all.find(|gesture| gesture.name == action) {
            gesture.ask(&self.things);
        }
        // What a slot stands for depends on the actions.
        for slot in &mut self.slots {
            slot.is = slot_use(slot.name, slot.schema, &self.things, &self.gestures);
        }
    }

    /// Where it stands who looks at the page, as others refer to them.
    pub(crate) fn me(&self) -> Option<String> {
        let mut top = self.things.iter().filter(|thing| thing.is_top());
        let thing = top.find(|thing| names_viewer(thing.name));
        let found = thing.and_then(|thing| match thing.sort {
            Sort::Record => thing.key().map(|key| join(&thing.path, key)),
            _ => (kind(thing.schema) == Kind::Text).then(|| thing.path.clone()),
        });
        found.or_else(|| {
            let slot = self.slots.iter().find(|slot| names_viewer(slot.name))?;
            (kind(slot.schema) == Kind::Text).then(|| join("/context", slot.name))
        })
    }
}

/// A context slot, read.
pub(crate) struct Slot<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// Its schema.
    pub(crate) schema: &'a Value,
    /// What it is, in the contract's words.
    pub(crate) description: Option<&'a str>,
    /// What it is the state of.
    pub(crate) is: SlotUse,
}

/// Reads a contract.
pub(crate) fn read<'a>(contract: &'a CompiledContract, intent: &'a str) -> Reading<'a> {
    let mut notes = Notes::default();
    let things = things(contract);
    for thing in &things {
        notes.note(
            &thing.path,
            format!("{:?}", thing.sort),
            describe(thing),
            90,
        );
    }
    let spec = contract.contract();
    let mut gestures: Vec<Gesture<'a>> = spec
        .action_spec
        .iter()
        .flatten()
        .map(|(name, entry)| Gesture::read(contract, name, entry, &things, intent))
        .collect();
    collect_ids(&mut gestures, &things);
    for gesture in &gestures {
        let (is, because) = explained(gesture, &things);
        notes.note(gesture.name, is, because, 85);
    }
    let slots: Vec<Slot<'a>> = spec
        .context_spec
        .iter()
        .flatten()
        .map(|(name, entry)| {
            let schema = contract.slot_schema(name);
            let is = slot_use(name, schema, &things, &gestures);
            notes.note(
                &join("/context", name),
                format!("{is:?}"),
                "its name and its type",
                75,
            );
            Slot {
                name,
                schema,
                description: entry.description.as_deref(),
                is,
            }
        })
        .collect();
    let channels = spec
        .stream_spec
        .iter()
        .flatten()
        .map(|(name, entry)| Channel::read(contract, name, entry, &things))
        .collect();
    let currency = things
        .iter()
        .filter(|thing| thing.within.is_none())
        .find(|thing| {
            is_currency(&super::fields::Field {
                name: thing.name,
                schema: thing.schema,
            })
        })
        .map(|thing| thing.path.clone())
        .or_else(|| shared_currency(&things));
    Reading {
        contract,
        intent,
        things,
        gestures,
        slots,
        channels,
        currency,
        notes,
    }
}

/// The currency of the one record of the page that names one.
fn shared_currency(things: &[Thing<'_>]) -> Option<String> {
    let records = things
        .iter()
        .filter(|thing| thing.sort == Sort::Record && thing.within.is_none());
    let mut found = records.flat_map(|thing| {
        let own = thing
            .fields()
            .into_iter()
            .filter(is_currency)
            .map(|field| join(&thing.path, field.name));
        let inner = thing
            .fields()
            .into_iter()
            .filter(|field| kind(field.schema) == Kind::Record)
            .flat_map(|field| {
                let path = join(&thing.path, field.name);
                let all = fields(field.schema).into_iter().filter(is_currency);
                all.map(|field| join(&path, field.name)).collect::<Vec<_>>()
            })
            .collect::<Vec<_>>();
        own.collect::<Vec<_>>().into_iter().chain(inner)
    });
    found.next()
}

/// Takes bare `ids` for those of the records that the other actions take one `id` of.
fn collect_ids(gestures: &mut [Gesture<'_>], things: &[Thing<'_>]) {
    let one = gestures.iter().find_map(|gesture| match &gesture.deed {
        Deed::One { thing, fixed, .. } => Some((*thing, fixed.get("id")?.clone())),
        _ => None,
    });
    let Some((thing, key)) = one.filter(|(thing, _)| things[*thing].within.is_none()) else {
        return;
    };
    for gesture in gestures.iter_mut().filter(|one| one.deed == Deed::Ask) {
        if let [only] = fields(gesture.schema).as_slice()
            && only.name == "ids"
            && kind(only.schema) == Kind::Strings
        {
            gesture.deed = Deed::Several {
                thing,
                member: only.name.to_owned(),
                key: key.clone(),
            };
        }
    }
}

fn things(contract: &CompiledContract) -> Vec<Thing<'_>> {
    let props = contract
        .contract()
        .props_spec
        .iter()
        .flat_map(|spec| &spec.properties);
    let mut things: Vec<Thing<'_>> = Vec::new();
    for (name, entry) in props {
        let schema = contract.prop_schema(name);
        things.push(Thing::read(
            join("/props", name),
            name,
            schema,
            entry.description.as_deref(),
        ));
    }
    for at in 0..things.len() {
        let (path, sort) = (things[at].path.clone(), things[at].sort);
        let inner: Vec<Thing<'_>> = match sort {
            Sort::Record => things[at]
                .fields()
                .into_iter()
                .filter(|field| kind(field.schema) == Kind::Records)
                .map(|field| Thing::read(join(&path, field.name), field.name, field.schema, None))
                .collect(),
            // What stands in each record has no pointer of its own.
            Sort::Records => columns_of(things[at].schema)
                .into_iter()
                .filter(|field| kind(field.schema) == Kind::Records)
                .map(|field| {
                    let inner =
                        Thing::read(join(&path, field.name), field.name, field.schema, None);
                    inner.inside(at, field.name)
                })
                .collect(),
            _ => Vec::new(),
        };
        things.extend(inner);
    }
    for at in 0..things.len() {
        let of_map = things[at]
            .title()
            .filter(|title| keyed(title, &things).is_some());
        if let Some(id) = of_map {
            things[at].without_title(id);
        }
    }
    identify(&mut things, contract);
    let actions = contract.contract().action_spec.iter();
    let payloads: Vec<&Value> = actions
        .flat_map(|all| all.keys())
        .map(|name| contract.action_schema(name))
        .collect();
    for at in 0..things.len() {
        if let Some(found) = pairs(at, &things, &payloads) {
            things[at].paired(found);
        }
    }
    things
}

fn describe(thing: &Thing<'_>) -> String {
    match thing.sort {
        Sort::Records | Sort::Tree => format!(
            "key {}, title {}",
            thing.key().unwrap_or("none"),
            thing.title().unwrap_or("none")
        ),
        _ => "its schema".to_owned(),
    }
}

fn explained(gesture: &Gesture<'_>, things: &[Thing<'_>]) -> (String, String) {
    let mut is = match &gesture.deed {
        Deed::Nothing => "carries nothing".to_owned(),
        Deed::Ask => "asks".to_owned(),
        Deed::One { thing, .. } => format!("about one of {}", things[*thing].name),
        Deed::Several { thing, .. } => format!("about several of {}", things[*thing].name),
        Deed::Text { thing, .. } => format!("takes one of {}", things[*thing].name),
        Deed::Edit { thing, .. } => format!("edits {}", things[*thing].name),
    };
    if gesture.is_dangerous {
        is.push_str(", dangerous");
    }
    let because = match &gesture.deed {
        Deed::One { fixed, .. } => {
            let given: Vec<String> = fixed
                .iter()
                .map(|(to, from)| format!("{to} is {from}"))
                .collect();
            given.join(", ")
        }
        Deed::Several { member, key, .. } => format!("{member} collects {key}"),
        _ if gesture.is_dangerous => "its verb".to_owned(),
        _ => "its payload".to_owned(),
    };
    let chosen = gesture
        .chosen
        .keys()
        .filter(|name| !is_id(name) || !because.contains(name.as_str()));
    let chosen: Vec<&str> = chosen.map(String::as_str).collect();
    match chosen.is_empty() {
        true => (is, because),
        false => (
            is,
            format!("{because}; chosen on the page: {}", chosen.join(", ")),
        ),
    }
}
