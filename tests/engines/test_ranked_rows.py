from __future__ import annotations

import random

import numpy as np
import pytest

from rankgauge import conventions
from rankgauge.conventions.convention import QUESTIONS
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.engines.native import ranked_rows
from rankgauge.engines.reference.order import order
from rankgauge.inputs.roles import Roles
from rankgauge.request import Request

COLUMNS = ("query", "item", "score")
ROLES = Roles("query", "item", "score", descending=True)


def drawn_rows(source: random.Random) -> tuple[list[tuple[str, str, float]], dict[str, dict[str, float]]]:
    """Rows of a ranking in any order with many ties and near-ties, and grades of some of its queries and items."""
    pairs = [(query, item) for query in ("q1", "q2", "q10", "q3") for item in map(str, range(12))]
    source.shuffle(pairs)
    rows = [(query, item, source.choice([0.5, 0.5 + 1e-9, 1.0, 2.0])) for query, item in pairs]
    grades = {
        query: {item: float(source.randint(0, 2)) for item in map(str, range(2, 15))} for query in ("q10", "q2", "q9")
    }
    return rows, grades


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("unjudged", ["zero", "drop"])
@pytest.mark.parametrize("ties", QUESTIONS["ties"].answers)
def test_ranked_rows_under_a_convention_are_in_the_order_of_the_reference(
    ties: str, unjudged: str, precision: str
) -> None:
    convention = conventions.get(f"trec_eval(ties={ties},precision={precision})", unjudged=unjudged)
    request = Request.of("ndcg@3", convention)
    for seed in range(5):
        rows, grades = drawn_rows(random.Random(seed))
        columns = {name: [row[index] for row in rows] for index, name in enumerate(COLUMNS)}
        ranking = Ranking.from_table({**columns, "score": np.array(columns["score"])}, ROLES)
        ranked = [rows[row] for row in ranked_rows(Judgments.from_mapping(grades), ranking, request)]
        expected = []
        for query in ("q10", "q2"):
            scored = [(item, score) for of_query, item, score in rows if of_query == query]
            items = order(scored, grades[query], query, convention).items
            expected += [(query, item, dict(scored)[item]) for item in items]
        assert ranked == expected
