//! Measures that count relevant items: precision, recall, average precision and their kin.

/// What is made of the ranks at which relevant items stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Formula {
    Precision,
    Recall,
    /// The weighted harmonic mean of precision and recall.
    F {
        beta: f64,
    },
    Success,
    ReciprocalRank,
    AveragePrecision,
    RPrecision,
    Bpref,
    Judged,
    /// Rank-biased precision: the reader goes on to the next rank with this probability.
    RankBiased {
        persistence: f64,
    },
}

impl Formula {
    /// Whether it is divided by the number of relevant items.
    pub fn divides(self) -> bool {
        use Formula::{AveragePrecision, Bpref, F, RPrecision, Recall};
        matches!(self, Recall | F { .. } | AveragePrecision | RPrecision | Bpref)
    }
}

/// A requested measure of this kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counting {
    pub formula: Formula,
    pub k: Option<usize>,
    /// Relevant is a positive grade that reaches this level.
    pub level: f64,
}

/// One query seen at one relevance level: what many measures need, counted once.
#[derive(Debug, Default)]
pub struct Tally {
    /// Relevant items down to each rank.
    hits: Vec<u32>,
    /// The sum of the precisions at the ranks of relevant items, down to each rank.
    precisions: Vec<f64>,
    first: Option<usize>,
    relevant: usize,
    judged_otherwise: usize,
}

pub fn is_relevant(grade: f64, level: f64) -> bool {
    grade > 0.0 && grade >= level
}

impl Tally {
    /// Count a ranking, given as the grades by rank, NaN for what is unjudged, and the grades of all judged items.
    pub fn count(&mut self, ranked: &[f64], judged: &[f64], level: f64) {
        self.hits.clear();
        self.precisions.clear();
        self.first = None;
        let (mut hits, mut sum) = (0_u32, 0.0);
        for (at, &grade) in ranked.iter().enumerate() {
            if is_relevant(grade, level) {
                hits += 1;
                sum += f64::from(hits) / (at + 1) as f64;
                self.first.get_or_insert(at + 1);
            }
            self.hits.push(hits);
            self.precisions.push(sum);
        }
        self.relevant = judged.iter().filter(|&&grade| is_relevant(grade, level)).count();
        // A negative grade is as good as none.
        self.judged_otherwise = judged.iter().filter(|&&grade| grade >= 0.0).count() - self.relevant;
    }

    pub fn has_relevant(&self) -> bool {
        self.relevant > 0
    }

    fn hits(&self, k: usize) -> f64 {
        f64::from(k.min(self.hits.len()).checked_sub(1).map_or(0, |last| self.hits[last]))
    }
}

impl Counting {
    /// The value down to a depth, or nothing where it is divided by the number of relevant items and there are none.
    pub fn value(&self, tally: &Tally, ranked: &[f64], depth: usize) -> Option<f64> {
        let (hits, relevant) = (tally.hits(depth), tally.relevant as f64);
        let precision = if depth == 0 { 0.0 } else { hits / depth as f64 };
        let of_relevant = |value: f64| (tally.relevant > 0).then(|| value / relevant);
        match self.formula {
            Formula::Precision => Some(precision),
            Formula::Recall => of_relevant(hits),
            Formula::F { beta } => of_relevant(hits).map(|recall| f_measure(precision, recall, beta)),
            Formula::Success => Some(f64::from(u8::from(hits > 0.0))),
            Formula::ReciprocalRank => Some(match tally.first {
                Some(rank) if rank <= depth => 1.0 / rank as f64,
                _ => 0.0,
            }),
            Formula::AveragePrecision => {
                of_relevant(depth.min(ranked.len()).checked_sub(1).map_or(0.0, |last| tally.precisions[last]))
            }
            Formula::RPrecision => of_relevant(tally.hits(tally.relevant)),
            Formula::Bpref => of_relevant(self.preferences(tally, ranked)),
            Formula::Judged => {
                let top = &ranked[..depth.min(ranked.len())];
                let judged = top.iter().filter(|grade| !grade.is_nan()).count();
                Some(if top.is_empty() { 0.0 } else { judged as f64 / top.len() as f64 })
            }
            Formula::RankBiased { persistence } => Some(self.rank_biased(ranked, depth, persistence)),
        }
    }

    /// For each relevant item, the share of the judged irrelevant ones that do not stand before it.
    fn preferences(&self, tally: &Tally, ranked: &[f64]) -> f64 {
        let most = tally.relevant.min(tally.judged_otherwise) as f64;
        let (mut before, mut sum) = (0_usize, 0.0);
        for &grade in ranked {
            if is_relevant(grade, self.level) {
                let worse = before.min(tally.relevant) as f64;
                sum += if before == 0 { 1.0 } else { 1.0 - worse / most };
            } else if grade >= 0.0 {
                before += 1;
            }
        }
        sum
    }

    fn rank_biased(&self, ranked: &[f64], depth: usize, persistence: f64) -> f64 {
        let (mut weight, mut sum) = (1.0 - persistence, 0.0);
        for &grade in &ranked[..depth.min(ranked.len())] {
            if is_relevant(grade, self.level) {
                sum += weight;
            }
            weight *= persistence;
        }
        sum
    }
}

fn f_measure(precision: f64, recall: f64, beta: f64) -> f64 {
    let weight = beta * beta;
    let divisor = weight * precision + recall;
    if divisor > 0.0 { (1.0 + weight) * precision * recall / divisor } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNJUDGED: f64 = f64::NAN;

    fn value(formula: Formula, k: usize) -> Option<f64> {
        let ranked = [1.0, 0.0, UNJUDGED, 2.0, -1.0];
        let mut tally = Tally::default();
        tally.count(&ranked, &[1.0, 0.0, 2.0, -1.0, 3.0], 0.0);
        Counting { formula, k: Some(k), level: 0.0 }.value(&tally, &ranked, k)
    }

    #[test]
    fn values_follow_their_formulas() {
        assert_eq!(value(Formula::Precision, 4), Some(0.5));
        assert_eq!(value(Formula::Precision, 10), Some(0.2));
        assert_eq!(value(Formula::Recall, 1), Some(1.0 / 3.0));
        assert_eq!(value(Formula::F { beta: 1.0 }, 4), Some(2.0 * 0.5 * (2.0 / 3.0) / (0.5 + 2.0 / 3.0)));
        assert_eq!(value(Formula::ReciprocalRank, 5), Some(1.0));
        assert_eq!(value(Formula::AveragePrecision, 5), Some((1.0 + 0.5) / 3.0));
        assert_eq!(value(Formula::RPrecision, 5), Some(1.0 / 3.0));
        // One irrelevant judged item stands before the second relevant one, of one that there is.
        assert_eq!(value(Formula::Bpref, 5), Some(1.0 / 3.0));
        assert_eq!(value(Formula::Judged, 3), Some(2.0 / 3.0));
        assert_eq!(value(Formula::RankBiased { persistence: 0.5 }, 5), Some(0.5 + 0.0625));
    }

    #[test]
    fn without_relevant_items_nothing_can_be_divided() {
        let mut tally = Tally::default();
        tally.count(&[0.0], &[0.0], 0.0);
        let value = |formula: Formula| Counting { formula, k: None, level: 0.0 }.value(&tally, &[0.0], 1);
        assert_eq!([value(Formula::Recall), value(Formula::Bpref), value(Formula::RPrecision)], [None; 3]);
        assert_eq!(
            [value(Formula::Precision), value(Formula::Success), value(Formula::ReciprocalRank)],
            [Some(0.0); 3]
        );
    }
}
