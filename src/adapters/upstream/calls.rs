//! Calls that a server works on for one caller: whom it tells and asks something meanwhile.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use std::time::Duration;

use rmcp::model::ProgressToken;
use serde_json::Value;
use tokio::sync::{Mutex, watch};
use tokio::time::{Instant, sleep_until};

use crate::domain::gate::{AskError, Question, Requester};

/// Questions of one call: more than a person answers for one thing that they wanted.
const QUESTIONS_MAX: usize = 32;

/// How its caller is asked during a call.
#[derive(Clone, Copy, Default)]
struct QuestionCount {
    /// Questions in all.
    count: usize,
    /// Questions that wait, and whatever else takes none of the server's time.
    open: usize,
    /// Since when one does.
    since: Option<Instant>,
    /// How long any did before.
    spent: Duration,
}

/// A call that its server works on.
pub(super) struct Call {
    pub(super) requester: Arc<dyn Requester>,
    asked: watch::Sender<QuestionCount>,
}

/// While it is there, time does not count.
pub(super) struct Untimed<'a>(&'a watch::Sender<QuestionCount>);

impl Drop for Untimed<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|asked| {
            asked.open -= 1;
            if asked.open == 0 {
                let since = asked.since.take();
                asked.spent += since.map_or(Duration::ZERO, |since| since.elapsed());
            }
        });
    }
}

impl Call {
    pub(super) fn of(requester: Arc<dyn Requester>) -> Arc<Self> {
        let asked = watch::Sender::new(QuestionCount::default());
        Arc::new(Self { requester, asked })
    }

    /// Asks its caller, which does not count as time of its server.
    pub(super) async fn ask(&self, question: Question) -> Result<Value, AskError> {
        if self.asked.borrow().count >= QUESTIONS_MAX {
            return Err(AskError::Full(QUESTIONS_MAX));
        }
        self.asked.send_modify(|asked| asked.count += 1);
        let _asking = self.untimed();
        self.requester.ask(question).await
    }

    /// What passes from now on does not count as time of its server.
    pub(super) fn untimed(&self) -> Untimed<'_> {
        self.asked.send_modify(|asked| {
            asked.open += 1;
            asked.since.get_or_insert_with(Instant::now);
        });
        Untimed(&self.asked)
    }

    /// Returns once its server has had so long.
    pub(super) async fn overdue(&self, timeout: Duration) {
        let begun = Instant::now();
        let mut changes = self.asked.subscribe();
        loop {
            let asked = *changes.borrow_and_update();
            let over = sleep_until(begun + timeout + asked.spent);
            // It cannot be closed while the call is there.
            tokio::select! {
                () = over, if asked.open == 0 => return,
                _ = changes.changed() => {}
            }
        }
    }
}

/// Calls on one connection, newest last, each as long as it is waited for. Locked while one is sent:
/// what its server says at once waits until it is known whom it is for.
pub(super) type Calls = Arc<Mutex<Open>>;

/// Calls on one connection.
#[derive(Default)]
pub(super) struct Open(VecDeque<(ProgressToken, Weak<Call>)>);

impl Open {
    /// Notes one that was sent.
    pub(super) fn note(&mut self, token: ProgressToken, call: &Arc<Call>) {
        // Nobody waits for the others any more.
        self.0.retain(|(_, call)| call.strong_count() > 0);
        self.0.push_back((token, Arc::downgrade(call)));
    }

    /// The call whose progress has this token.
    pub(super) fn of(&self, token: &ProgressToken) -> Option<Arc<Call>> {
        let found = self.0.iter().find(|(known, _)| known == token);
        found.and_then(|(_, call)| call.upgrade())
    }

    /// The newest call that is waited for.
    pub(super) fn newest(&self) -> Option<Arc<Call>> {
        self.0.iter().rev().find_map(|(_, call)| call.upgrade())
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use serde_json::{Map, json};

    use super::*;
    use crate::domain::gate::{Abilities, ELICIT};
    use crate::wire::ids::AppId;

    /// How long its person takes for an answer.
    struct Slow(AppId, Duration);

    #[async_trait]
    impl Requester for Slow {
        fn caller(&self) -> (&AppId, &str) {
            (&self.0, "key")
        }

        fn abilities(&self) -> Abilities {
            Abilities::UNKNOWN
        }

        fn defer(&self) -> bool {
            false
        }

        fn notify(&self, _: &'static str, _: Map<String, Value>) {}

        async fn ask(&self, _: Question) -> Result<Value, AskError> {
            pass(self.1).await;
            Ok(json!({}))
        }
    }

    /// Lets time pass.
    async fn pass(time: Duration) {
        let _ = tokio::time::timeout(time, std::future::pending::<()>()).await;
    }

    fn question() -> Question {
        Question {
            name: "elicitation".to_owned(),
            method: ELICIT,
            params: Map::new(),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_has_its_time_without_the_time_in_which_its_caller_is_asked() {
        let (time, answer) = (Duration::from_secs(30), Duration::from_secs(200));
        let call = Call::of(Arc::new(Slow("app".into(), answer)));
        let begun = Instant::now();
        let asking = async {
            pass(Duration::from_secs(10)).await;
            // Two at once take as long as one.
            let (one, two) = tokio::join!(call.ask(question()), call.ask(question()));
            assert!(one.is_ok() && two.is_ok());
        };
        tokio::join!(asking, call.overdue(time));
        assert_eq!(begun.elapsed(), time + answer);
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_asks_only_so_much_during_one_call() {
        let call = Call::of(Arc::new(Slow("app".into(), Duration::ZERO)));
        for _ in 0..QUESTIONS_MAX {
            assert!(call.ask(question()).await.is_ok());
        }
        assert!(matches!(call.ask(question()).await, Err(AskError::Full(_))));
    }
}
