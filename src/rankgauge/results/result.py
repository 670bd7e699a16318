"""Result: the means, the values behind them, how sure they are, and what the data looked like."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from rankgauge.conventions import Convention
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.measures import Measure, parse, parse_all
from rankgauge.presentation.parts_mixin import PartsMixin
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results.evaluation import Evaluation
from rankgauge.results.measure_lookup import ByMeasure, find_measure, is_evaluated
from rankgauge.results.plot_mixin import ResultPlotMixin
from rankgauge.results.report_mixin import ReportMixin
from rankgauge.results.result_formats_mixin import ResultFormatsMixin
from rankgauge.statistics import LEVEL
from rankgauge.statistics.aggregates import aggregate

if TYPE_CHECKING:
    from rankgauge._core import Evaluation as Compiled
    from rankgauge._core import LightEvaluation as LightCompiled
    from rankgauge.data.kept_inputs import KeptInputs
    from rankgauge.presentation.parts import Part
    from rankgauge.presentation.table import Table
    from rankgauge.results.comparison import Comparison
    from rankgauge.results.light_evaluation import LightEvaluation
    from rankgauge.results.per_query import PerQuery
    from rankgauge.results.segment_of_query import SegmentsInput
    from rankgauge.results.segments import Segments
    from rankgauge.statistics.intervals import Interval, Method
    from rankgauge.statistics.paired import Test


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Result(ResultFormatsMixin, PartsMixin, ReportMixin, ResultPlotMixin):
    """What an evaluation found; print it, index it by measure, ask for an interval or for the values per query.

    It is a mapping of measure to mean: `dict(result)`, `"map" in result`. A measure is shown as it was asked for, and
    looked up by any of its names.

    >>> import rankgauge as rg
    >>> judgments = {"q1": {"d1": 2, "d2": 1}, "q2": {"d3": 1}, "q3": {"d4": 1}}
    >>> result = rg.evaluate(judgments, {"q1": ["d2", "d1", "d9"], "q2": ["d3"]}, ["ndcg@10", "P@1"])
    >>> result["ndcg@10"], result["precision@1"]
    (0.9298593499260985, 1.0)
    >>> dict(result)
    {'ndcg@10': 0.9298593499260985, 'P@1': 1.0}
    >>> result.query("q1")
    {'ndcg@10': 0.8597186998521972, 'P@1': 1.0}
    >>> result.counts["missing"]
    1
    """

    evaluation: Evaluation
    request: Request
    seed: int = 0
    threads: int | None = None
    # What was remarked on while the inputs were read.
    input_remarks: tuple[Remark, ...] = ()
    # What the ids of the queries were when they came: `text`, `whole` numbers, `date` or `datetime`.
    query_kind: str = "text"
    # What it was computed from, for reports; None where that is gone.
    inputs: KeptInputs | None = None

    def __eq__(self, other: object) -> bool:
        """Whether the same was asked and found; inputs and remarks on them are not compared."""
        return type(self) is type(other) and self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash((self.request, self.seed))

    def _compared(self) -> tuple[object, ...]:
        return self.request, self.seed, self.query_kind, self.evaluation

    @classmethod
    def of(cls, evaluation: Compiled | LightCompiled, request: Request | None = None) -> Result:
        """Make a result from what a plan returned, or from a merge of several such evaluations.

        Parameters:
            evaluation: what `plan.evaluate` or `plan.evaluate_arrays` returned, its light form, or a merge of these.
            request: what was asked, where it has a convention of your own; default: the evaluation knows.

        >>> import rankgauge as rg
        >>> plan = rg.Request.of("nDCG@10").plan()
        >>> parts = [plan.evaluate({query: {"a": 1}}, {query: ["b", "a"]}) for query in ("q1", "q2")]
        >>> dict(rg.Result.of(parts[0].merge(parts[1])))
        {'nDCG@10': 0.6309297535714575}

        """
        from rankgauge import _core
        from rankgauge.engines.native import counts_of, view

        if not isinstance(evaluation, _core.Evaluation | _core.LightEvaluation):
            raise TypeError(f"a result is made of what a plan returns, got {type(evaluation).__name__}")
        asked = Request.parse(evaluation.asked) if request is None else request
        if asked.text != evaluation.request:
            raise RankgaugeError("other-request", expected=asked.text, got=evaluation.request)
        if isinstance(evaluation, _core.LightEvaluation):
            from rankgauge.results.light_evaluation import LightEvaluation  # imported late: rarely needed

            light = LightEvaluation.of(evaluation, asked, counts_of(evaluation, asked))
            return cls(light, asked)
        return cls(view(evaluation, asked), asked, query_kind=evaluation.query_kind)

    @property
    def convention(self) -> Convention:
        """The convention under which the numbers stand."""
        return self.request.effective

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures that have a mean, in the order in which they were asked for."""
        return tuple(measure for measure in self.request.measures if not measure.letters)

    @property
    def means(self) -> ByMeasure[float]:
        """The mean of each measure over the queries that count; of numbers of items, the sum."""
        return ByMeasure(self.items(), self.request)

    @property
    def counts(self) -> dict[str, int]:
        """How many queries were judged, ranked, missing, empty and tied, and how many items unjudged."""
        return self.evaluation.counts.to_dict()

    @property
    def per_query(self) -> PerQuery:
        """The value of each measure for each query."""
        if self._light:
            raise RankgaugeError(self.evaluation.lacks_values)
        from rankgauge.results.per_query import PerQuery  # imported late: means do not need it

        return PerQuery(self.evaluation, self.request, self.query_kind)

    @property
    def _light(self) -> LightEvaluation | None:
        """The evaluation, where it has sums alone; without its class, which evaluating does not load."""
        return None if self.evaluation.has_queries else cast("LightEvaluation", self.evaluation)

    def query(self, query: object) -> ByMeasure[Any]:
        """Return the values of one query, by measure; a measure that leaves the query out is left out.

        Parameters:
            query: the id of the query.

        """
        from rankgauge.presentation.ids import id_text

        known, text = self.per_query.evaluation.queries, id_text(query)
        if text not in known:
            hint = self._why_left_out(text) or nearest(text, known)
            raise RankgaugeError("unknown-query", side="evaluation", got=text, nearest=hint)
        columns = self.per_query.items()
        return ByMeasure(((measure, values[query]) for measure, values in columns if query in values), self.request)

    def _why_left_out(self, query: str) -> str:
        """Return why a query has no values, if it is judged and the inputs are still here; else nothing."""
        if self.convention.missing == "skip" and self.inputs and query in self.inputs.judgments:
            return "it is judged, but not in the ranking: left out, as missing=skip says; "
        return ""

    def __getitem__(self, measure: str | Measure) -> float:
        value = self._aggregate(find_measure(measure, self.request))
        decimals = self.convention.decimals
        return value if decimals is None or math.isnan(value) else round(value, decimals)

    def __iter__(self) -> Iterator[str]:
        return map(self.request.label, self.measures)

    def __len__(self) -> int:
        return len(self.measures)

    def __contains__(self, measure: object) -> bool:
        return is_evaluated(measure, self.request)

    def keys(self) -> list[str]:
        """Return the measures as they were asked for."""
        return list(self)

    def values(self) -> list[float]:
        """Return the means."""
        return [self[measure] for measure in self.measures]

    def items(self) -> list[tuple[str, float]]:
        """Return (measure, mean) pairs."""
        return list(zip(self.keys(), self.values(), strict=True))

    def interval(
        self,
        measure: str | Measure,
        *,
        level: float = LEVEL,
        method: Method | None = None,
        resamples: int | None = None,
        seed: int | None = None,
    ) -> Interval:
        """Return the confidence interval of the number over all queries; NaN for fewer than five queries.

        Of a mean of values between 0 and 1 it is the plus-logit interval, of others Student's t; see
        `rankgauge.statistics.intervals`. Their measured coverage is in docs/calibration.md.

        Parameters:
            measure: one of the measures, by any of its names.
            level: how often such intervals hold the true number.
            method: `logit`, `t`, or a bootstrap: `bootstrap` (percentile), `bca`, `studentised`; default: as above.
            resamples: how many times a bootstrap draws; default: 10,000, and fewer above 20,000 queries.
            seed: the seed of a bootstrap; default: that of the evaluation.

        """
        from rankgauge.statistics.intervals import interval_of_values, require_level, require_method

        column = find_measure(measure, self.request)
        require_level(level)
        require_method(method)
        if self._light:
            if method is not None:  # sums alone cannot be drawn from, and know one interval
                raise RankgaugeError(self.evaluation.lacks_values)
            return self._light.interval(column, level)
        values, weights = self.counted(column)
        if method in ("bootstrap", "bca", "studentised"):
            from rankgauge.statistics.bootstrap import aggregate_bootstrap  # imported late: rarely needed

            return aggregate_bootstrap(
                values,
                column.aggregate,
                weights,
                kind=method,
                level=level,
                resamples=resamples,
                seed=self.seed if seed is None else seed,
                threads=self.threads,
            )
        bounded = column.is_bounded(self.convention) and all(0.0 <= value <= 1.0 for value in values)
        return interval_of_values(values, column.aggregate, weights, bounded=bounded, level=level, method=method)

    def compare(
        self,
        other: Result,
        *,
        names: tuple[str, str] = ("this", "other"),
        test: Test = "randomisation",
        margin: float | None = None,
        level: float = LEVEL,
        permutations: int | None = None,
        common: bool = False,
    ) -> Comparison:
        """Compare with another result of the same request: this less the other, query by query.

        Parameters:
            other: a result with the same measures and convention.
            names: what the two are called in tables.
            test: as for `rg.compare`.
            margin: two results that differ by less are equivalent.
            level: the level of the interval.
            permutations: how many permutations a test draws; default: 9,999 to 99,999.
            common: whether only the queries that both have count; default: a query that one lacks counts 0 for it.

        >>> import rankgauge as rg
        >>> judgments = {f"q{number}": {"a": 1} for number in range(6)}
        >>> first = rg.evaluate(judgments, {query: ["a"] for query in judgments}, "mrr")
        >>> second = rg.evaluate(judgments, {query: ["x", "a"] for query in judgments}, "mrr")
        >>> first.compare(second, names=("new", "old")).pair("mrr", "new", "old").difference
        0.5

        """
        from rankgauge.results.aligned_runs import align_results
        from rankgauge.results.pairing import compare_aligned, design_of

        design = design_of(names, baseline=names[1], test=test, margin=margin, level=level, permutations=permutations)
        aligned = align_results(names, (self, other), common=common)
        remarks = tuple(dict.fromkeys((*self.input_remarks, *other.input_remarks)))
        compared = compare_aligned(aligned, self.request, design, seed=self.seed, threads=self.threads, remarks=remarks)
        return replace(compared, inputs=dict(zip(names, (self.inputs, other.inputs), strict=True)))

    def by(self, segments: SegmentsInput) -> Segments:
        """Return the means, with intervals, for each segment of the queries.

        Parameters:
            segments: a mapping of query to segment; a table with a column of queries and one of segments, or (table,
                column); or text such as `segments.csv:device`.

        >>> import rankgauge as rg
        >>> result = rg.evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ["a"], "q2": ["x", "a"]}, "mrr")
        >>> result.by({"q1": "mobile", "q2": "desktop"})["desktop", "mrr"].mean
        0.5

        """
        from rankgauge.results.segmenting import segments_of_result

        return segments_of_result(self, segments)

    def residual(self, measure: str | Measure) -> Interval:
        """Return the lowest and the highest mean that unjudged items allow; `residual(…)` must have been asked for.

        Parameters:
            measure: a sum of gains or its ratio, such as `ndcg@10`, of which the residual was asked for.

        >>> import rankgauge as rg
        >>> result = rg.evaluate({"q": {"a": 1}}, {"q": ["x", "a"]}, ["ndcg@10", "residual(ndcg@10)"])
        >>> result["ndcg@10"], result.residual("ndcg@10")
        (0.6309297535714575, Interval(low=0.6309297535714575, high=1.0))

        """
        from rankgauge.statistics.intervals import Interval

        low, high = parse_all(f"residual({parse(measure)})")
        return Interval(self[low], self[high])

    def table(self) -> Table:
        """Return a row per measure: mean, interval and number of queries."""
        from rankgauge.presentation.means_table import MeanRow, means_table  # imported late: only tables need it

        label, of = self.request.label, self._queries_of
        return means_table(MeanRow(label(each), self[each], *self.interval(each), of(each)) for each in self.measures)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """Under which convention the numbers stand, and everything about the data that may matter."""
        from rankgauge.results.remarks import evaluation_remarks

        queries = [self._queries_of(measure) for measure in self.measures if measure.aggregate != "union"]
        of_evaluation = evaluation_remarks(self.request, self.measures, self.evaluation.counts, queries)
        return (*of_evaluation, *self.input_remarks, *self.request.remarks)

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Return the convention, means, intervals and counts as plain values, with all digits.

        Parameters:
            per_query: whether the values per query are in it, under `per_query`; default: no.

        """
        values: dict[str, Any] = {
            "convention": str(self.convention),
            "means": dict(self.means),
            "intervals": {measure: list(self.interval(measure)) for measure in self},
            "counts": self.counts,
        }
        others = {
            self.request.label(measure): measure.aggregate for measure in self.measures if measure.aggregate != "mean"
        }
        values |= {"aggregates": others} if others else {}
        values["remarks"] = [remark.to_dict() for remark in self.remarks]
        return values | ({"per_query": self.per_query.to_dict()} if per_query else {})

    def parts(self, *, per_query: bool = False) -> list[Part]:
        """Return the tables and remarks that a person reads, one below the other.

        Parameters:
            per_query: whether the table of values per query comes first; default: no.

        """
        values: list[Part] = [self.per_query.table(), ""] if per_query else []
        return [*values, self.table(), "", *self.remarks]

    def _aggregate(self, measure: Measure) -> float:
        if self._light:
            return self._light.aggregate(measure)
        if measure in self.evaluation.unions:
            return self.evaluation.unions[measure]
        values, weights = self.counted(measure)
        try:
            return aggregate(values, measure.aggregate, weights)
        except OverflowError:
            raise RankgaugeError("overflow", got=max(values)) from None

    def _queries_of(self, measure: Measure) -> int:
        """Return how many queries the mean is of."""
        if self._light:
            return self._light.queries_of(measure)
        return len(self.counted(measure)[0])

    def counted(self, measure: Measure) -> tuple[Sequence[float], Sequence[float]]:
        """Return the values of the queries that count, by query id bytewise, and their weights, if there are any.

        Parameters:
            measure: one of the measures, by any of its names.

        """
        measure, evaluation = self.request.meant(measure), self.evaluation
        values, weights = evaluation.values[measure], evaluation.weights
        if not (self.convention.nothing_relevant == "skip" or measure.skips):
            return values, weights
        kept = [row for row, value in enumerate(values) if not math.isnan(value)]
        return [values[row] for row in kept], [weights[row] for row in kept] if weights else ()
