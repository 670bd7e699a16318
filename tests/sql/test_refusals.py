"""Every convention and every measure is either computed by SQL or refused by name."""

from __future__ import annotations

import re

import pytest

from rankgauge.conventions import NAMED
from rankgauge.errors import RankgaugeError
from rankgauge.measures import NAMED as MEASURES
from rankgauge.sql import DIALECTS, query_of
from rankgauge.sql.refusals import is_sayable

# The conventions whose means every dialect computes, and those that need 32-bit floats.
EVERYWHERE = {
    *("trec_eval", "replay", "sklearn", "rexmex", "neumf"),
    *("catboost", "catboost-exp", "catboost-position"),
}
WITH_FLOAT32 = {"trec_eval-9", "pytrec_eval", "torchmetrics"}
ROUNDED = {"gdeval"}
ROUNDED_WITH_FLOAT32 = {"beir", "mteb"}


def refusal_of(convention: str, dialect: str, *, per_query: bool = False) -> RankgaugeError | None:
    try:
        query_of("ndcg@10", convention, dialect=dialect, per_query=per_query)
    except RankgaugeError as error:
        return error
    return None


def said(dialect: str, *, per_query: bool = False) -> set[str]:
    """The conventions that are computed; the others are refused, by name."""
    refused = {name: refusal_of(name, dialect, per_query=per_query) for name in NAMED}
    for name, error in refused.items():
        assert error is None or (error.code == "convention-not-in-sql" and f"got {name} with " in str(error))
    return {name for name, error in refused.items() if error is None}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_conventions_are_computed_or_refused_by_name(dialect: str) -> None:
    float32 = WITH_FLOAT32 if DIALECTS[dialect].has_float32 else set()
    rounded = ROUNDED | (ROUNDED_WITH_FLOAT32 if DIALECTS[dialect].has_float32 else set())
    assert said(dialect) == EVERYWHERE | float32
    assert said(dialect, per_query=True) == EVERYWHERE | float32 | rounded


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
@pytest.mark.parametrize("name", NAMED)
def test_convention_that_a_refusal_suggests_is_computed(name: str, dialect: str) -> None:
    error = refusal_of(name, dialect)
    suggested = re.search(r"write --convention '(.*?)'", str(error))
    assert (error is None) == (suggested is None)
    assert suggested is None or refusal_of(suggested[1], dialect) is None


@pytest.mark.parametrize(
    ("convention", "reason"),
    [
        ("textbook", "ties=given, but the rows of a table have no order"),
        ("kaggle", "ties=reversed, but the rows of a table have no order"),
        ("ir_measures", "duplicates=last, but the rows of a table have no order"),
        ("mteb", "precision=float32, but sqlite has no 32-bit floats, and decimals=5"),
        ("trec_eval(nothing_relevant=nan)", "nothing_relevant=nan"),
        ("trec_eval(nothing_relevant=error)", "nothing_relevant=error"),
    ],
)
def test_convention_that_is_refused_names_the_answer(convention: str, reason: str) -> None:
    with pytest.raises(RankgaugeError, match=re.escape(reason)):
        query_of("ndcg@10", convention, dialect="sqlite")


def test_measures_are_computed_or_refused_by_name() -> None:
    computed = {name for name, measure in MEASURES.items() if is_sayable(measure)}
    assert {"cg", "dcg", "idcg", "ndcg", "precision", "recall", "success", "mrr", "map"} <= computed
    for name in MEASURES.keys() - computed:
        with pytest.raises(RankgaugeError, match=f"got {re.escape(name)}") as refusal:
            query_of(name, dialect="duckdb")
        assert refusal.value.code == "measure-not-in-sql"
        assert set(str(refusal.value).partition("(")[2].partition(")")[0].split(", ")) == computed


def test_bounds_of_unjudged_items_are_refused() -> None:
    with pytest.raises(RankgaugeError, match="residual"):
        query_of("ndcg(residual=low)@5", dialect="duckdb")
