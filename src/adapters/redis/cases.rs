//! The stores in Redis do what every store must do, above a real server.

use std::time::Duration;

use super::test_server::{Server, node};
use super::{RedisActivity, RedisAnswers, RedisBlueprints, RedisPresence, RedisSessions};
use crate::adapters::battery::{
    activity_store_battery, answers::limits, blueprint_store_battery, presence_store_battery,
    replayed_answers_battery, session_store_battery,
};

/// Longer than any session of a test lives.
pub(super) const LIFE_MAX: Duration = Duration::from_secs(86_400);

async fn sessions() -> (RedisSessions, Server) {
    let server = Server::start();
    (RedisSessions::new(node(&server).await, LIFE_MAX), server)
}

async fn activity() -> (RedisActivity, Server) {
    let server = Server::start();
    (RedisActivity::new(node(&server).await), server)
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

activity_store_battery!(activity);
session_store_battery!(sessions);
blueprint_store_battery!(blueprints);
presence_store_battery!(presence);
replayed_answers_battery!(answers);
