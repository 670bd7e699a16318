//! Exports a table through the Arrow PyCapsule interface.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, LargeStringArray, RecordBatch, RecordBatchIterator};
use arrow_schema::{DataType, Field, Schema};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use rankgauge_core::id_kinds::IdKind;

use crate::casts::parse_ids;

/// Ids as whole numbers or as texts.
#[derive(FromPyObject)]
pub enum Ids {
    Whole(Vec<i64>),
    Texts(Vec<String>),
}

/// A column of ids, which were of a kind before they became text, further ones of numbers, and then more of texts, as a
/// stream of one batch.
#[pyfunction]
pub fn export_table<'py>(
    py: Python<'py>,
    names: Vec<String>,
    ids: Ids,
    id_kind: &str,
    numbers: Vec<Vec<Option<f64>>>,
    more_texts: Vec<Vec<String>>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let ids: ArrayRef = match ids {
        Ids::Whole(ids) => Arc::new(Int64Array::from(ids)),
        Ids::Texts(ids) => parse_ids(LargeStringArray::from(ids), IdKind::from_name(id_kind)),
    };
    let mut columns = vec![ids];
    columns.extend(numbers.into_iter().map(|column| Arc::new(Float64Array::from(column)) as ArrayRef));
    columns.extend(more_texts.into_iter().map(|column| Arc::new(LargeStringArray::from(column)) as ArrayRef));
    let fields = names.into_iter().zip(&columns).map(|(name, column)| {
        let kind = column.data_type().clone();
        let nullable = kind == DataType::Float64;
        Field::new(name, kind, nullable)
    });
    let schema = Arc::new(Schema::new(fields.collect::<Vec<Field>>()));
    let batch = RecordBatch::try_new(schema.clone(), columns);
    let batch = batch.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let stream = FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new([Ok(batch)], schema)));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}
