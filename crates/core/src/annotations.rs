//! What judgments carry beside grades: the subtopics that an item is relevant to, or how likely a click on it was to be
//! seen.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::builder::Builder;
use crate::error::{Error, Side};
use crate::ids::{Ids, whole_number};
use crate::items::Item;
use crate::measures::counted::is_relevant;
use crate::numbers::Numbers;
use crate::query::Scratch;
use crate::table::Table;

/// What an annotation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Subtopic,
    Propensity,
    Position,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Subtopic, Kind::Propensity, Kind::Position];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Subtopic => "subtopic",
            Kind::Propensity => "propensity",
            Kind::Position => "position",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A column of annotations, with an entry for each row of a table in the order in which the rows came.
#[derive(Debug, Clone)]
pub enum Column {
    Subtopics(Arc<Ids>),
    Propensities(Numbers<f64>),
    Positions(Numbers<f64>),
}

/// The annotations of judgments, by row: rows are counted query by query.
#[derive(Debug)]
pub struct Annotations {
    table: Arc<Table>,
    pub values: Values,
}

#[derive(Debug, PartialEq)]
pub enum Values {
    Subtopics(Subtopics),
    /// By row.
    Propensities(Vec<f64>),
    /// The ranks, counted from 1, at which items were shown, by row.
    Positions(Vec<f64>),
}

/// The subtopics of each row and the grade in each, end to end.
///
/// Subtopics are numbered within their query, in the order of their ids. A query's values therefore depend on its own
/// rows alone, in whatever order they come.
#[derive(Debug, Default, PartialEq)]
pub struct Subtopics {
    /// Where each row begins in `graded`; one more than there are rows.
    pub(crate) starts: Vec<usize>,
    pub(crate) graded: Vec<(u32, f64)>,
    /// The ids of the subtopics, query by query.
    pub(crate) ids: Ids,
    /// Where each query begins in `ids`; one more than there are queries.
    pub(crate) id_starts: Vec<usize>,
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

    /// How many subtopics a query has.
    pub fn count(&self, query: u32) -> usize {
        self.id_starts[query as usize + 1] - self.id_starts[query as usize]
    }

    /// The id of a subtopic of a query.
    pub fn id(&self, query: u32, subtopic: u32) -> &[u8] {
        self.ids.get(self.id_starts[query as usize] + subtopic as usize)
    }
}

/// The order of subtopics within a query, which is that of ndeval: whole numbers as numbers, then texts bytewise.
fn compare(a: &[u8], b: &[u8]) -> Ordering {
    match (whole_number(a), whole_number(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
    }
}

impl Annotations {
    /// Annotate the rows of a table. Rows with subtopics are merged: each item of a query stands once, with its highest
    /// grade and all its subtopics.
    pub fn new(table: Table, column: &Column) -> Result<Self, Error> {
        match column {
            Column::Subtopics(ids) => merge(&table, ids),
            Column::Propensities(numbers) => {
                let numbers = checked_numbers(&table, numbers, is_propensity)?;
                Ok(Annotations { table: Arc::new(table), values: Values::Propensities(numbers) })
            }
            Column::Positions(numbers) => {
                let numbers = checked_numbers(&table, numbers, is_position)?;
                Ok(Annotations { table: Arc::new(table), values: Values::Positions(numbers) })
            }
        }
    }

    /// Values that were checked before, for the rows of a table.
    pub(crate) fn from_values(table: Arc<Table>, values: Values) -> Self {
        Annotations { table, values }
    }

    pub fn kind(&self) -> Kind {
        match self.values {
            Values::Subtopics(_) => Kind::Subtopic,
            Values::Propensities(_) => Kind::Propensity,
            Values::Positions(_) => Kind::Position,
        }
    }

    /// The judgments, with each item of a query once where they have subtopics.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// The row of the first judgment of a query.
    pub fn first_row(&self, query: &[u8]) -> Option<usize> {
        self.table.find(query).map(|query| self.table.first_place(query))
    }
}

pub(crate) fn is_propensity(number: f64) -> bool {
    number > 0.0 && number <= 1.0
}

pub(crate) fn is_position(number: f64) -> bool {
    number >= 1.0 && number.fract() == 0.0
}

/// The numbers query by query. Each must be valid, and no item may stand twice in a query.
fn checked_numbers(table: &Table, numbers: &Numbers<f64>, is_valid: fn(f64) -> bool) -> Result<Vec<f64>, Error> {
    let mut checked = Vec::with_capacity(table.row_count());
    for query in 0..table.query_count() as u32 {
        let id = table.query_id(query);
        let mut items = HashSet::new();
        for ((item, _), row) in table.text_rows(query).into_iter().zip(table.row_numbers(query)) {
            let number = numbers.get(row);
            if !is_valid(number) {
                return Err(Error::BadPropensity { query: id.into(), item, got: number });
            }
            checked.push(number);
            if !items.insert(item.clone()) {
                return Err(Error::DuplicateItem { side: Side::Judgments, query: id.into(), item });
            }
        }
    }
    Ok(checked)
}

/// Merge the rows of each item of a query.
fn merge(table: &Table, ids: &Ids) -> Result<Annotations, Error> {
    let mut merger = Merger::default();
    for query in 0..table.query_count() as u32 {
        merger.query(table, query, ids)?;
    }
    let Merger { builder, mut subtopics } = merger;
    subtopics.starts.push(subtopics.graded.len());
    subtopics.id_starts.push(subtopics.ids.len());
    let merged = builder.finish().with_kinds(table.kinds());
    Ok(Annotations { table: Arc::new(merged), values: Values::Subtopics(subtopics) })
}

/// An item, its highest grade, and its subtopics with the grade in each.
type MergedRow = (Vec<u8>, f64, Vec<(u32, f64)>);

#[derive(Default)]
struct Merger {
    builder: Builder,
    subtopics: Subtopics,
}

impl Merger {
    fn query(&mut self, table: &Table, query: u32, ids: &Ids) -> Result<(), Error> {
        let row_ids: Vec<&[u8]> = table.row_numbers(query).map(|row| ids.get(row)).collect();
        let numbers = self.number(&row_ids);
        let mut indices: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut rows: Vec<MergedRow> = Vec::new();
        for ((item, grade), id) in table.text_rows(query).into_iter().zip(row_ids) {
            let subtopic = numbers[id];
            let index = *indices.entry(item.clone()).or_insert(rows.len());
            if index == rows.len() {
                rows.push((item, f64::NEG_INFINITY, Vec::new()));
            }
            let (item, highest, graded) = &mut rows[index];
            if graded.iter().any(|&(other, _)| other == subtopic) {
                let query = table.query_id(query).into();
                return Err(Error::DuplicateItem { side: Side::Judgments, query, item: item.clone() });
            }
            *highest = highest.max(grade);
            graded.push((subtopic, grade));
        }
        self.builder.query(table.query_id(query));
        for (item, grade, graded) in rows {
            self.builder.row(&item, grade);
            self.subtopics.starts.push(self.subtopics.graded.len());
            self.subtopics.graded.extend(graded);
        }
        Ok(())
    }

    /// Number the subtopics of a query in their order, and keep their ids.
    fn number<'a>(&mut self, row_ids: &[&'a [u8]]) -> HashMap<&'a [u8], u32> {
        let mut distinct: Vec<&[u8]> = row_ids.to_vec();
        distinct.sort_unstable_by(|a, b| compare(a, b));
        distinct.dedup();
        self.subtopics.id_starts.push(self.subtopics.ids.len());
        distinct.iter().for_each(|id| self.subtopics.ids.push(id));
        distinct.into_iter().zip(0..).collect()
    }
}

impl<I: Item> Scratch<I> {
    /// Which row of the judgments each ranked item is, if it is judged; their rows are counted from `first`.
    pub(crate) fn judged_rows(&self, first: usize, length: usize) -> impl Iterator<Item = Option<usize>> {
        let ranked = self.rows[..self.graded.min(length)].iter();
        ranked.map(move |row| row.id.judged_position(row.hash, &self.judged).map(|index| first + index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_fixtures::table;

    fn annotate(rows: &[(&str, &str, &str, f64)]) -> Result<Annotations, Error> {
        let (mut builder, mut ids) = (Builder::default(), Ids::default());
        for (query, item, subtopic, grade) in rows {
            builder.query(query.as_bytes());
            builder.row(item.as_bytes(), *grade);
            ids.push(subtopic.as_bytes());
        }
        Annotations::new(builder.finish(), &Column::Subtopics(Arc::new(ids)))
    }

    fn subtopics(annotations: &Annotations) -> &Subtopics {
        let Values::Subtopics(subtopics) = &annotations.values else { panic!("they are subtopics") };
        subtopics
    }

    #[test]
    fn annotations_of_one_item_are_merged_with_its_highest_grade() {
        let rows = [("q", "a", "x", 1.0), ("p", "b", "x", 1.0), ("q", "a", "y", 2.0), ("q", "c", "x", 0.0)];
        let annotations = annotate(&rows).unwrap();
        let query = annotations.table().find(b"q").unwrap();
        assert_eq!(annotations.table().text_rows(query), [(b"a".to_vec(), 2.0), (b"c".to_vec(), 0.0)]);
        let first = annotations.first_row(b"q").unwrap();
        let subtopics = subtopics(&annotations);
        assert_eq!(subtopics.relevant(first, 1.0), [0, 1]);
        assert_eq!(subtopics.relevant(first, 2.0), [1]);
        assert!(subtopics.relevant(first + 1, 0.0).is_empty());
    }

    #[test]
    fn annotations_with_a_repeated_subtopic_are_refused() {
        assert!(annotate(&[("q", "a", "x", 1.0), ("q", "a", "x", 2.0)]).is_err());
    }

    #[test]
    fn subtopics_of_a_query_are_numbered_in_the_order_of_their_ids() {
        let ids = ["b", "10", "é", "9", "-1", "09", "a"];
        let rows: Vec<(&str, &str, &str, f64)> = ids.iter().map(|&id| ("q", "item", id, 1.0)).collect();
        let others = [("p", "item", "z", 1.0), ("p", "item", "9", 1.0)];
        for rows in [[&others[..], &rows].concat(), [&rows[..], &others].concat()] {
            let annotations = annotate(&rows).unwrap();
            let query = annotations.table().find(b"q").unwrap();
            let subtopics = subtopics(&annotations);
            let numbered = (0..subtopics.count(query) as u32).map(|subtopic| subtopics.id(query, subtopic));
            let numbered: Vec<&str> = numbered.map(|id| std::str::from_utf8(id).unwrap()).collect();
            assert_eq!(numbered, ["-1", "9", "10", "09", "a", "b", "é"]);
        }
    }

    #[test]
    fn annotations_with_invalid_propensities_or_positions_are_refused() {
        let annotate = |column: fn(Numbers<f64>) -> Column, number: f64| {
            Annotations::new(table(&[("q", "a", 1.0)]), &column(vec![number].into())).is_ok()
        };
        assert_eq!(
            [0.0, 0.5, 1.0, 1.5].map(|number| annotate(Column::Propensities, number)),
            [false, true, true, false]
        );
        assert_eq!([0.0, 0.5, 1.0, 1.5].map(|number| annotate(Column::Positions, number)), [false, false, true, false]);
    }
}
