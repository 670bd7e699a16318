"""Segments: the means of a result, or the differences of a comparison, for each kind of query."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from rankgauge.errors import RankgaugeError, nearest
from rankgauge.languages import Text
from rankgauge.languages.text import headings
from rankgauge.measures import Measure
from rankgauge.presentation.dataframes import DataFrameMixin
from rankgauge.presentation.json import json_text
from rankgauge.presentation.parts import Part
from rankgauge.presentation.parts_mixin import PartsMixin, TableMixin
from rankgauge.presentation.table import Cell, Probability, Table, interval_headings
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results.equality import have_equal_fields
from rankgauge.results.measure_lookup import find_measure
from rankgauge.results.pair import Pair, Pairs
from rankgauge.statistics import LEVEL
from rankgauge.statistics.intervals import Interval
from rankgauge.statistics.prediction_powered import FEWEST_HUMAN

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


# What stands for the segment of queries that have none.
NO_SEGMENT: Final = "–"


@dataclass(frozen=True, slots=True, eq=False)
class SegmentMean:
    """The mean of a measure over the queries of a segment that count; `run` is None in the segments of a result."""

    segment: str
    measure: str
    run: str | None
    mean: float
    interval: Interval
    queries: int

    def __eq__(self, other: object) -> bool:
        """Whether all fields are equal; NaN, as of too few queries, equals NaN."""
        return have_equal_fields(self, other)

    def __hash__(self) -> int:
        return hash((self.segment, self.measure, self.run, self.queries))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with all digits."""
        run = {} if self.run is None else {"run": self.run}
        values = {"mean": self.mean, "interval": list(self.interval), "queries": self.queries}
        return {"segment": self.segment, "measure": self.measure, **run, **values}


@dataclass(frozen=True, slots=True)
class SegmentPair:
    """Two runs compared on the queries of a segment."""

    segment: str
    pair: Pair


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Segments(PartsMixin, TableMixin):
    """Means with intervals for each segment of the queries; of a comparison, the differences too.

    >>> import rankgauge as rg
    >>> judgments = {f"q{number}": {"a": 1} for number in range(12)}
    >>> ranking = {f"q{number}": ["a"] if number < 6 else ["x", "a"] for number in range(12)}
    >>> segments = {f"q{number}": "short" if number < 6 else "long" for number in range(12)}
    >>> by_length = rg.evaluate(judgments, ranking, "mrr").by(segments)
    >>> by_length["long", "mrr"].mean, by_length["short", "mrr"].mean, by_length["short", "mrr"].queries
    (0.5, 1.0, 6)
    """

    name: str
    segments: tuple[str, ...]
    means: tuple[SegmentMean, ...]
    request: Request
    remarks: tuple[Remark, ...]
    pairs: tuple[SegmentPair, ...] = ()
    level: float = LEVEL
    # Segments with too few human labels for an estimate, and how many they have.
    untested: Mapping[str, int] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        """Whether the same was asked and found."""
        return have_equal_fields(self, other)

    def __hash__(self) -> int:
        return hash((self.name, self.segments, self.request))

    def __len__(self) -> int:
        return len(self.segments)

    @property
    def is_comparison(self) -> bool:
        """Whether these are segments of a comparison, with a mean for each run."""
        return any(each.run is not None for each in self.means)

    def __iter__(self) -> Iterator[str]:
        return iter(self.segments)

    def __getitem__(self, key: tuple[object, str | Measure]) -> SegmentMean:
        segment, measure = key
        wanted = (self._known(segment), self._label(measure))
        return next(each for each in self.means if (each.segment, each.measure) == wanted)

    def mean(self, segment: object, measure: str | Measure, run: str | None = None) -> SegmentMean:
        """Return the mean of a run in a segment, with its interval and the number of queries.

        Parameters:
            segment: the name of the segment.
            measure: one of the measures, by any of its names.
            run: the name of the run, in the segments of a comparison.

        """
        wanted = (self._known(segment), self._label(measure), run)
        rows = {(each.segment, each.measure, each.run): each for each in self.means}
        if wanted not in rows:
            runs = list(dict.fromkeys(str(each.run) for each in self.means))
            raise RankgaugeError("unknown-run", known=", ".join(runs), got=run, nearest=nearest(str(run), runs))
        return rows[wanted]

    def pair(self, segment: object, measure: str | Measure, first: str, second: str) -> Pair:
        """Return a comparison on the queries of a segment: first less second.

        Parameters:
            segment: the name of the segment.
            measure: one of the measures, by any of its names.
            first: the name of a run.
            second: the name of another run.

        """
        wanted = (self._known(segment), self._label(measure), {first, second})
        for each in self.pairs:
            pair = each.pair
            if (each.segment, pair.measure, {pair.first, pair.second}) == wanted:
                return pair if pair.first == first else pair.flipped()
        if wanted[0] in self.untested:
            place, labels = f"segment {wanted[0]!r}", self.untested[wanted[0]]
            raise RankgaugeError("few-human-labels", place, least=FEWEST_HUMAN, got=labels)
        known = [f"{each.pair.first} and {each.pair.second}" for each in self.pairs]
        listed = ", ".join(dict.fromkeys(known)) or "none: these are segments of a result"
        raise RankgaugeError("unknown-run", known=listed, got=f"{first} and {second}", nearest="")

    def _known(self, segment: object) -> str:
        if str(segment) not in self.segments:
            known = ", ".join(self.segments)
            near = nearest(str(segment), self.segments)
            raise RankgaugeError("unknown-segment", known=known, got=str(segment), nearest=near)
        return str(segment)

    def _label(self, measure: str | Measure) -> str:
        return self.request.label(find_measure(measure, self.request))

    def table(self) -> Table:
        """Return what a paper takes: the differences of a comparison, the means of a result."""
        return self.pairs_table() if self.is_comparison else self.means_table()

    def means_table(self) -> Table:
        """Return a row per measure and segment; of a comparison, with a column per run."""
        if not self.is_comparison:
            rows = [[each.measure, each.segment, *_numbers(each)] for each in self.means]
            return Table(
                [Text("measure"), self.name, Text("mean"), *interval_headings(self.level), Text("queries")], rows
            )
        runs = list(dict.fromkeys(str(each.run) for each in self.means))
        rows = []
        for start in range(0, len(self.means), len(runs)):
            of_runs = self.means[start : start + len(runs)]
            rows.append(
                [of_runs[0].measure, of_runs[0].segment, *(_or_dash(each.mean) for each in of_runs), of_runs[0].queries]
            )
        return Table([Text("measure"), self.name, *runs, Text("queries")], rows)

    def pairs_table(self) -> Table:
        """Return a row per measure, pair and segment."""
        headers = [Text("measure"), self.name, *headings("pair", "difference"), *interval_headings(self.level)]
        headers += headings("p", "adjusted", "better", "worse", "equal")
        rows = []
        for segment, pair in ((each.segment, each.pair) for each in self.pairs):
            numbers = [pair.difference, *pair.interval, Probability(pair.p), Probability(pair.p_adjusted)]
            names: list[Cell] = [pair.measure, segment, f"{pair.first} − {pair.second}"]
            rows.append([*names, *map(_or_dash, numbers), pair.wins, pair.losses, pair.ties])
        return Table(headers, rows)

    def parts(self) -> list[Part]:
        """Return the texts and tables that a person reads."""
        return [*self.tables(), *self.remarks]

    def tables(self) -> list[Part]:
        """Return the means and, of a comparison, the differences, without the remarks."""
        blocks = self.pairs_table().in_blocks(3) if self.pairs else []
        differences: list[Part] = [part for block in blocks for part in (block, "")]
        return [self.means_table(), "", *differences]

    def to_dict(self) -> dict[str, Any]:
        """Return what the segments are called, the means and the pairs as plain values, with all digits."""
        pairs = [{"segment": each.segment, **each.pair.to_dict()} for each in self.pairs]
        values = {"by": self.name, "means": [each.to_dict() for each in self.means]}
        return values | ({"pairs": pairs} if self.is_comparison else {})

    def to_json(self) -> str:
        """Write `to_dict` and the remarks as JSON; NaN and infinities, which JSON lacks, become null."""
        return json_text({"segments": self.to_dict(), "remarks": [remark.to_dict() for remark in self.remarks]})

    def to_csv(self) -> str:
        """Write a row per mean, or per pair of a comparison, as comma-separated values, with all digits."""
        return self.rows_table().to_csv()

    def rows_table(self) -> Table:
        """Return a row per mean, or per pair of a comparison, with all digits: what programs read."""
        return self._rows().table()

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas DataFrame with a row per mean, or per pair of a comparison."""
        return self._rows().to_pandas()

    def to_polars(self) -> pl.DataFrame:
        """Return a Polars DataFrame with a row per mean, or per pair of a comparison."""
        return self._rows().to_polars()

    def _rows(self) -> DataFrameMixin:
        return _PairRows(self.pairs) if self.is_comparison else _MeanRows(self.means)


@dataclass(frozen=True, slots=True, repr=False)
class _MeanRows(DataFrameMixin):
    means: tuple[SegmentMean, ...]

    def table(self) -> Table:
        rows = [[each.segment, each.measure, *_numbers(each)] for each in self.means]
        return Table(["segment", "measure", "mean", "low", "high", "queries"], rows)


@dataclass(frozen=True, slots=True, repr=False)
class _PairRows(DataFrameMixin):
    pairs: tuple[SegmentPair, ...]

    def table(self) -> Table:
        table = Pairs(tuple(each.pair for each in self.pairs)).table()
        rows = [[each.segment, *row] for each, row in zip(self.pairs, table.rows, strict=True)]
        return Table(["segment", *table.headers], rows)


def _numbers(mean: SegmentMean) -> list[Cell]:
    return [_or_dash(mean.mean), *map(_or_dash, mean.interval), mean.queries]


def _or_dash(number: float) -> float | None:
    return None if math.isnan(number) else number
