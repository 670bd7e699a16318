//! The rows of Parquet files, decoded straight into the columns of a table: nothing is collected in between. Where there
//! is anything else than ids and finite numbers in every row, none is given, and the rows are read as batches, which say
//! what is wrong.

use std::sync::Arc;

use arrow_array::RecordBatchReader;
use arrow_schema::DataType;
use rankgauge_core::id_kinds::{IdKind, IdKinds};
use rankgauge_core::ids::{Ids, Interner};
use rankgauge_core::long_scores::EXACT;
use rankgauge_core::table::{Items, MOST_ROWS, Table};
use rankgauge_core::{Side, progress};
use rayon::prelude::*;

use crate::frames::Roles;
use crate::groups::Groups;
use crate::panics::caught;
use crate::parquet_files::{Batches, Group, count_at_once, size};
use crate::parquet_values::{Chunk, Heads, NumberHeads, Numbers, Texts};

/// A file has at most so many times its own bytes in memory: rows that it only claims to have take none.
const MOST_PACKED: u64 = 64;

/// A row takes so many bytes in each column, besides its texts.
const WIDTH: u64 = 8;
/// Beyond what is held, batches would take so many bytes for a row, besides its query, whatever their encoding.
const MOST_WIDTH: u64 = 72;

/// Rows by query.
#[derive(Debug)]
pub struct Rows {
    queries: Interner,
    runs: Vec<(u32, usize)>,
    items: Items,
    values: Vec<f64>,
    kinds: IdKinds,
    /// About how many bytes they take.
    pub size: u64,
}

impl Rows {
    /// Read all rows, if they take at most so many bytes.
    pub fn read(batches: &Batches, roles: &Roles, most: u64) -> Option<Self> {
        let columns = Columns::find(batches, roles)?;
        let rows = row_count(batches)?;
        if 3 * WIDTH * rows as u64 > most {
            return None;
        }
        progress::begin(batches.groups.iter().map(size).sum());
        let groups: Vec<Group> = batches.groups.iter().copied().collect();
        let mut values = vec![0.0; rows];
        let mut whole = if columns.kinds.items == IdKind::Whole { vec![0; rows] } else { Vec::new() };
        let mut reading = Reading::new(batches, columns, most);
        reading.read(&groups, &mut values, &mut whole)?;
        let (size, (queries, runs), texts) = (reading.size(), reading.groups(), reading.texts);
        let items = match columns.kinds.items {
            IdKind::Whole => Items::Whole(whole.into()),
            _ => Items::Text(Arc::new(texts)),
        };
        Some(Rows { queries, runs, items, values, kinds: columns.kinds, size })
    }

    /// The rows as a table; ranks are the better the lower they are.
    pub fn into_table(mut self, side: Side, are_ranks: bool) -> Table {
        if side == Side::Ranking && are_ranks {
            self.values.iter_mut().for_each(|value| *value = -*value);
        }
        Table::new(self.queries, &self.runs, self.items, self.values.into()).with_kinds(self.kinds)
    }
}

/// How many rows there are, if all of their row groups are read, and the files are large enough to have so many.
fn row_count(batches: &Batches) -> Option<usize> {
    let (mut rows, mut bytes) = (0_usize, 0_u64);
    for group in &batches.groups {
        let source = &batches.sources[group.source];
        if usize::try_from(source.metadata.metadata().row_group(group.index).num_rows()) != Ok(group.rows) {
            return None;
        }
        rows = rows.checked_add(group.rows)?;
        for &leaf in &source.columns {
            bytes = bytes.checked_add(source.range(group.index, leaf).ok()?.1 as u64)?;
        }
    }
    let is_plausible = rows as u64 <= bytes.saturating_mul(MOST_PACKED) / WIDTH;
    (0 < rows && rows <= MOST_ROWS && is_plausible).then_some(rows)
}

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Text,
    Int32,
    Int64,
    Float32,
    Float64,
}

impl Type {
    fn of(data_type: &DataType) -> Option<Self> {
        match data_type {
            DataType::Utf8 | DataType::Utf8View => Some(Type::Text),
            DataType::Dictionary(_, values) if **values == DataType::Utf8 => Some(Type::Text),
            DataType::Int32 => Some(Type::Int32),
            DataType::Int64 => Some(Type::Int64),
            DataType::Float32 => Some(Type::Float32),
            DataType::Float64 => Some(Type::Float64),
            _ => None,
        }
    }

    fn of_ids(self) -> Option<IdKind> {
        match self {
            Type::Text => Some(IdKind::Text),
            Type::Int32 | Type::Int64 => Some(IdKind::Whole),
            Type::Float32 | Type::Float64 => None,
        }
    }
}

/// A column: its place among those that are read, and its type.
type Place = (usize, Type);

#[derive(Clone, Copy)]
struct Columns {
    query: Place,
    item: Place,
    value: Place,
    kinds: IdKinds,
}

impl Columns {
    fn find(batches: &Batches, roles: &Roles) -> Option<Self> {
        let schema = batches.schema();
        let find = |name: &str| {
            let place = schema.index_of(name).ok()?;
            Some((place, Type::of(schema.field(place).data_type())?))
        };
        let (query, item, value) = (find(&roles.query)?, find(&roles.item)?, find(roles.value.as_deref()?)?);
        let kinds = IdKinds { queries: query.1.of_ids()?, items: item.1.of_ids()? };
        let is_plain = roles.annotation.is_none() && value.1 != Type::Text;
        is_plain.then_some(Columns { query, item, value, kinds })
    }
}

/// The queries of the rows of a row group, one after another.
enum Queries {
    Texts(Heads<Ids>),
    Whole(Heads<Vec<i64>>),
}

/// A row group, and where its rows go.
struct Unit<'a> {
    group: Group,
    queries: Queries,
    texts: &'a mut Texts,
    whole: &'a mut [i64],
    values: &'a mut [f64],
}

/// The rows of the row groups that have been read.
struct Reading<'a> {
    batches: &'a Batches,
    columns: Columns,
    most: u64,
    rows: usize,
    /// Queries that are texts.
    groups: Groups,
    /// The first row of each run of a query that is a whole number.
    heads: Vec<(i64, usize)>,
    longest_query: usize,
    texts: Ids,
    claimed: u64,
}

impl<'a> Reading<'a> {
    fn new(batches: &'a Batches, columns: Columns, most: u64) -> Self {
        let (groups, heads, texts) = (Groups::default(), Vec::new(), Ids::default());
        Reading { batches, columns, most, rows: 0, groups, heads, longest_query: 0, texts, claimed: 0 }
    }

    /// Read the row groups, a few at a time: their texts are copied from memory that serves the next.
    fn read(&mut self, mut left: &[Group], mut values: &mut [f64], mut whole: &mut [i64]) -> Option<()> {
        let mut buffers: Vec<Texts> = Vec::new();
        while !left.is_empty() {
            let now;
            (now, left) = left.split_at(count_at_once(left, 2 * rayon::current_num_threads()));
            buffers.resize_with(now.len().max(buffers.len()), Texts::default);
            let mut units = Vec::with_capacity(now.len());
            for (&group, texts) in now.iter().zip(&mut buffers) {
                texts.clear(group.rows);
                let queries = match self.columns.kinds.queries {
                    IdKind::Whole => Queries::Whole(Heads::default()),
                    _ => Queries::Texts(Heads::default()),
                };
                let (whole, values) = (split_off(&mut whole, group.rows), split_off(&mut values, group.rows));
                units.push(Unit { group, queries, texts, whole, values });
            }
            let read = |unit: &mut Unit<'_>| caught(|| self.read_unit(unit)).flatten();
            let claimed = units.par_iter_mut().map(read).collect::<Option<Vec<u64>>>()?;
            self.claimed = claimed.into_iter().fold(self.claimed, u64::saturating_add);
            units.iter().for_each(|unit| self.add(unit));
            progress::add(now.iter().map(size).sum());
            if self.claimed > self.batches.limit
                || self.size_of_batches() > self.batches.limit
                || self.size() > self.most
            {
                return None;
            }
        }
        Some(())
    }

    /// Read the columns of a row group, and return how many bytes they claim.
    fn read_unit(&self, unit: &mut Unit<'_>) -> Option<u64> {
        let Unit { group, queries, texts, whole, values } = unit;
        let source = &self.batches.sources[group.source];
        let chunk = |(place, _): Place| {
            let leaf = source.columns[place];
            Chunk { source, group: group.index, leaf, rows: group.rows }
        };
        let Columns { query, item, value, .. } = self.columns;
        let read_items = || match item.1 {
            Type::Text => chunk(item).read(*texts).filter(|_| texts.are_utf8()),
            kind => kind.read_whole(chunk(item), whole),
        };
        let (queries, (items, values)) = rayon::join(
            || queries.read(chunk(query), query.1),
            || rayon::join(read_items, || value.1.read_numbers(chunk(value), values)),
        );
        Some(queries?.saturating_add(items?).saturating_add(values?))
    }

    /// Add the rows of a row group after those before.
    fn add(&mut self, unit: &Unit<'_>) {
        let first = self.rows;
        let place = |&(place, row): &(u32, u32)| (first + row as usize, place as usize);
        match &unit.queries {
            Queries::Texts(found) => {
                self.groups.coded(found.heads.iter().map(place), &found.ids);
                let longest = found.ids.iter().map(<[u8]>::len).max();
                self.longest_query = self.longest_query.max(longest.unwrap_or(0));
            }
            Queries::Whole(found) => {
                self.heads.extend(found.heads.iter().map(place).map(|(row, place)| (found.ids[place], row)));
            }
        }
        self.texts.extend_from(&unit.texts.rows);
        self.rows += unit.group.rows;
    }

    fn groups(&mut self) -> (Interner, Vec<(u32, usize)>) {
        let groups = match self.columns.kinds.queries {
            IdKind::Whole => Groups::of_numbers(std::mem::take(&mut self.heads)),
            _ => std::mem::take(&mut self.groups),
        };
        groups.into_parts()
    }

    /// About how many bytes the rows take.
    fn size(&self) -> u64 {
        3 * WIDTH * self.rows as u64 + self.texts.byte_count() as u64
    }

    /// How many bytes the rows would take as batches, at most.
    fn size_of_batches(&self) -> u64 {
        let row = MOST_WIDTH + self.longest_query as u64;
        row.saturating_mul(self.rows as u64).saturating_add(self.texts.byte_count() as u64)
    }
}

/// Take the first rows off those that are left; none if there are none, as where ids are texts.
fn split_off<'a, T>(left: &mut &'a mut [T], rows: usize) -> &'a mut [T] {
    let all = std::mem::take(left);
    let (first, rest) = all.split_at_mut(rows.min(all.len()));
    *left = rest;
    first
}

impl Queries {
    fn read(&mut self, chunk: Chunk<'_>, kind: Type) -> Option<u64> {
        match (self, kind) {
            (Queries::Texts(found), Type::Text) => chunk.read(found).filter(|_| found.ids.are_utf8()),
            (Queries::Whole(found), Type::Int32) => {
                let mut heads = NumberHeads::new(|bytes| i64::from(i32::from_le_bytes(bytes)));
                let claimed = chunk.read(&mut heads);
                *found = heads.found;
                claimed
            }
            (Queries::Whole(found), Type::Int64) => {
                let mut heads = NumberHeads::new(i64::from_le_bytes);
                let claimed = chunk.read(&mut heads);
                *found = heads.found;
                claimed
            }
            _ => None,
        }
    }
}

impl Type {
    fn read_whole(self, chunk: Chunk<'_>, rows: &mut [i64]) -> Option<u64> {
        match self {
            Type::Int32 => chunk.read(&mut Numbers::new(rows, |bytes| i64::from(i32::from_le_bytes(bytes)))),
            Type::Int64 => chunk.read(&mut Numbers::new(rows, i64::from_le_bytes)),
            _ => None,
        }
    }

    /// Read finite numbers that floats hold exactly.
    fn read_numbers(self, chunk: Chunk<'_>, rows: &mut [f64]) -> Option<u64> {
        let claimed = match self {
            Type::Text => None,
            Type::Int32 => chunk.read(&mut Numbers::new(rows, |bytes| f64::from(i32::from_le_bytes(bytes)))),
            Type::Int64 => chunk.read(&mut Numbers::new(rows, |bytes| i64::from_le_bytes(bytes) as f64)),
            Type::Float32 => chunk.read(&mut Numbers::new(rows, |bytes| f64::from(f32::from_le_bytes(bytes)))),
            Type::Float64 => chunk.read(&mut Numbers::new(rows, f64::from_le_bytes)),
        };
        let is_exact = match self {
            Type::Float32 | Type::Float64 => |number: f64| number.is_finite(),
            _ => |number: f64| number.abs() < EXACT,
        };
        claimed.filter(|_| rows.iter().fold(true, |all, &number| all & is_exact(number)))
    }
}
