//! An evaluation without the values of its queries, for more queries than can be kept: per measure the exact sums that
//! its aggregate and its interval need. The sums are the same bits in whatever order evaluations are merged.

use std::collections::HashSet;
use std::sync::Arc;

use crate::bytes::{Reader, Writer};
use crate::error::Error;
use crate::evaluation::{Counts, Evaluation, read_run, write_run};
use crate::evaluation_header::{Aggregate, Column, Header};
use crate::exact_sum::ExactSum;
use crate::measures::coverage::{catalogue_size, share, write_set};

/// A geometric mean takes lower values as this one, as trec_eval does.
const LEAST_OF_GEOMETRIC: f64 = 0.00001;

/// The sums of a measure over the queries that count.
#[derive(Debug, Clone, Default)]
pub struct Sums {
    /// How many queries count.
    pub queries: usize,
    /// Of values x, or of ln x for a geometric mean: Σx and Σx². Of values with weights: Σw, Σwx, Σw², Σw²x and Σw²x².
    pub sums: Vec<ExactSum>,
    /// The items that any query shows, for coverage.
    pub shown: HashSet<u128>,
}

impl Sums {
    fn new(aggregate: Aggregate) -> Self {
        let count = match aggregate {
            Aggregate::Weighted { .. } => 5,
            Aggregate::Union => 0,
            _ => 2,
        };
        Sums { sums: vec![ExactSum::default(); count], ..Sums::default() }
    }

    fn add(&mut self, value: f64, weight: f64, aggregate: Aggregate) {
        self.queries += 1;
        match aggregate {
            Aggregate::Mean | Aggregate::Sum => self.add_with_square(value),
            // NaN stays NaN, where `max` would take the other number.
            Aggregate::Geometric if value < LEAST_OF_GEOMETRIC => self.add_with_square(LEAST_OF_GEOMETRIC.ln()),
            Aggregate::Geometric => self.add_with_square(value.ln()),
            Aggregate::Weighted { .. } => {
                if let [weights, weighted, squares, by_square, squared] = &mut self.sums[..] {
                    weights.add(weight);
                    weighted.add(weight * value);
                    // Exact, as their sums are subtracted from each other: weights are whole numbers.
                    let (square, of_value) = (weight * weight, value * value);
                    squares.add_product(weight, weight);
                    by_square.add_product(square, value);
                    squared.add_product(square, of_value);
                    squared.add_product(square, value.mul_add(value, -of_value));
                }
            }
            Aggregate::Union => {}
        }
    }

    /// The sums of values with weights.
    pub fn of_weighted(values: &[f64], weights: &[f64]) -> Self {
        let aggregate = Aggregate::Weighted { by: 0 };
        let mut sums = Self::new(aggregate);
        values.iter().zip(weights).for_each(|(&value, &weight)| sums.add(value, weight, aggregate));
        sums
    }

    fn add_with_square(&mut self, value: f64) {
        if let [sum, squares] = &mut self.sums[..] {
            sum.add(value);
            squares.add_product(value, value);
        }
    }

    fn merge(&mut self, other: &Sums) {
        self.queries = self.queries.saturating_add(other.queries);
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, other)| sum.merge(other));
        self.shown.extend(&other.shown);
    }
}

/// What was asked, what the data looked like, and the sums of each measure.
#[derive(Debug, Clone)]
pub struct LightEvaluation {
    pub header: Arc<Header>,
    pub counts: Counts,
    /// How many queries were evaluated.
    pub evaluated: usize,
    pub measures: Vec<Sums>,
    /// All judged items, where a catalogue is made of them.
    judged: HashSet<u128>,
    pub run: Option<String>,
}

const KIND: [u8; 4] = *b"rgel";
/// From version 3 on, it ends with the request as it was typed.
const VERSION: u32 = 3;
const OLDEST: u32 = 2;

impl LightEvaluation {
    /// Add up an evaluation; nothing if a measure has texts, which have no sum.
    pub fn new(evaluation: &Evaluation) -> Option<Self> {
        if evaluation.header.letters() > 0 {
            return None;
        }
        let columns = &evaluation.header.columns;
        let measures = columns.iter().enumerate().map(|(index, column)| add_up(evaluation, index, column)).collect();
        Some(LightEvaluation {
            header: evaluation.header.clone(),
            counts: evaluation.counts.clone(),
            evaluated: evaluation.queries.len(),
            measures,
            judged: evaluation.shown.as_ref().map(|shown| shown.judged.clone()).unwrap_or_default(),
            run: evaluation.run.clone(),
        })
    }

    /// Put evaluations of different queries together. That they are different cannot be seen here.
    pub fn merge(parts: &[&LightEvaluation]) -> Result<Self, Error> {
        let Some((first, others)) = parts.split_first() else {
            return Err(Error::BadBytes { reason: "no evaluation at all" });
        };
        let mut merged = (*first).clone();
        for other in others {
            first.header.require_same(&other.header)?;
            merged.counts.add(&other.counts);
            merged.evaluated = merged.evaluated.saturating_add(other.evaluated);
            merged.measures.iter_mut().zip(&other.measures).for_each(|(sums, other)| sums.merge(other));
            merged.judged.extend(&other.judged);
        }
        merged.run = parts.iter().filter_map(|part| part.run.clone()).min();
        Ok(merged)
    }

    /// One number for all queries; NaN if none counts.
    pub fn aggregate(&self, measure: usize) -> f64 {
        let (sums, column) = (&self.measures[measure], &self.header.columns[measure]);
        if let (Aggregate::Union, Some((_, items))) = (column.aggregate, column.coverage) {
            let others = || self.judged.difference(&sums.shown).count();
            return share(sums.shown.len(), catalogue_size(items, sums.shown.len(), others));
        }
        let value = |index: usize| sums.sums.get(index).map_or(f64::NAN, ExactSum::value);
        match column.aggregate {
            _ if sums.queries == 0 => f64::NAN,
            Aggregate::Mean => value(0) / sums.queries as f64,
            Aggregate::Sum | Aggregate::Union => value(0),
            Aggregate::Geometric => (value(0) / sums.queries as f64).exp(),
            Aggregate::Weighted { .. } if value(0) == 0.0 => f64::NAN,
            Aggregate::Weighted { .. } => value(1) / value(0),
        }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = self.content();
        writer.text(self.header.asked.as_bytes());
        writer.finish()
    }

    /// What evaluations are compared by: everything but how it is shown.
    fn content(&self) -> Writer {
        let mut writer = Writer::new(KIND, VERSION);
        self.header.write(&mut writer);
        write_run(&mut writer, self.run.as_deref());
        self.counts.write(&mut writer);
        writer.count(self.evaluated);
        for sums in &self.measures {
            writer.count(sums.queries);
            sums.sums.iter().for_each(|sum| sum.write(&mut writer));
            write_set(&mut writer, &sums.shown);
        }
        write_set(&mut writer, &self.judged);
        writer
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (mut reader, version) = Reader::open_any(bytes, KIND, OLDEST..=VERSION)?;
        let mut header = Header::read(&mut reader)?;
        let run = read_run(&mut reader)?;
        let counts = Counts::read(&mut reader, header.cutoffs)?;
        let evaluated = reader.count()?;
        let mut measures = Vec::with_capacity(header.columns.len());
        for column in &header.columns {
            let mut sums = Sums { queries: reader.count()?, ..Sums::new(column.aggregate) };
            for sum in &mut sums.sums {
                *sum = ExactSum::read(&mut reader)?;
            }
            sums.shown = reader.wide()?.into_iter().collect();
            measures.push(sums);
        }
        let judged = reader.wide()?.into_iter().collect();
        if version > OLDEST {
            header.asked = reader.utf8()?.into();
        }
        reader.finish()?;
        Ok(LightEvaluation { header: Arc::new(header), counts, evaluated, measures, judged, run })
    }
}

impl PartialEq for LightEvaluation {
    /// Equal bit for bit; NaN equals NaN. How it is shown makes no difference.
    fn eq(&self, other: &Self) -> bool {
        self.content().finish() == other.content().finish()
    }
}

fn add_up(evaluation: &Evaluation, measure: usize, column: &Column) -> Sums {
    let mut sums = Sums::new(column.aggregate);
    let stride = evaluation.header.columns.len();
    for values in evaluation.values.chunks_exact(stride) {
        if !(column.skips && values[measure].is_nan()) {
            let weight = if let Aggregate::Weighted { by } = column.aggregate { values[by] } else { 1.0 };
            sums.add(values[measure], weight, column.aggregate);
        }
    }
    if let (Some((cutoff, _)), Some(shown)) = (column.coverage, &evaluation.shown) {
        sums.shown = shown.union(cutoff);
    }
    sums
}
