//! Batches that Python code yields: a list, a generator, a scanner of some library.

use std::fmt::Write;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi::from_ffi;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader, make_array};
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyIterator;

use crate::panics::caught;
use crate::streams::{Stream, array, failed, inconsistent, stream};

type Batches = Box<dyn RecordBatchReader + Send>;

/// The batches of an iterator; all have the columns of the first.
pub struct BatchIterator {
    objects: Py<PyIterator>,
    schema: SchemaRef,
    /// What the object that was yielded last still holds.
    batches: Option<Batches>,
}

impl BatchIterator {
    /// Begin with the first object, which says what the columns are.
    pub fn new(objects: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut objects = objects.try_iter()?;
        let batches = objects.next().transpose()?.map(|object| opened(&object)).transpose()?;
        let schema = batches.as_ref().map_or_else(|| Arc::new(Schema::empty()), |batches| batches.schema());
        Ok(BatchIterator { objects: objects.unbind(), schema, batches })
    }

    /// The batches of the next object.
    fn next_object(&self) -> Option<PyResult<Batches>> {
        Python::attach(|py| {
            let object = self.objects.bind(py).clone().next()?;
            Some(object.and_then(|object| opened(&object)))
        })
    }

    fn same_columns(&self, batch: RecordBatch) -> Result<RecordBatch, ArrowError> {
        let (expected, got) = (columns(&self.schema), columns(&batch.schema()));
        if expected == got {
            return Ok(batch);
        }
        Err(ArrowError::SchemaError(format!(
            "a batch with the columns {got} after batches with the columns {expected}"
        )))
    }
}

impl Iterator for BatchIterator {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(batch) = self.batches.as_mut().and_then(Iterator::next) {
                return Some(batch.and_then(|batch| self.same_columns(batch)));
            }
            match self.next_object()? {
                Ok(batches) => self.batches = Some(batches),
                Err(raised) => return Some(Err(ArrowError::ExternalError(Box::new(raised)))),
            }
        }
    }
}

impl RecordBatchReader for BatchIterator {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

/// The names and types of columns as text.
fn columns(schema: &Schema) -> String {
    let mut text = String::new();
    for (index, field) in schema.fields().iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}{} ({})", field.name(), field.data_type());
    }
    text
}

fn opened(object: &Bound<'_, PyAny>) -> PyResult<Batches> {
    let py = object.py();
    if let Ok(stream) = object.cast::<Stream>() {
        return stream.get().take_reader();
    }
    if object.hasattr("__arrow_c_array__")? {
        let (schema, array) = array(object)?;
        // SAFETY: both come from one pair of capsules.
        let batch =
            caught(|| Ok(make_array(unsafe { from_ffi(array, &schema) }?))).unwrap_or_else(|| Err(inconsistent()));
        let batch = batch.map_err(failed(py, None))?;
        if !matches!(batch.data_type(), DataType::Struct(_)) {
            return Err(not_a_batch(object));
        }
        let batch = caught(|| RecordBatch::from(batch.as_struct())).ok_or_else(inconsistent);
        let batch = batch.map_err(failed(py, None))?;
        let schema = batch.schema();
        return Ok(Box::new(RecordBatchIterator::new(std::iter::once(Ok(batch)), schema)));
    }
    if object.hasattr("__arrow_c_stream__")? {
        let stream = stream(object)?;
        let reader = caught(|| RecordBatchStreamReader::try_new(stream)).unwrap_or_else(|| Err(inconsistent()));
        return Ok(Box::new(reader.map_err(failed(py, None))?));
    }
    Err(not_a_batch(object))
}

fn not_a_batch(object: &Bound<'_, PyAny>) -> PyErr {
    let got = object.get_type().name().map(|name| name.to_string()).unwrap_or_default();
    crate::errors::problem(object.py(), "not-a-batch", "", &[("got", got)])
}
