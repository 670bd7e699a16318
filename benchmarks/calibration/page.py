"""docs/calibration.md: what was simulated, the tables, and whether the targets are met."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias, get_args

from benchmarks.calibration.dates import CELLS, ndcg_above_chance, rank_ic
from benchmarks.calibration.human_labels import OTHERS, coverage
from benchmarks.calibration.human_labels import SHAPES as LABELLED
from benchmarks.calibration.simulate import (
    INTERVALS,
    Share,
    aggregate_coverage,
    error_of_equivalence,
    error_of_family,
    error_of_study,
    error_of_test,
    found_of_detectable,
    interval_coverage,
    seed_of,
)
from benchmarks.calibration.values import DIFFERENCES, SHAPES
from rankgauge.statistics.paired import Test

PAGE: Final = Path(__file__).parents[2] / "docs" / "calibration.md"
COUNTS: Final = (5, 10, 25, 50, 200)
FEWEST_CLAIMED: Final = 25
LEAST_OVERLAP: Final = 12


class Target(NamedTuple):
    """What is asked of a setting, in percent."""

    low: float
    high: float

    def mark(self, share: Share) -> str:
        """Write a share; one outside the target is in bold."""
        return self.mark_percent(share.percent)

    def mark_percent(self, percent: float) -> str:
        """Write a share in percent; one outside the target is in bold."""
        text = f"{percent:.1f}"
        return text if self.low <= float(text) <= self.high else f"**{text}**"


INTERVAL: Final = Target(93.0, 98.0)
TEST: Final = Target(4.0, 6.0)
FAMILY: Final = Target(0.0, 6.5)
STUDY: Final = Target(3.5, 6.5)
EQUIVALENCE: Final = Target(0.0, 6.0)
POWER: Final = Target(77.0, 83.0)
ANY: Final = Target(0.0, 100.0)


def write(repetitions: int, report: Callable[[str], None], only: Collection[str] = ()) -> None:
    """Simulate everything, or only the sections so named, and write the page; other sections stay as they are."""
    fewer = max(repetitions // 4, 50)
    written = _written_sections()
    for name, (heading, simulate, is_slow) in SECTIONS.items():
        if only and name not in only:
            continue
        written[heading] = simulate(fewer if is_slow else repetitions, report)
    introduction = _INTRODUCTION.format(
        repetitions=f"{repetitions:,}",
        fewer=f"{fewer:,}",
        error=f"{_two_errors(repetitions):.1f}",
        more=f"{_two_errors(fewer):.1f}",
    )
    sections = [f"## {heading}\n\n{written[heading].strip()}\n" for heading, *_ in SECTIONS.values()]
    PAGE.write_text("\n".join([introduction, *sections]), encoding="utf-8")


def _written_sections() -> dict[str, str]:
    """Return the sections of the page by heading."""
    parts = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
    return {heading: text for heading, _, text in (part.partition("\n") for part in parts)}


def _two_errors(repetitions: int) -> float:
    """Two standard errors of a share of 5 %, in points."""
    return 200.0 * math.sqrt(0.05 * 0.95 / repetitions)


_INTRODUCTION: Final = """\
# Calibration

<!-- Written by `make calibration`. -->

A 95 % interval should hold the true mean in 95 % of experiments, and a 5 % test should find a difference that is not
there in 5 % of them. Whether they do is simulated here, with fixed seeds: {repetitions} repetitions a cell for
intervals and tests, {fewer} for families, studies and human labels. Two standard errors of a share near 5 or 95 % are
{error} and {more} points. What lies outside its target is in bold; cells in which nothing is claimed (fewer than 25
queries, fewer than 12 horizons of dates) are never bold.
"""


def _table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(headers)} |", f"|:{'|'.join(['---'] + ['---:'] * (len(headers) - 1))}|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


def _claimed(target: Target, queries: int) -> Target:
    return target if queries >= FEWEST_CLAIMED else ANY


def _intervals(repetitions: int, report: Callable[[str], None]) -> str:
    rows = []
    for shape in SHAPES:
        for method in INTERVALS:
            if method in ("t", "a 0 and a 1 added") and not SHAPES[shape].bounded:
                continue
            report(f"intervals: {shape}, {method}")
            fewer = repetitions if method != "percentile bootstrap" else repetitions // 4
            target = INTERVAL if method == "default" else ANY
            shares = [
                _claimed(target, n).mark(interval_coverage(shape, n, fewer, seed_of(shape, n), method)) for n in COUNTS
            ]
            rows.append([shape, method, *shares])
    text = """\
`result.interval(…)`: plus-logit for values between 0 and 1, Student t for others. Real coverage of "95 %" by the number
of queries; target 93 to 98 at 25 queries and more. Beside it a logit interval of the values with a whole 0 and a whole
1 added, which is too wide for values that are far from both and misses rare failures, and what other tools print.

"""
    table = _table(["values per query", "interval", *map(str, COUNTS)], rows)
    return text + table + _aggregates(repetitions, report)


def _aggregates(repetitions: int, report: Callable[[str], None]) -> str:
    rows = []
    for how in ("sum", "geometric", "weighted"):
        report(f"intervals: {how}")
        shares = [_claimed(INTERVAL, n).mark(aggregate_coverage(how, n, repetitions, seed_of(how, n))) for n in COUNTS]
        rows.append([how, *shares])
    return "\nThe same for numbers over all queries that are no plain means, of NDCG-like values.\n\n" + _table(
        ["number", *map(str, COUNTS)], rows
    )


def _tests(repetitions: int, report: Callable[[str], None]) -> str:
    rows = []
    counts = (10, 25, 50, 200)
    for kind in DIFFERENCES:
        for test in get_args(Test):
            report(f"tests: {kind}, {test}")
            claimed = kind == "exchangeable" and test in ("randomisation", "t")
            shares = [
                _claimed(TEST if claimed else ANY, n).mark(error_of_test(kind, test, n, repetitions, seed_of(kind, n)))
                for n in counts
            ]
            rows.append([kind, test, *shares])
    text = """\
`rg.compare(…)`: how often a 5 % test finds a difference between systems of equal means. Target 4 to 6 for exchangeable
differences at 25 queries and more. The interval of a difference is Student's, so it misses the true difference as often
as the test `t` errs. Wilcoxon's test and the sign test do not test means, hence the last rows: they are available on
request only.

"""
    return text + _table(["differences", "test", *map(str, counts)], rows) + _claims(repetitions, report)


def _claims(repetitions: int, report: Callable[[str], None]) -> str:
    report("tests: equivalence and power")
    counts = (10, 25, 50, 200)
    wrong = [
        _claimed(EQUIVALENCE, n).mark(error_of_equivalence(n, repetitions, seed_of("equivalence", n))) for n in counts
    ]
    found = [_claimed(POWER, n).mark(found_of_detectable(n, repetitions, seed_of("power", n))) for n in counts]
    text = """
What else a comparison says, of exchangeable differences. Equivalence within a margin is found for systems that differ
by just that margin: target at most 6. The difference that "these queries would show 80 % of the time" is found: target
77 to 83.

"""
    return text + _table(
        ["share", *map(str, counts)], [["wrongly called equivalent", *wrong], ["detectable difference found", *found]]
    )


def _families(repetitions: int, report: Callable[[str], None]) -> str:
    rows = []
    counts = (25, 50)
    for correction in ("none", "holm", "tukey", "bh"):
        report(f"families: {correction}")
        target = ANY if correction == "none" else FAMILY
        shares = [target.mark(error_of_family(correction, n, repetitions, seed_of(correction, n))) for n in counts]
        rows.append([correction, *shares])
    text = """\
How often any pair is found different, with 9,999 permutations. Target at most 6.5. Benjamini and Hochberg's correction
keeps the share of false findings among the findings, which is this where nothing differs.

"""
    return text + _table(["correction", *map(str, counts)], rows)


def _studies(repetitions: int, report: Callable[[str], None]) -> str:
    rows = []
    for cell in CELLS:
        report(f"studies: {cell.days} days, horizon {cell.horizon}, {cell.scores} scores")
        target = STUDY if cell.days / cell.horizon >= LEAST_OVERLAP else ANY
        row = [f"{cell.days} days, horizon {cell.horizon}, {cell.scores} scores"]
        for name, measure in (("rank IC", rank_ic), ("NDCG", ndcg_above_chance)):
            ours, plain = error_of_study(measure, cell, repetitions, seed_of(name, *cell))
            row += [target.mark(ours), f"{plain.percent:.1f}"]
        rows.append(row)
    text = """\
`rg.stocks.study(…)`: how often a 5 % test finds skill where there is none, of 40 stocks. Slow scores are those of the
day before times 0.97 plus news; static ones never change. Beside it a t test that takes days as independent. Target 3.5
to 6.5 where there are 12 horizons of dates and more.

"""
    return text + _table(["dates", "rank IC", "ignoring overlap", "NDCG", "ignoring overlap"], rows)


def _human_labels(repetitions: int, report: Callable[[str], None]) -> str:
    rows = []
    for shape in LABELLED:
        for agreement in (0.0, 0.6, 0.95):
            report(f"human labels: {shape}, agreement {agreement:.0%}")
            row = [shape, f"{100 * agreement:.0f} %"]
            for sample in (25, 50, 100):
                ours, theirs, width = coverage(shape, sample, agreement, repetitions, seed_of(shape, sample, agreement))
                row += [INTERVAL.mark_percent(ours), f"{theirs:.1f}", f"{width:.0f} %"]
            rows.append(row)
    headers = [f"{sample}{column}" for sample in (25, 50, 100) for column in ("", ": ppi-python", ": width")]
    return _HUMAN_LABELS.format(others=f"{OTHERS:,}") + _table(["values per query", "agreement", *headers], rows)


_HUMAN_LABELS: Final = """\
`rg.evaluate(…, human=…)` and `rg.compare(…, human=…)`: prediction-powered intervals from the labels of 25, 50 or 100
queries by people and of these and {others} others by a biased machine. The machine knows the true value of a query with
the probability `agreement`, else it draws another. Coverage of "95 %", target 93 to 98; beside it that of ppi-python,
which takes the normal distribution; and how wide the interval is, that of the human labels alone being 100 %.
Hits with 25 human labels and a machine that nearly always agrees have an interval that is too wide: of one label or
none that disagrees, little can be said.

"""


Simulate: TypeAlias = Callable[[int, Callable[[str], None]], str]

# By name: the heading, what simulates the section, and whether a repetition is slow.
SECTIONS: Final[Mapping[str, tuple[str, Simulate, bool]]] = {
    "intervals": ("Intervals of a mean", _intervals, False),
    "human": ("Few human and many machine labels", _human_labels, True),
    "tests": ("Two systems, paired by query", _tests, False),
    "families": ("Five equal systems, ten pairs", _families, True),
    "studies": ("Means over dates whose returns overlap", _studies, True),
}
