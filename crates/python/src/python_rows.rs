//! The rows of tables as Python values.

use pyo3::prelude::*;
use pyo3::types::{PyDate, PyDateTime, PyDict, PyInt, PyList, PyString};
use rankgauge_core::id_kinds::IdKind;
use rankgauge_core::ids::whole_number;
use rankgauge_core::table::Table;

use crate::python_ids::write_id;

pub fn written(id: &[u8]) -> String {
    String::from_utf8_lossy(id).into_owned()
}

/// An id as it was before it became text.
fn id<'py>(py: Python<'py>, id: &[u8], kind: IdKind) -> PyResult<Bound<'py, PyAny>> {
    match kind {
        IdKind::Text => Ok(PyString::new(py, &written(id)).into_any()),
        IdKind::Whole => match whole_number(id) {
            Some(number) => Ok(number.into_pyobject(py)?.into_any()),
            None => py.get_type::<PyInt>().call1((written(id),)), // a number beyond 64 bits
        },
        IdKind::Date => py.get_type::<PyDate>().call_method1("fromisoformat", (written(id),)),
        IdKind::DateTime => py.get_type::<PyDateTime>().call_method1("fromisoformat", (written(id),)),
    }
}

/// The names of what the ids of queries and of items were.
pub fn kinds(table: &Table) -> (&'static str, &'static str) {
    (table.kinds().queries.name(), table.kinds().items.name())
}

pub fn query_ids(table: &Table) -> Vec<String> {
    table.sorted().iter().map(|&query| written(table.query_id(query))).collect()
}

/// The number of a query whose id is of any type, if the table has it.
pub fn find(table: &Table, query: &Bound<'_, PyAny>) -> Option<u32> {
    let mut text = Vec::new();
    write_id(query, "query", &mut text).ok()?;
    table.find(&text)
}

/// How many rows a query has, whose id is of any type; none where the table lacks it.
pub fn row_count(table: &Table, query: &Bound<'_, PyAny>) -> usize {
    find(table, query).map_or(0, |query| table.row_numbers(query).count())
}

/// Query → rows of (item, value); ids are text, or as they were where they are `native`.
pub fn groups<'py>(py: Python<'py>, table: &Table, native: bool) -> PyResult<Bound<'py, PyDict>> {
    let kind = if native { table.kinds().queries } else { IdKind::Text };
    let all = PyDict::new(py);
    for &query in table.sorted() {
        all.set_item(id(py, table.query_id(query), kind)?, query_rows(py, table, query, native)?)?;
    }
    Ok(all)
}

/// Query → a mark of the digits of each value, 0 where a float has them all; nothing where all do.
pub fn marks<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    let queries = if table.marks().is_empty() { &[] } else { table.sorted() };
    for &query in queries {
        let marks: Vec<u64> = table.row_numbers(query).map(|row| table.marks().of(row)).collect();
        all.set_item(written(table.query_id(query)), marks)?;
    }
    Ok(all)
}

pub fn rows<'py>(
    py: Python<'py>,
    table: &Table,
    query: &Bound<'py, PyAny>,
    native: bool,
) -> PyResult<Option<Bound<'py, PyList>>> {
    find(table, query).map(|query| query_rows(py, table, query, native)).transpose()
}

fn query_rows<'py>(py: Python<'py>, table: &Table, query: u32, native: bool) -> PyResult<Bound<'py, PyList>> {
    let kind = if native { table.kinds().items } else { IdKind::Text };
    let rows = table.text_rows(query).into_iter().map(|(item, value)| Ok((id(py, &item, kind)?, value)));
    PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
}
