//! The plan: what a page shows, in which order, as what, and what is left out; everything but how it is drawn.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::reading::{CREATIVE, is};

/// What a page shows of a contract.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Plan {
    /// The subject of the page, in a few words.
    pub(crate) headline: Headline,
    /// One sentence below it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) lead: Option<String>,
    /// The source of the main part.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) main: Option<String>,
    /// The action that stands out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) primary: Option<String>,
    /// What is shown, region by region in this order.
    pub(crate) parts: Vec<Part>,
    /// Where each action is offered.
    pub(crate) actions: Vec<Offer>,
    /// What is not shown, and why.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) hidden: Vec<Hidden>,
}

/// The subject of a page: fixed words, or a value of the page with words before it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Headline {
    /// Fixed words; before the value, if there is one.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub(crate) text: String,
    /// The pointer to a value.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) path: Option<String>,
}

/// A component with what it shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Part {
    /// The pointer to what is shown.
    pub(crate) source: String,
    /// The component of the catalog that shows it.
    pub(crate) component: String,
    /// Where it stands.
    pub(crate) region: Region,
    /// What stands above it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) title: Option<String>,
    /// Which members of the data play which part, by the component's own word for it: `titleField`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub(crate) roles: BTreeMap<String, String>,
    /// Records whose names stand for ids, by the component's own word for it: `groupNames`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub(crate) names: BTreeMap<String, Reference>,
    /// Pointers to other values that the component shows.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub(crate) bindings: BTreeMap<String, String>,
    /// Settings of the component that are words: `kind`, `format`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub(crate) settings: BTreeMap<String, String>,
    /// The values that are shown, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) fields: Vec<Shown>,
    /// The values that are shown of each column of a board.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) heads: Vec<Shown>,
}

/// The regions of a page, top to bottom.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Region {
    /// Banners.
    Notice,
    /// Where one is, before what there is.
    Steps,
    /// Single numbers, side by side.
    Numbers,
    /// Pictures and facts, side by side.
    Lead,
    /// Live numbers and bars, side by side.
    Gauges,
    /// What narrows or orders what is shown.
    Filters,
    /// What the page is about.
    Main,
    /// Charts, two in a row.
    Charts,
    /// What the charts above have no place for.
    Rows,
    /// What goes on arriving.
    Live,
    /// What a person sets for the agent to see.
    Controls,
    /// Short messages that go away.
    Toast,
}

/// One value as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Shown {
    /// The member of the record; of a part without records, the pointer to the value.
    pub(crate) field: String,
    /// Its name for people.
    pub(crate) label: String,
    /// The format of the catalog.
    pub(crate) format: String,
    /// The unit after a number.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) unit: Option<String>,
    /// Where its currency stands, a pointer or a member of the same record; or its code, where its
    /// name says it: `feePence`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) currency: Option<String>,
    /// The record whose currency it is, where that stands in neither.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) currency_of: Option<Lookup>,
    /// The values inside it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) parts: Vec<Shown>,
    /// The records whose title stands for this id.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) refers: Option<Reference>,
}

/// Records of the page that an id names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Reference {
    /// The pointer to the records.
    pub(crate) rows: String,
    /// The member of those that holds the records, where they stand inside others.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) within: Option<String>,
    /// The member of every record that holds records like it, where they stand as a tree.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) children: Option<String>,
    /// The member that holds the id.
    pub(crate) key: String,
    /// The member that names the record for people.
    pub(crate) title: String,
}

/// A value of the record that an id names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Lookup {
    /// Where the id stands: a pointer, or a member of the same record.
    pub(crate) id: String,
    /// The records, with the member that is looked up as their title.
    pub(crate) refers: Reference,
}

/// Where an action is offered, and what it sends of the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Offer {
    /// The action.
    pub(crate) action: String,
    /// How it is offered.
    pub(crate) place: Place,
    /// The source of the part whose records offer it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) of: Option<String>,
    /// Payload members that the record gives, and the members of the record they come from.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub(crate) fixed: BTreeMap<String, String>,
    /// Inputs that start from a member of the record.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub(crate) initial: BTreeMap<String, String>,
    /// Inputs that are chosen among records of the page.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub(crate) chosen: BTreeMap<String, Reference>,
    /// Payload members that the page gives, and the pointers to their values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub(crate) given: BTreeMap<String, String>,
    /// The pointer to the record that its form edits.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) edits: Option<String>,
    /// The pointer to what its form starts from: what was typed or suggested before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) begins: Option<String>,
    /// The records that do not offer it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) unless: Option<Unless>,
    /// Whether it ends or loses something.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub(crate) is_dangerous: bool,
}

impl Offer {
    /// Whether it takes the answers to all questions of a part together.
    pub(crate) fn is_hand_in(&self) -> bool {
        self.place == Place::Pick && self.fixed.contains_key("as")
    }
}

/// Records whose member has one of these values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Unless {
    /// The member.
    pub(crate) field: String,
    /// The values.
    pub(crate) values: Vec<Value>,
}

/// How an action is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Place {
    /// With each record of a part.
    Row,
    /// With several marked records of a part.
    Bulk,
    /// By choosing within a part: a text, a seat, an answer.
    Pick,
    /// By going from step to step within a part.
    Turn,
    /// Beside the form of a part, which it saves as far as that is filled in.
    Keep,
    /// As the form of one step of a part.
    Step,
    /// By moving a record to another column.
    Move,
    /// At the foot of a part, as the line one types into.
    Compose,
    /// As a form on the page.
    Form,
    /// As one field beside its button.
    Line,
    /// As a form behind a button.
    Dialog,
    /// As a button.
    Button,
}

/// What is not shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Hidden {
    /// The pointer to it.
    pub(crate) source: String,
    /// Why.
    pub(crate) because: String,
}

impl Plan {
    /// Whether an action stands beside the title: the main one, where it adds to the page. Below long
    /// lists nobody would see it.
    pub(crate) fn is_beside_title(&self, offer: &Offer) -> bool {
        offer.place == Place::Dialog
            && self.primary.as_ref() == Some(&offer.action)
            && is(&offer.action, CREATIVE)
    }

    /// How an action is offered.
    pub(crate) fn offer(&self, action: &str) -> Option<&Offer> {
        self.actions.iter().find(|offer| offer.action == action)
    }

    /// The actions that a part offers in one way.
    pub(crate) fn offers<'a>(
        &'a self,
        source: &'a str,
        place: Place,
    ) -> impl Iterator<Item = &'a Offer> {
        let all = self.actions.iter();
        all.filter(move |offer| offer.place == place && offer.of.as_deref() == Some(source))
    }
}

/// Whether this is a currency itself, rather than where one stands.
pub(crate) fn is_code(currency: &str) -> bool {
    currency.len() == 3 && currency.bytes().all(|byte| byte.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Set to write the file anew.
    const BLESS: &str = "PROSCENIUM_BLESS";

    #[test]
    fn the_schema_of_plans_is_published() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schemas/plan.json");
        let schema = schemars::SchemaGenerator::default().into_root_schema_for::<Plan>();
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os(BLESS).is_some() {
            std::fs::write(path, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), text);
    }
}
