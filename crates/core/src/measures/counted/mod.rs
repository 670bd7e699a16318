//! Measures that count relevant items: their input, and the tables of their functions.

mod ranks;
mod sets;

/// The formula of a measure; NaN where the divisor is 0.
pub type Function = fn(&RelevantRanks, usize, &[f64]) -> f64;

/// The function of a name.
pub fn function(name: &str) -> Option<Function> {
    sets::FUNCTIONS.iter().chain(ranks::FUNCTIONS).find(|(key, _)| *key == name).map(|&(_, function)| function)
}

/// A requested measure of this kind.
#[derive(Debug, Clone)]
pub struct Counted {
    pub function: Function,
    pub k: Option<usize>,
    /// Which items are relevant.
    pub relevance: RelevanceRule,
    /// The parameters, in the order of their declaration.
    pub numbers: Vec<f64>,
    /// Whether a query without relevant items has no value.
    pub of_relevant: bool,
    /// Whether it looks at all ranks, whatever its cutoff.
    pub whole: bool,
    /// Whether it looks at the order of the grades, and of the rows as they came.
    pub ordered: bool,
    /// The value of a query that has none, where the rules do not say it.
    pub nothing: Option<f64>,
    /// Whether a query that has no value is left out, whatever the rules say.
    pub skips: bool,
}

impl Counted {
    /// The value down to a depth, or nothing where there is nothing to divide by.
    pub fn value(&self, query: &RelevantRanks, depth: usize) -> Option<f64> {
        if self.of_relevant && query.relevant == 0 {
            return None;
        }
        Some((self.function)(query, depth, &self.numbers)).filter(|value| !value.is_nan())
    }
}

/// Which items are relevant: those with a positive grade that reaches a level, of all judged ones or of the ranked ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RelevanceRule {
    pub level: f64,
    pub ranked: bool,
}

/// One query at one relevance level: the ranks of its judged items, counted from 1, and how many there are.
#[derive(Debug, Default)]
pub struct RelevantRanks {
    /// The ranks of relevant items.
    pub ranks: Vec<usize>,
    /// The ranks of items that are judged as irrelevant.
    pub irrelevant_ranks: Vec<usize>,
    /// The ranks of items whose grade is negative, which count as unjudged.
    pub pooled_ranks: Vec<usize>,
    /// The runs of equal scores, as ranks counted from 0, from and to.
    pub ties: Vec<(usize, usize)>,
    /// The ranks, counted from 0, in the order of the grades, and of the rows as they came where grades are equal.
    pub by_grade: Vec<usize>,
    /// How many items are relevant, irrelevant, judged at all, and ranked.
    pub relevant: usize,
    pub irrelevant: usize,
    pub judged: usize,
    pub length: usize,
}

pub fn is_relevant(grade: f64, level: f64) -> bool {
    grade > 0.0 && grade >= level
}

impl RelevantRanks {
    /// Look at a ranking, given as the ranks and grades of its judged items, and at the grades of all judged items.
    pub fn look(&mut self, ranked: &[(usize, f64)], judged: &[f64], level: f64, length: usize) {
        self.ranks.clear();
        self.irrelevant_ranks.clear();
        self.pooled_ranks.clear();
        for &(rank, grade) in ranked {
            let ranks = if is_relevant(grade, level) {
                &mut self.ranks
            } else if grade >= 0.0 {
                &mut self.irrelevant_ranks
            } else {
                &mut self.pooled_ranks
            };
            ranks.push(rank);
        }
        self.relevant = judged.iter().filter(|&&grade| is_relevant(grade, level)).count();
        self.irrelevant = judged.iter().filter(|&&grade| grade >= 0.0).count() - self.relevant;
        self.judged = judged.len();
        self.length = length;
    }

    /// The relevant items in the first ranks.
    pub fn hits(&self, k: usize) -> usize {
        self.ranks.partition_point(|&rank| rank <= k)
    }

    /// The ranks of relevant items down to one.
    pub fn ranks(&self, k: usize) -> &[usize] {
        &self.ranks[..self.hits(k)]
    }

    /// The items in the first ranks that have a grade which is not negative.
    pub fn graded(&self, k: usize) -> usize {
        self.hits(k) + self.irrelevant_ranks.partition_point(|&rank| rank <= k)
    }

    /// The items in the first ranks that have a judgment.
    pub fn judged(&self, k: usize) -> usize {
        self.graded(k) + self.pooled_ranks.partition_point(|&rank| rank <= k)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Rank 3 is unjudged, rank 5 has a negative grade; one relevant item is not ranked.
    pub(crate) fn value(name: &str, k: usize, numbers: &[f64]) -> f64 {
        let mut query = RelevantRanks::default();
        let ranked = [(1, 1.0), (2, 0.0), (4, 2.0), (5, -1.0)];
        query.look(&ranked, &[1.0, 0.0, 2.0, -1.0, 3.0], 0.0, 5);
        function(name).unwrap()(&query, k, numbers)
    }

    #[test]
    fn counted_value_without_relevant_items_is_none_where_it_divides_by_them() {
        let mut query = RelevantRanks::default();
        query.look(&[(1, 0.0)], &[0.0], 0.0, 1);
        let asked = |name: &str, of_relevant: bool| {
            let function = function(name).unwrap();
            let relevance = RelevanceRule { level: 0.0, ranked: false };
            let (k, numbers, nothing) = (None, vec![], None);
            Counted {
                function,
                k,
                relevance,
                numbers,
                of_relevant,
                whole: false,
                ordered: false,
                nothing,
                skips: false,
            }
            .value(&query, 1)
        };
        assert_eq!([asked("recall", true), asked("bpref", true), asked("auc", true)], [None; 3]);
        assert_eq!([asked("precision", false), asked("success", false)], [Some(0.0); 2]);
    }

    #[test]
    fn function_of_an_unknown_name_is_none() {
        assert!(function("precisions").is_none());
    }
}
