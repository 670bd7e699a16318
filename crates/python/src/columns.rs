//! Columns of tables as Arrow arrays: taken from a stream, or made from what pandas holds.

use std::panic::AssertUnwindSafe;
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, LargeStringBuilder};
use arrow_array::types::*;
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, Decimal128Array, DictionaryArray, LargeListArray, PrimitiveArray,
};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, Field};
use arrow_select::concat::concat;
use numpy::{Element, PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use rankgauge_core::id_kinds::IdKind;
use rankgauge_core::long_scores::EXACT;

use crate::casts;
use crate::errors::column_error;
use crate::limits::TooMuch;
use crate::python_ids::{long_whole, shown, write_id};
use crate::streams::{Stream, failed, import_arrays};

/// A column, chunk by chunk.
#[derive(Debug, Clone)]
pub struct Column {
    pub name: String,
    pub chunks: Vec<ArrayRef>,
}

impl Column {
    pub fn length(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }
}

/// What is wrong with a column; rows are counted from 0.
#[derive(Debug)]
pub enum Fault {
    Null {
        column: String,
        row: usize,
    },
    BadNumber {
        column: String,
        row: usize,
        got: String,
    },
    BadId {
        column: String,
        row: usize,
        got: String,
    },
    /// The type cannot be used as ids or as numbers.
    Type {
        column: String,
        expected: &'static str,
        got: String,
    },
    /// The lists of a row have different lengths.
    Lengths {
        column: String,
        row: usize,
        got: String,
    },
    Arrow(String),
    /// More bytes than this.
    TooMuch(u64),
    /// More rows than can be numbered.
    TooManyRows(usize),
    /// What a folder for temporary files does not take.
    Disk(std::io::Error),
    /// What Python code raised that yields the rows.
    Python(PyErr),
}

impl Fault {
    /// The same fault in another row.
    pub fn in_row(mut self, other: impl Fn(usize) -> usize) -> Self {
        match &mut self {
            Fault::Null { row, .. } | Fault::BadNumber { row, .. } | Fault::BadId { row, .. } => *row = other(*row),
            Fault::Lengths { row, .. } => *row = other(*row),
            Fault::Type { .. } | Fault::Arrow(_) | Fault::Disk(_) | Fault::Python(_) => {}
            Fault::TooMuch(_) | Fault::TooManyRows(_) => {}
        }
        self
    }
}

impl From<ArrowError> for Fault {
    fn from(error: ArrowError) -> Self {
        let ArrowError::ExternalError(raised) = error else {
            return Fault::Arrow(error.to_string());
        };
        match (raised.downcast_ref(), raised.is::<PyErr>()) {
            (Some(&TooMuch(limit)), _) => Fault::TooMuch(limit),
            (None, true) => {
                raised.downcast().map_or_else(|other| Fault::Arrow(other.to_string()), |it| Fault::Python(*it))
            }
            (None, false) => Fault::Arrow(raised.to_string()),
        }
    }
}

pub fn refuse_nulls(name: &str, array: &ArrayRef, first_row: usize) -> Result<(), Fault> {
    if array.logical_null_count() == 0 {
        return Ok(());
    }
    let nulls = array.logical_nulls();
    let row = nulls.and_then(|nulls| (0..nulls.len()).find(|&row| nulls.is_null(row))).unwrap_or(0);
    Err(Fault::Null { column: name.into(), row: first_row + row })
}

/// A column that is asked for, and the file that messages name.
#[derive(Debug, Clone, Copy)]
pub struct ColumnRequest<'a> {
    pub name: &'a str,
    pub usage: ColumnUse,
    pub label: Option<&'a str>,
}

/// What a column is needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnUse {
    Ids,
    Numbers,
}

/// Take columns out of a table: an opened stream, or a dict of columns by name.
pub fn take(table: &Bound<'_, PyAny>, wanted: &[(&str, ColumnUse)], label: Option<&str>) -> PyResult<Vec<Column>> {
    match table.cast::<PyDict>() {
        Ok(columns) => {
            wanted.iter().map(|&(name, usage)| from_python(columns, ColumnRequest { name, usage, label })).collect()
        }
        Err(_) => {
            let names: Vec<&str> = wanted.iter().map(|&(name, _)| name).collect();
            table.cast::<Stream>()?.get().read(table.py(), &names, label)
        }
    }
}

fn from_python(columns: &Bound<'_, PyDict>, wanted: ColumnRequest<'_>) -> PyResult<Column> {
    let missing = || PyTypeError::new_err(format!("no column {}", wanted.name));
    let chunks = chunks(&columns.get_item(wanted.name)?.ok_or_else(missing)?, wanted)?;
    Ok(Column { name: wanted.name.into(), chunks })
}

/// The chunks of a column: a list, an array, something of Arrow, or a tuple that says what it is.
pub fn chunks(column: &Bound<'_, PyAny>, wanted: ColumnRequest<'_>) -> PyResult<Vec<ArrayRef>> {
    if let Ok(list) = column.cast::<PyList>() {
        return Ok(vec![from_list(list, wanted)?]);
    }
    if let Ok(tagged) = column.cast::<PyTuple>() {
        return Ok(vec![from_tuple(tagged, wanted)?]);
    }
    if let Some(arrays) = import_arrays(column)? {
        return Ok(arrays);
    }
    Ok(vec![from_numpy(column)?])
}

/// Python's own values; None, NaN and the NA of pandas, which cannot be compared, are nulls.
fn from_list(list: &Bound<'_, PyList>, wanted: ColumnRequest<'_>) -> PyResult<ArrayRef> {
    let is_na = |value: &Bound<'_, PyAny>| value.get_type().name().is_ok_and(|name| name == "NAType");
    let is_null = |value: &Bound<'_, PyAny>| value.is_none() || value.ne(value).unwrap_or_else(|_| is_na(value));
    let fault = |row: usize, value: &Bound<'_, PyAny>| {
        let (column, got) = (wanted.name.to_string(), shown(value));
        let fault = match wanted.usage {
            ColumnUse::Numbers => Fault::BadNumber { column, row, got },
            ColumnUse::Ids => Fault::BadId { column, row, got },
        };
        column_error(list.py(), wanted.label, fault)
    };
    if wanted.usage == ColumnUse::Numbers {
        let mut numbers = Float64Builder::with_capacity(list.len());
        let mut may_be_long = false;
        for (row, value) in list.iter().enumerate() {
            let number = if is_null(&value) { None } else { Some(number(&value).ok_or_else(|| fault(row, &value))?) };
            numbers.append_option(number);
            may_be_long |= number.is_some_and(|number| has_digits(&value, number));
        }
        let exact = may_be_long.then(|| from_long_numbers(list, is_null)).transpose()?;
        return Ok(exact.unwrap_or_else(|| Arc::new(numbers.finish())));
    }
    let mut ids = LargeStringBuilder::with_capacity(list.len(), 8 * list.len());
    let (mut text, mut kind, mut has_texts) = (Vec::new(), None, false);
    for (row, value) in list.iter().enumerate() {
        // Most ids are texts, of which none is null.
        if let Ok(text) = value.cast_exact::<PyString>()
            && let Ok(valid) = text.to_str()
        {
            ids.append_value(valid);
            has_texts = true;
            continue;
        }
        if is_null(&value) {
            ids.append_null();
            continue;
        }
        let of_value = write_id(&value, "column", &mut text).map_err(|_| fault(row, &value))?;
        kind = Some(IdKind::common(kind.into_iter().chain([of_value])));
        ids.append_value(String::from_utf8_lossy(&text));
    }
    let kind = if has_texts { IdKind::Text } else { kind.unwrap_or_default() };
    Ok(casts::parse_ids(ids.finish(), kind))
}

/// Whether a number may have more digits than a float: a long whole number, a text, or a decimal.
fn has_digits(value: &Bound<'_, PyAny>, number: f64) -> bool {
    if value.is_instance_of::<PyFloat>() || (value.is_instance_of::<PyInt>() && number.abs() < EXACT) {
        return false;
    }
    let is_decimal = || value.hasattr("as_tuple").unwrap_or(false);
    value.is_instance_of::<PyString>() || is_decimal() || (number.abs() >= EXACT && long_whole(value).is_some())
}

/// Numbers of which some may have more digits than a float: as whole numbers, or as they are written.
fn from_long_numbers(list: &Bound<'_, PyList>, is_null: impl Fn(&Bound<'_, PyAny>) -> bool) -> PyResult<ArrayRef> {
    let whole = |value: Bound<'_, PyAny>| match is_null(&value) {
        true => Some(None),
        false => long_whole(&value).filter(|number| number.unsigned_abs() < 10_u128.pow(38)).map(Some),
    };
    if let Some(whole) = list.iter().map(whole).collect::<Option<Vec<Option<i128>>>>() {
        let decimals = Decimal128Array::from(whole).with_precision_and_scale(38, 0);
        return Ok(Arc::new(decimals.map_err(failed(list.py(), None))?));
    }
    let mut texts = LargeStringBuilder::with_capacity(list.len(), 20 * list.len());
    for value in list.iter() {
        match is_null(&value) {
            true => texts.append_null(),
            false => texts.append_value(value.str()?.to_string_lossy()),
        }
    }
    Ok(Arc::new(texts.finish()))
}

/// A number, or a text that is one.
fn number(value: &Bound<'_, PyAny>) -> Option<f64> {
    match value.cast::<PyString>() {
        Ok(text) => text.to_str().ok()?.trim().parse().ok(),
        Err(_) => value.extract().ok(),
    }
}

/// `("codes", codes, categories)`, `("lists", ends, elements)`, or `(unit, numbers)` for points in time.
fn from_tuple(tagged: &Bound<'_, PyTuple>, wanted: ColumnRequest<'_>) -> PyResult<ArrayRef> {
    let py = tagged.py();
    let (tag, second) = (tagged.get_item(0)?.extract::<String>()?, tagged.get_item(1)?);
    let elements = || -> PyResult<ArrayRef> {
        let chunks = chunks(&tagged.get_item(2)?, wanted)?;
        let chunks: Vec<&dyn Array> = chunks.iter().map(|chunk| &**chunk).collect();
        concat(&chunks).map_err(failed(py, wanted.label))
    };
    match tag.as_str() {
        "codes" => {
            let keys = casts::to_integers(&from_numpy(&second)?);
            let keys = keys.ok_or_else(|| PyTypeError::new_err("expected whole numbers as codes"))?;
            let coded = DictionaryArray::<Int64Type>::try_new(PrimitiveArray::new(keys, None), elements()?);
            Ok(Arc::new(coded.map_err(failed(py, wanted.label))?))
        }
        "lists" => {
            let ends = second.extract::<PyReadonlyArray1<'_, i64>>()?;
            let offsets = OffsetBuffer::new(ends.as_slice()?.to_vec().into());
            let elements = elements()?;
            let field = Arc::new(Field::new_list_field(elements.data_type().clone(), true));
            let lists = LargeListArray::try_new(field, offsets, elements, None);
            Ok(Arc::new(lists.map_err(failed(py, wanted.label))?))
        }
        "s" => Ok(Arc::new(borrow::<TimestampSecondType>(second.extract()?)?)),
        "ms" => Ok(Arc::new(borrow::<TimestampMillisecondType>(second.extract()?)?)),
        "us" => Ok(Arc::new(borrow::<TimestampMicrosecondType>(second.extract()?)?)),
        "ns" => Ok(Arc::new(borrow::<TimestampNanosecondType>(second.extract()?)?)),
        _ => Err(PyTypeError::new_err(format!("no column of kind {tag}"))),
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
