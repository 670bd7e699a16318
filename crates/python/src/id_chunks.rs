//! Ids of any type, chunk by chunk: texts, whole numbers, dates, categories.

use std::collections::HashMap;

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions as time;
use arrow_array::timezone::Tz;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, LargeStringArray, StringArray, StringViewArray};
use arrow_buffer::ScalarBuffer;
use arrow_schema::{DataType, TimeUnit};
use chrono::{NaiveDateTime, NaiveTime, TimeZone, Timelike};
use rankgauge_core::id_kinds::IdKind;
use rankgauge_core::ids::Ids;
use rankgauge_core::numbers::Piece;
use rankgauge_core::views::{Buffers, ViewPiece};

use crate::casts;
use crate::columns::{Column, Fault, refuse_nulls};

/// Ids of one chunk, whatever they came as.
pub enum Chunk {
    Whole(ScalarBuffer<i64>),
    Short(StringArray),
    Long(LargeStringArray),
    View(StringViewArray),
    /// Written out here: dates, for example.
    Written(Ids),
    Coded(Vec<usize>, Ids),
}

impl Chunk {
    fn new(name: &str, array: &ArrayRef, first_row: usize) -> Result<Chunk, Fault> {
        refuse_nulls(name, array, first_row)?;
        let kind = array.data_type();
        match kind {
            _ if array.is_empty() => Ok(Chunk::Written(Ids::default())),
            DataType::Dictionary(..) => {
                let coded = array.as_any_dictionary();
                let values = Chunk::new(name, coded.values(), first_row)?.texts();
                Ok(Chunk::Coded(coded.normalized_keys(), values))
            }
            DataType::Utf8 => Ok(Chunk::Short(array.as_string::<i32>().clone())),
            DataType::LargeUtf8 => Ok(Chunk::Long(array.as_string::<i64>().clone())),
            DataType::Utf8View => Ok(Chunk::View(array.as_string_view().clone())),
            DataType::Binary => utf8(name, array.as_binary::<i32>().iter(), first_row),
            DataType::LargeBinary => utf8(name, array.as_binary::<i64>().iter(), first_row),
            DataType::BinaryView => utf8(name, array.as_binary_view().iter(), first_row),
            DataType::FixedSizeBinary(_) => utf8(name, array.as_fixed_size_binary().iter(), first_row),
            DataType::Decimal128(_, 0) => Ok(decimals::<Decimal128Type>(array)),
            DataType::Decimal256(_, 0) => Ok(decimals::<Decimal256Type>(array)),
            _ if kind.is_integer() => Ok(casts::to_integers(array).map_or_else(|| large_integers(array), Chunk::Whole)),
            _ if kind.is_floating() => whole_floats(name, array, first_row),
            DataType::Date32 | DataType::Date64 | DataType::Timestamp(..) => dates(name, array, first_row),
            _ => {
                let expected = "text, whole numbers or dates as ids";
                Err(Fault::Type { column: name.into(), expected, got: kind.to_string() })
            }
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Chunk::Whole(numbers) => numbers.len(),
            Chunk::Short(texts) => texts.len(),
            Chunk::Long(texts) => texts.len(),
            Chunk::View(texts) => texts.len(),
            Chunk::Written(texts) => texts.len(),
            Chunk::Coded(codes, _) => codes.len(),
        }
    }

    /// Whole numbers, where they are.
    pub fn into_numbers(self) -> Option<Piece<i64>> {
        if let Chunk::Whole(numbers) = self { Some(Box::new(numbers)) } else { None }
    }

    /// Texts as views, where they are such.
    pub fn view_piece(&self) -> Option<ViewPiece> {
        if let Chunk::View(texts) = self { Some(view_piece(texts)) } else { None }
    }

    /// The ids as texts end to end.
    pub fn texts(&self) -> Ids {
        let mut texts = Ids::default();
        match self {
            Chunk::Short(array) => {
                extend(&mut texts, array.value_data(), array.value_offsets(), |offset| offset as usize)
            }
            Chunk::Long(array) => {
                extend(&mut texts, array.value_data(), array.value_offsets(), |offset| offset as usize)
            }
            Chunk::View(array) => return view_piece(array).texts(),
            _ => self.each(|_, text| texts.push(text)),
        }
        texts
    }

    /// Call `visit` as `each` does, but not with every row whose id is that of the row before.
    pub fn each_run(&self, mut visit: impl FnMut(usize, &[u8])) {
        let Chunk::View(texts) = self else { return self.each(visit) };
        let mut last = None;
        for (row, &view) in texts.views().iter().enumerate() {
            if last != Some(view) {
                visit(row, texts.value(row).as_bytes());
            }
            last = Some(view);
        }
    }

    /// Call `visit` with each row and its id as text.
    pub fn each(&self, mut visit: impl FnMut(usize, &[u8])) {
        match self {
            Chunk::Whole(numbers) => {
                let mut buffer = itoa::Buffer::new();
                numbers.iter().enumerate().for_each(|(row, &number)| visit(row, buffer.format(number).as_bytes()));
            }
            Chunk::Short(texts) => (0..texts.len()).for_each(|row| visit(row, texts.value(row).as_bytes())),
            Chunk::Long(texts) => (0..texts.len()).for_each(|row| visit(row, texts.value(row).as_bytes())),
            Chunk::View(texts) => (0..texts.len()).for_each(|row| visit(row, texts.value(row).as_bytes())),
            Chunk::Written(texts) => (0..texts.len()).for_each(|row| visit(row, texts.get(row))),
            Chunk::Coded(codes, texts) => {
                codes.iter().enumerate().for_each(|(row, &code)| visit(row, texts.get(code)));
            }
        }
    }
}

/// The buffers of an array, which arrays that are slices of one share.
struct ArrayBuffers(StringViewArray);

impl Buffers for ArrayBuffers {
    fn buffer(&self, number: usize) -> &[u8] {
        &self.0.data_buffers()[number]
    }
}

fn extend<O: Copy>(texts: &mut Ids, bytes: &[u8], offsets: &[O], whole: impl Fn(O) -> usize) {
    let first = whole(offsets[0]);
    let last = whole(offsets[offsets.len() - 1]);
    texts.extend(&bytes[first..last], offsets[1..].iter().map(|&offset| whole(offset) - first));
}

fn view_piece(texts: &StringViewArray) -> ViewPiece {
    ViewPiece { views: Box::new(texts.views().clone()), buffers: Box::new(ArrayBuffers(texts.clone())) }
}

/// Bytes that must be text.
fn utf8<'a>(name: &str, rows: impl Iterator<Item = Option<&'a [u8]>>, first_row: usize) -> Result<Chunk, Fault> {
    let mut texts = Ids::default();
    for (row, bytes) in rows.map(Option::unwrap_or_default).enumerate() {
        if std::str::from_utf8(bytes).is_err() {
            let got = "bytes that are no UTF-8".into();
            return Err(Fault::BadId { column: name.into(), row: first_row + row, got });
        }
        texts.push(bytes);
    }
    Ok(Chunk::Written(texts))
}

fn decimals<T: DecimalType>(array: &ArrayRef) -> Chunk {
    let mut texts = Ids::default();
    let decimals = array.as_primitive::<T>();
    (0..decimals.len()).for_each(|row| texts.push(decimals.value_as_string(row).as_bytes()));
    Chunk::Written(texts)
}

/// Whole numbers of which an `i64` cannot hold all.
fn large_integers(array: &ArrayRef) -> Chunk {
    let mut texts = Ids::default();
    let mut buffer = itoa::Buffer::new();
    array.as_primitive::<UInt64Type>().values().iter().for_each(|&number| texts.push(buffer.format(number).as_bytes()));
    Chunk::Written(texts)
}

/// Whole numbers that became floats on their way, as pandas makes them.
fn whole_floats(name: &str, array: &ArrayRef, first_row: usize) -> Result<Chunk, Fault> {
    let floats = casts::to_floats(array)?;
    // Up to here every whole number is a float of its own.
    let most = match array.data_type() {
        DataType::Float16 => 2_f64.powi(11),
        DataType::Float32 => 2_f64.powi(24),
        _ => 2_f64.powi(53),
    };
    let is_whole = |number: &f64| number.fract() == 0.0 && number.abs() <= most;
    match floats.iter().position(|number| !is_whole(number)) {
        Some(row) if floats[row].is_nan() => Err(Fault::Null { column: name.into(), row: first_row + row }),
        Some(row) => Err(Fault::BadId { column: name.into(), row: first_row + row, got: floats[row].to_string() }),
        None => Ok(Chunk::Whole(floats.iter().map(|&number| number as i64).collect())),
    }
}

/// Dates as `2024-01-31`, points in time as `2024-01-31T09:30:00`, midnight as the date alone.
///
/// A point in a time zone is on that zone's clock, and has its offset: `2024-01-31T09:30:00-05:00`.
///
/// Dates come again and again, so each is written once.
fn dates(name: &str, array: &ArrayRef, first_row: usize) -> Result<Chunk, Fault> {
    let zone = match array.data_type() {
        DataType::Timestamp(_, Some(zone)) => Some(zone.parse::<Tz>()?),
        _ => None,
    };
    let (codes, first_rows) = coded(&casts::to_ticks(array));
    let mut texts = Ids::default();
    for row in first_rows {
        let far = || Fault::BadId { column: name.into(), row: first_row + row, got: "a date out of range".into() };
        let moment = moment(array, row).ok_or_else(far)?;
        let text = match zone {
            Some(zone) => {
                let local = zone.from_utc_datetime(&moment);
                written(local.naive_local(), &local.format("%:z").to_string())
            }
            None => written(moment, ""),
        };
        texts.push(text.as_bytes());
    }
    Ok(Chunk::Coded(codes, texts))
}

/// Return the code of each number, and the row in which each code is met first.
fn coded(numbers: &[i64]) -> (Vec<usize>, Vec<usize>) {
    let mut known = HashMap::new();
    let mut first_rows = Vec::new();
    let mut last = None;
    let code = |(row, &number): (usize, &i64)| match last {
        Some((same, code)) if same == number => code,
        _ => {
            let code = *known.entry(number).or_insert_with(|| {
                first_rows.push(row);
                first_rows.len() - 1
            });
            last = Some((number, code));
            code
        }
    };
    let codes = numbers.iter().enumerate().map(code).collect();
    (codes, first_rows)
}

fn moment(array: &ArrayRef, row: usize) -> Option<NaiveDateTime> {
    match array.data_type() {
        DataType::Date32 => time::date32_to_datetime(array.as_primitive::<Date32Type>().value(row)),
        DataType::Date64 => time::date64_to_datetime(array.as_primitive::<Date64Type>().value(row)),
        DataType::Timestamp(TimeUnit::Second, _) => {
            time::timestamp_s_to_datetime(array.as_primitive::<TimestampSecondType>().value(row))
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            time::timestamp_ms_to_datetime(array.as_primitive::<TimestampMillisecondType>().value(row))
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            time::timestamp_us_to_datetime(array.as_primitive::<TimestampMicrosecondType>().value(row))
        }
        _ => time::timestamp_ns_to_datetime(array.as_primitive::<TimestampNanosecondType>().value(row)),
    }
}

fn written(moment: NaiveDateTime, offset: &str) -> String {
    let form = match moment.nanosecond() {
        _ if moment.time() == NaiveTime::MIN => return moment.format("%Y-%m-%d").to_string(),
        0 => "%Y-%m-%dT%H:%M:%S",
        nanoseconds if nanoseconds.is_multiple_of(1000) => "%Y-%m-%dT%H:%M:%S%.6f",
        _ => "%Y-%m-%dT%H:%M:%S%.9f",
    };
    format!("{}{offset}", moment.format(form))
}

/// The ids of a column, chunk by chunk: what is made of one may be dropped before the next.
pub fn id_chunks(column: &Column) -> impl Iterator<Item = Result<Chunk, Fault>> {
    let mut row = 0;
    column.chunks.iter().map(move |array| {
        let chunk = Chunk::new(&column.name, array, row);
        row += array.len();
        chunk
    })
}

/// What the ids of a column are, as far as the types of its chunks say it.
pub fn id_kind(column: &Column) -> IdKind {
    let chunks = column.chunks.iter().filter(|chunk| !chunk.is_empty());
    IdKind::common(chunks.map(|chunk| kind_of_type(chunk.data_type())))
}

fn kind_of_type(data_type: &DataType) -> IdKind {
    match data_type {
        DataType::Dictionary(_, values) => kind_of_type(values),
        DataType::Decimal128(_, 0) | DataType::Decimal256(_, 0) => IdKind::Whole,
        DataType::Date32 | DataType::Date64 => IdKind::Date,
        DataType::Timestamp(_, None) => IdKind::DateTime,
        other if other.is_integer() || other.is_floating() => IdKind::Whole,
        _ => IdKind::Text,
    }
}
