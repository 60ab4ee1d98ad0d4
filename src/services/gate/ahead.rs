//! What would become of calls, for an agent that has not made them yet.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use serde_json::Value;

use super::kind::Kind;
use super::service::{Gate, Standing};
use crate::domain::ahead::{Ahead, Prospect};
use crate::domain::gate::{Asking, Verdict};
use crate::domain::operation::{Caller, table};

#[async_trait]
impl Ahead for Gate {
    async fn foresee(&self, caller: &Caller, tools: &[&str]) -> BTreeMap<String, Prospect> {
        let standing = self.standing();
        let asking = self.asking(caller, Kind::Tools.usage());
        let mut prospects = BTreeMap::new();
        let mut seen = None;
        for tool in tools {
            let own = table::row(tool).filter(|row| !row.rules.listed.is_empty());
            let prospect = match own {
                Some(_) => own_prospect(&standing, tool, &asking),
                None => standing.prospect(tool, &asking),
            };
            // A tool that nobody has waits for nobody; that one is denied is said of its name alone,
            // whether it is there or not.
            if prospect == Some(Prospect::Held) && own.is_none() {
                if seen.is_none() {
                    seen = Some(standing.seen(asking).await);
                }
                let is_seen = seen.as_ref().is_some_and(|seen| seen.contains(*tool));
                if !is_seen {
                    continue;
                }
            }
            prospects.extend(prospect.map(|prospect| ((*tool).to_owned(), prospect)));
        }
        prospects
    }
}

impl Standing {
    /// What stands in the way of a tool of this name, wherever it would be. Where no rule is about the
    /// name, it may be a tool that the agent has from elsewhere.
    fn prospect(&self, tool: &str, asking: &Asking<'_>) -> Option<Prospect> {
        let mut denied = None;
        for member in &self.members {
            let Some(own) = member.own(Kind::Tools, tool) else {
                continue;
            };
            match self.judge(member, own, tool, asking) {
                Verdict::Forward => return None,
                Verdict::Approve(_) => return Some(Prospect::Held),
                Verdict::Deny(reason) if self.rules.are_about(&member.source, own, tool) => {
                    denied = denied.or(Some(Prospect::Denied(reason.into_owned())));
                }
                Verdict::Deny(_) => {}
            }
        }
        denied
    }

    /// The names of the tools that a caller sees.
    async fn seen(&self, asking: Asking<'_>) -> BTreeSet<String> {
        let listed = self.list(Kind::Tools, asking).await.unwrap_or_default();
        let tools = listed[Kind::Tools.member()].as_array();
        let names = tools.into_iter().flatten();
        let names = names.filter_map(|tool| tool.get(Kind::Tools.key()));
        names.filter_map(Value::as_str).map(str::to_owned).collect()
    }
}

fn own_prospect(standing: &Standing, tool: &str, asking: &Asking<'_>) -> Option<Prospect> {
    match standing.rules.judge_own(tool, asking) {
        Verdict::Forward => None,
        Verdict::Approve(_) => Some(Prospect::Held),
        Verdict::Deny(reason) => Some(Prospect::Denied(reason.into_owned())),
    }
}
