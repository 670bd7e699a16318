//! Tables in long form, or with a list per query: from Arrow columns to rows grouped by query.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef};
use arrow_buffer::ScalarBuffer;
use arrow_cast::{CastOptions, cast, cast_with_options};
use arrow_schema::DataType;
use arrow_select::concat::concat;
use rankgauge_core::Side;
use rankgauge_core::ids::{Ids, Interner};
use rankgauge_core::table::{Items, Numbers, Table};
use rayon::prelude::*;

use crate::columns::{Column, Fault, refuse_nulls};
use crate::id_chunks::{Chunk, id_chunks};

/// The columns of a table by what they hold.
#[derive(Debug, Clone)]
pub struct Frame {
    pub side: Side,
    pub query: Column,
    pub item: Column,
    /// Grades or scores; without them items are relevant, or ranked in the order of the rows.
    pub value: Option<Column>,
    /// The values are ranks: the lowest is best.
    pub ranks: bool,
}

impl Frame {
    /// Group the rows by query.
    pub fn into_table(self) -> Result<Table, Fault> {
        if self.item.chunks.iter().any(is_list) {
            return self.explode();
        }
        let (groups, (items, values)) =
            rayon::join(|| groups(&self.query), || rayon::join(|| items(&self.item), || self.values()));
        let (queries, runs) = groups?;
        Ok(Table::new(queries, &runs, items?, values?))
    }

    /// A row per query, with lists: the lists end to end, each a run of its query even where it is empty.
    fn explode(mut self) -> Result<Table, Fault> {
        let (ends, flat) = flatten(&self.item)?;
        self.item.chunks = vec![flat];
        if let Some(column) = &mut self.value {
            let (own_ends, flat) = flatten(column)?;
            if let Some(row) = (0..ends.len() - 1).find(|&row| ends[row + 1] != own_ends[row + 1]) {
                let length = |ends: &[usize]| ends[row + 1] - ends[row];
                let got = format!("{} and {}", length(&ends), length(&own_ends));
                return Err(Fault::Lengths { column: column.name.clone(), row, got });
            }
            column.chunks = vec![flat];
        }
        let in_list = |fault: Fault| fault.in_row(|element| ends.partition_point(|&end| end <= element) - 1);
        let (queries, runs) = groups(&self.query)?;
        let runs: Vec<(u32, usize)> = runs.into_iter().map(|(query, row)| (query, ends[row])).collect();
        Ok(Table::new(queries, &runs, items(&self.item).map_err(in_list)?, self.values().map_err(in_list)?))
    }

    fn values(&self) -> Result<Numbers<f64>, Fault> {
        match &self.value {
            Some(column) if self.ranks => Ok(numbers(column)?.iter().map(|rank| -rank).collect::<Vec<f64>>().into()),
            Some(column) => numbers(column),
            None if self.side == Side::Judgments => Ok(vec![1.0; self.item.length()].into()),
            None => Ok((0..self.item.length()).map(|row| -(row as f64)).collect::<Vec<f64>>().into()),
        }
    }
}

fn is_list(array: &ArrayRef) -> bool {
    matches!(
        array.data_type(),
        DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..) | DataType::ListView(_)
    )
}

/// The elements of all lists end to end, and where each list begins; one more than there are lists.
fn flatten(column: &Column) -> Result<(Vec<usize>, ArrayRef), Fault> {
    let name = &column.name;
    let chunks: Vec<&dyn Array> = column.chunks.iter().map(|chunk| &**chunk).collect();
    let array = concat(&chunks)?;
    refuse_nulls(name, &array, 0)?;
    let element = match array.data_type() {
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::FixedSizeList(field, _)
        | DataType::ListView(field) => field.clone(),
        other => return Err(Fault::Type { column: name.into(), expected: "lists", got: other.to_string() }),
    };
    let lists = cast(&array, &DataType::LargeList(element))?;
    let lists = lists.as_list::<i64>();
    let offsets = lists.offsets();
    let (first, last) = (offsets[0], offsets[offsets.len() - 1]);
    let starts = offsets.iter().map(|&offset| (offset - first) as usize).collect();
    Ok((starts, lists.values().slice(first as usize, (last - first) as usize)))
}

fn items(column: &Column) -> Result<Items, Fault> {
    let mut chunks = id_chunks(column)?;
    if chunks.iter().all(|chunk| matches!(chunk, Chunk::Whole(_))) {
        if let [Chunk::Whole(numbers)] = &mut chunks[..] {
            return Ok(Items::Whole(Numbers::Lent(Arc::new(numbers.clone()))));
        }
        let mut all = Vec::with_capacity(column.length());
        for chunk in &chunks {
            if let Chunk::Whole(numbers) = chunk {
                all.extend_from_slice(numbers);
            }
        }
        return Ok(Items::Whole(all.into()));
    }
    let mut texts = Ids::default();
    chunks.iter().for_each(|chunk| chunk.write(&mut texts));
    Ok(Items::Text(Arc::new(texts)))
}

/// The queries, and the runs of rows that belong to one.
pub fn groups(column: &Column) -> Result<(Interner, Vec<(u32, usize)>), Fault> {
    let chunks = id_chunks(column)?;
    if chunks.iter().all(|chunk| matches!(chunk, Chunk::Whole(_))) {
        return Ok(groups_of_numbers(&chunks));
    }
    let mut groups = Groups::default();
    let mut row = 0;
    for chunk in chunks {
        match &chunk {
            Chunk::Coded(codes, texts) => groups.coded(codes, texts, row),
            _ => chunk.each(|at, text| groups.text(row + at, text)),
        }
        row += chunk.len();
    }
    Ok((groups.queries, groups.runs))
}

/// Rows whose queries are whole numbers: only the first of each run is looked at.
fn groups_of_numbers(chunks: &[Chunk]) -> (Interner, Vec<(u32, usize)>) {
    let mut heads: Vec<(i64, usize)> = Vec::new();
    let mut row = 0;
    for chunk in chunks {
        if let Chunk::Whole(numbers) = chunk {
            let is_head = |&at: &usize| at == 0 || numbers[at] != numbers[at - 1];
            let places = (0..numbers.len()).into_par_iter().with_min_len(ROWS_AT_ONCE).filter(is_head);
            heads.par_extend(places.map(|at| (numbers[at], row + at)));
            row += numbers.len();
        }
    }
    let (low, high) = heads.iter().fold((i64::MAX, i64::MIN), |(low, high), &(id, _)| (low.min(id), high.max(id)));
    let mut groups = Groups { queries: Interner::of_numbers(low, high, heads.len()), runs: Vec::new() };
    groups.runs.reserve(heads.len());
    for (number, row) in heads {
        let query = groups.queries.intern_number(number);
        groups.add(query, row);
    }
    (groups.queries, groups.runs)
}

/// Large enough that a piece of rows is worth a task.
const ROWS_AT_ONCE: usize = 1 << 16;

#[derive(Default)]
struct Groups {
    queries: Interner,
    runs: Vec<(u32, usize)>,
}

impl Groups {
    fn add(&mut self, query: u32, row: usize) {
        if self.runs.last().is_none_or(|&(last, _)| last != query) {
            self.runs.push((query, row));
        }
    }

    fn text(&mut self, row: usize, text: &[u8]) {
        if self.runs.last().is_some_and(|&(last, _)| self.queries.ids().get(last as usize) == text) {
            return;
        }
        let query = self.queries.intern(text);
        self.runs.push((query, row));
    }

    fn coded(&mut self, codes: &[usize], texts: &Ids, row: usize) {
        // Only the values that occur are queries.
        let mut known = vec![None; texts.len()];
        for (at, &code) in codes.iter().enumerate() {
            let query = *known[code].get_or_insert_with(|| self.queries.intern(texts.get(code)));
            self.add(query, row + at);
        }
    }
}

/// The numbers of a column; all are finite.
fn numbers(column: &Column) -> Result<Numbers<f64>, Fault> {
    let mut chunks = Vec::new();
    let mut row = 0;
    for array in &column.chunks {
        refuse_nulls(&column.name, array, row)?;
        let numbers = to_floats(&column.name, array, row)?;
        if !numbers.iter().fold(true, |all, number| all & number.is_finite()) {
            let at = numbers.iter().position(|number| !number.is_finite()).unwrap_or(0);
            let fault = |got| Fault::BadNumber { column: column.name.clone(), row: row + at, got };
            return Err(fault(numbers[at].to_string()));
        }
        row += numbers.len();
        chunks.push(numbers);
    }
    if let [only] = &chunks[..] {
        return Ok(Numbers::Lent(Arc::new(only.clone())));
    }
    let mut all = Vec::with_capacity(row);
    chunks.iter().for_each(|numbers| all.extend_from_slice(numbers));
    Ok(all.into())
}

fn to_floats(name: &str, array: &ArrayRef, first_row: usize) -> Result<ScalarBuffer<f64>, Fault> {
    if array.is_empty() {
        return Ok(ScalarBuffer::default());
    }
    let kind = match array.data_type() {
        DataType::Dictionary(_, values) => (**values).clone(),
        other => other.clone(),
    };
    if kind.is_numeric() || kind == DataType::Boolean {
        let floats = cast_with_options(array, &DataType::Float64, &CastOptions { safe: false, ..Default::default() })?;
        return Ok(floats.as_primitive::<Float64Type>().values().clone());
    }
    if !matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) {
        return Err(Fault::Type { column: name.into(), expected: "numbers", got: kind.to_string() });
    }
    let floats = cast(array, &DataType::Float64)?;
    if floats.null_count() > 0 {
        let row = (0..floats.len()).find(|&row| floats.is_null(row)).unwrap_or(0);
        let texts = cast(array, &DataType::LargeUtf8)?;
        let got = format!("{:?}", texts.as_string::<i64>().value(row));
        return Err(Fault::BadNumber { column: name.into(), row: first_row + row, got });
    }
    Ok(floats.as_primitive::<Float64Type>().values().clone())
}
