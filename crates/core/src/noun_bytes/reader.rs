//! Bytes → judgments and rankings.

use std::sync::Arc;

use crate::annotations::{Annotations, Subtopics, Values, is_position, is_propensity};
use crate::bytes::Reader;
use crate::error::Error;
use crate::id_kinds::{IdKind, IdKinds};
use crate::ids::{Ids, Interner};
use crate::long_scores::DigitMarks;
use crate::table::{Items, Table};
use crate::utf8::are_utf8;

fn broken<T>(reason: &'static str) -> Result<T, Error> {
    Err(Error::BadBytes { reason })
}

impl<'a> Reader<'a> {
    /// The number of entries of at least that many bytes; there cannot be more than the rest can hold.
    fn entries(&mut self, size: usize) -> Result<usize, Error> {
        let count = self.packed()?;
        if count > self.left() / size { broken("fewer entries than announced") } else { Ok(count) }
    }

    fn words(&mut self) -> Result<impl Iterator<Item = [u8; 8]>, Error> {
        let count = self.entries(8)?;
        Ok(self.take(8 * count)?.as_chunks::<8>().0.iter().copied())
    }

    fn finite_numbers(&mut self) -> Result<Vec<f64>, Error> {
        let numbers: Vec<f64> = self.words()?.map(f64::from_le_bytes).collect();
        if numbers.iter().all(|number| number.is_finite()) {
            Ok(numbers)
        } else {
            broken("a number that is not finite")
        }
    }

    fn ids(&mut self) -> Result<Ids, Error> {
        let count = self.entries(1)?;
        let starts = self.starts(count)?;
        let bytes = self.take(starts[count])?;
        if !are_utf8(bytes, starts.iter().copied()) {
            return broken("ids that are no UTF-8");
        }
        let mut ids = Ids::default();
        ids.extend(bytes, starts.into_iter().skip(1));
        Ok(ids)
    }

    /// Where each of `count` parts starts, and where the last one ends, from the length of each.
    fn starts(&mut self, count: usize) -> Result<Vec<usize>, Error> {
        if count > self.left() {
            return broken("fewer entries than announced");
        }
        let mut starts = Vec::with_capacity(count + 1);
        let mut end = 0_usize;
        starts.push(end);
        for _ in 0..count {
            let Some(next) = end.checked_add(self.packed()?) else { return broken("a count that is too large") };
            end = next;
            starts.push(end);
        }
        Ok(starts)
    }

    /// Counts that are all below a bound.
    fn numbers_below(&mut self, count: usize, bound: usize) -> Result<Vec<u32>, Error> {
        if count > self.left() {
            return broken("fewer entries than announced");
        }
        let number = |_| match self.packed()? {
            number if number < bound => u32::try_from(number).or_else(|_| broken("a count that is too large")),
            _ => broken("a number out of range"),
        };
        (0..count).map(number).collect()
    }

    pub(crate) fn id_kind(&mut self) -> Result<IdKind, Error> {
        IdKind::from_flag(self.flag()?).ok_or(Error::BadBytes { reason: "an unknown flag" })
    }

    pub fn table(&mut self) -> Result<Table, Error> {
        let kinds = IdKinds { queries: self.id_kind()?, items: self.id_kind()? };
        let mut queries = Interner::default();
        for (id, expected) in self.ids()?.iter().zip(0..) {
            if queries.intern(id) != expected {
                return broken("a query that stands twice");
            }
        }
        let starts = self.starts(queries.ids().len())?;
        let items = match self.boolean()? {
            false => Items::Text(Arc::new(self.ids()?)),
            true => Items::Whole(self.words()?.map(i64::from_le_bytes).collect::<Vec<_>>().into()),
        };
        let values = self.finite_numbers()?;
        let rows = starts.last().copied().unwrap_or_default();
        if rows != items.len() || rows != values.len() {
            return broken("rows of different lengths");
        }
        let order = if self.boolean()? { Some(self.permutation(rows)?) } else { None };
        let marks = self.marks(rows)?;
        Ok(Table::from_parts(queries, starts, order, items, values.into()).with_kinds(kinds).with_marks(marks))
    }

    /// Marks of some rows out of `rows`, in the order of the rows.
    fn marks(&mut self, rows: usize) -> Result<DigitMarks, Error> {
        let words: Vec<u64> = self.words()?.map(u64::from_le_bytes).collect();
        let numbers = self.numbers_below(words.len(), rows)?;
        if !numbers.is_sorted_by(|a, b| a < b) {
            return broken("marks out of order");
        }
        let mut marks = DigitMarks::default();
        numbers.into_iter().zip(words).for_each(|(row, mark)| marks.push(row as usize, mark));
        Ok(marks)
    }

    /// Each of the numbers below `count` once.
    fn permutation(&mut self, count: usize) -> Result<Vec<u32>, Error> {
        let order = self.numbers_below(count, count)?;
        let mut seen = vec![false; count];
        let is_new = |&row: &u32| !std::mem::replace(&mut seen[row as usize], true);
        if order.iter().all(is_new) { Ok(order) } else { broken("a row that stands twice") }
    }

    pub fn annotations(&mut self, table: &Arc<Table>) -> Result<Option<Annotations>, Error> {
        let values = match self.flag()? {
            0 => return Ok(None),
            1 => Values::Subtopics(self.subtopics(table)?),
            2 => Values::Propensities(self.valid_numbers(table, is_propensity)?),
            3 => Values::Positions(self.valid_numbers(table, is_position)?),
            _ => return broken("an unknown flag"),
        };
        Ok(Some(Annotations::from_values(table.clone(), values)))
    }

    fn valid_numbers(&mut self, table: &Table, is_valid: fn(f64) -> bool) -> Result<Vec<f64>, Error> {
        let numbers = self.finite_numbers()?;
        let are_valid = numbers.len() == table.row_count() && numbers.iter().all(|&number| is_valid(number));
        if are_valid { Ok(numbers) } else { broken("annotations out of range") }
    }

    fn subtopics(&mut self, table: &Table) -> Result<Subtopics, Error> {
        let ids = self.ids()?;
        let id_starts = self.starts(table.query_count())?;
        let starts = self.starts(table.row_count())?;
        let (id_count, count) = (id_starts[table.query_count()], starts[table.row_count()]);
        let subtopics = self.numbers_below(count, ids.len())?;
        let grades = self.finite_numbers()?;
        if id_count != ids.len() || grades.len() != count {
            return broken("annotations of different lengths");
        }
        let subtopics = Subtopics { starts, graded: subtopics.into_iter().zip(grades).collect(), ids, id_starts };
        let is_valid = |query: u32| {
            let (first, rows) = (table.first_place(query), table.row_numbers(query).len());
            let mut graded = (first..first + rows).flat_map(|row| subtopics.of(row));
            graded.all(|&(subtopic, _)| (subtopic as usize) < subtopics.count(query))
        };
        let all_valid = (0..table.query_count() as u32).all(is_valid);
        if all_valid { Ok(subtopics) } else { broken("a subtopic of another query") }
    }
}
