"""Measures of gains by rank, where rounding matters."""

from __future__ import annotations

from typing import Any

import pytest

import rankgauge as rg


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("huge", [2.0**53, 1e17, 1e307, 1e308])
def test_g_of_grades_far_apart_is_finite_and_the_same_in_both_engines(engine: Any, huge: float) -> None:
    truth = {"huge": huge, "three": 3.0, "five": 5.0}
    result = rg.evaluate({"q": truth}, {"q": ["three", "huge", "x", "five"]}, "g", engine=engine)
    assert result["g"] == rg.evaluate({"q": truth}, {"q": ["three", "huge", "x", "five"]}, "g")["g"]
    assert 0.0 < result["g"] <= 1.0
