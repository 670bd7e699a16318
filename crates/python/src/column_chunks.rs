//! Columns that come one by one, each in chunks of its own: as batches, without a copy.
//!
//! Polars puts the chunks of a DataFrame end to end before it hands it over, and those of a Series not.

use std::sync::Arc;

use arrow_array::ffi_stream::ArrayStreamReader;
use arrow_array::{Array, ArrayReader, ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, Field, Schema};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::panics::caught;
use crate::streams::{failed, inconsistent, stream};

/// A column and its chunks, none of which is empty.
struct Chunked {
    field: Field,
    chunks: Vec<ArrayRef>,
}

/// The batches of a dict of columns by name; each is a stream of arrays.
pub fn batches_of(columns: &Bound<'_, PyDict>) -> PyResult<impl RecordBatchReader + Send + use<>> {
    let py = columns.py();
    let columns = columns.iter().map(|(name, column)| imported(&name.extract::<String>()?, &column));
    let columns = columns.collect::<PyResult<Vec<Chunked>>>()?;
    let schema = Arc::new(Schema::new(columns.iter().map(|column| column.field.clone()).collect::<Vec<Field>>()));
    let batches = caught(|| aligned(&columns, &schema)).unwrap_or_else(|| Err(inconsistent()));
    Ok(RecordBatchIterator::new(batches.map_err(failed(py, None))?.into_iter().map(Ok), schema))
}

fn imported(name: &str, column: &Bound<'_, PyAny>) -> PyResult<Chunked> {
    let py = column.py();
    let stream = stream(column)?;
    let read = || {
        let reader = ArrayStreamReader::try_new(stream)?;
        let field = reader.field().as_ref().clone().with_name(name);
        let chunks = reader.filter(|chunk| chunk.as_ref().map_or(true, |chunk| !chunk.is_empty()));
        Ok(Chunked { field, chunks: chunks.collect::<Result<Vec<ArrayRef>, ArrowError>>()? })
    };
    py.detach(|| caught(read)).unwrap_or_else(|| Err(inconsistent())).map_err(failed(py, None))
}

/// Batches that end wherever a chunk of any column ends.
fn aligned(columns: &[Chunked], schema: &Arc<Schema>) -> Result<Vec<RecordBatch>, ArrowError> {
    let mut ends: Vec<usize> = columns.iter().flat_map(|column| ends_of(&column.chunks)).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut batches = vec![Vec::with_capacity(columns.len()); ends.len()];
    for column in columns {
        let (mut chunks, mut start) = (column.chunks.iter().zip(ends_of(&column.chunks)), 0);
        let mut chunk = chunks.next();
        for (batch, &end) in batches.iter_mut().zip(&ends) {
            let (array, chunk_end) = chunk.ok_or_else(inconsistent)?;
            batch.push(array.slice(start + array.len() - chunk_end, end - start));
            start = end;
            if end == chunk_end {
                chunk = chunks.next();
            }
        }
    }
    batches.into_iter().map(|arrays| RecordBatch::try_new(schema.clone(), arrays)).collect()
}

/// The row behind each chunk.
fn ends_of(chunks: &[ArrayRef]) -> impl Iterator<Item = usize> {
    chunks.iter().scan(0, |end, chunk| {
        *end += chunk.len();
        Some(*end)
    })
}
