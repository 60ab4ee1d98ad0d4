//! The gate as it stands: its servers and its rules, exchanged as a whole.

use std::sync::Arc;

use futures_util::future::join_all;
use parking_lot::RwLock;
use serde_json::{Map, Value, json};

use super::approvals::Approvals;
use super::error::{GateError, unasked};
use super::kind::Kind;
use super::pinned::Pinned;
use super::search_tools::search_tools;
use super::served::{Entries, Served};
use crate::domain::clock::Time;
use crate::domain::gate::{
    Asking, Definition, GateConfig, Pins, Rules, Source, UpstreamError, Upstreams, Use, Verdict,
};
use crate::domain::limits::GateLimits;
use crate::domain::operation::Caller;
use crate::wire::gate::GateReadParams;

/// The gate.
pub(crate) struct Gate {
    upstreams: Box<dyn Upstreams>,
    limits: GateLimits,
    standing: RwLock<Arc<Standing>>,
    pub(super) approvals: Arc<Approvals>,
}

/// Servers and rules that hold together.
pub(super) struct Standing {
    pub(super) rules: Rules,
    /// Whether callers find tools by words instead of having them all listed.
    pub(super) search: bool,
    /// None: every tool is used as it is.
    pub(super) pinned: Option<Arc<Pinned>>,
    /// Those who ask people about tools that are not what was accepted.
    pub(super) approvals: Option<Arc<Approvals>>,
    pub(super) members: Vec<Member>,
}

/// A source of the gate, and the server it is.
pub(super) struct Member {
    pub(super) source: Arc<Source>,
    pub(super) served: Arc<Served>,
}

impl Member {
    /// The name of the source's own for a name that callers see.
    pub(super) fn own<'a>(&self, kind: Kind, seen: &'a str) -> Option<&'a str> {
        if kind.has_prefix() {
            seen.strip_prefix(&*self.source.prefix)
        } else {
            Some(seen)
        }
    }

    /// The name that callers see.
    pub(super) fn seen(&self, kind: Kind, own: &str) -> String {
        if kind.has_prefix() {
            format!("{}{own}", self.source.prefix)
        } else {
            own.to_owned()
        }
    }
}

/// The tools that each source of a gate lists, to be accepted.
///
/// # Errors
/// The id of the first source that gives no list, and why.
pub(crate) async fn listed(
    config: &GateConfig,
    upstreams: &dyn Upstreams,
    limits: &GateLimits,
) -> Result<Pins, (String, UpstreamError)> {
    let standing = Standing::of(config, &[], upstreams, limits, None);
    let asked = standing.members.iter().map(async |member| {
        let id = member.source.id.clone();
        match Arc::clone(&member.served).list(Kind::Tools).await {
            Ok(tools) => Ok((id, definitions(&member.served, &tools))),
            Err(error) => Err((id, error)),
        }
    });
    let listed: Result<Vec<_>, _> = join_all(asked).await.into_iter().collect();
    listed.map(Pins::of)
}

impl Gate {
    /// A gate; its servers are connected at once, side by side.
    pub(crate) fn new(
        config: &GateConfig,
        upstreams: Box<dyn Upstreams>,
        limits: GateLimits,
        approvals: Arc<Approvals>,
    ) -> Self {
        let standing = Standing::of(config, &[], &*upstreams, &limits, Some(&approvals));
        approvals.rules.send_replace(config.rules.version.clone());
        let standing = Arc::new(standing);
        standing.look_for_changes();
        Self {
            upstreams,
            limits,
            standing: RwLock::new(standing),
            approvals,
        }
    }

    /// Exchanges sources and rules in one step. Servers that are reached as before stay connected;
    /// those that are gone end when the last of their calls has.
    pub(crate) fn replace(&self, config: &GateConfig) {
        let before = self.standing();
        let (upstreams, asking) = (&*self.upstreams, Some(&self.approvals));
        let standing = Standing::of(config, &before.members, upstreams, &self.limits, asking);
        let standing = Arc::new(standing);
        standing.look_for_changes();
        *self.standing.write() = standing;
        let version = config.rules.version.clone();
        self.approvals.rules.send_replace(version);
    }

    /// Looks at what all servers list now.
    pub(crate) fn look_for_changes(&self) {
        self.standing().look_for_changes();
    }

    pub(super) fn standing(&self) -> Arc<Standing> {
        Arc::clone(&self.standing.read())
    }

    /// What a caller would do now.
    pub(super) fn asking<'a>(&self, caller: &'a Caller, usage: Use<'a>) -> Asking<'a> {
        Asking {
            principal: Some(&caller.principal),
            usage,
            at: self.approvals.clock.wall(),
        }
    }

    /// Answers what changes nothing.
    pub(super) async fn read(
        &self,
        caller: &Caller,
        params: GateReadParams,
    ) -> Result<Value, GateError> {
        let GateReadParams { method, mut params } = params;
        let standing = self.standing();
        if let Some(kind) = Kind::of_method(&method) {
            if params.contains_key("cursor") {
                let why = "params.cursor: this gate gave none; its lists have one page";
                return Err(GateError::Malformed(why.to_owned()));
            }
            if kind == Kind::Tools && standing.search {
                return Ok(json!({ kind.member(): search_tools() }));
            }
            return standing.list(kind, self.asking(caller, kind.usage())).await;
        }
        match method.as_str() {
            "prompts/get" => {
                let name = text(&params, "name")?;
                let arguments = match params.shift_remove("arguments") {
                    None | Some(Value::Null) => Map::new(),
                    Some(Value::Object(arguments)) => arguments,
                    Some(_) => {
                        let why = "params.arguments: must be object".to_owned();
                        return Err(GateError::Malformed(why));
                    }
                };
                self.get(caller, Kind::Prompts, name, arguments).await
            }
            "resources/read" => {
                let uri = text(&params, "uri")?;
                self.get(caller, Kind::Resources, uri, Map::new()).await
            }
            "completion/complete" => {
                let asking = |kind: Kind| self.asking(caller, kind.usage());
                let (member, reference) = standing.referred(&params, asking).await?;
                params.insert("ref".to_owned(), reference);
                params.shift_remove("_meta");
                member
                    .served
                    .request("completion/complete", params, None)
                    .await
            }
            _ => Err(GateError::Method(method)),
        }
    }
}

impl Standing {
    /// What a configuration describes. Servers that are reached as those of before are kept; the
    /// others are connected at once.
    fn of(
        config: &GateConfig,
        before: &[Member],
        upstreams: &dyn Upstreams,
        limits: &GateLimits,
        approvals: Option<&Arc<Approvals>>,
    ) -> Self {
        let members = config.sources.iter().map(|source| {
            let mut before = before.iter().map(|member| &member.served);
            let kept = before.find(|served| served.connection == source.connection);
            let served = kept.map(Arc::clone).unwrap_or_else(|| {
                let connection = source.connection.clone();
                let served = Arc::new(Served::open(connection, upstreams, limits));
                tokio::spawn(Arc::clone(&served).list(Kind::Tools));
                served
            });
            Member {
                source: Arc::clone(source),
                served,
            }
        });
        Self {
            rules: config.rules.clone(),
            search: config.search,
            pinned: Pinned::of(config).map(Arc::new),
            approvals: approvals.cloned(),
            members: members.collect(),
        }
    }

    /// Looks at what all servers list, so that people are asked about what has changed whether an
    /// agent comes or not.
    fn look_for_changes(self: &Arc<Self>) {
        if self.pinned.is_some() {
            let standing = Arc::clone(self);
            // A server that gives no list is looked at when somebody asks for it.
            let everything = Asking {
                principal: None,
                usage: Kind::Tools.usage(),
                at: Time::default(),
            };
            tokio::spawn(async move { drop(standing.list(Kind::Tools, everything).await) });
        }
    }

    /// What a completion is about: a prompt or a resource, under its server's own name.
    async fn referred<'a>(
        &self,
        params: &Map<String, Value>,
        asking: impl Fn(Kind) -> Asking<'a>,
    ) -> Result<(&Member, Value), GateError> {
        let reference = params.get("ref").and_then(Value::as_object);
        let malformed = || GateError::Malformed("params.ref: must be object".to_owned());
        let reference = reference.ok_or_else(malformed)?;
        match reference.get("type").and_then(Value::as_str) {
            Some("ref/prompt") => {
                let name = text(reference, "name")?;
                let named = self
                    .find(Kind::Prompts, &name, asking(Kind::Prompts))
                    .await?;
                unasked(&name, &named.verdict)?;
                let reference = json!({ "type": "ref/prompt", "name": named.own });
                Ok((named.member, reference))
            }
            Some("ref/resource") => {
                let uri = text(reference, "uri")?;
                let member = self.template(&uri, asking(Kind::Templates)).await?;
                Ok((member, json!({ "type": "ref/resource", "uri": uri })))
            }
            _ => {
                let why = "params.ref.type: must be ref/prompt or ref/resource";
                Err(GateError::Malformed(why.to_owned()))
            }
        }
    }

    /// What may be done with something of a member.
    pub(super) fn judge(
        &self,
        member: &Member,
        own: &str,
        seen: &str,
        asking: &Asking<'_>,
    ) -> Verdict<'_> {
        self.rules.judge(&member.source, own, seen, asking)
    }
}

/// The tools of a list, by their names.
fn definitions(served: &Served, tools: &Entries) -> Vec<(String, Definition)> {
    let server = served.server();
    let tools = tools.iter().filter_map(|tool| {
        let name = Kind::Tools.name(tool)?.to_owned();
        Some((name, Definition::of(server.as_deref(), tool)))
    });
    tools.collect()
}

fn text(params: &Map<String, Value>, name: &str) -> Result<String, GateError> {
    let given = params.get(name).and_then(Value::as_str);
    let given = given.map(str::to_owned);
    given.ok_or_else(|| GateError::Malformed(format!("params.{name}: a text is required")))
}
