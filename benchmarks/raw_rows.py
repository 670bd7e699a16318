"""A row: one run of one contender; and what several rows of it come to."""

from __future__ import annotations

import csv
import statistics
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from rankgauge.presentation.table import Table


class Row(NamedTuple):
    """`input_megabytes` is what the input took before the work began, or the size of the mapped file, if known.

    `other_cores` is how many cores other work kept busy meanwhile, `commit` what was measured; early rows lack both.
    """

    case: str
    contender: str
    turn: int
    rows: int
    cold_seconds: float
    warm_seconds: float | None
    peak_megabytes: float
    input_megabytes: float | None
    value: float | None
    other_cores: float | None = None
    commit: str = ""


class Summary(NamedTuple):
    """Medians of the seconds, and the largest peak; `beyond` is what was needed beyond the input."""

    contender: str
    rows: int
    cold: float
    warm: float | None
    peak: float
    beyond: float | None
    value: float | None


def summarise(rows: Iterable[Row]) -> dict[str, Summary]:
    """Contender → summary, in the order of the rows."""
    by_contender: dict[str, list[Row]] = {}
    for row in rows:
        by_contender.setdefault(row.contender, []).append(row)
    return {name: _summary(name, several) for name, several in by_contender.items()}


def _summary(name: str, rows: list[Row]) -> Summary:
    warms = [row.warm_seconds for row in rows if row.warm_seconds is not None]
    beyond = [row.peak_megabytes - row.input_megabytes for row in rows if row.input_megabytes is not None]
    return Summary(
        name,
        rows[0].rows,
        statistics.median(row.cold_seconds for row in rows),
        statistics.median(warms) if warms else None,
        max(row.peak_megabytes for row in rows),
        max(beyond) if beyond else None,
        rows[0].value,
    )


def write_rows(path: Path, rows: list[Row]) -> None:
    path.write_text(Table(Row._fields, rows).to_csv(), encoding="utf-8")


def read_rows(path: Path) -> list[Row]:
    """The rows of an earlier run, none if there was none."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [_parse(line) for line in csv.DictReader(file)]


def _parse(line: dict[str, str]) -> Row:
    def number(name: str) -> float | None:
        return float(line[name]) if line.get(name) else None

    return Row(
        line["case"],
        line["contender"],
        int(line["turn"]),
        int(line["rows"]),
        float(line["cold_seconds"]),
        number("warm_seconds"),
        float(line["peak_megabytes"]),
        number("input_megabytes"),
        number("value"),
        number("other_cores"),
        line.get("commit", ""),
    )
