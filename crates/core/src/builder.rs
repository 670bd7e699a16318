//! Builds a table from rows in any order: brings the rows of each query together.

use std::sync::Arc;

use crate::ids::{Ids, Interner};
use crate::long_scores::DigitMarks;
use crate::table::{Items, Table};

/// Takes rows with text ids in any order; rows of one query may lie apart.
#[derive(Debug, Default)]
pub struct Builder {
    queries: Interner,
    runs: Vec<(u32, usize)>,
    items: Ids,
    values: Vec<f64>,
    marks: DigitMarks,
}

impl Builder {
    /// Begin a query or go on with it, and return whether it is new: the rows that follow are its own.
    pub fn query(&mut self, id: &[u8]) -> bool {
        let known = self.queries.ids().len();
        let query = self.queries.intern(id);
        self.runs.push((query, self.values.len()));
        query as usize == known
    }

    pub fn row(&mut self, item: &[u8], value: f64) {
        self.items.push(item);
        self.values.push(value);
    }

    /// The values of the rows from one on, to be changed.
    pub fn values_from(&mut self, row: usize) -> &mut [f64] {
        &mut self.values[row..]
    }

    /// How many rows there are.
    pub fn row_count(&self) -> usize {
        self.values.len()
    }

    /// Mark the digits of the value of the last row.
    pub fn mark(&mut self, mark: u64) {
        self.marks.push(self.values.len().saturating_sub(1), mark);
    }

    /// Add rows: the query of each run of them and where the run begins, their items and values.
    pub(crate) fn append<'a>(
        &mut self,
        runs: impl Iterator<Item = (&'a [u8], usize)>,
        items: Ids,
        values: Vec<f64>,
        marks: &DigitMarks,
    ) {
        let base = self.values.len();
        for (query, start) in runs {
            let query = self.queries.intern(query);
            // A run may go on from the rows before.
            if self.runs.last().is_none_or(|&(last, _)| last != query) {
                self.runs.push((query, base + start));
            }
        }
        self.items.append(items);
        self.values.extend(values);
        self.marks.append(base, marks);
    }

    pub fn finish(self) -> Table {
        let items = Items::Text(Arc::new(self.items));
        Table::new(self.queries, &self.runs, items, self.values.into()).with_marks(self.marks)
    }
}

/// Where each query starts among the rows, and the rows by query where they did not come so.
pub fn group(queries: usize, runs: &[(u32, usize)], rows: usize) -> (Vec<usize>, Option<Vec<u32>>) {
    if runs.len() == queries {
        // Each query came in one run, so runs are in the order of the queries' integers.
        return (runs.iter().map(|&(_, start)| start).chain([rows]).collect(), None);
    }
    let (starts, order) = gather(queries, runs, rows);
    (starts, Some(order))
}

/// Bring the rows of each query together, in the order in which they came: where each query starts, and the rows.
fn gather(queries: usize, runs: &[(u32, usize)], rows: usize) -> (Vec<usize>, Vec<u32>) {
    let ends = || runs.iter().skip(1).map(|&(_, start)| start).chain([rows]);
    let mut starts = vec![0; queries + 1];
    for (&(query, from), to) in runs.iter().zip(ends()) {
        starts[query as usize + 1] += to - from;
    }
    for query in 0..queries {
        starts[query + 1] += starts[query];
    }
    let mut next = starts.clone();
    let mut order = vec![0; rows];
    for (&(query, from), to) in runs.iter().zip(ends()) {
        for row in from..to {
            order[next[query as usize]] = row as u32;
            next[query as usize] += 1;
        }
    }
    (starts, order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows_of(table: &Table, query: &str) -> Vec<(String, f64)> {
        let query = table.find(query.as_bytes()).unwrap();
        let rows = table.text_rows(query).into_iter();
        rows.map(|(id, value)| (String::from_utf8(id).unwrap(), value)).collect()
    }

    #[test]
    fn builder_with_scattered_rows_of_a_query_joins_them() {
        let mut builder = Builder::default();
        for (query, item, value) in [("b", "x", 1.0), ("a", "y", 2.0), ("b", "z", 3.0)] {
            builder.query(query.as_bytes());
            builder.row(item.as_bytes(), value);
        }
        builder.query(b"empty");
        let table = builder.finish();
        assert_eq!(rows_of(&table, "b"), [("x".to_string(), 1.0), ("z".to_string(), 3.0)]);
        assert_eq!(rows_of(&table, "a"), [("y".to_string(), 2.0)]);
        assert_eq!(rows_of(&table, "empty"), []);
        let sorted: Vec<&[u8]> = table.sorted().iter().map(|&query| table.query_id(query)).collect();
        assert_eq!(sorted, [&b"a"[..], b"b", b"empty"]);
    }
}
