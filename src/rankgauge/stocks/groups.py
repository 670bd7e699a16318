"""A study by groups of stocks, such as sectors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text
from rankgauge.languages.text import headings
from rankgauge.presentation.table import Cell, Table
from rankgauge.results.segment_of_query import read_segments
from rankgauge.stocks.daily_numbers import places_held, rank_correlation
from rankgauge.stocks.summary import summarise

if TYPE_CHECKING:
    from rankgauge.results.segment_of_query import SegmentsInput
    from rankgauge.stocks.returns_and_scores import Codes, Numbers
    from rankgauge.stocks.study_values import StudyValues

NO_GROUP: Final = "–"


def by_group(study: StudyValues, groups: SegmentsInput) -> Table:
    """Return a row per group; see `Study.by_group`."""
    read = read_segments(groups, "item")
    names = [read.of_query.get(ticker, NO_GROUP) for ticker in study.tickers]
    if set(names) <= {NO_GROUP}:
        ours, theirs = (", ".join(map(repr, list(ids)[:2])) or "none" for ids in (study.tickers, read.of_query))
        raise RankgaugeError("no-common-segment", got=theirs, queries=ours, noun="stocks")
    listed = [*read.segments, *([NO_GROUP] if NO_GROUP in names else [])]
    number = {name: place for place, name in enumerate(listed)}
    of_stock = np.array([number[name] for name in names], dtype=np.int64)
    dates = [_of_date(study, rows, of_stock, len(listed)) for rows in study.ranked.slices()]
    name = "group" if isinstance(groups, Mapping) else read.name
    headers = [name, Text("stocks"), "rank_ic", *headings("95% from", "to", "t", "mean return")]
    headers.append(Text("share of best {}", study.k))
    return Table(headers, [_row(study, name, number[name], of_stock, dates) for name in listed if name in set(names)])


def _of_date(study: StudyValues, rows: slice, of_stock: Codes, groups: int) -> Mapping[str, Numbers]:
    """The rank correlation within each group of one date, its mean return, and its share of the best k."""
    date = study.ranked.rows(rows)
    group, held = of_stock[date.stock], places_held(date.score, study.k)
    ic, earned = np.full(groups, np.nan), np.full(groups, np.nan)
    for number in np.unique(group):
        members = group == number
        ic[number] = rank_correlation(date.score[members], date.value[members])
        earned[number] = date.value[members].mean()
    return {"ic": ic, "earned": earned, "share": np.bincount(group, held, groups) / held.sum()}


def _row(study: StudyValues, name: str, group: int, of_stock: Codes, dates: list[Mapping[str, Numbers]]) -> list[Cell]:
    ic, earned, share = ([float(date[column][group]) for date in dates] for column in ("ic", "earned", "share"))
    row = summarise(ic, [0.0] * len(ic), study.care)
    known = [value for value in earned if not math.isnan(value)]
    stocks = len(set(study.ranked.stock[of_stock[study.ranked.stock] == group].tolist()))
    mean = math.fsum(known) / len(known) if known else None
    cells = row.cells("mean", "low", "high", "t")
    return [name, stocks, *cells, mean, math.fsum(share) / len(share)]
