//! Judgments: read once and evaluated as often as wanted.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyMapping};
use rankgauge_core::annotations::{Annotations, Column, Kind, Subtopics, Values};
use rankgauge_core::bytes::{Reader, Writer};
use rankgauge_core::disjoint_queries::known_items;
use rankgauge_core::grades::{fractions, has_duplicates};
use rankgauge_core::noun_bytes::VERSION;
use rankgauge_core::table::Table;
use rankgauge_core::text::delimited::Annotated;
use rankgauge_core::text::trec::{JUDGMENTS, SUBTOPICS};
use rankgauge_core::text::{self, letor};
use rankgauge_core::{Error, Side};

use crate::errors::{Sources, bad_bytes};
use crate::files::{Bytes, DelimitedColumns, Form, Origin, worded};
use crate::frames::{Roles, annotation_kind, read_table};
use crate::mappings::{walk, walk_subtopics};
use crate::pool::in_pool;
use crate::python_rows::{find, groups, kinds, query_ids, row_count, rows, written};

/// What the byte form begins with.
const KIND: [u8; 4] = *b"rgju";

/// Judged items by query.
#[pyclass(frozen, module = "rankgauge._core")]
#[derive(Debug)]
pub struct Judgments {
    pub table: Arc<Table>,
    pub origin: Option<Origin>,
    pub annotations: Option<Arc<Annotations>>,
}

impl Judgments {
    fn new(py: Python<'_>, table: Table, column: Option<Column>, origin: Option<Origin>) -> PyResult<Self> {
        let Some(column) = column else {
            return Ok(Judgments { table: Arc::new(table), origin, annotations: None });
        };
        let annotations = py.detach(|| Annotations::new(table, &column));
        let sources = Sources { judgments: origin.as_ref(), ranking: None };
        let annotations = annotations.map_err(|error| sources.error(py, Side::Judgments, error))?;
        Ok(Judgments { table: annotations.table().clone(), origin, annotations: Some(Arc::new(annotations)) })
    }

    /// Read a text on all cores; with annotations, if it has them.
    fn read(
        py: Python<'_>,
        origin: Origin,
        read: impl FnOnce() -> Result<(Table, Option<Column>), Error> + Send,
    ) -> PyResult<Self> {
        let rows = py.detach(|| in_pool(false, None, read))?;
        let sources = Sources { judgments: Some(&origin), ranking: None };
        let (table, column) = rows.map_err(|error| sources.error(py, Side::Judgments, error))?;
        Judgments::new(py, table, column, Some(origin))
    }
}

#[pymethods]
impl Judgments {
    /// From a mapping of query to {item: grade}, or to the relevant items.
    #[staticmethod]
    pub fn from_mapping(mapping: &Bound<'_, PyMapping>) -> PyResult<Self> {
        Judgments::new(mapping.py(), walk(mapping, Side::Judgments)?, None, None)
    }

    /// From a mapping of query to {item: {subtopic: grade}}, or to {item: the subtopics that it is relevant to}.
    #[staticmethod]
    fn from_subtopics(mapping: &Bound<'_, PyMapping>) -> PyResult<Self> {
        let (table, subtopics) = walk_subtopics(mapping)?;
        Judgments::new(mapping.py(), table, Some(Column::Subtopics(Arc::new(subtopics))), None)
    }

    /// From the columns of a table.
    #[staticmethod]
    fn from_table(py: Python<'_>, table: &Bound<'_, PyAny>, roles: Roles, label: Option<String>) -> PyResult<Self> {
        let (table, column) = read_table(py, table, roles, Side::Judgments, label.as_deref())?;
        Judgments::new(py, table, column, label.map(|label| Origin { label, text: None, line: None }))
    }

    /// From a TREC file, whose second column may be subtopics.
    #[staticmethod]
    fn read_trec(py: Python<'_>, path: PathBuf, subtopics: bool, label: Option<String>) -> PyResult<Self> {
        let origin = Origin::new(&path, label);
        let bytes = Bytes::open(py, &path, &origin.label)?;
        let origin = Origin { text: Some((path, Form::Trec)), ..origin };
        Judgments::read(py, origin, || match subtopics {
            true => with_annotations(text::read_annotated(bytes.source(), SUBTOPICS, Kind::Subtopic)),
            false => without_annotations(text::read(bytes.source(), JUDGMENTS)),
        })
    }

    /// From a text whose columns are separated by a delimiter.
    #[staticmethod]
    fn read_delimited(
        py: Python<'_>,
        path: PathBuf,
        columns: DelimitedColumns,
        label: Option<String>,
    ) -> PyResult<Self> {
        let origin = Origin::new(&path, label);
        let bytes = Bytes::open(py, &path, &origin.label)?;
        let layout = columns.layout(&bytes).map_err(|error| worded(py, &origin.label, error))?;
        let kind = annotation_kind(columns.annotation_role.as_deref())?;
        let origin = Origin { text: Some((path, Form::Delimited(layout))), ..origin };
        Judgments::read(py, origin, || {
            let (table, column) = match kind {
                Some(kind) => with_annotations(text::read_annotated(bytes.source(), Annotated(layout), kind)),
                None => without_annotations(text::read(bytes.source(), layout)),
            }?;
            Ok((if layout.value.is_some() { table } else { all_relevant(table) }, column))
        })
    }

    /// The queries whose hashes lie in a range, with their rows.
    fn part(&self, py: Python<'_>, low: u64, high: u64) -> Self {
        let (origin, annotations) = (self.origin.clone(), self.annotations.clone());
        Judgments { table: py.detach(|| Arc::new(self.table.part(&(low..=high)))), origin, annotations }
    }

    /// What the annotations are, if there are any.
    fn annotation(&self) -> Option<&str> {
        self.annotations.as_ref().map(|annotations| annotations.kind().name())
    }

    /// The annotations of the rows of a query, in their order: a number, or {subtopic: grade}.
    fn annotations<'py>(&self, py: Python<'py>, query: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let entries = PyList::empty(py);
        let Some(annotations) = &self.annotations else { return Ok(entries) };
        let Some(query) = find(&self.table, query) else { return Ok(entries) };
        let first = self.table.first_place(query);
        for row in first..first + self.table.row_numbers(query).len() {
            match &annotations.values {
                Values::Subtopics(subtopics) => entries.append(graded_subtopics(py, subtopics, query, row)?)?,
                Values::Propensities(numbers) | Values::Positions(numbers) => entries.append(numbers[row])?,
            }
        }
        Ok(entries)
    }

    /// From a LETOR file: grade, qid:query, features.
    #[staticmethod]
    fn read_letor(py: Python<'_>, path: PathBuf, label: Option<String>) -> PyResult<Self> {
        let origin = Origin { line: Some("a grade and qid:query".into()), ..Origin::new(&path, label) };
        let bytes = Bytes::open(py, &path, &origin.label)?;
        Judgments::read(py, origin, || without_annotations(letor::read(&bytes.all()?)))
    }

    /// From the bytes that `to_bytes` wrote, which is how it is unpickled.
    #[new]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let read = || {
            let mut reader = Reader::unseal(bytes, KIND, VERSION)?;
            let table = Arc::new(reader.table()?);
            let annotations = reader.annotations(&table)?.map(Arc::new);
            let origin = Origin::from_bytes(&mut reader)?;
            reader.finish()?;
            Ok(Judgments { table, origin, annotations })
        };
        py.detach(read).map_err(|error| bad_bytes(py, "judgments", error))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| {
            let mut writer = Writer::new(KIND, VERSION);
            writer.table(&self.table);
            writer.annotations(self.annotations.as_deref());
            Origin::write(self.origin.as_ref(), &mut writer);
            writer.seal()
        });
        PyBytes::new(py, &bytes)
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>,) {
        (self.to_bytes(py),)
    }

    /// How many grades there are, and how many are no whole numbers.
    fn fractions(&self) -> (usize, usize) {
        (self.table.row_count(), fractions(&self.table))
    }

    /// Whether an item has several grades in a query.
    fn has_duplicates(&self, py: Python<'_>) -> bool {
        py.detach(|| has_duplicates(&self.table))
    }

    /// Those of these items that are judged for any query.
    fn known_items(&self, py: Python<'_>, items: Vec<String>) -> HashSet<String> {
        let judged = py.detach(|| known_items(&self.table, items.into_iter().map(String::into_bytes)));
        judged.iter().map(|item| written(item)).collect()
    }

    /// Whether both have the same queries, and each the same rows in the same order.
    fn same_rows(&self, py: Python<'_>, other: &Judgments) -> bool {
        py.detach(|| self.table == other.table)
    }

    /// What the ids of queries and of items were: `text`, `whole`, `date` or `datetime`.
    fn kinds(&self) -> (&str, &str) {
        kinds(&self.table)
    }

    /// Query → rows of (item, grade), in the order in which they came.
    fn groups<'py>(&self, py: Python<'py>, native: bool) -> PyResult<Bound<'py, PyDict>> {
        groups(py, &self.table, native)
    }

    fn rows<'py>(
        &self,
        py: Python<'py>,
        query: &Bound<'py, PyAny>,
        native: bool,
    ) -> PyResult<Option<Bound<'py, PyList>>> {
        rows(py, &self.table, query, native)
    }

    fn row_count(&self, query: &Bound<'_, PyAny>) -> usize {
        row_count(&self.table, query)
    }

    fn __contains__(&self, query: &Bound<'_, PyAny>) -> bool {
        find(&self.table, query).is_some()
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

fn with_annotations(rows: Result<(Table, Column), Error>) -> Result<(Table, Option<Column>), Error> {
    rows.map(|(table, column)| (table, Some(column)))
}

fn without_annotations(table: Result<Table, Error>) -> Result<(Table, Option<Column>), Error> {
    table.map(|table| (table, None))
}

/// {subtopic: grade} of a row.
fn graded_subtopics<'py>(
    py: Python<'py>,
    subtopics: &Subtopics,
    query: u32,
    row: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let graded = PyDict::new(py);
    for &(subtopic, grade) in subtopics.of(row) {
        graded.set_item(written(subtopics.id(query, subtopic)), grade)?;
    }
    Ok(graded)
}

/// Judgments without grades: what is listed is relevant.
fn all_relevant(table: Table) -> Table {
    let ones = vec![1.0; table.row_count()];
    table.with_values(ones.into()).unwrap_or(table)
}
