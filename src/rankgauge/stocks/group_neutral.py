"""Scores and returns less the mean of their date and group, so that a whole sector is neither good nor bad."""

from __future__ import annotations

import math

import numpy as np

from rankgauge.checks import bad_number
from rankgauge.grading.return_rules import ReturnRules
from rankgauge.stocks.returns_and_scores import Codes, GradedReturns, Numbers, Scores


def require_full_groups(rules: ReturnRules) -> None:
    """Raise if groups of fewer stocks than levels are graded.

    How many stocks such a group has decides which grades it can have, and how far its scores lie from their mean. So
    an order by chance would not have the NDCG of a random order, which is what it is compared with.
    """
    if rules.thresholds is None and rules.levels != "rank" and rules.least < rules.levels:
        expected = f"at least {rules.levels}, the number of levels, beside group"
        raise bad_number("least", expected, rules.least, "leave it out, or take fewer levels")


def within_groups(returns: GradedReturns, scores: Scores) -> tuple[GradedReturns, Scores]:
    """Subtract the mean of the date and group from graded returns, and from the scores of the same stocks."""
    cells = returns.day * (int(returns.group.max(initial=0)) + 1) + returns.group
    width = len(returns.tickers)
    keys, by_key = returns.day * width + returns.stock, np.argsort(returns.day * width + returns.stock)
    asked = scores.day * width + scores.stock
    nearest = np.searchsorted(keys, asked, sorter=by_key).clip(max=max(len(keys) - 1, 0))
    rows = by_key[nearest] if len(keys) else np.zeros(0, dtype=np.int64)
    graded = keys[rows] == asked if len(keys) else np.zeros(len(asked), dtype=bool)
    values = scores.value.copy()
    values[graded] = less_means(values[graded], cells[rows[graded]])
    return returns._replace(value=less_means(returns.value, cells)), scores._replace(value=values)


def less_means(values: Numbers, cells: Codes) -> Numbers:
    """Return values less the mean of their cell; the sums are exact, so that the order of the rows does not matter.

    >>> less_means(np.array([1.0, 3.0, 10.0]), np.array([0, 0, 1])).tolist()
    [-1.0, 1.0, 0.0]
    """
    result = np.empty(len(values))
    order = np.argsort(cells, kind="stable")
    edges = np.flatnonzero(np.diff(cells[order])) + 1
    for rows in np.split(order, edges):
        result[rows] = values[rows] - math.fsum(values[rows].tolist()) / max(len(rows), 1)
    return result
