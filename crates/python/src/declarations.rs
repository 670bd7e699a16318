//! The plan out of Python's declarations.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use rankgauge_core::discount::Discount;
use rankgauge_core::evaluation_header::Aggregate;
use rankgauge_core::gain::Gain;
use rankgauge_core::measures::clicks::Clicks;
use rankgauge_core::measures::counted::{self, Counted, RelevanceRule};
use rankgauge_core::measures::diversity::{self, Diversity};
use rankgauge_core::measures::gains::{End, Form, Gains, Ideal};
use rankgauge_core::measures::graded::{self, Graded};
use rankgauge_core::plan::{Measure, Request, Requested};
use rankgauge_core::rules::{
    DefaultCutoff, Duplicates, Missing, Negative, NothingRelevant, OwnId, Rules, Ties, Unjudged,
};

/// `rankgauge.conventions.terms.Gain`
#[derive(FromPyObject)]
struct GainTerm {
    kind: String,
    threshold: f64,
    shift: f64,
    top: Option<f64>,
    table: Vec<(f64, f64)>,
}

/// `rankgauge.conventions.terms.Discount`
#[derive(FromPyObject)]
struct DiscountTerm {
    kind: String,
    base: f64,
    table: Vec<f64>,
}

/// `rankgauge.conventions.terms.Ideal`
#[derive(FromPyObject)]
struct IdealTerm {
    kind: String,
    top: f64,
}

/// The families of measures: the tags of `rankgauge.measures.Measure.family`.
pub const FAMILIES: [&str; 7] = ["gains", "counted", "graded", "diversity", "clicks", "coverage", "letters"];

/// One number or several, of a parameter.
#[derive(FromPyObject)]
enum NumberTerm {
    One(f64),
    Several(Vec<f64>),
}

/// `rankgauge.measures.Counted`
#[derive(FromPyObject)]
struct CountedTerms {
    counts: String,
    k: Option<usize>,
    rel: f64,
    numbers: Vec<NumberTerm>,
    of_relevant: bool,
    of_ranked: bool,
    whole: bool,
    ordered: bool,
    nothing: Option<f64>,
    skips: bool,
}

/// `rankgauge.measures.Graded`
#[derive(FromPyObject)]
struct GradedTerms {
    grades: String,
    k: Option<usize>,
    gain: GainTerm,
    numbers: Vec<NumberTerm>,
    of_relevant: bool,
    rel: Option<f64>,
    nothing: Option<f64>,
}

/// `rankgauge.measures.Diversity`
#[derive(FromPyObject)]
struct DiversityTerms {
    covers: String,
    k: Option<usize>,
    rel: f64,
    numbers: Vec<NumberTerm>,
    of_relevant: bool,
}

/// `rankgauge.measures.Clicks`
#[derive(FromPyObject)]
struct ClicksTerms {
    k: Option<usize>,
    discount: DiscountTerm,
    propensity: DiscountTerm,
    self_normalised: bool,
    numbers: Vec<NumberTerm>,
}

/// `rankgauge.measures.Coverage`
#[derive(FromPyObject)]
struct CoverageTerms {
    k: Option<usize>,
    catalogue: f64,
}

/// `rankgauge.measures.Letters`
#[derive(FromPyObject)]
struct LettersTerms {
    letters: usize,
}

/// `rankgauge.measures.Gains`
#[derive(FromPyObject)]
struct GainsTerms {
    sums: String,
    discounted: bool,
    normalised: bool,
    k: Option<usize>,
    gain: GainTerm,
    discount: DiscountTerm,
    ideal: IdealTerm,
    residual: Option<String>,
}

#[derive(FromPyObject)]
enum CutoffTerm {
    At(usize),
    Word(String),
}

/// The fields of `rankgauge.conventions.Convention` that hold for all measures.
#[derive(FromPyObject)]
struct ConventionTerms {
    default_cutoff: CutoffTerm,
    ties: String,
    precision: String,
    nothing_relevant: String,
    missing: String,
    unjudged: String,
    negative: String,
    duplicates: String,
    own_id: String,
}

fn unknown<T>(word: &str) -> PyResult<T> {
    Err(PyValueError::new_err(format!("the native engine does not know {word:?}")))
}

/// Match words to values; any other word is an error.
macro_rules! words {
    ($word:expr, $($name:literal $(if $guard:expr)? => $value:expr),+ $(,)?) => {
        match $word.as_str() {
            $($name $(if $guard)? => $value,)+
            other => return unknown(other),
        }
    };
}

/// A `rankgauge.measures.Measure` with everything given, by the tag of its family.
fn measure(declared: &Bound<'_, PyAny>) -> PyResult<Measure> {
    let family: String = declared.getattr("family")?.extract()?;
    Ok(words!(family,
        "gains" => Measure::Gains(declared.extract::<GainsTerms>()?.gains()?),
        "counted" => Measure::Counted(declared.extract::<CountedTerms>()?.counted()?),
        "graded" => Measure::Graded(declared.extract::<GradedTerms>()?.graded()?),
        "diversity" => Measure::Diversity(declared.extract::<DiversityTerms>()?.diversity()?),
        "clicks" => Measure::Clicks(declared.extract::<ClicksTerms>()?.clicks()?),
        "coverage" => {
            let terms: CoverageTerms = declared.extract()?;
            Measure::Coverage { k: terms.k, items: terms.catalogue }
        },
        "letters" => Measure::Letters { count: declared.extract::<LettersTerms>()?.letters },
    ))
}

/// The parameters end to end.
fn flat(numbers: Vec<NumberTerm>) -> Vec<f64> {
    let several = numbers.into_iter().flat_map(|number| match number {
        NumberTerm::One(number) => vec![number],
        NumberTerm::Several(numbers) => numbers,
    });
    several.collect()
}

impl CountedTerms {
    fn counted(self) -> PyResult<Counted> {
        Ok(Counted {
            function: counted::function(&self.counts).map_or_else(|| unknown(&self.counts), Ok)?,
            k: self.k,
            relevance: RelevanceRule { level: self.rel, ranked: self.of_ranked },
            numbers: flat(self.numbers),
            of_relevant: self.of_relevant,
            whole: self.whole,
            ordered: self.ordered,
            nothing: self.nothing,
            skips: self.skips,
        })
    }
}

impl GradedTerms {
    fn graded(self) -> PyResult<Graded> {
        Ok(Graded {
            function: graded::function(&self.grades).map_or_else(|| unknown(&self.grades), Ok)?,
            k: self.k,
            gain: self.gain.gain()?,
            numbers: flat(self.numbers),
            of_relevant: self.of_relevant,
            level: self.rel,
            nothing: self.nothing,
        })
    }
}

impl DiversityTerms {
    fn diversity(self) -> PyResult<Diversity> {
        Ok(Diversity {
            function: diversity::function(&self.covers).map_or_else(|| unknown(&self.covers), Ok)?,
            k: self.k,
            level: self.rel,
            numbers: flat(self.numbers),
            of_relevant: self.of_relevant,
        })
    }
}

impl ClicksTerms {
    fn clicks(self) -> PyResult<Clicks> {
        Ok(Clicks {
            k: self.k,
            discount: self.discount.discount()?,
            propensity: self.propensity.discount()?,
            clip: flat(self.numbers).first().copied().unwrap_or(0.0),
            self_normalised: self.self_normalised,
        })
    }
}

impl GainTerm {
    fn gain(self) -> PyResult<Gain> {
        Ok(words!(self.kind,
            "linear" => Gain::linear(self.table),
            "exp2" => Gain::Exp2 { shift: self.shift },
            "binary" => Gain::Binary { threshold: self.threshold },
            "share" => Gain::Share { top: self.top },
            "chance" => Gain::Chance { top: self.top.unwrap_or(f64::NAN) },
            "table" => Gain::table(self.table),
        ))
    }
}

impl DiscountTerm {
    fn discount(self) -> PyResult<Discount> {
        Ok(words!(self.kind,
            "log" => Discount::Log { base: self.base },
            "jarvelin" => Discount::Jarvelin { base: self.base },
            "clipped" => Discount::Clipped,
            "reciprocal" => Discount::Reciprocal,
            "geometric" => Discount::Geometric { persistence: self.base },
            "table" => Discount::Table(self.table),
        ))
    }
}

impl GainsTerms {
    fn gains(self) -> PyResult<Gains> {
        let ideal = words!(self.ideal.kind,
            "judged" => Ideal::Judged,
            "uncut" => Ideal::Uncut,
            "ranked" => Ideal::Ranked,
            "top" => Ideal::Top,
            "list-length" => Ideal::ListLength,
            "perfect" => Ideal::Perfect { top: self.ideal.top },
        );
        let form = words!(self.sums,
            "ranked" if self.normalised => Form::Ratio,
            "ranked" => Form::Actual,
            "ideal" => Form::Ideal,
            "random" => Form::Random,
            "corrected" => Form::Corrected,
        );
        let bound = match self.residual {
            None => None,
            Some(end) => Some(words!(end, "low" => End::Low, "high" => End::High)),
        };
        Ok(Gains {
            form,
            bound,
            k: self.k,
            gain: self.gain.gain()?,
            discount: if self.discounted { self.discount.discount()? } else { Discount::None },
            ideal,
        })
    }
}

impl ConventionTerms {
    fn rules(self, depth: Option<usize>) -> PyResult<Rules> {
        Ok(Rules {
            default_cutoff: match self.default_cutoff {
                CutoffTerm::At(k) => DefaultCutoff::At(k),
                CutoffTerm::Word(word) => words!(word, "list" => DefaultCutoff::List, "all" => DefaultCutoff::All),
            },
            ties: words!(self.ties,
                "id-descending" => Ties::IdDescending,
                "id-ascending" => Ties::IdAscending,
                "given" => Ties::Given,
                "reversed" => Ties::Reversed,
                "average" => Ties::Average,
                "worst" => Ties::Worst,
                "best" => Ties::Best,
            ),
            float32: words!(self.precision, "float64" => false, "float32" => true),
            nothing_relevant: words!(self.nothing_relevant,
                "zero" => NothingRelevant::Zero,
                "one" => NothingRelevant::One,
                "nan" => NothingRelevant::Nan,
                "skip" => NothingRelevant::Skip,
                "error" => NothingRelevant::Error,
            ),
            missing: words!(self.missing, "skip" => Missing::Skip, "zero" => Missing::Zero, "error" => Missing::Error),
            unjudged: words!(self.unjudged,
                "zero" => Unjudged::Zero, "drop" => Unjudged::Drop, "error" => Unjudged::Error),
            negative: words!(self.negative,
                "zero" => Negative::Zero,
                "keep" => Negative::Keep,
                "drop" => Negative::Drop,
                "error" => Negative::Error,
            ),
            duplicates: words!(self.duplicates,
                "error" => Duplicates::Error, "first" => Duplicates::First, "last" => Duplicates::Last),
            own_id: words!(self.own_id, "keep" => OwnId::Keep, "drop" => OwnId::Drop),
            depth,
        })
    }
}

/// `rankgauge.request.Request`, as far as a plan needs it.
#[derive(FromPyObject)]
struct RequestTerms<'py> {
    text: String,
    /// Every measure that is computed, with all its terms given.
    declared: Vec<Bound<'py, PyAny>>,
    effective: ConventionTerms,
    depth: Option<usize>,
    /// Which of the measures is the weight of those that are weighted.
    weights: Option<usize>,
}

/// What is asked, out of Python's declarations.
pub fn request(asked: &Bound<'_, PyAny>) -> PyResult<Request> {
    if !asked.hasattr("declared")? {
        let class = asked.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a plan is made of what rg.Request.of returns; got {class}")));
    }
    let terms: RequestTerms<'_> = asked.extract()?;
    let requested = |declared: &Bound<'_, PyAny>| {
        let aggregate: String = declared.getattr("aggregate")?.extract()?;
        Ok(Requested {
            measure: measure(declared)?,
            aggregate: words!(aggregate,
                "mean" => Aggregate::Mean,
                "sum" => Aggregate::Sum,
                "geometric" => Aggregate::Geometric,
                "weighted" => Aggregate::Weighted { by: terms.weights.unwrap_or(0) },
                "union" => Aggregate::Union,
            ),
            skips: declared.getattr("skips")?.extract()?,
        })
    };
    let measures = terms.declared.iter().map(requested).collect::<PyResult<_>>()?;
    let (text, rules) = (terms.text, terms.effective.rules(terms.depth)?);
    Ok(Request { text, asked: asked.str()?.to_string(), measures, rules })
}
