//! Where the server of the store is, read from one URL.

use std::fmt;
use std::time::Duration;

use redis::sentinel::{SentinelClient, SentinelClientBuilder, SentinelServerType};
use redis::{Client, ConnectionAddr, ConnectionInfo, IntoConnectionInfo as _, RedisError, TlsMode};

/// The most that is waited for one answer: longer than any healthy server needs, and short enough
/// that a caller is told to come back before it gives up by itself.
pub(super) const ANSWER_WITHIN: Duration = Duration::from_secs(1);

/// Where the server of the store is.
pub(crate) enum Address {
    /// One server.
    Server(Box<Client>),
    /// A cluster, by some of its servers.
    Cluster(Vec<ConnectionInfo>),
    /// The master that sentinels know.
    Sentinel(Box<SentinelClient>),
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Server(_) => "a server",
            Self::Cluster(_) => "a cluster",
            Self::Sentinel(_) => "a master of sentinels",
        })
    }
}

impl Address {
    /// Reads a URL: `redis://[user:password@]host[:port][/database]`, `rediss://` with TLS,
    /// `redis+unix:///path` for a socket of this machine; `redis+cluster://` and `redis+sentinel://` (with TLS: `rediss+…`) name several hosts with
    /// commas, and sentinels the name of the master: `redis+sentinel://host,host/name[/database]`.
    ///
    /// # Errors
    ///
    /// A sentence that says what is wrong, without any password.
    pub(crate) fn parse(url: &str) -> Result<Self, String> {
        let (scheme, rest) = url.split_once("://").ok_or_else(|| unknown(url))?;
        let (scheme, kind) = match scheme.split_once('+') {
            None => (scheme, ""),
            Some(parts) => parts,
        };
        if !matches!(scheme, "redis" | "rediss" | "valkey" | "valkeys") {
            return Err(unknown(scheme));
        }
        let said = |error: RedisError| error.to_string();
        match kind {
            "" | "unix" => Ok(Self::Server(Box::new(Client::open(url).map_err(said)?))),
            "cluster" => Ok(Self::Cluster(several(scheme, rest).map_err(said)?)),
            "sentinel" => {
                let (hosts, path) = rest.split_once('/').unwrap_or((rest, ""));
                let (master, database) = path.split_once('/').unwrap_or((path, "0"));
                if master.is_empty() {
                    return Err("sentinels need the name of the master: \
                                redis+sentinel://host,host/name"
                        .to_owned());
                }
                let hosts = several(scheme, hosts).map_err(said)?;
                let found = sentinel(hosts, master, database).map_err(said)?;
                Ok(Self::Sentinel(Box::new(found)))
            }
            _ => Err(unknown(kind)),
        }
    }
}

fn unknown(scheme: &str) -> String {
    // What stands before a password may be shown; a whole URL may not.
    let scheme = if scheme.contains(['@', '/']) {
        ""
    } else {
        scheme
    };
    format!(
        "\"{scheme}\" is no address of a store; it begins with redis://, rediss://, \
         redis+cluster:// or redis+sentinel://"
    )
}

/// Every host of a list; user and password before the first are those of all.
fn several(scheme: &str, rest: &str) -> Result<Vec<ConnectionInfo>, RedisError> {
    let (credentials, hosts) = match rest.rsplit_once('@') {
        Some((credentials, hosts)) => (format!("{credentials}@"), hosts),
        None => (String::new(), rest),
    };
    let urls = hosts
        .split(',')
        .map(|host| format!("{scheme}://{credentials}{host}"));
    urls.map(|url| url.as_str().into_connection_info())
        .collect()
}

fn sentinel(
    hosts: Vec<ConnectionInfo>,
    master: &str,
    database: &str,
) -> Result<SentinelClient, RedisError> {
    let redis = hosts.first().map(|host| host.redis_settings().clone());
    let addresses: Vec<_> = hosts.into_iter().map(|host| host.addr().clone()).collect();
    let has_tls = addresses
        .iter()
        .any(|address| matches!(address, ConnectionAddr::TcpTls { .. }));
    let kind = SentinelServerType::Master;
    let mut builder = SentinelClientBuilder::new(addresses, master, kind)?;
    if has_tls {
        builder = builder.set_client_to_redis_tls_mode(TlsMode::Secure);
    }
    let database = database.parse().map_err(|_| {
        let kind = redis::ErrorKind::InvalidClientConfig;
        RedisError::from((kind, "the database is not a number"))
    })?;
    builder = builder.set_client_to_redis_db(database);
    if let Some(name) = redis.as_ref().and_then(|redis| redis.username()) {
        builder = builder.set_client_to_redis_username(name);
    }
    if let Some(password) = redis.as_ref().and_then(|redis| redis.password()) {
        builder = builder.set_client_to_redis_password(password);
    }
    builder.build()
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn addresses_are_of_one_server_a_cluster_or_sentinels() {
        for (url, is) in [
            ("redis://127.0.0.1", "a server"),
            ("rediss://user:secret@cache.example.org:6380/3", "a server"),
            ("redis+cluster://:secret@one:7000,two:7001", "a cluster"),
            (
                "redis+sentinel://one:26379,two:26379/main/2",
                "a master of sentinels",
            ),
        ] {
            assert_eq!(format!("{:?}", Address::parse(url).unwrap()), is, "{url}");
        }
    }

    #[test]
    fn a_wrong_address_is_refused_without_its_password() {
        for (url, word) in [
            ("user:secret@host", "redis://"),
            ("http://user:secret@host", "redis://"),
            ("redis://:secret@host/words", "number"),
            ("redis+sentinel://:secret@one:26379", "name of the master"),
            ("redis+sentinel://:secret@one:26379/main/words", "number"),
            ("redis+ring://:secret@one", "redis+cluster://"),
        ] {
            let refused = Address::parse(url).unwrap_err();
            assert!(refused.contains(word), "{url}: {refused}");
            assert!(!refused.contains("secret"), "{refused}");
        }
    }
}
