//! The rows of a ranking in the order in which a plan ranks them.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rankgauge_core::Side;
use rankgauge_core::ranked_rows::ranked_rows as rank;

use crate::errors::Sources;
use crate::judgments::Judgments;
use crate::plan::Plan;
use crate::pool::in_pool;
use crate::ranking::Ranking;

/// The numbers of the ranking's rows in rank order, query by query, as packed 32-bit integers.
#[pyfunction]
pub fn ranked_rows<'py>(
    py: Python<'py>,
    plan: &Plan,
    judgments: &Judgments,
    ranking: &Ranking,
) -> PyResult<Bound<'py, PyBytes>> {
    let (judged, plan) = (&judgments.table, &plan.for_tables);
    let result = ranking.with_table(py, |table| py.detach(|| in_pool(false, None, || rank(judged, table, plan))))?;
    let sources = Sources { judgments: judgments.origin.as_ref(), ranking: ranking.origin() };
    let rows = result.map_err(|error| sources.error(py, Side::Ranking, error))?;
    let bytes: Vec<u8> = rows.iter().flat_map(|row| row.to_ne_bytes()).collect();
    Ok(PyBytes::new(py, &bytes))
}
