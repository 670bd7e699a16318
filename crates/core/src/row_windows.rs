//! A ranking whose rows come in windows, each with all rows of some queries: memory grows with a window, not with the
//! ranking. Which queries there are, and where their rows are, is known before the first window.

use std::ops::Range;

use crate::error::Error;
use crate::evaluate::{Queries, common_queries, conclude, evaluate_pairs};
use crate::evaluation::Evaluation;
use crate::ids::{Ids, Interner};
use crate::items::{Column, Run};
use crate::outcomes::Outcomes;
use crate::plan::Plan;
use crate::query::Scratch;
use crate::table::Table;

/// The queries of a ranking in the order of their rows, which lie together by query.
#[derive(Debug)]
pub struct QueryRows {
    queries: Interner,
    /// Where the rows of each query begin; one more than there are queries.
    starts: Vec<usize>,
}

impl QueryRows {
    /// `runs` has the query of each run of rows and the row where it begins; none if the rows of a query lie apart.
    pub fn new(queries: Interner, runs: &[(u32, usize)], rows: usize) -> Option<Self> {
        // Queries are numbered as they first come, so each of them has the number of its run.
        let are_together = runs.len() == queries.ids().len();
        are_together.then(|| QueryRows { queries, starts: runs.iter().map(|&(_, row)| row).chain([rows]).collect() })
    }

    /// The ids of the queries.
    pub fn ids(&self) -> &Ids {
        self.queries.ids()
    }

    /// The number of a query, if there is one with that id.
    pub fn find(&self, id: &[u8]) -> Option<u32> {
        self.queries.find(id)
    }

    /// The rows of a query.
    pub fn of(&self, query: u32) -> Range<usize> {
        self.starts[query as usize]..self.starts[query as usize + 1]
    }

    /// The query that a row belongs to.
    pub fn query_at(&self, row: usize) -> u32 {
        self.starts.partition_point(|&start| start <= row).saturating_sub(1) as u32
    }

    /// The queries all of whose rows are among these.
    pub fn whole_within(&self, rows: &Range<usize>) -> Range<u32> {
        let first = self.starts.partition_point(|&start| start < rows.start);
        let end = self.starts.partition_point(|&start| start <= rows.end).saturating_sub(1);
        first as u32..end.max(first) as u32
    }

    /// The first judged queries, at most so many.
    pub fn first_judged(&self, judgments: &Table, most: usize) -> Vec<u32> {
        let queries = 0..self.query_count() as u32;
        queries.filter(|&query| judgments.find(self.query_id(query)).is_some()).take(most).collect()
    }
}

impl Queries for QueryRows {
    fn query_count(&self) -> usize {
        self.ids().len()
    }

    fn query_id(&self, query: u32) -> &[u8] {
        self.ids().get(query as usize)
    }

    fn find(&self, id: &[u8]) -> Option<u32> {
        self.queries.find(id)
    }
}

/// No judged query has this number.
const UNJUDGED: u32 = u32::MAX;

/// What evaluates the windows of a ranking; `judged` has the items of the judgments.
#[derive(Debug)]
pub struct Windows<'a, C> {
    judgments: &'a Table,
    judged: &'a C,
    plan: &'a Plan,
    rows: &'a QueryRows,
    /// The number of each ranked query among the judged ones.
    judged_queries: Vec<u32>,
}

/// The outcomes of the queries of a window.
#[derive(Debug)]
pub struct Evaluated {
    queries: Vec<u32>,
    pieces: Vec<Outcomes>,
}

impl<'a, C> Windows<'a, C> {
    pub fn new(judgments: &'a Table, judged: &'a C, plan: &'a Plan, rows: &'a QueryRows) -> Self {
        let mut judged_queries = vec![UNJUDGED; rows.query_count()];
        for (query, ranked_query) in common_queries(judgments, rows) {
            judged_queries[ranked_query as usize] = query;
        }
        Windows { judgments, judged, plan, rows, judged_queries }
    }

    /// Evaluate those queries of a window that are judged; each comes with its rows, as numbered in the window.
    ///
    /// Of several errors, it is not known which is that of the first query by id.
    pub fn evaluate<'w, W>(
        &'w self,
        queries: impl Iterator<Item = (u32, Range<usize>)>,
        items: &'w W,
        scores: &[f64],
    ) -> Result<Evaluated, Error>
    where
        C: Column<'w>,
        W: Column<'w, Item = C::Item>,
    {
        let judged = |(query, rows): (u32, Range<usize>)| (self.judged_queries[query as usize], rows);
        let (queries, rows): (Vec<u32>, Vec<Range<usize>>) =
            queries.map(judged).filter(|&(query, _)| query != UNJUDGED).unzip();
        let load = |index: u32, scratch: &mut Scratch<C::Item>| {
            let rows = rows[index as usize].clone();
            let run = items.run(rows.start);
            scratch.clear();
            scores[rows].iter().enumerate().for_each(|(place, &score)| scratch.push(run.item(place), score));
        };
        let pairs: Vec<(u32, u32)> = queries.iter().copied().zip(0..).collect();
        let pieces = evaluate_pairs(self.judgments, self.judged, load, self.plan, &pairs)?;
        Ok(Evaluated { queries, pieces })
    }

    /// Put the outcomes of all windows together.
    pub fn conclude<'w>(&'w self, windows: &'w [Evaluated]) -> Result<Evaluation, Error>
    where
        C: Column<'w>,
    {
        let of_window = |window: &'w Evaluated| {
            let pieces = window.pieces.iter();
            let places = pieces.flat_map(|piece| (0..piece.facts.len()).map(move |index| (piece, index)));
            window.queries.iter().copied().zip(places)
        };
        let known = windows.iter().flat_map(of_window);
        let ignored = self.rows.query_count() - windows.iter().map(|window| window.queries.len()).sum::<usize>();
        conclude(self.judgments, self.judged, self.plan, known, self.rows.query_count(), ignored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::evaluate_table;
    use crate::evaluation_header::Aggregate;
    use crate::plan::{Measure, Requested};
    use crate::table::Items;
    use crate::test_fixtures::{RULES, plan, table};

    const ROWS: [(&str, &str, f64); 6] =
        [("b", "x", 3.0), ("b", "y", 5.0), ("z", "x", 1.0), ("a", "z", 1.0), ("a", "x", 2.0), ("c", "y", 1.0)];

    fn query_rows(queries: &[&str]) -> Option<QueryRows> {
        let mut ids = Interner::default();
        let mut runs: Vec<(u32, usize)> =
            queries.iter().zip(0..).map(|(id, row)| (ids.intern(id.as_bytes()), row)).collect();
        runs.dedup_by_key(|&mut (query, _)| query);
        QueryRows::new(ids, &runs, queries.len())
    }

    #[test]
    fn query_rows_that_lie_apart_are_none() {
        assert!(query_rows(&["a", "b", "a"]).is_none());
        assert_eq!(query_rows(&["a", "a", "b"]).unwrap().of(1), 2..3);
    }

    #[test]
    fn query_rows_find_the_query_of_a_row_and_whole_queries() {
        let rows = query_rows(&["b", "b", "z", "a", "a", "c"]).unwrap();
        assert_eq!((0..6).map(|row| rows.query_at(row)).collect::<Vec<u32>>(), [0, 0, 1, 2, 2, 3]);
        let whole = [(0..6, 0..4), (1..5, 1..3), (1..2, 1..1), (3..4, 2..2), (2..3, 1..2), (4..6, 3..4)];
        for (within, expected) in whole {
            let found = rows.whole_within(&within);
            assert_eq!((found.is_empty(), found.len()), (expected.is_empty(), expected.len()), "{within:?}");
            assert!(found.is_empty() || found == expected, "{within:?}");
        }
    }

    #[test]
    fn windows_evaluate_as_the_whole_table() {
        let judgments = table(&[("a", "x", 2.0), ("b", "x", 1.0), ("b", "q", 1.0), ("c", "x", 1.0), ("d", "x", 1.0)]);
        let measure = Measure::Letters { count: 2 };
        let plan = plan(vec![Requested { measure, aggregate: Aggregate::Mean, skips: false }], RULES);
        let whole = evaluate_table(&judgments, &table(&ROWS), &plan).unwrap();
        let rows = query_rows(&ROWS.map(|(query, _, _)| query)).unwrap();
        let (judgments, judged) = judgments.with_text_items();
        let windows = Windows::new(&judgments, &*judged, &plan, &rows);
        for cuts in [vec![0, 6], vec![0, 2, 6], vec![0, 2, 3, 5, 6]] {
            let evaluate = |cut: &[usize]| {
                let part = table(&ROWS[cut[0]..cut[1]]);
                let Items::Text(items) = part.items() else { panic!("they are texts") };
                let whole = rows.whole_within(&(cut[0]..cut[1]));
                let queries = whole.map(|query| (query, rows.of(query).start - cut[0]..rows.of(query).end - cut[0]));
                let scores: Vec<f64> = ROWS[cut[0]..cut[1]].iter().map(|&(_, _, score)| score).collect();
                windows.evaluate(queries, &**items, &scores).unwrap()
            };
            let evaluated: Vec<Evaluated> = cuts.windows(2).map(evaluate).collect();
            assert_eq!(windows.conclude(&evaluated).unwrap(), whole, "{cuts:?}");
        }
    }
}
