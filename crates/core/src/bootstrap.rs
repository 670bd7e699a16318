//! Bootstrap: how far the mean would move with other queries.

use std::ops::Range;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

/// The means of the resamples with these numbers, drawn with replacement; the same for a seed on any threads.
pub fn bootstrap_means(values: &[f64], resamples: Range<u64>, seed: u64) -> Vec<f64> {
    resamples
        .into_par_iter()
        .map(|resample| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(mix(seed) ^ resample);
            drawn_sum(values, &mut random) / values.len() as f64
        })
        .collect()
}

/// The mean and the standard error of each of those resamples.
pub fn bootstrap_moments(values: &[f64], resamples: Range<u64>, seed: u64) -> Vec<(f64, f64)> {
    let count = values.len() as f64;
    let squares: Vec<f64> = values.iter().map(|value| value * value).collect();
    resamples
        .into_par_iter()
        .map(|resample| {
            let stream = || Xoshiro256PlusPlus::seed_from_u64(mix(seed) ^ resample);
            let mean = drawn_sum(values, &mut stream()) / count;
            // The same stream draws the same queries.
            let square = drawn_sum(&squares, &mut stream()) / count;
            (mean, ((square - mean * mean).max(0.0) / (count - 1.0)).sqrt())
        })
        .collect()
}

/// The interval that holds the given share of the means.
pub fn interval(mut means: Vec<f64>, level: f64) -> (f64, f64) {
    means.sort_unstable_by(f64::total_cmp);
    let outside = (1.0 - level) / 2.0;
    (quantile(&means, outside), quantile(&means, 1.0 - outside))
}

/// The sum of as many values as there are, drawn with replacement.
fn drawn_sum(values: &[f64], random: &mut Xoshiro256PlusPlus) -> f64 {
    // Four independent sums, which the processor adds in parallel.
    let mut sums = [0.0; 4];
    for _ in 0..values.len() / 4 {
        let picks = four_indices(random, values.len());
        for (sum, pick) in sums.iter_mut().zip(picks) {
            *sum += values[pick];
        }
    }
    let rest = four_indices(random, values.len());
    let last: f64 = rest.iter().take(values.len() % 4).map(|&pick| values[pick]).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + last
}

/// Four whole numbers below `count`, each from 32 random bits by the high bits of a product.
///
/// Some numbers are more likely than others by a share of count / 2^32: one in a thousand for four million queries.
#[inline(always)]
fn four_indices(random: &mut Xoshiro256PlusPlus, count: usize) -> [usize; 4] {
    let (first, second) = (random.next_u64(), random.next_u64());
    let halves = [first >> 32, first & u64::from(u32::MAX), second >> 32, second & u64::from(u32::MAX)];
    halves.map(|half| ((half * count as u64) >> 32) as usize)
}

/// Spread the bits of the seed, so that near seeds give unrelated streams (the finaliser of splitmix64).
pub fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The quantile of sorted numbers, linear between neighbours.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let position = share.clamp(0.0, 1.0) * last as f64;
    let below = sorted[position.floor() as usize];
    let above = sorted[position.ceil() as usize];
    below + (above - below) * position.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantile_between_neighbours_is_linear() {
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.5), 2.0);
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), 3.0);
        assert!(quantile(&[], 0.5).is_nan());
    }

    #[test]
    fn bootstrap_means_on_any_threads_depend_on_the_seed_alone() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let means = bootstrap_means(&values, 0..500, 7);
        let single = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(means, single.install(|| bootstrap_means(&values, 0..500, 7)));
        assert_ne!(means, bootstrap_means(&values, 0..500, 8));
        let (low, high) = interval(means, 0.95);
        let spread = high - low;
        // The standard error of this mean is 2.89, so the interval is about 11.3 wide.
        assert!((9.5..13.5).contains(&spread), "{spread}");
    }
}
