//! A ranking evaluated as its file is read: memory grows with the longest ranking, not with the file.
//!
//! The file is cut into pieces where the query changes, and each piece is evaluated query by query on its own. A query
//! whose rows lie apart is noticed when the pieces come together; only such queries are read again.

use std::ops::Range;

use foldhash::fast::RandomState;
use hashbrown::HashSet;
use rayon::prelude::*;

use super::{Shape, Source, split_utf8};
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
const LONGEST_PIECE: usize = 1 << 21;

/// Evaluate a ranking straight from its text.
pub fn evaluate_ranking<'a>(
    judgments: &Table,
    source: impl Into<Source<'a>>,
    shape: impl Shape,
    plan: &Plan,
) -> Result<Evaluation, Error> {
    let source = source.into();
    let (judgments, items) = judgments.with_text_items();
    let judgments = Judgments { table: &judgments, items: &items };
    progress::begin(source.length());
    let state = RandomState::default();
    let mut pieces = read_pieces(judgments, (source, shape), plan, &state)?;
    let mut segments: Vec<Segment> = pieces.iter_mut().flat_map(|piece| std::mem::take(&mut piece.segments)).collect();
    segments.par_sort_by_key(|segment| segment.query); // stable: in the order of the file within a query
    let ignored = pieces.iter().flat_map(|piece| &piece.ignored).map(|query| &**query);
    let ignored: HashSet<&[u8], RandomState> = ignored.collect();
    if segments.is_empty() && ignored.is_empty() {
        return Err(Error::EmptyFile);
    }
    let groups: Vec<&[Segment]> = segments.chunk_by(|a, b| a.query == b.query).collect();
    let reread = reread_groups(judgments, (source, shape), &groups, plan, &state)?;
    let outcomes = groups.iter().zip(&reread).map(|(group, reread)| {
        let first = &group[0];
        let from_piece = || (&pieces[first.piece as usize].outcomes, first.outcome.unwrap_or(0) as usize);
        (first.query, reread.as_ref().map_or_else(from_piece, |outcomes| (outcomes, 0)))
    });
    let ranked = groups.len() + ignored.len();
    conclude(judgments.table, judgments.items, plan, outcomes, ranked, ignored.len())
}

/// Evaluate the queries of each piece.
fn read_pieces(
    judgments: Judgments<'_>,
    (source, shape): (Source<'_>, impl Shape),
    plan: &Plan,
    state: &RandomState,
) -> Result<Vec<Piece>, Error> {
    let size = (source.length() / (rayon::current_num_threads() * 8)).clamp(SHORTEST_PIECE, LONGEST_PIECE);
    let ends = cut(source, shape, size)?;
    let read = |buffer: &mut Vec<u8>, (number, ends): (usize, &[usize])| {
        let range = ends[0]..ends[1];
        let lines = source.get(range.clone(), buffer)?;
        let mut scratch = Scratch::new(plan, state.clone());
        let piece = Piece::read(judgments, (source, shape), number, (lines, range), plan, &mut scratch);
        progress::add(ends[1] - ends[0]);
        piece
    };
    // The buffer of a thread stays in the cache of its processor.
    let pieces: Vec<Result<Piece, Error>> = ends.par_windows(2).enumerate().map_init(Vec::new, read).collect();
    pieces.into_iter().collect()
}

/// The judgments, with the ids of their items as text like those of the file.
#[derive(Debug, Clone, Copy)]
struct Judgments<'a> {
    table: &'a Table,
    items: &'a Ids,
}

/// Offsets that cut the text into pieces of about `size`, each at a line where the query changes.
fn cut(source: Source<'_>, shape: impl Shape, size: usize) -> Result<Vec<usize>, Error> {
    let mut last = shape.start().min(source.length());
    let mut ends = vec![last];
    while last + size < source.length() {
        let start = source.next_line(last + size)?;
        let change = source.search(start, |bytes| {
            let mut lines = shape.rows(bytes, start).filter_map(Result::ok);
            let query = lines.next()?.query;
            lines.find(|line| line.query != query).map(|line| line.offset)
        })?;
        last = change.unwrap_or(source.length());
        ends.push(last);
    }
    if last < source.length() {
        ends.push(source.length());
    }
    Ok(ends)
}

/// Rows of one judged query that follow one another in the file.
#[derive(Debug)]
struct Segment {
    rows: Range<usize>,
    query: u32,
    piece: u32,
    /// Its index in the outcomes of the piece; none where the piece has earlier rows of the query, or where these rows
    /// alone gave an error, which all rows of the query may not give.
    outcome: Option<u32>,
}

/// The outcomes and queries of one piece of the file.
#[derive(Debug, Default)]
struct Piece {
    number: u32,
    segments: Vec<Segment>,
    outcomes: Outcomes,
    /// Queries without judgments.
    ignored: HashSet<Box<[u8]>, RandomState>,
    /// Judged queries met so far.
    met: HashSet<u32, RandomState>,
}

impl Piece {
    fn read<'a>(
        judgments: Judgments<'a>,
        (source, shape): (Source<'_>, impl Shape),
        number: usize,
        (lines, range): (&'a [u8], Range<usize>),
        plan: &Plan,
        scratch: &mut Scratch<&'a [u8]>,
    ) -> Result<Self, Error> {
        let (lines, error) = split_utf8(lines, range.start, source);
        let mut piece = Piece { number: number as u32, ..Piece::default() };
        let mut current: Option<&[u8]> = None;
        let mut judged = None;
        let mut start = range.start;
        for line in shape.rows(lines, range.start) {
            let line = line.map_err(|fault| fault.in_file(source))?;
            if current != Some(line.query) {
                piece.close(judgments, judged, start..line.offset, plan, scratch);
                (current, start) = (Some(line.query), line.offset);
                judged = judgments.table.find(line.query);
                if judged.is_none() && !piece.ignored.contains(line.query) {
                    piece.ignored.insert(line.query.into());
                }
            }
            if judged.is_some() {
                scratch.push_marked(line.item, line.value, line.mark);
            }
        }
        if let Some(error) = error {
            return Err(error);
        }
        piece.close(judgments, judged, start..range.end, plan, scratch);
        Ok(piece)
    }

    /// End the rows of a query: evaluate them, unless the query is already known to lie apart.
    fn close<'a>(
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

/// Evaluate again the queries whose rows lie apart; for these the whole text is read into memory.
fn reread_groups(
    judgments: Judgments<'_>,
    (source, shape): (Source<'_>, impl Shape),
    groups: &[&[Segment]],
    plan: &Plan,
    state: &RandomState,
) -> Result<Vec<Option<Outcomes>>, Error> {
    let is_complete = |group: &[Segment]| matches!(group, [Segment { outcome: Some(_), .. }]);
    if groups.iter().all(|group| is_complete(group)) {
        return Ok(groups.iter().map(|_| None).collect());
    }
    let mut buffer = Vec::new();
    let data = source.get(0..source.length(), &mut buffer)?;
    let read = |scratch: &mut Scratch<_>, group: &&[Segment]| match is_complete(group) {
        true => Ok(None),
        false => reread(judgments, (data, shape), group, plan, scratch).map(Some),
    };
    let outcomes: Vec<Result<_, Error>> =
        groups.par_iter().map_init(|| Scratch::new(plan, state.clone()), read).collect();
    outcomes.into_iter().collect()
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
            let line = line.map_err(|fault| fault.in_file(data.into()))?;
            scratch.push_marked(line.item, line.value, line.mark);
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
    fn cut_into_pieces_ends_each_where_the_query_changes() {
        let data: String = (0..300).map(|row| format!("q{} Q0 d{row} 1 {} t\n", row / 100, -row)).collect();
        let ends = cut(data.as_bytes().into(), RANKING, 100).unwrap();
        let starts: Vec<&str> = ends[..ends.len() - 1].iter().map(|&end| &data[end..end + 2]).collect();
        assert_eq!(starts, ["q0", "q1", "q2"]);
        assert_eq!(ends.last(), Some(&data.len()));
    }
}
