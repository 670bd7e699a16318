//! Python mappings, walked into a table: query → {item: number}, query → (item, number) pairs, query → items, or query →
//! {item: {subtopic: number}}.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyFrozenSet, PyInt, PyMapping, PySet, PyString, PyTuple};
use rankgauge_core::Side;
use rankgauge_core::builder::Builder;
use rankgauge_core::disjoint_queries::{JudgedItems, Sharing};
use rankgauge_core::id_kinds::{IdKind, IdKinds};
use rankgauge_core::ids::Ids;
use rankgauge_core::long_scores::{EXACT, keep_order, mark, remainder};
use rankgauge_core::table::Table;

use crate::errors::{problem, quoted};
use crate::excerpts::{Pairs, plain_text};
use crate::python_ids::{long_whole, shown, type_name, write_id};

/// Walk a mapping of queries. Items without numbers get grade 1 as judgments, and their order as a ranking.
pub fn walk(mapping: &Bound<'_, PyMapping>, side: Side) -> PyResult<Table> {
    let mut walker = Walker::new(side);
    each_pair(mapping.as_any(), |query, rows| walker.query(query, rows))?;
    Ok(walker.finish())
}

/// Walk the first `most` judged queries of a ranking.
pub fn walk_judged(mapping: &Bound<'_, PyMapping>, judgments: &Table, most: usize) -> PyResult<Table> {
    let mut walker = Walker::new(Side::Ranking);
    let mut text = Vec::new();
    let mut left = most;
    for query in mapping.try_iter()? {
        let query = query?;
        text.clear();
        write_id(&query, "query", &mut text)?;
        if judgments.find(&text).is_some() {
            walker.query(&query, &mapping.get_item(&query)?)?;
            left -= 1;
        }
        if left == 0 {
            break;
        }
    }
    Ok(walker.finish())
}

/// Whether at least half of the first `most` judged queries have an item that is ranked and judged.
pub fn share_items(mapping: &Bound<'_, PyMapping>, judgments: &Table, most: usize) -> PyResult<bool> {
    let mut sharing = Sharing::new(most);
    let mut text = Vec::new();
    for query in mapping.try_iter()? {
        let query = query?;
        write_id(&query, "query", &mut text)?;
        if let Some(judged) = judgments.find(&text) {
            let rows = mapping.get_item(&query)?;
            sharing.add(share_item(&query, &rows, &JudgedItems::of(judgments, judged))?);
        }
        if sharing.is_clear() {
            break;
        }
    }
    Ok(sharing.by_half())
}

/// Whether a query has a judged item; the keys of a plain dict are compared without copying them.
fn share_item(query: &Bound<'_, PyAny>, rows: &Bound<'_, PyAny>, judged: &JudgedItems) -> PyResult<bool> {
    if let Some(mut pairs) = Pairs::of(rows.as_borrowed()) {
        let mut is_plain = !rows.is_empty()?;
        let is_judged = |(item, _)| match plain_text(item) {
            Some(item) => judged.has(item),
            None => {
                is_plain = false;
                false
            }
        };
        let shares = pairs.any(is_judged);
        if shares || is_plain {
            return Ok(shares || judged.is_empty());
        }
    }
    let mut walker = Walker::new(Side::Ranking);
    walker.query(query, rows)?;
    let items = walker.finish().text_rows(0);
    Ok(judged.are_met_by(items.iter().map(|(item, _)| &**item)))
}

/// Walk a mapping of queries to {item: {subtopic: grade}}, or to {item: subtopics}: a row for each subtopic.
pub fn walk_subtopics(mapping: &Bound<'_, PyMapping>) -> PyResult<(Table, Ids)> {
    let mut walker = Walker::new(Side::Judgments);
    let mut subtopics = Ids::default();
    each_pair(mapping.as_any(), |query, items| {
        walker.begin(query)?;
        let bad_rows = |got: &Bound<'_, PyAny>| bad_subtopics(query, got);
        items.cast::<PyMapping>().map_err(|_| bad_rows(items))?;
        each_pair(items, |item, graded| walker.subtopics(item, graded, &mut subtopics, bad_rows))
    })?;
    Ok((walker.finish(), subtopics))
}

struct Walker {
    builder: Builder,
    side: Side,
    query: Vec<u8>,
    id: Vec<u8>,
    query_kind: Option<IdKind>,
    item_kind: Option<IdKind>,
    /// What floats lack of long whole numbers, by row.
    remainders: Vec<(usize, i128)>,
}

impl Walker {
    fn new(side: Side) -> Self {
        let (query, id) = (Vec::new(), Vec::new());
        let remainders = Vec::new();
        Walker { builder: Builder::default(), side, query, id, query_kind: None, item_kind: None, remainders }
    }

    fn finish(self) -> Table {
        let (queries, items) = (self.query_kind.unwrap_or_default(), self.item_kind.unwrap_or_default());
        self.builder.finish().with_kinds(IdKinds { queries, items })
    }

    fn begin(&mut self, query: &Bound<'_, PyAny>) -> PyResult<()> {
        let kind = write_id(query, "query", &mut self.query)?;
        self.query_kind = Some(IdKind::common(self.query_kind.into_iter().chain([kind])));
        if !self.builder.query(&self.query) {
            return Err(problem(query.py(), "duplicate-query", &format!("query {}", quoted(&self.query)), &[]));
        }
        Ok(())
    }

    fn item(&mut self, item: &Bound<'_, PyAny>) -> PyResult<()> {
        let kind = write_id(item, "item", &mut self.id)?;
        self.item_kind = Some(IdKind::common(self.item_kind.into_iter().chain([kind])));
        Ok(())
    }

    /// The subtopics of an item: with a grade each, or those that it is relevant to.
    fn subtopics(
        &mut self,
        item: &Bound<'_, PyAny>,
        graded: &Bound<'_, PyAny>,
        ids: &mut Ids,
        bad_rows: impl Fn(&Bound<'_, PyAny>) -> PyErr,
    ) -> PyResult<()> {
        let mut text = Vec::new();
        let mut add = |subtopic: &Bound<'_, PyAny>| {
            write_id(subtopic, "subtopic", &mut text)?;
            ids.push(&text);
            Ok::<(), PyErr>(())
        };
        if graded.cast::<PyMapping>().is_ok() {
            return each_pair(graded, |subtopic, grade| {
                add(subtopic)?;
                self.row(item, grade)
            });
        }
        let is_text = graded.is_instance_of::<PyString>() || graded.is_instance_of::<PyBytes>();
        let subtopics = graded.try_iter().ok().filter(|_| !is_text).ok_or_else(|| bad_rows(graded))?;
        for subtopic in subtopics {
            add(&subtopic?)?;
            self.item(item)?;
            self.builder.row(&self.id, 1.0);
        }
        Ok(())
    }

    fn query(&mut self, query: &Bound<'_, PyAny>, rows: &Bound<'_, PyAny>) -> PyResult<()> {
        let first = self.builder.row_count();
        self.begin(query)?;
        self.rows(rows)?;
        if !self.remainders.is_empty() {
            let mut remainders = vec![0; self.builder.row_count() - first];
            self.remainders.drain(..).for_each(|(row, remainder)| remainders[row - first] = remainder);
            keep_order(self.builder.values_from(first), &remainders);
        }
        Ok(())
    }

    fn rows(&mut self, rows: &Bound<'_, PyAny>) -> PyResult<()> {
        if is_labelled(rows)? {
            return each_pair(rows, |item, number| self.row(item, number));
        }
        let iterator = match rows.try_iter() {
            Ok(items) if self.holds_items(rows) => items,
            _ => return Err(self.bad_rows(rows)),
        };
        let mut pairs = false;
        for (position, item) in iterator.enumerate() {
            let item = item?;
            let pair = item.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2);
            pairs = if position == 0 { pair.is_some() } else { pairs };
            match (pair, pairs) {
                (Some(pair), true) => self.row(&pair.get_item(0)?, &pair.get_item(1)?)?,
                (_, true) => return Err(self.bad_rows(&item)),
                (_, false) => self.unlabelled(&item, position)?,
            }
        }
        Ok(())
    }

    /// An item without a number: relevant, or ranked by its position.
    fn unlabelled(&mut self, item: &Bound<'_, PyAny>, position: usize) -> PyResult<()> {
        self.item(item)?;
        let value = match self.side {
            Side::Judgments => 1.0,
            Side::Ranking => -(position as f64),
        };
        self.builder.row(&self.id, value);
        Ok(())
    }

    /// Texts are no collections of items, and sets have no order to rank by.
    fn holds_items(&self, rows: &Bound<'_, PyAny>) -> bool {
        let is_text = rows.is_instance_of::<PyString>() || rows.is_instance_of::<PyBytes>();
        let is_set = rows.is_instance_of::<PySet>() || rows.is_instance_of::<PyFrozenSet>();
        !(is_text || (is_set && self.side == Side::Ranking))
    }

    fn row(&mut self, item: &Bound<'_, PyAny>, number: &Bound<'_, PyAny>) -> PyResult<()> {
        self.item(item)?;
        match number.extract::<f64>() {
            Ok(value) if value.is_finite() => {
                self.builder.row(&self.id, value);
                if self.side == Side::Ranking && !number.is_instance_of::<PyFloat>() {
                    self.keep_digits(number, value)?;
                }
            }
            _ => return Err(self.bad_number(number)),
        }
        Ok(())
    }

    /// Keep what the float lacks of the number in the last row.
    fn keep_digits(&mut self, number: &Bound<'_, PyAny>, value: f64) -> PyResult<()> {
        if value.abs() >= EXACT
            && let Some(whole) = long_whole(number)
        {
            self.remainders.push((self.builder.row_count() - 1, remainder(whole)));
        } else if value.abs() >= EXACT || (!number.is_instance_of::<PyInt>() && number.hasattr("as_tuple")?) {
            self.builder.mark(mark(number.str()?.to_string_lossy().as_bytes(), value));
        }
        Ok(())
    }

    fn bad_rows(&self, rows: &Bound<'_, PyAny>) -> PyErr {
        let expected = match self.side {
            Side::Judgments => "{item: grade} or the relevant items",
            Side::Ranking => "{item: score} or an ordered list of items",
        };
        let fields = [("expected", expected.to_string()), ("got", type_name(rows))];
        problem(rows.py(), "bad-query-rows", &format!("query {}", quoted(&self.query)), &fields)
    }

    fn bad_number(&self, number: &Bound<'_, PyAny>) -> PyErr {
        let place = format!("query {}, item {}", quoted(&self.query), quoted(&self.id));
        let noun = if self.side == Side::Judgments { "grade" } else { "score" };
        problem(number.py(), "bad-value", &place, &[("noun", noun.to_string()), ("got", shown(number))])
    }
}

fn bad_subtopics(query: &Bound<'_, PyAny>, got: &Bound<'_, PyAny>) -> PyErr {
    problem(query.py(), "bad-subtopics", &format!("query {}", shown(query)), &[("got", type_name(got))])
}

/// Whether rows have an item for each number: a mapping, or a pandas Series, which is no mapping by its class.
fn is_labelled(rows: &Bound<'_, PyAny>) -> PyResult<bool> {
    if rows.cast::<PyMapping>().is_ok() {
        return Ok(true);
    }
    if !(rows.hasattr("keys")? && rows.hasattr("items")?) {
        return Ok(false);
    }
    let first = rows.call_method0("items")?.try_iter()?.next().transpose()?;
    let number = first.and_then(|pair| pair.get_item(1).ok());
    Ok(number.is_some_and(|number| number.extract::<f64>().is_ok()))
}

/// Call `visit` with each key and value of a mapping.
///
/// Reading a number or an id of another class may run its code, which may change the mapping; a copy stays as it is.
fn each_pair<'py>(
    mapping: &Bound<'py, PyAny>,
    mut visit: impl FnMut(&Bound<'py, PyAny>, &Bound<'py, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    if let Ok(dict) = mapping.cast_exact::<PyDict>() {
        let runs_no_code = dict.iter().all(|(key, value)| is_plain(&key) && is_plain(&value));
        let steady = if runs_no_code { dict.clone() } else { dict.copy()? };
        return steady.iter().try_for_each(|(key, value)| visit(&key, &value));
    }
    for pair in mapping.call_method0("items")?.try_iter()? {
        let (key, value) = pair?.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        visit(&key, &value)?;
    }
    Ok(())
}

fn is_plain(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<PyString>()
        || value.is_exact_instance_of::<PyFloat>()
        || value.is_exact_instance_of::<PyInt>()
}
