//! The lines of a TREC file, split into columns in one pass over the bytes.

use wide::u8x16;

use super::number::{parse_marked, parse_number};
use super::{Fault, Line, Shape, has_bare_return, shortened};

/// The most columns that matter in any format.
const MOST_COLUMNS: usize = 6;

/// The columns of a format: how many there are, which holds the value, and whether column 1 is an annotation.
#[derive(Debug, Clone, Copy)]
pub struct Columns<const ANNOTATED: bool> {
    /// The column of the value, counted from 0; the query is 0 and the item 2.
    value: usize,
    columns: usize,
    /// Whether there may be more columns than these.
    open: bool,
}

const ITEM: usize = 2;

/// `query iteration item grade`
pub const JUDGMENTS: Columns<false> = Columns { value: 3, columns: 4, open: false };
/// `query subtopic item grade`
pub const SUBTOPICS: Columns<true> = Columns { value: 3, columns: 4, open: false };
/// `query Q0 item rank score tag`
pub const RANKING: Columns<false> = Columns { value: 4, columns: 6, open: true };

impl<const ANNOTATED: bool> Shape for Columns<ANNOTATED> {
    type Rows<'a> = Lines<'a, ANNOTATED>;

    fn rows<'a>(&self, data: &'a [u8], base: usize) -> Lines<'a, ANNOTATED> {
        Lines::new(data, base, *self)
    }
}

/// The rows of a piece of a file; comments and blank lines are passed over.
#[derive(Debug)]
pub struct Lines<'a, const ANNOTATED: bool> {
    data: &'a [u8],
    position: usize,
    base: usize,
    shape: Columns<ANNOTATED>,
    spaces: Spaces,
}

impl<'a, const ANNOTATED: bool> Lines<'a, ANNOTATED> {
    /// Read a piece that begins at `base` of the whole and at the start of a line.
    pub fn new(data: &'a [u8], base: usize, shape: Columns<ANNOTATED>) -> Self {
        let position = if base == 0 && data.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Lines { data, position, base, shape, spaces: Spaces::from(data, position) }
    }

    /// The next line if it is a plain one, with one white space after each column and a good number; most are.
    #[inline(always)]
    fn plain_line(&mut self) -> Option<Line<'a>> {
        let (data, start, columns) = (self.data, self.position, self.shape.columns);
        let mut spaces = self.spaces;
        let mut ends = [0; MOST_COLUMNS];
        for end in &mut ends[..columns] {
            *end = spaces.next(data)?;
        }
        let ends = &ends[..columns];
        let last = ends[columns - 1];
        let returned = data[last] == b'\r';
        let newline = if returned { spaces.next(data)? } else { last };
        let separated = ends[..columns - 1].iter().all(|&end| !matches!(data[end], b'\n' | b'\r'));
        let filled = ends[0] > start && ends.windows(2).all(|pair| pair[1] - pair[0] > 1);
        let ended = data[newline] == b'\n' && newline == last + usize::from(returned);
        if !separated || !filled || !ended || data[start] == b'#' {
            return None;
        }
        let (value, mark) = parse_marked(&data[ends[self.shape.value - 1] + 1..ends[self.shape.value]])?;
        self.position = newline + 1;
        self.spaces = spaces;
        let annotation = if ANNOTATED { &data[ends[0] + 1..ends[1]] } else { &data[..0] };
        let item = &data[ends[ITEM - 1] + 1..ends[ITEM]];
        Some(Line { query: &data[start..ends[0]], item, value, mark, annotation, offset: self.base + start })
    }

    /// The next line that is neither blank nor a comment, however it is written.
    #[cold]
    #[inline(never)]
    fn any_line(&mut self) -> Option<Result<Line<'a>, Fault>> {
        while self.position < self.data.len() {
            self.skip_blank_lines();
            let start = self.position;
            let query = self.column();
            let skipped = query.is_empty() || query[0] == b'#';
            let line = (!skipped).then(|| self.parse(query, start));
            let end = self.end_line();
            if line.is_some() {
                let fault = Fault::Return { offset: self.base + start };
                return if has_bare_return(&self.data[start..end]) { Some(Err(fault)) } else { line };
            }
        }
        None
    }

    /// Go to the start of the next line that has a column, or to the end: there may be millions of blank lines.
    fn skip_blank_lines(&mut self) {
        let rest = &self.data[self.position..];
        let blank = rest.iter().position(|&byte| !is_space(byte)).unwrap_or(rest.len());
        self.position += memchr::memrchr(b'\n', &rest[..blank]).map_or(0, |newline| newline + 1);
    }

    /// The next column of the line, empty at its end.
    fn column(&mut self) -> &'a [u8] {
        while self.position < self.data.len() && is_blank(self.data[self.position]) {
            self.position += 1;
        }
        let start = self.position;
        self.position = next_space(self.data, start);
        &self.data[start..self.position]
    }

    /// Go to the start of the next line, and return the end of this one.
    fn end_line(&mut self) -> usize {
        let rest = &self.data[self.position..];
        let end = self.position + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.position = (end + 1).min(self.data.len());
        end
    }

    /// The fault of a line that begins at `start`: its columns, counted.
    fn columns_fault(&mut self, start: usize) -> Fault {
        self.position = start;
        let got = std::iter::from_fn(|| Some(self.column()).filter(|column| !column.is_empty())).count();
        Fault::Columns { offset: self.base + start, got }
    }

    /// The columns after the query, which begins at `start`.
    fn parse(&mut self, query: &'a [u8], start: usize) -> Result<Line<'a>, Fault> {
        let offset = self.base + start;
        let iteration = self.column();
        let item = self.column();
        let annotation = if ANNOTATED { iteration } else { b"" };
        let rank = if self.shape.value > 3 { self.column() } else { b"" };
        let text = self.column();
        let complete = self.shape.columns == self.shape.value + 1 || !self.column().is_empty();
        if text.is_empty() || !complete || !(self.shape.open || self.column().is_empty()) {
            return Err(self.columns_fault(start));
        }
        // More columns are a tag with spaces, unless the rank is not a number: then the item has a space in it.
        if self.shape.open && parse_number(rank).is_none() && !self.column().is_empty() {
            return Err(self.columns_fault(start));
        }
        match parse_marked(text) {
            Some((value, mark)) => Ok(Line { query, item, value, mark, annotation, offset }),
            None => Err(Fault::Value { offset, got: shortened(text) }),
        }
    }
}

impl<'a, const ANNOTATED: bool> Iterator for Lines<'a, ANNOTATED> {
    type Item = Result<Line<'a>, Fault>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        match self.plain_line() {
            Some(line) => Some(Ok(line)),
            None => {
                let line = self.any_line();
                self.spaces = Spaces::from(self.data, self.position);
                line
            }
        }
    }
}

/// White space as in C: the space, and tab to carriage return.
#[inline(always)]
fn is_space(byte: u8) -> bool {
    byte == b' ' || byte.wrapping_sub(b'\t') < 5
}

/// White space within a line.
#[inline(always)]
fn is_blank(byte: u8) -> bool {
    byte != b'\n' && is_space(byte)
}

/// The offset of the next white space, or the end.
fn next_space(data: &[u8], position: usize) -> usize {
    data[position..].iter().position(|&byte| is_space(byte)).map_or(data.len(), |length| position + length)
}

/// Where white space is, found 64 bytes at a time and kept from line to line.
#[derive(Debug, Clone, Copy)]
struct Spaces {
    start: usize,
    /// A bit for each white space of the 64 bytes that is not passed yet.
    mask: u64,
}

impl Spaces {
    fn from(data: &[u8], position: usize) -> Self {
        let mask = data.get(position..).and_then(|rest| rest.first_chunk()).map_or(0, space_mask);
        Spaces { start: position, mask }
    }

    /// The offset of the next white space, which is passed; none near the end of the data.
    #[inline(always)]
    fn next(&mut self, data: &[u8]) -> Option<usize> {
        while self.mask == 0 {
            let start = self.start + 64;
            self.mask = space_mask(data.get(start..)?.first_chunk()?);
            self.start = start;
        }
        let position = self.start + self.mask.trailing_zeros() as usize;
        self.mask &= self.mask - 1;
        Some(position)
    }
}

/// A bit for each of 64 bytes that is white space.
#[inline(always)]
fn space_mask(bytes: &[u8; 64]) -> u64 {
    let (sixteens, _) = bytes.as_chunks::<16>();
    sixteens.iter().rev().fold(0, |mask, sixteen| {
        let lanes = u8x16::from(*sixteen);
        let spaces = lanes.simd_eq(u8x16::splat(b' ')) | (lanes - u8x16::splat(b'\t')).simd_le(u8x16::splat(4));
        mask << 16 | u64::from(spaces.to_bitmask())
    })
}
