//! From the rows of a query as they came to its ranks: duplicates, dropped items, order, ties.

use hashbrown::hash_table::Entry;

use crate::error::{Error, Side};
use crate::ids::clear;
use crate::items::Item;
use crate::judged_items::WORTHLESS;
use crate::largest::nth_largest;
use crate::plan::Plan;
use crate::query::Scratch;
use crate::rules::{Duplicates, Negative, OwnId, Ties, Unjudged};
use crate::score_order::{Row, sort};
use crate::table::require_row_numbers;

/// A score as a 32-bit float.
#[inline(always)]
pub(crate) fn rounded(score: f64) -> f64 {
    f64::from(score as f32)
}

impl<I: Item> Scratch<I> {
    /// Put the rows in order, cut them, settle unjudged ones, and return how many ranks count.
    pub(crate) fn rank(&mut self, plan: &Plan, query: &[u8]) -> Result<usize, Error> {
        let rules = &plan.rules;
        require_row_numbers(self.rows.len() + self.left_out)?;
        self.runs.clear();
        if !self.distinct && self.has_duplicates() {
            self.settle_duplicates(query, rules.duplicates)?;
        }
        let before = self.rows.len();
        if rules.own_id == OwnId::Drop {
            self.rows.retain(|row| !row.id.is_written(query));
        }
        self.dropped = (before - self.rows.len()) as u32;
        self.leave_out_low(plan.window, rules.float32);
        if rules.float32 {
            self.original.keep(&self.rows);
            self.rows.iter_mut().for_each(|row| row.score = rounded(row.score));
        }
        if matches!(rules.ties, Ties::Worst | Ties::Best) {
            self.look_up(plan, self.rows.len());
        }
        sort(&mut self.rows, rules.ties);
        let cut = self.cut(rules.depth.unwrap_or(usize::MAX), rules.ties);
        let length = self.settle_unjudged(plan, query, cut)?;
        self.find_runs(length);
        Ok(length)
    }

    /// Leave out the rows that are too low to matter; those that tie with the last that does may matter.
    fn leave_out_low(&mut self, window: usize, float32: bool) {
        let before = self.rows.len();
        if window >= before {
            return;
        }
        let compared = |row: &Row<I>| if float32 { rounded(row.score) } else { row.score };
        // Rounding to f32 keeps a descending order descending.
        if self.rows.windows(2).all(|pair| pair[0].score >= pair[1].score) {
            let last = compared(&self.rows[window - 1]);
            let tied = self.rows[window..].iter().take_while(|row| compared(row) == last).count();
            self.rows.truncate(window + tied);
        } else {
            self.scores.clear();
            self.scores.extend(self.rows.iter().map(compared));
            let lowest = nth_largest(&self.scores, window, &mut self.largest_scores.numbers);
            self.rows.retain(|row| compared(row) >= lowest);
        }
        self.left_out += before - self.rows.len();
    }

    /// Drop the rows below the depth, except those that tie with the last one where ties are averaged.
    fn cut(&mut self, depth: usize, ties: Ties) -> usize {
        let length = depth.min(self.rows.len() + self.left_out);
        let mut kept = length.min(self.rows.len());
        if ties == Ties::Average && kept > 0 {
            let last = self.rows[kept - 1].score;
            kept += self.rows[kept..].iter().take_while(|row| row.score == last).count();
        }
        self.rows.truncate(kept);
        length
    }

    /// Whether an item is ranked twice.
    fn has_duplicates(&mut self) -> bool {
        self.marks.clear(self.rows.len());
        self.suspects.clear();
        for (index, row) in self.rows.iter().enumerate() {
            if self.marks.mark(row.hash) {
                self.suspects.push(index as u32);
            }
        }
        !self.suspects.is_empty() && self.is_any_suspect_met_twice()
    }

    /// Whether a row whose bit was set before has the item of another row.
    fn is_any_suspect_met_twice(&mut self) -> bool {
        self.marks.clear(self.suspects.len());
        clear(&mut self.seen, self.suspects.len());
        let rows = &self.rows;
        for &suspect in &self.suspects {
            let Row { id, hash, .. } = rows[suspect as usize];
            self.marks.mark(hash);
            let is_same = |&other: &u32| rows[other as usize].id == id;
            match self.seen.entry(hash, is_same, |&other| rows[other as usize].hash) {
                Entry::Occupied(_) => return true,
                Entry::Vacant(vacant) => drop(vacant.insert(suspect)),
            }
        }
        // The bits of the suspects are checked first: most rows then need no look-up in the table.
        rows.iter().zip(0..).any(|(row, index)| {
            let is_same = |&other: &u32| other != index && rows[other as usize].id == row.id;
            self.marks.has(row.hash) && self.seen.find(row.hash, is_same).is_some()
        })
    }

    fn settle_duplicates(&mut self, query: &[u8], rule: Duplicates) -> Result<(), Error> {
        clear(&mut self.seen, self.rows.len());
        let mut repeated = Vec::new();
        for index in 0..self.rows.len() {
            let (id, hash, rows) = (self.rows[index].id, self.rows[index].hash, &self.rows);
            let entry =
                self.seen.entry(hash, |&other| rows[other as usize].id == id, |&other| rows[other as usize].hash);
            match entry {
                Entry::Vacant(vacant) => drop(vacant.insert(index as u32)),
                Entry::Occupied(_) if rule == Duplicates::Error => {
                    return Err(Error::DuplicateItem { side: Side::Ranking, query: query.into(), item: id.text() });
                }
                Entry::Occupied(mut earlier) if rule == Duplicates::Last => {
                    repeated.push(std::mem::replace(earlier.get_mut(), index as u32));
                }
                Entry::Occupied(_) => repeated.push(index as u32),
            }
        }
        if !repeated.is_empty() {
            repeated.sort_unstable();
            self.rows.retain(|row| repeated.binary_search(&row.position).is_err());
        }
        Ok(())
    }

    /// Drop or refuse unjudged rows and drop worthless ones, as the rules say, and return how many of the first `length` are left.
    fn settle_unjudged(&mut self, plan: &Plan, query: &[u8], length: usize) -> Result<usize, Error> {
        let rule = plan.rules.unjudged;
        let drops_worthless = rule == Unjudged::Drop || plan.rules.negative == Negative::Drop;
        if rule == Unjudged::Zero && !drops_worthless {
            return Ok(length);
        }
        self.look_up(plan, self.rows.len());
        let unjudged = self.rows.iter().find(|row| row.grade.is_nan());
        if let Some(row) = unjudged.filter(|_| rule == Unjudged::Error) {
            return Err(Error::UnjudgedItem { query: query.into(), item: row.id.text() });
        }
        let is_dropped =
            |grade: f64| (grade.is_nan() && rule == Unjudged::Drop) || (grade == WORTHLESS && drops_worthless);
        let is_left = |row: &Row<I>| !is_dropped(row.grade);
        let left = self.rows[..length].iter().filter(|row| is_left(row)).count();
        let before = self.rows.len();
        self.rows.retain(is_left);
        self.dropped += (before - self.rows.len()) as u32;
        Ok(left)
    }

    /// Note the runs of equal scores that begin within the ranks that count.
    fn find_runs(&mut self, length: usize) {
        self.runs.clear();
        let mut start = 0;
        while start < length.min(self.rows.len()) {
            let score = self.rows[start].score;
            let end = start + 1 + self.rows[start + 1..].iter().take_while(|row| row.score == score).count();
            if end - start > 1 {
                self.runs.push((start, end));
            }
            start = end;
        }
    }
}
