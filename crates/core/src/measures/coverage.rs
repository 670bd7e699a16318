//! Coverage: the share of a catalogue that appears in the first ranks of any query.

use std::collections::HashSet;

use xxhash_rust::xxh3::xxh3_128;

use crate::bytes::{Reader, Writer};
use crate::error::Error;
use crate::evaluation_header::Column;

/// A 128-bit hash that identifies an item, the same in every process.
pub fn identity(item: &[u8]) -> u128 {
    xxh3_128(item)
}

/// The items in the first ranks of each query, by identity, and all judged items where the catalogue is made of both.
#[derive(Debug, Clone, Default)]
pub struct ShownItems {
    /// Where the items of each query end.
    ends: Vec<usize>,
    items: Vec<u128>,
    pub judged: HashSet<u128>,
    /// The share of the catalogue that all queries show together, by measure; none of other measures.
    pub shares: Vec<Option<f64>>,
}

impl ShownItems {
    /// Add the items of the next query.
    pub fn push(&mut self, items: &[u128]) {
        self.items.extend_from_slice(items);
        self.ends.push(self.items.len());
    }

    /// The items of a query, best first.
    pub fn of(&self, query: usize) -> &[u128] {
        let start = if query == 0 { 0 } else { self.ends[query - 1] };
        &self.items[start..self.ends[query]]
    }

    /// Take the judged items of others.
    pub fn take_judged<'a>(&mut self, others: impl Iterator<Item = &'a ShownItems>) {
        others.for_each(|other| self.judged.extend(&other.judged));
    }

    /// The items that any query shows down to a cutoff.
    pub fn union(&self, cutoff: Option<usize>) -> HashSet<u128> {
        let top = |query: usize| self.of(query).iter().take(cutoff.unwrap_or(usize::MAX)).copied();
        (0..self.ends.len()).flat_map(top).collect()
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.wide(&self.items);
        self.ends.iter().for_each(|&end| writer.count(end));
        write_set(writer, &self.judged);
    }

    pub(crate) fn read(reader: &mut Reader<'_>, queries: usize) -> Result<Self, Error> {
        let items = reader.wide()?;
        let ends = (0..queries).map(|_| reader.count()).collect::<Result<Vec<_>, _>>()?;
        let in_order = ends.is_sorted() && ends.last().is_none_or(|&last| last == items.len());
        if !in_order {
            return Err(Error::BadBytes { reason: "shown items that belong to no query" });
        }
        let judged = reader.wide()?.into_iter().collect();
        Ok(ShownItems { ends, items, judged, shares: Vec::new() })
    }
}

/// Write identities in order, so that equal sets have equal bytes.
pub(crate) fn write_set(writer: &mut Writer, items: &HashSet<u128>) {
    let mut sorted: Vec<u128> = items.iter().copied().collect();
    sorted.sort_unstable();
    writer.wide(&sorted);
}

/// The number of items of a catalogue: its given size, but at least the items shown; default: all judged or shown.
pub fn catalogue_size(items: f64, shown: usize, others: impl FnOnce() -> usize) -> f64 {
    if items > 0.0 { items.max(shown as f64) } else { (shown + others()) as f64 }
}

pub fn share(part: usize, whole: f64) -> f64 {
    if whole > 0.0 { part as f64 / whole } else { 0.0 }
}

/// Write the values of coverage, which depend on all queries: the share of the catalogue that each query adds.
pub fn cover(columns: &[Column], shown: &mut ShownItems, values: &mut [f64]) {
    shown.shares = vec![None; columns.len()];
    for (index, column) in columns.iter().enumerate() {
        let Some((cutoff, items)) = column.coverage else { continue };
        let mut shown_so_far: HashSet<u128> = HashSet::new();
        let mut added = Vec::with_capacity(shown.ends.len());
        for query in 0..shown.ends.len() {
            let before = shown_so_far.len();
            shown_so_far.extend(shown.of(query).iter().take(cutoff.unwrap_or(usize::MAX)));
            added.push(shown_so_far.len() - before);
        }
        let others = || shown.judged.iter().filter(|item| !shown_so_far.contains(item)).count();
        let whole = catalogue_size(items, shown_so_far.len(), others);
        for (query, added) in added.into_iter().enumerate() {
            values[query * columns.len() + index] = share(added, whole);
        }
        shown.shares[index] = Some(share(shown_so_far.len(), whole));
    }
}
