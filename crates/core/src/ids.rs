//! Ids as bytes, stored end to end, and small integers for them.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use rayon::prelude::*;

/// Ids end to end in one allocation.
#[derive(Debug, Default, Clone)]
pub struct Ids {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Ids {
    pub fn push(&mut self, id: &[u8]) {
        self.bytes.extend_from_slice(id);
        self.ends.push(self.bytes.len());
    }

    pub fn get(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start..self.ends[index]]
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The places of the ids in their bytewise order.
    pub fn sorted(&self) -> Vec<u32> {
        // The first eight bytes as a number decide most comparisons without a look at the id.
        let key = |id: &[u8]| {
            let mut first = [0; 8];
            let length = id.len().min(8);
            first[..length].copy_from_slice(&id[..length]);
            u64::from_be_bytes(first)
        };
        let mut keyed: Vec<(u64, u32)> = self.iter().map(key).zip(0..).collect();
        keyed.par_sort_unstable_by(|a, b| {
            a.0.cmp(&b.0).then_with(|| self.get(a.1 as usize).cmp(self.get(b.1 as usize)))
        });
        keyed.into_iter().map(|(_, at)| at).collect()
    }

    /// Add ids that lie end to end in `bytes`; `ends` are counted from its start.
    pub fn extend(&mut self, bytes: &[u8], ends: impl Iterator<Item = usize>) {
        let base = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.ends.extend(ends.map(|end| base + end));
    }
}

/// Hash the bytes of an id; seeded per process, so no input can aim at collisions.
#[inline]
pub fn hash_id(state: &RandomState, id: &[u8]) -> u64 {
    let mut hasher = state.build_hasher();
    hasher.write(id);
    hasher.finish()
}

/// A bit for each hash that came by: the first sign that two items may be the same.
#[derive(Debug, Default)]
pub struct Marks {
    bits: Vec<u64>,
}

impl Marks {
    /// Forget all marks; `count` hashes will come.
    pub fn clear(&mut self, count: usize) {
        // At 64 bits a hash, one in 128 meets the bit of another.
        let words = count.max(16).next_power_of_two();
        self.bits.clear();
        self.bits.resize(words, 0);
    }

    /// Mark a hash, and return whether its bit was set before.
    #[inline]
    pub fn mark(&mut self, hash: u64) -> bool {
        let place = hash as usize & (self.bits.len() * 64 - 1);
        let (word, bit) = (&mut self.bits[place / 64], 1 << (place % 64));
        let known = *word & bit != 0;
        *word |= bit;
        known
    }
}

/// Empty a table before `count` entries come. A table that is far too large is dropped: emptying costs its size.
pub fn clear(table: &mut HashTable<u32>, count: usize) {
    if table.capacity() > 1024 + 16 * count {
        *table = HashTable::new();
    } else {
        table.clear();
    }
}

/// Ids with the small integer of each, in the order of their first appearance.
#[derive(Debug, Default, Clone)]
pub struct Interner {
    ids: Ids,
    /// The hash beside the integer spares a look at the id when the table grows.
    index: HashTable<(u64, u32)>,
    state: RandomState,
}

impl Interner {
    /// Return the integer of an id, new or known.
    pub fn intern(&mut self, id: &[u8]) -> u32 {
        let hash = hash_id(&self.state, id);
        if let Some(known) = self.find_hashed(id, hash) {
            return known;
        }
        let new = self.ids.len() as u32;
        self.ids.push(id);
        self.index.insert_unique(hash, (hash, new), |&(hash, _)| hash);
        new
    }

    /// Make room for so many new ids.
    pub fn reserve(&mut self, count: usize) {
        self.ids.ends.reserve(count);
        self.index.reserve(count, |&(hash, _)| hash);
    }

    pub fn find(&self, id: &[u8]) -> Option<u32> {
        self.find_hashed(id, hash_id(&self.state, id))
    }

    #[inline]
    fn find_hashed(&self, id: &[u8], hash: u64) -> Option<u32> {
        let is_it = |&(own, at): &(u64, u32)| own == hash && self.ids.get(at as usize) == id;
        self.index.find(hash, is_it).map(|&(_, at)| at)
    }

    pub fn ids(&self) -> &Ids {
        &self.ids
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_share_prefixes_stay_apart() {
        let mut interner = Interner::default();
        let numbers: Vec<u32> = ["d1", "d10", "", "d", "d1"].iter().map(|id| interner.intern(id.as_bytes())).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 0]);
        assert_eq!(interner.find(b"d10"), Some(1));
        assert_eq!(interner.find(b"d100"), None);
        assert_eq!(interner.ids().iter().collect::<Vec<_>>(), [&b"d1"[..], b"d10", b"", b"d"]);
    }
}
