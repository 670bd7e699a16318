//! Columns of scores with more digits than a 64-bit float holds.

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use rankgauge_core::long_scores::{DigitMarks, EXACT, keep_order, mark, remainder};
use rankgauge_core::numbers::Numbers;

use crate::casts;
use crate::columns::Column;

/// The numbers of a column in the order of its whole numbers, and marks of what texts and decimals say beyond floats.
pub fn settle(column: &Column, numbers: Numbers<f64>) -> (Numbers<f64>, DigitMarks) {
    let mut marks = DigitMarks::default();
    let mut remainders: Vec<i128> = Vec::new();
    let mut start = 0;
    for array in &column.chunks {
        let scores = numbers.from_row(start).get(..array.len()).unwrap_or_default(); // its chunks are pieces
        let (values, codes) = match array.as_any_dictionary_opt() {
            Some(coded) => (coded.values(), Some(coded.normalized_keys())),
            None => (array, None),
        };
        let index_of = |row: usize| codes.as_ref().map_or(row, |codes| codes[row]);
        if values.data_type().is_floating() {
            start += array.len();
            continue;
        }
        if let Some(whole) = scores.iter().any(|number| number.abs() >= EXACT).then(|| wholes(values)).flatten() {
            remainders.resize(start, 0);
            remainders.extend((0..array.len()).map(|row| remainder(whole[index_of(row)])));
        } else if let Some(digits) = digits(values) {
            let written = |row: usize| digits(index_of(row));
            let marked = scores.iter().enumerate();
            marked.for_each(|(row, &score)| marks.push(start + row, mark(&written(row), score)));
        }
        start += array.len();
    }
    if remainders.iter().all(|&remainder| remainder == 0) {
        return (numbers, marks);
    }
    remainders.resize(start, 0);
    let mut ordered: Vec<f64> = numbers.iter().collect();
    keep_order(&mut ordered, &remainders);
    (ordered.into(), marks)
}

/// The values of an array of whole numbers that may be no floats.
fn wholes(array: &ArrayRef) -> Option<Vec<i128>> {
    macro_rules! collected {
        ($type:ty) => {
            Some(array.as_primitive::<$type>().values().iter().map(|&number| i128::from(number)).collect())
        };
    }
    match array.data_type() {
        DataType::Int64 => collected!(Int64Type),
        DataType::UInt64 => collected!(UInt64Type),
        DataType::Decimal64(_, 0) => collected!(Decimal64Type),
        DataType::Decimal128(_, 0) => collected!(Decimal128Type),
        _ => None,
    }
}

/// How the values of an array are written, for those that are texts or decimals.
fn digits(array: &ArrayRef) -> Option<Box<dyn Fn(usize) -> Vec<u8> + '_>> {
    macro_rules! written {
        ($type:ty) => {
            Some(Box::new(|index| array.as_primitive::<$type>().value_as_string(index).into_bytes()))
        };
    }
    match array.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            Some(Box::new(|index| casts::text_at(array, index).trim_ascii().as_bytes().to_vec()))
        }
        DataType::Decimal64(..) => written!(Decimal64Type),
        DataType::Decimal128(..) => written!(Decimal128Type),
        DataType::Decimal256(..) => written!(Decimal256Type),
        _ => None,
    }
}
