"""docs/calibration.md: what was simulated, the tables, and whether the targets are met."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar, get_args

from benchmarks.calibration.dates import CELLS, Cell, ndcg_above_chance, rank_ic, spread, top
from benchmarks.calibration.human_labels import OTHERS, coverage
from benchmarks.calibration.human_labels import SHAPES as LABELLED
from benchmarks.calibration.simulate import (
    INTERVALS,
    Share,
    aggregate_coverage,
    error_of_equivalence,
    error_of_family,
    error_of_portfolios,
    error_of_study,
    error_of_test,
    error_of_tries,
    found_of_detectable,
    interval_coverage,
    seed_of,
)
from benchmarks.calibration.values import DIFFERENCES, SHAPES
from rankgauge.statistics.paired import Test

# A function that draws the values of a measure for a cell.
Drawn = TypeVar("Drawn", bound=Callable[..., Any])

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


def write(repetitions: int, report: Callable[[str], None], only: Sequence[str] = ()) -> None:
    """Simulate everything, or some sections, and write the page; other sections stay as they are."""
    unknown = set(only) - set(SECTIONS)
    if unknown:
        raise SystemExit(f"unknown sections: {', '.join(sorted(unknown))}; known: {', '.join(SECTIONS)}")
    made = {name: make(repetitions, report) for name, make in SECTIONS.items() if name in only or not only}
    PAGE.write_text(merged(PAGE.read_text(encoding="utf-8") if only else "", made, repetitions), encoding="utf-8")


def merged(page: str, made: Mapping[str, str], repetitions: int) -> str:
    """Return the page with new sections in the place of the old ones of the same heading."""
    introduction, *old = page.split("\n## ")
    sections = {text.partition("\n")[0]: text.strip() for text in old}
    sections |= {
        text.removeprefix("## ").partition("\n")[0]: text.removeprefix("## ").strip() for text in made.values()
    }
    order = [*sections]
    if not page:
        fewer = max(repetitions // 4, 50)
        introduction = _INTRODUCTION.format(
            repetitions=f"{repetitions:,}",
            fewer=f"{fewer:,}",
            error=f"{_two_errors(repetitions):.1f}",
            more=f"{_two_errors(fewer):.1f}",
        )
    return "\n\n## ".join([introduction.strip(), *(sections[heading] for heading in order)]) + "\n"


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
## Intervals of a mean

`result.interval(…)`: plus-logit for values between 0 and 1, Student t for others. Real coverage of "95 %" by the number
of queries; target 93 to 98 at 25 queries and more. Beside it a logit interval of the values with a whole 0 and a whole
1 added, which is too wide for values that are far from both and misses rare failures, and what other tools print.

"""
    table = _table(["values per query", "interval", *map(str, COUNTS)], rows)
    return f"{text}{table}\n{_aggregates(repetitions, report)}"


def _aggregates(repetitions: int, report: Callable[[str], None]) -> str:
    rows = []
    for how in ("sum", "geometric", "weighted"):
        report(f"intervals: {how}")
        shares = [_claimed(INTERVAL, n).mark(aggregate_coverage(how, n, repetitions, seed_of(how, n))) for n in COUNTS]
        rows.append([how, *shares])
    return "The same for numbers over all queries that are no plain means, of NDCG-like values.\n\n" + _table(
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
## Two systems, paired by query

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
    powers = [_claimed(POWER, n).mark(found_of_detectable(n, repetitions, seed_of("power", n))) for n in counts]
    text = """
What else a comparison says, of exchangeable differences. Equivalence within a margin is found for systems that differ
by just that margin: target at most 6. The difference that "these queries would show 80 % of the time" is found: target
77 to 83.

"""
    return text + _table(
        ["share", *map(str, counts)], [["wrongly called equivalent", *wrong], ["detectable difference found", *powers]]
    )


def _families(repetitions: int, report: Callable[[str], None]) -> str:
    repetitions = max(repetitions // 4, 50)
    rows = []
    counts = (25, 50)
    for correction in ("none", "holm", "tukey", "bh"):
        report(f"families: {correction}")
        target = ANY if correction == "none" else FAMILY
        shares = [target.mark(error_of_family(correction, n, repetitions, seed_of(correction, n))) for n in counts]
        rows.append([correction, *shares])
    text = """\
## Five equal systems, ten pairs

How often any pair is found different, with 9,999 permutations. Target at most 6.5. Benjamini and Hochberg's correction
keeps the share of false findings among the findings, which is this where nothing differs.

"""
    return text + _table(["correction", *map(str, counts)], rows)


def _rows_of_cells(
    what: str,
    measures: Mapping[str, Drawn],
    error_of: Callable[[Drawn, Cell, int, int], tuple[Share, Share]],
    repetitions: int,
    report: Callable[[str], None],
) -> list[list[str]]:
    """Return a row per cell: of each measure the error of our test, and that of a simpler one."""
    rows = []
    for cell in CELLS:
        shown = f"{cell.days} days, horizon {cell.horizon}, {cell.scores} scores"
        report(f"{what}: {shown}")
        target = STUDY if cell.days / cell.horizon >= LEAST_OVERLAP else ANY
        row = [shown]
        for name, measure in measures.items():
            ours, simpler = error_of(measure, cell, repetitions, seed_of(name, *cell))
            row += [target.mark(ours), f"{simpler.percent:.1f}"]
        rows.append(row)
    return rows


def _studies(repetitions: int, report: Callable[[str], None]) -> str:
    repetitions = max(repetitions // 4, 50)
    measures = {"rank IC": rank_ic, "NDCG": ndcg_above_chance}
    rows = _rows_of_cells("studies", measures, error_of_study, repetitions, report)
    text = """\
## Means over dates whose returns overlap

`rg.stocks.study(…)`: how often a 5 % test finds skill where there is none, of 40 stocks. Slow scores are those of the
day before times 0.97 plus news; static ones never change. Beside it a t test that takes days as independent. Target 3.5
to 6.5 where there are 12 horizons of dates and more.

"""
    return text + _table(["dates", "rank IC", "ignoring overlap", "NDCG", "ignoring overlap"], rows)


def _portfolios(repetitions: int, report: Callable[[str], None]) -> str:
    repetitions = max(repetitions // 2, 50)
    measures = {"top": top, "spread": spread}
    rows = _rows_of_cells("portfolios", measures, error_of_portfolios, repetitions, report)
    text = f"""\
## Returns of portfolios that overlap

`top_return` and `spread` of `rg.stocks.study(…)`, whose error is that of calendar time: how often a 5 % test finds
skill where there is none, of 40 stocks and k = 10; {repetitions:,} repetitions, two standard errors are
{_two_errors(repetitions):.1f} points. Beside it the error of Hansen and Hodrick, of the returns over the horizon.
Target 3.5 to 6.5 where there are 12 horizons of dates and more.

"""
    return text + _table(["dates", "top_return", "by returns", "spread", "by returns"], rows)


def _tries(repetitions: int, report: Callable[[str], None]) -> str:
    repetitions = max(repetitions // 4, 50)
    rows = []
    cell = Cell(250, 5, "slow")
    for models in (1, 5, 20, 50):
        report(f"tries: {models} models")
        plain, by_holm, deflated = error_of_tries(models, cell, repetitions, seed_of("tries", models))
        rows.append([f"{models}", f"{plain.percent:.1f}", FAMILY.mark(by_holm), FAMILY.mark(deflated)])
    text = f"""\
## The best of several models

`tried=`: how often any of several models without skill is found to have some, by rank IC over {cell.days} days at
horizon {cell.horizon}, with {cell.scores} scores that are drawn anew for each model; {repetitions:,} repetitions. A p
below 5 % without a correction, by Holm's method, and a deflated t above the one-sided 5 % quantile, which is a deflated
Sharpe ratio above 95 %. Target at most 6.5; the deflated t is stricter than it says, since the luckiest of many models
varies less than any one of them.

"""
    return text + _table(["models tried", "uncorrected", "Holm", "deflated t"], rows)


def _human_labels(repetitions: int, report: Callable[[str], None]) -> str:
    repetitions = max(repetitions // 4, 50)
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
## Few human and many machine labels

`rg.evaluate(…, human=…)` and `rg.compare(…, human=…)`: prediction-powered intervals from the labels of 25, 50 or 100
queries by people and of these and {others} others by a biased machine. The machine knows the true value of a query with
the probability `agreement`, else it draws another. Coverage of "95 %", target 93 to 98; beside it that of ppi-python,
which takes the normal distribution; and how wide the interval is, that of the human labels alone being 100 %.
Hits with 25 human labels and a machine that nearly always agrees have an interval that is too wide: of one label or
none that disagrees, little can be said.

"""


SECTIONS: Final[Mapping[str, Callable[[int, Callable[[str], None]], str]]] = {
    "intervals": _intervals,
    "human": _human_labels,
    "tests": _tests,
    "families": _families,
    "studies": _studies,
    "portfolios": _portfolios,
    "tries": _tries,
}
