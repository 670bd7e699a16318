//! Evaluations: what a plan returns, to be merged, pickled, and made into a result.

use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBytes, PyInt, PyTuple};
use rankgauge_core::evaluation::{Counts, Evaluation as Evaluated};
use rankgauge_core::exact_sum::ExactSum;
use rankgauge_core::light_evaluation::{LightEvaluation as LightEvaluated, Sums};
use rankgauge_core::{Error, Side};

use crate::errors::{Sources, problem};
use crate::python_rows::written;

/// Counts as `Counts::flat` has them, and (unjudged items, ranks) by cutoff.
type PlainCounts = ([usize; 13], Vec<(u64, u64)>);

fn plain(counts: &Counts) -> PlainCounts {
    (counts.flat(), counts.unjudged.clone())
}

fn worded(py: Python<'_>, error: Error) -> PyErr {
    Sources::default().error(py, Side::Judgments, error)
}

/// A sum as a whole number that is to be divided by 2^1074; none if it is not finite.
fn whole<'py>(py: Python<'py>, sum: &ExactSum) -> PyResult<Option<Bound<'py, PyAny>>> {
    let signed = [("signed", true)].into_py_dict(py)?;
    let number = || {
        py.get_type::<PyInt>().call_method("from_bytes", (PyBytes::new(py, &sum.to_whole()), "little"), Some(&signed))
    };
    sum.is_finite().then(number).transpose()
}

/// The exact sum of numbers and that of their squares, as whole numbers that are to be divided by 2^1074.
#[pyfunction]
pub fn exact_sums<'py>(py: Python<'py>, values: Vec<f64>) -> PyResult<Vec<Option<Bound<'py, PyAny>>>> {
    let (mut sum, mut squares) = (ExactSum::default(), ExactSum::default());
    py.detach(|| {
        for &value in &values {
            sum.add(value);
            squares.add_product(value, value);
        }
    });
    [sum, squares].iter().map(|sum| whole(py, sum)).collect()
}

/// Σw, Σwx, Σw², Σw²x and Σw²x² of values x with weights w, as whole numbers that are to be divided by 2^1074.
#[pyfunction]
pub fn weighted_sums<'py>(
    py: Python<'py>,
    values: Vec<f64>,
    weights: Vec<f64>,
) -> PyResult<Vec<Option<Bound<'py, PyAny>>>> {
    let sums = py.detach(|| Sums::of_weighted(&values, &weights));
    sums.sums.iter().map(|sum| whole(py, sum)).collect()
}

/// The exact sum of packed 64-bit floats, rounded once.
#[pyfunction]
pub fn exact_total(py: Python<'_>, values: &[u8]) -> f64 {
    py.detach(|| {
        let mut sum = ExactSum::default();
        values.as_chunks().0.iter().for_each(|&value| sum.add(f64::from_ne_bytes(value)));
        sum.value()
    })
}

/// Values per query and measure, and what the data looked like.
#[pyclass(frozen, module = "rankgauge._core")]
#[derive(Debug)]
pub struct Evaluation {
    evaluated: Evaluated,
}

impl Evaluation {
    pub fn of(evaluated: Evaluated) -> Self {
        Evaluation { evaluated }
    }
}

#[pymethods]
impl Evaluation {
    /// The text form of the request, with one name for each measure.
    #[getter]
    fn request(&self) -> &str {
        &self.evaluated.header.request
    }

    /// The same with the names of measures as they were typed.
    #[getter]
    fn asked(&self) -> &str {
        &self.evaluated.header.asked
    }

    /// What the ids of the queries were: `text`, `whole`, `date` or `datetime`.
    #[getter]
    fn query_kind(&self) -> &str {
        self.evaluated.query_kind.name()
    }

    /// The name of the run that a TREC ranking bears.
    #[getter]
    fn run(&self) -> Option<&str> {
        self.evaluated.run.as_deref()
    }

    /// The ids of the evaluated queries.
    fn queries(&self) -> Vec<String> {
        self.evaluated.queries.iter().map(|id| written(&id)).collect()
    }

    /// The ids of the evaluated queries end to end, and where each begins and the last one ends, as in Arrow.
    fn packed_queries<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>, Bound<'py, PyBytes>) {
        let mut texts = String::new();
        let mut starts = 0_i64.to_ne_bytes().to_vec();
        for id in self.evaluated.queries.iter() {
            texts.push_str(&String::from_utf8_lossy(&id));
            starts.extend((texts.len() as i64).to_ne_bytes());
        }
        (PyBytes::new(py, texts.as_bytes()), PyBytes::new(py, &starts))
    }

    /// The values of a measure by query, as packed 64-bit floats.
    fn column<'py>(&self, py: Python<'py>, measure: usize) -> Bound<'py, PyBytes> {
        let bytes: Vec<u8> = self.evaluated.column(measure).flat_map(f64::to_ne_bytes).collect();
        PyBytes::new(py, &bytes)
    }

    /// The texts of all queries end to end, filled up with zeros.
    fn letters<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.evaluated.letters)
    }

    fn counts(&self) -> PlainCounts {
        plain(&self.evaluated.counts)
    }

    /// The share of the catalogue that all queries show together, for measures of coverage.
    fn shares(&self) -> Vec<Option<f64>> {
        self.evaluated.shown.as_ref().map(|shown| shown.shares.clone()).unwrap_or_default()
    }

    /// One number per measure for all queries.
    fn aggregates(&self, py: Python<'_>) -> PyResult<Vec<f64>> {
        self.light(py)?.aggregates(py)
    }

    /// Put evaluations of different queries together.
    #[pyo3(signature = (*others))]
    fn merge(&self, py: Python<'_>, others: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let others: Vec<Bound<'_, Evaluation>> = others.extract()?;
        let parts: Vec<&Evaluated> =
            std::iter::once(&self.evaluated).chain(others.iter().map(|other| &other.get().evaluated)).collect();
        let merged = py.detach(|| Evaluated::merge(&parts));
        merged.map(Evaluation::of).map_err(|error| worded(py, error))
    }

    /// The evaluation without the values of its queries.
    fn light(&self, py: Python<'_>) -> PyResult<LightEvaluation> {
        let light = py.detach(|| LightEvaluated::new(&self.evaluated));
        let texts = || problem(py, "no-light-form", "", &[("got", self.request().into())]);
        light.map(|evaluated| LightEvaluation { evaluated }).ok_or_else(texts)
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.evaluated.to_bytes()))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        let evaluated = py.detach(|| Evaluated::from_bytes(data));
        evaluated.map(Evaluation::of).map_err(|error| worded(py, error))
    }

    fn __len__(&self) -> usize {
        self.evaluated.queries.len()
    }

    fn __eq__(&self, other: &Evaluation) -> bool {
        self.evaluated == other.evaluated
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<Evaluation>().getattr("from_bytes")?, (self.to_bytes(py),)))
    }

    fn __repr__(&self) -> String {
        format!("Evaluation of {} queries: {}", self.__len__(), self.request())
    }
}

/// An evaluation without values per query: exact sums, which can be merged in any order.
#[pyclass(frozen, module = "rankgauge._core")]
#[derive(Debug)]
pub struct LightEvaluation {
    evaluated: LightEvaluated,
}

#[pymethods]
impl LightEvaluation {
    /// The text form of the request, with one name for each measure.
    #[getter]
    fn request(&self) -> &str {
        &self.evaluated.header.request
    }

    /// The same with the names of measures as they were typed.
    #[getter]
    fn asked(&self) -> &str {
        &self.evaluated.header.asked
    }

    #[getter]
    fn run(&self) -> Option<&str> {
        self.evaluated.run.as_deref()
    }

    fn counts(&self) -> PlainCounts {
        plain(&self.evaluated.counts)
    }

    /// How many queries of each measure count.
    fn counted(&self) -> Vec<usize> {
        self.evaluated.measures.iter().map(|sums| sums.queries).collect()
    }

    /// One number per measure for all queries.
    fn aggregates(&self, py: Python<'_>) -> PyResult<Vec<f64>> {
        let sums = self.evaluated.measures.iter();
        if sums.flat_map(|sums| sums.sums.first()).any(|sum| sum.overflows()) {
            return Err(problem(py, "overflow", "", &[("got", f64::MAX.to_string())]));
        }
        Ok((0..self.evaluated.measures.len()).map(|measure| self.evaluated.aggregate(measure)).collect())
    }

    /// The sums of a measure, each as a whole number that is to be divided by 2^1074; none for one that is not finite.
    fn sums<'py>(&self, py: Python<'py>, measure: usize) -> PyResult<Vec<Option<Bound<'py, PyAny>>>> {
        let sums = self.evaluated.measures.get(measure).map(|sums| &sums.sums[..]).unwrap_or_default();
        sums.iter().map(|sum| whole(py, sum)).collect()
    }

    /// Put evaluations of different queries together. That they are different cannot be seen here.
    #[pyo3(signature = (*others))]
    fn merge(&self, py: Python<'_>, others: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let others: Vec<Bound<'_, LightEvaluation>> = others.extract()?;
        let parts: Vec<&LightEvaluated> =
            std::iter::once(&self.evaluated).chain(others.iter().map(|other| &other.get().evaluated)).collect();
        let merged = py.detach(|| LightEvaluated::merge(&parts));
        merged.map(|evaluated| LightEvaluation { evaluated }).map_err(|error| worded(py, error))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.evaluated.to_bytes()))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        let evaluated = py.detach(|| LightEvaluated::from_bytes(data));
        evaluated.map(|evaluated| LightEvaluation { evaluated }).map_err(|error| worded(py, error))
    }

    fn __len__(&self) -> usize {
        self.evaluated.evaluated
    }

    fn __eq__(&self, other: &LightEvaluation) -> bool {
        self.evaluated == other.evaluated
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<LightEvaluation>().getattr("from_bytes")?, (self.to_bytes(py),)))
    }

    fn __repr__(&self) -> String {
        format!("LightEvaluation of {} queries: {}", self.__len__(), self.request())
    }
}
