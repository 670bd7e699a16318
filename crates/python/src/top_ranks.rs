//! The first ranks of every query, and of its ideal, as arrays that numpy takes without a copy.

use std::collections::HashSet;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use rankgauge_core::Side;
use rankgauge_core::top_ranks::{Ranks, top_ranks as rank};

use crate::errors::Sources;
use crate::judgments::Judgments;
use crate::plan::Plan;
use crate::pool::in_pool;
use crate::python_rows::written;
use crate::ranking::Ranking;

type Arrays<'py> = (Bound<'py, PyBytes>, Bound<'py, PyList>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);
type Bytes<'py> = Bound<'py, PyBytes>;

/// Return (queries, lengths, ranked, ideal, ranks, gains): the last two are the rank of each item of the ideal in the
/// ranking and the gain there. `ranked` and `ideal` are (ends, items, grades, gains).
#[pyfunction]
#[pyo3(signature = (plan, judgments, ranking, count, queries=None))]
pub fn top_ranks<'py>(
    py: Python<'py>,
    plan: &Plan,
    judgments: &Judgments,
    ranking: &Ranking,
    count: usize,
    queries: Option<Vec<String>>,
) -> PyResult<(Bytes<'py>, Bytes<'py>, Arrays<'py>, Arrays<'py>, Bytes<'py>, Bytes<'py>)> {
    let (judged, plan) = (&judgments.table, &plan.for_tables);
    let chosen: Option<HashSet<Vec<u8>>> = queries.map(|queries| queries.into_iter().map(String::into_bytes).collect());
    let result = ranking.with_table(py, |table| {
        py.detach(|| in_pool(false, None, || rank(judged, table, plan, count, chosen.as_ref())))
    })?;
    let sources = Sources { judgments: judgments.origin.as_ref(), ranking: ranking.origin() };
    let top = result.map_err(|error| sources.error(py, Side::Ranking, error))?;
    Ok((
        whole(py, &top.queries),
        whole(py, &top.lengths),
        arrays(py, &top.ranked)?,
        arrays(py, &top.ideal)?,
        whole(py, &top.ideal_ranks),
        floats(py, &top.ideal_gains_there),
    ))
}

fn arrays<'py>(py: Python<'py>, ranks: &Ranks) -> PyResult<Arrays<'py>> {
    let items = PyList::new(py, ranks.items.iter().map(|item| written(item)))?;
    Ok((whole(py, &ranks.ends), items, floats(py, &ranks.grades), floats(py, &ranks.gains)))
}

fn whole<'py>(py: Python<'py>, numbers: &[u32]) -> Bytes<'py> {
    PyBytes::new(py, &numbers.iter().flat_map(|number| number.to_ne_bytes()).collect::<Vec<u8>>())
}

fn floats<'py>(py: Python<'py>, numbers: &[f64]) -> Bytes<'py> {
    PyBytes::new(py, &numbers.iter().flat_map(|number| number.to_ne_bytes()).collect::<Vec<u8>>())
}
