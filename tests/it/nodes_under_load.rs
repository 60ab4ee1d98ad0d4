//! Several nodes above one Redis, with clients at work while something fails: the whole history of all
//! of them is checked.

use std::io::Write as _;
use std::sync::Arc;

use crate::history::{Nodes, Work};
use crate::node::Node;
use crate::redis_server::RedisServer;

/// Sockets by default, and how many of them follow the same session.
const SOCKETS: usize = 24;
const SOCKETS_VARIABLE: &str = "PROSCENIUM_NODES_SOCKETS";
const SOCKETS_OF_SESSION: usize = 8;
/// How often all nodes are replaced by default.
const ROUNDS: usize = 1;
const ROUNDS_VARIABLE: &str = "PROSCENIUM_NODES_ROUNDS";
/// Acknowledgements between two events: each client has done something.
const STEPS_OF_SESSION: usize = 30;
/// A node that keeps the whole history, to be compared at the end.
const SETTINGS: [(&str, &str); 2] = [
    ("PROSCENIUM_LOG_EVENTS_MAX", "10000000"),
    ("PROSCENIUM_LOG_BYTES_MAX", "10000000000"),
];
fn number(variable: &str, default: usize) -> usize {
    let given = std::env::var(variable).ok();
    given.map_or(default, |given| given.parse().expect("a number"))
}

/// Three nodes, and clients at work.
struct Site {
    redis: RedisServer,
    nodes: Vec<Node>,
    known: Arc<Nodes>,
    work: Work,
    steps: usize,
}

impl Site {
    async fn start() -> Self {
        let redis = RedisServer::start().await;
        let known = Arc::new(Nodes::default());
        let mut nodes = Vec::new();
        for _ in 0..3 {
            let node = redis.node_with(&SETTINGS).await;
            known.add(&node.client);
            nodes.push(node);
        }
        let sessions = (number(SOCKETS_VARIABLE, SOCKETS) / SOCKETS_OF_SESSION).max(1);
        let mut site = Self {
            work: Work::begin(Arc::clone(&known), sessions, SOCKETS_OF_SESSION).await,
            redis,
            nodes,
            known,
            steps: STEPS_OF_SESSION * sessions,
        };
        site.goes_on().await;
        site
    }

    async fn goes_on(&mut self) {
        self.work.goes_on(self.steps).await;
    }

    /// One more node, to which clients may turn.
    async fn add(&mut self) {
        let node = self.redis.node_with(&SETTINGS).await;
        self.known.add(&node.client);
        self.nodes.push(node);
    }

    /// Checks the history, with as many losses as there were at most.
    async fn check(mut self, losses: usize) {
        self.goes_on().await;
        let done = self.work.check(losses).await;
        let _ = writeln!(std::io::stdout(), "{done} acknowledgements");
        for node in self.nodes {
            node.stop().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn when_nodes_are_replaced_one_after_the_other_no_client_sees_an_error_after_its_retries() {
    let mut site = Site::start().await;
    for _ in 0..3 * number(ROUNDS_VARIABLE, ROUNDS) {
        site.add().await;
        let old = site.nodes.remove(0);
        site.known.remove(&old.client);
        old.stop().await;
        site.goes_on().await;
    }
    site.check(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn when_a_node_is_killed_and_another_sleeps_longer_than_its_lease_all_histories_stay_whole() {
    let mut site = Site::start().await;
    let killed = site.nodes.remove(0);
    site.known.remove(&killed.client);
    killed.kill().await;
    site.goes_on().await;
    site.add().await;
    site.nodes[0].signal("STOP").await;
    // A lease lasts five seconds.
    site.redis.ask(&["BLPOP", "nothing", "6"]).await;
    site.nodes[0].signal("CONT").await;
    site.goes_on().await;
    site.check(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn when_the_store_pauses_or_starts_anew_all_histories_stay_whole() {
    let mut site = Site::start().await;
    site.redis.ask(&["CLIENT", "PAUSE", "5000", "ALL"]).await;
    site.goes_on().await;
    site.redis.restart().await;
    site.goes_on().await;
    site.check(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn when_the_store_is_emptied_everyone_is_told_and_nothing_is_mixed() {
    let site = Site::start().await;
    site.work.may_end();
    site.redis.ask(&["FLUSHALL"]).await;
    site.work.check_ended().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn when_a_store_comes_back_that_was_behind_what_is_left_is_not_mixed_with_what_was_lost() {
    let mut site = Site::start().await;
    let copy = site.redis.copy().await;
    site.goes_on().await;
    site.work.may_lose();
    site.redis.go_back_to(&copy).await;
    site.goes_on().await;
    site.check(1).await;
}
