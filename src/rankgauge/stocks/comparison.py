"""Two models compared on the dates that both have."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text
from rankgauge.languages.text import headings
from rankgauge.notation import counted
from rankgauge.presentation.json import json_text
from rankgauge.presentation.parts import PartsMixin
from rankgauge.presentation.table import Table
from rankgauge.remarks import Remark
from rankgauge.stocks.summary import HEADERS, ErrorSettings, Summary, method, summarise, warning

if TYPE_CHECKING:
    from rankgauge.presentation.parts import Part
    from rankgauge.presentation.table import Cell
    from rankgauge.stocks.study_result import Study


ROUNDING = 1e-9  # stocks are summed in rank order, which differs between models
_OF_DIFFERENCES = ("95% from", "to", "t", "p", "days above", "effective")


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Comparison(PartsMixin):
    """The differences of two models, measure by measure, over the dates that both have."""

    names: tuple[str, str]
    # Measure → the means of both models, and the summary of their differences.
    measures: dict[str, tuple[float, float, Summary]]
    dates: int
    # Dates that only one of the two has.
    left_out: tuple[int, int]
    # Dates on which chance differs because the models rank different stocks.
    unlike: int
    horizon: int
    care: ErrorSettings
    # What may matter in the data of either study.
    input_remarks: tuple[Remark, ...] = ()

    def __getitem__(self, measure: str) -> Summary:
        return self.measures[measure][2]

    def table(self) -> Table:
        """Return a row per measure: both means, the difference, its interval, t and p."""
        rows: list[list[Cell]] = []
        for measure, (first, second, difference) in self.measures.items():
            cells = dict(zip(HEADERS, difference.cells(), strict=True))
            means = [None if math.isnan(mean) else mean for mean in (first, second)]
            rows.append([measure, *means, cells["mean"], *(cells[name] for name in _OF_DIFFERENCES)])
        difference_of = f"{self.names[0]} − {self.names[1]}"
        return Table([Text("measure"), *self.names, difference_of, *headings(*_OF_DIFFERENCES)], rows)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """Which dates were compared, and how errors were computed."""
        left_out = zip(self.left_out, self.names, strict=True)
        only = [Text("{:,} only {} has", count, name) for count, name in left_out if count]
        unlike = Text("differs on {:,} of them, and is taken away before the difference", self.unlike)
        few = warning(self.dates, self.care, self.horizon, Text("one model is better than the other"))
        dates = Text("{:,} that both have", self.dates)
        dates = Text("{}; left out: {}", dates, Text.joined(", ", only)) if only else dates
        return (
            Remark.of("dates", dates),
            *([Remark.of("chance", unlike)] if self.unlike else []),
            *(few or [Remark.of("errors", method(Text("the differences")))]),
            *self.input_remarks,
        )

    def parts(self) -> list[Part]:
        """Return what is shown to a person."""
        return [self.table(), "", *self.remarks]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values with all digits."""
        return {
            "names": list(self.names),
            "dates": self.dates,
            "left_out": list(self.left_out),
            "unlike": self.unlike,
            "measures": {
                measure: {"means": [first, second], "difference": difference._asdict()}
                for measure, (first, second, difference) in self.measures.items()
            },
            "care": self.care._asdict(),
            "remarks": [remark.to_dict() for remark in self.remarks],
        }

    def to_json(self) -> str:
        """Write `to_dict` as JSON."""
        return json_text(self.to_dict())


def compare(first: Study, second: Study, *, names: tuple[str, str] = ("this", "other")) -> Comparison:
    """Compare two models on the dates that both have, with errors for dependent days."""
    _require_alike(first, second)
    numbers = [{date: number for number, date in enumerate(study.per_date["date"])} for study in (first, second)]
    common = [date for date in numbers[0] if date in numbers[1]]
    if not common:
        dates = [study.per_date["date"][0] for study in (first, second)]
        raise RankgaugeError("different-studies", field="dates", got=f"none in common: {dates[0]}, … and {dates[1]}, …")
    require_same_prices(first, second, common)
    left_out = (len(numbers[0]) - len(common), len(numbers[1]) - len(common))
    settings = first.care if len(numbers[0]) <= len(numbers[1]) else second.care
    kept = [[number_of[date] for date in common] for number_of in numbers]
    # Turnover since the date before can only be compared if that is the same date.
    skipped = any(dates[-1] - dates[0] >= len(common) for dates in kept)
    compared = [measure for measure in first.chances if not (skipped and measure == "turnover")]
    measures = {measure: _differences(measure, (first, second), kept, settings) for measure in compared}
    chances = (
        [_chance(study, first.ndcg, date) for date in dates] for study, dates in zip((first, second), kept, strict=True)
    )
    unlike = sum(abs(chance - other) > ROUNDING for chance, other in zip(*chances, strict=True))
    remarks = tuple(dict.fromkeys(each for study in (first, second) for each in study.remarks if _matters(each)))
    return Comparison(names, measures, len(common), left_out, unlike, first.horizon, settings, remarks)


def _matters(remark: Remark) -> bool:
    return remark.severity == "severe"


def _require_alike(first: Study, second: Study) -> None:
    """Raise if the options of the studies differ."""
    if not hasattr(second, "rules"):
        raise RankgaugeError("different-studies", field="kinds", got=f"a study and a {type(second).__name__}")
    options, others = (
        {"measure": each.ndcg, "convention": each.convention, **asdict(each.rules)} for each in (first, second)
    )
    for field, value in options.items():
        if value != others[field]:
            raise RankgaugeError("different-studies", field=field, got=f"{value} and {others[field]}")


def require_same_prices(first: Study, second: Study, dates: Iterable[str]) -> None:
    """Raise if the stocks that were graded on a date, or their returns, differ between two studies."""
    for date in dates:
        (stocks, total), (other_stocks, other_total) = first.universe[date], second.universe[date]
        if stocks != other_stocks:
            got = f"of {counted(stocks, 'stock')} and {counted(other_stocks, 'stock')} on {date}"
        elif abs(total - other_total) > ROUNDING * max(1.0, abs(total)):
            got = f"with mean returns of {total / stocks:.6g} and {other_total / stocks:.6g} on {date}"
        else:
            continue
        raise RankgaugeError("different-studies", field="prices", got=got)


def _differences(
    measure: str, studies: tuple[Study, Study], kept: list[list[int]], settings: ErrorSettings
) -> tuple[float, float, Summary]:
    """The means, and the differences of the values above chance; equal chances cancel."""
    values = [[study.per_date[measure][date] for date in dates] for study, dates in zip(studies, kept, strict=True)]
    chances = [[_chance(study, measure, date) for date in dates] for study, dates in zip(studies, kept, strict=True)]
    both = [
        (value, other, chance - other_chance)
        for value, other, chance, other_chance in zip(*values, *chances, strict=True)
        if not math.isnan(value - other)
    ]
    first, second = (math.fsum(each[model] for each in both) / len(both) if both else math.nan for model in (0, 1))
    return (
        first,
        second,
        summarise([value - other - chance for value, other, chance in both], [0.0] * len(both), settings),
    )


def _chance(study: Study, measure: str, date: int) -> float:
    chance = study.chances[measure][date]
    return 0.0 if math.isnan(chance) else chance
