//! Finds the judged items of a query that has very many of them: in parts by their hashes, each with a table that stays
//! in a cache while it is filled.

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rayon::prelude::*;

use crate::items::Item;

/// Queries of more judged items have parts; the table of fewer stays in a cache as a whole. See decision 25.
pub(crate) const VERY_MANY: usize = 1 << 16;
/// How many items a part has on average, at most.
const PART: usize = 1 << 15;

/// The lower half of an item's hash, and its position among the judged ones.
type Hashed = (u32, u32);

#[derive(Debug)]
pub(crate) struct Parts {
    /// The items part by part.
    hashed: Vec<Hashed>,
    /// Where each part begins; one more than there are parts.
    starts: Vec<usize>,
    /// By part, the place of an item within it.
    tables: Vec<HashTable<u32>>,
}

impl Parts {
    /// Make parts of items; nothing if one of them comes twice.
    #[inline(never)]
    pub fn of<I: Item>(items: &[I], state: &RandomState) -> Option<Self> {
        let count = (items.len() / PART).next_power_of_two();
        let mut starts = vec![0; count + 1];
        for item in items {
            starts[part(item.hash(state), count) + 1] += 1;
        }
        for index in 1..=count {
            starts[index] += starts[index - 1];
        }
        let mut ends = starts.clone();
        let mut hashed: Vec<Hashed> = vec![(0, 0); items.len()];
        for (item, position) in items.iter().zip(0..) {
            let hash = item.hash(state);
            let end = &mut ends[part(hash, count)];
            hashed[*end] = (hash as u32, position);
            *end += 1;
        }
        let of_part = |index: usize| table(items, &hashed[starts[index]..starts[index + 1]]);
        let tables = (0..count).into_par_iter().map(of_part).collect::<Option<_>>()?;
        Some(Parts { hashed, starts, tables })
    }

    #[cold] // so that it takes nothing from the loops over queries of few items
    #[inline(never)]
    pub fn position_of<I: Item>(&self, items: &[I], item: I, hash: u64) -> Option<usize> {
        let part = part(hash, self.tables.len());
        let hashed = &self.hashed[self.starts[part]..];
        let is_item = |&place: &u32| {
            let known = hashed[place as usize];
            known.0 == hash as u32 && items[known.1 as usize] == item
        };
        let place = self.tables[part].find(spread(hash as u32), is_item)?;
        Some(hashed[*place as usize].1 as usize)
    }
}

/// The part of a hash: of its upper half, since a table looks at the lower one.
#[inline]
fn part(hash: u64, count: usize) -> usize {
    (hash >> 32) as usize & (count - 1)
}

/// Half a hash for a table, which looks at the lowest bits and at the highest seven.
#[inline]
fn spread(half: u32) -> u64 {
    u64::from(half) << 32 | u64::from(half)
}

/// Find the items of a part by their places in it; nothing if one comes twice. Hashes, which lie together, are compared
/// before items, which do not.
fn table<I: Item>(items: &[I], hashed: &[Hashed]) -> Option<HashTable<u32>> {
    let mut table = HashTable::with_capacity(hashed.len());
    for (&(hash, position), place) in hashed.iter().zip(0..) {
        let is_known = |&other: &u32| {
            let known = hashed[other as usize];
            known.0 == hash && items[known.1 as usize] == items[position as usize]
        };
        match table.entry(spread(hash), is_known, |&place| spread(hashed[place as usize].0)) {
            Entry::Occupied(_) => return None,
            Entry::Vacant(vacant) => drop(vacant.insert(place)),
        }
    }
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_distinct_items_find_each_and_no_other() {
        let state = RandomState::default();
        let items: Vec<i64> = (0..3 * PART as i64).map(|number| 7 * number).collect();
        let parts = Parts::of(&items, &state).unwrap();
        let find = |item: i64| parts.position_of(&items, item, item.hash(&state));
        assert!(parts.tables.len() > 1);
        assert!(items.iter().enumerate().all(|(position, &item)| find(item) == Some(position)));
        assert!(items.iter().all(|&item| find(item + 1).is_none()));
    }

    #[test]
    fn parts_of_items_of_which_one_comes_twice_are_none() {
        let mut items: Vec<i64> = (0..2 * PART as i64).collect();
        items.push(5);
        assert!(Parts::of(&items, &RandomState::default()).is_none());
    }
}
