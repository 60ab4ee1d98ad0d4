//! Channels that pages feed: which of a contract's, and the port that feeds them.

use std::any::Any;
use std::sync::Arc;

use super::super::operation::Signature as _;
use super::super::operation::table::BrainGet;
use super::super::session::Session;
use crate::wire::contract::{AgentCapabilities, Contract, StreamEntry};

/// The name by which a contract may say that a tool is one of this server.
const OWN_SERVER: &str = "proscenium";
/// The finding of a channel that no page feeds although the contract says so.
pub(crate) const PAGE_FEED: &str = "PAGE_FEED";
/// The argument that names the page.
const SLUG: &str = "slug";

/// A channel whose items are a page, each time that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageChannel<'a> {
    /// Its name.
    pub(crate) channel: &'a str,
    /// The page, as the contract names it.
    pub(crate) page: &'a str,
}

/// The channels of a contract that pages feed, in declared order.
pub(crate) fn page_channels(contract: &Contract) -> impl Iterator<Item = PageChannel<'_>> {
    let agent = contract.agent_capabilities.as_ref();
    let streams = contract.stream_spec.iter().flatten();
    streams.filter_map(move |(channel, entry)| {
        let page = page_of(entry, agent)?;
        Some(PageChannel { channel, page })
    })
}

/// The page that feeds a channel, if one does.
pub(crate) fn page_of<'a>(
    entry: &'a StreamEntry,
    agent: Option<&AgentCapabilities>,
) -> Option<&'a str> {
    let source = entry.source.as_ref()?;
    if source.tool != BrainGet::NAME {
        return None;
    }
    // Another server may have a tool of this name.
    let declared = agent.and_then(|agent| agent.tools.get(&source.tool));
    let server = declared.and_then(|tool| tool.server_info.as_ref());
    if server.is_some_and(|server| server.name != OWN_SERVER) {
        return None;
    }
    source.args.as_ref()?.get(SLUG)?.as_str()
}

/// Whoever holds it watches a session.
pub(crate) type Watch = Box<dyn Any + Send + Sync>;

/// Feeds channels from pages.
pub(crate) trait PageFeeds: Send + Sync + 'static {
    /// Feeds the channels of a session until what this gives is dropped; `None` where no page feeds any
    /// of them.
    fn watch(self: Arc<Self>, session: &Session) -> Option<Watch>;
}
