//! Who is told how far a call has come. It belongs to nothing that is decided, compared or kept of an
//! operation, so it goes beside it, with the task that runs it.

use serde_json::{Map, json};

use crate::domain::gate::Teller;

tokio::task_local! {
    static TELLER: Teller;
}

/// Does something, and has whoever asked for it told how far it has come.
pub(crate) async fn telling<T>(teller: Teller, work: impl Future<Output = T>) -> T {
    TELLER.scope(teller, work).await
}

/// Tells whoever asked for what this task does.
pub(super) fn teller() -> Option<Teller> {
    TELLER.try_with(Teller::clone).ok()
}

/// Tells them that a person has to agree before anything is done.
pub(super) fn tell_of_wait() {
    if let Some(teller) = teller() {
        let mut progress = Map::new();
        progress.insert("progress".to_owned(), json!(0));
        progress.insert("message".to_owned(), "Waiting for a person to agree".into());
        teller(progress);
    }
}
