//! The values of a column of a Parquet row group, page by page: those that are there in every row, in the encodings that
//! most writers use. What is unpacked stays in the cache, and goes from there to where it is needed.

use std::cell::RefCell;
use std::io::Read;

use flate2::read::MultiGzDecoder;
use parquet::basic::Compression;
use rankgauge_core::ids::Ids;
use zstd::bulk::Decompressor;

use crate::parquet_files::{Leaf, Source};
use crate::parquet_pages::{DATA_PAGE, DICTIONARY_PAGE, PLAIN, PLAIN_DICTIONARY, Page, RLE, RLE_DICTIONARY, next_page};
use crate::parquet_runs::{Run, all_set, each_run};

/// What takes the values of a column. None is given where a value is not as it should be.
pub trait Sink {
    /// The values of the dictionary, one after another.
    fn dictionary(&mut self, bytes: &[u8], count: usize) -> Option<()>;

    /// Values one after another.
    fn plain(&mut self, bytes: &[u8], count: usize) -> Option<()>;

    /// Values of the dictionary, by their places in it.
    fn coded(&mut self, run: Run<'_>) -> Option<()>;
}

/// The buffers of a thread, kept from one column to the next.
#[derive(Default)]
struct Buffers {
    packed: Vec<u8>,
    unpacked: Vec<u8>,
    zstd: Decompressor<'static>,
}

/// A buffer that is longer is not kept.
const MOST_KEPT: usize = 1 << 22;
/// A page that claims more is left to others: a buffer is as long as a page says.
const LARGEST_PAGE: u64 = 1 << 26;

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// A column of a row group, as the file describes it.
#[derive(Clone, Copy)]
pub struct Chunk<'a> {
    pub source: &'a Source,
    pub group: usize,
    pub leaf: Leaf,
    pub rows: usize,
}

impl Chunk<'_> {
    /// Give the values of all rows to a sink, and return how many bytes the pages claim; none if there is anything that
    /// is not expected: a missing value, another codec or encoding, or bytes that are not what they say.
    pub fn read(self, sink: &mut impl Sink) -> Option<u64> {
        BUFFERS.with(|buffers| {
            let buffers = &mut *buffers.try_borrow_mut().ok()?;
            let claimed = self.read_with(buffers, sink);
            for buffer in [&mut buffers.packed, &mut buffers.unpacked] {
                if buffer.len() > MOST_KEPT {
                    *buffer = Vec::new();
                }
            }
            claimed
        })
    }

    fn read_with(self, buffers: &mut Buffers, sink: &mut impl Sink) -> Option<u64> {
        let Buffers { packed, unpacked, zstd } = buffers;
        let (start, length) = self.source.range(self.group, self.leaf).ok()?;
        let packed = prefix(packed, length);
        self.source.fill(start, packed).ok()?;
        let mut column = &*packed;
        let (mut claimed, mut rows, mut may_be_coded) = (0_u64, 0, false);
        while !column.is_empty() {
            let page = next_page(&mut column, self.leaf.pages).ok()?;
            page.require_checksum().ok()?;
            claimed = claimed.saturating_add(page.claimed());
            let bytes = self.unpack(&page, unpacked, zstd)?;
            let count = usize::try_from(page.values).ok()?;
            // Values that take no bytes could be as many as a page says.
            if page.kind == DATA_PAGE && count > self.rows - rows {
                return None;
            }
            match (page.kind, page.encoding) {
                (DICTIONARY_PAGE, _) if rows == 0 && !may_be_coded => {
                    sink.dictionary(bytes, count)?;
                    may_be_coded = true;
                }
                (DATA_PAGE, PLAIN) => sink.plain(self.present(&page, bytes, count)?, count)?,
                (DATA_PAGE, PLAIN_DICTIONARY | RLE_DICTIONARY) if may_be_coded => {
                    let (&width, places) = self.present(&page, bytes, count)?.split_first()?;
                    each_run(places, usize::from(width), count, |run| sink.coded(run))?;
                }
                _ => return None,
            }
            if page.kind == DATA_PAGE {
                rows += count;
            }
        }
        (rows == self.rows).then_some(claimed)
    }

    fn unpack<'a>(
        self,
        page: &Page<'a>,
        buffer: &'a mut Vec<u8>,
        zstd: &mut Decompressor<'static>,
    ) -> Option<&'a [u8]> {
        if page.unpacked > LARGEST_PAGE {
            return None;
        }
        let length = page.unpacked as usize;
        let codec = self.source.metadata.metadata().row_group(self.group).column(self.leaf.index).compression();
        let written = match codec {
            Compression::UNCOMPRESSED => return (page.body.len() == length).then_some(page.body),
            Compression::ZSTD(_) => zstd.decompress_to_buffer(page.body, prefix(buffer, length)).ok()?,
            Compression::GZIP(_) => gunzip(page.body, prefix(buffer, length))?,
            Compression::SNAPPY => snap::raw::Decoder::new().decompress(page.body, prefix(buffer, length)).ok()?,
            _ => return None,
        };
        (written == length).then(|| &buffer[..length])
    }

    /// The values of a page after the levels, which must say that none is missing.
    fn present<'a>(self, page: &Page<'_>, bytes: &'a [u8], count: usize) -> Option<&'a [u8]> {
        if self.source.metadata.parquet_schema().column(self.leaf.index).max_def_level() == 0 {
            return Some(bytes);
        }
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        let (levels, values) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        (page.levels == RLE && all_set(levels, count)).then_some(values)
    }
}

/// Unpack a page of gzip that has just so many bytes. Its checksum is compared where it ends, so it is read to the end.
fn gunzip(packed: &[u8], unpacked: &mut [u8]) -> Option<usize> {
    let mut reader = MultiGzDecoder::new(packed);
    reader.read_exact(unpacked).ok()?;
    (reader.read(&mut [0]).ok()? == 0).then_some(unpacked.len())
}

/// The first bytes of a buffer, which grows if it has to.
fn prefix(buffer: &mut Vec<u8>, length: usize) -> &mut [u8] {
    if buffer.len() < length {
        buffer.resize(length, 0);
    }
    &mut buffer[..length]
}

/// Numbers of `N` bytes, converted as they come.
pub struct Numbers<'a, T, const N: usize, F> {
    rows: &'a mut [T],
    convert: F,
    dictionary: Vec<T>,
}

impl<'a, T, const N: usize, F> Numbers<'a, T, N, F> {
    pub fn new(rows: &'a mut [T], convert: F) -> Self {
        Numbers { rows, convert, dictionary: Vec::new() }
    }

    fn next(&mut self, count: usize) -> Option<&'a mut [T]> {
        let (next, rest) = std::mem::take(&mut self.rows).split_at_mut_checked(count)?;
        self.rows = rest;
        Some(next)
    }
}

impl<T: Copy, const N: usize, F: Fn([u8; N]) -> T> Sink for Numbers<'_, T, N, F> {
    fn dictionary(&mut self, bytes: &[u8], count: usize) -> Option<()> {
        self.dictionary = values_of(bytes, count)?.iter().map(|&value| (self.convert)(value)).collect();
        Some(())
    }

    fn plain(&mut self, bytes: &[u8], count: usize) -> Option<()> {
        let values = values_of(bytes, count)?;
        let rows = self.next(count)?;
        rows.iter_mut().zip(values).for_each(|(row, &value)| *row = (self.convert)(value));
        Some(())
    }

    fn coded(&mut self, run: Run<'_>) -> Option<()> {
        match run {
            Run::Same(place, count) => self.next(count)?.fill(*self.dictionary.get(place as usize)?),
            Run::Various(places) => {
                for (row, &place) in self.next(places.len())?.iter_mut().zip(places) {
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

    pub fn are_utf8(&self) -> bool {
        self.rows.are_utf8() && self.dictionary.are_utf8()
    }
}

impl Sink for Texts {
    fn dictionary(&mut self, bytes: &[u8], count: usize) -> Option<()> {
        each_text(bytes, count, |text| self.dictionary.push(text))
    }

    fn plain(&mut self, bytes: &[u8], count: usize) -> Option<()> {
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
        left.is_empty().then_some(())
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
        each_text(bytes, count, |text| self.ids.push(text))
    }

    fn plain(&mut self, bytes: &[u8], count: usize) -> Option<()> {
        each_text(bytes, count, |text| {
            let last = self.heads.last().map(|&(place, _)| place);
            let place = last.filter(|&place| self.ids.get(place as usize) == text).unwrap_or_else(|| {
                self.ids.push(text);
                self.ids.len() as u32 - 1
            });
            self.add(place, 1);
        })
    }

    fn coded(&mut self, run: Run<'_>) -> Option<()> {
        self.add_coded(run)
    }
}

/// Whole numbers of `N` bytes as ids.
pub struct NumberHeads<const N: usize, F> {
    pub found: Heads<Vec<i64>>,
    convert: F,
}

impl<const N: usize, F> NumberHeads<N, F> {
    pub fn new(convert: F) -> Self {
        NumberHeads { found: Heads::default(), convert }
    }
}

impl<const N: usize, F: Fn([u8; N]) -> i64> Sink for NumberHeads<N, F> {
    fn dictionary(&mut self, bytes: &[u8], count: usize) -> Option<()> {
        self.found.ids = values_of(bytes, count)?.iter().map(|&value| (self.convert)(value)).collect();
        self.found.coded = count;
        Some(())
    }

    fn plain(&mut self, bytes: &[u8], count: usize) -> Option<()> {
        for &value in values_of(bytes, count)? {
            let number = (self.convert)(value);
            let last = self.found.heads.last().map(|&(place, _)| place);
            let place = last.filter(|&place| self.found.ids[place as usize] == number).unwrap_or_else(|| {
                self.found.ids.push(number);
                self.found.ids.len() as u32 - 1
            });
            self.found.add(place, 1);
        }
        Some(())
    }

    fn coded(&mut self, run: Run<'_>) -> Option<()> {
        self.found.add_coded(run)
    }
}
