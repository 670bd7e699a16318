//! Arrays in which the grade and the score of an item stand at the same place: no ids, so nothing to join.
//!
//! What is no plain number is settled here: which places have no item, which scores are missing, and which are too long
//! for a float.

use std::fmt::Debug;
use std::ops::Range;

use foldhash::fast::RandomState;
use rayon::prelude::*;

use crate::error::{Error, Side};
use crate::evaluate::{QUERIES_AT_ONCE, count};
use crate::evaluation::{Counts, Evaluation, QueryIds};
use crate::id_kinds::IdKind;
use crate::items::Place;
use crate::long_scores::{EXACT, keep_order, remainder};
use crate::outcomes::Outcomes;
use crate::plan::Plan;
use crate::query::Scratch;

/// Numbers of any type, read as 64-bit floats.
pub trait Array: Sync + Debug {
    /// Append the numbers of some rows that follow one another.
    fn read(&self, rows: Range<usize>, numbers: &mut Vec<f64>);

    /// Append the numbers of rows that lie anywhere.
    fn pick(&self, rows: &[u32], numbers: &mut Vec<f64>);

    /// What the float lacks of the whole number in a row.
    fn remainder(&self, row: usize) -> i128;
}

/// A type of number that arrays hold.
pub trait Number: Copy + Sync + Debug {
    fn to_f64(self) -> f64;

    /// What the float lacks of the number.
    fn remainder(self) -> i128 {
        0
    }
}

macro_rules! numbers {
    ($($type:ty),+; $($wide:ty),+) => {
        $(impl Number for $type {
            #[inline]
            fn to_f64(self) -> f64 {
                self as f64
            }
        })+
        $(impl Number for $wide {
            #[inline]
            fn to_f64(self) -> f64 {
                self as f64
            }

            fn remainder(self) -> i128 {
                remainder(i128::from(self))
            }
        })+
    };
}

numbers!(f64, f32, i32, i16, i8, u32, u16, u8; i64, u64);

impl Number for bool {
    fn to_f64(self) -> f64 {
        f64::from(u8::from(self))
    }
}

impl<T: Number> Array for &[T] {
    fn read(&self, rows: Range<usize>, numbers: &mut Vec<f64>) {
        numbers.extend(self[rows].iter().map(|number| number.to_f64()));
    }

    fn pick(&self, rows: &[u32], numbers: &mut Vec<f64>) {
        numbers.extend(rows.iter().map(|&row| self[row as usize].to_f64()));
    }

    fn remainder(&self, row: usize) -> i128 {
        self[row].remainder()
    }
}

/// A matrix of which only some places are given: row by row, as scipy's CSR; all others are 0.
#[derive(Debug)]
pub struct Sparse<'a> {
    pub columns: usize,
    /// Where each row of the matrix begins among the places; one more than there are rows.
    pub starts: &'a [usize],
    pub places: &'a [usize],
    pub numbers: &'a dyn Array,
}

impl Array for Sparse<'_> {
    fn read(&self, rows: Range<usize>, numbers: &mut Vec<f64>) {
        let first = numbers.len();
        numbers.resize(first + rows.len(), 0.0);
        let given = self.starts[rows.start / self.columns]..self.starts[rows.end / self.columns];
        let mut values = Vec::with_capacity(given.len());
        self.numbers.read(given.clone(), &mut values);
        for (&column, value) in self.places[given].iter().zip(values) {
            numbers[first + column] += value; // a place that is given twice counts as the sum, as in scipy
        }
    }

    fn pick(&self, rows: &[u32], numbers: &mut Vec<f64>) {
        let mut whole = Vec::new();
        for &row in rows {
            let start = row as usize / self.columns * self.columns;
            whole.clear();
            self.read(start..start + self.columns, &mut whole);
            numbers.push(whole[row as usize - start]);
        }
    }

    fn remainder(&self, _: usize) -> i128 {
        0 // labels need no order
    }
}

/// Grades and scores by row, and which rows make a query.
#[derive(Debug)]
pub struct Aligned<'a> {
    pub labels: &'a dyn Array,
    pub scores: &'a dyn Array,
    /// True marks "no item".
    pub mask: Option<&'a [bool]>,
    /// Where each query begins; one more than there are queries.
    pub starts: &'a [usize],
    /// The rows in order of query; none where they are given in that order.
    pub order: Option<&'a [u32]>,
    /// Whether queries are filled up to one length: then NaN for a score may mark "no item" too.
    pub padded: bool,
}

impl Aligned<'_> {
    /// Evaluate the queries in the order given; they are known by `ids`.
    pub fn evaluate(&self, plan: &Plan, ids: QueryIds) -> Result<Evaluation, Fault> {
        let queries: Vec<usize> = (0..self.starts.len().saturating_sub(1)).collect();
        let begin = || (Scratch::new(plan, RandomState::default()), Buffers::default());
        let pieces: Vec<Result<(Outcomes, Oddities), Fault>> = if queries.len() <= QUERIES_AT_ONCE {
            // One piece needs no other thread, and waking one takes longer than a small piece.
            vec![self.evaluate_piece(plan, &queries, &mut begin())]
        } else {
            let pieces = queries.par_chunks(QUERIES_AT_ONCE);
            pieces.map_init(begin, |scratch, piece| self.evaluate_piece(plan, piece, scratch)).collect()
        };
        let (mut all, mut odd) = (Outcomes::default(), Oddities::default());
        for piece in pieces {
            let (outcomes, oddities) = piece?;
            all.append(outcomes);
            odd.add(oddities);
        }
        let Oddities { absent, unscored, lowest } = odd;
        let (judged, ranked) = (queries.len(), queries.len());
        let counts = Counts { judged, ranked, absent, unscored, lowest, ..count(&all, plan) };
        let (values, letters, header) = (all.values, all.letters, plan.header.clone());
        let query_kind = IdKind::default();
        Ok(Evaluation { header, queries: ids, query_kind, values, letters, counts, shown: None, run: None })
    }

    /// Evaluate some queries, and count the odd places.
    fn evaluate_piece(
        &self,
        plan: &Plan,
        queries: &[usize],
        (scratch, buffers): &mut (Scratch<Place>, Buffers),
    ) -> Result<(Outcomes, Oddities), Fault> {
        let (mut outcomes, mut odd) = (Outcomes::default(), Oddities::default());
        for &query in queries {
            odd.add(buffers.fill(self, query)?);
            let Buffers { items, labels, scores, .. } = &mut *buffers;
            let result = scratch.evaluate_placed(plan, b"", items, labels, scores, &mut outcomes);
            result.map_err(|error| Fault::Query { query, error })?;
        }
        Ok((outcomes, odd))
    }

    /// The number of the row at an index of the rows in order of query.
    fn row(&self, index: usize) -> usize {
        self.order.map_or(index, |order| order[index] as usize)
    }
}

/// Whether no number is beyond `EXACT`, as NaN, what is infinite, and whole numbers that are no floats are.
fn are_plain(numbers: &[f64]) -> bool {
    // Where the sum of the sizes is small, each of them is; that takes fewer steps than to compare each.
    let (blocks, rest) = numbers.as_chunks::<16>();
    let mut sums = [0.0; 16];
    for block in blocks {
        sums.iter_mut().zip(block).for_each(|(sum, number)| *sum += number.abs());
    }
    let sum: f64 = sums.iter().copied().chain(rest.iter().map(|number| number.abs())).sum();
    sum < EXACT || numbers.iter().all(|number| number.abs() < EXACT)
}

/// What is wrong with a query, which is known by its number.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    Query {
        query: usize,
        error: Error,
    },
    /// A number that is infinite, and is no score of -inf.
    Infinite {
        query: usize,
        column: u32,
        side: Side,
        got: f64,
    },
    /// A score that is NaN, of an item with that label.
    NoScore {
        query: usize,
        column: u32,
        label: f64,
    },
    /// All scores of a query are NaN, or all are -inf although something is relevant.
    NoScores {
        query: usize,
        got: f64,
    },
}

/// Places of arrays that are no plain items.
#[derive(Debug, Clone, Copy, Default)]
struct Oddities {
    /// Places without an item.
    absent: u64,
    /// Those of them that have no item because their score is NaN.
    unscored: u64,
    /// Places whose score is -inf.
    lowest: u64,
}

impl Oddities {
    fn add(&mut self, other: Oddities) {
        self.absent += other.absent;
        self.unscored += other.unscored;
        self.lowest += other.lowest;
    }
}

/// The items of the query at hand.
#[derive(Debug, Default)]
struct Buffers {
    items: Vec<Place>,
    labels: Vec<f64>,
    scores: Vec<f64>,
    absent: Vec<bool>,
}

impl Buffers {
    /// Take the items of a query, and count the odd places.
    fn fill(&mut self, arrays: &Aligned<'_>, query: usize) -> Result<Oddities, Fault> {
        let range = arrays.starts[query]..arrays.starts[query + 1];
        self.labels.clear();
        self.scores.clear();
        match arrays.order {
            Some(order) => {
                arrays.labels.pick(&order[range.clone()], &mut self.labels);
                arrays.scores.pick(&order[range.clone()], &mut self.scores);
            }
            None => {
                arrays.labels.read(range.clone(), &mut self.labels);
                arrays.scores.read(range.clone(), &mut self.scores);
            }
        }
        self.number(range.len());
        if arrays.mask.is_none() && are_plain(&self.labels) && are_plain(&self.scores) {
            return Ok(Oddities::default());
        }
        self.settle(arrays, query, range)
    }

    /// Take out the places without an item, and keep the order of long scores.
    fn settle(&mut self, arrays: &Aligned<'_>, query: usize, range: Range<usize>) -> Result<Oddities, Fault> {
        let remainders: Vec<i128> = range.clone().map(|index| arrays.scores.remainder(arrays.row(index))).collect();
        keep_order(&mut self.scores, &remainders);
        self.find_absent(arrays, range.clone());
        self.refuse_infinite(query)?;
        let unscored = self.find_unscored(arrays.padded, query)?;
        self.remove_absent();
        let lowest = self.scores.iter().filter(|&&score| score == f64::NEG_INFINITY).count();
        if lowest > 0 && lowest == self.scores.len() && self.labels.iter().any(|&label| label > 0.0) {
            return Err(Fault::NoScores { query, got: f64::NEG_INFINITY });
        }
        if unscored > 0 && self.items.is_empty() {
            return Err(Fault::NoScores { query, got: f64::NAN });
        }
        let absent = range.len() - self.items.len();
        Ok(Oddities { absent: absent as u64, unscored: unscored as u64, lowest: lowest as u64 })
    }

    /// Number the items in order; those of the query before are used again if they are in order.
    fn number(&mut self, count: usize) {
        let in_place = |item: &Place| item.column == item.judged;
        if !self.items.last().is_none_or(in_place) {
            self.items.clear();
        }
        self.items.truncate(count);
        let first = self.items.len() as u32;
        self.items.extend((first..count as u32).map(|index| Place { column: index, judged: index }));
    }

    /// Find the places that have no item because the mask or the label says so.
    fn find_absent(&mut self, arrays: &Aligned<'_>, range: Range<usize>) {
        self.absent.clear();
        self.absent.extend(self.labels.iter().map(|label| label.is_nan()));
        if let Some(mask) = arrays.mask {
            self.absent.iter_mut().zip(range).for_each(|(absent, index)| *absent |= mask[arrays.row(index)]);
        }
    }

    /// A score of -inf is the last of all; nothing else that is infinite has a meaning.
    fn refuse_infinite(&self, query: usize) -> Result<(), Fault> {
        for (side, numbers) in [(Side::Judgments, &self.labels), (Side::Ranking, &self.scores)] {
            let lowest = |number: f64| side == Side::Ranking && number == f64::NEG_INFINITY;
            let infinite =
                |&(index, &number): &(usize, &f64)| number.is_infinite() && !lowest(number) && !self.absent[index];
            if let Some((index, &got)) = numbers.iter().enumerate().find(infinite) {
                return Err(Fault::Infinite { query, column: index as u32, side, got });
            }
        }
        Ok(())
    }

    /// Treat items without a score as padding, if arrays are padded and no relevant item would be lost; count them.
    fn find_unscored(&mut self, padded: bool, query: usize) -> Result<usize, Fault> {
        let mut count = 0;
        for index in 0..self.scores.len() {
            if self.absent[index] || !self.scores[index].is_nan() {
                continue;
            }
            let label = self.labels[index];
            if !padded || label > 0.0 {
                return Err(Fault::NoScore { query, column: index as u32, label });
            }
            self.absent[index] = true;
            count += 1;
        }
        Ok(count)
    }

    fn remove_absent(&mut self) {
        let mut kept = 0;
        for index in 0..self.absent.len() {
            if !self.absent[index] {
                self.labels[kept] = self.labels[index];
                self.scores[kept] = self.scores[index];
                self.items[kept] = Place { column: index as u32, judged: kept as u32 };
                kept += 1;
            }
        }
        self.labels.truncate(kept);
        self.scores.truncate(kept);
        self.items.truncate(kept);
    }
}
