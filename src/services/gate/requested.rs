//! Who made a request. It belongs to nothing that is decided, compared or kept of an operation, so it
//! goes beside it, with the task that runs it.

use std::sync::Arc;

use serde_json::{Map, json};

use crate::domain::gate::{PROGRESS, Requester};

tokio::task_local! {
    static REQUESTER: Arc<dyn Requester>;
}

/// Does something for somebody who can be told things meanwhile, and asked.
pub(crate) async fn requested_by<T>(
    requester: Arc<dyn Requester>,
    work: impl Future<Output = T>,
) -> T {
    REQUESTER.scope(requester, work).await
}

/// Who asked for what this task does.
pub(super) fn requester() -> Option<Arc<dyn Requester>> {
    REQUESTER.try_with(Arc::clone).ok()
}

/// Tells them that a person has to agree before anything is done.
pub(super) fn tell_of_wait() {
    if let Some(requester) = requester() {
        let mut progress = Map::new();
        progress.insert("progress".to_owned(), json!(0));
        progress.insert("message".to_owned(), "Waiting for a person to agree".into());
        requester.tell(PROGRESS, progress);
    }
}
