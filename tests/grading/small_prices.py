"""A few prices with gaps, in every form, and what must come of them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
from tests.grading.library_tables import plain, rows_of

from rankgauge.grading.audited import Audited

OPTIONS: dict[str, Any] = {"horizon": 2, "levels": 3, "stopped": "last"}
# The remark that differs where the same prices have another form.
FORM = "price"


def prices(seed: int = 4) -> pd.DataFrame:
    """Give a wide table with gaps, late listings and stocks that stop; tickers have leading zeros."""
    source = np.random.default_rng(seed)
    closes = np.round(source.uniform(9, 11, (12, 7)), 2)
    closes[source.random(closes.shape) < 0.1] = np.nan
    closes[:3, 1] = np.nan
    closes[7:, 2] = np.nan
    index = pd.bdate_range("2026-01-01", periods=12, name="date")
    return pd.DataFrame(closes, index=index, columns=pd.Index([f"{place:06}" for place in range(7)], name="ticker"))


def long(wide: pd.DataFrame) -> pd.DataFrame:
    """Give the same as a long table, in another order and with the gaps in it."""
    return wide.reset_index().melt(id_vars="date", value_name="close").sample(frac=1, random_state=5)


def with_texts(wide: pd.DataFrame) -> pd.DataFrame:
    return wide.set_axis(pd.DatetimeIndex(wide.index).strftime("%Y-%m-%d").rename("date"))


def values(result: Audited) -> list[tuple[Any, ...]]:
    """Return the rows with dates as texts, in order."""
    rows = [tuple(map(plain, row.values())) for row in rows_of(result.frame)]
    return sorted((str(when)[:10].replace("-", ""), str(ticker), *rest) for when, ticker, *rest in rows)


def summary(result: Audited) -> dict[str, Any]:
    """Return the audit but for the form of the prices and the way that dates are written."""
    audit = result.audit.to_dict()
    audit["remarks"] = [remark for remark in audit["remarks"] if remark["code"] != FORM]
    for remark in audit["remarks"]:
        remark["text"] = re.sub(r"(\d{4})-(\d{2})-(\d{2})", r"\1\2\3", remark["text"])
    for name in ("items", "bins", "refused"):
        audit[name] = {when.replace("-", ""): each for when, each in audit[name].items()}
    return audit


def same(result: Audited, other: Audited) -> None:
    assert values(result) == values(other)
    assert summary(result) == summary(other)
