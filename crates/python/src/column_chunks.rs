//! Columns that come one by one, each in chunks of its own, without a copy.
//!
//! Polars puts the chunks of a DataFrame end to end before it hands it over, and those of a Series not.

use std::sync::Arc;

use arrow_array::ffi_stream::ArrayStreamReader;
use arrow_array::{Array, ArrayReader, ArrayRef, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use crate::arrow_checks::checked;
use crate::columns::{Column, Fault};
use crate::frames::is_list;
use crate::panics::caught;
use crate::streams::{failed, inconsistent, size, stream};

/// How many bytes a row of a column takes beside its value: numbers of queries, and where rows belong. The budget sets
/// three times as much aside, 72 bytes a row; rows in random order took 52.
const BESIDE: u64 = 8;

/// Columns of the same number of rows.
pub struct ChunkedColumns {
    schema: SchemaRef,
    columns: Vec<Vec<ArrayRef>>,
}

impl ChunkedColumns {
    /// Take columns by name; each is a stream of arrays.
    pub fn import(columns: &Bound<'_, PyDict>) -> PyResult<Self> {
        let named = columns.iter().map(|(name, column)| imported(&name.extract::<String>()?, &column));
        let (fields, columns): (Vec<Field>, Vec<Vec<ArrayRef>>) =
            named.collect::<PyResult<Vec<_>>>()?.into_iter().unzip();
        Ok(ChunkedColumns { schema: Arc::new(Schema::new(fields)), columns })
    }

    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Take out columns, whose chunks are checked.
    pub fn read(&self, names: &[&str]) -> Result<Vec<Column>, Fault> {
        let read = |&name: &&str| {
            let chunks = self.columns[self.schema.index_of(name)?].par_iter().map(|chunk| checked(chunk.clone()));
            // Of several faults the first counts, so that all come back.
            let chunks = chunks.collect::<Vec<_>>().into_iter().collect::<Result<_, _>>()?;
            Ok(Column { name: name.into(), chunks })
        };
        names.iter().map(read).collect()
    }

    /// About how many bytes it takes to evaluate columns, beside those that their owner holds: lists alone are copied.
    pub fn size(&self, names: &[&str]) -> Result<u64, ArrowError> {
        let chunks = names.iter().map(|name| Ok(&self.columns[self.schema.index_of(name)?]));
        let chunks = chunks.collect::<Result<Vec<_>, ArrowError>>()?.into_iter().flatten();
        let beside = |chunk: &ArrayRef| if is_list(chunk) { u64::MAX } else { BESIDE * chunk.len() as u64 };
        chunks.map(|chunk| Ok(size(chunk)?.min(beside(chunk)))).sum()
    }

    pub fn into_batches(self) -> AlignedBatches {
        AlignedBatches { cursors: vec![(0, 0); self.columns.len()], columns: self }
    }
}

fn imported(name: &str, column: &Bound<'_, PyAny>) -> PyResult<(Field, Vec<ArrayRef>)> {
    let py = column.py();
    let stream = stream(column)?;
    let read = || {
        let reader = ArrayStreamReader::try_new(stream)?;
        let field = reader.field().as_ref().clone().with_name(name);
        let chunks = reader.filter(|chunk| chunk.as_ref().map_or(true, |chunk| !chunk.is_empty()));
        Ok((field, chunks.collect::<Result<Vec<ArrayRef>, ArrowError>>()?))
    };
    py.detach(|| caught(read)).unwrap_or_else(|| Err(inconsistent())).map_err(failed(py, None))
}

/// Batches of columns, each of which ends where a chunk of any column ends.
pub struct AlignedBatches {
    columns: ChunkedColumns,
    /// For each column, the chunk that comes next, and how many of its rows are done.
    cursors: Vec<(usize, usize)>,
}

impl Iterator for AlignedBatches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let chunks = self.columns.columns.iter().zip(&self.cursors);
        let left = chunks.map(|(chunks, &(chunk, done))| chunks.get(chunk).map_or(0, |array| array.len() - done));
        let rows = left.min().filter(|&rows| rows > 0)?;
        let mut arrays = Vec::with_capacity(self.cursors.len());
        for (chunks, (chunk, done)) in self.columns.columns.iter().zip(&mut self.cursors) {
            let array = &chunks[*chunk];
            arrays.push(array.slice(*done, rows));
            *done += rows;
            if *done == array.len() {
                (*chunk, *done) = (*chunk + 1, 0);
            }
        }
        Some(RecordBatch::try_new(self.columns.schema.clone(), arrays))
    }
}

impl RecordBatchReader for AlignedBatches {
    fn schema(&self) -> SchemaRef {
        self.columns.schema.clone()
    }
}
