//! Where texts end that lie one after another: rising numbers in 32 bits each, however large they are.

use std::ops::Range;

/// How many low bits of each number are stored; `turns` has the rest.
const BITS: u32 = 32;

/// Rising numbers.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Ends {
    low: Vec<u32>,
    /// The places from which on the numbers have passed one more multiple of 2^32; few texts are so long together.
    turns: Vec<usize>,
}

impl Ends {
    /// Add a number that is no smaller than the one before.
    #[inline]
    pub fn push(&mut self, end: usize) {
        if turn(end) != self.turns.len() {
            self.turn_to(end);
        }
        self.low.push(end as u32);
    }

    #[cold]
    fn turn_to(&mut self, end: usize) {
        self.turns.resize(turn(end), self.low.len());
    }

    /// Add numbers, all of them larger by a base; `last` is the largest that comes of it.
    pub fn extend(&mut self, base: usize, ends: impl Iterator<Item = usize>, last: usize) {
        if turn(last) == self.turns.len() {
            self.low.extend(ends.map(|end| (base + end) as u32));
        } else {
            ends.for_each(|end| self.push(base + end));
        }
    }

    /// From the number before a place, or 0, to the number there.
    #[inline]
    pub fn range(&self, place: usize) -> Range<usize> {
        if self.turns.is_empty() {
            let start = if place == 0 { 0 } else { self.low[place - 1] as usize };
            start..self.low[place] as usize
        } else {
            self.turned_range(place)
        }
    }

    #[cold]
    fn turned_range(&self, place: usize) -> Range<usize> {
        let get = |place: usize| self.turned(place, self.low[place] as usize);
        let start = if place == 0 { 0 } else { get(place - 1) };
        start..get(place)
    }

    #[cold]
    fn turned(&self, place: usize, low: usize) -> usize {
        let turns = self.turns.partition_point(|&first| first <= place);
        ((turns as u64) << BITS) as usize + low
    }

    pub fn len(&self) -> usize {
        self.low.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let whole = |(place, &low): (usize, &u32)| {
            if self.turns.is_empty() { low as usize } else { self.turned(place, low as usize) }
        };
        self.low.iter().enumerate().map(whole)
    }

    /// Expect so many more.
    pub fn reserve(&mut self, count: usize) {
        self.low.reserve(count);
    }

    /// Forget all numbers, and keep the memory.
    pub fn clear(&mut self) {
        self.low.clear();
        self.turns.clear();
    }
}

/// How many multiples of 2^32 a number has passed.
#[inline]
fn turn(end: usize) -> usize {
    (end as u64 >> BITS) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const LARGE: usize = 1 << 32;

    #[test]
    fn ends_beyond_32_bits_are_read_back() {
        let numbers = [0, 7, LARGE - 1, LARGE, LARGE, LARGE + 7, 4 * LARGE, 4 * LARGE + 1, 5 * LARGE];
        let mut pushed = Ends::default();
        numbers.iter().for_each(|&number| pushed.push(number));
        assert_eq!(pushed.iter().collect::<Vec<_>>(), numbers);
        assert_eq!((pushed.range(0), pushed.range(3), pushed.range(6)), (0..0, LARGE - 1..LARGE, LARGE + 7..4 * LARGE));
        let mut extended = Ends::default();
        extended.extend(0, numbers[..3].iter().copied(), LARGE - 1);
        extended.extend(LARGE, numbers[3..].iter().map(|number| number - LARGE), 5 * LARGE);
        assert_eq!(extended, pushed);
        extended.extend(5 * LARGE, [1, 2].into_iter(), 5 * LARGE + 2);
        assert_eq!((extended.range(10), extended.len()), (5 * LARGE + 1..5 * LARGE + 2, 11));
        extended.clear();
        extended.push(3);
        assert_eq!((extended.range(0), extended.len()), (0..3, 1));
    }
}
