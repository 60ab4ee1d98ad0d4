//! Entries of the journal about what was shown: the pages of blueprints.

use super::super::blueprint::OpenBlueprint;
use super::super::clock::Time;
use super::super::session::Session;
use super::entry::{ACTED, BLUEPRINTS, Entry, INTENT, SHAPE, SHOWN, one_line, row};
use super::journal::Rendering;
use super::page::question_hash;
use crate::wire::ids::AppId;
use crate::wire::tools::Variance;

/// An entry of the frontmatter.
const BLUEPRINT_ID: &str = "blueprint_id";

impl Entry {
    /// A blueprint was shown.
    pub(crate) fn of_blueprint(rendering: &Rendering<'_>) -> Self {
        let Rendering {
            session,
            blueprint,
            at,
        } = rendering;
        let app = &session.key.app;
        let mut entry = Self::new(app, BLUEPRINTS, blueprint_name(blueprint));
        entry.title = Some(one_line(&blueprint.intent));
        let facts = [
            (INTENT, one_line(&blueprint.intent)),
            (SHAPE, blueprint.contract.names_hash().to_owned()),
            ("contract_hash", blueprint.contract.hash().to_owned()),
            (BLUEPRINT_ID, blueprint.id.to_string()),
            ("variant", blueprint.variant_key.clone()),
            ("drawn_by", blueprint.category().to_owned()),
        ];
        entry.facts.extend(facts);
        entry.counts.insert(SHOWN, 1);
        entry.lines = vec![
            ("Made for", one_line(&blueprint.intent)),
            ("Contract", one_line(&blueprint.contract.summary())),
        ];
        let (row, answered) = shown(session, *at);
        entry.rows = vec![row];
        entry.answers.insert(answered);
        entry
    }

    /// The same blueprint was shown once more: only the row is new. False where the entry is about
    /// another one, and stays as it is.
    pub(crate) fn show_again(&mut self, rendering: &Rendering<'_>, rows_max: usize) -> bool {
        let Rendering {
            session,
            blueprint,
            at,
        } = rendering;
        let is_same = self
            .facts
            .get(BLUEPRINT_ID)
            .is_some_and(|id| *id == *blueprint.id);
        if is_same {
            let (row, answered) = shown(session, *at);
            *self.counts.entry(SHOWN).or_default() += 1;
            self.add_rows([row], rows_max);
            if self.answers.len() < rows_max {
                self.answers.insert(answered);
            }
        }
        is_same
    }

    /// The slug of the page of a blueprint.
    pub(crate) fn slug_of_blueprint(name: &str) -> String {
        format!("{}/{name}", BLUEPRINTS.0)
    }

    /// A person has done something for the first time in a session of this blueprint.
    pub(crate) fn of_use(app: &AppId, blueprint: &str) -> Self {
        let mut entry = Self::new(app, BLUEPRINTS, blueprint.to_owned());
        entry.counts.insert(ACTED, 1);
        entry
    }
}

/// The name of the page of a blueprint: its shape, so that those that are alike stand together, its
/// contract, and its variance where it has one.
pub(crate) fn blueprint_name(blueprint: &OpenBlueprint) -> String {
    let mut name = format!(
        "{}/{}",
        blueprint.contract.names_hash(),
        blueprint.contract.hash()
    );
    if blueprint.variance != Variance::default() {
        name.push('-');
        name.push_str(&blueprint.variant_key);
    }
    name
}

/// That a session shows something: a row, and the hash of what it is an answer to.
fn shown(session: &Session, at: Time) -> (String, String) {
    let creation = &session.creation;
    let (by, intent) = (one_line(&creation.owner), one_line(&creation.intent));
    let row = row(at, &format!("shown by {by} for “{intent}”"));
    (row, question_hash(&creation.intent))
}
