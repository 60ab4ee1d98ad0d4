//! Resources of one server that callers follow.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::watch;

use crate::domain::gate::Binding;
use crate::wire::ids::AppId;

/// Who follows which resource: what a server says to one caller is for this caller and no other.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Name {
    pub(super) app: AppId,
    pub(super) caller: Arc<str>,
    pub(super) uri: String,
}

/// A resource that a caller follows.
struct Follow {
    version: watch::Sender<u64>,
    /// What a person has agreed to, where one had to.
    agreed: Option<Binding>,
    /// Whether nobody waited for it when it was last looked at.
    is_idle: bool,
}

/// The versions of what is followed.
#[derive(Default)]
struct Versions {
    by_name: HashMap<Name, Follow>,
    /// No two versions are alike, whenever they were, so that nobody misses a change.
    last: u64,
}

/// Resources of one server that callers follow.
#[derive(Default)]
pub(super) struct Followed(Mutex<Versions>);

impl Followed {
    /// Notes that a resource of a caller has changed, or may have: any of theirs, where none is named.
    /// One that nobody follows is no matter.
    pub(super) fn changed(&self, app: &AppId, caller: &str, uri: Option<&str>) {
        let mut versions = self.0.lock();
        versions.last += 1;
        let last = versions.last;
        let is_meant = |name: &Name| {
            let is_theirs = name.app == *app && *name.caller == *caller;
            is_theirs && uri.is_none_or(|uri| name.uri == uri)
        };
        let followed = versions.by_name.iter();
        for (_, follow) in followed.filter(|(name, _)| is_meant(name)) {
            follow.version.send_replace(last);
        }
    }

    /// The versions of a resource, and whether it is followed from now on; none where as many as may be
    /// are.
    pub(super) fn enter(&self, name: &Name, max: usize) -> Option<(watch::Receiver<u64>, bool)> {
        let mut versions = self.0.lock();
        if let Some(follow) = versions.by_name.get_mut(name) {
            follow.is_idle = false;
            return Some((follow.version.subscribe(), false));
        }
        if versions.by_name.len() >= max {
            return None;
        }
        versions.last += 1;
        let (version, now) = watch::channel(versions.last);
        let follow = Follow {
            version,
            agreed: None,
            is_idle: false,
        };
        versions.by_name.insert(name.clone(), follow);
        Some((now, true))
    }

    /// Notes that a person has agreed to this.
    pub(super) fn agree(&self, name: &Name, binding: Binding) {
        if let Some(follow) = self.0.lock().by_name.get_mut(name) {
            follow.agreed = Some(binding);
        }
    }

    /// Whether a person has agreed to exactly this, for as long as it is followed.
    pub(super) fn is_agreed(&self, name: &Name, binding: &Binding) -> bool {
        let versions = self.0.lock();
        let follow = versions.by_name.get(name);
        follow.is_some_and(|follow| follow.agreed.as_ref() == Some(binding))
    }

    /// Forgets a resource.
    pub(super) fn leave(&self, name: &Name) {
        self.0.lock().by_name.remove(name);
    }

    /// Forgets a resource if nobody waits for it, nor did when this was asked before: between two
    /// changes nobody waits for a moment.
    pub(super) fn is_left(&self, name: &Name) -> bool {
        let mut versions = self.0.lock();
        let Some(follow) = versions.by_name.get_mut(name) else {
            return true;
        };
        let was_idle = follow.is_idle;
        follow.is_idle = follow.version.receiver_count() == 0;
        let is_left = was_idle && follow.is_idle;
        if is_left {
            versions.by_name.remove(name);
        }
        is_left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(app: &str, caller: &str, uri: &str) -> Name {
        Name {
            app: app.into(),
            caller: caller.into(),
            uri: uri.to_owned(),
        }
    }

    #[test]
    fn what_a_server_says_to_one_caller_is_told_to_this_caller_and_no_other() {
        let followed = Followed::default();
        let names = [
            name("a", "k", "note://1"),
            name("a", "k", "note://2"),
            name("a", "l", "note://1"),
            name("b", "k", "note://1"),
        ];
        let enter = |name| followed.enter(name, names.len()).expect("a place").0;
        let mut versions = names.each_ref().map(enter);
        let mut changed = || {
            versions.each_mut().map(|version| {
                let has_changed = version.has_changed().expect("a sender");
                version.mark_unchanged();
                has_changed
            })
        };
        followed.changed(&"a".into(), "k", Some("note://1"));
        assert_eq!(changed(), [true, false, false, false]);
        followed.changed(&"a".into(), "k", None);
        assert_eq!(changed(), [true, true, false, false], "connected anew");
        followed.changed(&"a".into(), "k", Some("note://3"));
        assert_eq!(changed(), [false; 4], "nobody follows it");
        let full = followed.enter(&name("c", "k", "note://1"), names.len());
        assert!(full.is_none(), "there is no place left");
    }
}
