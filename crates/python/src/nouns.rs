//! The two nouns: judgments and a ranking, read once and evaluated as often as wanted.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping};
use rankgauge_core::sides::{Known, Sides};
use rankgauge_core::table::Table;
use rankgauge_core::text::trec::{ITERATIONS, JUDGMENTS, RANKING};
use rankgauge_core::text::{self, letor};
use rankgauge_core::{Error, Side};

use crate::columns::{self, Use};
use crate::errors::{Sources, column_error, problem};
use crate::files::{Bytes, Form, Origin, Separated, Source};
use crate::frames::Frame;
use crate::mappings::walk;
use crate::pool::in_pool;

/// Judged items by query.
#[pyclass(frozen, module = "rankgauge._core")]
#[derive(Debug)]
pub struct Judgments {
    pub table: Arc<Table>,
    pub origin: Option<Origin>,
    /// What they say beside the grades.
    pub sides: Option<Arc<Sides>>,
}

impl Judgments {
    fn of(table: Table, origin: Option<Origin>) -> Self {
        Judgments { table: Arc::new(table), origin, sides: None }
    }

    fn with_sides(&self, sides: Sides) -> Self {
        Judgments { table: sides.table().clone(), origin: self.origin.clone(), sides: Some(Arc::new(sides)) }
    }

    fn read(py: Python<'_>, table: Result<Table, Error>, origin: Origin) -> PyResult<Self> {
        let sources = Sources { judgments: Some(&origin), ranking: None };
        let table = table.map_err(|error| sources.error(py, Side::Judgments, error))?;
        Ok(Judgments::of(table, Some(origin)))
    }
}

#[pymethods]
impl Judgments {
    /// From a mapping of query to {item: grade}, or to the relevant items.
    #[staticmethod]
    fn from_mapping(mapping: &Bound<'_, PyMapping>) -> PyResult<Self> {
        Ok(Judgments::of(walk(mapping, Side::Judgments)?, None))
    }

    /// From the columns of a table.
    #[staticmethod]
    fn from_table(py: Python<'_>, table: &Bound<'_, PyAny>, roles: Roles, label: Option<String>) -> PyResult<Self> {
        let role = roles.extra_role.clone();
        let (table, extra) = read_table(py, table, roles, Side::Judgments, label.as_deref())?;
        let judgments = Judgments::of(table, label.map(|label| Origin { label, text: None, line: None }));
        match (extra.map(|extra| Judgments::of(extra, None)), role.as_deref()) {
            (Some(extra), Some("subtopic")) => judgments.with_subtopics(py, &extra),
            (Some(extra), role) => judgments.with_propensities(py, &extra, role == Some("position")),
            (None, _) => Ok(judgments),
        }
    }

    /// From a text in columns: a TREC file, or one with a delimiter.
    #[staticmethod]
    fn read_text(py: Python<'_>, path: PathBuf, separated: Option<Separated>, label: Option<String>) -> PyResult<Self> {
        let origin = Origin::new(&path, label);
        let bytes = Bytes::open(py, &path, &origin.label)?;
        let form = Form::new(separated, &bytes);
        let origin = Origin { text: Some((path, form)), ..origin };
        let table = py.detach(|| match form {
            Form::Trec => text::read(&bytes, JUDGMENTS),
            Form::Delimited(layout) if layout.value.is_some() => text::read(&bytes, layout),
            Form::Delimited(layout) => text::read(&bytes, layout).map(all_relevant),
        });
        Judgments::read(py, table, origin)
    }

    /// From a TREC file, with the iteration of each line for its item.
    #[staticmethod]
    fn read_iterations(py: Python<'_>, path: PathBuf, label: Option<String>) -> PyResult<Self> {
        let origin = Origin::new(&path, label);
        let bytes = Bytes::open(py, &path, &origin.label)?;
        let table = py.detach(|| text::read(&bytes, ITERATIONS));
        Judgments::read(py, table, origin)
    }

    /// Each item of a query once, with its subtopics: the items of judgments with the same rows.
    fn with_subtopics(&self, py: Python<'_>, subtopics: &Judgments) -> PyResult<Self> {
        let sources = Sources { judgments: self.origin.as_ref(), ranking: None };
        let sides = py.detach(|| Sides::merge(&self.table, &subtopics.table));
        Ok(self.with_sides(sides.map_err(|error| sources.error(py, Side::Judgments, error))?))
    }

    /// With the numbers of judgments with the same rows: propensities, or positions.
    fn with_propensities(&self, py: Python<'_>, numbers: &Judgments, positions: bool) -> PyResult<Self> {
        let sources = Sources { judgments: self.origin.as_ref(), ranking: None };
        let sides = py.detach(|| Sides::number(&self.table, &numbers.table, positions));
        Ok(self.with_sides(sides.map_err(|error| sources.error(py, Side::Judgments, error))?))
    }

    /// What the judgments say beside the grades.
    fn extra(&self) -> Option<&str> {
        self.sides.as_ref().map(|sides| match sides.known {
            Known::Subtopics(_) => "subtopic",
            Known::Propensities(_) => "propensity",
            Known::Positions(_) => "position",
        })
    }

    /// What is said of each row of a query beside its grade, in their order: a number, or subtopics with grades.
    fn beside<'py>(&self, py: Python<'py>, query: &str) -> PyResult<Bound<'py, PyList>> {
        let all = PyList::empty(py);
        let Some(sides) = &self.sides else { return Ok(all) };
        let Some(first) = sides.first_row(query.as_bytes()) else { return Ok(all) };
        let count = sides.table().find(query.as_bytes()).map_or(0, |found| sides.table().text_rows(found).len());
        for row in first..first + count {
            match &sides.known {
                Known::Subtopics(subtopics) => all.append(subtopics.of(row).to_vec())?,
                Known::Propensities(numbers) | Known::Positions(numbers) => all.append(numbers[row])?,
            }
        }
        Ok(all)
    }

    /// From a LETOR file: grade, qid:query, features.
    #[staticmethod]
    fn read_letor(py: Python<'_>, path: PathBuf, label: Option<String>) -> PyResult<Self> {
        let origin = Origin { line: Some("a grade and qid:query"), ..Origin::new(&path, label) };
        let bytes = Bytes::open(py, &path, &origin.label)?;
        let table = py.detach(|| letor::read(&bytes));
        Judgments::read(py, table, origin)
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
        let sources = Sources { judgments: self.origin.as_ref(), ranking: None };
        sources.place(py, Side::Judgments, query.as_bytes(), item.map(str::as_bytes))
    }

    fn __len__(&self) -> usize {
        self.table.query_count()
    }
}

/// The ids of evaluated queries, written when they are asked for.
#[pyclass(frozen, module = "rankgauge._core")]
#[derive(Debug)]
pub struct Queries {
    pub judgments: Arc<Table>,
    pub queries: Vec<u32>,
}

#[pymethods]
impl Queries {
    fn to_list(&self) -> Vec<String> {
        self.queries.iter().map(|&query| written(self.judgments.query_id(query))).collect()
    }

    fn __len__(&self) -> usize {
        self.queries.len()
    }
}

/// Where a ranking's rows are.
#[derive(Debug)]
pub enum Rows {
    Table(Table, Option<Origin>),
    /// A text, read each time it is evaluated.
    Text(Source),
    /// A mapping, walked each time it is evaluated.
    Mapping(Py<PyMapping>),
}

/// Ranked items by query.
#[pyclass(frozen, module = "rankgauge._core")]
#[derive(Debug)]
pub struct Ranking {
    pub rows: Rows,
}

impl Ranking {
    pub fn origin(&self) -> Option<&Origin> {
        match &self.rows {
            Rows::Text(source) => Some(&source.origin),
            Rows::Table(_, origin) => origin.as_ref(),
            Rows::Mapping(_) => None,
        }
    }

    fn with_table<T>(&self, py: Python<'_>, use_table: impl FnOnce(&Table) -> PyResult<T>) -> PyResult<T> {
        match &self.rows {
            Rows::Table(table, _) => use_table(table),
            Rows::Mapping(mapping) => use_table(&walk(mapping.bind(py), Side::Ranking)?),
            Rows::Text(source) => {
                let bytes = source.bytes(py)?;
                let table = py.detach(|| match source.form() {
                    Form::Trec => text::read(&bytes, RANKING),
                    Form::Delimited(layout) => text::read(&bytes, layout),
                });
                let sources = Sources { judgments: None, ranking: Some(&source.origin) };
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
        Ok(Ranking { rows: Rows::Table(walk(mapping, Side::Ranking)?, None) })
    }

    /// From the columns of a table.
    #[staticmethod]
    fn from_table(py: Python<'_>, table: &Bound<'_, PyAny>, roles: Roles, label: Option<String>) -> PyResult<Self> {
        let (table, _) = read_table(py, table, roles, Side::Ranking, label.as_deref())?;
        Ok(Ranking { rows: Rows::Table(table, label.map(|label| Origin { label, text: None, line: None })) })
    }

    /// A mapping that is used at once: it is walked when it is evaluated, and only as far as that needs.
    #[staticmethod]
    fn borrow_mapping(mapping: Bound<'_, PyMapping>) -> Self {
        Ranking { rows: Rows::Mapping(mapping.unbind()) }
    }

    /// From a text in columns: a TREC file, or one with a delimiter. It is read each time it is evaluated.
    #[staticmethod]
    fn open_text(py: Python<'_>, path: PathBuf, separated: Option<Separated>, label: Option<String>) -> PyResult<Self> {
        Ok(Ranking { rows: Rows::Text(Source::open(py, path, separated, label)?) })
    }

    /// From a file with a score per line, in the order of the judged rows.
    #[staticmethod]
    fn read_scores(py: Python<'_>, path: PathBuf, judgments: &Judgments, label: Option<String>) -> PyResult<Self> {
        let origin = Origin { line: Some("one score per line"), ..Origin::new(&path, label) };
        let bytes = Bytes::open(py, &path, &origin.label)?;
        let sources = Sources { judgments: None, ranking: Some(&origin) };
        let scores = py.detach(|| letor::scores(&bytes));
        let scores = scores.map_err(|error| sources.error(py, Side::Ranking, error))?;
        let (rows, count) = (judgments.table.row_count(), scores.len());
        let fields = [("rows", rows.to_string()), ("got", count.to_string())];
        let table = judgments.table.with_values(scores.into());
        let table = table.ok_or_else(|| problem(py, "score-count", &origin.label, &fields))?;
        Ok(Ranking { rows: Rows::Table(table, Some(origin)) })
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
        let sources = Sources { judgments: None, ranking: self.origin() };
        sources.place(py, Side::Ranking, query.as_bytes(), item.map(str::as_bytes))
    }

    fn queries(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with_table(py, |table| Ok(query_ids(table)))
    }
}

/// Judgments without grades: what is listed is relevant.
fn all_relevant(table: Table) -> Table {
    let ones = vec![1.0; table.row_count()];
    table.with_values(ones.into()).unwrap_or(table)
}

/// `rankgauge.inputs.roles.Roles`: the names of the columns.
#[derive(Debug, FromPyObject)]
pub struct Roles {
    query: String,
    item: String,
    value: Option<String>,
    descending: bool,
    extra: Option<String>,
    extra_role: Option<String>,
}

/// Read the columns of a table; where more than a grade is needed, a second table has it in the place of the item or
/// of the grade.
fn read_table(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    roles: Roles,
    side: Side,
    label: Option<&str>,
) -> PyResult<(Table, Option<Table>)> {
    let are_subtopics = roles.extra_role.as_deref() == Some("subtopic");
    let extra_use = if are_subtopics { Use::Ids } else { Use::Numbers };
    let mut wanted = vec![(&*roles.query, Use::Ids), (&*roles.item, Use::Ids)];
    wanted.extend(roles.value.as_deref().map(|value| (value, Use::Numbers)));
    wanted.extend(roles.extra.as_deref().map(|extra| (extra, extra_use)));
    let mut columns = columns::take(table, &wanted, label)?.into_iter();
    let (Some(query), Some(item)) = (columns.next(), columns.next()) else {
        return Err(PyValueError::new_err("expected two columns at least"));
    };
    let value = roles.value.as_ref().and_then(|_| columns.next());
    let frame = Frame { side, query, item, value, ranks: !roles.descending };
    let beside = columns.next().map(|extra| match are_subtopics {
        true => Frame { item: extra, ..frame.clone() },
        false => Frame { value: Some(extra), ..frame.clone() },
    });
    let read = |frame: Frame| -> PyResult<Table> {
        let result = py.detach(|| in_pool(None, || frame.into_table()))?;
        result.map_err(|fault| column_error(py, label, fault))
    };
    Ok((read(frame)?, beside.map(read).transpose()?))
}

pub fn written(id: &[u8]) -> String {
    String::from_utf8_lossy(id).into_owned()
}

fn query_ids(table: &Table) -> Vec<String> {
    table.sorted().iter().map(|&query| written(table.query_id(query))).collect()
}

fn groups<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for &query in table.sorted() {
        all.set_item(written(table.query_id(query)), query_rows(py, table, query)?)?;
    }
    Ok(all)
}

fn rows<'py>(py: Python<'py>, table: &Table, query: &str) -> PyResult<Option<Bound<'py, PyList>>> {
    table.find(query.as_bytes()).map(|found| query_rows(py, table, found)).transpose()
}

fn query_rows<'py>(py: Python<'py>, table: &Table, query: u32) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, table.text_rows(query).into_iter().map(|(item, value)| (written(&item), value)))
}
