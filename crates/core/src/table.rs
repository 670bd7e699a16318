//! Rows of (query, item, value) grouped by query: judgments with grades, or a ranking with scores.

use crate::ids::{Ids, Interner};

/// Rows grouped by query; within a query they keep the order in which they came.
#[derive(Debug, Default, Clone)]
pub struct Table {
    queries: Interner,
    starts: Vec<usize>,
    items: Ids,
    values: Vec<f64>,
    sorted: Vec<u32>,
}

impl Table {
    pub fn query_count(&self) -> usize {
        self.queries.ids().len()
    }

    pub fn row_count(&self) -> usize {
        self.values.len()
    }

    pub fn query_id(&self, query: u32) -> &[u8] {
        self.queries.ids().get(query as usize)
    }

    pub fn find(&self, query: &[u8]) -> Option<u32> {
        self.queries.find(query)
    }

    /// The queries in the bytewise order of their ids.
    pub fn sorted(&self) -> &[u32] {
        &self.sorted
    }

    pub fn rows(&self, query: u32) -> impl ExactSizeIterator<Item = (&[u8], f64)> {
        let range = self.starts[query as usize]..self.starts[query as usize + 1];
        range.map(|row| (self.items.get(row), self.values[row]))
    }
}

/// Takes rows in any order; rows of one query may lie apart.
#[derive(Debug, Default)]
pub struct Builder {
    queries: Interner,
    runs: Vec<(u32, usize)>,
    items: Ids,
    values: Vec<f64>,
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

    pub fn finish(self) -> Table {
        let count = self.queries.ids().len();
        let mut sorted: Vec<u32> = (0..count as u32).collect();
        sorted.sort_unstable_by(|&a, &b| self.queries.ids().get(a as usize).cmp(self.queries.ids().get(b as usize)));
        let in_place = self.runs.len() == count;
        let mut table = Table { queries: self.queries, sorted, ..Table::default() };
        if in_place {
            // Each query came in one run, so runs are in the order of the queries' integers.
            table.starts = self.runs.iter().map(|&(_, start)| start).chain([self.values.len()]).collect();
            table.items = self.items;
            table.values = self.values;
        } else {
            gather(&mut table, self.runs, &self.items, &self.values);
        }
        table
    }
}

/// Bring the runs of each query together, in the order in which they came.
fn gather(table: &mut Table, runs: Vec<(u32, usize)>, items: &Ids, values: &[f64]) {
    let ends = runs.iter().skip(1).map(|&(_, start)| start).chain([values.len()]);
    let mut pieces: Vec<(u32, usize, usize)> = runs.iter().zip(ends).map(|(&(q, from), to)| (q, from, to)).collect();
    pieces.sort_by_key(|&(query, _, _)| query);
    for (query, from, to) in pieces {
        while table.starts.len() <= query as usize {
            table.starts.push(table.values.len());
        }
        (from..to).for_each(|row| table.items.push(items.get(row)));
        table.values.extend_from_slice(&values[from..to]);
    }
    table.starts.push(table.values.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows_of(table: &Table, query: &str) -> Vec<(String, f64)> {
        let query = table.find(query.as_bytes()).unwrap();
        table.rows(query).map(|(id, value)| (String::from_utf8(id.to_vec()).unwrap(), value)).collect()
    }

    #[test]
    fn rows_of_a_query_may_lie_apart() {
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
