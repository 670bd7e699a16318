//! The two nouns: judgments and a ranking, read once and evaluated as often as wanted.

use std::path::{Path, PathBuf};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping};
use rankgauge_core::Side;
use rankgauge_core::table::Table;
use rankgauge_core::trec;

use crate::columns::{self, Use};
use crate::errors::{Sources, column_error};
use crate::files::{Bytes, Source};
use crate::frames::Frame;
use crate::mappings::walk;
use crate::pool::in_pool;

/// Judged items by query.
#[pyclass(frozen, module = "rankgauge._core")]
#[derive(Debug)]
pub struct Judgments {
    pub table: Table,
    pub path: Option<PathBuf>,
}

#[pymethods]
impl Judgments {
    /// From a mapping of query to {item: grade}, or to the relevant items.
    #[staticmethod]
    fn from_mapping(mapping: &Bound<'_, PyMapping>) -> PyResult<Self> {
        Ok(Judgments { table: walk(mapping, Side::Judgments)?, path: None })
    }

    /// From the columns of a table.
    #[staticmethod]
    fn from_table(py: Python<'_>, table: &Bound<'_, PyAny>, roles: Roles, origin: Option<PathBuf>) -> PyResult<Self> {
        Ok(Judgments { table: read_table(py, table, roles, Side::Judgments, origin.as_deref())?, path: origin })
    }

    /// From a TREC file.
    #[staticmethod]
    fn read_trec(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let bytes = Bytes::open(py, &path)?;
        let table = py.detach(|| trec::read(&bytes, trec::JUDGMENTS));
        let sources = Sources { judgments: Some(&path), ranking: None };
        let table = table.map_err(|error| sources.error(py, Side::Judgments, error))?;
        Ok(Judgments { table, path: Some(path) })
    }

    /// Query → rows of (item, grade), in the order in which they came.
    fn groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        groups(py, &self.table)
    }

    fn rows<'py>(&self, py: Python<'py>, query: &str) -> PyResult<Option<Bound<'py, PyList>>> {
        rows(py, &self.table, query)
    }

    fn queries(&self) -> Vec<String> {
        query_ids(&self.table)
    }

    /// Where a row came from: its file and line as far as they are known, its query and item.
    #[pyo3(signature = (query, item=None))]
    fn place(&self, py: Python<'_>, query: &str, item: Option<&str>) -> String {
        let sources = Sources { judgments: self.path.as_deref(), ranking: None };
        sources.place(py, Side::Judgments, query.as_bytes(), item.map(str::as_bytes))
    }

    fn __len__(&self) -> usize {
        self.table.query_count()
    }
}

/// Where a ranking's rows are.
#[derive(Debug)]
pub enum Rows {
    Table(Table),
    /// A TREC file.
    Trec(Source),
}

/// Ranked items by query.
#[pyclass(frozen, module = "rankgauge._core")]
#[derive(Debug)]
pub struct Ranking {
    pub rows: Rows,
}

impl Ranking {
    pub fn path(&self) -> Option<&Path> {
        match &self.rows {
            Rows::Trec(source) => Some(&source.path),
            Rows::Table(_) => None,
        }
    }

    /// The bytes of the file, none for rows in memory.
    pub fn bytes(&self, py: Python<'_>) -> PyResult<Bytes> {
        match &self.rows {
            Rows::Trec(source) => source.bytes(py),
            Rows::Table(_) => Ok(Bytes::none()),
        }
    }

    fn with_table<T>(&self, py: Python<'_>, use_table: impl FnOnce(&Table) -> PyResult<T>) -> PyResult<T> {
        match &self.rows {
            Rows::Table(table) => use_table(table),
            Rows::Trec(source) => {
                let bytes = source.bytes(py)?;
                let table = py.detach(|| trec::read(&bytes, trec::RANKING));
                let sources = Sources { judgments: None, ranking: Some(&source.path) };
                use_table(&table.map_err(|error| sources.error(py, Side::Ranking, error))?)
            }
        }
    }
}

#[pymethods]
impl Ranking {
    /// From a mapping of query to {item: score}, or to items in order.
    #[staticmethod]
    fn from_mapping(mapping: &Bound<'_, PyMapping>) -> PyResult<Self> {
        Ok(Ranking { rows: Rows::Table(walk(mapping, Side::Ranking)?) })
    }

    /// From the columns of a table.
    #[staticmethod]
    fn from_table(py: Python<'_>, table: &Bound<'_, PyAny>, roles: Roles, origin: Option<PathBuf>) -> PyResult<Self> {
        Ok(Ranking { rows: Rows::Table(read_table(py, table, roles, Side::Ranking, origin.as_deref())?) })
    }

    /// From a TREC file, which is read each time it is evaluated.
    #[staticmethod]
    fn open_trec(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Ok(Ranking { rows: Rows::Trec(Source::open(py, path)?) })
    }

    /// Query → rows of (item, score), in the order in which they came.
    fn groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.with_table(py, |table| groups(py, table))
    }

    fn rows<'py>(&self, py: Python<'py>, query: &str) -> PyResult<Option<Bound<'py, PyList>>> {
        self.with_table(py, |table| rows(py, table, query))
    }

    /// Where a row came from: its file and line as far as they are known, its query and item.
    #[pyo3(signature = (query, item=None))]
    fn place(&self, py: Python<'_>, query: &str, item: Option<&str>) -> String {
        let sources = Sources { judgments: None, ranking: self.path() };
        sources.place(py, Side::Ranking, query.as_bytes(), item.map(str::as_bytes))
    }

    fn queries(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with_table(py, |table| Ok(query_ids(table)))
    }
}

/// `rankgauge.inputs.roles.Roles`: the names of the columns.
#[derive(FromPyObject)]
pub struct Roles {
    query: String,
    item: String,
    value: Option<String>,
    descending: bool,
}

fn read_table(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    roles: Roles,
    side: Side,
    origin: Option<&Path>,
) -> PyResult<Table> {
    let mut wanted = vec![(&*roles.query, Use::Ids), (&*roles.item, Use::Ids)];
    wanted.extend(roles.value.as_deref().map(|value| (value, Use::Numbers)));
    let mut columns = columns::take(table, &wanted)?.into_iter();
    let (Some(query), Some(item)) = (columns.next(), columns.next()) else {
        return Err(PyValueError::new_err("expected two columns at least"));
    };
    let frame = Frame { side, query, item, value: columns.next(), ranks: !roles.descending };
    let result = py.detach(|| in_pool(None, || frame.into_table()))?;
    result.map_err(|fault| column_error(py, origin, fault))
}

pub fn text(id: &[u8]) -> String {
    String::from_utf8_lossy(id).into_owned()
}

fn query_ids(table: &Table) -> Vec<String> {
    table.sorted().iter().map(|&query| text(table.query_id(query))).collect()
}

fn groups<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for &query in table.sorted() {
        all.set_item(text(table.query_id(query)), query_rows(py, table, query)?)?;
    }
    Ok(all)
}

fn rows<'py>(py: Python<'py>, table: &Table, query: &str) -> PyResult<Option<Bound<'py, PyList>>> {
    table.find(query.as_bytes()).map(|found| query_rows(py, table, found)).transpose()
}

fn query_rows<'py>(py: Python<'py>, table: &Table, query: u32) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, table.text_rows(query).into_iter().map(|(item, value)| (text(&item), value)))
}
