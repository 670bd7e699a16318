//! The lines of a TREC file, split into columns in one pass over the bytes.

/// The columns of a format: how many there are and which holds the value.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// The column of the value, counted from 0; query is 0 and item is 2.
    value: usize,
    columns: usize,
    /// Whether there may be more columns than these.
    open: bool,
}

/// `query iteration item grade`
pub const JUDGMENTS: Shape = Shape { value: 3, columns: 4, open: false };
/// `query Q0 item rank score tag`
pub const RANKING: Shape = Shape { value: 4, columns: 6, open: true };

/// A row and the offset of its line.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    pub query: &'a [u8],
    pub item: &'a [u8],
    pub value: f64,
    pub offset: usize,
}

/// What is wrong with a line, and its offset.
#[derive(Debug)]
pub enum Fault {
    Columns { offset: usize, got: usize },
    Value { offset: usize, got: String },
}

/// The rows of a piece of a file; comments and blank lines are passed over.
#[derive(Debug)]
pub struct Lines<'a> {
    data: &'a [u8],
    at: usize,
    base: usize,
    shape: Shape,
}

impl<'a> Lines<'a> {
    /// Read a piece that begins at `base` of the whole and at the start of a line.
    pub fn new(data: &'a [u8], base: usize, shape: Shape) -> Self {
        let at = if base == 0 && data.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Lines { data, at, base, shape }
    }

    #[inline]
    fn parse(&self, line: &'a [u8], offset: usize) -> Result<Option<Line<'a>>, Fault> {
        let mut columns = Columns { line, at: 0 };
        let query = columns.take();
        if query.is_empty() || query[0] == b'#' {
            return Ok(None);
        }
        columns.take();
        let item = columns.take();
        for _ in 3..self.shape.value {
            columns.take();
        }
        let text = columns.take();
        let complete = self.shape.columns == self.shape.value + 1 || !columns.take().is_empty();
        if text.is_empty() || !complete || !(self.shape.open || columns.take().is_empty()) {
            let count = Columns { line, at: 0 }.count();
            return Err(Fault::Columns { offset: self.base + offset, got: count });
        }
        match parse_number(text) {
            Some(value) => Ok(Some(Line { query, item, value, offset: self.base + offset })),
            None => Err(Fault::Value { offset: self.base + offset, got: String::from_utf8_lossy(text).into_owned() }),
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Result<Line<'a>, Fault>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        while self.at < self.data.len() {
            let start = self.at;
            let rest = &self.data[start..];
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            self.at = start + length + 1;
            match self.parse(&rest[..length], start) {
                Ok(None) => {}
                Ok(Some(line)) => return Some(Ok(line)),
                Err(fault) => return Some(Err(fault)),
            }
        }
        None
    }
}

/// A finite number, or nothing.
#[inline]
fn parse_number(text: &[u8]) -> Option<f64> {
    let text = text.strip_prefix(b"+").unwrap_or(text);
    let number: f64 = fast_float2::parse(text).ok()?;
    number.is_finite().then_some(number)
}

/// The columns of a line; empty when there is none left.
struct Columns<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Columns<'a> {
    #[inline]
    fn take(&mut self) -> &'a [u8] {
        let rest = &self.line[self.at.min(self.line.len())..];
        let blank = rest.iter().take_while(|byte| is_space(**byte)).count();
        let rest = &rest[blank..];
        let length = rest.iter().position(|byte| is_space(*byte)).unwrap_or(rest.len());
        self.at += blank + length;
        &rest[..length]
    }

    fn count(mut self) -> usize {
        std::iter::from_fn(|| Some(self.take()).filter(|column| !column.is_empty())).count()
    }
}

/// White space as in C: the space, and tab to carriage return.
#[inline]
fn is_space(byte: u8) -> bool {
    byte == b' ' || byte.wrapping_sub(b'\t') < 5
}
