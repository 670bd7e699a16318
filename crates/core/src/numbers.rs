//! Numbers by row, in one or several pieces of memory: owned, or borrowed from another library.

use std::fmt;
use std::sync::Arc;

use rayon::prelude::*;

use crate::pieces::Starts;

/// Numbers that lie together in memory, whoever owns it.
pub type Piece<T> = Box<dyn AsRef<[T]> + Send + Sync>;

/// How many numbers are worth a task.
const AT_ONCE: usize = 1 << 16;

/// Numbers by row.
#[derive(Clone)]
pub struct Numbers<T> {
    pieces: Arc<Vec<Piece<T>>>,
    starts: Arc<Starts>,
}

impl<T: Copy> Numbers<T> {
    pub fn new(pieces: Vec<Piece<T>>) -> Self {
        let starts = Starts::new(pieces.iter().map(|piece| (**piece).as_ref().len()));
        Numbers { pieces: Arc::new(pieces), starts: Arc::new(starts) }
    }

    pub fn len(&self) -> usize {
        self.starts.rows()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers from a row on that lie together with it.
    #[inline]
    pub fn from_row(&self, row: usize) -> &[T] {
        self.starts.find(row).map_or(&[], |(piece, place)| &(*self.pieces[piece]).as_ref()[place..])
    }

    #[inline]
    pub fn get(&self, row: usize) -> T {
        self.from_row(row)[0]
    }

    pub fn iter(&self) -> impl Iterator<Item = T> {
        self.pieces.iter().flat_map(|piece| (**piece).as_ref().iter().copied())
    }
}

impl<T: Copy + Default + Send + Sync + 'static> Numbers<T> {
    /// The same numbers in one piece.
    pub fn end_to_end(self) -> Self {
        if self.pieces.len() <= 1 { self } else { self.copied() }
    }

    /// A copy in one piece, which nobody else can change.
    pub fn copied(&self) -> Self {
        let mut all = vec![T::default(); self.len()];
        let mut left = &mut all[..];
        let mut tasks = Vec::new();
        for source in self.pieces.iter().flat_map(|piece| (**piece).as_ref().chunks(AT_ONCE)) {
            let (target, rest) = left.split_at_mut(source.len());
            tasks.push((target, source));
            left = rest;
        }
        // The threads share the cost of memory that is touched for the first time.
        match &mut tasks[..] {
            [(target, source)] => target.copy_from_slice(source),
            several => several.par_iter_mut().for_each(|(target, source)| target.copy_from_slice(source)),
        }
        all.into()
    }
}

impl<T: Copy + Send + Sync + 'static> From<Vec<T>> for Numbers<T> {
    fn from(numbers: Vec<T>) -> Self {
        Numbers::new(vec![Box::new(numbers)])
    }
}

impl<T: Copy> fmt::Debug for Numbers<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} numbers", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_pieces_are_those_of_one() {
        let pieces: Vec<Piece<i64>> = vec![Box::new(vec![1, 2]), Box::new(vec![]), Box::new(vec![3; AT_ONCE + 1])];
        let numbers = Numbers::new(pieces);
        assert_eq!(
            (numbers.get(0), numbers.get(2), numbers.from_row(1), numbers.from_row(9 * AT_ONCE)),
            (1, 3, &[2][..], &[][..])
        );
        let whole = numbers.clone().end_to_end();
        assert_eq!(whole.from_row(0), numbers.iter().collect::<Vec<i64>>());
        assert_eq!((whole.len(), Numbers::<i64>::new(Vec::new()).end_to_end().is_empty()), (AT_ONCE + 3, true));
    }
}
