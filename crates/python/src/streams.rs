//! Tables of Arrow: handed over through the PyCapsule interface, or in a file. What others made is checked.

use std::fmt;
use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{
    AnyDictionaryArray, Array, ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader, make_array,
};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};

use crate::arrow_checks::checked;
use crate::batch_iterator::BatchIterator;
use crate::casts;
use crate::column_chunks::ChunkedColumns;
use crate::columns::{Column, Fault};
use crate::errors::{column_error, problem};
use crate::frames::Roles;
use crate::ipc::Batches;
use crate::limits::most_unpacked;
use crate::panics::caught;
use crate::parquet_batches::Batches as ParquetBatches;
use crate::parquet_rows::Rows;
use crate::pool::in_pool;

/// A table, opened to be read once.
#[pyclass(frozen, module = "rankgauge._core")]
#[derive(Debug)]
pub struct Stream {
    #[pyo3(get)]
    names: Vec<String>,
    reader: Mutex<Option<Reader>>,
    /// How many bytes its columns may have.
    pub most_bytes: Option<u64>,
    is_kept: AtomicBool,
}

enum Reader {
    Columns(ChunkedColumns),
    Batches(Box<dyn RecordBatchReader + Send>),
    /// Parquet files, and their rows if these have been read.
    Parquet(Box<ParquetBatches>, Option<Rows>),
}

impl Reader {
    fn into_batches(self) -> Box<dyn RecordBatchReader + Send> {
        match self {
            Reader::Columns(columns) => Box::new(columns.into_batches()),
            Reader::Batches(reader) => reader,
            Reader::Parquet(reader, _) => reader,
        }
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let schema = match self {
            Reader::Columns(columns) => columns.schema().clone(),
            Reader::Batches(reader) => reader.schema(),
            Reader::Parquet(reader, _) => reader.schema(),
        };
        write!(formatter, "{schema}")
    }
}

impl Stream {
    pub fn from_reader(reader: impl RecordBatchReader + Send + 'static, most_bytes: Option<u64>) -> Self {
        let names = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
        Stream::of(names, Reader::Batches(Box::new(reader)), most_bytes)
    }

    fn of(names: Vec<String>, reader: Reader, most_bytes: Option<u64>) -> Self {
        Stream { names, reader: Mutex::new(Some(reader)), most_bytes, is_kept: AtomicBool::new(false) }
    }

    /// Whether what is read of it must be copied.
    pub fn is_kept(&self) -> bool {
        self.is_kept.load(Ordering::Relaxed)
    }

    /// Columns of Parquet files.
    pub fn of_parquet(batches: ParquetBatches) -> Self {
        let limit = batches.limit;
        Stream::of(batches.names(), Reader::Parquet(Box::new(batches), None), Some(limit))
    }

    /// The Parquet files whose rows these are, if they are such and were not read; the stream still has them.
    pub fn parquet(&self) -> PyResult<Option<ParquetBatches>> {
        let reader = self.take()?;
        let batches = if let Reader::Parquet(batches, None) = &reader { Some((**batches).clone()) } else { None };
        self.put_back(reader);
        Ok(batches)
    }

    fn put_back(&self, reader: Reader) {
        *self.reader.lock().unwrap_or_else(PoisonError::into_inner) = Some(reader);
    }

    fn take(&self) -> PyResult<Reader> {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner).take();
        let gone = || ("got", "a stream that failed, or was read before".to_string());
        reader.ok_or_else(|| Python::attach(|py| problem(py, "unreadable-table", "", &[gone()])))
    }

    /// Take the reader out: no lock is held while it reads, which may need Python's own.
    pub fn take_reader(&self) -> PyResult<Box<dyn RecordBatchReader + Send>> {
        Ok(self.take()?.into_batches())
    }

    /// The rows of Parquet files that are nothing but ids and numbers; the stream has them still if it has others.
    pub fn rows(&self, py: Python<'_>, roles: &Roles) -> PyResult<Option<Rows>> {
        Ok(self.read_rows(py, roles, u64::MAX)?.map(|(_, rows)| rows))
    }

    /// The same with where they come from, if they take at most so many bytes.
    fn read_rows(&self, py: Python<'_>, roles: &Roles, most: u64) -> PyResult<Option<(Box<ParquetBatches>, Rows)>> {
        let reader = match self.take()? {
            Reader::Parquet(batches, Some(rows)) => return Ok(Some((batches, rows))),
            Reader::Parquet(batches, None) => {
                let read = || in_pool(false, None, || caught(|| Rows::read(&batches, roles, most)).flatten());
                match py.detach(read)? {
                    Some(rows) => return Ok(Some((batches, rows))),
                    None => Reader::Parquet(batches, None),
                }
            }
            other => other,
        };
        self.put_back(reader);
        Ok(None)
    }

    /// Take columns out of the table.
    pub fn read(&self, py: Python<'_>, names: &[&str], label: Option<&str>) -> PyResult<Vec<Column>> {
        let reader = match self.take()? {
            Reader::Columns(columns) => {
                let read = || in_pool(false, None, || caught(|| columns.read(names)));
                let columns = py.detach(read)?.unwrap_or_else(|| Err(inconsistent().into()));
                return columns.map_err(|fault| column_error(py, label, fault));
            }
            other => other.into_batches(),
        };
        // Whoever fills the stream may need Python's lock on a thread of its own.
        let columns = py.detach(|| caught(|| collect(reader, names, self.most_bytes)));
        columns.unwrap_or_else(|| Err(inconsistent().into())).map_err(|fault| column_error(py, label, fault))
    }
}

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(signature = (table, most_bytes=None))]
    fn new(table: &Bound<'_, PyAny>, most_bytes: Option<u64>) -> PyResult<Self> {
        let stream = stream(table)?;
        let reader = caught(|| RecordBatchStreamReader::try_new(stream)).unwrap_or_else(|| Err(inconsistent()));
        Ok(Stream::from_reader(reader.map_err(failed(table.py(), None))?, most_bytes))
    }

    /// Open a file or a stream in the Arrow IPC format.
    #[staticmethod]
    fn open_ipc(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let file = File::open(&path)?;
        let length = file.metadata()?.len();
        let limit = most_unpacked(py, length)?;
        let batches = py.detach(|| Batches::open(file, length, limit));
        Ok(Stream::from_reader(batches.map_err(failed(py, None))?, Some(limit)))
    }

    /// Open columns of Parquet files that have the same types, all rows or the first; none if DuckDB must read them.
    #[staticmethod]
    #[pyo3(signature = (paths, names, most_bytes, rows=None))]
    fn open_parquet(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        names: Vec<String>,
        most_bytes: u64,
        rows: Option<usize>,
    ) -> Option<Self> {
        let batches = py.detach(|| ParquetBatches::open(&paths, &names, rows, most_bytes))?;
        Some(Stream::of_parquet(batches))
    }

    /// Columns by name, each a stream of arrays: their chunks may end at different rows.
    #[staticmethod]
    fn from_columns(columns: &Bound<'_, PyDict>) -> PyResult<Self> {
        let columns = ChunkedColumns::import(columns)?;
        let names = columns.schema().fields().iter().map(|field| field.name().clone()).collect();
        Ok(Stream::of(names, Reader::Columns(columns), None))
    }

    /// Have what is read of it copied: it is kept for longer than the call, and its owner may change it.
    fn keep(&self) {
        self.is_kept.store(true, Ordering::Relaxed);
    }

    /// The rows of Python objects that an iterator yields: record batches, or tables of Arrow, all with the same columns.
    #[staticmethod]
    #[pyo3(signature = (batches, most_bytes=None))]
    fn from_batches(batches: &Bound<'_, PyAny>, most_bytes: Option<u64>) -> PyResult<Self> {
        Ok(Stream::from_reader(BatchIterator::new(batches)?, most_bytes))
    }

    /// How many bytes the columns of these roles take, if they are at most so many; the stream still has its rows.
    fn fits(&self, py: Python<'_>, roles: Roles, most: u64) -> PyResult<Option<u64>> {
        if let Some((batches, rows)) = self.read_rows(py, &roles, most)? {
            let size = rows.size;
            self.put_back(Reader::Parquet(batches, Some(rows)));
            return Ok(Some(size));
        }
        let mut reader = match self.take()? {
            Reader::Columns(columns) => {
                let size = columns.size(&roles.names()).map_err(failed(py, None))?;
                self.put_back(Reader::Columns(columns));
                return Ok((size <= most).then_some(size));
            }
            other => other.into_batches(),
        };
        let schema = reader.schema();
        let places = roles.names().into_iter().map(|name| schema.index_of(name)).collect::<Result<Vec<_>, _>>();
        let places = places.map_err(failed(py, None))?;
        let schema = Arc::new(schema.project(&places).map_err(failed(py, None))?);
        let mut held = Vec::new();
        let read = || caught(|| hold(&mut *reader, &places, most, &mut held)).unwrap_or_else(|| Err(inconsistent()));
        let size = py.detach(read);
        let rest = reader.map(move |batch| batch.and_then(|batch| batch.project(&places)));
        let whole = RecordBatchIterator::new(held.into_iter().map(Ok).chain(rest), schema);
        self.put_back(Reader::Batches(Box::new(whole)));
        size.map_err(failed(py, None))
    }

    /// The first rows as a stream of their own; this one still has them.
    fn head(&self, py: Python<'_>, rows: usize) -> PyResult<Self> {
        let mut reader = self.take_reader()?;
        let schema = reader.schema();
        let read = || caught(|| first_batches(&mut *reader, rows)).unwrap_or_else(|| Err(inconsistent()));
        let first = py.detach(read).map_err(failed(py, None))?;
        let rest = first.clone().into_iter().map(Ok).chain(reader);
        self.put_back(Reader::Batches(Box::new(RecordBatchIterator::new(rest, schema.clone()))));
        let mut left = rows;
        let head = first.into_iter().map(move |batch| {
            let kept = batch.slice(0, left.min(batch.num_rows()));
            left -= kept.num_rows();
            Ok(kept)
        });
        Ok(Stream::from_reader(RecordBatchIterator::new(head, schema), None))
    }
}

/// Hold the columns of batches until they take more than so many bytes; the size of all, if these are all.
fn hold(
    reader: &mut (dyn RecordBatchReader + Send),
    places: &[usize],
    most: u64,
    held: &mut Vec<RecordBatch>,
) -> Result<Option<u64>, ArrowError> {
    let mut bytes = 0;
    while bytes <= most {
        let Some(batch) = reader.next() else { return Ok(Some(bytes)) };
        let batch = batch?.project(places)?;
        bytes += batch.columns().iter().map(size).sum::<Result<u64, _>>()?;
        held.push(batch);
    }
    Ok(None)
}

/// As many batches as have so many rows together.
fn first_batches(reader: &mut (dyn RecordBatchReader + Send), rows: usize) -> Result<Vec<RecordBatch>, ArrowError> {
    let mut batches: Vec<RecordBatch> = Vec::new();
    while batches.iter().map(RecordBatch::num_rows).sum::<usize>() < rows {
        match reader.next() {
            Some(batch) => batches.push(batch?),
            None => break,
        }
    }
    Ok(batches)
}

pub fn failed(py: Python<'_>, label: Option<&str>) -> impl Fn(ArrowError) -> PyErr {
    move |error| column_error(py, label, error.into())
}

/// Read the wanted columns of a stream of batches to its end.
fn collect(
    reader: Box<dyn RecordBatchReader + Send>,
    names: &[&str],
    most_bytes: Option<u64>,
) -> Result<Vec<Column>, Fault> {
    let schema = reader.schema();
    let places = names.iter().map(|name| schema.index_of(name)).collect::<Result<Vec<_>, _>>()?;
    let mut columns: Vec<Column> = names.iter().map(|&name| Column { name: name.into(), chunks: Vec::new() }).collect();
    let mut left = most_bytes;
    for batch in reader {
        let batch = batch?;
        for (column, &place) in columns.iter_mut().zip(&places) {
            let array = checked(batch.column(place).clone())?;
            if let (Some(limit), Some(left)) = (most_bytes, &mut left) {
                *left = left.checked_sub(size(&array)?).ok_or(Fault::TooMuch(limit))?;
            }
            column.chunks.push(array);
        }
    }
    Ok(columns)
}

/// About how many bytes an array takes once its texts are written one after another.
pub fn size(array: &ArrayRef) -> Result<u64, ArrowError> {
    let rows = array.len() as u64;
    match array.as_any_dictionary_opt() {
        Some(coded) => Ok(8 * rows + coded_bytes(coded)),
        None if *array.data_type() == DataType::Utf8View => {
            let lengths = array.as_string_view().views().iter().map(|&view| u64::from(view as u32));
            Ok(16 * rows + lengths.sum::<u64>())
        }
        None => Ok(array.to_data().get_slice_memory_size()? as u64),
    }
}

/// Texts of this length count as such in every row, without a look at which row has which.
const SHORT: u64 = 32;

/// How many bytes the texts of a dictionary take, each as often as it comes.
fn coded_bytes(coded: &dyn AnyDictionaryArray) -> u64 {
    let values = coded.values();
    if !matches!(values.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) || values.is_empty() {
        return 0;
    }
    let length = |place: usize| casts::text_at(values, place).len() as u64;
    match (0..values.len()).map(length).max().unwrap_or(0) {
        longest if longest <= SHORT => longest * coded.len() as u64,
        _ => coded.normalized_keys().into_iter().map(length).sum(),
    }
}

/// The chunks of something of Arrow; none if it is nothing of the kind.
pub fn import_arrays(column: &Bound<'_, PyAny>) -> PyResult<Option<Vec<ArrayRef>>> {
    let py = column.py();
    let arrays = if column.hasattr("__arrow_c_stream__")? {
        let stream = stream(column)?;
        py.detach(|| caught(|| ArrayStreamReader::try_new(stream)?.map(|array| checked(array?)).collect()))
    } else if column.hasattr("__arrow_c_array__")? {
        let (schema, array) = array(column)?;
        // SAFETY: both come from one pair of capsules.
        caught(|| Ok(vec![checked(make_array(unsafe { from_ffi(array, &schema) }?))?]))
    } else {
        return Ok(None);
    };
    arrays.unwrap_or_else(|| Err(inconsistent())).map(Some).map_err(failed(py, None))
}

pub fn inconsistent() -> ArrowError {
    ArrowError::CDataInterface("a table of Arrow that is not what it says".into())
}

pub fn stream(source: &Bound<'_, PyAny>) -> PyResult<FFI_ArrowArrayStream> {
    let capsule = source.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: the name says that the capsule holds a stream; what is moved out of it is marked as released.
    Ok(unsafe { FFI_ArrowArrayStream::from_raw(pointer.cast().as_ptr()) })
}

pub fn array(column: &Bound<'_, PyAny>) -> PyResult<(FFI_ArrowSchema, FFI_ArrowArray)> {
    let pair = column.call_method0("__arrow_c_array__")?.cast_into::<PyTuple>()?;
    let (schema, array) = (pair.get_item(0)?.cast_into::<PyCapsule>()?, pair.get_item(1)?.cast_into::<PyCapsule>()?);
    let schema_pointer = schema.pointer_checked(Some(c"arrow_schema"))?;
    let array_pointer = array.pointer_checked(Some(c"arrow_array"))?;
    // SAFETY: the names say what the capsules hold; what is moved out of them is marked as released.
    let (schema, array) = unsafe {
        (
            FFI_ArrowSchema::from_raw(schema_pointer.cast().as_ptr()),
            FFI_ArrowArray::from_raw(array_pointer.cast().as_ptr()),
        )
    };
    if array.is_released() {
        return Err(PyValueError::new_err("the array has been handed over already"));
    }
    Ok((schema, array))
}
