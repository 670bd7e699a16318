"""From aligned values to a comparison: every pair of runs, tested and corrected."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args

import numpy as np

from rankgauge.checks import bad_number, require_choice, whole_number
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.measures import Measure
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results.aligned_runs import AlignedRuns, mean_of
from rankgauge.results.comparison import Comparison, Design
from rankgauge.results.pair import Moved, Pair, Pairs
from rankgauge.statistics import LEVEL
from rankgauge.statistics.corrections import Correction, benjamini_hochberg, holm, tukey_p, tukey_ranges
from rankgauge.statistics.intervals import interval_of_moments, require_level
from rankgauge.statistics.moments import NO_MOMENTS, Moments, moments_of
from rankgauge.statistics.paired import EQUAL, Outcome, Test, paired_test, randomisation_test_of_pairs
from rankgauge.statistics.power import detectable_effect
from rankgauge.statistics.student import t_tails

if TYPE_CHECKING:
    import numpy.typing as npt

LEAST_PERMUTATIONS: Final = 9_999
MOST_PERMUTATIONS: Final = 99_999
# The most signs that are drawn by default, over all comparisons: they take a few seconds.
AFFORDABLE: Final = 2 * 10**10
KEPT_MOVED: Final = 20
# Pairs of which fewer queries differ are tested by themselves, exactly; and so are pairs that differ by less than this
# share of their values, whose sums would be lost in the rounding of those of the runs.
LEAST_MOVED: Final = 21
LEAST_DIFFERENCE: Final = 1e-3


def design_of(
    runs: Sequence[str],
    *,
    baseline: str | None = None,
    test: Test = "randomisation",
    correction: Correction | None = None,
    level: float = LEVEL,
    permutations: int | None = None,
    margin: float | None = None,
) -> Design:
    """Check how runs are to be compared; the first of two runs is the baseline by default.

    >>> design_of(["bm25", "dense"])
    Design(baseline='bm25', test='randomisation', correction='none', level=0.95, permutations=0, margin=None)
    >>> design_of(["a", "b", "c"]).correction, design_of(["a", "b", "c"], baseline="a").correction
    ('tukey', 'holm')
    """
    require_choice("test", test, get_args(Test), "randomisation is the default")
    require_level(level)
    if baseline is not None and baseline not in runs:
        raise RankgaugeError("unknown-run", known=", ".join(runs), got=baseline, nearest=nearest(baseline, runs))
    if correction is not None:
        require_choice("correction", correction, get_args(Correction), "holm for a baseline, tukey for all pairs")
    if margin is not None and not (isinstance(margin, int | float) and margin > 0.0 and math.isfinite(margin)):
        raise bad_number("margin", "a difference above 0", margin, "two runs are equivalent if they differ by less")
    if len(runs) == 2:
        return Design(baseline or runs[0], test, correction or "none", level, _count(permutations), margin)
    chosen: Correction = correction or ("holm" if baseline else "tukey")
    return Design(baseline, test, chosen, level, _count(permutations), margin)


def _count(permutations: int | None) -> int:
    return 0 if permutations is None else whole_number("permutations", permutations, 99, most=10**8)


def compare_aligned(
    aligned: AlignedRuns,
    request: Request,
    design: Design,
    *,
    seed: int = 0,
    threads: int | None = None,
    remarks: tuple[Remark, ...] = (),
) -> Comparison:
    """Compare every run with the baseline, or all pairs, on every measure."""
    names = pairs_of(aligned.runs, design.baseline)
    tests = len(names) * len(aligned.values)
    if design.permutations == 0:
        affordable = AFFORDABLE // max(tests * len(aligned.queries), 1)
        design = replace(design, permutations=min(max(affordable, LEAST_PERMUTATIONS), MOST_PERMUTATIONS))
    rows = []
    for measure in aligned.values:
        rows += corrected(
            _pairs_of_measure(aligned, measure, request.label(measure), names, design, seed, threads), design
        )
    if design.correction == "tukey":
        rows = _by_tukey(rows, aligned, request, design, seed, threads)
    return Comparison(request, aligned, design, Pairs(tuple(rows)), remarks)


def pairs_of(runs: Sequence[str], baseline: str | None) -> list[tuple[str, str]]:
    """Return the pairs to compare: each run with the baseline, or a later run with each earlier one."""
    if baseline is not None:
        return [(run, baseline) for run in runs if run != baseline]
    return [(runs[later], runs[earlier]) for earlier in range(len(runs)) for later in range(earlier + 1, len(runs))]


def _pairs_of_measure(
    aligned: AlignedRuns,
    measure: Measure,
    label: str,
    names: Sequence[tuple[str, str]],
    design: Design,
    seed: int,
    threads: int | None,
) -> list[Pair]:
    kept = np.flatnonzero(aligned.counted(measure))
    values = np.ascontiguousarray(aligned.values[measure][kept])
    queries = [aligned.queries[row] for row in kept]
    means = {run: mean_of(values[:, column], measure.aggregate) for column, run in enumerate(aligned.runs)}
    pairs = [difference_of(values, aligned.runs, pair) for pair in names]
    outcomes = _p_values(values, aligned.runs, pairs, design, seed, threads)
    return [
        pair_of(measure, label, pair.names, (means[pair.names[0]], means[pair.names[1]]), tally, outcome, design)
        for pair, tally, outcome in zip(pairs, (pair.tally(queries) for pair in pairs), outcomes, strict=True)
    ]


class Difference(NamedTuple):
    """Two runs on the queries that count: their values, the differences, and the moments of these."""

    names: tuple[str, str]
    ours: npt.NDArray[np.float64]
    theirs: npt.NDArray[np.float64]
    differences: npt.NDArray[np.float64]
    moments: Moments

    def tally(self, queries: Sequence[Any]) -> Tally:
        """Return what the pair is made of."""
        wins, ties, losses = (int(sign(self.differences, 0.0).sum()) for sign in (np.greater, np.equal, np.less))
        moved = most_moved(queries, self.ours, self.theirs, self.differences)
        return Tally(self.moments, wins, ties, losses, moved)


def difference_of(values: npt.NDArray[np.float64], runs: Sequence[str], names: tuple[str, str]) -> Difference:
    """Return the differences of two runs, values by query and run; rounding errors of equal values are 0."""
    ours, theirs = (values[:, runs.index(name)] for name in names)
    differences = ours - theirs
    differences[np.abs(differences) <= EQUAL] = 0.0
    return Difference(names, ours, theirs, differences, _moments(differences))


def _moments(differences: npt.NDArray[np.float64]) -> Moments:
    """Return the moments of differences, or raise if no float holds their squares."""
    count = len(differences)
    if count < 2:
        return Moments(count, float(differences.sum()) if count else math.nan, math.nan)
    moments = moments_of(differences.tolist())
    if moments == NO_MOMENTS:  # every test needs the variance
        raise RankgaugeError("overflow", got=float(np.abs(differences).max()))
    return moments


def _p_values(
    values: npt.NDArray[np.float64],
    runs: Sequence[str],
    pairs: Sequence[Difference],
    design: Design,
    seed: int,
    threads: int | None,
) -> list[Outcome]:
    """Test the pairs of a measure; those with many differences together, where that is faster."""
    shared = _tested_together(values, runs, pairs) if design.test == "randomisation" else {}
    p_values = randomisation_test_of_pairs(values, list(shared.values()), design.permutations, seed, threads)
    p_of_pair = dict(zip(shared, p_values, strict=True))

    def outcome(pair: Difference) -> Outcome:
        if pair.names in p_of_pair:
            return Outcome(pair.moments.mean, p_of_pair[pair.names])
        values = pair.differences.tolist()
        return paired_test(values, design.test, permutations=design.permutations, seed=seed, threads=threads)

    return [outcome(pair) for pair in pairs]


def _tested_together(
    values: npt.NDArray[np.float64], runs: Sequence[str], pairs: Sequence[Difference]
) -> dict[tuple[str, str], tuple[int, int]]:
    """Return the pairs that one draw of signs tests, and their columns; none, if they are no more than the runs."""
    sizes = np.abs(values).sum(axis=0)
    shared = {}
    for pair in pairs:
        first, second = map(runs.index, pair.names)
        is_large = np.abs(pair.differences).sum() >= LEAST_DIFFERENCE * (sizes[first] + sizes[second])
        if is_large and np.count_nonzero(pair.differences) >= LEAST_MOVED:
            shared[pair.names] = first, second
    return shared if len(shared) > len(runs) and np.isfinite(sizes).all() else {}


class Tally(NamedTuple):
    """What a pair is made of: the moments of its differences, how many have which sign, and the queries behind them."""

    moments: Moments
    wins: int
    ties: int
    losses: int
    moved: tuple[Moved, ...]


def pair_of(
    measure: Measure,
    label: str,
    names: tuple[str, str],
    means: tuple[float, float],
    tally: Tally,
    outcome: Outcome,
    design: Design,
) -> Pair:
    """Return the comparison of two runs, not corrected."""
    moments = tally.moments
    deviation = math.sqrt(moments.variance) if moments.n > 1 else math.nan
    scale = moments.n if measure.aggregate == "sum" else 1
    return Pair(
        measure=label,
        first=names[0],
        second=names[1],
        means=means,
        difference=moments.mean * scale,
        interval=interval_of_moments(moments, measure.aggregate, bounded=False, level=design.level),
        p=outcome.p,
        p_adjusted=outcome.p,
        statistic=outcome.statistic,
        effect=effect_of(moments.mean, deviation),
        deviation=deviation * scale,
        n=moments.n,
        wins=tally.wins,
        ties=tally.ties,
        losses=tally.losses,
        detectable=detectable_effect(moments.n, alpha=1.0 - design.level) * deviation * scale,
        moved=tally.moved,
        p_equivalence=None if design.margin is None else equivalence(moments, design.margin / scale),
    )


def effect_of(mean: float, deviation: float) -> float:
    """Return the mean difference in standard deviations; infinite where all differences are equal, but not 0.

    >>> effect_of(0.1, 0.2), effect_of(0.1, 0.0), effect_of(0.0, 0.0)
    (0.5, inf, 0.0)
    """
    if deviation == 0.0:
        return math.copysign(math.inf, mean) if mean else 0.0
    return mean / deviation


def most_moved(
    queries: Sequence[Any],
    ours: npt.NDArray[np.float64],
    theirs: npt.NDArray[np.float64],
    differences: npt.NDArray[np.float64],
) -> tuple[Moved, ...]:
    """Return the queries whose values differ most between two runs."""
    sizes = np.abs(differences)
    rows = np.flatnonzero(sizes)
    if len(rows) > KEPT_MOVED:
        rows = np.flatnonzero(sizes >= np.partition(sizes, -KEPT_MOVED)[-KEPT_MOVED])
    order = rows[np.argsort(-sizes[rows], kind="stable")[:KEPT_MOVED]]
    return tuple(Moved(queries[row], float(ours[row]), float(theirs[row]), float(differences[row])) for row in order)


def equivalence(moments: Moments, margin: float) -> float:
    """Return the larger p of two one-sided t tests: that the mean is above -margin, and that it is below margin.

    Schuirmann 1987, A Comparison of the Two One-Sided Tests Procedure and the Power Approach, Journal of
    Pharmacokinetics and Biopharmaceutics 15(6).
    """
    return equivalence_p(moments.mean, moments.error, moments.n - 1, margin) if moments.n > 1 else math.nan


def equivalence_p(mean: float, error: float, degrees: float, margin: float) -> float:
    """Return the p of equivalence within a margin, for a mean with its standard error and degrees of freedom."""
    inside = margin - abs(mean)
    if math.isnan(error):
        return math.nan
    if error == 0.0:
        return 0.0 if inside > 0 else 1.0
    tails = t_tails(inside / error, degrees) / 2.0
    return tails if inside > 0 else 1.0 - tails


def corrected(pairs: list[Pair], design: Design) -> list[Pair]:
    """Correct the p-values of one measure."""
    if design.correction not in ("holm", "bh"):
        return pairs
    correct = holm if design.correction == "holm" else benjamini_hochberg
    adjusted = correct([pair.p for pair in pairs])
    return [replace(pair, p_adjusted=p) for pair, p in zip(pairs, adjusted, strict=True)]


def _by_tukey(
    pairs: list[Pair], aligned: AlignedRuns, request: Request, design: Design, seed: int, threads: int | None
) -> list[Pair]:
    """Correct p-values by the largest difference that shuffled runs have; a query that does not count adds nothing."""
    cubes = [np.nan_to_num(np.where(aligned.counted(m)[:, None], values, 0.0)) for m, values in aligned.values.items()]
    permutations = min(design.permutations, LEAST_PERMUTATIONS)
    ranges = tukey_ranges(np.stack(cubes, axis=2), permutations, seed, threads)
    rows = {request.label(measure): row for row, measure in enumerate(aligned.values)}
    family_wise = []
    for pair in pairs:
        row = rows[pair.measure]
        total = math.fsum(aligned_difference(cubes[row], aligned.runs, pair))
        p = tukey_p(ranges[row], total, float(np.abs(cubes[row]).sum()))
        # The family-wise p-value is never below that of the pair alone.
        family_wise.append(replace(pair, p_adjusted=max(p, pair.p)))
    return family_wise


def aligned_difference(values: npt.NDArray[np.float64], runs: Sequence[str], pair: Pair) -> npt.NDArray[np.float64]:
    """Return the differences of the two runs of a pair, by query."""
    return np.asarray(values[:, runs.index(pair.first)] - values[:, runs.index(pair.second)])
