//! Arrow arrays of any type as 64-bit numbers. The general casts of the crate arrow-cast took half of the build.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, LargeStringArray, PrimitiveArray};
use arrow_buffer::ScalarBuffer;
use arrow_schema::{ArrowError, DataType};
use chrono::{NaiveDate, NaiveDateTime};
use rankgauge_core::id_kinds::IdKind;

/// Convert each number of an array of a primitive type.
macro_rules! collect {
    ($array:expr, $type:ty, $convert:expr) => {
        $array.as_primitive::<$type>().values().iter().copied().map($convert).collect()
    };
}

/// Whole numbers of any width; None for those that an `i64` cannot hold, and for other types.
pub fn to_integers(array: &ArrayRef) -> Option<ScalarBuffer<i64>> {
    Some(match array.data_type() {
        DataType::Int8 => collect!(array, Int8Type, i64::from),
        DataType::Int16 => collect!(array, Int16Type, i64::from),
        DataType::Int32 => collect!(array, Int32Type, i64::from),
        DataType::UInt8 => collect!(array, UInt8Type, i64::from),
        DataType::UInt16 => collect!(array, UInt16Type, i64::from),
        DataType::UInt32 => collect!(array, UInt32Type, i64::from),
        DataType::Int64 => array.as_primitive::<Int64Type>().values().clone(),
        DataType::UInt64 => {
            let numbers = array.as_primitive::<UInt64Type>().values().iter();
            numbers.map(|&number| i64::try_from(number)).collect::<Result<_, _>>().ok()?
        }
        _ => return None,
    })
}

/// Dates and points in time as the whole numbers that they are stored as.
pub fn to_ticks(array: &ArrayRef) -> ScalarBuffer<i64> {
    if *array.data_type() == DataType::Date32 {
        return collect!(array, Date32Type, i64::from);
    }
    let data = array.to_data();
    ScalarBuffer::new(data.buffers()[0].clone(), data.offset(), data.len())
}

/// Numbers of any type and booleans; whole numbers and decimals become the nearest float.
pub fn to_floats(array: &ArrayRef) -> Result<ScalarBuffer<f64>, ArrowError> {
    Ok(match array.data_type() {
        DataType::Float64 => array.as_primitive::<Float64Type>().values().clone(),
        DataType::Float32 => collect!(array, Float32Type, f64::from),
        DataType::Float16 => collect!(array, Float16Type, f64::from),
        DataType::Boolean => array.as_boolean().values().iter().map(|flag| f64::from(u8::from(flag))).collect(),
        DataType::UInt64 => collect!(array, UInt64Type, |number| number as f64),
        DataType::Decimal32(..) => decimals::<Decimal32Type>(array)?,
        DataType::Decimal64(..) => decimals::<Decimal64Type>(array)?,
        DataType::Decimal128(..) => decimals::<Decimal128Type>(array)?,
        DataType::Decimal256(..) => decimals::<Decimal256Type>(array)?,
        other => {
            let numbers = to_integers(array);
            let numbers = numbers.ok_or_else(|| ArrowError::CastError(format!("{other} holds no numbers")))?;
            numbers.iter().map(|&number| number as f64).collect()
        }
    })
}

/// Decimals by way of their text, so that each is rounded once.
fn decimals<T: DecimalType>(array: &ArrayRef) -> Result<ScalarBuffer<f64>, ArrowError> {
    let decimals = array.as_primitive::<T>();
    let parse = |row| decimals.value_as_string(row).parse().map_err(|_| ArrowError::CastError("no decimal".into()));
    (0..decimals.len()).map(parse).collect()
}

/// Ids of one kind as an array of its type; texts where that type cannot hold one of them.
pub fn parse_ids(texts: LargeStringArray, kind: IdKind) -> ArrayRef {
    let parsed = match kind {
        IdKind::Text => None,
        IdKind::Whole => parse::<Int64Type>(&texts, |text| text.parse().ok()),
        IdKind::Date => parse::<Date32Type>(&texts, |text| Some(Date32Type::from_naive_date(text.parse().ok()?))),
        IdKind::DateTime => parse::<TimestampMicrosecondType>(&texts, |text| {
            let midnight = || text.parse::<NaiveDate>().ok()?.and_hms_opt(0, 0, 0);
            Some(text.parse::<NaiveDateTime>().ok().or_else(midnight)?.and_utc().timestamp_micros())
        }),
    };
    parsed.unwrap_or_else(|| Arc::new(texts))
}

fn parse<T: ArrowPrimitiveType>(
    texts: &LargeStringArray,
    number: impl Fn(&str) -> Option<T::Native>,
) -> Option<ArrayRef> {
    let row = |text: Option<&str>| text.map_or(Some(None), |text| number(text).map(Some));
    let numbers: PrimitiveArray<T> = texts.iter().map(row).collect::<Option<Vec<_>>>()?.into_iter().collect();
    Some(Arc::new(numbers))
}

/// The text in a row of an array of texts.
pub fn text_at(array: &ArrayRef, row: usize) -> &str {
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row),
        _ => array.as_string_view().value(row),
    }
}
