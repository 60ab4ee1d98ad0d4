//! The batteries of the ports above a real server, and what only several nodes can show.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{FutureExt as _, StreamExt as _};

use super::server::Server;
use super::{Address, Node, RedisAnswers, RedisBlueprints, RedisPresence, RedisSessions};
use crate::adapters::battery::{
    answers::limits, blueprint_store_battery, presence_store_battery, replayed_answers_battery,
    session_store_battery,
};
use crate::adapters::system::{SystemClock, SystemIds};

/// Longer than any session of a test lives.
const LIFE_MAX: Duration = Duration::from_secs(86_400);

async fn node(server: &Server) -> Arc<Node> {
    let address = Address::parse(&server.url()).unwrap();
    let clock = Arc::new(SystemClock::new());
    let joined = Node::join(address, "test", clock, Arc::new(SystemIds)).await;
    joined.unwrap()
}

async fn sessions() -> (RedisSessions, Server) {
    let server = Server::start();
    (RedisSessions::new(node(&server).await, LIFE_MAX), server)
}

async fn blueprints() -> (RedisBlueprints, Server) {
    let server = Server::start();
    (RedisBlueprints::new(node(&server).await), server)
}

async fn presence() -> (RedisPresence, Server) {
    let server = Server::start();
    (RedisPresence::new(node(&server).await), server)
}

async fn answers() -> (RedisAnswers, Server) {
    let server = Server::start();
    (RedisAnswers::new(node(&server).await, limits()), server)
}

session_store_battery!(sessions);
blueprint_store_battery!(blueprints);
presence_store_battery!(presence);
replayed_answers_battery!(answers);
