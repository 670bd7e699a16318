//! The scores of a query as they were given, to tell whether tied scores were distinct.

use crate::long_scores::DigitMarks;
use crate::score_order::Row;

/// Scores by the positions of their rows, kept where scores are rounded, and marks of digits that no float holds.
#[derive(Debug, Default)]
pub(crate) struct OriginalScores {
    /// In the order of the positions; only of rows that are high enough to matter.
    pub(crate) scores: Vec<(u32, f64)>,
    pub(crate) marks: DigitMarks,
}

impl OriginalScores {
    pub(crate) fn clear(&mut self) {
        self.scores.clear();
        self.marks.clear();
    }

    /// Keep the scores of rows before they are rounded, once per query; rows are in the order of their positions.
    pub(crate) fn keep<I>(&mut self, rows: &[Row<I>]) {
        if self.scores.is_empty() {
            self.scores.extend(rows.iter().map(|row| (row.position, row.score)));
        }
    }

    /// Whether rows with equal scores were given different ones.
    pub(crate) fn differ<I>(&self, rows: &[Row<I>]) -> bool {
        if self.scores.is_empty() && self.marks.is_empty() {
            return false;
        }
        let score = |position| {
            self.scores.binary_search_by_key(&position, |&(position, _)| position).map(|index| self.scores[index].1)
        };
        let given = |row: &Row<I>| (score(row.position).ok(), self.marks.of(row.position as usize));
        rows.windows(2).any(|pair| given(&pair[0]) != given(&pair[1]))
    }
}
