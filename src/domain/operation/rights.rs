//! Which credential reaches which operation.

use super::super::principal::{Principal, Scopes};
use super::row::{Row, Rules};
use super::table::TABLE;

/// Scope of everything that only looks.
const SCOPE_READ: &str = "ggui:read";
/// Scope of everything.
const SCOPE_WRITE: &str = "ggui:write";
/// The scopes an issuer is told of; each operation's own name is one, too.
pub(crate) const SCOPES: [&str; 2] = [SCOPE_READ, SCOPE_WRITE];

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
