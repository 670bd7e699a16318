//! Measures of novelty and diversity: how well the first ranks cover the subtopics of a query, without repeating one.

use crate::annotations::{Subtopics, Values};
use crate::items::Item;
use crate::long_sum::{LongSum, total};
use crate::plan::Plan;
use crate::query::{Scratch, depth};

/// The formula of a measure; NaN where the divisor is 0.
pub type Function = fn(&Aspects, usize, &[f64]) -> f64;

/// The functions, by name; the first number is α where there is one.
const FUNCTIONS: &[(&str, Function)] = &[
    ("alpha-dcg", |aspects, k, numbers| over_perfect(aspects, k, numbers, by_logarithm)),
    ("alpha-ndcg", |aspects, k, numbers| over_ideal(aspects, k, numbers[0], by_logarithm)),
    ("err-ia", |aspects, k, numbers| over_perfect(aspects, k, numbers, by_rank)),
    ("nerr-ia", |aspects, k, numbers| over_ideal(aspects, k, numbers[0], by_rank)),
    ("nrbp", nrbp),
    ("nnrbp", nnrbp),
    ("map-ia", average_precision),
    ("p-ia", precision),
    ("subtopic-recall", subtopic_recall),
];

/// The function of a name.
pub fn function(name: &str) -> Option<Function> {
    FUNCTIONS.iter().find(|(key, _)| *key == name).map(|&(_, function)| function)
}

/// A requested measure of this kind.
#[derive(Debug, Clone)]
pub struct Diversity {
    pub function: Function,
    pub k: Option<usize>,
    /// Relevant to a subtopic is a positive grade that reaches this level.
    pub level: f64,
    /// The parameters, in the order of their declaration.
    pub numbers: Vec<f64>,
    /// Whether a query without relevant items has no value.
    pub of_relevant: bool,
}

impl Diversity {
    /// The value down to a depth, or nothing where there is nothing to divide by.
    pub fn value(&self, aspects: &Aspects, depth: usize) -> Option<f64> {
        if self.of_relevant && aspects.judged.iter().all(Vec::is_empty) {
            return None;
        }
        Some((self.function)(aspects, depth, &self.numbers)).filter(|value| !value.is_nan())
    }
}

/// One query: the subtopics to which each ranked item is relevant, and those of every relevant judged item, each
/// ascending and without repetition.
///
/// The ideal order takes the first of equally good items, so their order counts: ndeval prefers the highest id by its
/// bytes, which must come first in `judged`. Gains are added from the lowest subtopic to the highest, and where α is
/// not 0.5 the last digit of such a sum decides between items too: ndeval and we have the subtopics by their number,
/// pyndeval in the order in which the judgments of all queries first name them.
#[derive(Debug)]
pub struct Aspects<'a> {
    pub ranked: &'a [Vec<u32>],
    pub judged: &'a [Vec<u32>],
    /// All subtopics are below this number. One to which no judged item is relevant does not count.
    pub subtopics: usize,
}

impl Aspects<'_> {
    fn top(&self, k: usize) -> &[Vec<u32>] {
        &self.ranked[..k.min(self.ranked.len())]
    }

    /// How many judged items are relevant to each subtopic.
    fn relevant(&self) -> Vec<u32> {
        let mut relevant = vec![0; self.subtopics];
        self.judged.iter().flatten().for_each(|&subtopic| relevant[subtopic as usize] += 1);
        relevant
    }

    /// How many subtopics count.
    fn covered(&self) -> usize {
        self.relevant().into_iter().filter(|&items| items > 0).count()
    }

    /// The gain of new subtopics at each rank down to a depth.
    fn novelties(&self, k: usize, alpha: f64) -> Vec<f64> {
        let mut left = RemainingGains::new(self.subtopics, alpha);
        self.top(k).iter().map(|item| left.take(item)).collect()
    }

    /// The gains of the greedy ideal order: at each rank the item with the highest gain.
    ///
    /// Items with the same subtopics are equally good, so that each rank looks at one of each kind: of n items of d
    /// kinds it costs a sort of n and then d sums per rank, where d is at most n.
    fn ideal(&self, k: usize, alpha: f64) -> Vec<f64> {
        let mut order: Vec<usize> = (0..self.judged.len()).collect();
        order.sort_by(|&a, &b| self.judged[a].cmp(&self.judged[b]).then(a.cmp(&b)));
        let mut kinds: Vec<&[usize]> = order.chunk_by(|&a, &b| self.judged[a] == self.judged[b]).collect();
        let mut left = RemainingGains::new(self.subtopics, alpha);
        let mut gains = Vec::with_capacity(k.min(self.judged.len()));
        while gains.len() < k && !kinds.is_empty() {
            let chosen = self.best(&kinds, &left);
            gains.push(left.take(&self.judged[kinds[chosen][0]]));
            kinds[chosen] = &kinds[chosen][1..];
            if kinds[chosen].is_empty() {
                kinds.swap_remove(chosen);
            }
        }
        gains
    }

    /// The kind whose items are worth most; of equals, the one whose next item comes first.
    fn best(&self, kinds: &[&[usize]], left: &RemainingGains) -> usize {
        let (mut chosen, mut most) = (0, f64::NEG_INFINITY);
        for (index, kind) in kinds.iter().enumerate() {
            let worth = left.worth(&self.judged[kind[0]]);
            if worth > most || (worth == most && kind[0] < kinds[chosen][0]) {
                (chosen, most) = (index, worth);
            }
        }
        chosen
    }
}

/// The remaining gain of each subtopic after the items so far.
struct RemainingGains {
    shares: Vec<f64>,
    kept: f64,
}

impl RemainingGains {
    fn new(subtopics: usize, alpha: f64) -> Self {
        Self { shares: vec![1.0; subtopics], kept: 1.0 - alpha }
    }

    fn worth(&self, item: &[u32]) -> f64 {
        item.iter().fold(0.0, |sum, &subtopic| sum + self.shares[subtopic as usize])
    }

    /// Return the gain of an item, and reduce that of its subtopics.
    fn take(&mut self, item: &[u32]) -> f64 {
        let worth = self.worth(item);
        item.iter().for_each(|&subtopic| self.shares[subtopic as usize] *= self.kept);
        worth
    }
}

/// Sums of gains, weighted by rank.
type Weigh = fn(&[f64]) -> f64;

fn by_logarithm(gains: &[f64]) -> f64 {
    total(gains.iter().enumerate().map(|(index, gain)| gain / ((index + 2) as f64).log2()))
}

fn by_rank(gains: &[f64]) -> f64 {
    total(gains.iter().enumerate().map(|(index, gain)| gain / (index + 1) as f64))
}

fn by_patience(gains: &[f64], beta: f64) -> f64 {
    let weights = std::iter::successors(Some(1.0), |weight| Some(weight * beta));
    total(gains.iter().zip(weights).map(|(gain, weight)| gain * weight))
}

/// The sum divided by that of items that cover every subtopic; below the cutoff `numbers[1]` it is not divided.
fn over_perfect(aspects: &Aspects, k: usize, numbers: &[f64], weigh: Weigh) -> f64 {
    let (alpha, first) = (numbers[0], numbers[1]);
    let sum = weigh(&aspects.novelties(k, alpha));
    if first <= 0.0 || (k as f64) < first {
        return sum;
    }
    let all = aspects.covered() as f64;
    let perfect: Vec<f64> = std::iter::successors(Some(all), |gain| Some(gain * (1.0 - alpha))).take(k).collect();
    sum / weigh(&perfect)
}

/// The sum divided by that of the ideal order; 0 for an empty ranking without a cutoff.
fn over_ideal(aspects: &Aspects, k: usize, alpha: f64, weigh: Weigh) -> f64 {
    let best = weigh(&aspects.ideal(k, alpha));
    if best > 0.0 { weigh(&aspects.novelties(k, alpha)) / best } else { 0.0 }
}

fn nrbp(aspects: &Aspects, _: usize, numbers: &[f64]) -> f64 {
    let (alpha, beta) = (numbers[0], numbers[1]);
    let sum = by_patience(&aspects.novelties(usize::MAX, alpha), beta);
    sum * ((1.0 - (1.0 - alpha) * beta) / aspects.covered() as f64)
}

fn nnrbp(aspects: &Aspects, _: usize, numbers: &[f64]) -> f64 {
    let (alpha, beta) = (numbers[0], numbers[1]);
    let best = by_patience(&aspects.ideal(usize::MAX, alpha), beta);
    by_patience(&aspects.novelties(usize::MAX, alpha), beta) / best
}

/// The mean of the average precisions of the subtopics.
fn average_precision(aspects: &Aspects, _: usize, _: &[f64]) -> f64 {
    let mut counts = vec![0_u32; aspects.subtopics];
    let mut precisions = vec![LongSum::default(); aspects.subtopics];
    for (index, item) in aspects.ranked.iter().enumerate() {
        for subtopic in item.iter().map(|&subtopic| subtopic as usize) {
            counts[subtopic] += 1;
            precisions[subtopic].add(f64::from(counts[subtopic]) / (index + 1) as f64);
        }
    }
    let relevant = aspects.relevant();
    let counted = relevant.iter().zip(precisions).filter(|(items, _)| **items > 0);
    total(counted.map(|(&items, sum)| sum.value() / f64::from(items))) / aspects.covered() as f64
}

fn precision(aspects: &Aspects, k: usize, _: &[f64]) -> f64 {
    let relevant: usize = aspects.top(k).iter().map(Vec::len).sum();
    if k == 0 { 0.0 } else { relevant as f64 / (k as f64 * aspects.covered() as f64) }
}

fn subtopic_recall(aspects: &Aspects, k: usize, _: &[f64]) -> f64 {
    let mut is_covered = vec![false; aspects.subtopics];
    aspects.top(k).iter().flatten().for_each(|&subtopic| is_covered[subtopic as usize] = true);
    is_covered.into_iter().filter(|&covered| covered).count() as f64 / aspects.covered() as f64
}

impl<I: Item> Scratch<I> {
    /// The value of a measure of subtopics.
    pub(crate) fn diversity_value(
        &self,
        plan: &Plan,
        diversity: &Diversity,
        query: &[u8],
        length: usize,
    ) -> Option<f64> {
        let annotations = plan.annotations.as_deref()?;
        let Values::Subtopics(subtopics) = &annotations.values else { return None };
        let number = annotations.table().find(query)?;
        let first = annotations.table().first_place(number);
        let relevant = |row: usize| subtopics.relevant(row, diversity.level);
        let ranked: Vec<Vec<u32>> =
            self.judged_rows(first, length).map(|row| row.map(relevant).unwrap_or_default()).collect();
        let judged = self.best_first(subtopics, first, diversity.level);
        let aspects = Aspects { ranked: &ranked, judged: &judged, subtopics: subtopics.count(number) };
        diversity.value(&aspects, depth(plan, diversity.k, length))
    }

    /// The subtopics of each relevant judged item, the highest id first, as ndeval prefers them.
    fn best_first(&self, subtopics: &Subtopics, first: usize, level: f64) -> Vec<Vec<u32>> {
        let items = self.judged.items();
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_unstable_by(|&a, &b| items[b].compare(items[a]));
        let all = order.into_iter().map(|item| subtopics.relevant(first + item, level));
        all.filter(|subtopics| !subtopics.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(name: &str, ranked: &[&[u32]], judged: &[&[u32]], k: usize, numbers: &[f64]) -> Option<f64> {
        let owned = |items: &[&[u32]]| items.iter().map(|item| item.to_vec()).collect::<Vec<_>>();
        let (ranked, judged) = (owned(ranked), owned(judged));
        let diversity = Diversity {
            function: function(name).unwrap(),
            k: Some(k),
            level: 1.0,
            numbers: numbers.to_vec(),
            of_relevant: true,
        };
        diversity.value(&Aspects { ranked: &ranked, judged: &judged, subtopics: 5 }, k)
    }

    #[test]
    fn diversity_value_of_a_repeated_subtopic_decreases() {
        // The gains of the ranking are 2, 1/2, 0 and 1 + 1/4; those of the ideal order are 2, 2 - 1/2 and 1/4.
        let (ranked, judged): (&[&[u32]], &[&[u32]]) = (&[&[0, 1], &[0], &[], &[0, 3]], &[&[0, 1], &[0, 3], &[0]]);
        let log3 = 3_f64.log2();
        let (actual, ideal) = (2.0 + 0.5 / log3, 2.0 + 1.5 / log3);
        assert_eq!(value("alpha-ndcg", ranked, judged, 2, &[0.5]), Some(actual / ideal));
        assert_eq!(value("alpha-dcg", ranked, judged, 2, &[0.5, 0.0]), Some(actual));
        assert_eq!(value("alpha-dcg", ranked, judged, 2, &[0.5, 2.0]), Some(actual / (3.0 + 1.5 / log3)));
        let ideal = 2.0 + 1.5 / 2.0 + 0.25 / 3.0;
        assert_eq!(value("nerr-ia", ranked, judged, 9, &[0.5]), Some((2.0 + 0.25 + 1.25 / 4.0) / ideal));
        assert_eq!(value("err-ia", ranked, judged, 2, &[0.5, 2.0]), Some(2.25 / 3.75));
        assert_eq!(value("nrbp", ranked, judged, 4, &[0.5, 0.5]), Some((2.25 + 1.25 / 8.0) * 0.75 / 3.0));
        assert_eq!(
            value("nnrbp", ranked, judged, 4, &[0.5, 0.5]),
            Some((2.25 + 1.25 / 8.0) / (2.0 + 0.75 + 0.25 / 4.0))
        );
    }

    #[test]
    fn diversity_value_over_several_subtopics_weighs_them_equally() {
        let (ranked, judged): (&[&[u32]], &[&[u32]]) =
            (&[&[0, 1], &[0], &[], &[0, 3]], &[&[0, 1], &[0, 3], &[0], &[3]]);
        let average = ((1.0 + 1.0 + 3.0 / 4.0) / 3.0 + 1.0 + 1.0 / 4.0 / 2.0) / 3.0;
        assert_eq!(value("map-ia", ranked, judged, 4, &[]), Some(average));
        assert_eq!(value("p-ia", ranked, judged, 10, &[]), Some(5.0 / 30.0));
        assert_eq!(value("subtopic-recall", ranked, judged, 2, &[]), Some(2.0 / 3.0));
        assert_eq!(value("subtopic-recall", ranked, judged, 9, &[]), Some(1.0));
    }

    #[test]
    fn over_perfect_below_its_first_cutoff_is_not_divided() {
        let (ranked, judged): (&[&[u32]], &[&[u32]]) = (&[&[0, 1, 2]], &[&[0, 1, 2], &[3]]);
        assert_eq!(value("err-ia", ranked, judged, 1, &[0.5, 2.0]), Some(3.0));
        assert_eq!(value("err-ia", ranked, judged, 1, &[0.5, 1.0]), Some(0.75));
        assert_eq!(value("alpha-dcg", ranked, judged, 0, &[0.5, 1.0]), Some(0.0));
    }

    #[test]
    fn ideal_among_equally_good_items_takes_the_first() {
        // From the middle item on, 2 and then twice 1 + 1/2; from an outer one on, 2, 2 and then twice 1/2.
        let (first, middle, last): (&[u32], &[u32], &[u32]) = (&[0, 1], &[1, 2], &[2, 3]);
        let ranked = [first, last, middle];
        let middle_first = value("nerr-ia", &ranked, &[middle, first, last], 3, &[0.5]);
        assert_eq!(middle_first, Some((2.0 + 1.0 + 1.0 / 3.0) / (2.0 + 0.75 + 0.5)));
        assert_eq!(value("nerr-ia", &ranked, &[first, middle, last], 3, &[0.5]), Some(1.0));
        // Two items of the same kind, and between them another that is equally good.
        let gains = |judged: &[&[u32]]| value("nerr-ia", &[&[0]], judged, 2, &[0.5]);
        assert_eq!(gains(&[&[0], &[1], &[0]]), Some(1.0 / 1.5));
    }

    #[test]
    fn diversity_value_without_relevant_items_is_none() {
        assert_eq!(value("alpha-ndcg", &[&[]], &[], 1, &[0.5]), None);
        assert_eq!(value("alpha-ndcg", &[&[]], &[&[0]], 1, &[0.5]), Some(0.0));
        assert_eq!(value("alpha-ndcg", &[], &[&[0]], 0, &[0.5]), Some(0.0));
        assert!(function("beta-ndcg").is_none());
    }
}
