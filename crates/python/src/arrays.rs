//! NumPy arrays, borrowed while they are evaluated.

use numpy::{PyArray1, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use rankgauge_core::Side;
use rankgauge_core::aligned::{Aligned, Array, Fault, Sparse};
use rankgauge_core::evaluate::Answers;
use rankgauge_core::plan::Plan;
use rankgauge_core::table::group;

use crate::columns::{Column, Use, Wanted, chunks};
use crate::errors::{Sources, column_error, problem, quoted};
use crate::frames::groups;
use crate::nouns::written;
use crate::pool::in_pool;

/// A one-dimensional array of one of the types that numbers come in.
macro_rules! borrowed {
    ($($name:ident: $type:ty),+) => {
        pub enum Borrowed<'py> { $($name(PyReadonlyArray1<'py, $type>)),+ }

        impl<'py> Borrowed<'py> {
            fn extract(array: &Bound<'py, PyAny>) -> PyResult<Self> {
                $(if let Ok(array) = array.extract::<PyReadonlyArray1<'py, $type>>() {
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
    /// The ids of the queries.
    queries: Bound<'py, PyAny>,
}

impl Arrays<'_> {
    /// The values of each query and measure, in the order of the queries; counts; places without an item.
    pub fn evaluate(&self, py: Python<'_>, plan: &Plan, threads: Option<usize>) -> PyResult<(Answers, u64)> {
        let scores = Borrowed::extract(&self.scores)?;
        let scores = scores.slice()?;
        let starts = whole(&self.starts)?;
        let mask = self.mask.as_ref().map(|mask| mask.as_slice()).transpose()?;
        let order = self.order.as_ref().map(|order| order.as_slice()).transpose()?;
        let run = |labels: &dyn Array| {
            let arrays = Aligned { labels, scores: scores.array(), mask, starts: &starts, order };
            py.detach(|| in_pool(threads, || arrays.evaluate(plan)))
        };
        let result = match &self.labels {
            Labels::Dense(labels) => run(Borrowed::extract(labels)?.slice()?.array())?,
            Labels::Sparse(numbers, places, ends, columns) => {
                let numbers = Borrowed::extract(numbers)?;
                let numbers = numbers.slice()?;
                let (places, ends) = (indices(places)?, indices(ends)?);
                run(&Sparse { columns: *columns, starts: &ends, places: &places, numbers: numbers.array() })?
            }
        };
        result.map_err(|fault| self.worded(py, fault))
    }

    fn worded(&self, py: Python<'_>, fault: Fault) -> PyErr {
        let name = |query: usize| self.queries.get_item(query).and_then(|name| name.extract::<String>());
        match fault {
            Fault::Query { query, error } => match name(query) {
                Ok(name) => Sources::default().error(py, Side::Ranking, error.of_query(name.as_bytes())),
                Err(error) => error,
            },
            Fault::Infinite { query, column, side, got } => {
                let place = format!("query {}, item '{column}'", quoted(name(query).unwrap_or_default().as_bytes()));
                let noun = if side == Side::Judgments { "label" } else { "score" };
                problem(py, "bad-value", &place, &[("noun", noun.into()), ("got", got.to_string())])
            }
        }
    }
}

/// Where each query starts, the rows by query where they do not come so, and the ids of the queries.
type Grouped<'py> = (Bound<'py, PyArray1<i64>>, Option<Bound<'py, PyArray1<u32>>>, Vec<String>);

/// Group rows by the query id of each.
#[pyfunction]
pub fn group_rows<'py>(py: Python<'py>, ids: &Bound<'py, PyAny>) -> PyResult<Grouped<'py>> {
    let wanted = Wanted { name: "groups", usage: Use::Ids, label: None };
    let column = Column { name: "groups".into(), chunks: chunks(ids, wanted)? };
    let (queries, runs) = groups(&column).map_err(|fault| column_error(py, None, fault))?;
    let rows = column.chunks.iter().map(|chunk| chunk.len()).sum();
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
