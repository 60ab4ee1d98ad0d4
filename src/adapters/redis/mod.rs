//! Everything that is kept, in Redis 7 or Valkey, for any number of nodes.

mod address;
mod answers;
mod beat;
mod blueprints;
mod changes;
mod link;
mod logs;
mod names;
mod node;
mod presence;
mod recovery;
#[cfg(test)]
mod server;
mod sessions;
#[cfg(test)]
mod tests;

pub(crate) use address::Address;
pub(crate) use answers::RedisAnswers;
pub(crate) use blueprints::RedisBlueprints;
pub(crate) use node::Node;
pub(crate) use presence::RedisPresence;
pub(crate) use sessions::RedisSessions;
