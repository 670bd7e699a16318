//! Text files: TREC, columns with a delimiter, LETOR. Rows of one query may lie apart in all of them.

pub mod delimited;
pub mod letor;
mod number;
mod read;
mod source;
mod stream;
pub mod trec;

use std::io::Read;

use flate2::read::MultiGzDecoder;

use crate::error::Error;
use crate::utf8::valid_up_to;

pub use read::{read, read_annotated};
pub use source::{LONGEST_LINE, Source};
pub use stream::evaluate_ranking;

/// How the lines of a format are split into rows.
pub trait Shape: Copy + Sync {
    type Rows<'a>: Iterator<Item = Result<Line<'a>, Fault>>;

    /// The rows of a piece that begins at `base` of the whole and at the start of a line.
    fn rows<'a>(&self, data: &'a [u8], base: usize) -> Self::Rows<'a>;

    /// Where the rows begin in a file.
    fn start(&self) -> usize {
        0
    }
}

/// A row and the offset of its line.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    pub query: &'a [u8],
    pub item: &'a [u8],
    pub value: f64,
    /// A mark of the digits of the value, where they are more than a float has; else 0.
    pub mark: u64,
    /// Empty where the format has no column of annotations.
    pub annotation: &'a [u8],
    pub offset: usize,
}

/// What is wrong with a line, and its offset.
#[derive(Debug)]
pub enum Fault {
    Columns {
        offset: usize,
        got: usize,
    },
    Value {
        offset: usize,
        got: String,
    },
    /// A carriage return that ends no line.
    Return {
        offset: usize,
    },
    /// A column, counted from 0, without a value.
    Empty {
        offset: usize,
        column: usize,
    },
}

/// The beginning of a text, enough to recognise it by.
fn shortened(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

/// Check that gzipped bytes unpack to no more than that many, without keeping them.
pub fn check_unpacked(data: &mut dyn Read, limit: u64) -> Result<(), Error> {
    let result = std::io::copy(&mut MultiGzDecoder::new(data).take(limit.saturating_add(1)), &mut std::io::sink());
    let length = result.map_err(bad_gzip)?;
    if length > limit { Err(Error::TooMuch { limit }) } else { Ok(()) }
}

fn bad_gzip(error: std::io::Error) -> Error {
    Error::BadGzip { reason: error.to_string() }
}

/// How many bytes are read at a time where a text is not kept.
const GLIMPSE: usize = 1 << 18;

/// The length of the longest line of a text, whichever of a newline and a carriage return ends it, without keeping it.
pub fn longest_line(mut text: impl Read) -> Result<usize, Error> {
    let mut buffer = vec![0; GLIMPSE];
    let (mut begun, mut longest) = (0, 0);
    loop {
        let length = match text.read(&mut buffer) {
            Ok(0) => return Ok(longest.max(begun)),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            read => read.map_err(|error| Error::Unreadable { reason: error.to_string() })?,
        };
        let mut start = 0;
        for end in memchr::memchr2_iter(b'\n', b'\r', &buffer[..length]) {
            longest = longest.max(begun + end - start);
            (start, begun) = (end + 1, 0);
        }
        begun += length - start;
    }
}

/// The length of the longest line of a gzipped text that unpacks to no more than that many bytes.
pub fn longest_packed_line(data: &mut dyn Read, limit: u64) -> Result<usize, Error> {
    let mut text = MultiGzDecoder::new(data).take(limit.saturating_add(1));
    let longest = longest_line(&mut text).map_err(|error| match error {
        Error::Unreadable { reason } => Error::BadGzip { reason },
        other => other,
    })?;
    if text.limit() == 0 { Err(Error::TooMuch { limit }) } else { Ok(longest) }
}

/// Whether bytes are the beginning of a gzipped file.
pub fn is_gzip(data: &[u8]) -> bool {
    data.starts_with(&[0x1f, 0x8b])
}

/// Unpack bytes that are gzipped, if they are no more than that many then.
pub fn unpacked(data: &mut dyn Read, limit: u64) -> Result<Vec<u8>, Error> {
    let mut plain = Vec::new();
    MultiGzDecoder::new(data).take(limit.saturating_add(1)).read_to_end(&mut plain).map_err(bad_gzip)?;
    if plain.len() as u64 > limit { Err(Error::TooMuch { limit }) } else { Ok(plain) }
}

/// The first two lines, counted from 1, on which an item of a query stands: where an error came from.
pub fn find_lines(data: &[u8], shape: impl Shape, query: &[u8], item: &[u8]) -> Vec<usize> {
    let start = shape.start().min(data.len());
    let rows = shape.rows(&data[start..], start).filter_map(Result::ok);
    let matching = rows.filter(|row| row.query == query && row.item == item);
    matching.take(2).map(|row| Source::Memory(data).line_at(row.offset)).collect()
}

/// The lines of a piece, which begins at `base`, before its first line that is not UTF-8, and the error of that line.
///
/// Lines come before the error, so that the first bad line of a file is the one that is reported.
fn split_utf8<'a>(piece: &'a [u8], base: usize, source: Source<'_>) -> (&'a [u8], Option<Error>) {
    match valid_up_to(piece) {
        None => (piece, None),
        Some(valid) => {
            let start = memchr::memrchr(b'\n', &piece[..valid]).map_or(0, |newline| newline + 1);
            (&piece[..start], Some(Error::BadUtf8 { line: source.line_at(base + valid), byte: piece[valid] }))
        }
    }
}

/// Whether a line has a carriage return before its end: programs disagree on whether a line ends there.
fn has_bare_return(line: &[u8]) -> bool {
    let length = line.iter().rposition(|&byte| !matches!(byte, b'\r' | b'\n')).map_or(0, |last| last + 1);
    memchr::memchr(b'\r', &line[..length]).is_some()
}

impl Fault {
    fn in_file(self, source: Source<'_>) -> Error {
        let line = |offset| source.line_at(offset);
        match self {
            Fault::Columns { offset, got } => Error::BadColumns { line: line(offset), got },
            Fault::Value { offset, got } => Error::BadValue { line: line(offset), got },
            Fault::Return { offset } => Error::BareReturn { line: line(offset) },
            Fault::Empty { offset, column } => Error::EmptyField { line: line(offset), column },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::trec::{Columns, JUDGMENTS, RANKING};
    use super::*;
    use crate::table::Table;

    /// Query → rows of (item, value), by the bytewise order of the queries.
    pub(super) fn by_query(table: &Table) -> Vec<(String, Vec<(String, f64)>)> {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let queries = table.sorted().iter();
        queries
            .map(|&query| {
                let rows = table.text_rows(query).into_iter().map(|(item, value)| (text(&item), value)).collect();
                (text(table.query_id(query)), rows)
            })
            .collect()
    }

    fn rows(data: &str, shape: Columns<false>) -> Vec<(String, Vec<(String, f64)>)> {
        by_query(&read(data.as_bytes(), shape).unwrap())
    }

    #[test]
    fn read_with_any_white_space_comments_and_line_ends_finds_the_rows() {
        let data = "\u{feff}q1 0\td1  2\r\n# a comment\n\n  \t\nq1 0 d2 -1.5\n  # another\nq2\u{b}0\u{c}d1 1e-1";
        let expected = vec![
            ("q1".to_string(), vec![("d1".to_string(), 2.0), ("d2".to_string(), -1.5)]),
            ("q2".to_string(), vec![("d1".to_string(), 0.1)]),
        ];
        assert_eq!(rows(data, JUDGMENTS), expected);
    }

    #[test]
    fn read_of_a_ranking_ignores_ranks_and_accepts_tags_with_spaces() {
        let data = "q1 Q0 d1 7 +2.5 my run\nq1 Q0 d2 1 3 tag";
        let expected = vec![("q1".to_string(), vec![("d1".to_string(), 2.5), ("d2".to_string(), 3.0)])];
        assert_eq!(rows(data, RANKING), expected);
    }

    #[test]
    fn read_of_a_bad_line_names_the_line() {
        let fault = |data: &'static [u8], shape| read(data, shape).unwrap_err();
        assert_eq!(fault(b"q1 0 d1 1\nq1 0 d2", JUDGMENTS), Error::BadColumns { line: 2, got: 3 });
        assert_eq!(fault(b"q1 0 d1 1 5", JUDGMENTS), Error::BadColumns { line: 1, got: 5 });
        assert_eq!(fault(b"\n\nq Q0 d 1 nan t", RANKING), Error::BadValue { line: 3, got: "nan".into() });
        assert_eq!(fault(b"q Q0 d 1 1e999 t", RANKING), Error::BadValue { line: 1, got: "1e999".into() });
        assert_eq!(fault(b"q 0 d\xff 1", JUDGMENTS), Error::BadUtf8 { line: 1, byte: 0xff });
        assert_eq!(fault(b"# only a comment\n", JUDGMENTS), Error::EmptyFile);
    }

    #[test]
    fn read_with_a_carriage_return_inside_a_line_fails() {
        let fault = |data: &str, shape| read(data.as_bytes(), shape).unwrap_err();
        let padding = "q1 Q0 d1 1 0.5 t\n".repeat(9);
        for line in ["q\rQ0 d 1 2 t", "q Q0 d\r1 2 t", "q Q0 d 1 2\rt", "q Q0 d 1 2 t\rq Q0 e 2 1 t", "\rq Q0 d 1 2 t"]
        {
            for end in ["\n", "\r\n", "\r\r\n", ""] {
                let data = format!("{padding}{line}{end}{}", if end.is_empty() { "" } else { &padding });
                assert_eq!(fault(&data, RANKING), Error::BareReturn { line: 10 }, "{line:?} {end:?}");
            }
        }
        assert_eq!(fault("q 0\rd 1\n", JUDGMENTS), Error::BareReturn { line: 1 });
        assert_eq!(rows("q Q0 d 1 2 t\r\r\nq Q0 e 1 2 t\r", RANKING)[0].1.len(), 2);
    }

    #[test]
    fn longest_line_of_several_pieces_is_found_across_them() {
        let pieces: [&[u8]; 5] = [b"ab\nabc", b"de\r", b"\nabc", b"d\n", b"ab"];
        let text = pieces
            .into_iter()
            .fold(Box::new(std::io::empty()) as Box<dyn Read>, |all, piece| Box::new(all.chain(piece)));
        assert_eq!(longest_line(text), Ok(5));
        assert_eq!(longest_line(&b"\n\nabcd"[..]), Ok(4));
        assert_eq!(longest_line(&b""[..]), Ok(0));
    }

    #[test]
    fn longest_packed_line_of_a_text_beyond_the_limit_fails() {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, b"abc\nabcde").unwrap();
        let packed = packed.finish().unwrap();
        assert_eq!(longest_packed_line(&mut &packed[..], 9), Ok(5));
        assert_eq!(longest_packed_line(&mut &packed[..], 8), Err(Error::TooMuch { limit: 8 }));
        assert!(matches!(longest_packed_line(&mut &packed[..12], 9), Err(Error::BadGzip { .. })));
    }

    #[test]
    fn find_lines_of_an_item_returns_its_line_numbers() {
        let data = b"q1 0 d1 1\n\nq1 0 d2 1\nq1 0 d1 2\n";
        assert_eq!(find_lines(data, JUDGMENTS, b"q1", b"d1"), [1, 4]);
    }
}
