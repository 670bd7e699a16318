//! Sums of gain times discount over ranks, their ratio to the ideal, and the rewriting of gains where ties are averaged.

use crate::discount::Discount;
use crate::gain::Gain;
use crate::long_sum::{LongSum, MANY, total};

/// A sum of gain times discount.
#[derive(Debug, Clone)]
pub struct Gains {
    pub form: Form,
    pub k: Option<usize>,
    pub gain: Gain,
    pub discount: Discount,
    pub ideal: Ideal,
    pub bound: Option<End>,
}

/// The ideal order that a ratio is divided by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ideal {
    Judged,
    Uncut,
    Ranked,
    Top,
    ListLength,
    Perfect { top: f64 },
}

/// What a measure returns: a sum, or the ratio of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Actual,
    Ideal,
    Ratio,
    /// The ratio that is expected of a random order of the ranked items.
    Random,
    /// How much better than random the ratio is, as a share of what is possible.
    Corrected,
}

impl Form {
    /// Whether it is divided by the ideal.
    pub fn divides(self) -> bool {
        matches!(self, Form::Ratio | Form::Random | Form::Corrected)
    }

    /// Whether it looks at all ranks, whatever its cutoff.
    pub(crate) fn looks_at_all(self) -> bool {
        matches!(self, Form::Random | Form::Corrected)
    }
}

/// The lower or the upper bound over all grades of the unjudged items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Low,
    High,
}

/// Write the sums after 0, 1, 2, … ranks; they run in rank order, so they are the same on every thread.
pub fn running(gains: &[f64], weights: &[f64], sums: &mut Vec<f64>) {
    sums.clear();
    sums.push(0.0);
    let (first, rest) = gains.split_at(gains.len().min(MANY));
    let mut plain = 0.0;
    sums.extend(first.iter().zip(weights).map(|(gain, weight)| {
        plain += gain * weight;
        plain
    }));
    if !rest.is_empty() {
        let mut sum = LongSum::of(first.iter().zip(weights).map(|(gain, weight)| gain * weight));
        sums.extend(rest.iter().zip(&weights[first.len()..]).map(|(gain, weight)| {
            sum.add(gain * weight);
            sum.value()
        }));
    }
}

/// The sum down to a cutoff; beyond the last rank nothing is added.
pub fn down_to(sums: &[f64], cutoff: usize) -> f64 {
    sums[cutoff.min(sums.len() - 1)]
}

/// (value − expected) / (1 − expected); None where the expected value is 1.
pub(crate) fn corrected(value: f64, expected: f64) -> Option<f64> {
    let possible = 1.0 - expected;
    (possible.abs() > f64::EPSILON).then(|| (value - expected) / possible)
}

/// Give each of the tied ranks the mean gain: its expected gain over all orders of the tied items.
pub fn average(gains: &mut [f64]) {
    let first = gains[0];
    // The mean of equal numbers may differ from them in the last digit.
    if gains.iter().any(|&gain| gain != first) {
        let mean = total(gains.iter().copied()) / gains.len() as f64;
        gains.fill(mean);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn down_to_a_cutoff_beyond_the_last_rank_is_the_whole_sum() {
        let mut sums = Vec::new();
        running(&[3.0, 2.0], &[1.0, 0.5, 0.25], &mut sums);
        assert_eq!(sums, [0.0, 3.0, 4.0]);
        assert_eq!([0, 1, 2, 9].map(|cutoff| down_to(&sums, cutoff)), [0.0, 3.0, 4.0, 4.0]);
    }

    #[test]
    fn running_sums_of_many_terms_are_compensated() {
        let gains = vec![0.1; MANY + 50_000];
        let mut sums = Vec::new();
        running(&gains, &vec![1.0; gains.len()], &mut sums);
        let plain: f64 = gains[..MANY].iter().sum();
        assert_eq!(sums[MANY], plain);
        assert_eq!(sums[MANY + 50_000], 15_000.0);
    }

    #[test]
    fn average_of_equal_gains_keeps_all_digits() {
        let mut gains = [0.1; 3];
        average(&mut gains);
        assert_eq!(gains, [0.1; 3]);
        let mut gains = [1.0, 0.0];
        average(&mut gains);
        assert_eq!(gains, [0.5; 2]);
    }
}
