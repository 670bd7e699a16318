//! The bootstrap, stopped by the user at any time, and the progress of an evaluation.

use pyo3::prelude::*;
use rankgauge_core::resample::{bootstrap_means, interval};

use crate::pool::in_pool;

/// How many bytes of a text have been evaluated, and how many there are.
#[pyfunction]
pub fn progress() -> (usize, usize) {
    rankgauge_core::progress::now()
}

/// How many draws are made before it is looked whether the user wants to stop: about a tenth of a second.
const DRAWS_AT_ONCE: usize = 50_000_000;

/// The interval that holds the given share of bootstrapped means; with weights, of weighted means.
#[pyfunction]
pub fn bootstrap_interval(
    py: Python<'_>,
    values: Vec<f64>,
    resamples: u64,
    level: f64,
    seed: u64,
    threads: Option<usize>,
    weights: Option<Vec<f64>>,
) -> PyResult<(f64, f64)> {
    let Some(weights) = weights else {
        let means = resampled(py, &values, resamples, seed, threads)?;
        return Ok(py.detach(|| interval(means, level)));
    };
    // The same queries are drawn for both, so their ratio is that of a draw.
    let weighted: Vec<f64> = values.iter().zip(&weights).map(|(value, weight)| value * weight).collect();
    let sums = resampled(py, &weighted, resamples, seed, threads)?;
    let totals = resampled(py, &weights, resamples, seed, threads)?;
    let means = sums.iter().zip(&totals).map(|(sum, total)| sum / total).filter(|mean| mean.is_finite()).collect();
    Ok(py.detach(|| interval(means, level)))
}

fn resampled(py: Python<'_>, values: &[f64], resamples: u64, seed: u64, threads: Option<usize>) -> PyResult<Vec<f64>> {
    let batch = (DRAWS_AT_ONCE / values.len().max(1)).max(16);
    let mut means = Vec::new();
    for start in (0..resamples).step_by(batch) {
        py.check_signals()?;
        let numbers = start..resamples.min(start + batch as u64);
        means.extend(py.detach(|| in_pool(false, threads, || bootstrap_means(values, numbers, seed)))?);
    }
    Ok(means)
}
