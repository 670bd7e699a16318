//! What judgments say of their rows beside the grade: the subtopics that an item is relevant to, or how likely a click
//! on it was to be seen.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::error::{Error, Side};
use crate::ids::Interner;
use crate::measures::counted::is_relevant;
use crate::table::{Builder, Table};

/// What is known of each row of judgments, by the query and the place of the row in it.
#[derive(Debug)]
pub struct Sides {
    table: Arc<Table>,
    pub known: Known,
}

#[derive(Debug)]
pub enum Known {
    Subtopics(Subtopics),
    /// By row.
    Propensities(Vec<f64>),
    /// The positions, counted from 1, at which items were shown, by row.
    Positions(Vec<f64>),
}

/// The subtopics of each row and the grade in each, end to end.
#[derive(Debug, Default)]
pub struct Subtopics {
    /// Where each row begins; one more than there are rows.
    starts: Vec<usize>,
    graded: Vec<(u32, f64)>,
}

impl Subtopics {
    /// The subtopics of a row, with the grade in each.
    pub fn of(&self, row: usize) -> &[(u32, f64)] {
        &self.graded[self.starts[row]..self.starts[row + 1]]
    }

    /// The subtopics that a row is relevant to, lowest first.
    pub fn relevant(&self, row: usize, level: f64) -> Vec<u32> {
        let relevant = self.of(row).iter().filter(|(_, grade)| is_relevant(*grade, level));
        let mut subtopics: Vec<u32> = relevant.map(|&(subtopic, _)| subtopic).collect();
        subtopics.sort_unstable();
        subtopics
    }
}

impl Sides {
    /// Merge rows of (item, grade) whose subtopics are in another table with the same rows: an item has its highest
    /// grade, and the subtopics with theirs.
    pub fn merge(items: &Table, subtopics: &Table) -> Result<Self, Error> {
        let mut merged = Merged::default();
        for query in 0..items.query_count() as u32 {
            let id = items.query_id(query);
            let own = subtopics.find(id).map(|found| subtopics.text_rows(found)).unwrap_or_default();
            merged.query(id, items.text_rows(query), own)?;
        }
        merged.subtopics.starts.push(merged.subtopics.graded.len());
        Ok(Sides { table: Arc::new(merged.builder.finish()), known: Known::Subtopics(merged.subtopics) })
    }

    /// Take numbers from another table with the same rows as the judgments, which have each item of a query once.
    pub fn number(table: &Arc<Table>, numbers: &Table, are_positions: bool) -> Result<Self, Error> {
        let mut by_row = Vec::with_capacity(table.row_count());
        for query in 0..table.query_count() as u32 {
            let id = table.query_id(query);
            let rows = numbers.find(id).map(|found| numbers.text_rows(found)).unwrap_or_default();
            let mut seen = HashSet::new();
            for (item, number) in rows {
                let good =
                    if are_positions { number >= 1.0 && number.fract() == 0.0 } else { number > 0.0 && number <= 1.0 };
                if !good {
                    return Err(Error::BadPropensity { query: id.into(), item, got: number });
                }
                by_row.push(number);
                if !seen.insert(item.clone()) {
                    return Err(Error::DuplicateItem { side: Side::Judgments, query: id.into(), item });
                }
            }
        }
        let known = if are_positions { Known::Positions } else { Known::Propensities };
        Ok(Sides { table: table.clone(), known: known(by_row) })
    }

    /// The judgments, with each item of a query once where they have subtopics.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// The row of the first judgment of a query, counted by query.
    pub fn first_row(&self, query: &[u8]) -> Option<usize> {
        self.table.find(query).map(|found| self.table.first_place(found))
    }
}

/// An item, its highest grade, and its subtopics with the grade in each.
type MergedRow = (Vec<u8>, f64, Vec<(u32, f64)>);

#[derive(Default)]
struct Merged {
    builder: Builder,
    subtopics: Subtopics,
    /// Subtopics are numbered as the queries name them.
    names: Interner,
}

impl Merged {
    fn query(&mut self, id: &[u8], items: Vec<(Vec<u8>, f64)>, subtopics: Vec<(Vec<u8>, f64)>) -> Result<(), Error> {
        self.builder.query(id);
        let mut places: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut rows: Vec<MergedRow> = Vec::new();
        for ((item, grade), (subtopic, _)) in items.into_iter().zip(subtopics) {
            let name = self.names.intern(&subtopic);
            let place = *places.entry(item.clone()).or_insert(rows.len());
            if place == rows.len() {
                rows.push((item, f64::NEG_INFINITY, Vec::new()));
            }
            let (item, highest, own) = &mut rows[place];
            if own.iter().any(|&(known, _)| known == name) {
                return Err(Error::DuplicateItem { side: Side::Judgments, query: id.into(), item: item.clone() });
            }
            *highest = highest.max(grade);
            own.push((name, grade));
        }
        for (item, grade, own) in rows {
            self.builder.row(&item, grade);
            self.subtopics.starts.push(self.subtopics.graded.len());
            self.subtopics.graded.extend(own);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[(&str, &str, f64)]) -> Table {
        let mut builder = Builder::default();
        for (query, item, value) in rows {
            builder.query(query.as_bytes());
            builder.row(item.as_bytes(), *value);
        }
        builder.finish()
    }

    #[test]
    fn an_item_has_its_highest_grade_and_all_its_subtopics() {
        let items = table(&[("q", "a", 1.0), ("p", "b", 1.0), ("q", "a", 2.0), ("q", "c", 0.0)]);
        let subtopics = table(&[("q", "x", 1.0), ("p", "x", 1.0), ("q", "y", 2.0), ("q", "x", 0.0)]);
        let sides = Sides::merge(&items, &subtopics).unwrap();
        let query = sides.table().find(b"q").unwrap();
        assert_eq!(sides.table().text_rows(query), [(b"a".to_vec(), 2.0), (b"c".to_vec(), 0.0)]);
        let first = sides.first_row(b"q").unwrap();
        let Known::Subtopics(subtopics) = &sides.known else { panic!("they are subtopics") };
        assert_eq!(subtopics.relevant(first, 1.0), [0, 1]);
        assert_eq!(subtopics.relevant(first, 2.0), [1]);
        assert!(subtopics.relevant(first + 1, 0.0).is_empty());
    }

    #[test]
    fn an_item_has_a_subtopic_once() {
        let items = table(&[("q", "a", 1.0), ("q", "a", 2.0)]);
        assert!(Sides::merge(&items, &table(&[("q", "x", 1.0), ("q", "x", 2.0)])).is_err());
    }
}
