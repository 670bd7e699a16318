//! A whole text read into a table: pieces of it side by side, which are then put end to end.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::number::parse_number;
use super::{Fault, Line, Shape, Source, shortened, split_utf8};
use crate::annotations::{Column, Kind};
use crate::builder::Builder;
use crate::error::Error;
use crate::ids::Ids;
use crate::long_scores::DigitMarks;
use crate::table::{Table, require_row_numbers};

/// Shorter pieces are not worth a task of their own.
const SHORTEST_PIECE: usize = 1 << 16;
/// How much of a file is read at a time.
const BLOCK: usize = 1 << 20;

/// Read a whole text into a table.
pub fn read<'a>(source: impl Into<Source<'a>>, shape: impl Shape) -> Result<Table, Error> {
    let source = source.into();
    Ok(join(read_pieces(source, shape, None, piece_size(source))?).0.finish())
}

/// Read a whole text into a table, and the annotations of its rows.
pub fn read_annotated<'a>(
    source: impl Into<Source<'a>>,
    shape: impl Shape,
    kind: Kind,
) -> Result<(Table, Column), Error> {
    let source = source.into();
    let (builder, entries) = join(read_pieces(source, shape, Some(kind), piece_size(source))?);
    Ok((builder.finish(), entries.column(kind)))
}

fn piece_size(source: Source<'_>) -> usize {
    (source.length() / rayon::current_num_threads()).max(SHORTEST_PIECE)
}

/// Read pieces of about `size`. The error is that of the first bad line.
fn read_pieces(source: Source<'_>, shape: impl Shape, kind: Option<Kind>, size: usize) -> Result<Vec<Piece>, Error> {
    let ends = cut(source, shape.start().min(source.length())..source.length(), size)?;
    let read = |ends: &[usize]| Piece::read(source, shape, ends[0]..ends[1], kind);
    let pieces: Vec<Result<Piece, Error>> = ends.par_windows(2).map(read).collect();
    let pieces = pieces.into_iter().collect::<Result<Vec<_>, _>>()?;
    require_row_numbers(pieces.iter().map(|piece| piece.values.len()).sum())?;
    if pieces.iter().all(|piece| piece.starts.is_empty()) { Err(Error::EmptyFile) } else { Ok(pieces) }
}

/// Offsets that cut a range, which ends where a line does, into pieces of about `size`, each at the start of a line.
fn cut(source: Source<'_>, range: Range<usize>, size: usize) -> Result<Vec<usize>, Error> {
    let mut ends = vec![range.start];
    let mut last = range.start;
    while range.end - last > size {
        last = source.next_line(last + size)?.min(range.end);
        ends.push(last);
    }
    if last < range.end {
        ends.push(range.end);
    }
    Ok(ends)
}

/// The rows of a piece of a text.
#[derive(Default)]
struct Piece {
    /// The query of each run of rows, and where the run begins.
    queries: Ids,
    starts: Vec<usize>,
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

impl Piece {
    fn read(source: Source<'_>, shape: impl Shape, range: Range<usize>, kind: Option<Kind>) -> Result<Self, Error> {
        // The memory that a file is read into is used again: it stays in the cache of the processor.
        let size = if matches!(source, Source::Memory(_)) { range.len() } else { BLOCK };
        let (mut piece, mut buffer) = (Piece::default(), Vec::new());
        for ends in cut(source, range, size)?.windows(2) {
            let (lines, error) = split_utf8(source.get(ends[0]..ends[1], &mut buffer)?, ends[0], source);
            piece.lines(shape.rows(lines, ends[0]), kind).map_err(|fault| fault.in_file(source))?;
            if let Some(error) = error {
                return Err(error);
            }
        }
        Ok(piece)
    }

    fn lines<'a>(
        &mut self,
        lines: impl Iterator<Item = Result<Line<'a>, Fault>>,
        kind: Option<Kind>,
    ) -> Result<(), Fault> {
        let mut current: Option<&[u8]> = None;
        for line in lines {
            let line = line?;
            if current != Some(line.query) {
                self.queries.push(line.query); // perhaps once more at the start of a block
                self.starts.push(self.values.len());
                current = Some(line.query);
            }
            self.items.push(line.item);
            self.marks.push(self.values.len(), line.mark);
            self.values.push(line.value);
            if let Some(kind) = kind {
                self.annotations.push(kind, &line)?;
            }
        }
        Ok(())
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
fn join(pieces: Vec<Piece>) -> (Builder, Entries) {
    let (mut builder, mut annotations) = (Builder::default(), Entries::default());
    for piece in pieces {
        builder.append(piece.queries.iter().zip(piece.starts), piece.items, piece.values, &piece.marks);
        annotations.append(piece.annotations);
    }
    (builder, annotations)
}

#[cfg(test)]
mod tests {
    use super::super::trec::{JUDGMENTS, RANKING, SUBTOPICS};
    use super::*;

    #[test]
    fn read_pieces_of_any_size_gives_the_same_table() {
        let line = |row: usize| format!("q{} Q0 d{row} 1 {row} t\n", row / 7 % 5);
        let data: String = (0..200).map(line).collect();
        let whole = join(read_pieces(data.as_bytes().into(), RANKING, None, data.len()).unwrap()).0.finish();
        for size in [1, 10, 100, 1000] {
            let table = join(read_pieces(data.as_bytes().into(), RANKING, None, size).unwrap()).0.finish();
            assert_eq!(table.query_count(), whole.query_count());
            for query in 0..whole.query_count() as u32 {
                assert_eq!(table.query_id(query), whole.query_id(query));
                assert_eq!(table.text_rows(query), whole.text_rows(query));
                assert!(table.row_numbers(query).eq(whole.row_numbers(query)));
            }
        }
    }

    #[test]
    fn read_pieces_with_several_bad_lines_reports_the_first() {
        let mut data = "q 0 d 1\n".repeat(20);
        data += "q 0 d x\n";
        data += &"q 0 d 1\n".repeat(20);
        data += "q 0 d y\n";
        for size in [1, 64, 10_000] {
            let error = read_pieces(data.as_bytes().into(), JUDGMENTS, None, size).map(|_| ()).unwrap_err();
            assert_eq!(error, Error::BadValue { line: 21, got: "x".into() });
        }
    }

    #[test]
    fn read_annotated_with_subtopics_returns_rows_and_subtopics() {
        let data: &[u8] = b"q s1 a 1\nq\ts2  b 0\n";
        let (table, column) = read_annotated(data, SUBTOPICS, Kind::Subtopic).unwrap();
        assert_eq!(table.text_rows(0), [(b"a".to_vec(), 1.0), (b"b".to_vec(), 0.0)]);
        let Column::Subtopics(ids) = column else { panic!("they are subtopics") };
        assert_eq!(ids.iter().collect::<Vec<_>>(), [b"s1", b"s2"]);
    }
}
