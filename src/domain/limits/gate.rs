//! Limits on the gate and the MCP servers behind it.

#[cfg(feature = "gate")]
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Limits on the gate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct GateLimits {
    /// Milliseconds a list waits for one server: one that is slower is told with what it listed
    /// last, so that it delays no other.
    pub list_wait_ms: u64,
    /// Seconds until a server is asked again for a list that it does not tell changes of.
    pub list_ttl_s: u64,
    /// Entries of one list of one server: ten times what models can choose from.
    pub list_entries_max: usize,
    /// Requests that one server has under way; more are refused with a time to wait.
    pub requests_per_server_max: usize,
    /// Seconds between two looks at the gate file; a changed one holds within that time.
    pub reread_s: u64,
    /// Seconds a call waits for a person who has to agree, at most: clients give up after a minute.
    /// Then it is answered, and the same call made again waits on.
    pub approval_hold_s: u64,
    /// Seconds between two messages to a client that waits for a person: half of what a client that is
    /// impatient takes for a silence.
    pub approval_told_s: u64,
    /// Seconds for which a person's agreement is good: what they saw may change.
    pub approval_valid_s: u64,
    /// Seconds for which people approve further calls of a tool, less than an hour, after which a card
    /// in which nothing happens ends. Then they are asked again.
    pub approval_session_s: u64,
    /// Approvals that one caller has open; beyond it calls are refused with a time to wait: more
    /// questions than a person reads.
    pub approvals_per_caller_max: usize,
    /// Approvals that are open at once, of all callers.
    pub approvals_max: usize,
    /// Seconds a card about a changed tool can be decided on, less than an hour, after which a card
    /// in which nothing happens ends. Then people are asked anew.
    pub change_card_s: u64,
    /// Cards about changed tools that are open at once: more are accepted on the command line.
    pub change_cards_max: usize,
    /// Connections to one server for callers, each of whom has its own: with servers that are programs,
    /// as many programs. Beyond it calls of others are refused with a time to wait.
    pub connections_per_source_max: usize,
    /// Seconds until the connection of a caller ends that makes no calls: programs start in a moment.
    pub connection_idle_s: u64,
    /// Resources of one server that are followed at once, which it is asked about again at intervals: ten
    /// streams of the most that one may follow. Beyond it nobody follows another one.
    pub followed_per_source_max: usize,
    /// Seconds between two such requests, by which a connection that was lost is made again; one that
    /// nobody follows any more ends within that time.
    pub follow_look_s: u64,
    /// Seconds a question waits that a server behind the gate asks in the middle of a request: as long
    /// as a person has for an approval unless it is said otherwise.
    pub question_wait_s: u64,
    /// Questions of that kind that one app has open, a quarter of the requests that one server may have
    /// under way; beyond it the server is told that nobody can be asked.
    pub questions_per_app_max: usize,
    /// Seconds a task is known: people have an hour to agree to a call at most, and its caller ten minutes
    /// to look at what came of it.
    pub task_ttl_s: u64,
    /// Tasks that one app has, the finished ones as well: as many as it may have questions. Beyond it
    /// calls are answered as those of clients without tasks are.
    pub tasks_per_app_max: usize,
    /// Whether calls that nobody is asked about are in the audit, too.
    pub audit_calls: bool,
    /// Bytes of one file of the audit: what is read in a moment at the start. A full one is followed
    /// by another.
    pub audit_file_bytes_max: u64,
    /// Full files of the audit that are kept, a GiB of them; then the oldest goes. Whoever needs it for
    /// longer copies it before.
    pub audit_files_max: usize,
}

impl Default for GateLimits {
    fn default() -> Self {
        Self {
            list_wait_ms: 1_000,
            list_ttl_s: 5,
            list_entries_max: 2_000,
            requests_per_server_max: 256,
            reread_s: 1,
            approval_hold_s: 50,
            approval_told_s: 15,
            approval_valid_s: 300,
            approval_session_s: 3_540,
            approvals_per_caller_max: 10,
            approvals_max: 1_000,
            change_card_s: 3_540,
            change_cards_max: 20,
            connections_per_source_max: 32,
            connection_idle_s: 300,
            followed_per_source_max: 1_000,
            follow_look_s: 60,
            question_wait_s: 300,
            questions_per_app_max: 64,
            task_ttl_s: 4_200,
            tasks_per_app_max: 64,
            audit_calls: true,
            audit_file_bytes_max: 16 * 1024 * 1024,
            audit_files_max: 64,
        }
    }
}

#[cfg(feature = "gate")]
impl GateLimits {
    /// How long a list waits for one server.
    pub(crate) fn list_wait(&self) -> Duration {
        Duration::from_millis(self.list_wait_ms)
    }

    /// How long a call waits for a person.
    pub(crate) fn approval_hold(&self) -> Duration {
        Duration::from_secs(self.approval_hold_s)
    }

    /// How often a client is told that a person has to agree.
    pub(crate) fn approval_notice_interval(&self) -> Duration {
        Duration::from_secs(self.approval_told_s)
    }

    /// How long an agreement is good.
    pub(crate) fn approval_valid(&self) -> Duration {
        Duration::from_secs(self.approval_valid_s)
    }

    /// How long an agreement to further calls is good.
    pub(crate) fn approval_session(&self) -> Duration {
        Duration::from_secs(self.approval_session_s)
    }

    /// How long a card about a changed tool can be decided on.
    pub(crate) fn change_card(&self) -> Duration {
        Duration::from_secs(self.change_card_s)
    }

    /// How long a connection of a caller stays that makes no calls.
    pub(crate) fn connection_idle(&self) -> Duration {
        Duration::from_secs(self.connection_idle_s)
    }

    /// How often a server is asked again about what is followed.
    pub(crate) fn follow_look(&self) -> Duration {
        Duration::from_secs(self.follow_look_s.max(1))
    }

    /// How long a task is known.
    pub(crate) fn task_ttl(&self) -> Duration {
        Duration::from_secs(self.task_ttl_s)
    }

    /// How long a question waits.
    pub(crate) fn question_wait(&self) -> Duration {
        Duration::from_secs(self.question_wait_s)
    }

    /// How long a list of a server is believed.
    pub(crate) fn list_ttl(&self) -> Duration {
        Duration::from_secs(self.list_ttl_s)
    }
}
