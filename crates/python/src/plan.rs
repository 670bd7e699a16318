//! A plan: made once from a request, and kept to evaluate many data with.

use std::borrow::Cow;

use pyo3::PyClass;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::PyMapping;
use rankgauge_core::annotations::Kind;
use rankgauge_core::evaluate::{evaluate_excerpt, evaluate_table, is_small};
use rankgauge_core::evaluation::Evaluation as Evaluated;
use rankgauge_core::plan::{Plan as CorePlan, Slot};
use rankgauge_core::table::Table;
use rankgauge_core::text::evaluate_ranking;
use rankgauge_core::text::trec::RANKING;
use rankgauge_core::{Error, Side};

use crate::arrays::Arrays;
use crate::declarations::request;
use crate::errors::{Sources, problem};
use crate::evaluation::Evaluation;
use crate::excerpts::excerpt;
use crate::files::Form;
use crate::judgments::Judgments;
use crate::mappings;
use crate::panics::caught;
use crate::pool::{in_pool, thread_count};
use crate::ranking::{Ranking, Rows};

/// `rankgauge.request.Request`, compiled.
#[pyclass(frozen, module = "rankgauge._core")]
#[derive(Debug)]
pub struct Plan {
    request: Py<PyAny>,
    pub for_tables: CorePlan,
    for_arrays: CorePlan,
}

#[pymethods]
impl Plan {
    #[new]
    fn new(asked: Bound<'_, PyAny>) -> PyResult<Self> {
        let core = request(&asked)?;
        let for_tables = CorePlan::new(&core);
        Ok(Plan { request: asked.unbind(), for_tables, for_arrays: CorePlan::for_arrays(core) })
    }

    #[getter]
    fn request(&self, py: Python<'_>) -> Py<PyAny> {
        self.request.clone_ref(py)
    }

    /// Evaluate judgments and a ranking: the nouns of rankgauge, or mappings.
    #[pyo3(signature = (judgments, ranking, *, threads=None))]
    fn evaluate(
        &self,
        py: Python<'_>,
        judgments: &Bound<'_, PyAny>,
        ranking: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = thread_count)] threads: Option<usize>,
    ) -> PyResult<Evaluation> {
        let judgments = handle::<Judgments>(judgments, Judgments::from_mapping, "rg.read_judgments")?;
        let borrow = |mapping: &Bound<'_, PyMapping>| Ok(Ranking::borrow_mapping(mapping.clone()));
        let ranking = handle::<Ranking>(ranking, borrow, "rg.read_ranking")?;
        let (judgments, ranking) = (judgments.get(), ranking.get());
        let plan = self.annotated(py, judgments)?;
        let judged = &judgments.table;
        let mut run = ranking.run.clone();
        let result = match &ranking.rows {
            Rows::Table(table, _) => {
                let small = is_small(judged.query_count(), judged.row_count() + table.row_count());
                py.detach(|| in_pool(small, threads, || evaluate_table(judged, table, &plan)))?
            }
            Rows::Parquet(parquet, _) => {
                let evaluate = || in_pool(false, threads, || caught(|| parquet.evaluate(judged, &plan)).flatten());
                match py.detach(evaluate)? {
                    Some(evaluation) => Ok(evaluation),
                    None => {
                        let table = parquet.table(py)?;
                        py.detach(|| in_pool(false, threads, || evaluate_table(judged, &table, &plan)))?
                    }
                }
            }
            Rows::Mapping(mapping) => evaluate_mapping(judged, mapping.bind(py), &plan, threads)?,
            Rows::Text(source) => {
                let bytes = source.bytes(py)?;
                let evaluate = || match source.form() {
                    Form::Trec => evaluate_ranking(judged, bytes.source(), RANKING, &plan),
                    Form::Delimited(layout) => evaluate_ranking(judged, bytes.source(), layout, &plan),
                };
                run = source.form().run(&bytes);
                py.detach(|| in_pool(false, threads, evaluate))?
            }
        };
        let sources = Sources { judgments: judgments.origin.as_ref(), ranking: ranking.origin() };
        let evaluated = result.map_err(|error| sources.error(py, Side::Ranking, error))?;
        Ok(Evaluation::of(Evaluated { run, ..evaluated }))
    }

    /// Evaluate labels and scores that stand at the same places; as `rg.evaluate_arrays`.
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of rg.evaluate_arrays")]
    #[pyo3(signature = (labels, scores, groups=None, *, mask=None, groups_are=None, threads=None))]
    fn evaluate_arrays<'py>(
        &self,
        py: Python<'py>,
        labels: Bound<'py, PyAny>,
        scores: Bound<'py, PyAny>,
        groups: Option<Bound<'py, PyAny>>,
        mask: Option<Bound<'py, PyAny>>,
        groups_are: Option<&str>,
        #[pyo3(from_py_with = thread_count)] threads: Option<usize>,
    ) -> PyResult<Evaluation> {
        self.refuse_arrays(py)?;
        let plain = groups.is_none() && mask.is_none();
        if plain && let Some(evaluated) = Arrays::evaluate_matrix(&labels, &scores, &self.for_arrays, threads)? {
            return Ok(Evaluation::of(evaluated));
        }
        let read = py.import("rankgauge.inputs.arrays")?.getattr("read")?;
        let (arrays, _): (Bound<'py, PyAny>, Bound<'py, PyAny>) =
            read.call1((labels, scores, groups, mask, groups_are))?.extract()?;
        self.evaluate_flat(py, arrays.extract()?, threads)
    }

    /// Evaluate arrays as `rankgauge.inputs.arrays.read` returns them.
    #[pyo3(signature = (arrays, *, threads=None))]
    fn evaluate_flat(
        &self,
        py: Python<'_>,
        arrays: Arrays<'_>,
        #[pyo3(from_py_with = thread_count)] threads: Option<usize>,
    ) -> PyResult<Evaluation> {
        self.refuse_arrays(py)?;
        Ok(Evaluation::of(arrays.evaluate(py, &self.for_arrays, threads)?))
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (Py<PyAny>,))> {
        Ok((py.get_type::<Plan>().into_any().unbind(), (self.request.clone_ref(py),)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Plan of {}", self.request.bind(py).str()?))
    }
}

impl Plan {
    /// The plan with what the judgments carry beside grades; an error if a measure needs more than they carry.
    fn annotated(&self, py: Python<'_>, judgments: &Judgments) -> PyResult<Cow<'_, CorePlan>> {
        let annotations = judgments.annotations.as_ref();
        let has = |needed: &str| match annotations.map(|annotations| annotations.kind()) {
            Some(Kind::Subtopic) => needed == "subtopic",
            Some(Kind::Propensity | Kind::Position) => needed == "propensity",
            None => false,
        };
        if let Some(needed) = self.for_tables.slots.iter().find_map(annotation).filter(|needed| !has(needed)) {
            let hint = format!("read them with rg.read_judgments(source, annotation='{needed}')");
            let fields = [("expected", needed.to_string()), ("got", "none".into()), ("hint", hint)];
            return Err(problem(py, "no-annotation", "", &fields));
        }
        Ok(match annotations {
            None => Cow::Borrowed(&self.for_tables),
            Some(_) => Cow::Owned(CorePlan { annotations: annotations.cloned(), ..self.for_tables.clone() }),
        })
    }

    /// Arrays have neither ids nor annotations.
    fn refuse_arrays(&self, py: Python<'_>) -> PyResult<()> {
        let slots = &self.for_tables.slots;
        if let Some(needed) = slots.iter().find_map(annotation) {
            let hint = "give mappings, files or DataFrames to rg.evaluate".to_string();
            let fields = [("expected", needed.to_string()), ("got", "arrays".into()), ("hint", hint)];
            return Err(problem(py, "no-annotation", "", &fields));
        }
        if slots.iter().any(|slot| matches!(slot, Slot::Coverage { .. })) {
            return Err(problem(py, "no-ids", "", &[("got", self.for_tables.header.request.clone())]));
        }
        Ok(())
    }
}

/// What a measure needs of judgments beside grades.
fn annotation(slot: &Slot) -> Option<&'static str> {
    match slot {
        Slot::Diversity(_) => Some("subtopic"),
        Slot::Clicks(_) => Some("propensity"),
        _ => None,
    }
}

/// A compiled noun: itself, the handle of its Python class, or one that is made of a mapping.
fn handle<'py, T: PyClass<Frozen = True> + Into<PyClassInitializer<T>>>(
    noun: &Bound<'py, PyAny>,
    from_mapping: impl FnOnce(&Bound<'py, PyMapping>) -> PyResult<T>,
    reader: &str,
) -> PyResult<Bound<'py, T>> {
    if let Ok(handle) = noun.cast::<T>() {
        return Ok(handle.clone());
    }
    if let Some(handle) = noun.getattr_opt("handle")?.and_then(|handle| handle.cast_into::<T>().ok()) {
        return Ok(handle);
    }
    if let Ok(mapping) = noun.cast::<PyMapping>() {
        return Bound::new(noun.py(), from_mapping(mapping)?);
    }
    let class = noun.get_type().name()?;
    Err(PyTypeError::new_err(format!("a plan takes what {reader} returns, or a mapping; got {class}")))
}

fn evaluate_mapping(
    judged: &Table,
    mapping: &Bound<'_, PyMapping>,
    plan: &CorePlan,
    threads: Option<usize>,
) -> PyResult<Result<Evaluated, Error>> {
    if let Some(excerpt) = excerpt(mapping, plan) {
        // Python's lock is held: the excerpt borrows from the mapping.
        let small = is_small(judged.query_count(), judged.row_count());
        return in_pool(small, threads, || evaluate_excerpt(judged, &excerpt, plan));
    }
    let table = mappings::walk(mapping, Side::Ranking)?;
    let small = is_small(judged.query_count(), judged.row_count() + table.row_count());
    mapping.py().detach(|| in_pool(small, threads, || evaluate_table(judged, &table, plan)))
}
