//! The bootstrap and randomisation tests, stopped by the user at any time, and the progress of an evaluation.

use std::ops::Range;

use numpy::{PyReadonlyArray2, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::prelude::*;
use rankgauge_core::bootstrap::{bootstrap_means, bootstrap_moments, interval};
use rankgauge_core::pair_flips::PairFlips;
use rankgauge_core::progress::{self as core_progress, Unit};
use rankgauge_core::randomisation::{Cube, SignFlips, shuffled_ranges};

use crate::pool::in_pool;

/// What is done, the total, and the unit: bytes of a text, rows of a stream, or draws of a test.
#[pyfunction]
pub fn progress() -> (usize, usize, &'static str) {
    let (done, total, unit) = core_progress::now();
    (done, total, unit.name())
}

/// Begin to count the bytes of a file that has `total`.
#[pyfunction]
pub fn begin_progress(total: usize) {
    core_progress::begin(total);
}

/// How many draws are made between two checks whether the user wants to stop: about a tenth of a second.
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
    let batch = (DRAWS_AT_ONCE / values.len().max(1)).max(16) as u64;
    in_batches(py, resamples, batch, 1, threads, |numbers| bootstrap_means(values, numbers, seed))
}

/// The mean and the standard error of each resample.
#[pyfunction]
#[pyo3(name = "bootstrap_moments")]
pub fn resampled_moments(
    py: Python<'_>,
    values: Vec<f64>,
    resamples: u64,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<Vec<(f64, f64)>> {
    let batch = (DRAWS_AT_ONCE / (2 * values.len()).max(1)).max(16) as u64;
    in_batches(py, resamples, batch, 1, threads, |numbers| bootstrap_moments(&values, numbers, seed))
}

/// How many sign flips of the differences have a sum as far from 0 as theirs, and of how many.
#[pyfunction]
pub fn sign_flips(
    py: Python<'_>,
    differences: Vec<f64>,
    permutations: u64,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<(u64, u64)> {
    let flips = SignFlips::new(&differences);
    if flips.is_listed() {
        let exceeding = py.detach(|| in_pool(false, threads, || flips.list()))?;
        return Ok((exceeding.count, exceeding.of));
    }
    let batch = (SIGNS_AT_ONCE as u64 / (differences.len() as u64 * SignFlips::PER_TASK)).max(1);
    let draw = |tasks| vec![flips.draw(tasks, permutations, seed)];
    let counts = in_batches(py, SignFlips::tasks(permutations), batch, SignFlips::PER_TASK, threads, draw)?;
    Ok((counts.iter().sum(), permutations))
}

/// The same for the differences of several pairs of runs, from their values by query and run: a count for each pair.
#[pyfunction]
pub fn pair_sign_flips(
    py: Python<'_>,
    values: PyReadonlyArray2<'_, f64>,
    pairs: Vec<(usize, usize)>,
    permutations: u64,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<Vec<u64>> {
    let runs = values.shape()[1];
    let values = values.as_slice()?;
    let flips = PairFlips::new(values, runs, &pairs);
    let batch = (SIGNS_AT_ONCE as u64 / (values.len() as u64 * PairFlips::PER_TASK).max(1)).max(1);
    let draw = |tasks| vec![flips.draw(tasks, permutations, seed)];
    let counts = in_batches(py, PairFlips::tasks(permutations), batch, PairFlips::PER_TASK, threads, draw)?;
    Ok((0..pairs.len()).map(|pair| counts.iter().map(|batch| batch[pair]).sum()).collect())
}

/// The ranges of the sums of runs whose values are shuffled within each query, by permutation and measure.
#[pyfunction]
#[pyo3(name = "shuffled_ranges")]
pub fn ranges(
    py: Python<'_>,
    values: PyReadonlyArray3<'_, f64>,
    permutations: u64,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<Vec<f64>> {
    let (runs, measures) = (values.shape()[1], values.shape()[2]);
    let values = values.as_slice()?;
    let cube = Cube { values, measures, runs };
    let batch = (DRAWS_AT_ONCE / values.len().max(1)).max(16) as u64;
    in_batches(py, permutations, batch, 1, threads, |numbers| shuffled_ranges(cube, numbers, seed))
}

/// How many signs are drawn between two checks whether the user wants to stop: about a tenth of a second.
const SIGNS_AT_ONCE: usize = 1_000_000_000;

/// Do numbered work in batches on the pool, and check between them whether the user wants to stop.
///
/// `draws` is how many permutations or resamples one number stands for.
fn in_batches<T: Send>(
    py: Python<'_>,
    count: u64,
    batch: u64,
    draws: u64,
    threads: Option<usize>,
    work: impl Fn(Range<u64>) -> Vec<T> + Sync,
) -> PyResult<Vec<T>> {
    let mut all = Vec::new();
    core_progress::begin_of((count * draws) as usize, Unit::Draws);
    for start in (0..count).step_by(batch as usize) {
        py.check_signals()?;
        let numbers = start..count.min(start + batch);
        let size = numbers.end - numbers.start;
        all.extend(py.detach(|| in_pool(false, threads, || work(numbers)))?);
        core_progress::add((size * draws) as usize);
    }
    Ok(all)
}
