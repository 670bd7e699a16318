//! The judged items of one query, found by id.

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::error::{Error, Side};
use crate::gain::Gain;
use crate::ids::clear;
use crate::items::Item;
use crate::judged_parts::{Parts, VERY_MANY};
use crate::largest::largest;
use crate::rules::{Duplicates, Negative, Rules};

/// The grade of an item without a judgment.
pub const UNJUDGED: f64 = f64::NAN;
/// The grade of an item whose negative grade counts as no gain.
pub const WORTHLESS: f64 = f64::NEG_INFINITY;

/// The gain of a grade: 0 for what is unjudged or worthless, nothing when the gain table lacks it.
#[inline]
pub fn gain_of(grade: f64, gain: &Gain) -> Option<f64> {
    if grade.is_nan() || grade == WORTHLESS { Some(0.0) } else { gain.of(grade) }
}

/// The grade by which ties are ordered: 0 for what has no gain.
pub fn tie_grade(grade: f64) -> f64 {
    if grade.is_finite() { grade + 0.0 } else { 0.0 }
}

/// Item and grade of each judgment of the query at hand; the allocations serve all queries of a thread.
#[derive(Debug)]
pub struct Judged<I> {
    items: Vec<I>,
    hashes: Vec<u64>,
    grades: Vec<f64>,
    /// Finds an item by its hash, where there are many.
    index: HashTable<u32>,
    is_indexed: bool,
    /// Finds an item where there are very many.
    parts: Option<Parts>,
    best: Vec<f64>,
}

/// Up to this number of judged items, a linear search is faster than a hash table.
const FEW: usize = 12;

impl<I> Default for Judged<I> {
    fn default() -> Self {
        let (items, hashes, grades, best) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Judged { items, hashes, grades, index: HashTable::new(), is_indexed: false, parts: None, best }
    }
}

impl<I: Item> Judged<I> {
    /// Take the judgments of a query, duplicates and negative grades settled by the rules.
    pub fn load(
        &mut self,
        query: &[u8],
        rows: impl ExactSizeIterator<Item = (I, f64)> + Clone,
        rules: &Rules,
        state: &RandomState,
    ) -> Result<(), Error> {
        // Where an item comes twice, the first error and the row that counts depend on the order of the rows.
        if rows.len() > VERY_MANY && self.has_parts_of(rows.clone(), state) {
            return self.settle_negatives(query, rules.negative);
        }
        self.parts = None;
        self.items.clear();
        self.grades.clear();
        self.hashes.clear();
        clear(&mut self.index, rows.len());
        self.is_indexed = rows.len() > FEW;
        if self.is_indexed {
            self.index.reserve(rows.len(), |_| 0); // an empty table asks for no hash
        }
        for (item, grade) in rows {
            let hash = item.hash(state);
            match (self.known_or_new(item, hash), rules.duplicates) {
                (Some(_), Duplicates::Error) => {
                    let item = item.text();
                    return Err(Error::DuplicateItem { side: Side::Judgments, query: query.into(), item });
                }
                (Some(_), Duplicates::First) => {}
                (Some(position), Duplicates::Last) => self.grades[position] = grade,
                (None, _) => self.grades.push(grade),
            }
        }
        self.settle_negatives(query, rules.negative)
    }

    /// Take very many judgments, which are found in parts; false if an item comes twice.
    #[cold]
    #[inline(never)]
    fn has_parts_of(&mut self, rows: impl ExactSizeIterator<Item = (I, f64)>, state: &RandomState) -> bool {
        self.items.clear();
        self.grades.clear();
        self.items.reserve(rows.len());
        self.grades.reserve(rows.len());
        rows.for_each(|(item, grade)| {
            self.items.push(item);
            self.grades.push(grade);
        });
        clear(&mut self.index, 0);
        self.is_indexed = true;
        self.parts = Parts::of(&self.items, state);
        self.parts.is_some()
    }

    /// Exchange the allocations of this query for judgments of distinct items, which know their positions.
    pub fn exchange(
        &mut self,
        query: &[u8],
        items: &mut Vec<I>,
        grades: &mut Vec<f64>,
        rules: &Rules,
    ) -> Result<(), Error> {
        std::mem::swap(&mut self.items, items);
        std::mem::swap(&mut self.grades, grades);
        self.settle_negatives(query, rules.negative)
    }

    /// The position of an item, or nothing if it is new: then it is the last one now.
    fn known_or_new(&mut self, item: I, hash: u64) -> Option<usize> {
        let (items, hashes) = (&self.items, &self.hashes);
        if self.is_indexed {
            let is_item = |&position: &u32| items[position as usize] == item;
            match self.index.entry(hash, is_item, |&position| hashes[position as usize]) {
                Entry::Occupied(known) => return Some(*known.get() as usize),
                Entry::Vacant(new) => drop(new.insert(items.len() as u32)),
            }
        } else if let Some(position) = self.position_by_row(item, hash) {
            return Some(position);
        }
        self.items.push(item);
        self.hashes.push(hash);
        None
    }

    #[inline]
    pub fn position_of(&self, item: I, hash: u64) -> Option<usize> {
        // Where items are found in parts, they are not found by row.
        let position = self.position_by_row(item, hash);
        if position.is_none() && self.parts.is_some() { self.position_in_parts(item, hash) } else { position }
    }

    /// Where an item stands among those that were taken row by row.
    #[inline]
    fn position_by_row(&self, item: I, hash: u64) -> Option<usize> {
        if !self.is_indexed {
            return (0..self.hashes.len())
                .find(|&position| self.hashes[position] == hash && self.items[position] == item);
        }
        self.index.find(hash, |&position| self.items[position as usize] == item).map(|&position| position as usize)
    }

    /// The same where items are found in parts.
    #[cold]
    #[inline(never)]
    fn position_in_parts(&self, item: I, hash: u64) -> Option<usize> {
        self.parts.as_ref()?.position_of(&self.items, item, hash)
    }

    fn settle_negatives(&mut self, query: &[u8], negative: Negative) -> Result<(), Error> {
        if !self.grades.iter().fold(false, |any, &grade| any | (grade < 0.0)) {
            return Ok(());
        }
        for (item, grade) in self.items.iter().zip(&mut self.grades).filter(|(_, grade)| **grade < 0.0) {
            match negative {
                Negative::Keep => {}
                Negative::Zero | Negative::Drop => *grade = WORTHLESS,
                Negative::Error => {
                    return Err(Error::NegativeGrade { query: query.into(), item: item.text(), grade: *grade });
                }
            }
        }
        Ok(())
    }

    #[inline]
    pub fn find(&self, item: I, hash: u64) -> f64 {
        self.position_of(item, hash).map_or(UNJUDGED, |position| self.grades[position])
    }

    pub fn items(&self) -> &[I] {
        &self.items
    }

    pub fn grades(&self) -> &[f64] {
        &self.grades
    }

    /// The highest grade, for the message when a sum overflows.
    pub fn highest_grade(&self) -> f64 {
        self.grades.iter().copied().fold(0.0, f64::max)
    }

    /// Write the `count` highest gains of the judged items, highest first.
    pub fn best_gains(&mut self, gain: &Gain, query: &[u8], count: usize, gains: &mut Vec<f64>) -> Result<(), Error> {
        if gain.is_monotone() {
            // A higher grade has no lower gain, so the best grades have the best gains.
            largest(&self.grades, count, gains);
            gains.iter_mut().for_each(|grade| *grade = gain_of(*grade, gain).unwrap_or(0.0));
            return Ok(());
        }
        self.best.clear();
        for (item, &grade) in self.items.iter().zip(&self.grades) {
            let known = gain_of(grade, gain);
            let missing = || Error::GradeNotInTable { query: query.into(), item: item.text(), grade };
            self.best.push(known.ok_or_else(missing)?);
        }
        largest(&self.best, count, gains);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_fixtures;

    fn load(rows: &[(i64, f64)], duplicates: Duplicates, state: &RandomState) -> Result<Judged<i64>, Error> {
        let mut judged = Judged::default();
        let rules = Rules { duplicates, ..test_fixtures::RULES };
        judged.load(b"q", rows.iter().copied(), &rules, state)?;
        Ok(judged)
    }

    #[test]
    fn judged_items_of_any_number_settle_duplicates_as_the_rules_say() {
        let state = RandomState::default();
        for count in [3, FEW as i64 + 1, VERY_MANY as i64, VERY_MANY as i64 + 1] {
            let mut rows: Vec<(i64, f64)> = (0..count).map(|item| (item, item as f64)).collect();
            let judged = load(&rows, Duplicates::Error, &state).unwrap();
            assert!(rows.iter().all(|&(item, grade)| judged.find(item, item.hash(&state)) == grade));
            assert!(judged.find(count, count.hash(&state)).is_nan());
            rows.extend([(2, 0.5), (1, 0.5)]);
            let error = Error::DuplicateItem { side: Side::Judgments, query: b"q".to_vec(), item: b"2".to_vec() };
            assert_eq!(load(&rows, Duplicates::Error, &state).err(), Some(error));
            for (rule, grade) in [(Duplicates::First, 1.0), (Duplicates::Last, 0.5)] {
                let judged = load(&rows, rule, &state).unwrap();
                assert_eq!((judged.items().len(), judged.find(1, 1.hash(&state))), (count as usize, grade));
            }
        }
    }

    #[test]
    fn judged_items_of_a_short_query_after_a_long_one_are_its_own() {
        let (state, mut judged) = (RandomState::default(), Judged::default());
        for count in [VERY_MANY as i64 + 1, 2, 20] {
            judged
                .load(
                    b"q",
                    (0..count).map(|item| (item, 1.0)).collect::<Vec<_>>().into_iter(),
                    &test_fixtures::RULES,
                    &state,
                )
                .unwrap();
            assert_eq!(judged.find(count - 1, (count - 1).hash(&state)), 1.0);
            assert!(judged.find(count, count.hash(&state)).is_nan());
        }
    }
}
