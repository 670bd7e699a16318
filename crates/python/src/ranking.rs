//! A ranking: read once, or opened and streamed each time it is evaluated.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyMapping};
use rankgauge_core::bytes::{Reader, Writer};
use rankgauge_core::disjoint_queries::{
    DisjointQueries, first_queries, sample_table, sample_text, tables_share_items, text_shares_items,
};
use rankgauge_core::noun_bytes::VERSION;
use rankgauge_core::table::Table;
use rankgauge_core::text::trec::RANKING;
use rankgauge_core::text::{self, letor};
use rankgauge_core::{Error, Side};

use crate::errors::{Sources, bad_bytes, problem};
use crate::files::{Bytes, DelimitedColumns, Form, Origin, Source, worded};
use crate::frames::{Roles, read_table};
use crate::judgments::Judgments;
use crate::mappings::{share_items, walk, walk_judged};
use crate::panics::caught;
use crate::parquet_ranking::ParquetRanking;
use crate::pool::in_pool;
use crate::python_rows::{find, groups, kinds, marks, query_ids, row_count, rows, written};
use crate::streams::Stream;

/// What the byte form begins with.
const KIND: [u8; 4] = *b"rgra";
/// How many bytes of a text are searched for queries that share no item; few beside those of an evaluation.
const SAMPLED_BYTES: usize = 1 << 19;

/// Where a ranking's rows are.
#[derive(Debug)]
pub enum Rows {
    Table(Table, Option<Origin>),
    /// A text, streamed each time it is evaluated.
    Text(Source),
    /// Parquet files, whose pages are decoded each time they are evaluated.
    Parquet(Box<ParquetRanking>, Origin),
    /// A mapping, walked each time it is evaluated.
    Mapping(Py<PyMapping>),
}

/// The id of a query, and ids of its items.
type QueryItems = (String, Vec<String>);

/// Ranked items by query.
#[pyclass(frozen, module = "rankgauge._core")]
#[derive(Debug)]
pub struct Ranking {
    pub rows: Rows,
    /// The name of the run, where a TREC file that was read has one.
    pub run: Option<String>,
}

impl Ranking {
    fn new(rows: Rows) -> Self {
        Ranking { rows, run: None }
    }

    pub fn origin(&self) -> Option<&Origin> {
        match &self.rows {
            Rows::Text(source) => Some(&source.origin),
            Rows::Table(_, origin) => origin.as_ref(),
            Rows::Parquet(_, origin) => Some(origin),
            Rows::Mapping(_) => None,
        }
    }

    pub fn with_table<T>(&self, py: Python<'_>, use_table: impl FnOnce(&Table) -> PyResult<T>) -> PyResult<T> {
        match &self.rows {
            Rows::Table(table, _) => use_table(table),
            Rows::Mapping(mapping) => use_table(&walk(mapping.bind(py), Side::Ranking)?),
            Rows::Parquet(parquet, _) => use_table(&parquet.table(py)?),
            Rows::Text(source) => use_table(&read_rows(py, &source.bytes(py)?, &source.origin, source.form())?),
        }
    }
}

#[pymethods]
impl Ranking {
    /// From a mapping of query to {item: score}, or to items in order.
    #[staticmethod]
    fn from_mapping(mapping: &Bound<'_, PyMapping>) -> PyResult<Self> {
        Ok(Ranking::new(Rows::Table(walk(mapping, Side::Ranking)?, None)))
    }

    /// From the columns of a table.
    #[staticmethod]
    fn from_table(py: Python<'_>, table: &Bound<'_, PyAny>, roles: Roles, label: Option<String>) -> PyResult<Self> {
        let (table, _) = read_table(py, table, roles, Side::Ranking, label.as_deref())?;
        Ok(Ranking::new(Rows::Table(table, label.map(|label| Origin { label, text: None, line: None }))))
    }

    /// From Parquet files that are evaluated as their pages are decoded; none if they must be read before. What is
    /// held of them may take `most` bytes; files of fewer than `least_rows` rows are not worth it.
    #[staticmethod]
    fn open_parquet(
        py: Python<'_>,
        stream: &Stream,
        roles: Roles,
        label: Option<String>,
        most: u64,
        least_rows: usize,
    ) -> PyResult<Option<Self>> {
        let Some(batches) = stream.parquet()? else { return Ok(None) };
        let origin = Origin { label: label.clone().unwrap_or_default(), text: None, line: None };
        let open =
            || in_pool(false, None, || caught(|| ParquetRanking::open(batches, roles, label, (most, least_rows))));
        let parquet = py.detach(open)?.flatten();
        Ok(parquet.map(|parquet| Ranking::new(Rows::Parquet(Box::new(parquet), origin))))
    }

    /// About how many bytes of Parquet files are in memory.
    #[getter]
    fn size(&self) -> u64 {
        if let Rows::Parquet(parquet, _) = &self.rows { parquet.size() } else { 0 }
    }

    /// The queries whose hashes lie in a range, with their rows.
    fn part(&self, py: Python<'_>, low: u64, high: u64) -> PyResult<Self> {
        let part = self.with_table(py, |table| Ok(py.detach(|| table.part(&(low..=high)))))?;
        Ok(Ranking { rows: Rows::Table(part, self.origin().cloned()), run: self.run.clone() })
    }

    /// Borrow a mapping that is evaluated at once; only the rows that the evaluation needs are read.
    #[staticmethod]
    pub fn borrow_mapping(mapping: Bound<'_, PyMapping>) -> Self {
        Ranking::new(Rows::Mapping(mapping.unbind()))
    }

    /// From a text in columns: a TREC file, or one with a delimiter. It is streamed each time it is evaluated.
    #[staticmethod]
    fn open_text(
        py: Python<'_>,
        path: PathBuf,
        columns: Option<DelimitedColumns>,
        label: Option<String>,
    ) -> PyResult<Self> {
        Ok(Ranking::new(Rows::Text(Source::open(py, path, columns, label)?)))
    }

    /// From a text in columns, which is read now: the file may then go.
    #[staticmethod]
    fn read_text(
        py: Python<'_>,
        path: PathBuf,
        columns: Option<DelimitedColumns>,
        label: Option<String>,
    ) -> PyResult<Self> {
        let origin = Origin::new(&path, label);
        let bytes = Bytes::open(py, &path, &origin.label)?;
        let form = Form::new(columns.as_ref(), &bytes).map_err(|error| worded(py, &origin.label, error))?;
        let origin = Origin { text: Some((path, form)), ..origin };
        let table = read_rows(py, &bytes, &origin, form)?;
        Ok(Ranking { rows: Rows::Table(table, Some(origin)), run: form.run(&bytes) })
    }

    /// From a file with a score per line, in the order of the judged rows.
    #[staticmethod]
    fn read_scores(py: Python<'_>, path: PathBuf, judgments: &Judgments, label: Option<String>) -> PyResult<Self> {
        let origin = Origin { line: Some("one score per line".into()), ..Origin::new(&path, label) };
        let bytes = Bytes::open(py, &path, &origin.label)?;
        let sources = Sources { judgments: None, ranking: Some(&origin) };
        let scores = py.detach(|| letor::scores(&bytes.all()?));
        let (scores, marks) = scores.map_err(|error| sources.error(py, Side::Ranking, error))?;
        let (rows, count) = (judgments.table.row_count(), scores.len());
        let fields = [("rows", rows.to_string()), ("got", count.to_string())];
        let table = judgments.table.with_values(scores.into());
        let table = table.ok_or_else(|| problem(py, "score-count", &origin.label, &fields))?;
        Ok(Ranking::new(Rows::Table(table.with_marks(marks), Some(origin))))
    }

    /// From the bytes that `to_bytes` wrote, which is how it is unpickled.
    #[new]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let read = || {
            let mut reader = Reader::unseal(bytes, KIND, VERSION)?;
            let table = reader.table()?;
            let origin = Origin::from_bytes(&mut reader)?;
            let run = reader.optional_text()?.map(String::from);
            reader.finish()?;
            Ok(Ranking { rows: Rows::Table(table, origin), run })
        };
        py.detach(read).map_err(|error| bad_bytes(py, "a ranking", error))
    }

    /// The rows as bytes; those of a text that is streamed are read for it.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let run = match &self.rows {
            Rows::Text(source) => source.form().run(&source.bytes(py)?),
            _ => self.run.clone(),
        };
        self.with_table(py, |table| {
            let mut writer = Writer::new(KIND, VERSION);
            writer.table(table);
            Origin::write(self.origin(), &mut writer);
            writer.optional_text(run.as_deref());
            Ok(PyBytes::new(py, &writer.seal()))
        })
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>,)> {
        Ok((self.to_bytes(py)?,))
    }

    /// Whether at least half of the first `most` judged queries have an item that is ranked and judged; of a text,
    /// only its first bytes are looked at.
    fn shares_items(&self, py: Python<'_>, judgments: &Judgments, most: usize) -> PyResult<bool> {
        let judged = &judgments.table;
        match &self.rows {
            Rows::Table(table, _) => Ok(tables_share_items(judged, table, most)),
            Rows::Mapping(mapping) => share_items(mapping.bind(py), judged, most),
            Rows::Parquet(parquet, _) => {
                let table = first_judged(py, parquet, judged, most)?;
                Ok(tables_share_items(judged, &table, most))
            }
            Rows::Text(source) => {
                let (bytes, mut buffer) = (source.bytes(py)?, Vec::new());
                let start = source.form().start();
                let end = bytes.source().length().min(start + SAMPLED_BYTES);
                let data = bytes.source().get(0..end, &mut buffer);
                let sources = Sources { judgments: None, ranking: self.origin() };
                let data = data.map_err(|error| sources.error(py, Side::Ranking, error))?;
                Ok(match source.form() {
                    Form::Trec => text_shares_items(judged, data, RANKING, most),
                    Form::Delimited(layout) => text_shares_items(judged, data, layout, most),
                })
            }
        }
    }

    /// The first `most` judged queries by id that have at most `longest` rows on each side, and whether each has an
    /// item that is ranked and judged.
    fn first_queries(
        &self,
        py: Python<'_>,
        judgments: &Judgments,
        most: usize,
        longest: usize,
    ) -> PyResult<Vec<(String, bool)>> {
        let queries = self.with_table(py, |table| Ok(first_queries(&judgments.table, table, most, longest)))?;
        Ok(queries.into_iter().map(|(query, shares)| (written(&query), shares)).collect())
    }

    /// How many of the first `most` judged queries were looked at, and the items of those that share none with the
    /// judgments.
    fn apart(&self, py: Python<'_>, judgments: &Judgments, most: usize) -> PyResult<(usize, Vec<QueryItems>)> {
        let judged = &judgments.table;
        let sample = match &self.rows {
            Rows::Table(table, _) => sample_table(judged, table, most),
            Rows::Mapping(mapping) => sample_table(judged, &walk_judged(mapping.bind(py), judged, most)?, most),
            Rows::Parquet(parquet, _) => sample_table(judged, &first_judged(py, parquet, judged, most)?, most),
            Rows::Text(source) => {
                let (bytes, form) = (source.bytes(py)?, source.form());
                let look = || -> Result<_, Error> {
                    let mut buffer = Vec::new();
                    let data = bytes.source().get(0..bytes.source().length(), &mut buffer)?;
                    Ok(match form {
                        Form::Trec => sample_text(judged, data, RANKING, most),
                        Form::Delimited(layout) => sample_text(judged, data, layout, most),
                    })
                };
                let sources = Sources { judgments: None, ranking: self.origin() };
                py.detach(look).map_err(|error| sources.error(py, Side::Ranking, error))?
            }
        };
        let apart = DisjointQueries::of(judged, sample);
        let texts = |items: Vec<Vec<u8>>| items.iter().map(|item| written(item)).collect();
        let queries = apart.queries.into_iter().map(|(query, items)| (written(&query), texts(items)));
        Ok((apart.looked_at, queries.collect()))
    }

    /// Whether both have the same queries, and each the same rows in the same order.
    fn same_rows(&self, py: Python<'_>, other: &Ranking) -> PyResult<bool> {
        self.with_table(py, |table| other.with_table(py, |other_table| Ok(table == other_table)))
    }

    /// What the ids of queries and of items were: `text`, `whole`, `date` or `datetime`.
    fn kinds(&self, py: Python<'_>) -> PyResult<(&str, &str)> {
        self.with_table(py, |table| Ok(kinds(table)))
    }

    /// Query → rows of (item, score), in the order in which they came.
    fn groups<'py>(&self, py: Python<'py>, native: bool) -> PyResult<Bound<'py, PyDict>> {
        self.with_table(py, |table| groups(py, table, native))
    }

    /// Query → a mark of the digits of each score, 0 where a float has them all; nothing where all do.
    fn marks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.with_table(py, |table| marks(py, table))
    }

    fn rows<'py>(
        &self,
        py: Python<'py>,
        query: &Bound<'py, PyAny>,
        native: bool,
    ) -> PyResult<Option<Bound<'py, PyList>>> {
        self.with_table(py, |table| rows(py, table, query, native))
    }

    fn row_count(&self, py: Python<'_>, query: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.with_table(py, |table| Ok(row_count(table, query)))
    }

    fn __contains__(&self, py: Python<'_>, query: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.with_table(py, |table| Ok(find(table, query).is_some()))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.with_table(py, |table| Ok(table.query_count()))
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

/// The rows of the first judged queries of Parquet files; all rows where they cannot be had alone.
fn first_judged(py: Python<'_>, parquet: &ParquetRanking, judged: &Table, most: usize) -> PyResult<Table> {
    let read = || in_pool(false, None, || caught(|| parquet.first_judged(judged, most)).flatten());
    let table = py.detach(read)?.map_or_else(|| parquet.table(py), Ok)?;
    // They are looked at beside values that were computed before.
    parquet.require_as_opened(py)?;
    Ok(table)
}

/// Read the rows of a text on all cores.
fn read_rows(py: Python<'_>, bytes: &Bytes, origin: &Origin, form: Form) -> PyResult<Table> {
    let read = || match form {
        Form::Trec => text::read(bytes.source(), RANKING),
        Form::Delimited(layout) => text::read(bytes.source(), layout),
    };
    let table = py.detach(|| in_pool(false, None, read))?;
    let sources = Sources { judgments: None, ranking: Some(origin) };
    table.map_err(|error| sources.error(py, Side::Ranking, error))
}
