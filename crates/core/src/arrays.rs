//! Arrays in which the grade and the score of an item stand at the same place: no ids, so nothing to join.

use std::fmt::Debug;
use std::ops::Range;

use foldhash::fast::RandomState;
use rayon::prelude::*;

use crate::error::{Error, Side};
use crate::evaluate::{QUERIES_AT_ONCE, count};
use crate::evaluation::{Counts, Evaluation, QueryIds};
use crate::items::Place;
use crate::outcomes::Outcomes;
use crate::plan::Plan;
use crate::query::Scratch;

/// Numbers of any type, read as 64-bit floats; NaN marks "no item".
pub trait Array: Sync + Debug {
    /// Append the numbers of some rows that follow one another.
    fn read(&self, rows: Range<usize>, numbers: &mut Vec<f64>);

    /// Append the numbers of rows that lie anywhere.
    fn pick(&self, rows: &[u32], numbers: &mut Vec<f64>);
}

/// A type of number that arrays hold.
pub trait Number: Copy + Sync + Debug {
    fn to_f64(self) -> f64;
}

macro_rules! numbers {
    ($($type:ty),+) => { $(impl Number for $type {
        #[inline]
        fn to_f64(self) -> f64 {
            self as f64
        }
    })+ };
}

numbers!(f64, f32, i64, i32, i16, i8, u64, u32, u16, u8);

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
    /// The rows by query, where they do not come so.
    pub order: Option<&'a [u32]>,
}

impl Aligned<'_> {
    /// Evaluate the queries in the order given; they are known by `ids`.
    pub fn evaluate(&self, plan: &Plan, ids: QueryIds) -> Result<Evaluation, Fault> {
        let queries: Vec<usize> = (0..self.starts.len().saturating_sub(1)).collect();
        let begin = || (Scratch::new(plan, RandomState::default()), Buffers::default());
        let pieces: Vec<Result<(Outcomes, u64), Fault>> = if queries.len() <= QUERIES_AT_ONCE {
            // One piece needs no other thread, and waking one takes longer than a small piece.
            vec![self.evaluate_piece(plan, &queries, &mut begin())]
        } else {
            let pieces = queries.par_chunks(QUERIES_AT_ONCE);
            pieces.map_init(begin, |scratch, piece| self.evaluate_piece(plan, piece, scratch)).collect()
        };
        let (mut all, mut absent) = (Outcomes::default(), 0);
        for piece in pieces {
            let (outcomes, places) = piece?;
            all.append(outcomes);
            absent += places;
        }
        let counts = Counts { judged: queries.len(), ranked: queries.len(), absent, ..count(&all, plan) };
        let (values, letters, header) = (all.values, all.letters, plan.header.clone());
        Ok(Evaluation { header, queries: ids, values, letters, counts, shown: None, run: None })
    }

    /// Evaluate some queries, and count the places without an item.
    fn evaluate_piece(
        &self,
        plan: &Plan,
        queries: &[usize],
        (scratch, buffers): &mut (Scratch<Place>, Buffers),
    ) -> Result<(Outcomes, u64), Fault> {
        let (mut outcomes, mut absent) = (Outcomes::default(), 0);
        for &query in queries {
            absent += buffers.fill(self, query)?;
            let Buffers { items, labels, scores, .. } = &mut *buffers;
            let result = scratch.evaluate_placed(plan, b"", items, labels, scores, &mut outcomes);
            result.map_err(|error| Fault::Query { query, error })?;
        }
        Ok((outcomes, absent))
    }
}

/// What is wrong with a query, which is known by its number.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    Query {
        query: usize,
        error: Error,
    },
    /// A number that is infinite.
    Infinite {
        query: usize,
        column: u32,
        side: Side,
        got: f64,
    },
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
    /// Take the items of a query, and return how many places have none.
    fn fill(&mut self, arrays: &Aligned<'_>, query: usize) -> Result<u64, Fault> {
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
        let finite = |numbers: &[f64]| numbers.iter().fold(true, |all, number| all & number.is_finite());
        if arrays.mask.is_some() || !finite(&self.labels) || !finite(&self.scores) {
            self.find_absent(arrays, range.clone());
            self.refuse_infinite(query)?;
            self.remove_absent();
        }
        Ok((range.len() - self.items.len()) as u64)
    }

    /// Number the items as they stand; most queries find them so from one before.
    fn number(&mut self, count: usize) {
        let in_place = |item: &Place| item.column == item.judged;
        if !self.items.last().is_none_or(in_place) {
            self.items.clear();
        }
        self.items.truncate(count);
        let known = self.items.len() as u32;
        self.items.extend((known..count as u32).map(|index| Place { column: index, judged: index }));
    }

    fn find_absent(&mut self, arrays: &Aligned<'_>, range: Range<usize>) {
        self.absent.clear();
        self.absent.extend(self.labels.iter().zip(&self.scores).map(|(label, score)| label.is_nan() || score.is_nan()));
        if let Some(mask) = arrays.mask {
            let row = |index: usize| arrays.order.map_or(index, |order| order[index] as usize);
            self.absent.iter_mut().zip(range).for_each(|(absent, index)| *absent |= mask[row(index)]);
        }
    }

    fn refuse_infinite(&self, query: usize) -> Result<(), Fault> {
        for (side, numbers) in [(Side::Judgments, &self.labels), (Side::Ranking, &self.scores)] {
            let infinite = |&(index, number): &(usize, &f64)| number.is_infinite() && !self.absent[index];
            if let Some((index, &got)) = numbers.iter().enumerate().find(infinite) {
                return Err(Fault::Infinite { query, column: index as u32, side, got });
            }
        }
        Ok(())
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
