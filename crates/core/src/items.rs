//! The identity of an item: a text, a whole number, or a position in an array.

use std::cmp::Ordering;
use std::fmt::Debug;
use std::hash::{BuildHasher, Hasher};

use foldhash::fast::RandomState;

use crate::ids::{Ids, hash_id};
use crate::judged_items::Judged;
use crate::numbers::Numbers;

/// The id of an item. Ids are compared as text; whole numbers are compared so without being written as text.
pub trait Item: Copy + PartialEq + Debug + Send + Sync {
    fn hash(self, state: &RandomState) -> u64;

    /// The bytewise order of the texts.
    fn compare(self, other: Self) -> Ordering;

    fn text(self) -> Vec<u8>;

    /// Whether this is how the id is written.
    fn is_written(self, text: &[u8]) -> bool {
        self.text() == text
    }

    /// The grade of this item among the judged ones.
    #[inline]
    fn grade(self, hash: u64, judged: &Judged<Self>) -> f64 {
        judged.find(self, hash)
    }

    /// Which of the judged items this is, if it is one.
    fn judged_position(self, hash: u64, judged: &Judged<Self>) -> Option<usize> {
        judged.position_of(self, hash)
    }
}

impl Item for &[u8] {
    #[inline]
    fn hash(self, state: &RandomState) -> u64 {
        hash_id(state, self)
    }

    fn compare(self, other: Self) -> Ordering {
        self.cmp(other)
    }

    fn text(self) -> Vec<u8> {
        self.to_vec()
    }
}

impl Item for i64 {
    #[inline]
    fn hash(self, state: &RandomState) -> u64 {
        let mut hasher = state.build_hasher();
        hasher.write_i64(self);
        hasher.finish()
    }

    fn compare(self, other: Self) -> Ordering {
        let (mut digits, mut other_digits) = (itoa::Buffer::new(), itoa::Buffer::new());
        digits.format(self).cmp(other_digits.format(other))
    }

    fn text(self) -> Vec<u8> {
        itoa::Buffer::new().format(self).as_bytes().to_vec()
    }
}

/// An item of an array, whose grade and score have the same position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Where it stands in its query, counted from 0: its id.
    pub column: u32,
    /// Which of the judged items it is.
    pub judged: u32,
}

impl Item for Place {
    fn hash(self, _: &RandomState) -> u64 {
        0
    }

    fn compare(self, other: Self) -> Ordering {
        i64::from(self.column).compare(i64::from(other.column))
    }

    fn text(self) -> Vec<u8> {
        i64::from(self.column).text()
    }

    #[inline]
    fn grade(self, _: u64, judged: &Judged<Self>) -> f64 {
        judged.grades()[self.judged as usize]
    }

    fn judged_position(self, _: u64, _: &Judged<Self>) -> Option<usize> {
        Some(self.judged as usize)
    }
}

/// Ids by row, in one or several pieces of memory.
pub trait Column<'a>: Sync {
    type Item: Item + 'a;
    type Run: Run<Item = Self::Item>;

    /// The ids from a row on that lie together with it; none behind the last row.
    fn run(&'a self, row: usize) -> Self::Run;

    #[inline]
    fn item(&'a self, row: usize) -> Self::Item {
        self.run(row).item(0)
    }
}

/// Ids of consecutive rows.
pub trait Run: Copy {
    type Item;

    /// How many there are.
    fn length(&self) -> usize;

    fn item(&self, index: usize) -> Self::Item;
}

/// Ids from one on.
#[derive(Debug, Clone, Copy)]
pub struct IdsFrom<'a>(&'a Ids, usize);

impl<'a> Run for IdsFrom<'a> {
    type Item = &'a [u8];

    #[inline]
    fn length(&self) -> usize {
        self.0.len() - self.1
    }

    #[inline]
    fn item(&self, index: usize) -> &'a [u8] {
        self.0.get(self.1 + index)
    }
}

impl<'a> Column<'a> for Ids {
    type Item = &'a [u8];
    type Run = IdsFrom<'a>;

    #[inline]
    fn run(&'a self, row: usize) -> IdsFrom<'a> {
        IdsFrom(self, row.min(self.len()))
    }
}

impl Run for &[i64] {
    type Item = i64;

    #[inline]
    fn length(&self) -> usize {
        self.len()
    }

    #[inline]
    fn item(&self, index: usize) -> i64 {
        self[index]
    }
}

impl<'a> Column<'a> for Vec<i64> {
    type Item = i64;
    type Run = &'a [i64];

    #[inline]
    fn run(&'a self, row: usize) -> &'a [i64] {
        &self[row.min(self.len())..]
    }
}

impl<'a> Column<'a> for Numbers<i64> {
    type Item = i64;
    type Run = &'a [i64];

    #[inline]
    fn run(&'a self, row: usize) -> &'a [i64] {
        self.from_row(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compare_whole_numbers_orders_as_text() {
        assert_eq!(9_i64.compare(10), Ordering::Greater);
        assert_eq!((-1_i64).compare(-10), Ordering::Less);
        assert_eq!(b"9"[..].cmp(b"10"), 9_i64.compare(10));
        assert_eq!(i64::MIN.text(), b"-9223372036854775808");
    }
}
