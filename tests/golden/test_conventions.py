"""Every convention says what it says in the worked examples, in both engines."""

from __future__ import annotations

import pytest
from tests.golden.cases import GOLDEN, WORKED, Golden, value_of

import rankgauge as rg
from rankgauge.conventions import NAMED


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case.name)
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_convention_on_a_worked_example_gives_its_value(case: Golden, engine: str) -> None:
    for expression, names in case.values.items():
        expected = value_of(expression)
        for name in names:
            result = rg.evaluate(case.judgments, case.ranking, case.measure, convention=name, engine=engine)  # type: ignore[arg-type]
            assert result[case.measure] == pytest.approx(expected, abs=1e-15, rel=1e-15), (name, expression)


def test_worked_examples_cover_every_convention() -> None:
    assert set(NAMED) == WORKED


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case.name)
def test_worked_example_lists_no_convention_twice(case: Golden) -> None:
    names = [name for names in case.values.values() for name in names]
    assert len(names) == len(set(names))
