//! Rows of a delimited file (CSV, TSV) without quotes, split into columns in one pass over the bytes.

mod block;

use self::block::Block;
use super::number::parse_marked;
use super::{Fault, Line, Shape, shortened};

/// How many columns may be wanted: query, item and value.
const PLAIN: usize = 3;
/// The same with the annotation.
const WITH_ANNOTATION: usize = 4;

/// Which columns matter; they are counted from 0.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    pub delimiter: u8,
    /// The fields of every line.
    pub columns: usize,
    pub query: usize,
    pub item: usize,
    /// None where only the order of the lines counts.
    pub value: Option<usize>,
    /// Read only where the layout is `Annotated`.
    pub annotation: Option<usize>,
    /// Whether the value is a rank, of which less is better.
    pub negated: bool,
    /// Where the rows begin in the file: after the header.
    pub start: usize,
}

impl Shape for Layout {
    type Rows<'a> = Rows<'a, PLAIN>;

    fn rows<'a>(&self, data: &'a [u8], base: usize) -> Self::Rows<'a> {
        Rows::new(data, base, *self)
    }

    fn start(&self) -> usize {
        self.start
    }
}

/// A layout of which the annotation is read too.
#[derive(Debug, Clone, Copy)]
pub struct Annotated(pub Layout);

impl Shape for Annotated {
    type Rows<'a> = Rows<'a, WITH_ANNOTATION>;

    fn rows<'a>(&self, data: &'a [u8], base: usize) -> Self::Rows<'a> {
        Rows::new(data, base, self.0)
    }

    fn start(&self) -> usize {
        self.0.start
    }
}

impl Layout {
    /// Whether a byte is white space around a field; the delimiter is not.
    #[inline(always)]
    fn is_blank(&self, byte: u8) -> bool {
        (byte == b' ' || byte == b'\t') && byte != self.delimiter
    }

    fn is_blank_line(&self, line: &[u8]) -> bool {
        line.iter().all(|&byte| self.is_blank(byte))
    }

    /// A field without the blanks around it; most have none.
    #[inline(always)]
    fn trimmed<'a>(&self, field: &'a [u8]) -> &'a [u8] {
        match (field.first(), field.last()) {
            (Some(&first), Some(&last)) if first > b' ' && last > b' ' => field,
            _ => self.trimmed_slowly(field),
        }
    }

    #[cold]
    fn trimmed_slowly<'a>(&self, field: &'a [u8]) -> &'a [u8] {
        let start = field.iter().position(|&byte| !self.is_blank(byte)).unwrap_or(field.len());
        let end = field.iter().rposition(|&byte| !self.is_blank(byte)).map_or(start, |last| last + 1);
        &field[start..end]
    }

    /// More is better, whatever the column says.
    #[inline(always)]
    fn oriented(&self, (value, mark): (f64, u64)) -> (f64, u64) {
        // Subtracted, so that 0 does not become -0.
        (if self.negated { 0.0 - value } else { value }, mark)
    }
}

/// A column that matters, in the order of the line.
#[derive(Debug, Clone, Copy, Default)]
struct FieldStep {
    /// Columns to pass over since the wanted column before it.
    gap: usize,
    /// 0 for the query, 1 for the item, 2 for the value, 3 for the annotation.
    slot: usize,
}

/// The rows of a piece of a file; blank lines are passed over.
#[derive(Debug)]
pub struct Rows<'a, const MOST: usize> {
    data: &'a [u8],
    position: usize,
    base: usize,
    layout: Layout,
    wanted: [FieldStep; MOST],
    wanted_count: usize,
    /// Columns after the last wanted one.
    rest: usize,
    block: Block,
}

impl<'a, const MOST: usize> Rows<'a, MOST> {
    /// Read a piece that begins at `base` of the whole and at the start of a line; the header is not in it.
    pub fn new(data: &'a [u8], base: usize, layout: Layout) -> Self {
        let annotation = layout.annotation.filter(|_| MOST == WITH_ANNOTATION);
        let wanted_columns = [Some(layout.query), Some(layout.item), layout.value, annotation].into_iter().zip(0..);
        let mut columns: Vec<(usize, usize)> =
            wanted_columns.filter_map(|(column, slot)| Some((column?, slot))).collect();
        columns.sort_unstable();
        let wanted_count = columns.len();
        let mut wanted = [FieldStep::default(); MOST];
        let mut next = 0_usize;
        for (wanted, &(column, slot)) in wanted.iter_mut().zip(&columns) {
            // A column that is wanted twice gets a gap that no line has, which leaves the lines to `any_line`.
            *wanted = FieldStep { gap: column.wrapping_sub(next), slot };
            next = column.saturating_add(1);
        }
        // So does a column that is not there.
        let rest = layout.columns.wrapping_sub(next);
        let block = Block::load(data, 0, layout.delimiter);
        Rows { data, position: 0, base, layout, wanted, wanted_count, rest, block }
    }

    /// The next line if it is a plain one, with the right number of columns, an id in each and a good number; most are.
    #[inline(always)]
    fn plain_line(&mut self) -> Option<Line<'a>> {
        let (data, start, layout) = (self.data, self.position, self.layout);
        let mut block = self.block;
        let mut fields = [&data[..0]; MOST];
        let mut last = 0;
        let mut position = start;
        for wanted in &self.wanted[..self.wanted_count] {
            if wanted.gap > 0 {
                position = block.pass(data, layout.delimiter, wanted.gap)?;
            }
            let end = block.field_end(data, layout.delimiter);
            // No such range where the line has already ended.
            fields[wanted.slot] = data.get(position..end)?;
            last = wanted.slot;
            position = end + 1;
        }
        let (newline, passed) = block.line_end(data, layout.delimiter);
        let ended = position > newline;
        if ended {
            fields[last] = without_returns(fields[last]);
        }
        let [query, item, text] = [fields[0], fields[1], fields[2]].map(|field| layout.trimmed(field));
        // The delimiter after the last wanted column, if there is one, is already passed.
        if passed + usize::from(!ended) != self.rest || query.is_empty() || item.is_empty() {
            return None;
        }
        let offset = self.base + start;
        let (value, mark) = match layout.value {
            Some(_) => layout.oriented(parse_marked(text)?),
            None => (by_order(offset), 0),
        };
        let annotation = match layout.annotation {
            Some(_) if MOST == WITH_ANNOTATION => {
                Some(layout.trimmed(fields[MOST - 1])).filter(|field| !field.is_empty())?
            }
            _ => &data[..0],
        };
        block.next_line();
        self.block = block;
        self.position = data.len().min(newline + 1);
        Some(Line { query, item, value, mark, annotation, offset })
    }

    /// The next line that is not blank, however it is written.
    #[cold]
    #[inline(never)]
    fn any_line(&mut self) -> Option<Result<Line<'a>, Fault>> {
        while self.position < self.data.len() {
            let rest = &self.data[self.position..];
            self.position += rest.iter().position(|&byte| byte != b'\n').unwrap_or(rest.len()); // quick where many are blank
            let start = self.position;
            let (line, length) = first_line(&self.data[start..]);
            self.position += length;
            if !self.layout.is_blank_line(line) {
                self.block = Block::load(self.data, self.position, self.layout.delimiter);
                return Some(self.parse(line, self.base + start));
            }
        }
        self.block = Block::load(self.data, self.position, self.layout.delimiter);
        None
    }

    fn parse(&self, line: &'a [u8], offset: usize) -> Result<Line<'a>, Fault> {
        let layout = self.layout;
        let got = 1 + memchr::memchr_iter(layout.delimiter, line).count();
        if got != layout.columns {
            return Err(Fault::Columns { offset, got });
        }
        let field = |column: usize| {
            let field = line.split(|&byte| byte == layout.delimiter).nth(column);
            let field = layout.trimmed(field.ok_or(Fault::Columns { offset, got })?);
            if field.is_empty() { Err(Fault::Empty { offset, column }) } else { Ok(field) }
        };
        let (query, item) = (field(layout.query)?, field(layout.item)?);
        let text = layout.value.map(field).transpose()?;
        let annotation = layout.annotation.filter(|_| MOST == WITH_ANNOTATION).map_or(Ok(&b""[..]), field)?;
        let (value, mark) = match text {
            None => (by_order(offset), 0),
            Some(text) => {
                let value = parse_marked(text).ok_or_else(|| Fault::Value { offset, got: shortened(text) })?;
                layout.oriented(value)
            }
        };
        Ok(Line { query, item, value, mark, annotation, offset })
    }
}

impl<'a, const MOST: usize> Iterator for Rows<'a, MOST> {
    type Item = Result<Line<'a>, Fault>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        match self.plain_line() {
            Some(line) => Some(Ok(line)),
            None => self.any_line(),
        }
    }
}

/// The fields of the first line that is not blank, and the offset of the line after it.
pub fn header(data: &[u8], delimiter: u8) -> (Vec<&[u8]>, usize) {
    let layout =
        Layout { delimiter, columns: 0, query: 0, item: 0, value: None, annotation: None, negated: false, start: 0 };
    let mut position = if data.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    while position < data.len() {
        let (line, length) = first_line(&data[position..]);
        position += length;
        if !layout.is_blank_line(line) {
            let fields = line.split(|&byte| byte == delimiter).map(|field| layout.trimmed(field));
            return (fields.collect(), position);
        }
    }
    (Vec::new(), position)
}

/// The value of a line where only the order of the lines counts: the first is the best.
#[inline(always)]
fn by_order(offset: usize) -> f64 {
    0.0 - offset as f64
}

/// The first line without its end, and its length with it.
fn first_line(data: &[u8]) -> (&[u8], usize) {
    let length = memchr::memchr(b'\n', data).unwrap_or(data.len());
    (without_returns(&data[..length]), data.len().min(length + 1))
}

/// The end of a line without carriage returns; some writers on Windows put two.
#[inline(always)]
fn without_returns(mut field: &[u8]) -> &[u8] {
    while let [before @ .., b'\r'] = field {
        field = before;
    }
    field
}

#[cfg(test)]
mod tests;
