"""The section on conventions: what each of them would have said of the same data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rankgauge import conventions
from rankgauge.convention_comparison.trials import Trials
from rankgauge.execution_options import ExecutionOptions
from rankgauge.inputs.reading_options import ReadingOptions
from rankgauge.presentation.charts import Dot, Dots
from rankgauge.request import RequestSettings

if TYPE_CHECKING:
    from rankgauge.reports.reevaluation import ReevaluatedRuns
    from rankgauge.reports.runs import ReportedRuns

# How many names are written before a value that many conventions share.
MOST_NAMES: Final = 4
# Values that agree to this many digits are shown as one.
DIGITS: Final = 12


def by_convention(runs: ReportedRuns, reevaluated: ReevaluatedRuns) -> Dots:
    """Return a dot per distinct value: of the run, or of the difference between two runs."""
    said, refused = _said(runs, reevaluated)
    yours = runs.request.effective
    groups: dict[str, list[str]] = {}
    for name, value in said.items():
        groups.setdefault(f"{value:.{DIGITS}g}", []).append(name)
    dots = [
        Dot(_names(names, yours.name), said[names[0]], mark="better" if yours.name in names else "plain")
        for names in groups.values()
    ]
    dots.sort(key=lambda dot: -dot.value)
    difference = runs.pair is not None
    what = f"Difference in {runs.label}" if difference else runs.label
    refusals = f" {refused} refuse the data." if refused else ""
    return Dots(
        title=f"{what} under {len(said) + refused} conventions",
        subtitle=f"The same data by each convention; those that say the same stand together, yours in bold.{refusals}",
        dots=tuple(dots),
        x_label=what,
        places=4,
        reference=0.0 if difference else None,
    )


def _said(runs: ReportedRuns, reevaluated: ReevaluatedRuns) -> tuple[dict[str, float], int]:
    """Return the value, or the difference, by convention, and how many conventions refuse the data."""
    numbers = runs.pair or (0,)
    values = [_values(runs, reevaluated, runs.names[number]) for number in numbers]
    means: dict[str, float] = {}
    refused = 0
    for name in values[0]:
        known = [value for value in (each[name] for each in values) if value is not None]
        if len(known) < len(values):
            refused += 1
        else:
            means[name] = known[0] - known[1] if len(known) == 2 else known[0]
    return means, refused


def _values(runs: ReportedRuns, reevaluated: ReevaluatedRuns, name: str) -> dict[str, float | None]:
    """Return what each convention says of a run; None where it refuses."""
    kept, request = reevaluated.inputs[name], runs.request
    settings = RequestSettings(depth=request.depth, relevance_level=request.relevance_level)
    ranking = kept.ranking.in_memory()  # it is evaluated once for each convention
    trials = Trials(kept.judgments, ranking, runs.main, settings, ReadingOptions(), ExecutionOptions())
    asked = {convention.name: convention for convention in (request.convention, *conventions.NAMED.values())}
    return {name: trials.under(convention).value for name, convention in asked.items()}


def _names(names: list[str], yours: str) -> str:
    ordered = sorted(names, key=lambda name: name != yours)
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(ordered[:MOST_NAMES]) + more
