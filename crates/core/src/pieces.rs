//! Columns in pieces: which piece has a row, and the texts of all pieces end to end.

use rayon::prelude::*;

use crate::ids::Ids;

/// From so many rows on, pieces are worth a task each.
pub const WORTH_TASKS: usize = 1 << 16;

/// Write the texts of each piece, and put them end to end.
pub fn texts_end_to_end<P: Sync>(pieces: &[P], rows: impl Fn(&P) -> usize, texts: impl Fn(&P) -> Ids + Sync) -> Ids {
    let mut all = Ids::default();
    // A few pieces at a time: until they are put end to end, their texts are held twice.
    for some in pieces.chunks(2 * rayon::current_num_threads()) {
        let written: Vec<Ids> = match some.iter().map(&rows).sum() {
            0..WORTH_TASKS => some.iter().map(&texts).collect(),
            _ => some.par_iter().map(&texts).collect(),
        };
        written.into_iter().for_each(|each| all.append(each));
    }
    all
}

/// Where pieces begin that follow one another; one more than there are pieces.
#[derive(Debug, Clone)]
pub(crate) struct Starts(Vec<usize>);

impl Starts {
    pub(crate) fn new(lengths: impl Iterator<Item = usize>) -> Self {
        let mut starts = vec![0];
        starts.extend(lengths.scan(0, |end, length| {
            *end += length;
            Some(*end)
        }));
        Starts(starts)
    }

    /// How many rows all pieces have together.
    pub(crate) fn rows(&self) -> usize {
        self.0[self.0.len() - 1]
    }

    /// The piece that has a row and the place of the row in it; none behind the last row.
    #[inline]
    pub(crate) fn find(&self, row: usize) -> Option<(usize, usize)> {
        if row >= self.rows() {
            return None;
        }
        if self.0.len() == 2 {
            return Some((0, row));
        }
        // Pieces are mostly of one length, so that the first guess is about right.
        let guess = (row as u64 * (self.0.len() as u64 - 1) / self.rows() as u64) as usize;
        let is_in = |piece: usize| self.0[piece] <= row && row < self.0[piece + 1];
        let piece = match guess {
            _ if is_in(guess) => guess,
            _ if guess + 2 < self.0.len() && is_in(guess + 1) => guess + 1,
            _ if guess > 0 && is_in(guess - 1) => guess - 1,
            _ => self.0.partition_point(|&start| start <= row) - 1,
        };
        Some((piece, row - self.0[piece]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_with_pieces_of_any_length_find_every_row() {
        for lengths in [vec![], vec![0], vec![3], vec![1, 0, 5, 0, 0, 2], vec![100, 1, 1, 1], vec![1, 1, 1, 100, 0]] {
            let starts = Starts::new(lengths.iter().copied());
            let places = lengths.iter().enumerate().flat_map(|(piece, &rows)| (0..rows).map(move |row| (piece, row)));
            for (row, place) in places.enumerate() {
                assert_eq!(starts.find(row), Some(place), "{lengths:?} {row}");
            }
            assert_eq!((starts.find(starts.rows()), starts.rows()), (None, lengths.iter().sum()));
        }
    }
}
