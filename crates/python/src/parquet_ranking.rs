//! A ranking in Parquet files whose rows lie together by query: it is evaluated as its pages are decoded, so that memory
//! grows with the queries and the longest of them, not with the rows.

use std::ops::Range;

use pyo3::prelude::*;
use rankgauge_core::evaluation::Evaluation;
use rankgauge_core::id_kinds::IdKind;
use rankgauge_core::ids::Interner;
use rankgauge_core::items::Column;
use rankgauge_core::plan::Plan;
use rankgauge_core::row_windows::{Evaluated, QueryRows, Windows};
use rankgauge_core::table::{Items, Table};
use rankgauge_core::{Side, progress};
use rayon::prelude::*;

use crate::errors::problem;
use crate::frames::{Roles, read_table};
use crate::parquet_batches::{Batches, count_at_once, size};
use crate::parquet_columns::{Columns, Queries, QueryRuns, WIDTH, has_plain_pages, row_count};
use crate::parquet_files::Group;
use crate::parquet_values::Texts;
use crate::parquet_windows::{Fragment, ItemRows, Pending, Spare, WholeItems};
use crate::streams::Stream;

/// A window has at least so many rows, if there are so many: enough to be worth its cost, few enough for the cache.
const ROWS_AT_ONCE: usize = 1 << 16;

/// Where a ranking is, and which queries it has.
#[derive(Debug)]
pub struct ParquetRanking {
    batches: Batches,
    /// The row groups, and the first row of each.
    groups: Vec<(Group, usize)>,
    roles: Roles,
    columns: Columns,
    rows: QueryRows,
    label: Option<String>,
}

impl ParquetRanking {
    /// Read the queries; none if the rows of one lie apart, or if there is anything else than ids and numbers. What is
    /// held may take so many bytes, and there must be so many rows.
    pub fn open(
        batches: Batches,
        roles: Roles,
        label: Option<String>,
        (most, least_rows): (u64, usize),
    ) -> Option<Self> {
        let columns = Columns::find(&batches, &roles)?;
        if row_count(&batches)? < least_rows || !batches.sources.iter().all(has_plain_pages) {
            return None;
        }
        progress::begin(batches.groups.iter().map(size).sum());
        let mut runs = QueryRuns::default();
        let mut groups = Vec::new();
        let mut left: &[Group] = &batches.groups.iter().copied().collect::<Vec<Group>>();
        while !left.is_empty() {
            let now;
            (now, left) = left.split_at(count_at_once(left, 2 * rayon::current_num_threads()));
            let read = |&group: &Group| {
                let chunk = Columns::chunk(&batches, group, columns.query);
                Queries::read(chunk, columns.query.1).map(|(queries, _)| (group, queries))
            };
            for (group, queries) in now.par_iter().map(read).collect::<Option<Vec<_>>>()? {
                groups.push((group, runs.rows));
                runs.add(&queries, group.rows);
            }
            // Where rows lie apart, there are far more runs than queries: they are not read to the end.
            if runs.size() > most || !runs.are_together() {
                return None;
            }
        }
        let count = runs.rows;
        let (queries, runs) = runs.into_parts(columns.kinds.queries);
        let rows = QueryRows::new(queries, &runs, count)?;
        let ranking = ParquetRanking { batches, groups, roles, columns, rows, label };
        (ranking.size() <= most).then_some(ranking)
    }

    /// About how many bytes are held: the queries, and the rows of those that lie in several row groups.
    pub fn size(&self) -> u64 {
        let (rows, bytes) = self
            .groups
            .iter()
            .fold((0, 0), |(rows, bytes), (group, _)| (rows + group.rows as u64, bytes + size(group) as u64));
        let divided: u64 = self.divided_queries().into_iter().map(|query| self.rows.of(query).len() as u64).sum();
        let row = 3 * WIDTH + bytes / rows.max(1);
        QueryRuns::size_of(self.rows.ids().len(), self.rows.ids().byte_count()) + divided * row
    }

    /// An error if a file was changed since it was opened.
    pub fn require_as_opened(&self, py: Python<'_>) -> PyResult<()> {
        if self.batches.are_as_opened() { Ok(()) } else { Err(self.changed(py)) }
    }

    fn changed(&self, py: Python<'_>) -> PyErr {
        let got = ("got", "a file that has changed since it was opened".to_string());
        problem(py, "unreadable-table", self.label.as_deref().unwrap_or(""), &[got])
    }

    /// Read all rows.
    pub fn table(&self, py: Python<'_>) -> PyResult<Table> {
        let stream = Stream::of_parquet(self.batches.reopen().ok_or_else(|| self.changed(py))?);
        let (table, _) =
            read_table(py, Bound::new(py, stream)?.as_any(), self.roles.clone(), Side::Ranking, self.label.as_deref())?;
        Ok(table)
    }

    /// Evaluate the rows as they are decoded; none where there is an error, which a table finds with its row.
    pub fn evaluate(&self, judgments: &Table, plan: &Plan) -> Option<Evaluation> {
        if !self.batches.are_as_opened() {
            return None;
        }
        progress::begin(self.groups.iter().map(|(group, _)| size(group)).sum());
        let evaluation = match self.columns.kinds.items {
            IdKind::Whole => {
                let judgments = judgments.with_whole_items()?;
                let Items::Whole(judged) = judgments.items() else { return None };
                self.evaluate_items::<WholeItems, _>(&Windows::new(&judgments, judged, plan, &self.rows))
            }
            _ => {
                let (judgments, judged) = judgments.with_text_items();
                self.evaluate_items::<Texts, _>(&Windows::new(&judgments, &*judged, plan, &self.rows))
            }
        };
        evaluation.filter(|_| self.batches.are_as_opened())
    }

    fn evaluate_items<R, C>(&self, windows: &Windows<'_, C>) -> Option<Evaluation>
    where
        R: ItemRows,
        C: for<'w> Column<'w, Item = <R::Column as Column<'w>>::Item>,
    {
        let spare = Spare::default();
        let evaluate = |&(group, first): &(Group, usize)| self.evaluate_group::<R, C>(windows, &spare, group, first);
        let groups = self.groups.par_iter().map(evaluate).collect::<Option<Vec<EvaluatedGroup<R>>>>()?;
        let (mut evaluated, mut divided, mut claimed) = (Vec::new(), Fragment::<R>::default(), 0_u64);
        for group in groups {
            evaluated.extend(group.windows);
            divided.append(group.divided);
            claimed = claimed.saturating_add(group.claimed);
        }
        let mut end = 0;
        let queries: Vec<(u32, Range<usize>)> = self
            .divided_queries()
            .into_iter()
            .map(|query| {
                let start = end;
                end += self.rows.of(query).len();
                (query, start..end)
            })
            .collect();
        if end != divided.scores.len() || claimed > self.batches.limit {
            return None;
        }
        evaluated.push(windows.evaluate(queries.into_iter(), &divided.items, &divided.scores).ok()?);
        windows.conclude(&evaluated).ok()
    }

    /// Evaluate the queries that lie within a row group, and keep the rows of the others.
    fn evaluate_group<R, C>(
        &self,
        windows: &Windows<'_, C>,
        spare: &Spare<R>,
        group: Group,
        first: usize,
    ) -> Option<EvaluatedGroup<R>>
    where
        R: ItemRows,
        C: for<'w> Column<'w, Item = <R::Column as Column<'w>>::Item>,
    {
        let (mut evaluated, mut divided) = (Vec::new(), Fragment::<R>::default());
        let all = first..first + group.rows;
        let visit = |rows: Range<usize>, items: &R, scores: &[f64]| {
            let query = self.rows.of(self.rows.query_at(rows.start));
            if !is_within(&query, &all) {
                let count = query.end.min(rows.end) - rows.start;
                divided.add(items, scores, 0..count);
                return Some(count);
            }
            let whole = self.rows.whole_within(&rows);
            let end = self.rows.of(whole.end.checked_sub(1)?).end;
            let queries = whole.map(|query| (query, moved(self.rows.of(query), rows.start)));
            evaluated.push(windows.evaluate(queries, items.column(), scores).ok()?);
            Some(end - rows.start)
        };
        let claimed = self.each_window(spare, (group, all.clone()), all.end, visit)?;
        progress::add(size(&group));
        Some(EvaluatedGroup { windows: evaluated, divided, claimed })
    }

    /// The rows of the first judged queries, at most so many queries, as a table.
    pub fn first_judged(&self, judgments: &Table, most: usize) -> Option<Table> {
        let queries = self.rows.first_judged(judgments, most);
        match self.columns.kinds.items {
            IdKind::Whole => self.table_of::<WholeItems>(&queries),
            _ => self.table_of::<Texts>(&queries),
        }
    }

    fn table_of<R: ItemRows>(&self, queries: &[u32]) -> Option<Table> {
        let wanted: Vec<Range<usize>> = queries.iter().map(|&query| self.rows.of(query)).collect();
        let mut taken = Fragment::<R>::default();
        for &(group, first) in &self.groups {
            let all = first..first + group.rows;
            let within: Vec<Range<usize>> = wanted.iter().map(|rows| shared(rows, &all)).collect();
            let Some(end) = within.iter().filter(|rows| !rows.is_empty()).map(|rows| rows.end).max() else { continue };
            self.each_window(&Spare::default(), (group, all), end, |rows, items: &R, scores| {
                let shared = within.iter().map(|wanted| shared(wanted, &rows)).filter(|rows| !rows.is_empty());
                shared.for_each(|wanted| taken.add(items, scores, moved(wanted, rows.start)));
                Some(rows.len())
            })?;
        }
        let (mut ids, mut runs, mut row) = (Interner::default(), Vec::new(), 0);
        for (&query, rows) in queries.iter().zip(&wanted) {
            runs.push((ids.intern(self.rows.ids().get(query as usize)), row));
            row += rows.len();
        }
        (row == taken.scores.len()).then(|| Table::new(ids, &runs, R::items(taken.items), taken.scores.into()))
    }

    /// The queries whose rows lie in several row groups, in their order.
    fn divided_queries(&self) -> Vec<u32> {
        let groups = self.groups.iter().filter(|(group, _)| group.rows > 0);
        let at_starts = groups.map(|&(_, first)| (self.rows.query_at(first), first));
        let mut queries: Vec<u32> =
            at_starts.filter(|&(query, first)| self.rows.of(query).start < first).map(|(query, _)| query).collect();
        queries.dedup();
        queries
    }

    /// Visit the rows of a row group up to one, a window at a time, with the numbers of its rows; `visit` says how many
    /// of them it has taken. Return how many bytes the pages claim.
    fn each_window<R: ItemRows>(
        &self,
        spare: &Spare<R>,
        (group, all): (Group, Range<usize>),
        until: usize,
        mut visit: impl FnMut(Range<usize>, &R, &[f64]) -> Option<usize>,
    ) -> Option<u64> {
        let are_ranks = !self.roles.is_descending();
        let mut pending = Pending::begin(spare, &self.batches, &self.columns, group, are_ranks)?;
        let mut row = all.start;
        while row < until {
            let query = self.rows.of(self.rows.query_at(row));
            let least = if is_within(&query, &all) { query.end - row } else { 0 };
            let ready = pending.fill(least.max(ROWS_AT_ONCE).min(all.end - row))?;
            let (items, scores) = pending.rows();
            let taken = visit(row..row + ready, items, scores).filter(|&taken| taken > 0)?;
            pending.forget(taken);
            row += taken;
        }
        let claimed = if until == all.end { pending.finish()? } else { 0 };
        pending.end(spare)?;
        Some(claimed)
    }
}

fn is_within(rows: &Range<usize>, all: &Range<usize>) -> bool {
    all.start <= rows.start && rows.end <= all.end
}

/// The rows that are in both; none of them may be.
fn shared(rows: &Range<usize>, others: &Range<usize>) -> Range<usize> {
    rows.start.max(others.start)..rows.end.min(others.end)
}

/// Rows as numbered from one on.
fn moved(rows: Range<usize>, first: usize) -> Range<usize> {
    rows.start - first..rows.end - first
}

/// What the rows of a row group gave.
struct EvaluatedGroup<R: ItemRows> {
    windows: Vec<Evaluated>,
    /// The rows of queries that lie in other row groups too.
    divided: Fragment<R>,
    claimed: u64,
}
