"""Every measure says what it says in the worked examples, in both engines."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest
import tomli
from tests.golden.cases import value_of

import rankgauge as rg
from rankgauge.data.judgments import Judgments

CASES: list[dict[str, Any]] = tomli.loads((Path(__file__).parent / "measures.toml").read_text(encoding="utf-8"))["case"]


def judgments_of(judged: dict[str, Any]) -> Judgments:
    has_subtopics = any(isinstance(grade, dict) for grade in judged.values())
    return (Judgments.from_subtopics if has_subtopics else Judgments.from_mapping)({"q": judged})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["measure"])
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_measure_on_a_worked_example_equals_its_expression(
    case: dict[str, Any], engine: Literal["native", "reference"]
) -> None:
    judgments, ranking = judgments_of(case["judgments"]), {"q": case["ranking"]}
    value = rg.evaluate(judgments, ranking, case["measure"], engine=engine)[case["measure"]]
    assert value == pytest.approx(value_of(case["value"]), abs=1e-15, rel=1e-15)
