//! What render, update and emit share.

use std::collections::HashMap;
use std::sync::Arc;

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use serde_json::Value;

use super::super::book::{Blueprints, Book, Contracts};
use super::error::{ContentError, too_large};
use super::generation::{Generation, ModelOfServer};
use crate::domain::clock::{Clock, Ids};
use crate::domain::contract::CompiledContract;
use crate::domain::limits::{Limits, quota};
use crate::domain::links::Links;
use crate::domain::size::value_bytes;
use crate::domain::theme::Themes;
use crate::wire::ids::SessionKey;

/// What renders are made from.
pub(crate) struct Stock {
    /// Compiled contracts and their views.
    pub(crate) contracts: Arc<Contracts>,
    /// What was rendered before.
    pub(crate) blueprints: Arc<Blueprints>,
    /// What it may look like.
    pub(crate) themes: Themes,
    /// Where people reach what was rendered.
    pub(crate) links: Links,
    /// What may draw views, if anything may.
    pub(crate) model: Option<ModelOfServer>,
}

/// Renders, updates, emits.
pub(crate) struct Content {
    pub(super) book: Arc<Book>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ids: Arc<dyn Ids>,
    pub(super) contracts: Arc<Contracts>,
    pub(super) blueprints: Arc<Blueprints>,
    pub(super) themes: Themes,
    pub(super) links: Links,
    /// What may draw views, if anything may.
    pub(super) generation: Option<Arc<Generation>>,
    pub(super) limits: Limits,
    /// Input schemas of the tools of this server, by name.
    pub(super) own_tools: HashMap<&'static str, Value>,
    pub(super) emit_rate: DefaultKeyedRateLimiter<SessionKey>,
}

impl Content {
    /// The use cases over the book.
    pub(crate) fn new(
        book: Arc<Book>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Ids>,
        stock: Stock,
        limits: Limits,
        own_tools: HashMap<&'static str, Value>,
    ) -> Self {
        let generation = stock.model.map(|model| {
            Arc::new(Generation::new(
                model,
                Arc::clone(&book),
                Arc::clone(&stock.blueprints),
                Arc::clone(&clock),
                Arc::clone(&ids),
                limits.generation.clone(),
            ))
        });
        let quota = quota(limits.emits.per_second, limits.emits.burst);
        let quota = Quota::per_second(quota.0).allow_burst(quota.1);
        Self {
            book,
            clock,
            ids,
            contracts: stock.contracts,
            blueprints: stock.blueprints,
            themes: stock.themes,
            links: stock.links,
            generation,
            limits,
            own_tools,
            emit_rate: RateLimiter::keyed(quota),
        }
    }

    /// Props against their size and their schema.
    pub(super) fn check_props(
        &self,
        contract: &CompiledContract,
        props: &Value,
    ) -> Result<(), ContentError> {
        let max = self.limits.sessions.props_bytes_max;
        let judged = if value_bytes(props) > max {
            Err(vec![too_large("props", max)])
        } else if contract.has_props_spec() {
            contract.check_props(props)
        } else {
            Ok(())
        };
        judged.map_err(|violations| ContentError::Violations {
            violations,
            props_schema_hash: Some(contract.props_schema_hash().to_owned()),
        })
    }

    /// Frees what rates remember of sessions that no longer emit.
    pub(crate) fn sweep(&self) {
        self.emit_rate.retain_recent();
        if let Some(generation) = &self.generation {
            generation.sweep();
        }
    }
}
