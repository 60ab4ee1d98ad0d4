//! What weights say of a choice: the odds of each candidate are e to the power of its total.

/// The unit of weights: each unit more makes a candidate e times as likely.
pub(in super::super) const ONE: i32 = 100;

/// The share of the likelihood of all that the best of several totals has, in hundredths.
pub(super) fn share(totals: &[i32], best: usize) -> u8 {
    let odds = |total: &i32| (f64::from(total - totals[best]) / f64::from(ONE)).exp();
    let all: f64 = totals.iter().map(odds).sum();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the share of the largest is between nothing and one"
    )]
    let share = (100.0 / all) as u8;
    share
}
