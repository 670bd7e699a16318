"""Rows of one item whose positions or propensities differ: which of them is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import narwhals as nw

from rankgauge.grading.source import NwFrame, rows
from rankgauge.languages import Text
from rankgauge.notation import format_number
from rankgauge.remarks import Remark

_KEY: Final = ("query", "item")
# Where an item was shown → which of its rows counts.
KEPT: Final[Mapping[str, Text]] = {
    "position": Text("the lowest position of its rows is kept, whichever of them has the grade"),
    "propensity": Text("the highest propensity of its rows is kept, whichever of them has the grade"),
}


def merged_rows(frame: NwFrame, names: Mapping[str, str]) -> list[Remark]:
    """Return a remark on items whose rows differ in position or propensity: which row counts."""
    return [remark for role in KEPT if role in names for remark in _merged(frame, role)]


def _merged(frame: NwFrame, role: str) -> list[Remark]:
    value = nw.col(role)
    items = frame.group_by(*_KEY).agg(low=value.min(), high=value.max()).filter(nw.col("low") < nw.col("high"))
    (count,) = rows(items.select(items=nw.len()))
    if not count["items"]:
        return []
    (first,) = rows(items.with_columns(*(nw.col(key).cast(nw.String) for key in _KEY)).sort(*_KEY).head(1))
    several = Text.counted(int(count["items"]), "{n:,} item has several", "{n:,} items have several")
    return [Remark.of("merged-rows", Text("{}; {} ({})", several, KEPT[role], _example(frame, role, first)))]


def _example(frame: NwFrame, role: str, item: Mapping[str, Any]) -> Text:
    """The row whose value is kept, and another, each with its action."""
    same = [nw.col(key).cast(nw.String) == item[key] for key in _KEY]
    shown = rows(frame.filter(*same, ~nw.col(role).is_null()).select(role, "action"))
    ordered = sorted(shown, key=lambda row: (row[role], row["action"]), reverse=role == "propensity")
    kept, *others = (Text("{} of the row {!r}", format_number(row[role]), row["action"]) for row in ordered)
    pair = Text("query {!r}, item {!r}", item["query"], item["item"])
    return Text("{}: {}, not {}", pair, kept, others[-1])
