//! Each relevant item and its rank.

use super::{Function, RelevantRanks};
use crate::long_sum::total;

pub const FUNCTIONS: &[(&str, Function)] = &[
    ("reciprocal-rank", |query, k, _| query.ranks(k).first().map_or(0.0, |&rank| 1.0 / rank as f64)),
    ("average-precision", |query, k, _| precisions(query, k) / query.relevant as f64),
    ("capped-average-precision", capped_average_precision),
    ("yaap", yaap),
    ("r-precision", r_precision),
    ("interpolated-precision", |query, _, numbers| interpolated(query, numbers[0], numbers[1])),
    ("mean-interpolated-precision", mean_interpolated),
    ("bpref", bpref),
    ("inferred-average-precision", inferred_average_precision),
    ("binary-g", binary_g),
    ("auc", auc),
    ("concordance", concordance),
    ("rank-biased-residual", rank_biased_residual),
];

/// The smoothing constant of inferred average precision.
const EPSILON: f64 = 0.00001;
/// As in XGBoost, a query of two items, which make one pair, has no value.
const FEWEST_ITEMS: usize = 3;

/// The sum of the precisions at the ranks of relevant items.
fn precisions(query: &RelevantRanks, k: usize) -> f64 {
    total(query.ranks(k).iter().enumerate().map(|(index, &rank)| (index + 1) as f64 / rank as f64))
}

fn capped_average_precision(query: &RelevantRanks, k: usize, _: &[f64]) -> f64 {
    if k == 0 { 0.0 } else { precisions(query, k) / query.relevant.min(k) as f64 }
}

fn yaap(query: &RelevantRanks, _: usize, _: &[f64]) -> f64 {
    let sum = precisions(query, query.length);
    ((1.0 + sum) / (1.0 + query.relevant as f64 - sum)).ln()
}

fn r_precision(query: &RelevantRanks, _: usize, numbers: &[f64]) -> f64 {
    let rank = (numbers[0] * query.relevant as f64 + numbers[1]).floor() as usize;
    if rank == 0 { 0.0 } else { query.hits(rank) as f64 / rank as f64 }
}

/// The highest precision at a rank that has the recall.
fn interpolated(query: &RelevantRanks, recall: f64, rounding: f64) -> f64 {
    let needed = (recall * query.relevant as f64 + rounding).floor() as usize;
    let reached = query.ranks.iter().enumerate().skip(needed.saturating_sub(1));
    reached.map(|(index, &rank)| (index + 1) as f64 / rank as f64).fold(0.0, f64::max)
}

fn mean_interpolated(query: &RelevantRanks, _: usize, numbers: &[f64]) -> f64 {
    let (rounding, points) = (numbers[0], &numbers[1..]);
    total(points.iter().map(|&recall| interpolated(query, recall, rounding))) / points.len() as f64
}

/// For each relevant item, the share of the irrelevant judged ones that do not stand before it.
fn bpref(query: &RelevantRanks, _: usize, _: &[f64]) -> f64 {
    let most = query.relevant.min(query.irrelevant) as f64;
    let preferred = query.ranks.iter().map(|&rank| {
        let before = query.irrelevant_ranks.partition_point(|&other| other < rank);
        if before == 0 { 1.0 } else { 1.0 - before.min(query.relevant) as f64 / most }
    });
    total(preferred) / query.relevant as f64
}

fn inferred_average_precision(query: &RelevantRanks, _: usize, _: &[f64]) -> f64 {
    let expected = query.ranks.iter().enumerate().map(|(relevant, &rank)| {
        if rank == 1 {
            return 1.0;
        }
        let irrelevant = query.irrelevant_ranks.partition_point(|&other| other < rank) as f64;
        let unknown = query.pooled_ranks.partition_point(|&other| other < rank) as f64;
        let (relevant, before) = (relevant as f64, (rank - 1) as f64);
        let pooled = relevant + irrelevant + unknown;
        let share = (relevant + EPSILON) / (relevant + irrelevant + 2.0 * EPSILON);
        1.0 / (before + 1.0) + before / (before + 1.0) * (pooled / before) * share
    });
    total(expected) / query.relevant as f64
}

fn binary_g(query: &RelevantRanks, _: usize, _: &[f64]) -> f64 {
    let gains = query.ranks.iter().enumerate().map(|(index, &rank)| 1.0 / ((2 + rank - (index + 1)) as f64).log2());
    total(gains) / query.relevant as f64
}

/// The share of (relevant, irrelevant) pairs in the right order; a tie counts half.
fn auc(query: &RelevantRanks, _: usize, _: &[f64]) -> f64 {
    let (positives, negatives) = (query.ranks.len(), query.length - query.ranks.len());
    if positives == 0 || negatives == 0 {
        return f64::NAN;
    }
    let irrelevant_before = query.ranks.iter().enumerate().map(|(index, &rank)| rank - 1 - index).sum::<usize>();
    let mut wins = (positives * negatives - irrelevant_before) as f64;
    for &(start, end) in &query.ties {
        let end = end.min(query.length);
        let tied = &query.ranks[query.hits(start)..query.hits(end)];
        // Within the run, the relevant items won the pairs with irrelevant ones behind them.
        let behind =
            tied.iter().enumerate().map(|(index, &rank)| (end - rank) - (tied.len() - index - 1)).sum::<usize>();
        wins += 0.5 * (tied.len() * (end - start - tied.len())) as f64 - behind as f64;
    }
    wins / (positives * negatives) as f64
}

/// The share of all pairs of items that are ranked in the order of their grades; equal scores count half a pair.
fn concordance(query: &RelevantRanks, _: usize, _: &[f64]) -> f64 {
    let length = query.length;
    if length < FEWEST_ITEMS {
        return f64::NAN;
    }
    // The index of the score of each rank among the distinct scores, the highest first.
    let mut indices = vec![0; length];
    let mut ties = query.ties.iter().peekable();
    for rank in 1..length {
        let tied = ties.peek().is_some_and(|&&(start, end)| start < rank && rank < end);
        indices[rank] = indices[rank - 1] + usize::from(!tied);
        ties.next_if(|&&(_, end)| rank + 1 >= end);
    }
    // A binary indexed tree of how many of the items so far, lowest grade first, have a score of each index.
    let mut counts = vec![0_usize; length + 1];
    let (mut wins, mut seen_so_far) = (0.0, 0);
    for &rank in query.by_grade.iter().rev() {
        let (not_lower, higher) = (up_to(&counts, indices[rank] + 1), up_to(&counts, indices[rank]));
        wins += (seen_so_far - not_lower) as f64 + 0.5 * (not_lower - higher) as f64;
        add_one(&mut counts, indices[rank] + 1);
        seen_so_far += 1;
    }
    wins / (length * (length - 1) / 2) as f64
}

/// The sum of the first counts of a binary indexed tree, whose entries begin at 1.
fn up_to(counts: &[usize], mut entry: usize) -> usize {
    let mut sum = 0;
    while entry > 0 {
        sum += counts[entry];
        entry &= entry - 1;
    }
    sum
}

fn add_one(counts: &mut [usize], mut entry: usize) {
    while entry < counts.len() {
        counts[entry] += 1;
        entry += entry & entry.wrapping_neg();
    }
}

fn rank_biased_residual(query: &RelevantRanks, _: usize, numbers: &[f64]) -> f64 {
    let p = numbers[0];
    let unjudged = query.length - query.graded(query.length);
    if unjudged == 0 {
        return 0.0;
    }
    let graded = query.ranks.iter().chain(&query.irrelevant_ranks);
    // The weights of all ranks to infinity, less those of judged items; rounding must not make the result negative.
    (1.0 - (1.0 - p) * total(graded.map(|&rank| p.powf((rank - 1) as f64)))).max(0.0)
}

#[cfg(test)]
mod tests {
    use crate::measures::counted::RelevantRanks;
    use crate::measures::counted::tests::value;

    #[test]
    fn ranks_functions_equal_their_formulas() {
        assert_eq!(value("reciprocal-rank", 5, &[]), 1.0);
        assert_eq!(value("average-precision", 5, &[]), (1.0 + 0.5) / 3.0);
        assert_eq!(value("capped-average-precision", 1, &[]), 1.0);
        assert_eq!(value("r-precision", 5, &[1.0, 0.9]), 1.0 / 3.0);
        assert_eq!(value("r-precision", 5, &[2.0, 0.9]), 2.0 / 6.0);
        // The only irrelevant judged item stands before the second relevant one.
        assert_eq!(value("bpref", 5, &[]), 1.0 / 3.0);
        assert_eq!([0.0, 0.5, 1.0].map(|recall| value("interpolated-precision", 5, &[recall, 0.5])), [1.0, 0.5, 0.0]);
        assert_eq!(value("mean-interpolated-precision", 5, &[0.5, 0.0, 0.5]), 0.75);
        assert_eq!(value("binary-g", 5, &[]), (1.0 + 1.0 / 4.0_f64.log2()) / 3.0);
        assert_eq!(value("yaap", 5, &[]), (2.5_f64 / 2.5).ln());
        assert!((value("rank-biased-residual", 5, &[0.5]) - (0.5_f64.powi(5) + 0.125 + 0.03125)).abs() < 1e-15);
    }

    #[test]
    fn concordance_counts_pairs_in_the_order_of_grades() {
        let query = |by_grade: &[usize], ties: &[(usize, usize)]| RelevantRanks {
            by_grade: by_grade.to_vec(),
            ties: ties.to_vec(),
            length: by_grade.len(),
            ..RelevantRanks::default()
        };
        assert_eq!(super::concordance(&query(&[0, 1, 2, 3], &[]), 4, &[]), 1.0);
        assert_eq!(super::concordance(&query(&[3, 2, 1, 0], &[]), 4, &[]), 0.0);
        assert_eq!(super::concordance(&query(&[3, 2, 1, 0], &[(0, 4)]), 4, &[]), 0.5);
        // (1, 0), (1, 2), (0, 2) with ranks 0 and 1 tied: half, one, one.
        assert_eq!(super::concordance(&query(&[1, 0, 2], &[(0, 2)]), 3, &[]), 2.5 / 3.0);
        assert!(super::concordance(&query(&[0, 1], &[]), 2, &[]).is_nan());
    }

    #[test]
    fn auc_with_equal_scores_counts_half_a_pair() {
        let mut query = RelevantRanks::default();
        query.look(&[(1, 1.0), (3, 1.0)], &[1.0, 1.0], 0.0, 4);
        assert_eq!(super::auc(&query, 4, &[]), 0.75);
        query.ties = vec![(1, 3)];
        assert_eq!(super::auc(&query, 4, &[]), 0.875);
        query.ties = vec![(0, 4)];
        assert_eq!(super::auc(&query, 4, &[]), 0.5);
    }
}
