//! What the page store does, registered by name.

use std::sync::Arc;

use serde_json::Value;

use super::error::BrainError;
use super::service::Brain;
use crate::domain::operation::{Handlers, Registration, table};

impl Brain {
    /// What this service does. Whatever changes a page is refused before anything else about it is
    /// judged while its collection is not ready.
    pub(crate) fn handlers<F>(self: &Arc<Self>) -> Vec<Registration<F>>
    where
        F: From<serde_json::Error> + From<BrainError> + Send + 'static,
    {
        Handlers::<_, BrainError, F>::of(self)
            .on::<table::BrainGet>(|brain, caller, params| {
                Box::pin(async move { Ok(brain.get(caller, params).await?.into()) })
            })
            .on_ready::<table::BrainPut>(
                |brain, caller, given| Box::pin(brain.check_ready(caller, given, &["slug"])),
                |brain, caller, params| {
                    Box::pin(async move { Ok(brain.put(caller, params).await?.into()) })
                },
            )
            .on::<table::BrainQuery>(|brain, caller, params| {
                Box::pin(async move { Ok(brain.query(caller, params).await?.into()) })
            })
            .on::<table::BrainSearch>(|brain, caller, params| {
                Box::pin(async move { Ok(brain.search(caller, params).await?.into()) })
            })
            .on::<table::BrainList>(|brain, caller, params| {
                Box::pin(async move { Ok(brain.list(caller, params).await?.into()) })
            })
            .on_ready::<table::BrainLink>(
                |brain, caller, given| {
                    Box::pin(brain.check_ready(caller, given, &["from_slug", "to_slug"]))
                },
                |brain, caller, params| {
                    Box::pin(async move { Ok(brain.link(caller, params).await?.into()) })
                },
            )
            .on_ready::<table::BrainLinkClose>(
                |brain, caller, given| Box::pin(brain.check_link_ready(caller, given)),
                |brain, caller, params| {
                    Box::pin(async move { Ok(brain.close_link(caller, params).await?.into()) })
                },
            )
            .on::<table::BrainBacklinks>(|brain, caller, params| {
                Box::pin(async move { Ok(brain.backlinks(caller, params).await?.into()) })
            })
            .on::<table::BrainGraph>(|brain, caller, params| {
                Box::pin(async move { Ok(brain.graph(caller, params).await?.into()) })
            })
            .on::<table::BrainCheck>(|brain, caller, params| {
                Box::pin(async move { Ok(brain.check(caller, params).await?.into()) })
            })
            .on::<table::BrainTimeline>(|brain, caller, params| {
                Box::pin(async move { Ok(brain.timeline(caller, params).await?.into()) })
            })
            .on_ready::<table::BrainTags>(
                |brain, caller, given| {
                    Box::pin(async move {
                        if has_items(given, "add") || has_items(given, "remove") {
                            brain.check_ready(caller, given, &["slug"]).await?;
                        }
                        Ok(())
                    })
                },
                |brain, caller, params| {
                    Box::pin(async move { Ok(brain.tags(caller, params).await?.into()) })
                },
            )
            .on_ready::<table::BrainGap>(
                |brain, caller, given| Box::pin(brain.check_ready(caller, given, &["slug"])),
                |brain, caller, params| {
                    Box::pin(async move { Ok(brain.gap(caller, params).await?.into()) })
                },
            )
            .on::<table::BrainGaps>(|brain, caller, params| {
                Box::pin(async move { Ok(brain.gaps(caller, params).await?.into()) })
            })
            .on::<table::BrainStats>(|brain, caller, _| {
                Box::pin(async move { Ok(brain.stats(caller).await?.into()) })
            })
            .on::<table::BrainCollections>(|brain, caller, _| {
                Box::pin(async move { Ok(brain.collections(caller).await?.into()) })
            })
            .on_ready::<table::BrainRaw>(
                |brain, caller, given| Box::pin(brain.check_ready(caller, given, &["slug"])),
                |brain, caller, params| {
                    Box::pin(async move { Ok(brain.raw(caller, params).await?.into()) })
                },
            )
            .on::<table::ListPages>(|brain, caller, params| {
                Box::pin(async move { Ok(brain.list_resources(caller, params).await?.into()) })
            })
            .on::<table::ReadPage>(|brain, caller, params| {
                Box::pin(async move { Ok(brain.read_resource(caller, params).await?.into()) })
            })
            .on::<table::AwaitPage>(|brain, caller, params| {
                Box::pin(async move { Ok(brain.await_page(caller, params).await?.into()) })
            })
            .on_ready::<table::CreateMemory>(
                |brain, caller, given| Box::pin(brain.check_memory_ready(caller, given)),
                |brain, caller, params| {
                    Box::pin(async move { Ok(brain.create_memory(caller, params).await?.into()) })
                },
            )
            .on::<table::GetMemory>(|brain, caller, params| {
                Box::pin(async move { Ok(brain.memory(caller, params).await?.into()) })
            })
            .on_ready::<table::ChangeMemory>(
                |brain, caller, given| Box::pin(brain.check_memory_ready(caller, given)),
                |brain, caller, params| {
                    Box::pin(async move { Ok(brain.change_memory(caller, params).await?.into()) })
                },
            )
            .on_ready::<table::DeleteMemory>(
                |brain, caller, given| Box::pin(brain.check_memory_ready(caller, given)),
                |brain, caller, params| {
                    Box::pin(async move { Ok(brain.delete_memory(caller, params).await?.into()) })
                },
            )
            .on_ready::<table::ChangePage>(
                |brain, caller, given| Box::pin(brain.check_memory_ready(caller, given)),
                |brain, caller, params| {
                    Box::pin(async move { Ok(brain.change_memory(caller, params).await?.into()) })
                },
            )
            .on_ready::<table::DeletePage>(
                |brain, caller, given| Box::pin(brain.check_memory_ready(caller, given)),
                |brain, caller, params| {
                    Box::pin(async move { Ok(brain.delete_memory(caller, params).await?.into()) })
                },
            )
            .on::<table::ListMemories>(|brain, caller, params| {
                Box::pin(async move { Ok(brain.memories(caller, params).await?.into()) })
            })
            .on::<table::SearchMemories>(|brain, caller, params| {
                Box::pin(async move { Ok(brain.search_memories(caller, params).await?.into()) })
            })
            .on::<table::ListVersions>(|brain, caller, params| {
                Box::pin(async move { Ok(brain.versions(caller, params).await?.into()) })
            })
            .on::<table::GetVersion>(|brain, caller, params| {
                Box::pin(async move { Ok(brain.version(caller, params).await?.into()) })
            })
            .into_registrations()
    }
}

/// Whether a list among arguments that were not checked yet has items.
fn has_items(arguments: &Value, name: &str) -> bool {
    let list = arguments.get(name).and_then(Value::as_array);
    list.is_some_and(|list| !list.is_empty())
}
