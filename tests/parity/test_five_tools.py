"""The README's table: the five tools, run, print the numbers that it shows, and so does rankgauge."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.parity import proofs
from tests.parity.cases import Case

import rankgauge as rg

CASE = Case(
    "the README's",
    {"q": {"a": 1, "b": 3, "c": 0, "d": 2, "e": 1, "x": 3}},
    {"q": {"c": 0.9, "a": 0.8, "b": 0.8, "d": 0.5, "e": 0.5000000001, "f": 0.1}},
)
# Convention → the adapter that asks its tool. trec_eval's own code, and precision apart its number, is pytrec_eval's.
TOOLS = {name: name for name in ("lightgbm", "xgboost", "rectools", "sklearn")} | {"trec_eval": "pytrec_eval"}


def readme_table() -> dict[str, str]:
    """Convention → number, as the README shows them."""
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    table = text[text.index("convention  ndcg@5") :]
    return dict(re.findall(r"^(\w+) +(0\.\d{4}) ", table[: table.index("```")], flags=re.MULTILINE))


def test_readme_table_has_five_tools_and_five_numbers() -> None:
    assert set(readme_table()) == set(TOOLS)
    assert len(set(readme_table().values())) == len(TOOLS)


@pytest.mark.parametrize("convention", TOOLS)
def test_readme_number_is_that_of_the_tool_and_of_rankgauge(convention: str) -> None:
    adapter, *_ = proofs.adapters(TOOLS[convention])
    printed = adapter.ask(CASE, 5).per_query
    assert printed is not None
    ours = rg.evaluate(CASE.judgments, CASE.ranking, "ndcg@5", convention=convention)["ndcg@5"]
    assert f"{printed['q']:.4f}" == readme_table()[convention]
    assert ours == pytest.approx(printed["q"], abs=1e-9)
