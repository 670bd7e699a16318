//! The rows of Parquet files, decoded straight into the columns of a table: nothing is collected in between. Where there
//! is anything else than ids and finite numbers in every row, none is given, and the rows are read as batches, which say
//! what is wrong.

use std::sync::Arc;

use rankgauge_core::id_kinds::{IdKind, IdKinds};
use rankgauge_core::ids::{Ids, Interner};
use rankgauge_core::table::{Items, Table};
use rankgauge_core::{Side, progress};
use rayon::prelude::*;

use crate::frames::Roles;
use crate::panics::caught;
use crate::parquet_batches::{Batches, count_at_once, size};
use crate::parquet_columns::{Columns, Queries, QueryRuns, Type, WIDTH, row_count};
use crate::parquet_files::Group;
use crate::parquet_values::Texts;

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
        let (size, texts) = (reading.size(), reading.texts);
        let (queries, runs) = reading.queries.into_parts(columns.kinds.queries);
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

/// A row group, and where its rows go.
struct Unit<'a> {
    group: Group,
    queries: Option<Queries>,
    texts: &'a mut Texts,
    whole: &'a mut [i64],
    values: &'a mut [f64],
}

/// The rows of the row groups that have been read.
struct Reading<'a> {
    batches: &'a Batches,
    columns: Columns,
    most: u64,
    queries: QueryRuns,
    texts: Ids,
    claimed: u64,
}

impl<'a> Reading<'a> {
    fn new(batches: &'a Batches, columns: Columns, most: u64) -> Self {
        Reading { batches, columns, most, queries: QueryRuns::default(), texts: Ids::default(), claimed: 0 }
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
                let (whole, values) = (split_off(&mut whole, group.rows), split_off(&mut values, group.rows));
                units.push(Unit { group, queries: None, texts, whole, values });
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
        let chunk = |place| Columns::chunk(self.batches, *group, place);
        let Columns { query, item, value, .. } = self.columns;
        let read_items = || match item.1 {
            Type::Text => chunk(item).read(*texts),
            kind => kind.read_whole(chunk(item), whole),
        };
        let (read_queries, (items, values)) = rayon::join(
            || Queries::read(chunk(query), query.1),
            || rayon::join(read_items, || value.1.read_numbers(chunk(value), values)),
        );
        let (read_queries, claimed) = read_queries?;
        *queries = Some(read_queries);
        Some(claimed.saturating_add(items?).saturating_add(values?))
    }

    /// Add the rows of a row group after those before.
    fn add(&mut self, unit: &Unit<'_>) {
        if let Some(queries) = &unit.queries {
            self.queries.add(queries, unit.group.rows);
        }
        self.texts.extend_from(&unit.texts.rows);
    }

    /// About how many bytes the rows take.
    fn size(&self) -> u64 {
        3 * WIDTH * self.queries.rows as u64 + self.texts.byte_count() as u64
    }

    /// How many bytes the rows would take as batches, at most.
    fn size_of_batches(&self) -> u64 {
        let row = MOST_WIDTH + self.queries.longest as u64;
        row.saturating_mul(self.queries.rows as u64).saturating_add(self.texts.byte_count() as u64)
    }
}

/// Take the first rows off those that are left; none if there are none, as where ids are texts.
fn split_off<'a, T>(left: &mut &'a mut [T], rows: usize) -> &'a mut [T] {
    let all = std::mem::take(left);
    let (first, rest) = all.split_at_mut(rows.min(all.len()));
    *left = rest;
    first
}
