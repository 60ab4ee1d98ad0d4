//! The connection to the store: made when it is needed, and anew after a failure.

use std::time::Duration;

use parking_lot::Mutex;
use redis::aio::{ConnectionLike, MultiplexedConnection, PubSub};
use redis::cluster::ClusterClientBuilder;
use redis::cluster_async::ClusterConnection;
use redis::sentinel::SentinelClient;
use redis::{
    AsyncConnectionConfig, Client, Cmd, ErrorKind, FromRedisValue, Pipeline, RedisError,
    RedisFuture, RedisResult, ScriptInvocation, Value,
};
use tokio::time::{Instant, timeout};

use super::address::{ANSWER_WITHIN, Address};
use crate::domain::store_error::StoreError;

/// How long a server that could not be connected to is left alone: all who wait for the same attempt
/// share its outcome.
const LEFT_ALONE: Duration = Duration::from_millis(100);

/// The connection to the store; all who use it at once share it.
pub(super) enum Link {
    /// To one server at a time.
    Master(Box<Master>),
    /// To a cluster, which its library follows; and its first servers, for subscriptions.
    Cluster(ClusterConnection, Vec<Client>),
}

/// One server, or whichever one sentinels name now.
pub(super) struct Master {
    current: Mutex<Option<MultiplexedConnection>>,
    connecting: tokio::sync::Mutex<Connecting>,
}

struct Connecting {
    finder: Finder,
    failed: Option<(Instant, StoreError)>,
}

enum Finder {
    Fixed(Box<Client>),
    Sentinel(Box<SentinelClient>),
}

impl Finder {
    async fn find(&mut self) -> RedisResult<Client> {
        match self {
            Self::Fixed(client) => Ok(Client::clone(client)),
            Self::Sentinel(client) => client.async_get_client().await,
        }
    }
}

/// A connection of either kind.
enum Connection {
    Master(MultiplexedConnection),
    Cluster(ClusterConnection),
}

impl ConnectionLike for Connection {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            Self::Master(connection) => connection.req_packed_command(cmd),
            Self::Cluster(connection) => connection.req_packed_command(cmd),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        match self {
            Self::Master(connection) => connection.req_packed_commands(pipeline, offset, count),
            Self::Cluster(connection) => connection.req_packed_commands(pipeline, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Self::Master(connection) => connection.get_db(),
            Self::Cluster(connection) => connection.get_db(),
        }
    }
}

fn in_time<T>(outcome: Result<RedisResult<T>, tokio::time::error::Elapsed>) -> RedisResult<T> {
    outcome.unwrap_or_else(|_| {
        let kind = ErrorKind::Io;
        Err(RedisError::from((kind, "it did not answer in time")))
    })
}

impl Link {
    /// A link that is tried once, so that a wrong address or password is known at once.
    pub(super) async fn connect(address: Address) -> Result<Self, StoreError> {
        let link = match address {
            Address::Server(client) => Self::Master(Master::new(Finder::Fixed(client)).into()),
            Address::Sentinel(client) => Self::Master(Master::new(Finder::Sentinel(client)).into()),
            Address::Cluster(servers) => {
                let clients = servers.iter().cloned().map(Client::open);
                let clients: RedisResult<Vec<_>> = clients.collect();
                let cluster = ClusterClientBuilder::new(servers)
                    .connection_timeout(ANSWER_WITHIN)
                    .response_timeout(ANSWER_WITHIN)
                    .build()
                    .map_err(StoreError::unavailable)?;
                let connection = timeout(5 * ANSWER_WITHIN, cluster.get_async_connection()).await;
                let connection = in_time(connection).map_err(StoreError::unavailable)?;
                Self::Cluster(connection, clients.map_err(StoreError::unavailable)?)
            }
        };
        link.ask::<String>(&redis::cmd("PING")).await?;
        Ok(link)
    }

    /// What a command answers.
    pub(super) async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, StoreError> {
        let mut connection = self.connection().await?;
        let answer = timeout(2 * ANSWER_WITHIN, command.query_async(&mut connection)).await;
        self.judged(in_time(answer))
    }

    /// What a script answers.
    pub(super) async fn run<T: FromRedisValue>(
        &self,
        script: &ScriptInvocation<'_>,
    ) -> Result<T, StoreError> {
        let mut connection = self.connection().await?;
        let answer = timeout(2 * ANSWER_WITHIN, script.invoke_async(&mut connection)).await;
        self.judged(in_time(answer))
    }

    /// What commands answer that are carried out together, of keys at one place.
    pub(super) async fn all<T: FromRedisValue>(
        &self,
        commands: &Pipeline,
    ) -> Result<T, StoreError> {
        let mut connection = self.connection().await?;
        let answer = timeout(2 * ANSWER_WITHIN, commands.query_async(&mut connection)).await;
        self.judged(in_time(answer))
    }

    async fn connection(&self) -> Result<Connection, StoreError> {
        match self {
            Self::Master(master) => master.connection().await.map(Connection::Master),
            Self::Cluster(connection, _) => Ok(Connection::Cluster(connection.clone())),
        }
    }

    /// After a failure of the connection, or of a server that is no master any more, the next one
    /// who asks makes a new connection.
    fn judged<T>(&self, answer: RedisResult<T>) -> Result<T, StoreError> {
        if let (Self::Master(master), Err(error)) = (self, &answer) {
            let is_replica = error.code() == Some("READONLY");
            if error.is_io_error() || error.is_unrecoverable_error() || is_replica {
                *master.current.lock() = None;
            }
        }
        answer.map_err(StoreError::unavailable)
    }

    /// A connection of its own, for subscriptions.
    pub(super) async fn subscriber(&self) -> Result<PubSub, StoreError> {
        let clients = match self {
            Self::Master(master) => vec![master.client().await?],
            Self::Cluster(_, clients) => clients.clone(),
        };
        let mut failed = StoreError::unavailable("there is no server to subscribe at");
        for client in clients {
            match in_time(timeout(ANSWER_WITHIN, client.get_async_pubsub()).await) {
                Ok(subscriber) => return Ok(subscriber),
                Err(error) => failed = StoreError::unavailable(error),
            }
        }
        Err(failed)
    }

    /// Of one setting, what each server says; nothing where it may not be asked.
    pub(super) async fn setting(&self, name: &str) -> Option<String> {
        let mut command = redis::cmd("CONFIG");
        command.arg("GET").arg(name);
        match self {
            Self::Master(_) => {
                let pair: Vec<String> = self.ask(&command).await.ok()?;
                pair.into_iter().nth(1)
            }
            Self::Cluster(_, clients) => {
                let client = clients.first()?;
                let config = AsyncConnectionConfig::new();
                let connection = client.get_multiplexed_async_connection_with_config(&config);
                let mut connection = timeout(ANSWER_WITHIN, connection).await.ok()?.ok()?;
                let pair: Vec<String> = command.query_async(&mut connection).await.ok()?;
                pair.into_iter().nth(1)
            }
        }
    }
}

impl Master {
    fn new(finder: Finder) -> Self {
        Self {
            current: Mutex::default(),
            connecting: tokio::sync::Mutex::new(Connecting {
                finder,
                failed: None,
            }),
        }
    }

    async fn connection(&self) -> Result<MultiplexedConnection, StoreError> {
        if let Some(connection) = self.current.lock().clone() {
            return Ok(connection);
        }
        // Whoever connects may not be polled for a while: nobody waits longer than an attempt lasts.
        let turn = timeout(3 * ANSWER_WITHIN, self.connecting.lock()).await;
        let mut connecting =
            turn.map_err(|_| StoreError::unavailable("it is not connected in time"))?;
        if let Some(connection) = self.current.lock().clone() {
            return Ok(connection);
        }
        if let Some((at, failed)) = &connecting.failed
            && at.elapsed() < LEFT_ALONE
        {
            return Err(failed.clone());
        }
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(ANSWER_WITHIN))
            .set_response_timeout(Some(ANSWER_WITHIN));
        let attempt = async {
            let client = connecting.finder.find().await?;
            let made = client.get_multiplexed_async_connection_with_config(&config);
            made.await
        };
        match in_time(timeout(2 * ANSWER_WITHIN, attempt).await) {
            Ok(connection) => {
                connecting.failed = None;
                *self.current.lock() = Some(connection.clone());
                Ok(connection)
            }
            Err(error) => {
                let failed = StoreError::unavailable(error);
                connecting.failed = Some((Instant::now(), failed.clone()));
                Err(failed)
            }
        }
    }

    async fn client(&self) -> Result<Client, StoreError> {
        let mut connecting = self.connecting.lock().await;
        let found = timeout(2 * ANSWER_WITHIN, connecting.finder.find()).await;
        in_time(found).map_err(StoreError::unavailable)
    }
}
