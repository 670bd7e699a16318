"""Scales and ticks: from values to places on an axis."""

from __future__ import annotations

import math
from datetime import date
from typing import NamedTuple

from rankgauge.notation import date_text

MOST_TICKS = 6


class Scale(NamedTuple):
    """A linear scale: `low` is drawn at `start`, `high` at `end`.

    >>> Scale(0.0, 2.0, 100.0, 0.0)(0.5)
    75.0
    """

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return where a value is drawn."""
        span = self.high - self.low
        share = (value - self.low) / span if span else 0.5
        return self.start + share * (self.end - self.start)


class Axis(NamedTuple):
    """The ends of an axis, its ticks, and the digits after the point that tell these apart."""

    low: float
    high: float
    ticks: tuple[float, ...]
    places: int


def nice_axis(low: float, high: float, most: int = MOST_TICKS) -> Axis:
    """Return an axis that holds low and high, with ticks at round numbers.

    >>> nice_axis(0.62, 0.81)
    Axis(low=0.6, high=0.85, ticks=(0.6, 0.65, 0.7, 0.75, 0.8, 0.85), places=2)
    >>> nice_axis(3.0, 3.0).ticks
    (2.9, 2.95, 3.0, 3.05, 3.1)
    """
    if not low < high:
        pad = abs(low) / 30 or 0.5
        low, high = low - pad, high + pad
    step = _step((high - low) / most)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    places = max(0, -math.floor(math.log10(step) + 1e-9))
    ticks = tuple(round(number * step, places + 2) for number in range(first, last + 1))
    return Axis(ticks[0], ticks[-1], ticks, places)


def inner_axis(low: float, high: float, most: int = MOST_TICKS) -> Axis:
    """Return an axis that begins at low and ends at high, with the ticks between them.

    >>> inner_axis(1, 20)
    Axis(low=1, high=20, ticks=(5.0, 10.0, 15.0, 20.0), places=0)
    """
    around = nice_axis(low, high, most)
    return Axis(low, high, tuple(tick for tick in around.ticks if low <= tick <= high), around.places)


def _step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next((factor * power for factor in (1, 2, 5) if factor * power >= rough * 0.999), 10 * power)


def date_ticks(first: float, last: float, most: int = MOST_TICKS) -> list[tuple[float, str]]:
    """Return (day, text) at the beginnings of years or months; days are counted as `date.toordinal` does.

    >>> days = [date(2020, 2, 1).toordinal(), date(2024, 6, 1).toordinal()]
    >>> [text for _, text in date_ticks(*days)]
    ['2021', '2022', '2023', '2024']
    """
    begin, end = date.fromordinal(int(first)), date.fromordinal(int(last))
    months = (end.year - begin.year) * 12 + end.month - begin.month
    step = next((step for step in (1, 2, 3, 6, 12, 24, 60, 120, 240) if months / step <= most), 600)
    ticks = []
    for month in range(begin.year * 12 + begin.month - 1, end.year * 12 + end.month):
        day = date(month // 12, month % 12 + 1, 1)
        if month % step == 0 and first <= day.toordinal() <= last:
            ticks.append((float(day.toordinal()), f"{day.year}" if step >= 12 else f"{day:%Y-%m}"))
    return ticks or [(first, date_text(begin)), (last, date_text(end))]


def pushed_apart(places: list[float], gap: float, low: float, high: float) -> list[float]:
    """Return places near the given ones that are at least `gap` apart, within low and high where they fit.

    >>> pushed_apart([10.0, 11.0, 40.0], 6.0, 0.0, 50.0)
    [10.0, 16.0, 40.0]
    >>> pushed_apart([48.0, 49.0], 6.0, 0.0, 50.0)
    [44.0, 50.0]
    """
    order = sorted(range(len(places)), key=lambda index: places[index])
    moved = list(places)
    least = low
    for index in order:
        moved[index] = least = max(moved[index], least)
        least += gap
    most = high
    for index in reversed(order):
        moved[index] = most = min(moved[index], most)
        most -= gap
    return moved
