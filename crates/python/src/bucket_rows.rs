//! Rows as they are written to disk: checked, without dictionaries, and with the hash of each row's query.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, LargeListArray, LargeStringArray, RecordBatch};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, Schema};
use arrow_select::take::take;
use rankgauge_core::Side;
use rankgauge_core::annotations::Kind;
use rankgauge_core::query_hash::query_hash;

use crate::columns::{Column, Fault};
use crate::frames::{Frame, flatten, is_list, numbers};
use crate::id_chunks::{Chunk, id_chunks};

/// The columns of a side by what they hold.
#[derive(Debug, Clone)]
pub struct Layout {
    pub side: Side,
    pub query: String,
    pub item: String,
    pub value: Option<String>,
    pub annotation: Option<(Kind, String)>,
}

/// Rows, and the hash of the query of each.
#[derive(Debug)]
pub struct Rows {
    pub batch: RecordBatch,
    pub hashes: Vec<u64>,
}

/// The first fault of each column: a table in memory is read column by column, and so is what is reported.
#[derive(Debug, Default)]
pub struct Faults {
    by_column: [Option<Fault>; 4],
}

impl Faults {
    pub fn is_empty(&self) -> bool {
        self.by_column.iter().all(Option::is_none)
    }

    /// The fault that is reported.
    pub fn first(self) -> Option<Fault> {
        self.by_column.into_iter().flatten().next()
    }

    /// Return what was read, or keep the first fault of a column.
    fn kept<T>(&mut self, column: usize, read: Result<T, Fault>) -> Option<T> {
        let fault = match read {
            Ok(read) => return Some(read),
            Err(fault) => fault,
        };
        self.by_column[column].get_or_insert(fault);
        None
    }
}

impl Layout {
    /// The names of the columns.
    pub fn names(&self) -> Vec<&str> {
        let mut names = vec![&*self.query, &*self.item];
        names.extend(self.value.as_deref());
        names.extend(self.annotation.as_ref().map(|(_, name)| &**name));
        names
    }

    /// Check the columns of a batch, whose first row has that number; no rows once something is wrong.
    pub fn rows(&self, arrays: &[ArrayRef], first_row: usize, faults: &mut Faults) -> Option<Rows> {
        let shift = |fault: Fault| fault.in_row(|row| first_row + row);
        let mut columns = self.names().into_iter().zip(arrays).map(|(name, array)| column(name, array));
        let (query, item) = (columns.next()?, columns.next()?);
        let value = self.value.as_ref().and_then(|_| columns.next());
        let annotation = columns.next();
        if is_list(&item.chunks[0]) {
            let frame = self.frame(&query, &item, value.as_ref(), annotation.as_ref());
            faults.kept(0, frame.into_table().map_err(shift))?;
        }
        let queries = faults.kept(0, ids(&query).map_err(shift));
        let values = value.map(|value| faults.kept(1, listed(&value, |each| self.values(each)).map_err(shift)));
        let items = faults.kept(2, listed(&item, |each| Ok(ids(each)?.0)).map_err(shift));
        let annotations = annotation.map(|each| faults.kept(3, self.annotations(&each).map_err(shift)));
        if !faults.is_empty() {
            return None;
        }
        let (queries, hashes) = queries?;
        let arrays = [Some(Some(queries)), Some(items), values, annotations];
        let named = self.names().into_iter().zip(arrays.into_iter().flatten().flatten());
        let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) =
            named.map(|(name, array)| (Field::new(name, array.data_type().clone(), true), array)).unzip();
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays);
        faults.kept(3, batch.map(|batch| Rows { batch, hashes }).map_err(Fault::from))
    }

    fn frame(&self, query: &Column, item: &Column, value: Option<&Column>, annotation: Option<&Column>) -> Frame {
        let kind = self.annotation.as_ref().map(|(kind, _)| *kind);
        let (query, item, value) = (query.clone(), item.clone(), value.cloned());
        Frame { side: self.side, query, item, value, ranks: false, annotation: kind.zip(annotation.cloned()) }
    }

    /// Grades as floats; scores as they are where they may have more digits than a float.
    fn values(&self, column: &Column) -> Result<ArrayRef, Fault> {
        let numbers = numbers(column)?;
        let array = unpacked(&column.chunks[0])?;
        let as_floats = self.side == Side::Judgments || array.data_type().is_floating();
        Ok(if as_floats { Arc::new(Float64Array::from_iter_values(numbers.iter())) } else { array })
    }

    fn annotations(&self, column: &Column) -> Result<ArrayRef, Fault> {
        match self.annotation {
            Some((Kind::Subtopic, _)) => listed(column, |each| Ok(ids(each)?.0)),
            _ => listed(column, |each| Ok(Arc::new(Float64Array::from_iter_values(numbers(each)?.iter())))),
        }
    }
}

fn column(name: &str, array: &ArrayRef) -> Column {
    Column { name: name.into(), chunks: vec![array.clone()] }
}

/// Ids as whole numbers or as texts, and their hashes.
fn ids(column: &Column) -> Result<(ArrayRef, Vec<u64>), Fault> {
    let mut hashes = Vec::with_capacity(column.length());
    let mut arrays: Vec<ArrayRef> = Vec::new();
    for chunk in id_chunks(column) {
        let chunk = chunk?;
        chunk.each(|_, text| hashes.push(query_hash(text)));
        arrays.push(match chunk {
            Chunk::Whole(numbers) => Arc::new(Int64Array::new(numbers, None)),
            Chunk::Short(texts) => Arc::new(texts),
            Chunk::Long(texts) => Arc::new(texts),
            Chunk::View(texts) => Arc::new(texts),
            Chunk::Written(_) | Chunk::Coded(..) => Arc::new(written(&chunk)),
        });
    }
    let array = arrays.pop().ok_or_else(|| Fault::Arrow("a column without rows".into()))?;
    Ok((array, hashes))
}

fn written(chunk: &Chunk) -> LargeStringArray {
    let mut texts = Vec::with_capacity(chunk.len());
    chunk.each(|_, text| texts.push(String::from_utf8_lossy(text).into_owned()));
    LargeStringArray::from(texts)
}

/// Read a column, or the elements of its lists.
fn listed(column: &Column, read: impl Fn(&Column) -> Result<ArrayRef, Fault>) -> Result<ArrayRef, Fault> {
    if !is_list(&column.chunks[0]) {
        return read(column);
    }
    let (ends, chunks) = flatten(column)?;
    let elements = read(&Column { name: column.name.clone(), chunks })?;
    let offsets: Vec<i64> = ends.iter().map(|&end| end as i64).collect();
    let field = Arc::new(Field::new_list_field(elements.data_type().clone(), true));
    Ok(Arc::new(LargeListArray::new(field, OffsetBuffer::new(offsets.into()), elements, None)))
}

/// Replace dictionary codes by their values: the dictionary, written with each part of the rows, could be larger.
fn unpacked(array: &ArrayRef) -> Result<ArrayRef, Fault> {
    match array.as_any_dictionary_opt() {
        Some(coded) => Ok(take(coded.values(), coded.keys(), None)?),
        None => Ok(array.clone()),
    }
}

/// Copy string views into contiguous arrays, so that the buffers they point into can be freed.
pub fn compact(array: ArrayRef) -> ArrayRef {
    match array.data_type() {
        DataType::Utf8View => Arc::new(array.as_string_view().iter().collect::<LargeStringArray>()),
        DataType::LargeList(_) => {
            let lists = array.as_list::<i64>();
            let elements = compact(lists.values().clone());
            let field = Arc::new(Field::new_list_field(elements.data_type().clone(), true));
            Arc::new(LargeListArray::new(field, lists.offsets().clone(), elements, lists.nulls().cloned()))
        }
        _ => array,
    }
}
