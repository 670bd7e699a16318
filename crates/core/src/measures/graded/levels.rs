//! Averages of NDCG over the ranks at which it is fair to look, and gain relative to that of the ideal so far.

use super::{Function, Gained};
use crate::measures::gains::total;

pub const FUNCTIONS: &[(&str, Function)] =
    &[("ndcg-at-relevant", ndcg_at_relevant), ("ndcg-at-levels", ndcg_at_levels), ("g", g)];

/// The sums of discounted gain after 0, 1, 2, … ranks.
fn sums(gains: &[f64]) -> Vec<f64> {
    let discounted = gains.iter().enumerate().map(|(at, gain)| gain / ((at + 2) as f64).log2());
    std::iter::once(0.0)
        .chain(discounted.scan(0.0, |sum, gain| {
            *sum += gain;
            Some(*sum)
        }))
        .collect()
}

fn at(sums: &[f64], rank: usize) -> f64 {
    sums[rank.min(sums.len() - 1)]
}

/// NDCG at the rank of each relevant item; of one that is not ranked, at the end of the ranking and of the ideal.
fn ndcg_at_relevant(gained: &Gained, _: usize, _: &[f64]) -> f64 {
    let ideal = gained.positive();
    let (actual, best) = (sums(gained.gains), sums(ideal));
    let ranks = gained.gains.iter().enumerate().filter(|(_, gain)| **gain > 0.0).map(|(place, _)| place + 1);
    let (mut sum, mut found) = (0.0, 0);
    for rank in ranks {
        sum += at(&actual, rank) / at(&best, rank);
        found += 1;
    }
    let missed = ideal.len() as f64 - f64::from(found);
    (sum + missed * at(&actual, usize::MAX) / at(&best, usize::MAX)) / ideal.len() as f64
}

/// NDCG where the ideal goes down to a lower gain, and at the end of the ranking if the ideal has come to its end.
fn ndcg_at_levels(gained: &Gained, _: usize, _: &[f64]) -> f64 {
    let ideal = gained.positive();
    let (actual, best) = (sums(gained.gains), sums(ideal));
    let (mut sum, mut levels) = (0.0, 0);
    for rank in (1..=ideal.len()).filter(|&rank| ideal.get(rank) != Some(&ideal[rank - 1])) {
        sum += at(&actual, rank) / at(&best, rank);
        levels += 1;
    }
    if gained.gains.len() > ideal.len() + 1 {
        sum += at(&actual, usize::MAX) / at(&best, usize::MAX);
        levels += 1;
    }
    sum / f64::from(levels)
}

/// Gain, discounted by how far the ranking lies behind the ideal.
fn g(gained: &Gained, _: usize, _: &[f64]) -> f64 {
    let ideal = gained.positive();
    let (mut behind, mut sum) = (0.0_f64, 0.0);
    for (place, &gain) in gained.gains.iter().enumerate() {
        behind += ideal.get(place).copied().unwrap_or(0.0).max(1.0) - gain;
        if gain != 0.0 {
            // Rounding may put what is found above the cost of the ideal.
            sum += gain / (2.0 + behind.max(0.0)).log2();
        }
    }
    sum / total(ideal.iter().copied())
}
