//! A whole text read into a table: pieces of it side by side, which are then put end to end.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::{Fault, Line, Shape, parse_number, shortened, split_utf8};
use crate::annotations::{Column, Kind};
use crate::digits::DigitMarks;
use crate::error::Error;
use crate::ids::Ids;
use crate::table::{Builder, Table};

/// Shorter pieces are not worth a task of their own.
const SHORTEST_PIECE: usize = 1 << 16;

/// Read a whole file into a table.
pub fn read(data: &[u8], shape: impl Shape) -> Result<Table, Error> {
    Ok(join(read_pieces(data, shape, None, piece_size(data))?).0.finish())
}

/// Read a whole file into a table, and the annotations of its rows.
pub fn read_annotated(data: &[u8], shape: impl Shape, kind: Kind) -> Result<(Table, Column), Error> {
    let (builder, entries) = join(read_pieces(data, shape, Some(kind), piece_size(data))?);
    Ok((builder.finish(), entries.column(kind)))
}

fn piece_size(data: &[u8]) -> usize {
    (data.len() / rayon::current_num_threads()).max(SHORTEST_PIECE)
}

/// Read pieces of about `size`. The error is that of the first bad line.
fn read_pieces(data: &[u8], shape: impl Shape, kind: Option<Kind>, size: usize) -> Result<Vec<Piece<'_>>, Error> {
    let ends = cut(data, shape.start().min(data.len()), size);
    let read = |ends: &[usize]| Piece::read(data, shape, ends[0]..ends[1], kind);
    let pieces: Vec<Result<Piece<'_>, Error>> = ends.par_windows(2).map(read).collect();
    let pieces = pieces.into_iter().collect::<Result<Vec<_>, _>>()?;
    if pieces.iter().all(|piece| piece.runs.is_empty()) { Err(Error::EmptyFile) } else { Ok(pieces) }
}

/// Offsets that cut the data from `start` on into pieces of about `size`, each at the start of a line.
fn cut(data: &[u8], start: usize, size: usize) -> Vec<usize> {
    let mut ends = vec![start];
    let mut last = start;
    while last + size < data.len() {
        let rest = &data[last + size..];
        last = memchr::memchr(b'\n', rest).map_or(data.len(), |newline| last + size + newline + 1);
        ends.push(last);
    }
    if last < data.len() {
        ends.push(data.len());
    }
    ends
}

/// The rows of a piece of a file.
#[derive(Default)]
struct Piece<'a> {
    /// The query of each run of rows, and where the run begins.
    runs: Vec<(&'a [u8], usize)>,
    items: Ids,
    values: Vec<f64>,
    marks: DigitMarks,
    annotations: Entries,
}

/// Annotations by row; subtopics are ids, the others numbers.
#[derive(Default)]
struct Entries {
    ids: Ids,
    numbers: Vec<f64>,
}

impl<'a> Piece<'a> {
    fn read(data: &'a [u8], shape: impl Shape, range: Range<usize>, kind: Option<Kind>) -> Result<Self, Error> {
        let (lines, error) = split_utf8(data, range.clone());
        let mut piece = Piece::default();
        let mut current: Option<&[u8]> = None;
        for line in shape.rows(lines, range.start) {
            let line = line.map_err(|fault| fault.in_file(data))?;
            if current != Some(line.query) {
                piece.runs.push((line.query, piece.values.len()));
                current = Some(line.query);
            }
            piece.items.push(line.item);
            piece.marks.push(piece.values.len(), line.mark);
            piece.values.push(line.value);
            if let Some(kind) = kind {
                piece.annotations.push(kind, &line).map_err(|fault| fault.in_file(data))?;
            }
        }
        error.map_or(Ok(piece), Err)
    }
}

impl Entries {
    fn push(&mut self, kind: Kind, line: &Line<'_>) -> Result<(), Fault> {
        if kind == Kind::Subtopic {
            self.ids.push(line.annotation);
            return Ok(());
        }
        let number = parse_number(line.annotation);
        let fault = || Fault::Value { offset: line.offset, got: shortened(line.annotation) };
        self.numbers.push(number.ok_or_else(fault)?);
        Ok(())
    }

    fn append(&mut self, other: Entries) {
        self.ids.append(other.ids);
        self.numbers.extend(other.numbers);
    }

    fn column(self, kind: Kind) -> Column {
        match kind {
            Kind::Subtopic => Column::Subtopics(Arc::new(self.ids)),
            Kind::Propensity => Column::Propensities(self.numbers.into()),
            Kind::Position => Column::Positions(self.numbers.into()),
        }
    }
}

/// Put pieces end to end.
fn join(pieces: Vec<Piece<'_>>) -> (Builder, Entries) {
    let (mut builder, mut annotations) = (Builder::default(), Entries::default());
    for piece in pieces {
        builder.append(&piece.runs, piece.items, piece.values, &piece.marks);
        annotations.append(piece.annotations);
    }
    (builder, annotations)
}

#[cfg(test)]
mod tests {
    use super::super::trec::{JUDGMENTS, RANKING, SUBTOPICS};
    use super::*;

    #[test]
    fn pieces_of_any_size_give_the_same_table() {
        let line = |row: usize| format!("q{} Q0 d{row} 1 {row} t\n", row / 7 % 5);
        let data: String = (0..200).map(line).collect();
        let whole = join(read_pieces(data.as_bytes(), RANKING, None, data.len()).unwrap()).0.finish();
        for size in [1, 10, 100, 1000] {
            let table = join(read_pieces(data.as_bytes(), RANKING, None, size).unwrap()).0.finish();
            assert_eq!(table.query_count(), whole.query_count());
            for query in 0..whole.query_count() as u32 {
                assert_eq!(table.query_id(query), whole.query_id(query));
                assert_eq!(table.text_rows(query), whole.text_rows(query));
                assert!(table.row_numbers(query).eq(whole.row_numbers(query)));
            }
        }
    }

    #[test]
    fn the_first_bad_line_is_reported_whichever_piece_it_is_in() {
        let mut data = "q 0 d 1\n".repeat(20);
        data += "q 0 d x\n";
        data += &"q 0 d 1\n".repeat(20);
        data += "q 0 d y\n";
        for size in [1, 64, 10_000] {
            let error = read_pieces(data.as_bytes(), JUDGMENTS, None, size).map(|_| ()).unwrap_err();
            assert_eq!(error, Error::BadValue { line: 21, got: "x".into() });
        }
    }

    #[test]
    fn annotations_are_read_with_the_rows() {
        let data = b"q s1 a 1\nq\ts2  b 0\n";
        let (table, column) = read_annotated(data, SUBTOPICS, Kind::Subtopic).unwrap();
        assert_eq!(table.text_rows(0), [(b"a".to_vec(), 1.0), (b"b".to_vec(), 0.0)]);
        let Column::Subtopics(ids) = column else { panic!("they are subtopics") };
        assert_eq!(ids.iter().collect::<Vec<_>>(), [b"s1", b"s2"]);
    }
}
