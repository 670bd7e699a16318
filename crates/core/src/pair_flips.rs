//! Randomisation tests of all pairs of runs: one draw of signs serves every pair.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use crate::bootstrap::mix;

/// Sums that differ by less than this share of the sums of absolute values differ by rounding.
const ROUNDING: f64 = 1e-12;
/// A random number has a sign for each of this many queries.
const BITS: usize = 64;
/// The sums of this many queries are looked up by their signs.
const NIBBLE: usize = 4;
const PATTERNS: usize = 1 << NIBBLE;

/// Flip the signs of the differences of several pairs of runs.
///
/// A difference is that of two values, so the sum of signed differences is the difference of two sums of signed values:
/// k runs take k sums instead of one for each of k (k - 1) / 2 pairs.
#[derive(Debug)]
pub struct PairFlips<'a> {
    /// By query and run.
    values: &'a [f64],
    runs: usize,
    pairs: &'a [(usize, usize)],
    /// For each pair, the smallest sum that counts as far from 0 as the observed one.
    thresholds: Vec<f64>,
}

impl<'a> PairFlips<'a> {
    /// How many permutations are made by one task; each task has a stream of random numbers of its own.
    pub const PER_TASK: u64 = 128;

    pub fn new(values: &'a [f64], runs: usize, pairs: &'a [(usize, usize)]) -> Self {
        let column = |run: usize| values.iter().skip(run).step_by(runs);
        let sizes: Vec<f64> = (0..runs).map(|run| column(run).map(|value| value.abs()).sum()).collect();
        let threshold = |&(first, second): &(usize, usize)| {
            let observed: f64 = column(first).zip(column(second)).map(|(ours, theirs)| ours - theirs).sum();
            observed.abs() - ROUNDING * (sizes[first] + sizes[second])
        };
        PairFlips { values, runs, pairs, thresholds: pairs.iter().map(threshold).collect() }
    }

    /// The number of tasks that make this many permutations.
    pub fn tasks(permutations: u64) -> u64 {
        permutations.div_ceil(Self::PER_TASK)
    }

    /// For each pair, how many permutations of these tasks are as far from 0; the same for a seed on any threads.
    pub fn draw(&self, tasks: std::ops::Range<u64>, permutations: u64, seed: u64) -> Vec<u64> {
        let none = || vec![0; self.pairs.len()];
        let counts = tasks.into_par_iter().map(|task| {
            let size = Self::PER_TASK.min(permutations - task * Self::PER_TASK) as usize;
            self.draw_task(size, Xoshiro256PlusPlus::seed_from_u64(mix(seed) ^ task))
        });
        counts.reduce(none, |left, right| left.iter().zip(right).map(|(left, right)| left + right).collect())
    }

    fn draw_task(&self, size: usize, mut random: Xoshiro256PlusPlus) -> Vec<u64> {
        let mut sums = vec![0.0; size * self.runs];
        let mut signs = vec![0; size];
        let mut table = vec![0.0; PATTERNS * self.runs];
        // A table serves all permutations of the task while it is in the cache.
        for queries in self.values.chunks(BITS * self.runs) {
            signs.fill_with(|| random.next_u64());
            for queries in queries.chunks(NIBBLE * self.runs) {
                self.fill(&mut table, queries);
                for (sums, signs) in sums.chunks_exact_mut(self.runs).zip(&mut signs) {
                    let entry = &table[(*signs as usize % PATTERNS) * self.runs..][..self.runs];
                    sums.iter_mut().zip(entry).for_each(|(sum, value)| *sum += value);
                    *signs >>= NIBBLE;
                }
            }
        }
        self.count_far(&sums)
    }

    /// The sums of up to four queries for each pattern of signs, by run.
    fn fill(&self, table: &mut [f64], queries: &[f64]) {
        for (pattern, entry) in table.chunks_exact_mut(self.runs).enumerate() {
            entry.fill(0.0);
            for (bit, values) in queries.chunks_exact(self.runs).enumerate() {
                let sign = if pattern >> bit & 1 == 1 { -1.0 } else { 1.0 };
                entry.iter_mut().zip(values).for_each(|(sum, value)| *sum += sign * value);
            }
        }
    }

    fn count_far(&self, sums: &[f64]) -> Vec<u64> {
        let mut counts = vec![0; self.pairs.len()];
        for sums in sums.chunks_exact(self.runs) {
            for ((count, &(first, second)), threshold) in counts.iter_mut().zip(self.pairs).zip(&self.thresholds) {
                *count += u64::from((sums[first] - sums[second]).abs() >= *threshold);
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::randomisation::SignFlips;

    fn values(queries: u32) -> Vec<f64> {
        let value = |number: u32| f64::from(number * number * 7919 % 101) / 101.0 + f64::from(number % 3) * 0.02;
        (0..queries * 3).map(value).collect()
    }

    const PAIRS: [(usize, usize); 3] = [(1, 0), (2, 0), (2, 1)];

    #[test]
    fn pair_flips_on_any_threads_depend_on_the_seed_alone() {
        let values = values(150);
        let flips = PairFlips::new(&values, 3, &PAIRS);
        let tasks = PairFlips::tasks(1000);
        let count = |seed| flips.draw(0..tasks, 1000, seed);
        let single = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(count(3), single.install(|| count(3)));
        let parts = [flips.draw(0..2, 1000, 3), flips.draw(2..tasks, 1000, 3)];
        let sums: Vec<u64> = parts[0].iter().zip(&parts[1]).map(|(left, right)| left + right).collect();
        assert_eq!(count(3), sums);
        assert_ne!(count(3), count(4));
    }

    #[test]
    fn pair_flips_of_several_pairs_agree_with_sign_flips_of_each() {
        let values = values(150);
        let permutations = 100_000;
        let shared = PairFlips::new(&values, 3, &PAIRS).draw(0..PairFlips::tasks(permutations), permutations, 5);
        for (count, (first, second)) in shared.into_iter().zip(PAIRS) {
            let differences: Vec<f64> = values.chunks(3).map(|query| query[first] - query[second]).collect();
            let alone = SignFlips::new(&differences).draw(0..SignFlips::tasks(permutations), permutations, 6) as f64;
            let (share, expected) = (count as f64 / permutations as f64, alone / permutations as f64);
            assert!((share - expected).abs() < 0.01, "{first} {second}: {share} {expected}");
        }
    }

    #[test]
    fn pair_flips_of_equal_runs_count_every_permutation() {
        let values: Vec<f64> = (0..70).flat_map(|query| [f64::from(query) / 7.0; 2]).collect();
        assert_eq!(PairFlips::new(&values, 2, &[(1, 0)]).draw(0..2, 200, 1), [200]);
    }
}
