//! Where relevant items stand in a query, by each rule of relevance.

use crate::items::Item;
use crate::judged_items::tie_grade;
use crate::plan::Plan;
use crate::query::Scratch;
use crate::score_order::Row;

impl<I: Item> Scratch<I> {
    /// Find the ranks of relevant items, by each rule of relevance that the measures have.
    pub(crate) fn find_relevant_ranks(&mut self, plan: &Plan, length: usize) {
        if plan.relevance_rules.is_empty() {
            return;
        }
        self.judged_ranks.clear();
        let ranked = self.rows[..self.graded.min(length)].iter().enumerate();
        self.judged_ranks
            .extend(ranked.filter(|(_, row)| !row.grade.is_nan()).map(|(index, row)| (index + 1, row.grade)));
        self.ranked_grades.clear();
        self.ranked_grades.extend(self.judged_ranks.iter().map(|&(_, grade)| grade));
        for (ranks, rule) in self.relevant_ranks.iter_mut().zip(&plan.relevance_rules) {
            let judged = if rule.ranked { &self.ranked_grades } else { self.judged.grades() };
            ranks.look(&self.judged_ranks, judged, rule.level, length);
            ranks.ties.clone_from(&self.runs);
            if plan.ordered {
                by_grade(&self.rows[..length], &mut ranks.by_grade);
            }
        }
    }
}

/// Put ranks in the order of their grades, highest first; equal grades in the order in which the rows came.
fn by_grade<I: Item>(rows: &[Row<I>], ranks: &mut Vec<usize>) {
    ranks.clear();
    ranks.extend(0..rows.len());
    ranks.sort_unstable_by(|&one, &other| {
        let grades = tie_grade(rows[other].grade).total_cmp(&tie_grade(rows[one].grade));
        grades.then(rows[one].position.cmp(&rows[other].position))
    });
}
