//! Averages of NDCG over ranks (of relevant items, or where the ideal gain falls), and gain relative to the ideal.

use super::{Function, Gained};
use crate::long_sum::{LongSum, total};

pub const FUNCTIONS: &[(&str, Function)] =
    &[("ndcg-at-relevant", ndcg_at_relevant), ("ndcg-at-levels", ndcg_at_levels), ("g", g)];

/// The sums of discounted gain after 0, 1, 2, … ranks.
fn sums(gains: &[f64]) -> Vec<f64> {
    let discounted = gains.iter().enumerate().map(|(index, gain)| gain / ((index + 2) as f64).log2());
    std::iter::once(0.0)
        .chain(discounted.scan(LongSum::default(), |sum, gain| {
            sum.add(gain);
            Some(sum.value())
        }))
        .collect()
}

fn sum_at(sums: &[f64], rank: usize) -> f64 {
    sums[rank.min(sums.len() - 1)]
}

/// NDCG at the rank of each relevant item; of one that is not ranked, at the end of the ranking and of the ideal.
fn ndcg_at_relevant(gained: &Gained, _: usize, _: &[f64]) -> f64 {
    let ideal = gained.positive();
    let (actual, best) = (sums(gained.gains), sums(ideal));
    let ranks = gained.gains.iter().enumerate().filter(|(_, gain)| **gain > 0.0).map(|(index, _)| index + 1);
    let relevant_ranked = ranks.clone().count();
    let sum = total(ranks.map(|rank| sum_at(&actual, rank) / sum_at(&best, rank)));
    let missed = ideal.len() as f64 - relevant_ranked as f64;
    (sum + missed * sum_at(&actual, usize::MAX) / sum_at(&best, usize::MAX)) / ideal.len() as f64
}

/// NDCG where the ideal goes down to a lower gain, and at the end of the ranking if the ideal has come to its end.
fn ndcg_at_levels(gained: &Gained, _: usize, _: &[f64]) -> f64 {
    let ideal = gained.positive();
    let (actual, best) = (sums(gained.gains), sums(ideal));
    let falls = (1..=ideal.len()).filter(|&rank| ideal.get(rank) != Some(&ideal[rank - 1]));
    let end = (gained.gains.len() > ideal.len() + 1).then_some(usize::MAX);
    let ranks = falls.chain(end);
    let levels = ranks.clone().count();
    total(ranks.map(|rank| sum_at(&actual, rank) / sum_at(&best, rank))) / levels as f64
}

/// The gain, discounted by how far the cumulative gain lies behind the ideal.
fn g(gained: &Gained, _: usize, _: &[f64]) -> f64 {
    let ideal = gained.positive();
    let mut behind = LongSum::default();
    let discounted = gained.gains.iter().enumerate().map(|(index, &gain)| {
        behind.add(ideal.get(index).copied().unwrap_or(0.0).max(1.0) - gain);
        // Rounding may make the gain so far larger than the ideal gain.
        if gain == 0.0 { 0.0 } else { gain / (2.0 + behind.value().max(0.0)).log2() }
    });
    total(discounted) / total(ideal.iter().copied())
}
