//! Tables in long form, or with a list per query: from Arrow columns to rows grouped by query.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, ListViewArray, OffsetSizeTrait, UInt64Array};
use arrow_buffer::ScalarBuffer;
use arrow_schema::DataType;
use arrow_select::take::take;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rankgauge_core::Side;
use rankgauge_core::annotations::{Column as Annotations, Kind};
use rankgauge_core::id_kinds::IdKinds;
use rankgauge_core::long_scores::DigitMarks;
use rankgauge_core::numbers::{Numbers, Piece};
use rankgauge_core::pieces::{WORTH_TASKS, texts_end_to_end};
use rankgauge_core::table::{Items, MOST_ROWS, Table};
use rankgauge_core::views::Views;
use rayon::prelude::*;

use crate::casts;
use crate::columns::{self, Column, ColumnUse, Fault, refuse_nulls};
use crate::errors::column_error;
use crate::groups::groups;
use crate::id_chunks::{Chunk, id_chunks, id_kind};
use crate::long_scores;
use crate::panics::caught;
use crate::pool::in_pool;
use crate::streams::Stream;

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
    pub annotation: Option<(Kind, Column)>,
}

impl Frame {
    /// Group the rows by query, and take out the annotations of the rows.
    pub fn into_table(self) -> Result<(Table, Option<Annotations>), Fault> {
        require_row_numbers(self.item.length())?;
        if self.item.chunks.iter().any(is_list) {
            return self.explode();
        }
        let (groups, (items, values)) =
            rayon::join(|| groups(&self.query), || rayon::join(|| items(&self.item), || self.values()));
        let ((queries, runs), (values, marks)) = (groups?, values?);
        let table = Table::new(queries, &runs, items?, values).with_kinds(self.kinds()).with_marks(marks);
        Ok((table, self.annotations()?))
    }

    /// A row per query, with lists: the lists end to end, each a run of its query even where it is empty.
    fn explode(mut self) -> Result<(Table, Option<Annotations>), Fault> {
        let (ends, flat) = flatten(&self.item)?;
        require_row_numbers(ends[ends.len() - 1])?;
        self.item.chunks = flat;
        if let Some(column) = &mut self.value {
            flatten_beside(column, &ends)?;
        }
        if let Some((_, column)) = &mut self.annotation {
            flatten_beside(column, &ends)?;
        }
        let in_list = |fault: Fault| fault.in_row(|element| ends.partition_point(|&end| end <= element) - 1);
        let (queries, runs) = groups(&self.query)?;
        let runs: Vec<(u32, usize)> = runs.into_iter().map(|(query, row)| (query, ends[row])).collect();
        let (items, (values, marks)) = (items(&self.item).map_err(in_list)?, self.values().map_err(in_list)?);
        let table = Table::new(queries, &runs, items, values).with_kinds(self.kinds()).with_marks(marks);
        Ok((table, self.annotations().map_err(in_list)?))
    }

    fn kinds(&self) -> IdKinds {
        IdKinds { queries: id_kind(&self.query), items: id_kind(&self.item) }
    }

    fn annotations(&self) -> Result<Option<Annotations>, Fault> {
        let read = |(kind, column): &(Kind, Column)| match kind {
            Kind::Subtopic => Ok(Annotations::Subtopics(items(column)?.texts())),
            Kind::Propensity => Ok(Annotations::Propensities(numbers(column)?)),
            Kind::Position => Ok(Annotations::Positions(numbers(column)?)),
        };
        self.annotation.as_ref().map(read).transpose()
    }

    /// Grades or scores, and marks of scores with more digits than a float has.
    fn values(&self) -> Result<(Numbers<f64>, DigitMarks), Fault> {
        let Some(column) = &self.value else {
            let by_row = |row: usize| if self.side == Side::Judgments { 1.0 } else { -(row as f64) };
            return Ok(((0..self.item.length()).map(by_row).collect::<Vec<f64>>().into(), DigitMarks::default()));
        };
        let numbers = numbers(column)?;
        if self.side == Side::Judgments {
            return Ok((numbers, DigitMarks::default()));
        }
        let (scores, marks) = long_scores::settle(column, numbers);
        let negated = || scores.iter().map(|rank| -rank).collect::<Vec<f64>>().into();
        Ok((if self.ranks { negated() } else { scores }, marks))
    }
}

/// Refuse more rows than can be numbered.
pub fn require_row_numbers(rows: usize) -> Result<(), Fault> {
    if rows > MOST_ROWS { Err(Fault::TooManyRows(rows)) } else { Ok(()) }
}

pub fn is_list(array: &ArrayRef) -> bool {
    matches!(
        array.data_type(),
        DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..) | DataType::ListView(_)
    )
}

/// The elements of all lists, chunk by chunk, and where each list begins; one more than there are lists.
pub fn flatten(column: &Column) -> Result<(Vec<usize>, Vec<ArrayRef>), Fault> {
    let (mut ends, mut chunks, mut row) = (vec![0], Vec::new(), 0);
    for array in &column.chunks {
        refuse_nulls(&column.name, array, row)?;
        let (starts, flat) = flatten_chunk(&column.name, array)?;
        let base = ends[row];
        ends.extend(starts[1..].iter().map(|start| base + start));
        chunks.push(flat);
        row += array.len();
    }
    Ok((ends, chunks))
}

fn flatten_chunk(name: &str, array: &ArrayRef) -> Result<(Vec<usize>, ArrayRef), Fault> {
    Ok(match array.data_type() {
        DataType::List(_) => elements(array.as_list::<i32>().offsets(), array.as_list::<i32>().values()),
        DataType::LargeList(_) => elements(array.as_list::<i64>().offsets(), array.as_list::<i64>().values()),
        DataType::FixedSizeList(_, length) => {
            let starts = (0..=array.len()).map(|row| row * *length as usize).collect();
            (starts, array.as_fixed_size_list().values().clone())
        }
        DataType::ListView(_) => elements_of_views(array.as_list_view::<i32>())?,
        other => return Err(Fault::Type { column: name.into(), expected: "lists", got: other.to_string() }),
    })
}

fn elements<O: OffsetSizeTrait>(offsets: &[O], values: &ArrayRef) -> (Vec<usize>, ArrayRef) {
    let first = offsets[0].as_usize();
    let starts: Vec<usize> = offsets.iter().map(|offset| offset.as_usize() - first).collect();
    let length = starts[starts.len() - 1];
    (starts, values.slice(first, length))
}

/// Lists that may lie in any order, and overlap.
fn elements_of_views(lists: &ListViewArray) -> Result<(Vec<usize>, ArrayRef), Fault> {
    let mut starts = vec![0];
    let mut rows: Vec<u64> = Vec::new();
    for (&offset, &size) in lists.offsets().iter().zip(lists.sizes().iter()) {
        rows.extend(offset as u64..(offset + size) as u64);
        starts.push(rows.len());
    }
    Ok((starts, take(lists.values(), &UInt64Array::from(rows), None)?))
}

/// Put the lists of a column end to end; they must be as long as those of the items.
fn flatten_beside(column: &mut Column, item_ends: &[usize]) -> Result<(), Fault> {
    let (ends, flat) = flatten(column)?;
    if let Some(row) = (0..item_ends.len() - 1).find(|&row| item_ends[row + 1] != ends[row + 1]) {
        let length = |ends: &[usize]| ends[row + 1] - ends[row];
        let got = format!("{} and {}", length(item_ends), length(&ends));
        return Err(Fault::Lengths { column: column.name.clone(), row, got });
    }
    column.chunks = flat;
    Ok(())
}

fn items(column: &Column) -> Result<Items, Fault> {
    let chunks = id_chunks(column).collect::<Result<Vec<Chunk>, Fault>>()?;
    let chunks = chunks.into_iter().filter(|chunk| chunk.len() > 0).collect::<Vec<Chunk>>();
    if chunks.iter().all(|chunk| matches!(chunk, Chunk::Whole(_))) && !chunks.is_empty() {
        return Ok(Items::Whole(Numbers::new(chunks.into_iter().filter_map(Chunk::into_numbers).collect())));
    }
    if chunks.iter().all(|chunk| matches!(chunk, Chunk::View(_))) {
        return Ok(Items::Views(Views::new(chunks.iter().filter_map(Chunk::view_piece).collect())));
    }
    Ok(Items::Text(Arc::new(texts_end_to_end(&chunks, Chunk::len, Chunk::texts))))
}

/// The numbers of a column; all are finite.
pub fn numbers(column: &Column) -> Result<Numbers<f64>, Fault> {
    let first_rows = column.chunks.iter().scan(0, |row, array| {
        *row += array.len();
        Some(*row - array.len())
    });
    let arrays: Vec<(&ArrayRef, usize)> = column.chunks.iter().zip(first_rows).collect();
    let read = |&(array, row): &(&ArrayRef, usize)| finite(&column.name, array, row);
    // Of several faults the first counts, so that all come back.
    let chunks: Vec<Result<ScalarBuffer<f64>, Fault>> = match column.length() {
        0..WORTH_TASKS => arrays.iter().map(read).collect(),
        _ => arrays.par_iter().map(read).collect(),
    };
    let pieces = chunks.into_iter().map(|chunk| Ok(Box::new(chunk?) as Piece<f64>));
    Ok(Numbers::new(pieces.collect::<Result<Vec<Piece<f64>>, Fault>>()?))
}

/// The numbers of a chunk that begins at a row; all are finite.
fn finite(name: &str, array: &ArrayRef, row: usize) -> Result<ScalarBuffer<f64>, Fault> {
    refuse_nulls(name, array, row)?;
    let numbers = to_floats(name, array, row)?;
    if numbers.iter().fold(true, |all, number| all & number.is_finite()) {
        return Ok(numbers);
    }
    let bad = numbers.iter().position(|number| !number.is_finite()).unwrap_or(0);
    Err(Fault::BadNumber { column: name.into(), row: row + bad, got: numbers[bad].to_string() })
}

fn to_floats(name: &str, array: &ArrayRef, first_row: usize) -> Result<ScalarBuffer<f64>, Fault> {
    if array.is_empty() {
        return Ok(ScalarBuffer::default());
    }
    if is_number(array.data_type()) {
        return Ok(casts::to_floats(array)?);
    }
    let (values, places) = match array.as_any_dictionary_opt() {
        Some(coded) => (coded.values(), coded.normalized_keys()),
        None => (array, (0..array.len()).collect()),
    };
    let numbers = parse(name, values)?;
    let bad = |row: usize, place: usize| {
        let got = format!("{:?}", casts::text_at(values, place));
        Fault::BadNumber { column: name.into(), row: first_row + row, got }
    };
    places.iter().enumerate().map(|(row, &place)| numbers[place].ok_or_else(|| bad(row, place))).collect()
}

fn is_number(kind: &DataType) -> bool {
    kind.is_numeric() || *kind == DataType::Boolean
}

/// Numbers, or texts, as floats; None where a text is no number.
fn parse(name: &str, values: &ArrayRef) -> Result<Vec<Option<f64>>, Fault> {
    match values.data_type() {
        kind if is_number(kind) => Ok(casts::to_floats(values)?.iter().copied().map(Some).collect()),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            Ok((0..values.len()).map(|row| casts::text_at(values, row).trim_ascii().parse().ok()).collect())
        }
        other => Err(Fault::Type { column: name.into(), expected: "numbers", got: other.to_string() }),
    }
}

/// `rankgauge.inputs.roles.Roles`: the names of the columns.
#[derive(Debug, Clone, FromPyObject)]
pub struct Roles {
    pub query: String,
    pub item: String,
    pub value: Option<String>,
    descending: bool,
    pub annotation: Option<String>,
    pub annotation_role: Option<String>,
}

impl Roles {
    /// Whether the values are scores, of which the highest is best, and not ranks.
    pub fn is_descending(&self) -> bool {
        self.descending
    }

    /// The names of the columns that are needed.
    pub fn names(&self) -> Vec<&str> {
        let ids = [Some(&self.query), Some(&self.item), self.value.as_ref(), self.annotation.as_ref()];
        ids.into_iter().flatten().map(String::as_str).collect()
    }
}

/// Read the columns of a table: its rows, and their annotations.
pub fn read_table(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    roles: Roles,
    side: Side,
    label: Option<&str>,
) -> PyResult<(Table, Option<Annotations>)> {
    if let Ok(stream) = table.cast::<Stream>()
        && let Some(rows) = stream.get().rows(py, &roles)?
    {
        return Ok((rows.into_table(side, !roles.descending), None));
    }
    let kind = annotation_kind(roles.annotation_role.as_deref())?;
    let annotation_use = if kind == Some(Kind::Subtopic) { ColumnUse::Ids } else { ColumnUse::Numbers };
    let mut wanted = vec![(&*roles.query, ColumnUse::Ids), (&*roles.item, ColumnUse::Ids)];
    wanted.extend(roles.value.as_deref().map(|value| (value, ColumnUse::Numbers)));
    wanted.extend(roles.annotation.as_deref().map(|annotation| (annotation, annotation_use)));
    let mut columns = columns::take(table, &wanted, label)?.into_iter();
    let (Some(query), Some(item)) = (columns.next(), columns.next()) else {
        return Err(PyValueError::new_err("expected two columns at least"));
    };
    let value = roles.value.as_ref().and_then(|_| columns.next());
    let annotation = kind.zip(columns.next());
    let frame = Frame { side, query, item, value, ranks: !roles.descending, annotation };
    // A type of Arrow may come with parameters that make no sense.
    let rows = py.detach(|| caught(|| in_pool(false, None, || frame.into_table())));
    let rows = rows.unwrap_or_else(|| Ok(Err(Fault::Arrow("a column that is not what it says".into()))))?;
    let (rows, annotations) = rows.map_err(|fault| column_error(py, label, fault))?;
    let is_kept = table.cast::<Stream>().is_ok_and(|stream| stream.get().is_kept());
    let rows = if is_kept { py.detach(|| in_pool(false, None, || rows.into_owned()))? } else { rows };
    Ok((rows, annotations))
}

/// The kind of annotation that a role names.
pub fn annotation_kind(role: Option<&str>) -> PyResult<Option<Kind>> {
    let unknown = |role: &str| PyValueError::new_err(format!("no annotation is called {role}"));
    role.map(|role| Kind::from_name(role).ok_or_else(|| unknown(role))).transpose()
}
