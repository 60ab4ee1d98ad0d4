//! What callers see of all servers, and which server something they name belongs to.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::{Map, Value, json};

use super::error::{GateError, unasked};
use super::kind::Kind;
use super::served::Entries;
use super::service::{Member, Standing};
use super::template::fits;
use crate::domain::gate::{Asking, Definition, UpstreamError, Verdict};

/// What a caller is told of a tool that was not accepted as it is.
const NOT_ACCEPTED: &str = "its definition is new or has changed, and nobody has accepted it";

impl Standing {
    /// The list of what may be used, of all servers that answer in time.
    pub(super) async fn list(&self, kind: Kind, asking: Asking<'_>) -> Result<Value, GateError> {
        let asked = self.members.iter();
        let asked = asked.map(|member| Arc::clone(&member.served).list_soon(kind));
        let mut failed = None;
        let mut are_all_silent = true;
        let (mut names, mut list) = (BTreeSet::new(), Vec::new());
        for (member, listed) in self.members.iter().zip(join_all(asked).await) {
            let entries = match listed {
                Ok(entries) => entries,
                Err(error) => {
                    failed = failed.or(Some(error));
                    continue;
                }
            };
            are_all_silent = false;
            for entry in entries.iter() {
                let own = kind.name(entry).unwrap_or_default();
                let seen = member.seen(kind, own);
                // Of two things with one name the first source has it, as calls find it.
                let verdict = self.judge(member, own, &seen, &asking);
                let is_open = denial(&verdict).is_none();
                let is_first = is_open && names.insert(seen.clone());
                if is_first && self.is_accepted(member, kind, &entries, entry) {
                    let mut entry = entry.clone();
                    entry.insert(kind.key().to_owned(), seen.into());
                    list.push(entry);
                }
            }
        }
        match failed {
            Some(error) if are_all_silent => Err(error.into()),
            _ => Ok(json!({ kind.member(): list })),
        }
    }

    /// The member that has something of this name, and the name it has there. What may not be used
    /// is refused before it is known whether it exists.
    pub(super) async fn find<'a>(
        &self,
        kind: Kind,
        seen: &'a str,
        asking: Asking<'_>,
    ) -> Result<Named<'_, 'a>, GateError> {
        let mut open = self.open(kind, seen, &asking)?;
        let has = |entries: &Entries, own: &str| entry(kind, entries, own).is_some();
        // What was accepted, and what a person agrees to, is compared with what the server lists now.
        let is_bound = |open: &Open<'_, '_>| matches!(open.verdict, Verdict::Approve(_));
        let is_pinned = kind == Kind::Tools && self.pinned.is_some();
        let found = match is_pinned || open.iter().any(is_bound) {
            true => soon(kind, &open, &has).await?,
            false => first(kind, &open, has).await?,
        };
        let Some((at, entries)) = found else {
            return Err(match kind {
                Kind::Tools => GateError::UnknownTool(seen.to_owned()),
                _ => unknown("prompt", seen),
            });
        };
        let Open {
            member,
            own,
            verdict,
        } = open.swap_remove(at);
        let entry = entry(kind, &entries, own);
        if let Some(entry) = entry.filter(|entry| self.is_accepted(member, kind, &entries, entry)) {
            Ok(Named {
                member,
                own,
                verdict,
                definition: definition(kind, member, entry, own),
            })
        } else {
            tracing::warn!(
                gate.source = member.source.id,
                tool = own,
                "a tool is new or has changed, and nobody has accepted it: it is not called"
            );
            Err(GateError::Denied {
                name: seen.to_owned(),
                reason: NOT_ACCEPTED.to_owned(),
            })
        }
    }

    /// Whether something is what was accepted, where tools have to be. Where it is not, people are
    /// asked.
    fn is_accepted(
        &self,
        member: &Member,
        kind: Kind,
        entries: &Entries,
        entry: &Map<String, Value>,
    ) -> bool {
        let Some(pinned) = self.pinned.as_ref().filter(|_| kind == Kind::Tools) else {
            return true;
        };
        let (source, server) = (&*member.source.id, member.served.server());
        let is_accepted = pinned.accept(source, server.as_deref(), entry);
        if let Some(approvals) = &self.approvals {
            if is_accepted {
                approvals.is_as_accepted(source, kind.name(entry).unwrap_or_default());
            } else {
                let now = Definition::of(server.as_deref(), entry);
                let is_listed = |name: &str| {
                    let mut entries = entries.iter();
                    entries.any(|entry| kind.name(entry) == Some(name))
                };
                if let Some(change) = pinned.change(source, now, is_listed) {
                    approvals.ask_about(pinned, change);
                }
            }
        }
        is_accepted
    }

    /// The member that has a resource: it lists it, or a template that it fits.
    pub(super) async fn resource<'a>(
        &self,
        uri: &'a str,
        asking: Asking<'_>,
    ) -> Result<Named<'_, 'a>, GateError> {
        let mut open = self.open(Kind::Resources, uri, &asking)?;
        let has = |entries: &Entries, own: &str| entry(Kind::Resources, entries, own).is_some();
        let mut kind = Kind::Resources;
        let mut found = first(kind, &open, has).await?;
        if found.is_none() {
            kind = Kind::Templates;
            let has = |entries: &Entries, own: &str| fitting(entries, own).is_some();
            found = first(kind, &open, has).await?;
        }
        let (at, entries) = found.ok_or_else(|| unknown("resource", uri))?;
        let Open {
            member,
            own,
            verdict,
        } = open.swap_remove(at);
        let listed = match kind {
            Kind::Templates => fitting(&entries, own),
            kind => entry(kind, &entries, own),
        };
        let listed = listed.ok_or_else(|| unknown("resource", uri))?;
        Ok(Named {
            member,
            own,
            verdict,
            definition: definition(kind, member, listed, own),
        })
    }

    /// The member that has a template of resources, named as it stands.
    pub(super) async fn template(
        &self,
        uri: &str,
        asking: Asking<'_>,
    ) -> Result<&Member, GateError> {
        let open = self.open(Kind::Templates, uri, &asking)?;
        let has = |entries: &Entries, own: &str| entry(Kind::Templates, entries, own).is_some();
        let (member, verdict) = match first(Kind::Templates, &open, has).await? {
            Some((at, _)) => (open[at].member, open[at].verdict.clone()),
            None => {
                let named = self.resource(uri, asking).await?;
                (named.member, named.verdict)
            }
        };
        unasked(uri, &verdict)?;
        Ok(member)
    }

    /// The members whose something of this name may be used, with the name it has there.
    fn open<'a>(
        &self,
        kind: Kind,
        seen: &'a str,
        asking: &Asking<'_>,
    ) -> Result<Vec<Open<'_, 'a>>, GateError> {
        let mut open = Vec::new();
        let mut denied = None;
        for member in &self.members {
            let Some(own) = member.own(kind, seen) else {
                continue;
            };
            let verdict = self.judge(member, own, seen, asking);
            match denial(&verdict) {
                None => open.push(Open {
                    member,
                    own,
                    verdict,
                }),
                Some(reason) => denied = denied.or(Some(reason.into_owned())),
            }
        }
        match denied {
            Some(reason) if open.is_empty() => Err(GateError::Denied {
                name: seen.to_owned(),
                reason,
            }),
            _ => Ok(open),
        }
    }
}

/// Why something may not be used.
fn denial<'a>(verdict: &Verdict<'a>) -> Option<Cow<'a, str>> {
    match verdict {
        Verdict::Approve(_) | Verdict::Forward => None,
        Verdict::Deny(reason) => Some(reason.clone()),
    }
}

/// What an entry says of itself, to whoever agrees to its use.
fn definition(kind: Kind, member: &Member, entry: &Map<String, Value>, own: &str) -> Definition {
    let server = member.served.server();
    match kind {
        Kind::Tools => Definition::of(server.as_deref(), entry),
        kind => Definition::of_reading(server.as_deref(), entry, (kind.user(), own)),
    }
}

/// The entry of this name.
fn entry<'e>(kind: Kind, entries: &'e Entries, own: &str) -> Option<&'e Map<String, Value>> {
    entries.iter().find(|entry| kind.name(entry) == Some(own))
}

/// The template that an address fits.
fn fitting<'e>(entries: &'e Entries, own: &str) -> Option<&'e Map<String, Value>> {
    let is_fitting = |entry: &&Map<String, Value>| {
        let template = Kind::Templates.name(entry);
        template.is_some_and(|template| fits(template, own))
    };
    entries.iter().find(is_fitting)
}

/// A member whose something of a name may be used, if it has it.
struct Open<'m, 'a> {
    member: &'m Member,
    /// The name it would have there.
    own: &'a str,
    verdict: Verdict<'m>,
}

/// Something that a caller named.
pub(super) struct Named<'m, 'a> {
    /// The member that has it.
    pub(super) member: &'m Member,
    /// Its name there.
    pub(super) own: &'a str,
    /// What may be done with it; never nothing.
    pub(super) verdict: Verdict<'m>,
    /// What it says of itself.
    pub(super) definition: Definition,
}

/// Something that was found: the place of the member that has it, and the list it is in.
type Found = Option<(usize, Entries)>;

/// The first member whose list has something: in the lists that are known, else in those that are
/// asked for now.
async fn first(
    kind: Kind,
    open: &[Open<'_, '_>],
    has: impl Fn(&Entries, &str) -> bool,
) -> Result<Found, UpstreamError> {
    for (at, Open { member, own, .. }) in open.iter().enumerate() {
        match member.served.given(kind) {
            Some(entries) if has(&entries, own) => return Ok(Some((at, entries))),
            Some(_) => {}
            // One that comes earlier may have it, too.
            None => break,
        }
    }
    soon(kind, open, &has).await
}

/// The same in the lists of now. Where a member that might have it does not answer, nobody can say
/// that there is none.
async fn soon(
    kind: Kind,
    open: &[Open<'_, '_>],
    has: &impl Fn(&Entries, &str) -> bool,
) -> Result<Found, UpstreamError> {
    let soon = open.iter();
    let soon = soon.map(|open| Arc::clone(&open.member.served).list_soon(kind));
    match among(open, join_all(soon).await, has) {
        Err(UpstreamError::Timeout) => {}
        found => return found,
    }
    // Only a slow one can have it: there is nobody else to keep waiting.
    let late = open.iter();
    let late = late.map(|open| Arc::clone(&open.member.served).list(kind));
    among(open, join_all(late).await, has)
}

fn among(
    open: &[Open<'_, '_>],
    lists: Vec<Result<Entries, UpstreamError>>,
    has: impl Fn(&Entries, &str) -> bool,
) -> Result<Found, UpstreamError> {
    let mut failed = None;
    for ((at, open), listed) in open.iter().enumerate().zip(lists) {
        match listed {
            Ok(entries) if has(&entries, open.own) => return Ok(Some((at, entries))),
            Ok(_) => {}
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    failed.map_or(Ok(None), Err)
}

fn unknown(what: &'static str, name: &str) -> GateError {
    let name = name.to_owned();
    GateError::Unknown { what, name }
}
