//! Python mappings, walked into a table: query → {item: number}, query → (item, number) pairs, query → items, or query →
//! {item: {subtopic: number}}.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyFrozenSet, PyInt, PyMapping, PySet, PyString, PyTuple};
use pyo3::{Borrowed, ffi};
use rankgauge_core::Side;
use rankgauge_core::digits::{EXACT, keep_order, mark, remainder};
use rankgauge_core::evaluate::Excerpt;
use rankgauge_core::ids::{IdKind, IdKinds, Ids};
use rankgauge_core::plan::Plan;
use rankgauge_core::select::nth_largest;
use rankgauge_core::table::{Builder, Table};

use crate::errors::{problem, quoted};

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

/// The best rows of a mapping of query to {item: score}, all plain dicts, texts and numbers; none if it is not so.
///
/// Only scores decide which items matter, so the texts of most items are never looked at. What the excerpt borrows
/// belongs to the mapping: it must be used before Python's lock is released and before any Python code runs. A subclass
/// of dict is none of them: to ask even its type for a method may run the code of a metaclass.
pub fn excerpt<'a>(mapping: &'a Bound<'_, PyAny>, plan: &Plan) -> Option<Excerpt<'a>> {
    let mut excerpt = Excerpt::default();
    let (mut items, mut scores, mut compared, mut best) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (query, rows) in Pairs::of(mapping.as_borrowed())? {
        items.clear();
        scores.clear();
        for (item, number) in Pairs::of(rows)? {
            items.push(item);
            scores.push(plain_number(number)?);
        }
        compared.clone_from(&scores);
        if plan.rules.float32 {
            compared.iter_mut().for_each(|score| *score = f64::from(*score as f32));
        }
        let lowest = nth_largest(&compared, plan.rows_needed(), &mut best);
        let matter = || compared.iter().zip(&scores).enumerate().filter(|&(_, (&score, _))| score >= lowest);
        if !items.iter().all(|item| item.is_exact_instance_of::<PyString>()) {
            return None;
        }
        excerpt.query(plain_text(query)?, scores.len() - matter().count())?;
        for (at, (_, &score)) in matter() {
            excerpt.row(plain_text(items[at])?, score);
        }
    }
    Some(excerpt)
}

/// The keys and values of a dict, borrowed from it.
struct Pairs<'a, 'py> {
    dict: Borrowed<'a, 'py, PyDict>,
    place: ffi::Py_ssize_t,
}

impl<'a, 'py> Pairs<'a, 'py> {
    fn of(mapping: Borrowed<'a, 'py, PyAny>) -> Option<Self> {
        Some(Pairs { dict: mapping.cast_exact::<PyDict>().ok()?, place: 0 })
    }
}

impl<'a, 'py> Iterator for Pairs<'a, 'py> {
    type Item = (Borrowed<'a, 'py, PyAny>, Borrowed<'a, 'py, PyAny>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (mut key, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the dict owns what is returned, and does not change: the lock is held and no Python code runs.
        unsafe {
            let found = ffi::PyDict_Next(self.dict.as_ptr(), &mut self.place, &mut key, &mut value) != 0;
            found.then(|| (Borrowed::from_ptr(self.dict.py(), key), Borrowed::from_ptr(self.dict.py(), value)))
        }
    }
}

/// A finite number that is read without running code.
#[inline]
fn plain_number(number: Borrowed<'_, '_, PyAny>) -> Option<f64> {
    let value = match number.cast_exact::<PyFloat>() {
        Ok(number) => number.value(),
        // Whole numbers that are no floats are read with all their digits.
        Err(_) if number.is_exact_instance_of::<PyInt>() => {
            number.extract().ok().filter(|value: &f64| value.abs() < EXACT)?
        }
        Err(_) => return None,
    };
    value.is_finite().then_some(value)
}

/// The bytes of a text, which live as long as the text; none if it is no text, or has no form in UTF-8.
fn plain_text<'a>(text: Borrowed<'a, '_, PyAny>) -> Option<&'a [u8]> {
    let mut length = 0;
    if !text.is_exact_instance_of::<PyString>() {
        return None;
    }
    // SAFETY: it is a text, and the bytes that Python returns belong to it.
    unsafe {
        let start = ffi::PyUnicode_AsUTF8AndSize(text.as_ptr(), &mut length);
        if start.is_null() {
            drop(PyErr::take(text.py()));
            return None;
        }
        Some(std::slice::from_raw_parts(start.cast(), length as usize))
    }
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
        self.query_kind = Some(common_kind(self.query_kind, kind));
        if !self.builder.query(&self.query) {
            return Err(problem(query.py(), "duplicate-query", &format!("query {}", quoted(&self.query)), &[]));
        }
        Ok(())
    }

    fn item(&mut self, item: &Bound<'_, PyAny>) -> PyResult<()> {
        let kind = write_id(item, "item", &mut self.id)?;
        self.item_kind = Some(common_kind(self.item_kind, kind));
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
        let got = number.repr().map(|text| text.to_string()).unwrap_or_else(|_| type_name(number));
        problem(number.py(), "bad-value", &place, &[("noun", noun.to_string()), ("got", got)])
    }
}

/// The kind of ids of which some are of one kind and some of another.
fn common_kind(known: Option<IdKind>, kind: IdKind) -> IdKind {
    if known.is_none_or(|known| known == kind) { kind } else { IdKind::Text }
}

fn bad_subtopics(query: &Bound<'_, PyAny>, got: &Bound<'_, PyAny>) -> PyErr {
    let query_text = query.repr().map(|text| text.to_string()).unwrap_or_default();
    problem(query.py(), "bad-subtopics", &format!("query {query_text}"), &[("got", type_name(got))])
}

/// Whether rows have an item for each number: a mapping, or a pandas Series of numbers, which is none by its class.
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

/// Write an id as text, and return what it was: 7, "7" and b"7" are the same id.
pub fn write_id(id: &Bound<'_, PyAny>, noun: &str, text: &mut Vec<u8>) -> PyResult<IdKind> {
    text.clear();
    if let Ok(string) = id.cast::<PyString>() {
        match string.to_str() {
            Ok(valid) => text.extend_from_slice(valid.as_bytes()),
            Err(_) => return Err(bad_id(id, noun)),
        }
    } else if let Ok(bytes) = id.cast::<PyBytes>() {
        match std::str::from_utf8(bytes.as_bytes()) {
            Ok(valid) => text.extend_from_slice(valid.as_bytes()),
            Err(_) => return Err(bad_id(id, noun)),
        }
    } else {
        if let Some(written) = whole_number(id) {
            text.extend_from_slice(written.as_bytes());
            return Ok(IdKind::Whole);
        }
        let written = date(id).or_else(|_| uuid(id)).map_err(|_| bad_id(id, noun))?;
        text.extend_from_slice(written.as_bytes());
    }
    Ok(IdKind::Text)
}

/// A whole number of any class, if 128 bits hold it.
pub fn long_whole(number: &Bound<'_, PyAny>) -> Option<i128> {
    number.call_method0("__index__").ok()?.extract().ok()
}

/// A whole number; `True` is none, though Python counts with it.
fn whole_number(id: &Bound<'_, PyAny>) -> Option<String> {
    if !id.is_exact_instance_of::<PyInt>() && (id.is_instance_of::<PyBool>() || numpy_kind(id) == Some('b')) {
        return None;
    }
    let number = id.call_method0("__index__").ok()?.cast_into::<PyInt>().ok()?;
    Some(number.str().ok()?.to_string())
}

/// What a value of NumPy is, as a letter: `M` for a point in time, `b` for a boolean, `f` for a float.
fn numpy_kind(value: &Bound<'_, PyAny>) -> Option<char> {
    value.getattr_opt("dtype").ok()??.getattr("kind").ok()?.extract().ok()
}

/// A date as `2024-01-31`, a point in time as `2024-01-31T09:30:00`, midnight as the date alone.
fn date(id: &Bound<'_, PyAny>) -> PyResult<String> {
    let bad = || PyValueError::new_err("no point in time");
    let id = match numpy_kind(id) {
        None => id,
        Some('M') => &id.call_method1("astype", ("datetime64[us]",))?.call_method0("item")?,
        Some(_) => return Err(bad()),
    };
    let text = id.call_method0("isoformat")?.extract::<String>()?;
    if id.ne(id)? {
        return Err(bad()); // pandas' NaT, which is not a time
    }
    // What follows a midnight is at most the offset of its zone.
    let date = text.split_once("T00:00:00").filter(|(_, rest)| rest.is_empty() || rest.starts_with(['+', '-']));
    Ok(date.map(|(date, _)| date.to_string()).unwrap_or(text))
}

/// A UUID, as it is usually written.
fn uuid(id: &Bound<'_, PyAny>) -> PyResult<String> {
    id.getattr("urn")?; // which nothing else has
    Ok(id.str()?.to_string())
}

fn bad_id(id: &Bound<'_, PyAny>, noun: &str) -> PyErr {
    let got = id.repr().map(|text| text.to_string()).unwrap_or_else(|_| type_name(id));
    problem(id.py(), "bad-id", "", &[("noun", noun.to_string()), ("got", format!("{got} ({})", type_name(id)))])
}

fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map(|name| name.to_string()).unwrap_or_else(|_| "something else".into())
}
