//! A ranking evaluated as its file is read: memory grows with the longest ranking, not with the file.
//!
//! The file is cut into pieces where the query changes, and each piece is evaluated query by query on its own. A query
//! whose rows lie apart is noticed when the pieces come together; only such queries are read again.

use std::ops::Range;

use foldhash::fast::RandomState;
use hashbrown::HashSet;
use rayon::prelude::*;

use super::{Shape, split_utf8};
use crate::error::Error;
use crate::evaluate::conclude;
use crate::evaluation::Evaluation;
use crate::ids::Ids;
use crate::outcomes::Outcomes;
use crate::plan::Plan;
use crate::progress;
use crate::query::Scratch;
use crate::table::Table;

/// Shorter pieces cost more in scheduling than they gain; longer ones leave threads idle at the end.
const SHORTEST_PIECE: usize = 1 << 16;
const LONGEST_PIECE: usize = 1 << 22;

/// Evaluate a ranking straight from the bytes of its file.
pub fn evaluate_ranking(judgments: &Table, data: &[u8], shape: impl Shape, plan: &Plan) -> Result<Evaluation, Error> {
    let (judgments, items) = judgments.with_text_items();
    let judgments = Judgments { table: &judgments, items: &items };
    progress::begin(data.len());
    let state = RandomState::default();
    let size = (data.len() / (rayon::current_num_threads() * 8)).clamp(SHORTEST_PIECE, LONGEST_PIECE);
    let pieces: Vec<Result<Piece<'_>, Error>> = cut(data, shape, size)
        .par_windows(2)
        .enumerate()
        .map_init(
            || Scratch::new(plan, state.clone()),
            |scratch, (number, ends)| {
                let piece = Piece::read(judgments, (data, shape), number, ends[0]..ends[1], plan, scratch);
                progress::add(ends[1] - ends[0]);
                piece
            },
        )
        .collect();
    let mut pieces = pieces.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut segments: Vec<Segment> = pieces.iter_mut().flat_map(|piece| std::mem::take(&mut piece.segments)).collect();
    segments.par_sort_by_key(|segment| segment.query); // stable: in the order of the file within a query
    let ignored: HashSet<&[u8], RandomState> = pieces.iter().flat_map(|piece| &piece.ignored).copied().collect();
    if segments.is_empty() && ignored.is_empty() {
        return Err(Error::EmptyFile);
    }
    let groups: Vec<&[Segment]> = segments.chunk_by(|a, b| a.query == b.query).collect();
    let reread: Vec<Result<Option<Outcomes>, Error>> = groups
        .par_iter()
        .map_init(
            || Scratch::new(plan, state.clone()),
            |scratch, group| match group {
                [Segment { outcome: Some(_), .. }] => Ok(None),
                _ => reread(judgments, (data, shape), group, plan, scratch).map(Some),
            },
        )
        .collect();
    let reread = reread.into_iter().collect::<Result<Vec<_>, _>>()?;
    let known: Vec<(u32, (&Outcomes, usize))> = groups
        .iter()
        .zip(&reread)
        .map(|(group, again)| {
            let first = &group[0];
            let at_once = || (&pieces[first.piece as usize].outcomes, first.outcome.unwrap_or(0) as usize);
            (first.query, again.as_ref().map_or_else(at_once, |outcomes| (outcomes, 0)))
        })
        .collect();
    let ranked = known.len() + ignored.len();
    conclude(judgments.table, judgments.items, plan, known, ranked, ignored.len())
}

/// The judgments, with the ids of their items as text like those of the file.
#[derive(Debug, Clone, Copy)]
struct Judgments<'a> {
    table: &'a Table,
    items: &'a Ids,
}

/// Offsets that cut the file into pieces of about `size`, each at a line where the query changes.
fn cut(data: &[u8], shape: impl Shape, size: usize) -> Vec<usize> {
    let mut last = shape.start().min(data.len());
    let mut ends = vec![last];
    while last + size < data.len() {
        let middle = last + size;
        let start = memchr::memrchr(b'\n', &data[..middle]).map_or(0, |newline| newline + 1).max(last);
        let mut lines = shape.rows(&data[start..], start).filter_map(Result::ok);
        let query = lines.next().map(|line| line.query);
        last = lines.find(|line| Some(line.query) != query).map_or(data.len(), |line| line.offset);
        ends.push(last);
    }
    if last < data.len() {
        ends.push(data.len());
    }
    ends
}

/// Rows of one judged query that follow one another in the file.
#[derive(Debug)]
struct Segment {
    rows: Range<usize>,
    query: u32,
    piece: u32,
    /// Its place in the outcomes of the piece; none where the rows are known not to be all of the query, or where they
    /// alone gave an error that all of them may not give.
    outcome: Option<u32>,
}

/// The outcomes and queries of one piece of the file.
#[derive(Debug, Default)]
struct Piece<'a> {
    number: u32,
    segments: Vec<Segment>,
    outcomes: Outcomes,
    /// Queries without judgments.
    ignored: HashSet<&'a [u8], RandomState>,
    /// Judged queries met so far.
    met: HashSet<u32, RandomState>,
}

impl<'a> Piece<'a> {
    fn read(
        judgments: Judgments<'a>,
        (data, shape): (&'a [u8], impl Shape),
        number: usize,
        range: Range<usize>,
        plan: &Plan,
        scratch: &mut Scratch<&'a [u8]>,
    ) -> Result<Self, Error> {
        let (lines, error) = split_utf8(data, range.clone());
        let mut piece = Piece { number: number as u32, ..Piece::default() };
        let mut current: Option<&[u8]> = None;
        let mut judged = None;
        let mut start = range.start;
        scratch.clear();
        for line in shape.rows(lines, range.start) {
            let line = line.map_err(|fault| fault.in_file(data))?;
            if current != Some(line.query) {
                piece.close(judgments, judged, start..line.offset, plan, scratch);
                (current, start) = (Some(line.query), line.offset);
                judged = judgments.table.find(line.query);
                if judged.is_none() {
                    piece.ignored.insert(line.query);
                }
            }
            if judged.is_some() {
                scratch.push(line.item, line.value);
            }
        }
        if let Some(error) = error {
            return Err(error);
        }
        piece.close(judgments, judged, start..range.end, plan, scratch);
        Ok(piece)
    }

    /// End the rows of a query: evaluate them, unless the query is already known to lie apart.
    fn close(
        &mut self,
        judgments: Judgments<'a>,
        judged: Option<u32>,
        rows: Range<usize>,
        plan: &Plan,
        scratch: &mut Scratch<&'a [u8]>,
    ) {
        let Some(query) = judged else {
            return;
        };
        let mut outcome = None;
        if self.met.insert(query) {
            let index = self.outcomes.facts.len();
            let id = judgments.table.query_id(query);
            match scratch.evaluate(plan, id, judgments.table.rows(judgments.items, query), false, &mut self.outcomes) {
                Ok(()) => outcome = Some(index as u32),
                Err(_) => self.outcomes.truncate(index, plan),
            }
        }
        scratch.clear();
        self.segments.push(Segment { rows, query, piece: self.number, outcome });
    }
}

/// Evaluate a query from all its rows, wherever they lie.
fn reread<'a>(
    judgments: Judgments<'a>,
    (data, shape): (&'a [u8], impl Shape),
    segments: &[Segment],
    plan: &Plan,
    scratch: &mut Scratch<&'a [u8]>,
) -> Result<Outcomes, Error> {
    scratch.clear();
    for segment in segments {
        for line in shape.rows(&data[segment.rows.clone()], segment.rows.start) {
            let line = line.map_err(|fault| fault.in_file(data))?;
            scratch.push(line.item, line.value);
        }
    }
    let query = segments[0].query;
    let mut outcomes = Outcomes::default();
    scratch.evaluate(
        plan,
        judgments.table.query_id(query),
        judgments.table.rows(judgments.items, query),
        false,
        &mut outcomes,
    )?;
    Ok(outcomes)
}

#[cfg(test)]
mod tests {
    use super::super::trec::RANKING;
    use super::*;

    #[test]
    fn pieces_end_where_the_query_changes() {
        let data: String = (0..300).map(|row| format!("q{} Q0 d{row} 1 {} t\n", row / 100, -row)).collect();
        let ends = cut(data.as_bytes(), RANKING, 100);
        let starts: Vec<&str> = ends[..ends.len() - 1].iter().map(|&end| &data[end..end + 2]).collect();
        assert_eq!(starts, ["q0", "q1", "q2"]);
        assert_eq!(ends.last(), Some(&data.len()));
    }
}
