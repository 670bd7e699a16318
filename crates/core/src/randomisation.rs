//! Randomisation tests: how often chance alone gives differences as large as those observed.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use crate::bootstrap::mix;

/// With at most this many differences other than 0, all sign patterns are listed instead of drawn.
pub const MOST_LISTED: usize = 20;
/// Sums that differ by less than this share of the sum of absolute values differ by rounding.
const ROUNDING: f64 = 1e-12;
/// A random number has a sign for each of this many differences.
const BITS: usize = 64;
/// The sums of this many differences are looked up by their signs, as a byte.
const BYTE: usize = 8;

/// How many shuffles go through the queries together.
const SHUFFLES_AT_ONCE: usize = 32;

/// How many permutations had a sum at least as far from 0 as the observed one, of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exceeding {
    pub count: u64,
    pub of: u64,
}

/// Flip the signs of paired differences: all patterns of few differences, else those of random tasks.
#[derive(Debug)]
pub struct SignFlips {
    differences: Vec<f64>,
    /// The smallest sum that counts as far from 0 as the observed one.
    threshold: f64,
    /// For each byte of signs of each eight differences, their sum.
    tables: Vec<[f64; 256]>,
}

impl SignFlips {
    /// How many permutations are made by one task; each task has a stream of random numbers of its own.
    pub const PER_TASK: u64 = 1024;

    pub fn new(differences: &[f64]) -> Self {
        let differences: Vec<f64> = differences.iter().copied().filter(|&value| value != 0.0).collect();
        let observed: f64 = differences.iter().sum();
        let scale: f64 = differences.iter().map(|value| value.abs()).sum();
        let tables = differences.chunks(BYTE).map(table).collect();
        SignFlips { differences, threshold: observed.abs() - ROUNDING * scale, tables }
    }

    /// Whether all patterns are few enough to be listed.
    pub fn is_listed(&self) -> bool {
        self.differences.len() <= MOST_LISTED
    }

    /// How many of all sign patterns are as far from 0 as the observed one.
    pub fn list(&self) -> Exceeding {
        let (low, high) = self.differences.split_at(self.differences.len() / 2);
        let (low, high) = (all_sums(low), all_sums(high));
        let count = high.par_iter().map(|first| self.count_far(low.iter().map(|second| first + second))).sum();
        Exceeding { count, of: (low.len() * high.len()) as u64 }
    }

    /// The number of tasks that make this many permutations.
    pub fn tasks(permutations: u64) -> u64 {
        permutations.div_ceil(Self::PER_TASK)
    }

    /// How many of the permutations of these tasks are as far from 0; the same for a seed on any threads.
    pub fn draw(&self, tasks: std::ops::Range<u64>, permutations: u64, seed: u64) -> u64 {
        tasks
            .into_par_iter()
            .map(|task| {
                let size = Self::PER_TASK.min(permutations - task * Self::PER_TASK) as usize;
                self.draw_task(size, Xoshiro256PlusPlus::seed_from_u64(mix(seed) ^ task))
            })
            .sum()
    }

    fn draw_task(&self, size: usize, mut random: Xoshiro256PlusPlus) -> u64 {
        let mut sums = vec![0.0; size];
        // The tables of 64 differences fit the first cache: they serve all permutations of the task before the next.
        for tables in self.tables.chunks(BITS / BYTE) {
            for sum in &mut sums {
                let signs = random.next_u64().to_le_bytes();
                *sum += tables.iter().zip(signs).map(|(table, byte)| table[usize::from(byte)]).sum::<f64>();
            }
        }
        self.count_far(sums.into_iter())
    }

    fn count_far(&self, sums: impl Iterator<Item = f64>) -> u64 {
        sums.filter(|sum| sum.abs() >= self.threshold).count() as u64
    }
}

/// The sums of up to eight differences for each pattern of signs.
fn table(differences: &[f64]) -> [f64; 256] {
    let mut sums = [0.0; 256];
    for (signs, sum) in sums.iter_mut().enumerate() {
        *sum = signed_sum(differences, signs);
    }
    sums
}

fn all_sums(differences: &[f64]) -> Vec<f64> {
    (0..1 << differences.len()).map(|signs| signed_sum(differences, signs)).collect()
}

fn signed_sum(differences: &[f64], signs: usize) -> f64 {
    differences.iter().enumerate().map(|(bit, value)| if signs >> bit & 1 == 1 { -value } else { *value }).sum()
}

/// Values of several runs and measures by query, in the order query, run, measure.
#[derive(Clone, Copy, Debug)]
pub struct Cube<'a> {
    pub values: &'a [f64],
    pub measures: usize,
    pub runs: usize,
}

/// For each permutation with one of these numbers, and each measure, the range of the sums of runs whose values were
/// shuffled within each query: the randomised Tukey HSD test (Carterette 2012).
pub fn shuffled_ranges(cube: Cube<'_>, permutations: std::ops::Range<u64>, seed: u64) -> Vec<f64> {
    let numbers: Vec<u64> = permutations.collect();
    let parts: Vec<Vec<f64>> = numbers.par_chunks(SHUFFLES_AT_ONCE).map(|part| shuffled(cube, part, seed)).collect();
    parts.concat()
}

/// The state of a permutation while the values of the queries are added up.
struct Shuffle {
    random: Xoshiro256PlusPlus,
    order: Vec<usize>,
    /// By run and measure.
    sums: Vec<f64>,
}

fn shuffled(cube: Cube<'_>, permutations: &[u64], seed: u64) -> Vec<f64> {
    let Cube { values, measures, runs } = cube;
    let start = |&permutation: &u64| Shuffle {
        random: Xoshiro256PlusPlus::seed_from_u64(mix(seed) ^ permutation),
        order: (0..runs).collect(),
        sums: vec![0.0; measures * runs],
    };
    let mut shuffles: Vec<Shuffle> = permutations.iter().map(start).collect();
    // A query serves all permutations of the task while it is in the cache.
    for query in values.chunks_exact(measures * runs) {
        for Shuffle { random, order, sums } in &mut shuffles {
            shuffle(order, random);
            for (sums, &run) in sums.chunks_exact_mut(measures).zip(order.iter()) {
                let values = &query[run * measures..][..measures];
                sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            }
        }
    }
    let ranges = |shuffle: &Shuffle| -> Vec<f64> {
        (0..measures).map(|measure| range(shuffle.sums.iter().skip(measure).step_by(measures))).collect()
    };
    shuffles.iter().flat_map(ranges).collect()
}

/// A random number serves indices with this many outcomes together, whose chances then differ by less than 2^-20.
const OUTCOMES: u64 = 1 << 44;

/// Fisher and Yates' shuffle. The high bits of a product with the number of choices are an index; the low bits are as
/// random as before, and serve the next one.
fn shuffle(order: &mut [usize], random: &mut Xoshiro256PlusPlus) {
    let (mut bits, mut outcomes) = (random.next_u64(), 1);
    for last in (1..order.len()).rev() {
        let choices = last as u64 + 1;
        outcomes *= choices;
        if outcomes > OUTCOMES {
            (bits, outcomes) = (random.next_u64(), choices);
        }
        let product = u128::from(bits) * u128::from(choices);
        order.swap(last, (product >> 64) as usize);
        bits = product as u64;
    }
}

fn range<'a>(sums: impl Iterator<Item = &'a f64>) -> f64 {
    let (low, high) = sums.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &sum| (low.min(sum), high.max(sum)));
    high - low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sign_flips_of_few_differences_are_counted_exactly() {
        let flips = SignFlips::new(&[1.0, 2.0, 3.0, 0.0]);
        assert!(flips.is_listed());
        // Only +++ and --- reach 6.
        assert_eq!(flips.list(), Exceeding { count: 2, of: 8 });
        assert_eq!(SignFlips::new(&[]).list(), Exceeding { count: 1, of: 1 });
        // 0.1 + 0.2 - 0.3 is not exactly 0 in floating point; such patterns still count as equal.
        assert_eq!(SignFlips::new(&[0.1, 0.2, -0.3]).list(), Exceeding { count: 8, of: 8 });
    }

    #[test]
    fn sign_flips_drawn_on_any_threads_depend_on_the_seed_alone() {
        let differences: Vec<f64> = (0..300).map(|number| f64::from(number % 7) - 2.9).collect();
        let flips = SignFlips::new(&differences);
        let count = |seed| flips.draw(0..SignFlips::tasks(5000), 5000, seed);
        let single = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(count(3), single.install(|| count(3)));
        let parts = flips.draw(0..2, 5000, 3) + flips.draw(2..5, 5000, 3);
        assert_eq!(count(3), parts);
    }

    #[test]
    fn sign_flips_drawn_many_times_agree_with_all_patterns() {
        let differences = [0.5, -0.1, 0.2, 0.3, -0.4, 0.25, 0.1, 0.05, -0.3, 0.6];
        let flips = SignFlips::new(&differences);
        let exact = flips.list();
        let drawn = flips.draw(0..SignFlips::tasks(200_000), 200_000, 1);
        let (share, expected) = (drawn as f64 / 200_000.0, exact.count as f64 / exact.of as f64);
        assert!((share - expected).abs() < 0.006, "{share} {expected}");
    }

    #[test]
    fn shuffled_ranges_are_0_for_equal_runs_and_the_same_in_parts() {
        let values: Vec<f64> = (0..40).flat_map(|query| [f64::from(query); 3]).collect();
        let cube = Cube { values: &values, measures: 1, runs: 3 };
        assert!(shuffled_ranges(cube, 0..50, 1).iter().all(|&range| range == 0.0));
        let values: Vec<f64> = (0..600).map(|number| f64::from(number * number % 31)).collect();
        let cube = Cube { values: &values, measures: 2, runs: 3 };
        let whole = shuffled_ranges(cube, 0..50, 1);
        assert_eq!(whole, [shuffled_ranges(cube, 0..20, 1), shuffled_ranges(cube, 20..50, 1)].concat());
        assert_eq!(whole.len(), 100);
    }
}
