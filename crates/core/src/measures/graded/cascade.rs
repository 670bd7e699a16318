//! Models of users who stop: after an item that satisfies them, or at a target gain or rank.

use super::{Function, Gained};
use crate::long_sum::LongSum;

pub const FUNCTIONS: &[(&str, Function)] = &[
    ("cascade", |gained, k, _| reciprocal_rank(gained.top(k))),
    ("normalised-cascade", normalised_cascade),
    ("inst", inst),
    ("insq", insq),
    ("bejeweled", bejeweled),
    ("compatibility", compatibility),
];

/// The expected reciprocal rank at which a user stops; each item satisfies the user with its probability.
fn reciprocal_rank(chances: &[f64]) -> f64 {
    let (mut going_on, mut sum) = (1.0, LongSum::default());
    for (index, &chance) in chances.iter().enumerate() {
        sum.add(if chance == 0.0 { 0.0 } else { going_on * chance / (index + 1) as f64 });
        going_on *= 1.0 - chance;
    }
    sum.value()
}

fn normalised_cascade(gained: &Gained, k: usize, _: &[f64]) -> f64 {
    reciprocal_rank(gained.top(k)) / reciprocal_rank(&gained.best[..k.min(gained.best.len())])
}

/// The expected gain per inspected item of a user who continues from each rank with a probability.
fn rate(gains: &[f64], ranks: usize, goes_on: impl Fn(f64, f64) -> f64) -> f64 {
    let (mut weight, mut weights, mut sum, mut total) =
        (1.0, LongSum::default(), LongSum::default(), LongSum::default());
    for rank in 1..=ranks {
        let gain = gains.get(rank - 1).copied().unwrap_or(0.0);
        weights.add(weight);
        sum.add(weight * gain);
        total.add(gain);
        weight *= goes_on(rank as f64, total.value());
    }
    if weights.value() > 0.0 { sum.value() / weights.value() } else { 0.0 }
}

/// The user wants `wanted` gain, and continues with a higher probability the less of it was gained.
fn inst(gained: &Gained, _: usize, numbers: &[f64]) -> f64 {
    let (wanted, ranks) = (numbers[0], numbers[1] as usize);
    rate(gained.gains, ranks, |rank, total| {
        let expected = rank + wanted + (wanted - total);
        ((expected - 1.0) / expected).max(0.0).powi(2)
    })
}

fn insq(gained: &Gained, _: usize, numbers: &[f64]) -> f64 {
    let (wanted, ranks) = (numbers[0], numbers[1] as usize);
    rate(gained.gains, ranks, |rank, _| ((rank + 2.0 * wanted - 1.0) / (rank + 2.0 * wanted)).powi(2))
}

/// The user stops at `wanted` gain or after `k` items; `k` may exceed the length of the ranking.
fn bejeweled(gained: &Gained, k: usize, numbers: &[f64]) -> f64 {
    let mut total = LongSum::default();
    for (index, &gain) in gained.top(k).iter().enumerate() {
        total.add(gain);
        if total.value() >= numbers[0] {
            return total.value() / (index + 1) as f64;
        }
    }
    if k == 0 { 0.0 } else { total.value() / k as f64 }
}

/// Rank-biased overlap with the ideal ranking that is most like the ranking.
fn compatibility(gained: &Gained, _: usize, numbers: &[f64]) -> f64 {
    let (p, normalised) = (numbers[0], numbers[1] > 0.0);
    let ideal = gained.positive();
    let mut gainful: Vec<(usize, f64)> =
        gained.gains.iter().copied().enumerate().filter(|(_, gain)| *gain > 0.0).collect();
    gainful.sort_by(|a, b| b.1.total_cmp(&a.1));
    // An item counts in the overlap from the depth at which both rankings contain it.
    let mut shared_from: Vec<usize> = Vec::with_capacity(gainful.len());
    for group in gainful.chunk_by(|a, b| a.1 == b.1) {
        let better = ideal.partition_point(|&other| other > group[0].1);
        shared_from.extend(group.iter().zip(better..).map(|(&(index, _), ideal_index)| index.max(ideal_index) + 1));
    }
    shared_from.sort_unstable();
    let depth = gained.gains.len().max(ideal.len());
    let (mut weight, mut overlap, mut divisor) = (1.0, LongSum::default(), LongSum::default());
    for rank in 1..=depth {
        overlap.add(weight * shared_from.partition_point(|&from| from <= rank) as f64 / rank as f64);
        divisor.add(if normalised { weight * ideal.len().min(rank) as f64 / rank as f64 } else { weight });
        weight *= p;
    }
    overlap.value() / divisor.value()
}

#[cfg(test)]
mod tests {
    use crate::measures::graded::tests::value;

    #[test]
    fn cascade_functions_equal_their_formulas() {
        assert_eq!(value("cascade", &[0.5, 0.0, 0.5], &[], 3, &[]), 0.5 + 0.25 / 3.0);
        assert_eq!(value("normalised-cascade", &[0.0, 0.5], &[0.5], 2, &[]), 0.5);
        assert_eq!(value("bejeweled", &[0.0, 1.0, 1.0], &[], 10, &[1.0]), 0.5);
        assert_eq!(value("bejeweled", &[0.0, 0.0, 1.0], &[], 2, &[1.0]), 0.0);
        // The user continues with ((rank + 1) / (rank + 2))^2: the weights are 1, 4/9, 1/4. Only rank 1 has a gain.
        assert!((value("insq", &[1.0], &[], 9, &[1.0, 3.0]) - 36.0 / 61.0).abs() < 1e-15);
        assert!((value("inst", &[0.0], &[], 9, &[1.0, 3.0])).abs() < 1e-15);
    }

    #[test]
    fn compatibility_of_the_ideal_order_is_1() {
        assert_eq!(value("compatibility", &[2.0, 1.0, 1.0], &[2.0, 1.0, 1.0], 3, &[0.95, 1.0]), 1.0);
        assert_eq!(value("compatibility", &[0.0, 1.0], &[1.0], 2, &[0.5, 1.0]), 0.25 / 1.25);
        assert_eq!(value("compatibility", &[0.0, 1.0], &[1.0], 2, &[0.5, 0.0]), 0.25 / 1.5);
    }
}
