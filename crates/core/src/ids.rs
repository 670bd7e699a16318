//! Ids as bytes, stored end to end, and small integers for them.

use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rayon::prelude::*;

use crate::items::Item;
use crate::text_ends::Ends;
use crate::utf8::are_utf8;

/// Ids end to end in one allocation.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Ids {
    bytes: Vec<u8>,
    ends: Ends,
}

impl Ids {
    pub fn push(&mut self, id: &[u8]) {
        self.bytes.extend_from_slice(id);
        self.ends.push(self.bytes.len());
    }

    /// Add an id that is the beginning of a few bytes: to copy all of them is faster than to copy as many as it has.
    #[inline]
    pub fn push_within<const N: usize>(&mut self, bytes: &[u8; N], length: usize) {
        let end = self.bytes.len() + length.min(N);
        // Not as a slice: that is a call for a copy of any length.
        self.bytes.extend(*bytes);
        self.bytes.truncate(end);
        self.ends.push(end);
    }

    /// Expect this many ids and bytes more.
    pub fn reserve(&mut self, ids: usize, bytes: usize) {
        self.ends.reserve(ids);
        self.bytes.reserve(bytes);
    }

    #[inline]
    pub fn get(&self, index: usize) -> &[u8] {
        &self.bytes[self.ends.range(index)]
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.len() == 0
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
        keyed.into_iter().map(|(_, index)| index).collect()
    }

    /// Add ids that lie end to end in `bytes`; `ends` are counted from its start.
    pub fn extend(&mut self, bytes: &[u8], ends: impl Iterator<Item = usize>) {
        let base = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.ends.extend(base, ends, self.bytes.len());
    }

    /// Add the ids of another, which keeps them.
    pub fn extend_from(&mut self, other: &Ids) {
        self.extend(&other.bytes, other.ends.iter());
    }

    /// Add some ids of another, which keeps them.
    pub fn extend_from_rows(&mut self, other: &Ids, rows: Range<usize>) {
        if !rows.is_empty() {
            let (start, end) = (other.ends.range(rows.start).start, other.ends.range(rows.end - 1).end);
            self.extend(&other.bytes[start..end], rows.map(|row| other.ends.range(row).end - start));
        }
    }

    /// Forget all ids, and keep the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// How many bytes all ids have together.
    pub fn byte_count(&self) -> usize {
        self.bytes.len()
    }

    /// Whether each id is UTF-8.
    pub fn are_utf8(&self) -> bool {
        self.are_utf8_from(0)
    }

    /// Whether each id from one on is UTF-8.
    pub fn are_utf8_from(&self, first: usize) -> bool {
        let start = if first < self.len() { self.ends.range(first).start } else { self.bytes.len() };
        are_utf8(&self.bytes[start..], (first..self.len()).map(|place| self.ends.range(place).end - start))
    }

    /// Add the ids of another; the first to come are taken over without a copy.
    pub fn append(&mut self, other: Ids) {
        if self.is_empty() {
            *self = other;
        } else {
            self.extend(&other.bytes, other.ends.iter());
        }
    }
}

/// Hash the bytes of an id; seeded per process, so no input can aim at collisions.
#[inline]
pub fn hash_id(state: &RandomState, id: &[u8]) -> u64 {
    let mut hasher = state.build_hasher();
    hasher.write(id);
    hasher.finish()
}

/// From here on hashes are many.
const MANY: usize = 1 << 14;

/// A bit per hash seen, which detects cheaply that two items may be the same.
#[derive(Debug, Default)]
pub struct Marks {
    bits: Vec<u64>,
}

impl Marks {
    /// Forget all marks; `count` hashes will come.
    pub fn clear(&mut self, count: usize) {
        // At 64 bits a hash, one in 128 meets the bit of another; of many, more do, so that the bits stay in the cache.
        let bits = if count <= MANY { 64 } else { 8 };
        let words = (count.max(16) * bits / 64).next_power_of_two();
        self.bits.clear();
        self.bits.resize(words, 0);
    }

    /// Mark a hash, and return whether its bit was set before.
    #[inline]
    pub fn mark(&mut self, hash: u64) -> bool {
        let (word, bit) = self.place(hash);
        let known = self.bits[word] & bit != 0;
        self.bits[word] |= bit;
        known
    }

    /// Whether the bit of a hash is set.
    #[inline]
    pub fn has(&self, hash: u64) -> bool {
        let (word, bit) = self.place(hash);
        self.bits[word] & bit != 0
    }

    #[inline]
    fn place(&self, hash: u64) -> (usize, u64) {
        let slot = hash as usize & (self.bits.len() * 64 - 1);
        (slot / 64, 1 << (slot % 64))
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
    index: Index,
    state: RandomState,
}

/// How the integer of an id is found.
#[derive(Debug, Clone)]
enum Index {
    /// The hash beside the integer spares a look at the id when the table grows.
    Hashed(HashTable<(u64, u32)>),
    /// Whole numbers that lie close together are found by place, which spares the hashing: the integer of each.
    Placed { low: i64, places: Vec<u32> },
    /// Whole numbers that lie apart are hashed as such, which is faster than by their texts.
    Numbered(HashTable<(i64, u32)>),
    /// Whole numbers that rise from one id to the next are searched.
    Rising(Vec<i64>),
}

impl Default for Index {
    fn default() -> Self {
        Index::Hashed(HashTable::new())
    }
}

/// No id has this integer.
const NONE: u32 = u32::MAX;

impl Interner {
    /// Expect `count` numbers from `low` to `high`.
    pub fn of_numbers(low: i64, high: i64, count: usize) -> Self {
        let span = usize::try_from(i128::from(high) - i128::from(low)).unwrap_or(usize::MAX);
        let index = if span < 4 * count + 1024 {
            Index::Placed { low, places: vec![NONE; span + 1] }
        } else {
            Index::Numbered(HashTable::with_capacity(count))
        };
        let mut ids = Ids::default();
        ids.ends.reserve(count);
        ids.bytes.reserve(4 * count);
        Interner { ids, index, ..Interner::default() }
    }

    /// Ids that are whole numbers, each larger than the one before.
    pub fn of_rising(numbers: Vec<i64>) -> Self {
        let texts = |numbers: &[i64]| {
            let (mut ids, mut buffer) = (Ids::default(), itoa::Buffer::new());
            ids.reserve(numbers.len(), 8 * numbers.len());
            numbers.iter().for_each(|&number| ids.push(buffer.format(number).as_bytes()));
            ids
        };
        let mut ids = Ids::default();
        if numbers.len() <= MANY {
            ids = texts(&numbers);
        } else {
            let pieces: Vec<Ids> = numbers.par_chunks(MANY).map(texts).collect();
            ids.reserve(numbers.len(), pieces.iter().map(Ids::byte_count).sum());
            pieces.iter().for_each(|piece| ids.extend_from(piece));
        }
        Interner { ids, index: Index::Rising(numbers), ..Interner::default() }
    }

    /// Return the integer of an id, new or known.
    pub fn intern(&mut self, id: &[u8]) -> u32 {
        let hash = hash_id(&self.state, id);
        self.hash_all();
        if let Some(known) = self.find_hashed(id, hash) {
            return known;
        }
        let new = self.ids.len() as u32;
        self.ids.push(id);
        if let Index::Hashed(table) = &mut self.index {
            table.insert_unique(hash, (hash, new), |&(hash, _)| hash);
        }
        new
    }

    /// Return the integer of the id that is the text of a number.
    pub fn intern_number(&mut self, number: i64) -> u32 {
        let text = &mut itoa::Buffer::new();
        let new = self.ids.len() as u32;
        match &mut self.index {
            Index::Placed { low, places } => match slot(number, *low).and_then(|slot| places.get_mut(slot)) {
                Some(known) if *known != NONE => *known,
                Some(vacant) => {
                    *vacant = new;
                    self.ids.push(text.format(number).as_bytes());
                    new
                }
                None => self.intern(text.format(number).as_bytes()),
            },
            Index::Numbered(table) => {
                let hash_of = |&(known, _): &(i64, u32)| known.hash(&self.state);
                match table.entry(number.hash(&self.state), |&(known, _)| known == number, hash_of) {
                    Entry::Occupied(known) => known.get().1,
                    Entry::Vacant(vacant) => {
                        vacant.insert((number, new));
                        self.ids.push(text.format(number).as_bytes());
                        new
                    }
                }
            }
            Index::Hashed(_) | Index::Rising(_) => self.intern(text.format(number).as_bytes()),
        }
    }

    /// Find ids by the hashes of their texts from now on: one may come that is no number.
    fn hash_all(&mut self) {
        if !matches!(self.index, Index::Hashed(_)) {
            let mut table = HashTable::with_capacity(self.ids.len());
            for (id, index) in self.ids.iter().zip(0..) {
                let hash = hash_id(&self.state, id);
                table.insert_unique(hash, (hash, index), |&(hash, _)| hash);
            }
            self.index = Index::Hashed(table);
        }
    }

    pub fn find(&self, id: &[u8]) -> Option<u32> {
        match &self.index {
            Index::Placed { low, places } => {
                let slot = whole_number(id).and_then(|number| slot(number, *low))?;
                places.get(slot).copied().filter(|&known| known != NONE)
            }
            Index::Numbered(table) => {
                let number = whole_number(id)?;
                table.find(number.hash(&self.state), |&(known, _)| known == number).map(|&(_, index)| index)
            }
            Index::Rising(numbers) => {
                let index = whole_number(id).and_then(|number| numbers.binary_search(&number).ok())?;
                Some(index as u32)
            }
            Index::Hashed(_) => self.find_hashed(id, hash_id(&self.state, id)),
        }
    }

    #[inline]
    fn find_hashed(&self, id: &[u8], hash: u64) -> Option<u32> {
        let is_it = |&(known_hash, index): &(u64, u32)| known_hash == hash && self.ids.get(index as usize) == id;
        match &self.index {
            Index::Hashed(table) => table.find(hash, is_it).map(|&(_, index)| index),
            Index::Placed { .. } | Index::Numbered(_) | Index::Rising(_) => None,
        }
    }

    pub fn ids(&self) -> &Ids {
        &self.ids
    }
}

fn slot(number: i64, low: i64) -> Option<usize> {
    number.checked_sub(low).and_then(|slot| usize::try_from(slot).ok())
}

/// The number that a text is the usual form of: `7`, but neither `07` nor `+7`.
pub fn whole_number(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let usual = match digits {
        [b'0'] => digits.len() == text.len(),
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    usual.then(|| std::str::from_utf8(text).ok()?.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interner_with_shared_prefixes_keeps_ids_apart() {
        let mut interner = Interner::default();
        let numbers: Vec<u32> = ["d1", "d10", "", "d", "d1"].iter().map(|id| interner.intern(id.as_bytes())).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 0]);
        assert_eq!(interner.find(b"d10"), Some(1));
        assert_eq!(interner.find(b"d100"), None);
        assert_eq!(interner.ids().iter().collect::<Vec<_>>(), [&b"d1"[..], b"d10", b"", b"d"]);
    }

    #[test]
    fn push_within_more_bytes_cuts_ids_to_their_length() {
        let mut ids = Ids::default();
        ids.reserve(3, 6);
        ids.push_within(b"d1\0\0", 2);
        ids.push_within(b"\0\0\0\0", 0);
        ids.push_within(b"d123", 9);
        assert_eq!(ids.iter().collect::<Vec<_>>(), [&b"d1"[..], b"", b"d123"]);
    }

    #[test]
    fn marks_after_clear_have_only_hashes_marked_since() {
        for count in [10, MANY + 1] {
            let mut marks = Marks::default();
            marks.clear(count);
            assert_eq!((marks.mark(7), marks.mark(7), marks.has(7), marks.has(8)), (false, true, true, false));
            marks.clear(count);
            assert!(!marks.has(7));
        }
    }

    #[test]
    fn whole_number_in_an_unusual_form_is_none() {
        let number = |text: &str| whole_number(text.as_bytes());
        let numbers = ["0", "7", "-12", "9223372036854775807", "-9223372036854775808"].map(number);
        assert_eq!(numbers, [Some(0), Some(7), Some(-12), Some(i64::MAX), Some(i64::MIN)]);
        assert_eq!(["", "-", "-0", "07", "+7", "7 ", "1e3", "d7", "9223372036854775808"].map(number), [None; 9]);
    }

    #[test]
    fn interner_of_rising_numbers_finds_them_by_their_texts() {
        for count in [0, 3, MANY + 5] {
            let numbers: Vec<i64> = (0..count as i64).map(|number| 3 * number - 4).collect();
            let mut interner = Interner::of_rising(numbers.clone());
            let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
            assert!(interner.ids().iter().eq(texts.iter().map(String::as_bytes)));
            assert!(texts.iter().zip(0..).all(|(text, index)| interner.find(text.as_bytes()) == Some(index)));
            assert_eq!(["0", "-04", "x"].map(|id| interner.find(id.as_bytes())), [None; 3]);
            let new = count as u32;
            assert_eq!(
                (interner.intern_number(0), interner.intern(b"x"), interner.find(b"0")),
                (new, new + 1, Some(new))
            );
        }
    }

    #[test]
    fn interner_of_numbers_finds_them_by_their_texts() {
        let numbers = [7, -2, 9, 7, i64::MAX, i64::MIN];
        for (low, high) in [(-2, 9), (i64::MIN, i64::MAX), (0, 0)] {
            let mut interner = Interner::of_numbers(low, high, numbers.len());
            assert_eq!(numbers.map(|number| interner.intern_number(number)), [0, 1, 2, 0, 3, 4]);
            assert_eq!(
                ["-2", "9", "8", "09", "x"].map(|id| interner.find(id.as_bytes())),
                [Some(1), Some(2), None, None, None]
            );
            assert_eq!((interner.intern(b"x"), interner.intern(b"7"), interner.find(b"-2")), (5, 0, Some(1)));
        }
        let mut placed = Interner::of_numbers(-2, 9, 4);
        assert_eq!(
            (placed.intern_number(9), placed.find(b"9"), placed.find(b"-9223372036854775808")),
            (0, Some(0), None)
        );
    }
}
