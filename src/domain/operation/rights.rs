//! Which credential reaches which operation.

use super::super::principal::{Principal, Scopes};
use super::row::{Row, Rules, Ui};
use super::table::TABLE;

/// Scope of everything that only looks.
const SCOPE_READ: &str = "ggui:read";
/// Scope of everything.
const SCOPE_WRITE: &str = "ggui:write";
/// Scope of people, which nothing else includes: what the server itself asks of people.
const SCOPE_PERSON: &str = "ggui:person";
/// The scopes an issuer is told of; each operation's own name is one, too.
pub(crate) const SCOPES: [&str; 3] = [SCOPE_READ, SCOPE_WRITE, SCOPE_PERSON];

impl Rules {
    /// The scopes of which one has to be held to ask for an operation of this name, where scopes
    /// bound a credential.
    pub(crate) fn scopes<'a>(&self, name: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
        let read = self.is_read().then_some(SCOPE_READ);
        [self.scope.unwrap_or(name), SCOPE_WRITE]
            .into_iter()
            .chain(read)
    }

    /// Whether scopes allow an operation of this name.
    pub(crate) fn is_within(&self, name: &str, scopes: &Scopes) -> bool {
        scopes.hold(self.scopes(name))
    }
}

impl Row {
    /// Whether a credential reaches it: far enough, and within its scopes.
    pub(crate) fn is_open_to(&self, principal: &Principal) -> bool {
        principal.trust >= self.rules.trust && self.rules.is_within(self.name, &principal.scopes)
    }

    fn scope(&self) -> &'static str {
        self.rules.scope.unwrap_or(self.name)
    }

    /// Whether agents ask for it, and something changes: who may do that is no person.
    fn is_of_agents(&self) -> bool {
        let is_of_people = self.rules.ui == Ui::AppOnly || self.rules.is_on_channel;
        !self.rules.is_read() && !is_of_people && self.scope() == self.name
    }
}

impl Scopes {
    /// Whether a credential with these scopes stands for a person: it says so by name, and may ask
    /// for nothing by which agents change something. Who may do both could answer its own questions.
    pub(crate) fn are_of_a_person(&self) -> bool {
        let says_so = self
            .names()
            .is_some_and(|names| names.contains(&SCOPE_PERSON));
        let mut of_agents = TABLE.iter().filter(|row| row.is_of_agents());
        says_so && !of_agents.any(|row| row.rules.is_within(row.name, self))
    }
}

impl Principal {
    /// What a token that is handed to this principal may ask for on the channel of a session: by
    /// name what the principal may ask for itself, and nothing more.
    pub(crate) fn channel_scopes(&self) -> Scopes {
        let rows = TABLE.iter().filter(|row| row.rules.is_on_channel);
        let (open, shut): (Vec<&Row>, Vec<&Row>) = rows.partition(|row| row.is_open_to(self));
        if shut.is_empty() {
            Scopes::all()
        } else {
            Scopes::of(open.into_iter().map(|row| row.scope().to_owned()))
        }
    }
}

/// The names of all scopes.
pub(crate) fn known_scopes() -> Vec<&'static str> {
    let own = TABLE.iter().filter(|row| row.rules.scope.is_none());
    SCOPES.into_iter().chain(own.map(|row| row.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn are(scopes: &[&str]) -> bool {
        Scopes::of(scopes.iter().map(|scope| (*scope).to_owned())).are_of_a_person()
    }

    #[test]
    fn a_credential_is_a_person_s_if_it_says_so_and_calls_no_tool_that_changes_something() {
        let person = [
            SCOPE_PERSON,
            "ggui_get_session",
            "ggui_runtime_submit_action",
        ];
        assert!(are(&person));
        assert!(are(&[
            SCOPE_PERSON,
            SCOPE_READ,
            "ggui_runtime_submit_action"
        ]));
        assert!(!are(&person[1..]) && !are(&[SCOPE_WRITE]) && !Scopes::all().are_of_a_person());
        for row in TABLE.iter().filter(|row| row.is_of_agents()) {
            assert!(!are(&[SCOPE_PERSON, row.name]), "{}", row.name);
        }
        for name in [
            "gate_call",
            "ggui_consume",
            "ggui_emit",
            "ggui_render",
            "delete_session",
        ] {
            assert!(!are(&[SCOPE_PERSON, name]), "{name}");
        }
        assert!(!are(&[SCOPE_PERSON, SCOPE_WRITE]));
    }
}
