"""Comparison: two or more runs on the same queries, and which of them differ."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from rankgauge.checks import bad_number
from rankgauge.conventions import Convention
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.languages import Text
from rankgauge.languages.text import headings
from rankgauge.measures import Measure
from rankgauge.notation import counted
from rankgauge.presentation.parts import Part
from rankgauge.presentation.parts_mixin import PartsMixin, TableMixin
from rankgauge.presentation.table import Cell, MarkedNumber, Probability, Table, interval_headings
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results.aligned_runs import AlignedRuns
from rankgauge.results.equality import are_equal
from rankgauge.results.measure_lookup import find_measure
from rankgauge.results.pair import Pair, Pairs, cells_of
from rankgauge.results.plot_mixin import ComparisonPlotMixin
from rankgauge.results.remarks import describe
from rankgauge.results.report_mixin import ReportMixin
from rankgauge.results.values_frame import NO_FRAME, ValuesFrame
from rankgauge.statistics import LEVEL
from rankgauge.statistics.corrections import Correction
from rankgauge.statistics.intervals import Interval
from rankgauge.statistics.paired import Test
from rankgauge.statistics.power import ALPHA, POWER, detectable_effect, queries_needed

if TYPE_CHECKING:
    from rankgauge.data.kept_inputs import KeptInputs
    from rankgauge.results.segment_of_query import SegmentsInput
    from rankgauge.results.segments import Segments

LETTERS: Final = "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"
_RAISED: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
SHOWN_MOVED: Final = 5
TESTS: Final[Mapping[Test, Text]] = {
    "randomisation": Text("the paired randomisation test"),
    "t": Text("Student's paired t test"),
    "wilcoxon": Text("Wilcoxon's signed-rank test"),
    "sign": Text("the sign test"),
    "bootstrap": Text("the studentised bootstrap test"),
}
CORRECTIONS: Final[Mapping[Correction, Text]] = {
    "holm": Text("Holm's correction"),
    "tukey": Text("randomised Tukey HSD"),
    "bh": Text("Benjamini and Hochberg's correction"),
    "none": Text("no correction"),
}


@dataclass(frozen=True, slots=True)
class Design:
    """How runs are compared: the baseline (None: all pairs), the test, the correction, and the level of intervals."""

    baseline: str | None
    test: Test
    correction: Correction
    level: float = LEVEL
    permutations: int = 0
    margin: float | None = None


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Comparison(PartsMixin, TableMixin, ReportMixin, ComparisonPlotMixin):
    """Which runs differ, by how much, and how sure that is; print it, or ask for a pair.

    >>> import rankgauge as rg
    >>> judgments = {f"q{number}": {"a": 1, "b": 1} for number in range(8)}
    >>> runs = {"base": {query: ["x", "a"] for query in judgments}, "new": {query: ["a", "x"] for query in judgments}}
    >>> comparison = rg.compare(judgments, runs, "ndcg@2")
    >>> pair = comparison.pair("ndcg@2", "new", "base")
    >>> round(pair.difference, 3), pair.p, (pair.wins, pair.ties, pair.losses)
    (0.226, 0.0078125, (8, 0, 0))
    """

    request: Request
    aligned: AlignedRuns
    design: Design
    pairs: Pairs
    input_remarks: tuple[Remark, ...] = ()
    segments: Segments | None = None
    # What each run was evaluated from, for reports; None where that is gone.
    inputs: Mapping[str, KeptInputs | None] = field(default_factory=dict)
    # The values of a cluster, which stay there.
    values_frame: ValuesFrame = NO_FRAME

    def __eq__(self, other: object) -> bool:
        """Whether the same was asked and found; inputs and remarks on them are not compared."""
        return isinstance(other, Comparison) and are_equal(self._compared(), other._compared())

    def __hash__(self) -> int:
        return hash((self.request, self.design))

    def _compared(self) -> tuple[object, ...]:
        return self.request, self.aligned, self.design, self.pairs, self.segments

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the runs."""
        return self.aligned.runs

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures as they were asked for."""
        return tuple(map(self._label, self.aligned.values))

    @property
    def convention(self) -> Convention:
        """The convention under which the numbers stand."""
        return self.request.effective

    def _find(self, measure: str | Measure) -> Any:  # noqa: ANN401 - a measure as `aligned` has it
        return find_measure(measure, self.request)

    def _label(self, measure: Any) -> str:  # noqa: ANN401 - the same
        return self.request.label(measure)

    def pair(self, measure: str | Measure, first: str, second: str) -> Pair:
        """Return one comparison: first less second.

        Parameters:
            measure: one of the measures, by any of its names.
            first: the name of a run.
            second: the name of another run.

        """
        label = self._label(self._find(measure))
        for run in (first, second):
            if run not in self.runs:
                known = ", ".join(self.runs)
                raise RankgaugeError("unknown-run", known=known, got=run, nearest=nearest(run, self.runs))
        for pair in self.pairs.rows:
            if pair.measure == label and {pair.first, pair.second} == {first, second}:
                return pair if pair.first == first else pair.flipped()
        baseline = self.design.baseline
        raise RankgaugeError("unknown-run", known=f"compared with {baseline}", got=f"{first} and {second}", nearest="")

    def mean(self, measure: str | Measure, run: str) -> float:
        """Return the mean of a run over the queries that count for all runs.

        Parameters:
            measure: one of the measures, by any of its names.
            run: the name of a run.

        """
        return self.aligned.mean(self._find(measure), run)

    def interval(self, measure: str | Measure, run: str) -> Interval:
        """Return the confidence interval of the mean of a run.

        Parameters:
            measure: one of the measures, by any of its names.
            run: the name of a run.

        """
        column = find_measure(measure, self.request)
        bounded = column.is_bounded(self.convention)
        return self.aligned.interval(column, run, bounded=bounded, level=self.design.level)

    @property
    def per_query_frame(self) -> Any:  # noqa: ANN401 - a DataFrame of Spark
        """The value of each measure for each run and query, on a cluster: a DataFrame of Spark, not yet computed."""
        return self.values_frame.frame

    def headline(self) -> str:
        """Return the finding of the first measure in one sentence."""
        text = self.main_pair().headline(self.design.level, adjusted=self._is_adjusted)
        return text if len(self.measures) == 1 else _with_measure(text, self.measures[0])

    def main_pair(self) -> Pair:
        """Return the pair of the first measure with the largest difference; a significant one comes first."""
        rows = [pair for pair in self.pairs.rows if pair.measure == self.measures[0]]
        best = max(rows, key=lambda pair: (pair.is_significant(1.0 - self.design.level), abs(pair.difference)))
        return best if len(self.runs) == 2 or best.difference > 0 else best.flipped()

    def table(self) -> Table:
        """Return a row per run and a column per measure, with marks of significance; the best is in bold."""
        names = [self._named(run) for run in self.runs]
        columns = [self._column(measure) for measure in self.aligned.values]
        rows: list[list[Cell]] = [[name, *cells] for name, *cells in zip(names, *columns, strict=True)]
        return Table([Text("run"), *self.measures], rows)

    def _named(self, run: str) -> str:
        """Return a run with its letter, where letters mark which runs it is better than."""
        return run if self.design.baseline or len(self.runs) > len(LETTERS) else f"{self._letter(run)} {run}"

    def _letter(self, run: str) -> str:
        return LETTERS[self.runs.index(run)]

    def _column(self, measure: Measure | str) -> list[Cell]:
        means = [self.mean(measure, run) for run in self.runs]
        marks = [self._mark(self._label(measure), run) for run in self.runs]
        width = max(map(len, marks))
        best = max((mean for mean in means if not math.isnan(mean)), default=math.nan)
        return [
            None if math.isnan(mean) else MarkedNumber(mean, mark.ljust(width), best=mean == best)
            for mean, mark in zip(means, marks, strict=True)
        ]

    def _mark(self, label: str, run: str) -> str:
        """Return ▲ or ▼ for a run that differs from the baseline, or the letters of the runs that it is better than.

        Where there are more runs than letters, it is how many these are.
        """
        alpha = 1.0 - self.design.level
        pairs = [pair for pair in self.pairs.rows if pair.measure == label and run in (pair.first, pair.second)]
        seen = [pair if pair.first == run else pair.flipped() for pair in pairs if pair.is_significant(alpha)]
        if self.design.baseline is not None:
            return "" if run == self.design.baseline else "".join("▲" if pair.difference > 0 else "▼" for pair in seen)
        worse = [pair.second for pair in seen if pair.difference > 0]
        if len(self.runs) > len(LETTERS):
            return str(len(worse)).translate(_RAISED) if worse else ""
        return "".join(map(self._letter, worse))

    def pairs_table(self) -> Table:
        """Return a row per measure and pair as people read it."""
        headers = [*headings("measure", "pair", "difference"), *interval_headings(self.design.level)]
        headers += headings("p", "adjusted", "effect", "better", "worse", "equal")
        margin = self.design.margin
        headers += [] if margin is None else [Text("within {margin:g}: p", margin=margin)]
        rows = []
        for pair in self.pairs.rows:
            difference, low, high, p, adjusted, _, effect = cells_of(pair)[5:12]
            counts: list[Cell] = [pair.wins, pair.losses, pair.ties]
            names = f"{pair.first} − {pair.second}"
            cells: list[Cell] = [pair.measure, names, difference, low, high, p, adjusted, effect, *counts]
            rows.append([*cells, *([] if pair.p_equivalence is None else [Probability(pair.p_equivalence)])])
        return Table(headers, rows)

    def moved_table(self) -> Table:
        """Return the queries that moved most in the first pair; `rg.explain` says why each has its values."""
        pair = self.pairs.rows[0]
        rows: list[list[Cell]] = [list(moved) for moved in pair.moved[:SHOWN_MOVED]]
        return Table([Text("most moved ({})", pair.measure), pair.first, pair.second, Text("difference")], rows)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """How the numbers were computed, what was compared, and everything about the data that may matter."""
        queries = counted(len(self.aligned.queries), "query", "queries")
        return (
            Remark.of("convention", describe(self.convention)),
            Remark.of("queries", Text("{queries} compared, the same for every run", queries=queries)),
            self._comparisons(),
            self._marks(),
            *self._test_of_ranks(),
            *self.aligned.remarks,
            *self.input_remarks,
            *self.request.remarks,
            *(self.segments.remarks if self.segments else ()),
        )

    @property
    def _per_measure(self) -> int:
        return len(self.pairs) // len(self.measures)

    @property
    def _is_adjusted(self) -> bool:
        """Whether p-values are corrected for several comparisons."""
        return self._per_measure > 1 and self.design.correction != "none"

    def _comparisons(self) -> Remark:
        family = Text("{} over the {:,} of each measure", CORRECTIONS[self.design.correction], self._per_measure)
        if self._per_measure == 1 and len(self.measures) > 1:
            family = Text("one of each measure, so none is corrected")
        elif self._per_measure == 1:
            family = Text("not corrected")
        made = counted(len(self.pairs), "comparison")
        return Remark.of("comparisons", Text("{} by {}; {}", made, TESTS[self.design.test], family))

    def _marks(self) -> Remark:
        below = {"alpha": 1.0 - self.design.level}
        alpha = Text("adjusted p < {alpha:.2g}", **below) if self._is_adjusted else Text("p < {alpha:.2g}", **below)
        if self.design.baseline is not None:
            marks = Text("▲ better, ▼ worse than {} ({})", self.design.baseline, alpha)
            return Remark.of("marks", marks)
        if len(self.runs) > len(LETTERS):
            counts = Text("a raised number counts the runs that this one is better than ({})", alpha)
            return Remark.of("marks", counts)
        return Remark.of("marks", Text("a letter names a run that this one is better than ({})", alpha))

    def _test_of_ranks(self) -> list[Remark]:
        if self.design.test not in ("wilcoxon", "sign"):
            return []
        text = Text(
            "it does not test means: with few big wins and many small losses of equal means it errs in nearly all "
            "comparisons at 50 queries"
        )
        return [Remark.of("test-of-ranks", text)]

    def parts(self) -> list[Part]:
        """Return the texts and tables that a person reads."""
        moved = self.moved_table()
        most: list[Part] = [moved, ""] if moved.rows and len(self.runs) == 2 else []
        segments = self.segments.tables() if self.segments else []
        pairs: list[Part] = [part for block in self.pairs_table().in_blocks(2) for part in (block, "")]
        return [self.headline(), "", self.table(), "", *pairs, *most, *segments, *self.remarks]

    def by(self, segments: SegmentsInput, *, seed: int = 0, threads: int | None = None) -> Segments:
        """Compare the runs within each segment of the queries, corrected for the number of segments.

        Parameters:
            segments: a mapping of query to segment; a table with a column of queries and one of segments, or (table,
                column); or text such as `segments.csv:device`.
            seed: the seed of the permutations.
            threads: how many threads to use, which changes no value; default: one per core.

        """
        from rankgauge.results.segmenting import segments_of_comparison

        return segments_of_comparison(self, segments, seed=seed, threads=threads)

    def power(self, difference: float | None = None, *, power: float = POWER, alpha: float = ALPHA) -> Table:
        """Return how many queries show a difference, and which one these queries show, from these queries as a pilot.

        Parameters:
            difference: the true difference to be found; default: the observed one of each pair.
            power: with which probability it is to be found.
            alpha: the level of the two-sided paired test.

        """
        for name, share in (("power", power), ("alpha", alpha)):
            if not (isinstance(share, float) and 0.0 < share < 1.0):
                raise bad_number(name, "between 0 and 1", share, "such as 0.8 for power, 0.05 for alpha")
        if difference is not None and not (isinstance(difference, int | float) and 0.0 < difference < math.inf):
            raise bad_number("difference", "a number above 0", difference, "such as 0.02")
        rows: list[list[Cell]] = []
        for pair in self.pairs.rows:
            sought = abs(pair.difference if difference is None else difference)
            known = pair.deviation > 0 and sought > 0
            needed = queries_needed(sought / pair.deviation, power, alpha) if known else None
            shown = detectable_effect(pair.n, power, alpha) * pair.deviation if pair.deviation > 0 else None
            rows.append([pair.measure, f"{pair.first} − {pair.second}", pair.n, pair.deviation, shown, sought, needed])
        headers = headings("measure", "pair", "queries", "deviation")
        headers += [Text("shown {power:.0%}", power=power), *headings("difference", "queries needed")]
        return Table(headers, rows)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, with all digits."""
        by_run = {measure: {run: self.mean(measure, run) for run in self.runs} for measure in self.measures}
        intervals = {
            measure: {run: list(self.interval(measure, run)) for run in self.runs} for measure in self.measures
        }
        return {
            "convention": str(self.convention),
            "headline": str(self.headline()),
            "runs": list(self.runs),
            "baseline": self.design.baseline,
            "test": self.design.test,
            "correction": self.design.correction,
            "queries": len(self.aligned.queries),
            "means": by_run,
            "intervals": intervals,
            "pairs": [pair.to_dict() for pair in self.pairs.rows],
            **({"segments": self.segments.to_dict()} if self.segments else {}),
            "remarks": [remark.to_dict() for remark in self.remarks],
        }

    def to_csv(self) -> str:
        """Write a row per measure and pair as comma-separated values, with all digits."""
        return self.rows_table().to_csv()

    def rows_table(self) -> Table:
        """Return a row per measure and pair, with all digits: what programs read."""
        return self.pairs.table()


def _with_measure(text: str, measure: str) -> str:
    return Text("{} ({})", text, measure)
