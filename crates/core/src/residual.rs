//! How low and how high a sum of gains, or its ratio to the ideal, can be when an unjudged item may turn out to be
//! worth nothing, or any of the levels.
//!
//! What it is worth counts in the ideal as well, so the ratio is lowest where the worthy items are at the worst ranks,
//! or below the cutoff.

use crate::long_sum::total;

/// One query: its gains by rank down to the cutoff, and what is known of the unjudged items and of the ideal.
#[derive(Debug, Clone)]
pub struct Doubt<'a> {
    pub gains: &'a [f64],
    /// Whether the item at each of these ranks is unjudged; its gain is then 0.
    pub unjudged: &'a [bool],
    /// The weight of each rank: none negative, none above the one before; beyond the last they are 0.
    pub weights: &'a [f64],
    /// How many unjudged items are ranked below the cutoff.
    pub below: usize,
    /// The gains of the judged items from which the ideal is made, in any order.
    pub ideal: &'a [f64],
    /// How many ranks the ideal has at most.
    pub ideal_cut: usize,
    /// The gains above 0 that an unjudged item may have, ascending.
    pub levels: &'a [f64],
}

impl Doubt<'_> {
    /// The lowest value, or nothing if there is nothing to divide by.
    ///
    /// The sum is linear in the gains and the ideal is convex, so the lowest ratio is at a corner: every item has the
    /// highest level or nothing, or, where nothing at all has no value, one item has the lowest level.
    pub fn lowest(&self, normalised: bool) -> Option<f64> {
        if !normalised {
            return Some(self.actual(&self.nothing()));
        }
        let least = self.least_counts()?;
        let worst = vec![self.worst_count(least.iter().sum()); self.levels.len()];
        let [least, worst] = [least, worst].map(|counts| {
            let mut assigned = self.best_first(&counts);
            assigned.reverse();
            self.ratio(&assigned)
        });
        Some(least.min(worst))
    }

    /// The highest value, or nothing if there is nothing to divide by.
    ///
    /// A ratio is above t where the sum less t times the ideal is above 0. So t becomes the ratio of the assignment for
    /// which that is most, until t no longer grows.
    pub fn highest(&self, normalised: bool) -> Option<f64> {
        if !normalised {
            return Some(self.actual(&vec![self.top(); self.count()]));
        }
        let least = self.least_counts()?;
        let (sums, ideals) = (self.sum_growths(least.iter().sum()), self.ideal_growths());
        let (mut value, mut higher) = (f64::NEG_INFINITY, self.ratio(&self.best_first(&least)));
        while higher > value {
            value = higher;
            higher = self.ratio(&self.best_first(&best_counts(&sums, &ideals, value)));
        }
        Some(value)
    }

    /// How many items are unjudged.
    fn count(&self) -> usize {
        self.unjudged.iter().filter(|&&unjudged| unjudged).count() + self.below
    }

    /// The highest gain that an unjudged item may have.
    fn top(&self) -> f64 {
        self.levels.last().copied().unwrap_or(0.0)
    }

    /// The assignment that gives every unjudged item 0.
    fn nothing(&self) -> Vec<f64> {
        vec![0.0; self.count()]
    }

    /// The weight of each unjudged item: by rank down to the cutoff, then 0 for each of those below.
    fn open_weights(&self) -> Vec<f64> {
        let within = self.weights.iter().zip(self.unjudged).filter(|&(_, &unjudged)| unjudged);
        let mut weights: Vec<f64> = within.map(|(&weight, _)| weight).collect();
        weights.resize(self.count(), 0.0);
        weights
    }

    /// The sum of the ranking divided by that of the ideal.
    fn ratio(&self, assigned: &[f64]) -> f64 {
        self.actual(assigned) / self.ideal(assigned)
    }

    /// The sum of the ranking down to the cutoff, given the gain of each unjudged item by rank.
    fn actual(&self, assigned: &[f64]) -> f64 {
        let mut rest = assigned.iter();
        let ranked = self.gains.iter().zip(self.unjudged);
        let gains = ranked.map(|(gain, &unjudged)| if unjudged { rest.next().unwrap_or(gain) } else { gain });
        total(gains.zip(self.weights).map(|(gain, weight)| gain * weight))
    }

    /// The sum of the ideal, of which every unjudged item may be part.
    fn ideal(&self, assigned: &[f64]) -> f64 {
        let mut best = [self.ideal, assigned].concat();
        best.sort_unstable_by(|left, right| right.total_cmp(left));
        total(best.iter().take(self.ideal_cut).zip(self.weights).map(|(gain, weight)| gain * weight))
    }

    /// The assignment with the highest sum, given how many items have at least each level; reversed, with the lowest.
    fn best_first(&self, counts: &[usize]) -> Vec<f64> {
        let mut gains = Vec::with_capacity(self.count());
        for (&level, &count) in self.levels.iter().zip(counts).rev() {
            gains.resize(count.max(gains.len()), level);
        }
        gains.resize(self.count(), 0.0);
        gains
    }

    /// The counts of the smallest assignment with a value: nothing at all, or one item of the lowest level.
    ///
    /// There are none either where negative gains outweigh even that item in the ideal: some assignments may have a
    /// value, but their ideals come so near to 0 by chance that no bound says anything.
    fn least_counts(&self) -> Option<Vec<usize>> {
        let mut counts = vec![0; self.levels.len()];
        if self.ideal(&self.nothing()) > 0.0 {
            return Some(counts);
        }
        *counts.first_mut()? = self.count().min(1);
        (self.ideal(&self.best_first(&counts)) > 0.0).then_some(counts)
    }

    /// How many items have the highest level where the ratio is lowest; those at the worst ranks come first.
    fn worst_count(&self, fewest: usize) -> usize {
        let nothing = self.nothing();
        let base = self.actual(&nothing);
        let mut ideals = vec![self.ideal(&nothing); nothing.len() + 1];
        for growth in self.ideal_growths() {
            ideals.iter_mut().zip(growth).for_each(|(ideal, more)| *ideal += more);
        }
        let mut weights = self.open_weights();
        weights.reverse();
        let sums = running(&weights).into_iter().map(|weight| base + self.top() * weight);
        let ratios = sums.zip(ideals).enumerate().skip(fewest).filter(|(_, (_, ideal))| *ideal > 0.0);
        let ratios = ratios.map(|(count, (sum, ideal))| (count, sum / ideal));
        ratios.reduce(|best, next| if next.1 < best.1 { next } else { best }).map_or(fewest, |(count, _)| count)
    }

    /// For each level, and each count, what the items at the best ranks add by rising to it from the one before.
    ///
    /// Fewer items than `fewest` are ruled out.
    fn sum_growths(&self, fewest: usize) -> Vec<Vec<f64>> {
        let weights = running(&self.open_weights());
        let mut before = 0.0;
        let mut growths: Vec<Vec<f64>> = Vec::with_capacity(self.levels.len());
        for &level in self.levels {
            growths.push(weights.iter().map(|weight| (level - before) * weight).collect());
            before = level;
        }
        if let Some(lowest) = growths.first_mut() {
            lowest[..fewest].fill(f64::NEG_INFINITY);
        }
        growths
    }

    /// For each level, and each count, what that many items add to the ideal by rising to it from the one before.
    ///
    /// A gain is a pile of steps from one gain that occurs to the next; each step counts at as many ranks as reach it.
    fn ideal_growths(&self) -> Vec<Vec<f64>> {
        let weights = running(&self.weights[..self.ideal_cut.min(self.weights.len())]);
        let mut judged = self.ideal.to_vec();
        judged.sort_unstable_by(f64::total_cmp);
        let mut before = 0.0;
        let mut growths = Vec::with_capacity(self.levels.len());
        for &level in self.levels {
            let mut growth = vec![0.0; self.count() + 1];
            let between = judged.partition_point(|&gain| gain <= before)..judged.partition_point(|&gain| gain < level);
            for &gain in judged.get(between).unwrap_or(&[]).iter().chain([&level]) {
                // Of equal gains only the first is a step.
                if gain > before {
                    let reached = judged.len() - judged.partition_point(|&other| other < gain);
                    add_step(&mut growth, gain - before, weights.get(reached..).unwrap_or(&[]));
                    before = gain;
                }
            }
            growths.push(growth);
        }
        growths
    }
}

/// The sums after 0, 1, 2, … weights.
fn running(weights: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    let sums = weights.iter().map(|weight| {
        sum += weight;
        sum
    });
    std::iter::once(0.0).chain(sums).collect()
}

/// Add a step of gain at one more rank per item, given the running weights from the ranks that reach it already.
fn add_step(growth: &mut [f64], height: f64, weights: &[f64]) {
    let (Some(first), Some(last)) = (weights.first(), weights.last()) else {
        return;
    };
    let weights = weights.iter().chain(std::iter::repeat(last));
    growth.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += height * (weight - first));
}

/// For each level the count for which the sum less value times ideal is most.
///
/// Each may be chosen alone: fewer judged items reach a higher level, so one more item of it adds no less to the ideal,
/// and the best count is no larger than that of the level before. If the value is negative, more items are never worse.
fn best_counts(sums: &[Vec<f64>], ideals: &[Vec<f64>], value: f64) -> Vec<usize> {
    let best = |(more, less): (&Vec<f64>, &Vec<f64>)| {
        let scores = more.iter().zip(less).map(|(gained, lost)| gained - value * lost).enumerate();
        scores.reduce(|best, next| if next.1 > best.1 { next } else { best }).map_or(0, |(count, _)| count)
    };
    sums.iter().zip(ideals).map(best).collect()
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    use super::*;

    const POSITIVE: [f64; 8] = [0.0, 0.5, 0.7, 1.0, 2.0, 3.0, 7.0, 15.0];
    const SOME_NEGATIVE: [f64; 8] = [0.0, 0.5, 1.0, 3.0, 7.0, -0.5, -1.0, -2.0];
    const LEVELS: [f64; 6] = [0.3, 0.5, 1.0, 2.0, 3.0, 7.0];

    /// A query that owns what it is made of.
    struct Query {
        gains: Vec<f64>,
        unjudged: Vec<bool>,
        weights: Vec<f64>,
        below: usize,
        ideal: Vec<f64>,
        ideal_cut: usize,
        levels: Vec<f64>,
    }

    impl Query {
        /// A random one with at most five unjudged items.
        fn random(random: &mut Xoshiro256PlusPlus, pool: &[f64]) -> Query {
            let mut below = |end: usize| (random.next_u64() >> 33) as usize % end;
            let unjudged: Vec<bool> = (0..below(5)).map(|_| below(2) == 0).collect();
            let gains = unjudged.iter().map(|&open| if open { 0.0 } else { pool[below(pool.len())] }).collect();
            let ideal: Vec<f64> = (0..below(6)).map(|_| pool[below(pool.len())]).collect();
            let steps = [0.0, 0.0, 0.2, 0.5, 1.0, 1.0];
            let kind = below(4);
            let mut weights: Vec<f64> = (1..=16)
                .map(|rank| match kind {
                    0 => 1.0 / f64::from(rank + 1).log2(),
                    1 => 1.0,
                    2 => 0.5_f64.powi(rank),
                    _ => steps[below(steps.len())],
                })
                .collect();
            weights.sort_unstable_by(|left, right| right.total_cmp(left));
            let first = below(3);
            let levels = LEVELS[first..].iter().copied().step_by(1 + below(2)).take(below(4)).collect();
            Query { gains, unjudged, weights, below: below(2), ideal, ideal_cut: below(7), levels }
        }

        fn doubt(&self) -> Doubt<'_> {
            Doubt {
                gains: &self.gains,
                unjudged: &self.unjudged,
                weights: &self.weights,
                below: self.below,
                ideal: &self.ideal,
                ideal_cut: self.ideal_cut,
                levels: &self.levels,
            }
        }

        /// How many items are unjudged.
        fn count(&self) -> usize {
            self.unjudged.iter().filter(|&&open| open).count() + self.below
        }

        /// The sum and the ideal of every assignment: the digits of a number say which level each item has.
        fn every(&self) -> Vec<(f64, f64)> {
            let choices = [&[0.0], &self.levels[..]].concat();
            let powers: Vec<usize> = (0..self.count() as u32).map(|item| choices.len().pow(item)).collect();
            let numbers = 0..choices.len().pow(self.count() as u32);
            let assigned = |number| powers.iter().map(|power| choices[number / power % choices.len()]).collect();
            numbers.map(|number| self.one(assigned(number))).collect()
        }

        /// The sum and the ideal of one assignment.
        fn one(&self, assigned: Vec<f64>) -> (f64, f64) {
            let mut gains = self.gains.clone();
            let ranks = (0..gains.len()).filter(|&rank| self.unjudged[rank]);
            ranks.zip(&assigned).for_each(|(rank, &gain)| gains[rank] = gain);
            let mut best = [&self.ideal[..], &assigned].concat();
            best.sort_by(|left, right| right.total_cmp(left));
            best.truncate(self.ideal_cut);
            (dot(&gains, &self.weights), dot(&best, &self.weights))
        }
    }

    fn dot(gains: &[f64], weights: &[f64]) -> f64 {
        gains.iter().zip(weights).map(|(gain, weight)| gain * weight).sum()
    }

    fn ratios(every: &[(f64, f64)]) -> Vec<f64> {
        every.iter().filter(|&&(_, ideal)| ideal > 0.0).map(|(sum, ideal)| sum / ideal).collect()
    }

    /// Fail unless the bounds are the least and the largest of the values, or nothing if there are none.
    fn check(doubt: &Doubt, normalised: bool, values: &[f64]) {
        let near = |actual: Option<f64>, expected: Option<f64>| match (actual, expected) {
            (Some(actual), Some(expected)) => (actual - expected).abs() <= 1e-12 * expected.abs().max(1.0),
            (actual, expected) => actual == expected,
        };
        let (low, high) = (values.iter().copied().reduce(f64::min), values.iter().copied().reduce(f64::max));
        assert!(near(doubt.lowest(normalised), low), "{:?} {low:?} {doubt:?}", doubt.lowest(normalised));
        assert!(near(doubt.highest(normalised), high), "{:?} {high:?} {doubt:?}", doubt.highest(normalised));
    }

    #[test]
    fn doubt_bounds_equal_those_of_all_assignments() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..2000 {
            let query = Query::random(&mut random, &POSITIVE);
            let every = query.every();
            check(&query.doubt(), false, &every.iter().map(|&(sum, _)| sum).collect::<Vec<f64>>());
            check(&query.doubt(), true, &ratios(&every));
        }
    }

    #[test]
    fn doubt_with_negative_gains_has_bounds_unless_they_outweigh_an_item() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        for _ in 0..2000 {
            let query = Query::random(&mut random, &SOME_NEGATIVE);
            let mut one = vec![0.0; query.count()];
            one.iter_mut().zip(&query.levels).take(1).for_each(|(gain, &level)| *gain = level);
            let outweighed = query.one(one).1 <= 0.0;
            check(&query.doubt(), true, &if outweighed { Vec::new() } else { ratios(&query.every()) });
        }
    }

    #[test]
    fn doubt_bounds_of_a_ratio_consider_middle_and_lowest_levels() {
        let between = Doubt {
            gains: &[0.0, 1.0],
            unjudged: &[true, false],
            weights: &[1.0, 0.5],
            below: 0,
            ideal: &[1.0],
            ideal_cut: 1,
            levels: &[1.0, 2.0],
        };
        assert_eq!((between.lowest(true), between.highest(true)), (Some(0.5), Some(1.5)));
        let lowest = Doubt { gains: &[-1.0, 0.0], unjudged: &[false, true], ideal: &[-1.0], ideal_cut: 2, ..between };
        assert_eq!((lowest.lowest(true), lowest.highest(true)), (Some(-1.0), Some(0.0)));
    }

    #[test]
    fn doubt_with_thousands_of_unjudged_items_has_bounds() {
        let weights: Vec<f64> = (1..=9000).map(|rank| 1.0 / f64::from(rank + 1).log2()).collect();
        let doubt = Doubt {
            gains: &[[3.0, 0.0, 0.0].as_slice(); 1500].concat(),
            unjudged: &[[false, true, true].as_slice(); 1500].concat(),
            weights: &weights,
            below: 1000,
            ideal: &[[3.0, 1.0].as_slice(); 1500].concat(),
            ideal_cut: 4500,
            levels: &[1.0, 3.0, 7.0, 15.0, 31.0],
        };
        // With 3 everywhere the ranking is ideal.
        assert_eq!(doubt.highest(true), Some(1.0));
        let low = doubt.lowest(true).unwrap();
        assert!(0.0 < low && low < doubt.ratio(&doubt.nothing()), "{low}");
    }
}
