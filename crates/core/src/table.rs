//! Rows of (query, item, value) grouped by query: judgments with grades, or a ranking with scores.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::builder::group;
use crate::error::Error;
use crate::id_kinds::IdKinds;
use crate::ids::{Ids, Interner, whole_number};
use crate::items::{Column, Item, Run};
use crate::long_scores::DigitMarks;
use crate::numbers::Numbers;
use crate::query::Scratch;
use crate::views::Views;

/// Rows are numbered with 32 bits.
pub const MOST_ROWS: usize = u32::MAX as usize;

/// Refuse more rows than can be numbered, before one of them gets the number of another.
pub fn require_row_numbers(rows: usize) -> Result<(), Error> {
    if rows > MOST_ROWS { Err(Error::TooManyRows { rows }) } else { Ok(()) }
}

/// The ids of the items by row: texts, or whole numbers that stand for their decimal texts.
#[derive(Debug, Clone)]
pub enum Items {
    Text(Arc<Ids>),
    Views(Views),
    Whole(Numbers<i64>),
}

impl Items {
    pub fn len(&self) -> usize {
        match self {
            Items::Text(texts) => texts.len(),
            Items::Views(views) => views.len(),
            Items::Whole(numbers) => numbers.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ids of some rows.
    fn at(&self, rows: &[u32]) -> Items {
        match self {
            Items::Whole(numbers) => {
                Items::Whole(rows.iter().map(|&row| numbers.get(row as usize)).collect::<Vec<i64>>().into())
            }
            Items::Text(texts) => some_of(&**texts, rows),
            Items::Views(views) => some_of(views, rows),
        }
    }

    /// The ids as text.
    pub fn texts(&self) -> Arc<Ids> {
        match self {
            Items::Text(texts) => texts.clone(),
            Items::Views(views) => Arc::new(views.texts()),
            Items::Whole(numbers) => {
                let mut texts = Ids::default();
                let mut buffer = itoa::Buffer::new();
                numbers.iter().for_each(|number| texts.push(buffer.format(number).as_bytes()));
                Arc::new(texts)
            }
        }
    }

    /// A copy that nobody else can change.
    fn copied(&self) -> Items {
        match self {
            Items::Text(_) => self.clone(),
            Items::Views(_) => Items::Text(self.texts()),
            Items::Whole(numbers) => Items::Whole(numbers.copied()),
        }
    }

    /// The same ids in one piece, so that rows in any order are found quickly.
    fn end_to_end(self) -> Items {
        match self {
            Items::Text(_) => self,
            Items::Views(_) => Items::Text(self.texts()),
            Items::Whole(numbers) => Items::Whole(numbers.end_to_end()),
        }
    }
}

fn some_of<'a, C: Column<'a, Item = &'a [u8]>>(texts: &'a C, rows: &[u32]) -> Items {
    let mut some = Ids::default();
    rows.iter().for_each(|&row| some.push(texts.item(row as usize)));
    Items::Text(Arc::new(some))
}

/// Rows grouped by query; within a query they keep the order in which they came.
#[derive(Debug, Clone)]
pub struct Table {
    queries: Arc<Interner>,
    starts: Vec<usize>,
    /// The rows by query, where they did not come so.
    order: Option<Vec<u32>>,
    items: Items,
    values: Numbers<f64>,
    kinds: IdKinds,
    /// Marks of values with more digits than a float has.
    marks: Arc<DigitMarks>,
    sorted: OnceLock<Vec<u32>>,
}

impl Table {
    /// Group rows: `runs` has the query of each run of rows and the row where the run begins.
    pub fn new(queries: Interner, runs: &[(u32, usize)], items: Items, values: Numbers<f64>) -> Self {
        let (starts, order) = group(queries.ids().len(), runs, values.len());
        Table::from_parts(queries, starts, order, items, values)
    }

    /// A table of rows that are grouped already; the lengths must agree.
    pub(crate) fn from_parts(
        queries: Interner,
        starts: Vec<usize>,
        order: Option<Vec<u32>>,
        items: Items,
        values: Numbers<f64>,
    ) -> Self {
        let (queries, kinds, marks) = (Arc::new(queries), IdKinds::default(), Arc::default());
        let (items, values) = if order.is_some() { (items.end_to_end(), values.end_to_end()) } else { (items, values) };
        Table { queries, starts, order, items, values, kinds, marks, sorted: OnceLock::new() }
    }

    /// The same table in memory of its own: what was borrowed may be changed by its owner.
    pub fn into_owned(self) -> Self {
        Table { items: self.items.copied(), values: self.values.copied(), ..self }
    }

    /// Some of the rows; `rows` has them by query, as numbered in this table.
    pub(crate) fn with_rows(&self, queries: Interner, starts: Vec<usize>, rows: &[u32]) -> Self {
        let values: Vec<f64> = rows.iter().map(|&row| self.values.get(row as usize)).collect();
        let mut marks = DigitMarks::default();
        if !self.marks.is_empty() {
            rows.iter().enumerate().for_each(|(at, &row)| marks.push(at, self.marks.of(row as usize)));
        }
        let table = Table::from_parts(queries, starts, None, self.items.at(rows), values.into());
        table.with_kinds(self.kinds).with_marks(marks)
    }

    /// The ids of the queries.
    pub(crate) fn queries(&self) -> &Ids {
        self.queries.ids()
    }

    /// Where each query begins among the grouped rows; one more than there are queries.
    pub(crate) fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// The rows by query, where they did not come so.
    pub(crate) fn order(&self) -> Option<&[u32]> {
        self.order.as_deref()
    }

    /// The values in the order in which the rows came.
    pub(crate) fn values(&self) -> &Numbers<f64> {
        &self.values
    }

    /// The same table, whose ids were of these kinds, as far as their texts can be of them.
    pub fn with_kinds(self, kinds: IdKinds) -> Self {
        let queries = kinds.queries.of_all(self.queries.ids().iter());
        let items = match &self.items {
            Items::Text(texts) => kinds.items.of_all(texts.iter()),
            Items::Views(views) => kinds.items.of_all(views.iter()),
            Items::Whole(_) => kinds.items,
        };
        Table { kinds: IdKinds { queries, items }, ..self }
    }

    /// The same table, some of whose values have more digits than a float.
    pub fn with_marks(self, marks: DigitMarks) -> Self {
        Table { marks: Arc::new(marks), ..self }
    }

    /// Marks of values with more digits than a float has, by row as they came.
    pub fn marks(&self) -> &DigitMarks {
        &self.marks
    }

    /// What the ids were before they became text.
    pub fn kinds(&self) -> IdKinds {
        self.kinds
    }

    pub fn query_count(&self) -> usize {
        self.queries.ids().len()
    }

    pub fn row_count(&self) -> usize {
        self.values.len()
    }

    pub fn query_id(&self, query: u32) -> &[u8] {
        self.queries.ids().get(query as usize)
    }

    pub fn query_ids(&self) -> &Arc<Interner> {
        &self.queries
    }

    pub fn find(&self, query: &[u8]) -> Option<u32> {
        self.queries.find(query)
    }

    /// The same rows with other values, given in the order in which the rows came.
    pub fn with_values(&self, values: Numbers<f64>) -> Option<Table> {
        (values.len() == self.row_count()).then(|| Table { values, ..self.clone() })
    }

    /// The queries in the bytewise order of their ids.
    pub fn sorted(&self) -> &[u32] {
        self.sorted.get_or_init(|| self.queries.ids().sorted())
    }

    /// How many rows the queries before one have: where its own begin when all are counted by query.
    pub fn first_place(&self, query: u32) -> usize {
        self.starts[query as usize]
    }

    /// The number of a query's row among all rows as they came; `position` counts the rows of the query.
    pub fn row_number(&self, query: u32, position: u32) -> u32 {
        let index = self.starts[query as usize] + position as usize;
        self.order.as_ref().map_or(index as u32, |order| order[index])
    }

    pub fn items(&self) -> &Items {
        &self.items
    }

    /// The rows of a query; `items` are those of this table.
    #[inline]
    pub fn rows<'a, C: Column<'a>>(&'a self, items: &'a C, query: u32) -> Rows<'a, C> {
        let places = self.starts[query as usize]..self.starts[query as usize + 1];
        Rows::new(items, &self.values, self.order.as_deref(), places)
    }

    /// Give the rows of a query to a scratch.
    pub(crate) fn load<'a, C: Column<'a>>(&'a self, items: &'a C, query: u32, scratch: &mut Scratch<C::Item>) {
        scratch.clear();
        if !self.marks.is_empty() {
            return self.load_marked(items, query, scratch);
        }
        if self.order.is_some() {
            return self.rows(items, query).for_each(|(item, score)| scratch.push(item, score));
        }
        // As `rows` does, but a piece at a time, in a loop without questions.
        let (mut row, end) = (self.starts[query as usize], self.starts[query as usize + 1]);
        while row < end {
            let (run, values) = (items.run(row), self.values.from_row(row));
            let count = (end - row).min(run.length()).min(values.len()).max(1); // so that a missing row cannot hang
            values[..count].iter().enumerate().for_each(|(index, &score)| scratch.push(run.item(index), score));
            row += count;
        }
    }

    /// The same where scores may have more digits than a float.
    #[cold]
    fn load_marked<'a, C: Column<'a>>(&'a self, items: &'a C, query: u32, scratch: &mut Scratch<C::Item>) {
        for ((item, score), row) in self.rows(items, query).zip(self.row_numbers(query)) {
            scratch.push_marked(item, score, self.marks.of(row));
        }
    }

    /// The rows of a query, as numbered in the order in which all rows came.
    pub fn row_numbers(&self, query: u32) -> impl ExactSizeIterator<Item = usize> {
        let range = self.starts[query as usize]..self.starts[query as usize + 1];
        range.map(|index| self.order.as_deref().map_or(index, |order| order[index] as usize))
    }

    /// The rows of a query with their items as text.
    pub fn text_rows(&self, query: u32) -> Vec<(Vec<u8>, f64)> {
        match &self.items {
            Items::Text(items) => self.rows(&**items, query).map(|(item, value)| (item.to_vec(), value)).collect(),
            Items::Views(items) => self.rows(items, query).map(|(item, value)| (item.to_vec(), value)).collect(),
            Items::Whole(items) => self.rows(items, query).map(|(item, value)| (item.text(), value)).collect(),
        }
    }

    /// The same table with whole numbers for items, if all their ids are written as whole numbers are.
    pub fn with_whole_items(&self) -> Option<Cow<'_, Table>> {
        match &self.items {
            Items::Whole(_) => Some(Cow::Borrowed(self)),
            Items::Text(texts) => self.with_numbers(texts.iter()),
            Items::Views(views) => self.with_numbers(views.iter()),
        }
    }

    fn with_numbers<'a>(&self, texts: impl Iterator<Item = &'a [u8]>) -> Option<Cow<'_, Table>> {
        let numbers: Vec<i64> = texts.map(whole_number).collect::<Option<_>>()?;
        Some(Cow::Owned(Table { items: Items::Whole(numbers.into()), ..self.clone() }))
    }

    /// The same table with the ids of its items as text, where they are not.
    pub fn with_text_items(&self) -> (Cow<'_, Table>, Arc<Ids>) {
        match &self.items {
            Items::Text(items) => (Cow::Borrowed(self), items.clone()),
            Items::Views(_) | Items::Whole(_) => {
                let texts = self.items.texts();
                (Cow::Owned(Table { items: Items::Text(texts.clone()), ..self.clone() }), texts)
            }
        }
    }
}

/// The rows of a query one after another.
#[derive(Debug)]
pub struct Rows<'a, C: Column<'a>> {
    column: &'a C,
    numbers: &'a Numbers<f64>,
    /// The rows by query, where they did not come so; then all lie in one piece of memory.
    order: Option<&'a [u32]>,
    /// The places that are left, counted by query.
    places: Range<usize>,
    /// Items and values that lie together, from one row up to another.
    items: C::Run,
    values: &'a [f64],
    start: usize,
    end: usize,
}

impl<'a, C: Column<'a>> Rows<'a, C> {
    #[inline]
    fn new(column: &'a C, numbers: &'a Numbers<f64>, order: Option<&'a [u32]>, places: Range<usize>) -> Self {
        let start = if order.is_some() { 0 } else { places.start };
        let (items, values) = (column.run(start), numbers.from_row(start));
        let end = if order.is_some() { usize::MAX } else { start + items.length().min(values.len()) };
        Rows { column, numbers, order, places, items, values, start, end }
    }

    /// Go on with the piece that a row lies in.
    #[cold]
    fn turn_to(&mut self, row: usize) {
        *self = Rows::new(self.column, self.numbers, None, row..self.places.end);
        self.places.start = row + 1;
    }
}

impl<'a, C: Column<'a>> Iterator for Rows<'a, C> {
    type Item = (C::Item, f64);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let place = self.places.next()?;
        if place >= self.end {
            self.turn_to(place);
        }
        let index = self.order.map_or_else(|| place - self.start, |order| order[place] as usize);
        Some((self.items.item(index), self.values[index]))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

impl<'a, C: Column<'a>> ExactSizeIterator for Rows<'a, C> {}

impl<'a, C: Column<'a>> Clone for Rows<'a, C> {
    fn clone(&self) -> Self {
        Rows { places: self.places.clone(), ..*self }
    }
}

/// Tables are equal if they have the same queries, and each has the same rows in the same order. Ids are compared as
/// text, whatever they were before.
impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        let same_rows = |(&query, &others): (&u32, &u32)| {
            self.query_id(query) == other.query_id(others) && self.has_rows(query, other, others)
        };
        let is_as_large = self.query_count() == other.query_count() && self.row_count() == other.row_count();
        is_as_large && self.sorted().iter().zip(other.sorted()).all(same_rows)
    }
}

impl Table {
    /// Whether a query has the rows of a query of another table.
    fn has_rows(&self, query: u32, other: &Table, others: u32) -> bool {
        match (&self.items, &other.items) {
            (Items::Text(ours), Items::Text(theirs)) => self.rows(&**ours, query).eq(other.rows(&**theirs, others)),
            (Items::Whole(ours), Items::Whole(theirs)) => self.rows(ours, query).eq(other.rows(theirs, others)),
            _ => self.text_rows(query) == other.text_rows(others),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_beyond_32_bits_are_refused_and_the_last_that_has_a_number_is_not() {
        assert_eq!(require_row_numbers(MOST_ROWS), Ok(()));
        assert_eq!(require_row_numbers(MOST_ROWS + 1), Err(Error::TooManyRows { rows: 1 << 32 }));
    }
}
