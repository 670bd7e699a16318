//! Tables in long form, or with a list per query: from Arrow columns to rows grouped by query.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions as time;
use arrow_array::timezone::Tz;
use arrow_array::types::{Date32Type, Date64Type, Float64Type, Int64Type};
use arrow_array::types::{
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{Array, ArrayRef, LargeStringArray, StringArray, StringViewArray};
use arrow_buffer::ScalarBuffer;
use arrow_cast::{CastOptions, cast, cast_with_options};
use arrow_schema::{ArrowError, DataType, TimeUnit};
use arrow_select::concat::concat;
use chrono::{NaiveDateTime, NaiveTime, TimeZone, Timelike};
use rankgauge_core::Side;
use rankgauge_core::ids::{Ids, Interner};
use rankgauge_core::table::{Items, Numbers, Table};

use crate::columns::Column;

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
}

impl Fault {
    /// The same fault in another row.
    fn in_row(mut self, other: impl Fn(usize) -> usize) -> Self {
        match &mut self {
            Fault::Null { row, .. } | Fault::BadNumber { row, .. } | Fault::BadId { row, .. } => *row = other(*row),
            Fault::Type { .. } | Fault::Lengths { .. } | Fault::Arrow(_) => {}
        }
        self
    }
}

impl From<ArrowError> for Fault {
    fn from(error: ArrowError) -> Self {
        Fault::Arrow(error.to_string())
    }
}

/// The columns of a table by what they hold.
#[derive(Debug)]
pub struct Frame {
    pub side: Side,
    pub query: Column,
    pub item: Column,
    /// Grades or scores; without them items are relevant, or ranked in the order of the rows.
    pub value: Option<Column>,
    /// The values are ranks: the lowest is best.
    pub ranks: bool,
}

impl Frame {
    /// Group the rows by query.
    pub fn into_table(self) -> Result<Table, Fault> {
        if self.item.chunks.iter().any(is_list) {
            return self.explode();
        }
        let (groups, (items, values)) =
            rayon::join(|| groups(&self.query), || rayon::join(|| items(&self.item), || self.values()));
        let (queries, runs) = groups?;
        Ok(Table::new(queries, &runs, items?, values?))
    }

    /// A row per query, with lists: the lists end to end, each a run of its query even where it is empty.
    fn explode(mut self) -> Result<Table, Fault> {
        let (ends, flat) = flatten(&self.item)?;
        self.item.chunks = vec![flat];
        if let Some(column) = &mut self.value {
            let (own_ends, flat) = flatten(column)?;
            if let Some(row) = (0..ends.len() - 1).find(|&row| ends[row + 1] != own_ends[row + 1]) {
                let length = |ends: &[usize]| ends[row + 1] - ends[row];
                let got = format!("{} and {}", length(&ends), length(&own_ends));
                return Err(Fault::Lengths { column: column.name.clone(), row, got });
            }
            column.chunks = vec![flat];
        }
        let in_list = |fault: Fault| fault.in_row(|element| ends.partition_point(|&end| end <= element) - 1);
        let (queries, runs) = groups(&self.query)?;
        let runs: Vec<(u32, usize)> = runs.into_iter().map(|(query, row)| (query, ends[row])).collect();
        Ok(Table::new(queries, &runs, items(&self.item).map_err(in_list)?, self.values().map_err(in_list)?))
    }

    fn values(&self) -> Result<Numbers<f64>, Fault> {
        match &self.value {
            Some(column) if self.ranks => Ok(numbers(column)?.iter().map(|rank| -rank).collect::<Vec<f64>>().into()),
            Some(column) => numbers(column),
            None if self.side == Side::Judgments => Ok(vec![1.0; length(&self.item)].into()),
            None => Ok((0..length(&self.item)).map(|row| -(row as f64)).collect::<Vec<f64>>().into()),
        }
    }
}

fn is_list(array: &ArrayRef) -> bool {
    matches!(
        array.data_type(),
        DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..) | DataType::ListView(_)
    )
}

/// The elements of all lists end to end, and where each list begins; one more than there are lists.
fn flatten(column: &Column) -> Result<(Vec<usize>, ArrayRef), Fault> {
    let name = &column.name;
    let chunks: Vec<&dyn Array> = column.chunks.iter().map(|chunk| &**chunk).collect();
    let array = concat(&chunks)?;
    refuse_nulls(name, &array, 0)?;
    let element = match array.data_type() {
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::FixedSizeList(field, _)
        | DataType::ListView(field) => field.clone(),
        other => return Err(Fault::Type { column: name.into(), expected: "lists", got: other.to_string() }),
    };
    let lists = cast(&array, &DataType::LargeList(element))?;
    let lists = lists.as_list::<i64>();
    let offsets = lists.offsets();
    let (first, last) = (offsets[0], offsets[offsets.len() - 1]);
    let starts = offsets.iter().map(|&offset| (offset - first) as usize).collect();
    Ok((starts, lists.values().slice(first as usize, (last - first) as usize)))
}

fn length(column: &Column) -> usize {
    column.chunks.iter().map(|chunk| chunk.len()).sum()
}

fn refuse_nulls(name: &str, array: &ArrayRef, first_row: usize) -> Result<(), Fault> {
    if array.logical_null_count() == 0 {
        return Ok(());
    }
    let nulls = array.logical_nulls();
    let row = nulls.and_then(|nulls| (0..nulls.len()).find(|&row| nulls.is_null(row))).unwrap_or(0);
    Err(Fault::Null { column: name.into(), row: first_row + row })
}

/// Ids of one chunk, whatever they came as.
enum Chunk {
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
                let values = Chunk::new(name, coded.values(), first_row)?.into_texts();
                Ok(Chunk::Coded(coded.normalized_keys(), values))
            }
            DataType::Utf8 => Ok(Chunk::Short(array.as_string::<i32>().clone())),
            DataType::LargeUtf8 => Ok(Chunk::Long(array.as_string::<i64>().clone())),
            DataType::Utf8View => Ok(Chunk::View(array.as_string_view().clone())),
            DataType::Binary | DataType::LargeBinary | DataType::FixedSizeBinary(_) | DataType::BinaryView => {
                texts(name, array, first_row)
            }
            DataType::UInt64 if cast(array, &DataType::Int64)?.null_count() > 0 => texts(name, array, first_row),
            DataType::Decimal128(_, 0) | DataType::Decimal256(_, 0) => texts(name, array, first_row),
            _ if kind.is_integer() => {
                Ok(Chunk::Whole(cast(array, &DataType::Int64)?.as_primitive::<Int64Type>().values().clone()))
            }
            _ if kind.is_floating() => whole_floats(name, array, first_row),
            DataType::Date32 | DataType::Date64 | DataType::Timestamp(..) => dates(name, array, first_row),
            _ => {
                let expected = "text, whole numbers or dates as ids";
                Err(Fault::Type { column: name.into(), expected, got: kind.to_string() })
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            Chunk::Whole(numbers) => numbers.len(),
            Chunk::Short(texts) => texts.len(),
            Chunk::Long(texts) => texts.len(),
            Chunk::View(texts) => texts.len(),
            Chunk::Written(texts) => texts.len(),
            Chunk::Coded(codes, _) => codes.len(),
        }
    }

    fn into_texts(self) -> Ids {
        let mut texts = Ids::default();
        self.write(&mut texts);
        texts
    }

    /// Add the ids as text.
    fn write(&self, texts: &mut Ids) {
        match self {
            Chunk::Short(own) => extend(texts, own.value_data(), own.value_offsets(), |offset| offset as usize),
            Chunk::Long(own) => extend(texts, own.value_data(), own.value_offsets(), |offset| offset as usize),
            _ => self.each(|_, text| texts.push(text)),
        }
    }

    /// Call `visit` with each row and its id as text.
    fn each(&self, mut visit: impl FnMut(usize, &[u8])) {
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

fn extend<O: Copy>(texts: &mut Ids, bytes: &[u8], offsets: &[O], whole: impl Fn(O) -> usize) {
    let first = whole(offsets[0]);
    let last = whole(offsets[offsets.len() - 1]);
    texts.extend(&bytes[first..last], offsets[1..].iter().map(|&offset| whole(offset) - first));
}

/// Ids that are written as text by a cast.
fn texts(name: &str, array: &ArrayRef, first_row: usize) -> Result<Chunk, Fault> {
    let texts = cast(array, &DataType::LargeUtf8)?;
    match (0..texts.len()).find(|&row| texts.is_null(row)) {
        Some(row) => {
            Err(Fault::BadId { column: name.into(), row: first_row + row, got: "bytes that are no UTF-8".into() })
        }
        None => Ok(Chunk::Long(texts.as_string::<i64>().clone())),
    }
}

/// Whole numbers that became floats on their way, as pandas makes them.
fn whole_floats(name: &str, array: &ArrayRef, first_row: usize) -> Result<Chunk, Fault> {
    let floats = cast(array, &DataType::Float64)?;
    let floats = floats.as_primitive::<Float64Type>().values();
    // Up to 2^53 every whole number is a float of its own.
    let is_whole = |number: &f64| number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0;
    match floats.iter().position(|number| !is_whole(number)) {
        Some(row) if floats[row].is_nan() => Err(Fault::Null { column: name.into(), row: first_row + row }),
        Some(row) => Err(Fault::BadId { column: name.into(), row: first_row + row, got: floats[row].to_string() }),
        None => Ok(Chunk::Whole(floats.iter().map(|&number| number as i64).collect())),
    }
}

/// Dates as `2024-01-31`, points in time as `2024-01-31T09:30:00`, midnight as the date alone.
///
/// A point in a time zone is on that zone's clock, and has its offset: `2024-01-31T09:30:00-05:00`.
fn dates(name: &str, array: &ArrayRef, first_row: usize) -> Result<Chunk, Fault> {
    let zone = match array.data_type() {
        DataType::Timestamp(_, Some(zone)) => Some(zone.parse::<Tz>()?),
        _ => None,
    };
    let moment = |row: usize| match array.data_type() {
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
    };
    let mut texts = Ids::default();
    for row in 0..array.len() {
        let column = || name.to_string();
        let far = || Fault::BadId { column: column(), row: first_row + row, got: "a date out of range".into() };
        let moment = moment(row).ok_or_else(far)?;
        let text = match zone {
            Some(zone) => {
                let local = zone.from_utc_datetime(&moment);
                written(local.naive_local(), &local.format("%:z").to_string())
            }
            None => written(moment, ""),
        };
        texts.push(text.as_bytes());
    }
    Ok(Chunk::Written(texts))
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

fn id_chunks(column: &Column) -> Result<Vec<Chunk>, Fault> {
    let mut row = 0;
    let read = column.chunks.iter().map(|array| {
        let chunk = Chunk::new(&column.name, array, row);
        row += array.len();
        chunk
    });
    read.collect()
}

fn items(column: &Column) -> Result<Items, Fault> {
    let mut chunks = id_chunks(column)?;
    if chunks.iter().all(|chunk| matches!(chunk, Chunk::Whole(_))) {
        if let [Chunk::Whole(numbers)] = &mut chunks[..] {
            return Ok(Items::Whole(Numbers::Lent(Arc::new(numbers.clone()))));
        }
        let mut all = Vec::with_capacity(length(column));
        for chunk in &chunks {
            if let Chunk::Whole(numbers) = chunk {
                all.extend_from_slice(numbers);
            }
        }
        return Ok(Items::Whole(all.into()));
    }
    let mut texts = Ids::default();
    chunks.iter().for_each(|chunk| chunk.write(&mut texts));
    Ok(Items::Text(Arc::new(texts)))
}

/// The queries, and the runs of rows that belong to one.
pub fn groups(column: &Column) -> Result<(Interner, Vec<(u32, usize)>), Fault> {
    let mut groups = Groups::default();
    let mut row = 0;
    for chunk in id_chunks(column)? {
        match &chunk {
            Chunk::Whole(numbers) => groups.whole(numbers, row),
            Chunk::Coded(codes, texts) => groups.coded(codes, texts, row),
            _ => chunk.each(|at, text| groups.text(row + at, text)),
        }
        row += chunk.len();
    }
    Ok((groups.queries, groups.runs))
}

#[derive(Default)]
struct Groups {
    queries: Interner,
    runs: Vec<(u32, usize)>,
}

/// No query has this number.
const NONE: u32 = u32::MAX;

impl Groups {
    fn add(&mut self, query: u32, row: usize) {
        if self.runs.last().is_none_or(|&(last, _)| last != query) {
            self.runs.push((query, row));
        }
    }

    fn text(&mut self, row: usize, text: &[u8]) {
        if self.runs.last().is_some_and(|&(last, _)| self.queries.ids().get(last as usize) == text) {
            return;
        }
        let query = self.queries.intern(text);
        self.runs.push((query, row));
    }

    fn coded(&mut self, codes: &[usize], texts: &Ids, row: usize) {
        // Only the values that occur are queries.
        let mut known = vec![NONE; texts.len()];
        for (at, &code) in codes.iter().enumerate() {
            if known[code] == NONE {
                known[code] = self.queries.intern(texts.get(code));
            }
            self.add(known[code], row + at);
        }
    }

    fn whole(&mut self, numbers: &[i64], row: usize) {
        let changes = |&at: &usize| at == 0 || numbers[at] != numbers[at - 1];
        let heads: Vec<usize> = (0..numbers.len()).filter(changes).collect();
        let ids = || heads.iter().map(|&at| numbers[at]);
        let (Some(low), Some(high)) = (ids().min(), ids().max()) else {
            return;
        };
        // Numbers that lie close together are looked up by place, which spares writing and hashing their texts.
        let span = usize::try_from(i128::from(high) - i128::from(low)).unwrap_or(usize::MAX);
        let mut known = if span < 4 * heads.len() + 1024 { vec![NONE; span + 1] } else { Vec::new() };
        self.queries.reserve(known.len().min(heads.len()));
        let mut buffer = itoa::Buffer::new();
        for &at in &heads {
            let number = numbers[at];
            let query = match known.get_mut((i128::from(number) - i128::from(low)) as usize) {
                Some(place) if *place != NONE => *place,
                Some(place) => {
                    *place = self.queries.intern(buffer.format(number).as_bytes());
                    *place
                }
                None => self.queries.intern(buffer.format(number).as_bytes()),
            };
            self.add(query, row + at);
        }
    }
}

/// The numbers of a column; all are finite.
fn numbers(column: &Column) -> Result<Numbers<f64>, Fault> {
    let mut chunks = Vec::new();
    let mut row = 0;
    for array in &column.chunks {
        refuse_nulls(&column.name, array, row)?;
        let numbers = to_floats(&column.name, array, row)?;
        if !numbers.iter().fold(true, |all, number| all & number.is_finite()) {
            let at = numbers.iter().position(|number| !number.is_finite()).unwrap_or(0);
            let fault = |got| Fault::BadNumber { column: column.name.clone(), row: row + at, got };
            return Err(fault(numbers[at].to_string()));
        }
        row += numbers.len();
        chunks.push(numbers);
    }
    if let [only] = &chunks[..] {
        return Ok(Numbers::Lent(Arc::new(only.clone())));
    }
    let mut all = Vec::with_capacity(row);
    chunks.iter().for_each(|numbers| all.extend_from_slice(numbers));
    Ok(all.into())
}

fn to_floats(name: &str, array: &ArrayRef, first_row: usize) -> Result<ScalarBuffer<f64>, Fault> {
    if array.is_empty() {
        return Ok(ScalarBuffer::default());
    }
    let kind = match array.data_type() {
        DataType::Dictionary(_, values) => (**values).clone(),
        other => other.clone(),
    };
    if kind.is_numeric() || kind == DataType::Boolean {
        let floats = cast_with_options(array, &DataType::Float64, &CastOptions { safe: false, ..Default::default() })?;
        return Ok(floats.as_primitive::<Float64Type>().values().clone());
    }
    if !matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) {
        return Err(Fault::Type { column: name.into(), expected: "numbers", got: kind.to_string() });
    }
    let floats = cast(array, &DataType::Float64)?;
    if floats.null_count() > 0 {
        let row = (0..floats.len()).find(|&row| floats.is_null(row)).unwrap_or(0);
        let texts = cast(array, &DataType::LargeUtf8)?;
        let got = format!("{:?}", texts.as_string::<i64>().value(row));
        return Err(Fault::BadNumber { column: name.into(), row: first_row + row, got });
    }
    Ok(floats.as_primitive::<Float64Type>().values().clone())
}
