//! How many relevant items stand in the first ranks.

use super::{Function, RelevantRanks};

pub const FUNCTIONS: &[(&str, Function)] = &[
    ("num-q", |_, _, _| 1.0),
    ("num-ret", |query, _, _| query.length as f64),
    ("num-rel", |query, _, _| query.relevant as f64),
    ("num-rel-ret", |query, _, _| query.ranks.len() as f64),
    ("num-nonrel-judged-ret", |query, _, _| query.irrelevant_ranks.len() as f64),
    ("utility", utility),
    ("precision", precision),
    ("recall", recall),
    ("relative-precision", |query, k, _| share(query.hits(k), k.min(query.relevant))),
    ("set-map", |query, k, _| share(query.hits(k) * query.hits(k), k * query.relevant)),
    ("f", f_measure),
    ("hits", |query, k, _| query.hits(k) as f64),
    ("success", |query, k, _| f64::from(u8::from(query.hits(k) > 0))),
    ("fallout", fallout),
    ("judged", |query, k, _| share(query.judged(k), k.min(query.length))),
    ("unjudged", |query, k, _| share(k.min(query.length) - query.graded(k), k)),
];

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn precision(query: &RelevantRanks, k: usize, _: &[f64]) -> f64 {
    share(query.hits(k), k)
}

fn recall(query: &RelevantRanks, k: usize, _: &[f64]) -> f64 {
    share(query.hits(k), query.relevant)
}

fn f_measure(query: &RelevantRanks, k: usize, numbers: &[f64]) -> f64 {
    let (precision, recall, weight) = (precision(query, k, &[]), recall(query, k, &[]), numbers[0] * numbers[0]);
    let divisor = weight * precision + recall;
    if divisor > 0.0 { (1.0 + weight) * precision * recall / divisor } else { 0.0 }
}

/// The share of all irrelevant items that is in the first ranks. `numbers[0]` is the size of the collection; where it
/// is 0, the collection is what is ranked or judged.
fn fallout(query: &RelevantRanks, k: usize, numbers: &[f64]) -> f64 {
    let ranked_or_judged = (query.length + query.judged - query.judged(query.length)) as f64;
    let collection = if numbers[0] > 0.0 { numbers[0] } else { ranked_or_judged };
    let irrelevant = collection - query.relevant as f64;
    if irrelevant > 0.0 { (k.min(query.length) - query.hits(k)) as f64 / irrelevant } else { 0.0 }
}

fn utility(query: &RelevantRanks, _: usize, numbers: &[f64]) -> f64 {
    let (relevant_ranked, ranked) = (query.ranks.len() as f64, query.length as f64);
    let missed = query.relevant as f64 - relevant_ranked;
    let rest = numbers[4] - ranked - missed;
    numbers[0] * relevant_ranked + numbers[1] * (ranked - relevant_ranked) + numbers[2] * missed + numbers[3] * rest
}

#[cfg(test)]
mod tests {
    use crate::measures::counted::tests::value;

    #[test]
    fn sets_functions_equal_their_formulas() {
        assert_eq!(value("precision", 4, &[]), 0.5);
        assert_eq!(value("precision", 10, &[]), 0.2);
        assert_eq!(value("recall", 1, &[]), 1.0 / 3.0);
        assert_eq!(value("hits", 4, &[]), 2.0);
        assert_eq!(value("relative-precision", 2, &[]), 0.5);
        assert_eq!(value("set-map", 4, &[]), 0.5 * (2.0 / 3.0));
        assert_eq!(value("f", 4, &[1.0]), 2.0 * 0.5 * (2.0 / 3.0) / (0.5 + 2.0 / 3.0));
        assert_eq!(value("judged", 3, &[]), 2.0 / 3.0);
        assert_eq!(value("unjudged", 10, &[]), 0.2);
        // Ranked or judged are six items, of which three are relevant.
        assert_eq!(value("fallout", 2, &[0.0]), 1.0 / 3.0);
        assert_eq!(value("fallout", 2, &[13.0]), 0.1);
        assert_eq!(value("utility", 5, &[1.0, -1.0, -2.0, 0.5, 10.0]), 2.0 - 3.0 - 2.0 + 2.0);
    }
}
