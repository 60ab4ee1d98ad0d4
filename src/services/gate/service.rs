//! The gate as it stands: its servers and its rules, exchanged as a whole.

use std::sync::Arc;

use futures_util::future::join_all;
use parking_lot::RwLock;
use serde_json::{Map, Value, json};

use super::error::GateError;
use super::kind::Kind;
use super::served::{Entries, Served};
use crate::domain::gate::{
    Definition, GateConfig, Pins, Rules, Source, UpstreamError, Upstreams, Verdict,
};
use crate::domain::limits::GateLimits;
use crate::wire::gate::{GateCallParams, GateReadParams};

/// The gate.
pub(crate) struct Gate {
    upstreams: Box<dyn Upstreams>,
    limits: GateLimits,
    standing: RwLock<Arc<Standing>>,
}

/// Servers and rules that hold together.
pub(super) struct Standing {
    pub(super) rules: Rules,
    pub(super) pins: Option<Pins>,
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

impl Gate {
    /// A gate; its servers are connected at once, side by side.
    pub(crate) fn new(
        config: &GateConfig,
        upstreams: Box<dyn Upstreams>,
        limits: GateLimits,
    ) -> Self {
        let standing = RwLock::new(Arc::new(Standing {
            rules: config.rules.clone(),
            pins: None,
            members: Vec::new(),
        }));
        let gate = Self {
            upstreams,
            limits,
            standing,
        };
        gate.replace(config);
        gate
    }

    /// Exchanges sources and rules in one step. Servers that are reached as before stay connected;
    /// those that are gone end when the last of their calls has.
    pub(crate) fn replace(&self, config: &GateConfig) {
        let before = self.standing();
        let members = config.sources.iter().map(|source| {
            let mut standing = before.members.iter().map(|member| &member.served);
            let standing = standing.find(|served| served.connection == source.connection);
            let served = standing.map(Arc::clone).unwrap_or_else(|| {
                let connection = source.connection.clone();
                let upstream = self.upstreams.open(&connection);
                let served = Arc::new(Served::new(connection, upstream, &self.limits));
                tokio::spawn(Arc::clone(&served).list(Kind::Tools));
                served
            });
            Member {
                source: Arc::clone(source),
                served,
            }
        });
        let members = members.collect();
        *self.standing.write() = Arc::new(Standing {
            rules: config.rules.clone(),
            pins: config.pins.clone(),
            members,
        });
    }

    pub(super) fn standing(&self) -> Arc<Standing> {
        Arc::clone(&self.standing.read())
    }

    /// The tools that each source lists, to be accepted.
    ///
    /// # Errors
    /// The id of the first source that gives no list, and why.
    pub(crate) async fn pins(&self) -> Result<Pins, (String, UpstreamError)> {
        let standing = self.standing();
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

    /// Calls a tool.
    pub(super) async fn call(&self, params: GateCallParams) -> Result<Value, GateError> {
        let GateCallParams { name, arguments } = params;
        let standing = self.standing();
        let (member, own) = standing.find(Kind::Tools, &name).await?;
        let params = [
            ("name".to_owned(), own.into()),
            ("arguments".to_owned(), arguments.into()),
        ];
        let params = params.into_iter().collect();
        member.served.request("tools/call", params).await
    }

    /// Answers what changes nothing.
    pub(super) async fn read(&self, params: GateReadParams) -> Result<Value, GateError> {
        let GateReadParams { method, mut params } = params;
        let standing = self.standing();
        if let Some(kind) = Kind::of_method(&method) {
            if params.contains_key("cursor") {
                let why = "params.cursor: this gate gave none; its lists have one page";
                return Err(GateError::Malformed(why.to_owned()));
            }
            return standing.list(kind).await;
        }
        match method.as_str() {
            "prompts/get" => {
                let name = text(&params, "name")?;
                let (member, own) = standing.find(Kind::Prompts, &name).await?;
                params.insert("name".to_owned(), own.into());
                params.shift_remove("_meta");
                member.served.request("prompts/get", params).await
            }
            "resources/read" => {
                let uri = text(&params, "uri")?;
                let member = standing.resource(&uri).await?;
                let params = [("uri".to_owned(), uri.into())].into_iter().collect();
                member.served.request("resources/read", params).await
            }
            "completion/complete" => {
                let (member, reference) = standing.referred(&params).await?;
                params.insert("ref".to_owned(), reference);
                params.shift_remove("_meta");
                member.served.request("completion/complete", params).await
            }
            _ => Err(GateError::Method(method)),
        }
    }
}

impl Standing {
    /// What a completion is about: a prompt or a resource, under its server's own name.
    async fn referred(&self, params: &Map<String, Value>) -> Result<(&Member, Value), GateError> {
        let reference = params.get("ref").and_then(Value::as_object);
        let malformed = || GateError::Malformed("params.ref: must be object".to_owned());
        let reference = reference.ok_or_else(malformed)?;
        match reference.get("type").and_then(Value::as_str) {
            Some("ref/prompt") => {
                let name = text(reference, "name")?;
                let (member, own) = self.find(Kind::Prompts, &name).await?;
                Ok((member, json!({ "type": "ref/prompt", "name": own })))
            }
            Some("ref/resource") => {
                let uri = text(reference, "uri")?;
                let member = self.template(&uri).await?;
                Ok((member, json!({ "type": "ref/resource", "uri": uri })))
            }
            _ => {
                let why = "params.ref.type: must be ref/prompt or ref/resource";
                Err(GateError::Malformed(why.to_owned()))
            }
        }
    }

    /// What may be done with something of a member.
    pub(super) fn judge(&self, member: &Member, own: &str, seen: &str) -> Verdict<'_> {
        self.rules.judge(&member.source, own, seen)
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
