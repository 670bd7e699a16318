//! NumPy arrays, borrowed while they are evaluated.

use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use rankgauge_core::Side;
use rankgauge_core::arrays::{Aligned, Array, Fault, Sparse};
use rankgauge_core::builder::group;
use rankgauge_core::evaluate::is_small;
use rankgauge_core::evaluation::{Evaluation, QueryIds};
use rankgauge_core::ids::Ids;
use rankgauge_core::plan::Plan;

use crate::columns::{Column, ColumnRequest, ColumnUse, chunks};
use crate::errors::{Sources, column_error, problem, quoted};
use crate::frames::require_row_numbers;
use crate::groups::groups;
use crate::pool::in_pool;
use crate::python_rows::written;

/// An array of one of the types that numbers come in.
macro_rules! borrowed {
    ($($name:ident: $type:ty),+) => {
        pub enum Borrowed<'py> { $($name(PyReadonlyArrayDyn<'py, $type>)),+ }

        impl<'py> Borrowed<'py> {
            fn extract(array: &Bound<'py, PyAny>) -> PyResult<Self> {
                $(if let Ok(array) = array.extract::<PyReadonlyArrayDyn<'py, $type>>() {
                    return Ok(Borrowed::$name(array));
                })+
                let dtype = array.cast::<PyUntypedArray>().map(|array| array.dtype().to_string());
                Err(PyTypeError::new_err(format!("the core takes no array of {}", dtype.unwrap_or_default())))
            }
        }

        /// The numbers of a borrowed array.
        #[derive(Debug)]
        enum Slice<'a> { $($name(&'a [$type])),+ }

        impl<'py> Borrowed<'py> {
            fn slice(&self) -> PyResult<Slice<'_>> {
                match self { $(Borrowed::$name(array) => Ok(Slice::$name(array.as_slice()?))),+ }
            }
        }

        impl Slice<'_> {
            fn array(&self) -> &dyn Array {
                match self { $(Slice::$name(numbers) => numbers),+ }
            }
        }
    };
}

borrowed!(F64: f64, F32: f32, I64: i64, I32: i32, I16: i16, I8: i8, U64: u64, U32: u32, U16: u16, U8: u8, Bool: bool);

/// Labels as they come: an array, or the parts of a CSR matrix with its number of columns.
#[derive(FromPyObject)]
pub enum Labels<'py> {
    Sparse(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>, usize),
    Dense(Bound<'py, PyAny>),
}

/// Arrays of one length, and which of their rows make a query.
#[derive(FromPyObject)]
pub struct Arrays<'py> {
    labels: Labels<'py>,
    scores: Bound<'py, PyAny>,
    mask: Option<PyReadonlyArray1<'py, bool>>,
    starts: PyReadonlyArray1<'py, i64>,
    order: Option<PyReadonlyArray1<'py, u32>>,
    padded: bool,
    /// The ids of the queries; how many there are, if they are numbered.
    queries: Queries,
}

#[derive(FromPyObject)]
enum Queries {
    Numbered(usize),
    Named(Vec<String>),
}

impl Queries {
    fn ids(&self) -> QueryIds {
        match self {
            Queries::Numbered(count) => QueryIds::Numbered(*count),
            Queries::Named(names) => {
                let mut ids = Ids::default();
                names.iter().for_each(|name| ids.push(name.as_bytes()));
                QueryIds::Held(ids)
            }
        }
    }
}

impl<'py> Arrays<'py> {
    /// Evaluate two matrices with a query per row; nothing if they are no plain arrays of one shape.
    pub fn evaluate_matrix(
        labels: &Bound<'py, PyAny>,
        scores: &Bound<'py, PyAny>,
        plan: &Plan,
        threads: Option<usize>,
    ) -> PyResult<Option<Evaluation>> {
        let Some((rows, columns)) = shape(labels).filter(|shape| self::shape(scores) == Some(*shape)) else {
            return Ok(None);
        };
        let py = labels.py();
        let (Ok(labels), Ok(scores)) = (Borrowed::extract(labels), Borrowed::extract(scores)) else {
            return Ok(None);
        };
        let (Ok(labels), Ok(scores)) = (labels.slice(), scores.slice()) else {
            return Ok(None); // not aligned
        };
        let starts: Vec<usize> = (0..=rows).map(|row| row * columns).collect();
        let (labels, scores) = (labels.array(), scores.array());
        let arrays = Aligned { labels, scores, mask: None, starts: &starts, order: None, padded: true };
        evaluate(py, &arrays, QueryIds::Numbered(rows), plan, threads).map(Some)
    }

    /// The values of each query and measure, in the order of the queries.
    pub fn evaluate(&self, py: Python<'_>, plan: &Plan, threads: Option<usize>) -> PyResult<Evaluation> {
        let scores = Borrowed::extract(&self.scores)?;
        let scores = scores.slice()?;
        let starts = whole(&self.starts)?;
        let mask = self.mask.as_ref().map(|mask| mask.as_slice()).transpose()?;
        let order = self.order.as_ref().map(|order| order.as_slice()).transpose()?;
        let run = |labels: &dyn Array| {
            let (scores, padded) = (scores.array(), self.padded);
            let arrays = Aligned { labels, scores, mask, starts: &starts, order, padded };
            evaluate(py, &arrays, self.queries.ids(), plan, threads)
        };
        match &self.labels {
            Labels::Dense(labels) => run(Borrowed::extract(labels)?.slice()?.array()),
            Labels::Sparse(numbers, places, ends, columns) => {
                let numbers = Borrowed::extract(numbers)?;
                let numbers = numbers.slice()?;
                let (places, ends) = (indices(places)?, indices(ends)?);
                run(&Sparse { columns: *columns, starts: &ends, places: &places, numbers: numbers.array() })
            }
        }
    }
}

/// Evaluate arrays without Python's lock.
fn evaluate(
    py: Python<'_>,
    arrays: &Aligned<'_>,
    ids: QueryIds,
    plan: &Plan,
    threads: Option<usize>,
) -> PyResult<Evaluation> {
    let longest = arrays.starts.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0);
    require_row_numbers(longest).map_err(|fault| column_error(py, None, fault))?;
    let small = is_small(ids.len(), arrays.starts.last().copied().unwrap_or(0));
    let result = py.detach(|| in_pool(small, threads, || arrays.evaluate(plan, ids.clone())))?;
    result.map_err(|fault| worded(py, fault, &ids))
}

/// The shape of a matrix of NumPy whose rows lie end to end.
fn shape(array: &Bound<'_, PyAny>) -> Option<(usize, usize)> {
    // A subclass, such as a masked array, may mean something else by its numbers.
    let array = array.cast_exact::<PyUntypedArray>().ok().filter(|array| array.is_c_contiguous())?;
    match array.shape() {
        &[rows, columns] => Some((rows, columns)),
        _ => None,
    }
}

fn worded(py: Python<'_>, fault: Fault, ids: &QueryIds) -> PyErr {
    let in_query = |query: usize| format!("query {}", quoted(&ids.get(query)));
    match fault {
        Fault::Query { query, error } => Sources::default().error(py, Side::Ranking, error.of_query(&ids.get(query))),
        Fault::Infinite { query, column, side, got } => {
            let place = format!("{}, item '{column}'", in_query(query));
            let noun = if side == Side::Judgments { "label" } else { "score" };
            problem(py, "infinite-value", &place, &[("noun", noun.into()), ("got", got.to_string())])
        }
        Fault::NoScore { query, column, label } => {
            let place = format!("{}, item '{column}'", in_query(query));
            problem(py, "no-score", &place, &[("label", label.to_string())])
        }
        Fault::NoScores { query, got } => problem(py, "no-score-at-all", &in_query(query), &[("got", got.to_string())]),
    }
}

/// Where each query starts, the rows in order of query unless they are given so, and the ids of the queries.
type Grouped<'py> = (Bound<'py, PyArray1<i64>>, Option<Bound<'py, PyArray1<u32>>>, Vec<String>);

/// Group rows by the query id of each.
#[pyfunction]
pub fn group_rows<'py>(py: Python<'py>, ids: &Bound<'py, PyAny>) -> PyResult<Grouped<'py>> {
    let wanted = ColumnRequest { name: "groups", usage: ColumnUse::Ids, label: None };
    let column = Column { name: "groups".into(), chunks: chunks(ids, wanted)? };
    let rows = column.length();
    let grouped = require_row_numbers(rows).and_then(|()| groups(&column));
    let (queries, runs) = grouped.map_err(|fault| column_error(py, None, fault))?;
    let (starts, order) = group(queries.ids().len(), &runs, rows);
    let starts: Vec<i64> = starts.into_iter().map(|start| start as i64).collect();
    let order = order.map(|order| PyArray1::from_vec(py, order));
    Ok((PyArray1::from_vec(py, starts), order, queries.ids().iter().map(written).collect()))
}

/// Indices of either width, as scipy keeps them.
fn indices(array: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    match array.extract::<PyReadonlyArray1<'_, i32>>() {
        Ok(narrow) => Ok(narrow.as_slice()?.iter().map(|&index| index as usize).collect()),
        Err(_) => whole(&array.extract()?),
    }
}

fn whole(array: &PyReadonlyArray1<'_, i64>) -> PyResult<Vec<usize>> {
    Ok(array.as_slice()?.iter().map(|&index| index as usize).collect())
}
