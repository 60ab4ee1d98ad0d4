//! What views may cost: prices, and what an app has used on a day.

use std::time::Duration;

use super::generator::Usage;
use crate::domain::clock::Time;
use crate::domain::limits::GenerationLimits;

/// Milliseconds of a day.
const DAY: Duration = Duration::from_secs(86_400);
/// Millionths of a US dollar in a US cent.
const MICRODOLLARS_PER_CENT: u64 = 10_000;
/// Tokens that prices are for.
const PRICED_TOKENS: u128 = 1_000_000;

/// What a million tokens cost, in millionths of a US dollar.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Prices {
    /// Tokens that are sent.
    pub(crate) prompt: u64,
    /// Tokens that are received.
    pub(crate) answer: u64,
}

impl Prices {
    /// What tokens cost, in millionths of a US dollar; any part of one is one.
    pub(crate) fn of(self, usage: Usage) -> u64 {
        let sum = u128::from(usage.prompt_tokens) * u128::from(self.prompt)
            + u128::from(usage.answer_tokens) * u128::from(self.answer);
        u64::try_from(sum.div_ceil(PRICED_TOKENS)).unwrap_or(u64::MAX)
    }
}

/// What an app has used today.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Budget {
    /// Days since the beginning of 1970.
    day: u64,
    tokens: u64,
    microdollars: u64,
}

/// What is set aside for an answer before it is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reserved {
    day: u64,
    tokens: u64,
    microdollars: u64,
}

impl Budget {
    /// Sets aside what an answer can take at most; none, where that may be more than what is left.
    pub(crate) fn reserve(
        &mut self,
        now: Time,
        at_most: Usage,
        prices: Prices,
        limits: &GenerationLimits,
    ) -> Option<Reserved> {
        self.begin(now);
        let reserved = Reserved {
            day: self.day,
            tokens: at_most.tokens(),
            microdollars: prices.of(at_most),
        };
        let tokens = self.tokens.saturating_add(reserved.tokens);
        let microdollars = self.microdollars.saturating_add(reserved.microdollars);
        let microdollars_max = limits
            .cents_per_day_max
            .saturating_mul(MICRODOLLARS_PER_CENT);
        if tokens > limits.tokens_per_day_max || microdollars > microdollars_max {
            return None;
        }
        (self.tokens, self.microdollars) = (tokens, microdollars);
        Some(reserved)
    }

    /// Replaces what was set aside by what it took.
    pub(crate) fn settle(&mut self, reserved: Reserved, usage: Usage, prices: Prices) {
        if reserved.day == self.day {
            self.tokens -= reserved.tokens.min(self.tokens);
            self.microdollars -= reserved.microdollars.min(self.microdollars);
        }
        self.tokens = self.tokens.saturating_add(usage.tokens());
        self.microdollars = self.microdollars.saturating_add(prices.of(usage));
    }

    /// Whether nothing was used today.
    pub(crate) fn is_over(&self, now: Time) -> bool {
        self.day != day(now)
    }

    fn begin(&mut self, now: Time) {
        if self.is_over(now) {
            *self = Self {
                day: day(now),
                ..Self::default()
            };
        }
    }
}

fn day(now: Time) -> u64 {
    Duration::from_millis(now.0).as_secs() / DAY.as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICES: Prices = Prices {
        prompt: 1_000_000,
        answer: 5_000_000,
    };

    fn usage(prompt_tokens: u64, answer_tokens: u64) -> Usage {
        Usage {
            prompt_tokens,
            answer_tokens,
        }
    }

    #[test]
    fn a_price_is_counted_to_the_millionth_of_a_dollar_and_rounded_up() {
        assert_eq!(PRICES.of(usage(1_000, 200)), 2_000);
        assert_eq!(PRICES.of(usage(0, 0)), 0);
        let cheap = Prices {
            prompt: 150_000,
            answer: 0,
        };
        assert_eq!(cheap.of(usage(1, 0)), 1);
        assert_eq!(cheap.of(usage(20, 0)), 3);
        assert_eq!(PRICES.of(usage(u64::MAX, u64::MAX)), u64::MAX);
    }

    #[test]
    fn the_cent_that_is_not_left_is_not_spent_and_a_new_day_has_its_own() {
        let limits = GenerationLimits {
            cents_per_day_max: 1,
            ..GenerationLimits::default()
        };
        let mut budget = Budget::default();
        let (now, tomorrow) = (Time(0), Time(86_400_000));
        let first = budget.reserve(now, usage(0, 2_000), PRICES, &limits);
        let first = first.unwrap();
        assert!(budget.reserve(now, usage(1, 0), PRICES, &limits).is_none());
        budget.settle(first, usage(0, 1_000), PRICES);
        assert!(
            budget
                .reserve(now, usage(5_001, 0), PRICES, &limits)
                .is_none()
        );
        let second = budget.reserve(now, usage(5_000, 0), PRICES, &limits);
        let late = second.unwrap();
        let third = budget.reserve(tomorrow, usage(10_000, 0), PRICES, &limits);
        assert!(third.is_some());
        // What began yesterday is paid today.
        budget.settle(late, usage(1, 0), PRICES);
        assert_eq!(budget.microdollars, 10_001);
    }

    #[test]
    fn tokens_are_bounded_where_they_cost_nothing() {
        let limits = GenerationLimits {
            tokens_per_day_max: 100,
            ..GenerationLimits::default()
        };
        let mut budget = Budget::default();
        let mut take =
            |tokens| budget.reserve(Time(1), usage(tokens, 0), Prices::default(), &limits);
        assert!(take(101).is_none());
        assert!(take(100).is_some());
        assert!(take(1).is_none());
    }
}
