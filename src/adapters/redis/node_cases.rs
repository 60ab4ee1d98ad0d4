//! What only several nodes above a store can show, and a store that loses what it has acknowledged.

use std::sync::Arc;

use futures_util::stream::BoxStream;
use futures_util::{FutureExt as _, StreamExt as _};
use redis::FromRedisValue;

use super::cases::LIFE_MAX;
use super::node::Node;
use super::test_server::{Server, node};
use super::{RedisAnswers, RedisPresence, RedisSessions};
use crate::adapters::battery::answers::{answer, limits, name};
use crate::adapters::battery::samples::{
    LATE, birth, contract, handshake, key, next, noted, positions,
};
use crate::domain::clock::Time;
use crate::domain::event::{Event, SessionState};
use crate::domain::presence::PresenceStore as _;
use crate::domain::replayed::ReplayedAnswers as _;
use crate::domain::store::{Change, SessionStore as _};
use crate::domain::store_error::StoreError;
use crate::wire::ids::{Epoch, HandshakeId, Seq, SessionKey};

/// A node and its sessions.
async fn sessions(server: &Server) -> (Arc<Node>, RedisSessions) {
    let node = node(server).await;
    (Arc::clone(&node), RedisSessions::new(node, LIFE_MAX))
}

async fn create(store: &RedisSessions, key: &SessionKey) {
    let open = handshake(key.app.as_str(), "h", 0, LATE.0);
    let put = store.put_handshake(open, vec![contract()], 10).await;
    put.unwrap();
    let birth = birth(key, LATE);
    let claim = HandshakeId::from("h");
    let created = store.create(&claim, Time(1), &birth, vec![contract()], 10);
    created.await.unwrap();
}

async fn append(store: &RedisSessions, key: &SessionKey, expected: u64) -> Result<(), StoreError> {
    let event = noted(&expected.to_string());
    store.append(&next(key, expected, event)).await
}

/// The next change of a session that is beyond a position.
async fn beyond(changes: &mut BoxStream<'static, Change>, key: &SessionKey, seq: u64) -> Seq {
    loop {
        let change = changes.next().await.unwrap();
        if change.key == *key && change.head > Seq(seq) {
            return change.head;
        }
    }
}

async fn command<T: FromRedisValue>(node: &Node, words: &[&str]) -> T {
    let mut command = redis::cmd(words[0]);
    command.arg(&words[1..]);
    node.ask(&command).await.unwrap()
}

#[tokio::test]
async fn what_one_node_appends_another_is_told_of() {
    let server = Server::start();
    let ((_, one), (_, other)) = (sessions(&server).await, sessions(&server).await);
    let key = key("a", "s");
    create(&one, &key).await;
    assert_eq!(other.read(&key, Seq(0)).await.unwrap().len(), 1);
    let mut changes = other.watch();
    append(&one, &key, 1).await.unwrap();
    assert_eq!(beyond(&mut changes, &key, 1).await, Seq(2));
    assert_eq!(append(&other, &key, 1).await, Err(StoreError::Conflict));
    append(&other, &key, 2).await.unwrap();
    let read = one.read(&key, Seq(2)).await.unwrap();
    assert_eq!(positions(&read), [(3, false)]);
}

#[tokio::test]
async fn a_change_that_was_not_announced_is_found_all_the_same() {
    let server = Server::start();
    let ((_, one), (node, other)) = (sessions(&server).await, sessions(&server).await);
    let key = key("a", "s");
    create(&one, &key).await;
    other.read(&key, Seq(0)).await.unwrap();
    let mut changes = other.watch();
    // The connection is lost on which it would be heard.
    let _: u64 = command(&node, &["CLIENT", "KILL", "TYPE", "pubsub"]).await;
    append(&one, &key, 1).await.unwrap();
    assert_eq!(beyond(&mut changes, &key, 1).await, Seq(2));
}

#[tokio::test]
async fn a_node_whose_lease_has_lapsed_writes_nothing_until_the_beat_after_the_next() {
    let server = Server::start();
    let (node, store) = sessions(&server).await;
    let key = key("a", "s");
    create(&store, &key).await;
    // As it is for a process that was stopped for longer than a lease; the test alone renews it.
    node.stopped.cancel();
    node.lease.lock().ends = 1;
    let refused = append(&store, &key, 1).await;
    assert!(
        matches!(refused, Err(StoreError::Unavailable { .. })),
        "{refused:?}"
    );
    node.beat().await.unwrap();
    let refused = append(&store, &key, 1).await;
    assert!(
        matches!(refused, Err(StoreError::Unavailable { .. })),
        "{refused:?}"
    );
    let read = store.read(&key, Seq(0)).await.unwrap();
    assert_eq!(positions(&read), [(1, false)]);
    node.beat().await.unwrap();
    append(&store, &key, 1).await.unwrap();
}

#[tokio::test]
async fn a_node_whose_lease_has_lapsed_keeps_no_answer_over_a_newer_one() {
    let server = Server::start();
    let (one, two) = (node(&server).await, node(&server).await);
    let answers = |node: &Arc<Node>| RedisAnswers::new(Arc::clone(node), limits());
    let (of_one, of_two) = (answers(&one), answers(&two));
    let newer = of_two.keep(name("k"), answer("newer", 2));
    newer.await.unwrap();
    one.stopped.cancel();
    one.lease.lock().ends = 1;
    let refused = of_one.keep(name("k"), answer("older", 1)).await;
    assert!(
        matches!(refused, Err(StoreError::Unavailable { .. })),
        "{refused:?}"
    );
    let found = of_two.find(&name("k"), Time(3)).await.unwrap();
    assert_eq!(found.map(|found| found.at), Some(Time(2)));
}

#[tokio::test]
async fn an_append_that_is_tried_again_is_written_once() {
    let server = Server::start();
    let ((_, store), (_, other)) = (sessions(&server).await, sessions(&server).await);
    let key = key("a", "s");
    create(&store, &key).await;
    let first = next(&key, 1, noted("x"));
    store.append(&first).await.unwrap();
    // Another node goes on before the first learns what became of its append.
    other.read(&key, Seq(0)).await.unwrap();
    append(&other, &key, 2).await.unwrap();
    store.append(&first).await.unwrap();
    // The same records of another node are not taken for it.
    let foreign = other.append(&next(&key, 1, noted("x"))).await;
    assert_eq!(foreign, Err(StoreError::Conflict));
    let read = store.read(&key, Seq(0)).await.unwrap();
    assert_eq!(positions(&read), [(1, false), (2, false), (3, false)]);
}

#[tokio::test]
async fn a_session_is_there_once_its_handshake_is_claimed_and_not_before() {
    let server = Server::start();
    let (node, store) = sessions(&server).await;
    let key = key("a", "s");
    create(&store, &key).await;
    let stage = async || {
        let meta = node.names.session(&key, "meta");
        let _: u8 = command(&node, &["HSET", &meta, "staged", "1", "ttl", "60000"]).await;
    };
    // Its creator ended after the claim: whoever reads it finishes it.
    stage().await;
    assert_eq!(store.read(&key, Seq(0)).await.unwrap().len(), 1);
    append(&store, &key, 1).await.unwrap();
    // Its creator ended before.
    stage().await;
    let list = node.names.app(&key.app, "sessions");
    let _: u8 = command(&node, &["DEL", &list]).await;
    assert_eq!(
        store.read(&key, Seq(0)).await.err(),
        Some(StoreError::Missing)
    );
    assert_eq!(append(&store, &key, 2).await, Err(StoreError::Missing));
}

/// Takes a session back to what it was, as a replica does that was behind when it took over.
struct Earlier([(String, Vec<u8>); 2]);

impl Earlier {
    async fn of(node: &Node, key: &SessionKey) -> Self {
        let dump = async |what| {
            let name = node.names.session(key, what);
            let dump: Vec<u8> = command(node, &["DUMP", &name]).await;
            (name, dump)
        };
        Self([dump("meta").await, dump("log").await])
    }

    async fn restore(&self, node: &Node) {
        for (name, dump) in &self.0 {
            let mut restore = redis::cmd("RESTORE");
            restore.arg(name).arg(0).arg(dump).arg("REPLACE");
            node.ask::<()>(&restore).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_session_that_lost_its_end_goes_on_in_a_new_epoch_at_positions_nobody_has_seen() {
    let server = Server::start();
    let ((one_node, one), (_, other)) = (sessions(&server).await, sessions(&server).await);
    let key = key("a", "s");
    create(&one, &key).await;
    append(&one, &key, 1).await.unwrap();
    let earlier = Earlier::of(&one_node, &key).await;
    for expected in 2..5 {
        append(&one, &key, expected).await.unwrap();
    }
    other.read(&key, Seq(0)).await.unwrap();
    earlier.restore(&one_node).await;
    // What was decided on the lost end is not appended.
    assert_eq!(append(&other, &key, 5).await, Err(StoreError::Conflict));
    for store in [&one, &other] {
        let read = store.read(&key, Seq(5)).await.unwrap();
        assert!(
            read.len() == 2 && read[0].seq > Seq(5),
            "whoever follows is given the whole of it: {:?}",
            positions(&read)
        );
        let state = SessionState::fold(&key, &read).unwrap();
        assert!(state.epoch > Epoch(1) && state.seq == read[1].seq);
        let Event::Observed(observed) = &read[1].fact.event else {
            panic!("{read:?}");
        };
        assert_eq!(observed["kind"], "store-loss");
        assert!(
            observed["message"].as_str().unwrap().contains("3 events"),
            "{observed}"
        );
    }
}

#[tokio::test]
async fn a_loss_that_two_nodes_find_is_recovered_from_once() {
    let server = Server::start();
    let ((one_node, one), (other_node, other)) = (sessions(&server).await, sessions(&server).await);
    let key = key("a", "s");
    create(&one, &key).await;
    let earlier = Earlier::of(&one_node, &key).await;
    append(&one, &key, 1).await.unwrap();
    other.read(&key, Seq(0)).await.unwrap();
    let known = other_node.mark(&key);
    earlier.restore(&one_node).await;
    assert_eq!(append(&one, &key, 2).await, Err(StoreError::Conflict));
    let recovered = one.read(&key, Seq(2)).await.unwrap();
    // The other has found the loss before, and comes to it only now.
    let recovery = other_node.recover(&key, known.head, &known);
    recovery.await.unwrap();
    let read = other.read(&key, Seq(2)).await.unwrap();
    assert_eq!(positions(&read), positions(&recovered));
}

#[tokio::test]
async fn a_history_that_others_have_written_over_a_lost_one_is_not_mixed_with_it() {
    let server = Server::start();
    let ((one_node, one), (_, other)) = (sessions(&server).await, sessions(&server).await);
    let key = key("a", "s");
    create(&one, &key).await;
    append(&one, &key, 1).await.unwrap();
    let earlier = Earlier::of(&one_node, &key).await;
    for expected in 2..4 {
        append(&one, &key, expected).await.unwrap();
    }
    earlier.restore(&one_node).await;
    // A node that knows nothing of what was lost writes on until it is as far, and further.
    other.read(&key, Seq(0)).await.unwrap();
    for expected in 2..6 {
        append(&other, &key, expected).await.unwrap();
    }
    let read = one.read(&key, Seq(4)).await.unwrap();
    assert!(read[0].seq > Seq(7), "{:?}", positions(&read));
    assert_eq!(append(&other, &key, 6).await, Err(StoreError::Conflict));
}

#[tokio::test]
async fn what_was_lost_is_noticed_by_whoever_reads_a_session_from_its_beginning() {
    let server = Server::start();
    let (node, store) = sessions(&server).await;
    let key = key("a", "s");
    create(&store, &key).await;
    let earlier = Earlier::of(&node, &key).await;
    append(&store, &key, 1).await.unwrap();
    node.stopped.cancel();
    earlier.restore(&node).await;
    let read = store.read(&key, Seq(0)).await.unwrap();
    assert!(read[0].seq > Seq(2), "{:?}", positions(&read));
    // The same where others have written over it.
    earlier.restore(&node).await;
    let (_, other) = sessions(&server).await;
    append(&other, &key, 1).await.unwrap();
    let read = store.read(&key, Seq(0)).await.unwrap();
    assert!(read[0].seq > Seq(2), "{:?}", positions(&read));
}

#[tokio::test]
async fn who_follows_a_session_at_the_node_that_finds_its_loss_is_told_without_an_announcement() {
    let server = Server::start();
    let (node, store) = sessions(&server).await;
    let key = key("a", "s");
    create(&store, &key).await;
    let earlier = Earlier::of(&node, &key).await;
    append(&store, &key, 1).await.unwrap();
    // It hears nothing, and does not look round.
    node.stopped.cancel();
    let mut changes = store.watch();
    earlier.restore(&node).await;
    assert_eq!(append(&store, &key, 2).await, Err(StoreError::Conflict));
    let change = changes.next().now_or_never().flatten();
    assert!(change.is_some_and(|change| change.key == key && change.head > Seq(2)));
}

#[tokio::test]
async fn a_store_that_was_emptied_is_noticed_and_keeps_the_key_that_signs_tokens() {
    let server = Server::start();
    let (node, store) = sessions(&server).await;
    let signing: [u8; 32] = node.signing_key().await.unwrap();
    let key = key("a", "s");
    create(&store, &key).await;
    let mut changes = store.watch();
    let _: String = command(&node, &["FLUSHALL"]).await;
    node.beat().await.unwrap();
    assert_eq!(beyond(&mut changes, &key, 1).await, Seq(u64::MAX));
    assert_eq!(append(&store, &key, 1).await, Err(StoreError::Missing));
    let (later, _) = sessions(&server).await;
    assert_eq!(later.signing_key::<32>().await.unwrap(), signing);
}

#[tokio::test]
async fn what_is_acknowledged_is_there_after_the_store_was_started_anew() {
    let mut server = Server::start();
    let (_, store) = sessions(&server).await;
    let key = key("a", "s");
    create(&store, &key).await;
    append(&store, &key, 1).await.unwrap();
    server.restart();
    let append = async || loop {
        match append(&store, &key, 2).await {
            // The connection is made anew by one of the next.
            Err(StoreError::Unavailable { .. }) => tokio::task::yield_now().await,
            done => return done,
        }
    };
    append().await.unwrap();
    let read = store.read(&key, Seq(0)).await.unwrap();
    assert_eq!(positions(&read), [(1, false), (2, false), (3, false)]);
}

#[tokio::test]
async fn agents_are_seen_at_every_node_and_gone_with_their_own() {
    let server = Server::start();
    let (one_node, other_node) = (node(&server).await, node(&server).await);
    let one = RedisPresence::new(Arc::clone(&one_node));
    let other = RedisPresence::new(Arc::clone(&other_node));
    let key = key("a", "s");
    let came = other.wait(&key, 0);
    let (came, entered) = tokio::join!(came, one.enter(&key));
    came.unwrap();
    entered.unwrap();
    assert_eq!(other.presence(&key).await.unwrap().waiting, 1);
    assert_eq!(one.announce(&key, true).await, Ok(true));
    assert_eq!(other.announce(&key, true).await, Ok(false));
    assert!(other.absent().await.unwrap().is_empty());
    // The node ends without a word, and its lease with it.
    let nodes = other_node.names.shared("nodes");
    let name = one_node.name.clone();
    one_node.stopped.cancel();
    drop((one, one_node));
    let _: u8 = command(&other_node, &["ZREM", &nodes, &name]).await;
    other_node.beat().await.unwrap();
    assert_eq!(other.presence(&key).await.unwrap().waiting, 0);
    let absent = other.absent().await.unwrap();
    assert_eq!(absent.len(), 1);
    assert_eq!(other.announce(&key, false).await, Ok(true));
}
