//! Columns of tables as Arrow arrays: imported through the PyCapsule interface, or made from what pandas holds.

use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::builder::{Float64Builder, LargeStringBuilder};
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::types::*;
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, DictionaryArray, PrimitiveArray, RecordBatchReader, make_array,
};
use arrow_buffer::{Buffer, ScalarBuffer};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::ArrowError;
use arrow_select::concat::concat;
use numpy::{Element, PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple};

use crate::mappings::write_id;

/// A column, chunk by chunk.
#[derive(Debug, Clone)]
pub struct Column {
    pub name: String,
    pub chunks: Vec<ArrayRef>,
}

/// What a column is needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Ids,
    Numbers,
}

/// A table with the Arrow PyCapsule interface, opened to be read once.
#[pyclass(frozen, module = "rankgauge._core")]
#[derive(Debug)]
pub struct Stream {
    #[pyo3(get)]
    names: Vec<String>,
    reader: Mutex<Option<Reader>>,
}

struct Reader(Box<dyn RecordBatchReader + Send>);

impl fmt::Debug for Reader {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0.schema())
    }
}

impl Stream {
    fn from_reader(reader: impl RecordBatchReader + Send + 'static) -> Self {
        let names = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
        Stream { names, reader: Mutex::new(Some(Reader(Box::new(reader)))) }
    }
}

#[pymethods]
impl Stream {
    #[new]
    fn new(table: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Stream::from_reader(RecordBatchStreamReader::try_new(stream(table)?).map_err(failed)?))
    }

    /// Open a file or a stream in the Arrow IPC format.
    #[staticmethod]
    fn open_ipc(path: PathBuf) -> PyResult<Self> {
        let file = || File::open(&path).map(BufReader::new);
        match FileReader::try_new_buffered(File::open(&path)?, None) {
            Ok(reader) => Ok(Stream::from_reader(reader)),
            Err(_) => Ok(Stream::from_reader(StreamReader::try_new(file()?, None).map_err(failed)?)),
        }
    }
}

/// Take columns out of a table: an opened stream, or a dict of columns by name.
pub fn take(table: &Bound<'_, PyAny>, wanted: &[(&str, Use)]) -> PyResult<Vec<Column>> {
    if let Ok(columns) = table.cast::<PyDict>() {
        return wanted.iter().map(|&(name, usage)| from_python(columns, name, usage)).collect();
    }
    let stream = table.cast::<Stream>()?.get();
    let reader = stream.reader.lock().unwrap_or_else(PoisonError::into_inner).take();
    let reader = reader.ok_or_else(|| PyValueError::new_err("the stream has been read already"))?;
    let names: Vec<&str> = wanted.iter().map(|&(name, _)| name).collect();
    // Whoever fills the stream may need Python's lock on a thread of its own.
    table.py().detach(|| collect(reader.0, &names)).map_err(failed)
}

fn failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Read the wanted columns of a stream of batches to its end.
fn collect(reader: Box<dyn RecordBatchReader + Send>, names: &[&str]) -> Result<Vec<Column>, ArrowError> {
    let schema = reader.schema();
    let places = names.iter().map(|name| schema.index_of(name)).collect::<Result<Vec<_>, _>>()?;
    let mut columns: Vec<Column> = names.iter().map(|&name| Column { name: name.into(), chunks: Vec::new() }).collect();
    for batch in reader {
        let batch = batch?;
        for (column, &place) in columns.iter_mut().zip(&places) {
            column.chunks.push(batch.column(place).clone());
        }
    }
    Ok(columns)
}

fn stream(source: &Bound<'_, PyAny>) -> PyResult<FFI_ArrowArrayStream> {
    let capsule = source.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: the name says that the capsule holds a stream; what is moved out of it is marked as released.
    Ok(unsafe { FFI_ArrowArrayStream::from_raw(pointer.cast().as_ptr()) })
}

fn from_python(columns: &Bound<'_, PyDict>, name: &str, usage: Use) -> PyResult<Column> {
    let missing = || PyTypeError::new_err(format!("no column {name}"));
    let chunks = chunks(&columns.get_item(name)?.ok_or_else(missing)?, usage)?;
    Ok(Column { name: name.into(), chunks })
}

/// The chunks of a column: `(unit, numbers)` are points in time, `(codes, categories)` are categories.
pub fn chunks(column: &Bound<'_, PyAny>, usage: Use) -> PyResult<Vec<ArrayRef>> {
    if let Ok(list) = column.cast::<PyList>() {
        return Ok(vec![from_list(list, usage)?]);
    }
    if let Ok(pair) = column.cast::<PyTuple>() {
        return Ok(vec![from_pair(pair, usage)?]);
    }
    if column.hasattr("__arrow_c_stream__")? {
        let reader = ArrayStreamReader::try_new(stream(column)?).map_err(failed)?;
        return column.py().detach(|| reader.collect::<Result<Vec<_>, _>>()).map_err(failed);
    }
    if column.hasattr("__arrow_c_array__")? {
        return Ok(vec![import_array(column)?]);
    }
    Ok(vec![from_numpy(column)?])
}

fn import_array(column: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let pair = column.call_method0("__arrow_c_array__")?.cast_into::<PyTuple>()?;
    let (schema, array) = (pair.get_item(0)?.cast_into::<PyCapsule>()?, pair.get_item(1)?.cast_into::<PyCapsule>()?);
    let schema = schema.pointer_checked(Some(c"arrow_schema"))?;
    let array = array.pointer_checked(Some(c"arrow_array"))?;
    // SAFETY: the names say what the capsules hold; what is moved out of them is marked as released.
    let data = unsafe {
        let schema = FFI_ArrowSchema::from_raw(schema.cast().as_ptr());
        from_ffi(FFI_ArrowArray::from_raw(array.cast().as_ptr()), &schema)
    };
    Ok(make_array(data.map_err(failed)?))
}

/// Python's own values; None and NaN are nulls.
fn from_list(list: &Bound<'_, PyList>, usage: Use) -> PyResult<ArrayRef> {
    let is_null = |value: &Bound<'_, PyAny>| value.is_none() || value.ne(value).unwrap_or(false);
    if usage == Use::Numbers {
        let mut numbers = Float64Builder::with_capacity(list.len());
        for value in list.iter() {
            let number = if is_null(&value) { None } else { Some(value.extract::<f64>()?) };
            numbers.append_option(number);
        }
        return Ok(Arc::new(numbers.finish()));
    }
    let mut ids = LargeStringBuilder::with_capacity(list.len(), 8 * list.len());
    let mut text = Vec::new();
    for value in list.iter() {
        if is_null(&value) {
            ids.append_null();
            continue;
        }
        write_id(&value, "column", &mut text)?;
        ids.append_value(String::from_utf8_lossy(&text));
    }
    Ok(Arc::new(ids.finish()))
}

fn from_pair(pair: &Bound<'_, PyTuple>, usage: Use) -> PyResult<ArrayRef> {
    let (first, second) = (pair.get_item(0)?, pair.get_item(1)?);
    let Ok(unit) = first.extract::<String>() else {
        let values = chunks(&second, usage)?;
        let values: Vec<&dyn Array> = values.iter().map(|chunk| &**chunk).collect();
        let keys = arrow_cast::cast(&from_numpy(&first)?, &arrow_schema::DataType::Int32).map_err(failed)?;
        let keys = arrow_array::cast::AsArray::as_primitive::<Int32Type>(&keys).clone();
        let coded = DictionaryArray::try_new(keys, concat(&values).map_err(failed)?);
        return Ok(Arc::new(coded.map_err(failed)?));
    };
    match unit.as_str() {
        "s" => Ok(Arc::new(borrow::<TimestampSecondType>(second.extract()?)?)),
        "ms" => Ok(Arc::new(borrow::<TimestampMillisecondType>(second.extract()?)?)),
        "us" => Ok(Arc::new(borrow::<TimestampMicrosecondType>(second.extract()?)?)),
        "ns" => Ok(Arc::new(borrow::<TimestampNanosecondType>(second.extract()?)?)),
        _ => Err(PyTypeError::new_err(format!("no unit of time {unit}"))),
    }
}

/// A NumPy array without a copy.
fn from_numpy(array: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    macro_rules! try_types {
        ($($type:ty),+) => {
            $(if let Ok(array) = array.extract::<PyReadonlyArray1<'_, <$type as ArrowPrimitiveType>::Native>>() {
                return Ok(Arc::new(borrow::<$type>(array)?));
            })+
        };
    }
    try_types!(
        Int64Type,
        Float64Type,
        Int32Type,
        Float32Type,
        Int16Type,
        Int8Type,
        UInt8Type,
        UInt16Type,
        UInt32Type,
        UInt64Type
    );
    let flags = array.extract::<PyReadonlyArray1<'_, bool>>()?;
    Ok(Arc::new(BooleanArray::from(flags.as_slice()?.to_vec())))
}

/// An Arrow array over the memory of a NumPy array, which it keeps alive.
fn borrow<T: ArrowPrimitiveType>(array: PyReadonlyArray1<'_, T::Native>) -> PyResult<PrimitiveArray<T>>
where
    T::Native: Element,
{
    if !array.is_contiguous() {
        return Err(PyTypeError::new_err("expected a contiguous array"));
    }
    let numbers = array.as_slice()?;
    let length = numbers.len();
    let start = NonNull::from(numbers).cast::<u8>();
    let owner = Arc::new(AssertUnwindSafe(array.as_any().clone().unbind()));
    // SAFETY: the memory holds that many numbers for as long as its owner lives.
    let buffer = unsafe { Buffer::from_custom_allocation(start, std::mem::size_of_val(numbers), owner) };
    Ok(PrimitiveArray::new(ScalarBuffer::new(buffer, 0, length), None))
}
