//! The scores of a query as they were given, to tell whether ties are of distinct ones.

use crate::digits::DigitMarks;
use crate::ranking::Row;

/// Scores by the places of their rows, where they are rounded, and marks of digits that no float holds.
#[derive(Debug, Default)]
pub(crate) struct GivenScores {
    pub(crate) scores: Vec<f64>,
    pub(crate) marks: DigitMarks,
}

impl GivenScores {
    pub(crate) fn clear(&mut self) {
        self.scores.clear();
        self.marks.clear();
    }

    /// Keep the scores of all rows, before they are rounded, unless they are kept already.
    pub(crate) fn keep<I>(&mut self, rows: &[Row<I>]) {
        if self.scores.is_empty() {
            self.scores.extend(rows.iter().map(|row| row.score));
        }
    }

    /// Whether rows with equal scores were given different ones.
    pub(crate) fn differ<I>(&self, rows: &[Row<I>]) -> bool {
        if self.scores.is_empty() && self.marks.is_empty() {
            return false;
        }
        let given = |row: &Row<I>| (self.scores.get(row.place as usize), self.marks.of(row.place as usize));
        rows.windows(2).any(|pair| given(&pair[0]) != given(&pair[1]))
    }
}
