//! A table on its way out, through the Arrow PyCapsule interface.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, Float64Array, LargeStringArray, RecordBatch, RecordBatchIterator};
use arrow_schema::{DataType, Field, Schema};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// A column of texts, and one of numbers for each further name, as a stream of one batch.
#[pyfunction]
pub fn export_table<'py>(
    py: Python<'py>,
    names: Vec<String>,
    texts: Vec<String>,
    numbers: Vec<Vec<Option<f64>>>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let mut columns: Vec<ArrayRef> = vec![Arc::new(LargeStringArray::from(texts))];
    columns.extend(numbers.into_iter().map(|column| Arc::new(Float64Array::from(column)) as ArrayRef));
    let kind = |at: usize| if at == 0 { DataType::LargeUtf8 } else { DataType::Float64 };
    let fields = names.into_iter().enumerate().map(|(at, name)| Field::new(name, kind(at), at > 0));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<Field>>()));
    let batch = RecordBatch::try_new(schema.clone(), columns);
    let batch = batch.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let stream = FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new([Ok(batch)], schema)));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}
