//! The evaluation of measures, into plain Python values.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMapping};
use rankgauge_core::evaluate::{Answers, Counts, Evaluation, evaluate_excerpt, evaluate_table};
use rankgauge_core::plan::Plan;
use rankgauge_core::resample::{bootstrap_means, interval};
use rankgauge_core::table::Table;
use rankgauge_core::text::evaluate_ranking;
use rankgauge_core::text::trec::RANKING;
use rankgauge_core::{Error, Side};

use crate::arrays::Arrays;
use crate::errors::Sources;
use crate::files::Form as TextForm;
use crate::mappings;
use crate::nouns::{Judgments, Queries, Ranking, Rows};
use crate::pool::in_pool;
use crate::terms::terms;

/// The values of each measure as packed 64-bit floats, counts, (unjudged, ranks) by cutoff, and texts end to end.
type Plain<'py> = (Vec<Bound<'py, PyBytes>>, [usize; 9], Vec<(u64, u64)>, Bound<'py, PyBytes>);

/// Evaluate measures whose terms are all given; with the name of the run, if the ranking has one.
#[pyfunction]
pub fn evaluate<'py>(
    py: Python<'py>,
    judgments: &Judgments,
    ranking: &Ranking,
    measures: Vec<Bound<'py, PyAny>>,
    convention: &Bound<'py, PyAny>,
    depth: Option<usize>,
    threads: Option<usize>,
) -> PyResult<(Queries, Plain<'py>, Option<String>)> {
    let (terms, rules) = terms(&measures, convention, depth)?;
    let mut plan = Plan::new(&terms, rules);
    plan.sides = judgments.sides.clone();
    let judged = &judgments.table;
    let mut run = None;
    let result = match &ranking.rows {
        Rows::Table(table, _) => py.detach(|| in_pool(threads, || evaluate_table(judged, table, &plan)))?,
        Rows::Mapping(mapping) => evaluate_mapping(judged, mapping.bind(py), &plan, threads)?,
        Rows::Text(source) => {
            let bytes = source.bytes(py)?;
            let evaluate = || match source.form() {
                TextForm::Trec => evaluate_ranking(judged, &bytes, RANKING, &plan),
                TextForm::Delimited(layout) => evaluate_ranking(judged, &bytes, layout, &plan),
            };
            run = matches!(source.form(), TextForm::Trec).then(|| last_tag(&bytes)).flatten();
            py.detach(|| in_pool(threads, evaluate))?
        }
    };
    let sources = Sources { judgments: judgments.origin.as_ref(), ranking: ranking.origin() };
    let evaluation = result.map_err(|error| sources.error(py, Side::Ranking, error))?;
    let plain = plain(py, &evaluation.answers, measures.len());
    Ok((Queries { judgments: judgments.table.clone(), queries: evaluation.queries }, plain, run))
}

fn evaluate_mapping(
    judged: &Table,
    mapping: &Bound<'_, PyMapping>,
    plan: &Plan,
    threads: Option<usize>,
) -> PyResult<Result<Evaluation, Error>> {
    if let Some(excerpt) = mappings::excerpt(mapping, plan) {
        // Python's lock is held: the excerpt borrows from the mapping.
        return in_pool(threads, || evaluate_excerpt(judged, &excerpt, plan));
    }
    let table = mappings::walk(mapping, Side::Ranking)?;
    mapping.py().detach(|| in_pool(threads, || evaluate_table(judged, &table, plan)))
}

/// Evaluate arrays in which the label and the score of an item stand at the same place; count places without one.
#[pyfunction]
pub fn evaluate_arrays<'py>(
    py: Python<'py>,
    arrays: Arrays<'py>,
    measures: Vec<Bound<'py, PyAny>>,
    convention: &Bound<'py, PyAny>,
    depth: Option<usize>,
    threads: Option<usize>,
) -> PyResult<(Plain<'py>, u64)> {
    let (terms, rules) = terms(&measures, convention, depth)?;
    let plan = Plan::aligned(terms, rules);
    let (answers, absent) = arrays.evaluate(py, &plan, threads)?;
    Ok((plain(py, &answers, measures.len()), absent))
}

fn plain<'py>(py: Python<'py>, answers: &Answers, measures: usize) -> Plain<'py> {
    let column = |measure: usize| -> Vec<u8> {
        answers.values.iter().skip(measure).step_by(measures).flat_map(|value| value.to_ne_bytes()).collect()
    };
    let columns = (0..measures).map(|measure| PyBytes::new(py, &column(measure))).collect();
    let counts = &answers.counts;
    let dropped = counts.dropped as usize;
    let Counts { judged, ranked, missing, ignored, empty, blank, short, tied, .. } = *counts;
    let met = [judged, ranked, missing, ignored, empty, blank, short, tied, dropped];
    (columns, met, counts.unjudged.clone(), PyBytes::new(py, &answers.letters))
}

/// The name of the run in the last line of a TREC ranking.
fn last_tag(text: &[u8]) -> Option<String> {
    let text = text.trim_ascii_end();
    let line = text.rsplit(|&byte| byte == b'\n').next()?;
    let mut fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    fields.nth(5).map(|tag| String::from_utf8_lossy(tag).into_owned())
}

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
        means.extend(py.detach(|| in_pool(threads, || bootstrap_means(values, numbers, seed)))?);
    }
    Ok(means)
}
