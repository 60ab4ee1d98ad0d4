//! How often one caller may ask for one operation, before anything of it is looked at.

use std::sync::Arc;
use std::time::Duration;

use governor::clock::Clock as _;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::domain::limits::{RateLimits, quota};
use crate::domain::operation::Rate;
use crate::domain::principal::Principal;
use crate::wire::ids::AppId;

/// A caller asked for more than its share.
#[derive(Debug, thiserror::Error)]
#[error("too many calls")]
pub(crate) struct LimitExceeded {
    /// When the next one is taken.
    pub(crate) wait: Duration,
}

/// Who is counted, and for what.
type Key = (AppId, Arc<str>, Arc<str>);

/// Counts operations by principal.
pub(crate) struct CallLimits {
    /// Operations that make something: each costs a compilation and a place.
    making: DefaultKeyedRateLimiter<Key>,
    /// All others.
    using: DefaultKeyedRateLimiter<Key>,
}

impl CallLimits {
    /// Counters that have counted nothing.
    pub(crate) fn new(limits: &RateLimits) -> Self {
        let limiter = |per_second, burst| {
            let (per_second, burst) = quota(per_second, burst);
            RateLimiter::keyed(Quota::per_second(per_second).allow_burst(burst))
        };
        Self {
            making: limiter(limits.making_per_second, limits.making_burst),
            using: limiter(limits.using_per_second, limits.using_burst),
        }
    }

    /// Counts one operation by its name, unless its transport counts it.
    pub(crate) fn count(
        &self,
        caller: &Principal,
        name: &Arc<str>,
        rate: Rate,
    ) -> Result<(), LimitExceeded> {
        let limiter = match rate {
            Rate::Making => &self.making,
            Rate::Using => &self.using,
            Rate::Transport => return Ok(()),
        };
        let key = (
            caller.app.clone(),
            Arc::clone(&caller.name),
            Arc::clone(name),
        );
        limiter.check_key(&key).map_err(|early| LimitExceeded {
            wait: early.wait_time_from(limiter.clock().now()),
        })
    }

    /// Forgets callers whose allowance is whole again.
    pub(crate) fn sweep(&self) {
        for limiter in [&self.making, &self.using] {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}
