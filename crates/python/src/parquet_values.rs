//! The values of columns of Parquet files: numbers, texts, and the heads of runs of equal ids. A value that is not as it
//! should be is refused: a number that is not finite, a text that is no UTF-8, a place that the dictionary does not have.

use std::marker::PhantomData;

use rankgauge_core::ids::Ids;

use crate::parquet_chunks::Sink;
use crate::parquet_runs::Run;

/// How a number that is stored in `N` bytes becomes a value.
pub trait Conversion<const N: usize>: Send {
    type Value: Copy + Default + Send;

    fn convert(bytes: [u8; N]) -> Self::Value;

    /// Whether a value is finite and just what was stored.
    fn is_exact(value: Self::Value) -> bool;
}

/// Where the rows of a column go.
pub trait Target<T> {
    /// Room for the next rows.
    fn next(&mut self, count: usize) -> Option<&mut [T]>;
}

impl<T> Target<T> for &mut [T] {
    fn next(&mut self, count: usize) -> Option<&mut [T]> {
        let (next, rest) = std::mem::take(self).split_at_mut_checked(count)?;
        *self = rest;
        Some(next)
    }
}

impl<T: Copy + Default> Target<T> for Vec<T> {
    fn next(&mut self, count: usize) -> Option<&mut [T]> {
        let first = self.len();
        self.resize(first + count, T::default());
        Some(&mut self[first..])
    }
}

/// Numbers of `N` bytes, converted as they come.
pub struct Numbers<R, C: Conversion<N>, const N: usize> {
    pub rows: R,
    dictionary: Vec<C::Value>,
}

impl<R, C: Conversion<N>, const N: usize> Numbers<R, C, N> {
    pub fn new(rows: R) -> Self {
        Numbers { rows, dictionary: Vec::new() }
    }
}

/// Convert numbers; none if one is not exact.
fn convert<C: Conversion<N>, const N: usize>(stored: &[[u8; N]], values: &mut [C::Value]) -> Option<()> {
    values.iter_mut().zip(stored).for_each(|(value, &bytes)| *value = C::convert(bytes));
    values.iter().fold(true, |all, &value| all & C::is_exact(value)).then_some(())
}

impl<R: Target<C::Value>, C: Conversion<N>, const N: usize> Sink for Numbers<R, C, N> {
    fn dictionary(&mut self, bytes: &[u8], count: usize) -> Option<()> {
        let stored = values_of(bytes, count)?;
        self.dictionary = vec![C::Value::default(); count];
        convert::<C, N>(stored, &mut self.dictionary)
    }

    fn plain(&mut self, bytes: &[u8], count: usize) -> Option<()> {
        convert::<C, N>(values_of(bytes, count)?, self.rows.next(count)?)
    }

    fn coded(&mut self, run: Run<'_>) -> Option<()> {
        match run {
            Run::Same(place, count) => self.rows.next(count)?.fill(*self.dictionary.get(place as usize)?),
            Run::Various(places) => {
                for (row, &place) in self.rows.next(places.len())?.iter_mut().zip(places) {
                    *row = *self.dictionary.get(place as usize)?;
                }
            }
        }
        Some(())
    }
}

/// Bytes as so many values of `N` bytes.
fn values_of<const N: usize>(bytes: &[u8], count: usize) -> Option<&[[u8; N]]> {
    let (values, rest) = bytes.as_chunks::<N>();
    (values.len() == count && rest.is_empty()).then_some(values)
}

/// Texts end to end.
#[derive(Default)]
pub struct Texts {
    pub rows: Ids,
    spare: Ids,
    dictionary: Ids,
    /// How many bytes there may be once texts of the dictionary are written out.
    most: usize,
}

/// Texts of a dictionary that are longer on average are left to others, which do not write them out.
const LONGEST_CODED: usize = 64;
const FEW_BYTES: usize = 1 << 20;

impl Texts {
    /// Forget all texts, and keep the memory: so many others come.
    pub fn clear(&mut self, rows: usize) {
        self.rows.clear();
        self.dictionary.clear();
        self.most = rows.saturating_mul(LONGEST_CODED).saturating_add(FEW_BYTES);
    }

    /// Add texts of the dictionary.
    fn add(&mut self, places: impl Iterator<Item = u32>) -> Option<()> {
        for place in places {
            let place = Some(place as usize).filter(|&place| place < self.dictionary.len())?;
            let text = self.dictionary.get(place);
            if self.rows.byte_count() + text.len() > self.most {
                return None;
            }
            self.rows.push(text);
        }
        Some(())
    }

    /// Forget the first texts.
    pub fn forget(&mut self, count: usize) {
        self.spare.clear();
        self.spare.extend_from_rows(&self.rows, count..self.rows.len());
        std::mem::swap(&mut self.rows, &mut self.spare);
    }
}

impl Sink for Texts {
    fn dictionary(&mut self, bytes: &[u8], count: usize) -> Option<()> {
        each_text(bytes, count, |text| self.dictionary.push(text))?;
        self.dictionary.are_utf8().then_some(())
    }

    fn plain(&mut self, bytes: &[u8], count: usize) -> Option<()> {
        let first = self.rows.len();
        self.rows.reserve(count, bytes.len());
        let mut left = bytes;
        for _ in 0..count {
            let (length, rest) = left.split_first_chunk::<4>()?;
            let length = u32::from_le_bytes(*length) as usize;
            match rest.first_chunk::<SHORT>() {
                Some(first) if length <= SHORT => self.rows.push_within(first, length),
                _ => self.rows.push(rest.get(..length)?),
            }
            left = rest.get(length..)?;
        }
        (left.is_empty() && self.rows.are_utf8_from(first)).then_some(())
    }

    fn coded(&mut self, run: Run<'_>) -> Option<()> {
        match run {
            Run::Same(place, count) => self.add(std::iter::repeat_n(place, count)),
            Run::Various(places) => self.add(places.iter().copied()),
        }
    }
}

/// Texts of up to so many bytes are copied as such.
const SHORT: usize = 16;

fn each_text<'a>(mut bytes: &'a [u8], count: usize, mut visit: impl FnMut(&'a [u8])) -> Option<()> {
    for _ in 0..count {
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        visit(text);
        bytes = rest;
    }
    bytes.is_empty().then_some(())
}

/// Where each run of rows with the same id begins, and which of the distinct ids it has.
#[derive(Default)]
pub struct Heads<I> {
    pub ids: I,
    /// The place of an id, and a row.
    pub heads: Vec<(u32, u32)>,
    rows: u32,
    /// How many of the ids are those of the dictionary; those of plain pages follow.
    coded: usize,
}

impl<I> Heads<I> {
    fn add(&mut self, place: u32, rows: usize) {
        if self.heads.last().is_none_or(|&(last, _)| last != place) {
            self.heads.push((place, self.rows));
        }
        self.rows += rows as u32;
    }

    fn add_coded(&mut self, run: Run<'_>) -> Option<()> {
        let known = self.coded;
        match run {
            Run::Same(place, count) => {
                self.add(place, count);
                ((place as usize) < known).then_some(())
            }
            Run::Various(places) => {
                places.iter().for_each(|&place| self.add(place, 1));
                places.iter().all(|&place| (place as usize) < known).then_some(())
            }
        }
    }
}

impl Sink for Heads<Ids> {
    fn dictionary(&mut self, bytes: &[u8], count: usize) -> Option<()> {
        self.coded = count;
        each_text(bytes, count, |text| self.ids.push(text))?;
        self.ids.are_utf8().then_some(())
    }

    fn plain(&mut self, bytes: &[u8], count: usize) -> Option<()> {
        let first = self.ids.len();
        each_text(bytes, count, |text| {
            let last = self.heads.last().map(|&(place, _)| place);
            let place = last.filter(|&place| self.ids.get(place as usize) == text).unwrap_or_else(|| {
                self.ids.push(text);
                self.ids.len() as u32 - 1
            });
            self.add(place, 1);
        })?;
        self.ids.are_utf8_from(first).then_some(())
    }

    fn coded(&mut self, run: Run<'_>) -> Option<()> {
        self.add_coded(run)
    }
}

/// Where each run of rows with the same whole number begins, of numbers that are stored in `N` bytes.
pub struct NumberHeads<C, const N: usize> {
    pub heads: Heads<Vec<i64>>,
    conversion: PhantomData<C>,
}

impl<C, const N: usize> Default for NumberHeads<C, N> {
    fn default() -> Self {
        NumberHeads { heads: Heads::default(), conversion: PhantomData }
    }
}

impl<C: Conversion<N, Value = i64>, const N: usize> Sink for NumberHeads<C, N> {
    fn dictionary(&mut self, bytes: &[u8], count: usize) -> Option<()> {
        self.heads.ids = values_of(bytes, count)?.iter().map(|&stored| C::convert(stored)).collect();
        self.heads.coded = count;
        Some(())
    }

    fn plain(&mut self, bytes: &[u8], count: usize) -> Option<()> {
        let heads = &mut self.heads;
        for &stored in values_of(bytes, count)? {
            let number = C::convert(stored);
            let last = heads.heads.last().map(|&(place, _)| place);
            let place = last.filter(|&place| heads.ids[place as usize] == number).unwrap_or_else(|| {
                heads.ids.push(number);
                heads.ids.len() as u32 - 1
            });
            heads.add(place, 1);
        }
        Some(())
    }

    fn coded(&mut self, run: Run<'_>) -> Option<()> {
        self.heads.add_coded(run)
    }
}
