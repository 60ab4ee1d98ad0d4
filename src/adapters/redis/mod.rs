//! Everything that is kept, in Redis 7 or Valkey, for any number of nodes.

mod activity;
mod address;
mod answers;
mod beat;
mod blueprints;
#[cfg(test)]
mod cases;
mod changes;
mod link;
mod logs;
mod names;
mod node;
#[cfg(test)]
mod node_cases;
mod presence;
mod recovery;
mod sessions;
#[cfg(test)]
mod test_server;

pub(crate) use activity::RedisActivity;
pub(crate) use address::Address;
pub(crate) use answers::RedisAnswers;
pub(crate) use blueprints::RedisBlueprints;
pub(crate) use node::Node;
pub(crate) use presence::RedisPresence;
pub(crate) use sessions::RedisSessions;
