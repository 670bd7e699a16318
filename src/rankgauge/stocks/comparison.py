"""Two models on the same dates, and whether the better one was lucky."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rankgauge.errors import RankgaugeError
from rankgauge.stocks.summary import Care, Summary, summarise, warning
from rankgauge.tables import Shown, Table, json_text

if TYPE_CHECKING:
    from rankgauge.stocks.study import Study
    from rankgauge.tables import Cell, Part


ROUNDING = 1e-9  # the stocks of a date are summed in the order of the scores


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Comparison(Shown):
    """The differences of two models, measure by measure, over the dates that both have."""

    names: tuple[str, str]
    # Measure → the mean of the first, of the second, and what the differences of the dates show.
    measures: dict[str, tuple[float, float, Summary]]
    dates: int
    # Dates that only one of the two has.
    left_out: tuple[int, int]
    # Dates on which chance differs, because the two do not rank the same stocks.
    unlike: int
    horizon: int
    care: Care

    def __getitem__(self, measure: str) -> Summary:
        return self.measures[measure][2]

    def table(self) -> Table:
        """Return a row per measure: both means, the difference, and how sure it is."""
        rows: list[list[Cell]] = []
        for measure, (first, second, difference) in self.measures.items():
            cells = dict(zip(difference._fields, difference.cells(), strict=True))
            shown = [cells[name] for name in ("mean", "low", "high", "t", "share", "effective")]
            means = [None if math.isnan(mean) else mean for mean in (first, second)]
            rows.append([measure, *means, *shown])
        difference_of = f"{self.names[0]} − {self.names[1]}"
        headers = ["measure", *self.names, difference_of, "95% from", "to", "t", "days above", "effective"]
        return Table(headers, rows)

    def remarks(self) -> list[str]:
        """Say on which dates, and how the errors were made."""
        only = [f"{count:,} only {name} has" for count, name in zip(self.left_out, self.names, strict=True) if count]
        unlike = f"chance: differs on {self.unlike:,} of them, and is taken away before the difference"
        few = warning(self.dates, self.care, self.horizon, "one model is better than the other")
        care = f"t is Newey-West with lag {self.care.lag}, intervals are of blocks of {self.care.block} dates"
        return [
            f"dates: {self.dates:,} that both have{'; left out: ' + ', '.join(only) if only else ''}",
            *([unlike] if self.unlike else []),
            *(few or [f"errors: of the differences; {care}"]),
        ]

    def parts(self) -> list[Part]:
        """Return what is shown to a person."""
        return [self.table(), "", *self.remarks()]

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
        }

    def to_json(self) -> str:
        """Write `to_dict` as JSON."""
        return json_text(self.to_dict())


def compare(first: Study, second: Study, *, names: tuple[str, str] = ("this", "other")) -> Comparison:
    """Compare two models on the dates that both have; the error of the mean difference is that of dependent days."""
    _require_alike(first, second)
    places = [{date: at for at, date in enumerate(study.per_date["date"])} for study in (first, second)]
    common = [date for date in places[0] if date in places[1]]
    if not common:
        dates = [study.per_date["date"][0] for study in (first, second)]
        raise RankgaugeError("different-studies", field="dates", got=f"none in common: {dates[0]}, … and {dates[1]}, …")
    left_out = (len(places[0]) - len(common), len(places[1]) - len(common))
    care = first.care if len(places[0]) <= len(places[1]) else second.care
    kept = [[place[date] for date in common] for place in places]
    # Turnover since the date before can only be compared if that is the same date.
    skipped = any(places_of[-1] - places_of[0] >= len(common) for places_of in kept)
    compared = [measure for measure in first.chances if not (skipped and measure == "turnover")]
    measures = {measure: _differences(measure, (first, second), kept, care) for measure in compared}
    chances = ([_chance(study, first.ndcg, at) for at in own] for study, own in zip((first, second), kept, strict=True))
    unlike = sum(abs(own - other) > ROUNDING for own, other in zip(*chances, strict=True))
    return Comparison(names, measures, len(common), left_out, unlike, first.horizon, care)


def _require_alike(first: Study, second: Study) -> None:
    """Raise if the options differ: what is not measured alike cannot be compared."""
    if not hasattr(second, "rules"):
        raise RankgaugeError("different-studies", field="kinds", got=f"a study and a {type(second).__name__}")
    own, other = (
        {"measure": each.ndcg, "convention": each.convention, **asdict(each.rules)} for each in (first, second)
    )
    for field, value in own.items():
        if value != other[field]:
            raise RankgaugeError("different-studies", field=field, got=f"{value} and {other[field]}")


def _differences(
    measure: str, studies: tuple[Study, Study], kept: list[list[int]], care: Care
) -> tuple[float, float, Summary]:
    """The means, and the differences of what is above chance, which are those of the values if chance is the same."""
    values = [[study.per_date[measure][at] for at in places] for study, places in zip(studies, kept, strict=True)]
    chances = [[_chance(study, measure, at) for at in places] for study, places in zip(studies, kept, strict=True)]
    both = [
        (own, other, own_chance - other_chance)
        for own, other, own_chance, other_chance in zip(*values, *chances, strict=True)
        if not math.isnan(own - other)
    ]
    first, second = (math.fsum(each[at] for each in both) / len(both) if both else math.nan for at in (0, 1))
    return first, second, summarise([own - other - chance for own, other, chance in both], [0.0] * len(both), care)


def _chance(study: Study, measure: str, at: int) -> float:
    chance = study.chances[measure][at]
    return 0.0 if math.isnan(chance) else chance
