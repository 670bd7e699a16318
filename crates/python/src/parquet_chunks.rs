//! A column of a Parquet row group, page by page: those with a value in every row, in the encodings that most writers
//! use. What is unpacked stays in the cache, and goes from there to where it is needed.

use std::cell::RefCell;
use std::io::Read;
use std::ops::Range;

use flate2::read::MultiGzDecoder;
use parquet::basic::Compression;
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

/// What a thread unpacks a page with, kept from one page to the next.
#[derive(Default)]
struct Unpacking {
    bytes: Vec<u8>,
    zstd: Decompressor<'static>,
}

/// A buffer that is longer is not kept.
const MOST_KEPT: usize = 1 << 22;
/// A page that claims more is left to others: a buffer is as long as a page says.
const LARGEST_PAGE: u64 = 1 << 26;
/// So many bytes of a column are read at a time, or more where a page is longer.
const BYTES_AT_ONCE: usize = 1 << 21;

thread_local! {
    static UNPACKING: RefCell<Unpacking> = RefCell::default();
}

/// A column of a row group, as the file describes it.
#[derive(Clone, Copy)]
pub struct Chunk<'a> {
    pub source: &'a Source,
    pub group: usize,
    pub leaf: Leaf,
    pub rows: usize,
}

impl<'a> Chunk<'a> {
    /// Give the values of all rows to a sink, and return how many bytes the pages claim; none if there is anything that
    /// is not expected: a missing value, another codec or encoding, or bytes that are not what they say.
    pub fn read(self, sink: &mut impl Sink) -> Option<u64> {
        let mut pages = self.pages(Vec::new())?;
        while !pages.are_read() {
            pages.read_next(sink)?;
        }
        pages.claimed_by_all()
    }

    /// The pages, to be read one after another into a buffer.
    pub fn pages(self, mut packed: Vec<u8>) -> Option<Pages<'a>> {
        let (start, length) = self.source.range(self.group, self.leaf).ok()?;
        let unread = start..start + length as u64;
        packed.clear();
        Some(Pages { chunk: self, packed, place: 0, unread, rows: 0, claimed: 0, may_be_coded: false })
    }

    fn unpack<'b>(self, page: &Page<'b>, unpacking: &'b mut Unpacking) -> Option<&'b [u8]> {
        if page.unpacked > LARGEST_PAGE {
            return None;
        }
        let Unpacking { bytes, zstd } = unpacking;
        let length = page.unpacked as usize;
        let codec = self.source.metadata.metadata().row_group(self.group).column(self.leaf.index).compression();
        let written = match codec {
            Compression::UNCOMPRESSED => return (page.body.len() == length).then_some(page.body),
            Compression::ZSTD(_) => zstd.decompress_to_buffer(page.body, prefix(bytes, length)).ok()?,
            Compression::GZIP(_) => gunzip(page.body, prefix(bytes, length))?,
            Compression::SNAPPY => snap::raw::Decoder::new().decompress(page.body, prefix(bytes, length)).ok()?,
            _ => return None,
        };
        (written == length).then(|| &bytes[..length])
    }

    /// The values of a page after the levels, which must say that none is missing.
    fn present<'b>(self, page: &Page<'_>, bytes: &'b [u8], count: usize) -> Option<&'b [u8]> {
        if self.source.metadata.parquet_schema().column(self.leaf.index).max_def_level() == 0 {
            return Some(bytes);
        }
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        let (levels, values) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        (page.levels == RLE && all_set(levels, count)).then_some(values)
    }
}

/// The pages of a column, as far as they are read.
pub struct Pages<'a> {
    chunk: Chunk<'a>,
    /// Bytes of the file; the next page begins at a place in them.
    packed: Vec<u8>,
    place: usize,
    /// Where the rest of the column lies in the file.
    unread: Range<u64>,
    rows: usize,
    claimed: u64,
    may_be_coded: bool,
}

impl Pages<'_> {
    pub fn are_read(&self) -> bool {
        self.place == self.packed.len() && self.unread.is_empty()
    }

    /// How many bytes the pages claim; none if they have other rows than the row group.
    pub fn claimed_by_all(&self) -> Option<u64> {
        (self.are_read() && self.rows == self.chunk.rows).then_some(self.claimed)
    }

    /// The buffer, to be used again.
    pub fn into_buffer(self) -> Vec<u8> {
        self.packed
    }

    /// Give the values of the next page to a sink, which may use no other threads.
    pub fn read_next(&mut self, sink: &mut (impl Sink + ?Sized)) -> Option<()> {
        UNPACKING.with(|unpacking| {
            let unpacking = &mut *unpacking.try_borrow_mut().ok()?;
            let read = self.read_with(unpacking, sink);
            if unpacking.bytes.len() > MOST_KEPT {
                unpacking.bytes = Vec::new();
            }
            read
        })
    }

    fn read_with(&mut self, unpacking: &mut Unpacking, sink: &mut (impl Sink + ?Sized)) -> Option<()> {
        self.require_page()?;
        let mut rest = &self.packed[self.place..];
        let page = next_page(&mut rest, self.chunk.leaf.pages).ok()?;
        page.require_checksum().ok()?;
        self.claimed = self.claimed.saturating_add(page.claimed());
        let bytes = self.chunk.unpack(&page, unpacking)?;
        let count = usize::try_from(page.values).ok()?;
        // Values that take no bytes could be as many as a page says.
        if page.kind == DATA_PAGE && count > self.chunk.rows - self.rows {
            return None;
        }
        match (page.kind, page.encoding) {
            (DICTIONARY_PAGE, _) if self.rows == 0 && !self.may_be_coded => {
                sink.dictionary(bytes, count)?;
                self.may_be_coded = true;
            }
            (DATA_PAGE, PLAIN) => sink.plain(self.chunk.present(&page, bytes, count)?, count)?,
            (DATA_PAGE, PLAIN_DICTIONARY | RLE_DICTIONARY) if self.may_be_coded => {
                let (&width, places) = self.chunk.present(&page, bytes, count)?.split_first()?;
                each_run(places, usize::from(width), count, |run| sink.coded(run))?;
            }
            _ => return None,
        }
        if page.kind == DATA_PAGE {
            self.rows += count;
        }
        self.place = self.packed.len() - rest.len();
        Some(())
    }

    /// Read of the file until the next page is there in whole.
    fn require_page(&mut self) -> Option<()> {
        while next_page(&mut &self.packed[self.place..], self.chunk.leaf.pages).is_err() {
            self.packed.drain(..self.place);
            self.place = 0;
            let left = self.unread.end - self.unread.start;
            let count = left.min(BYTES_AT_ONCE.max(self.packed.len()) as u64);
            if count == 0 {
                return None;
            }
            self.chunk.source.append(self.unread.start, count, &mut self.packed).ok()?;
            self.unread.start += count;
        }
        Some(())
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
