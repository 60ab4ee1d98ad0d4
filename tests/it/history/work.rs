//! The clients of several sessions, at work, and what they have seen at the end.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::{Nodes, Place, Session};
use crate::chance::Chance;
use crate::world::PATIENCE;

/// The clients of several sessions, at work.
pub(crate) struct Work {
    nodes: Arc<Nodes>,
    sessions: Vec<Arc<Session>>,
    browsers: JoinSet<()>,
    agents: JoinSet<()>,
    /// Ends the agents and the clicks.
    over: watch::Sender<bool>,
    /// How much was acknowledged.
    done: Arc<watch::Sender<usize>>,
}

impl Work {
    /// Sessions with so many browsers each, one of which clicks, and with agents that emit, update and
    /// consume. Each client turns to any node, and to another one when that fails.
    pub(crate) async fn begin(nodes: Arc<Nodes>, sessions: usize, browsers: usize) -> Self {
        let mut work = Self {
            sessions: Vec::new(),
            browsers: JoinSet::new(),
            agents: JoinSet::new(),
            over: watch::Sender::new(false),
            done: Arc::new(watch::Sender::new(0)),
            nodes,
        };
        let mut chance = Chance(sessions as u64);
        for _ in 0..sessions {
            let session = Session::begin(&work.nodes.any(&mut chance), browsers).await;
            let session = Arc::new(session);
            work.sessions.push(Arc::clone(&session));
            let mut place = || Place {
                nodes: Arc::clone(&work.nodes),
                session: Arc::clone(&session),
                over: work.over.subscribe(),
                done: Arc::clone(&work.done),
                chance: Chance(chance.next()),
            };
            for browser in 0..browsers {
                work.browsers.spawn(place().browse(browser));
            }
            work.agents.spawn(place().emit());
            work.agents.spawn(place().update());
            work.agents.spawn(place().consume());
        }
        work
    }

    /// Returns once so much more was acknowledged.
    pub(crate) async fn goes_on(&mut self, more: usize) {
        let mut done = self.done.subscribe();
        let wanted = *done.borrow() + more;
        let goes_on = timeout(PATIENCE, done.wait_for(|done| *done >= wanted));
        tokio::select! {
            reached = goes_on => {
                reached.expect("the clients go on").expect("a count");
            }
            Some(ended) = self.browsers.join_next() => {
                panic!("a browser has ended: {ended:?}");
            }
            Some(ended) = self.agents.join_next() => {
                panic!("an agent has ended: {ended:?}");
            }
        }
    }

    /// From now on clients may find their sessions gone.
    pub(crate) fn may_end(&self) {
        for session in &self.sessions {
            session.may_end.store(true, Ordering::SeqCst);
        }
    }

    /// From now on what was acknowledged may be lost.
    pub(crate) fn may_lose(&self) {
        for session in &self.sessions {
            session.may_lose.store(true, Ordering::SeqCst);
        }
    }

    /// Waits until every client has found its session gone, and checks what they saw of it.
    pub(crate) async fn check_ended(mut self) {
        all_ended(&mut self.agents).await;
        all_ended(&mut self.browsers).await;
        for session in &self.sessions {
            session.check_seen(0);
        }
    }

    /// Ends the agents, waits until every browser has seen everything, and checks all of it; how much
    /// was acknowledged. Where the store has lost some, no ledger is whole.
    pub(crate) async fn check(mut self, losses: usize) -> usize {
        self.over.send_replace(true);
        all_ended(&mut self.agents).await;
        let client = self.nodes.any(&mut Chance(1));
        for session in &self.sessions {
            session.write_last(&client).await;
        }
        all_ended(&mut self.browsers).await;
        for session in &self.sessions {
            if losses > 0 {
                session.check_seen(losses);
                continue;
            }
            let rows = client.ledger(&session.id, &session.token, 0).await;
            session.check(&rows);
        }
        *self.done.borrow()
    }
}

async fn all_ended(clients: &mut JoinSet<()>) {
    let ended = async {
        while let Some(ended) = clients.join_next().await {
            ended.expect("no client fails");
        }
    };
    timeout(2 * PATIENCE, ended).await.expect("an end");
}
