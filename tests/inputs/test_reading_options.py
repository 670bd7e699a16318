"""Which columns each side is read by, where some are given for both and some for one."""

from __future__ import annotations

import pandas as pd
import pytest

import rankgauge as rg
from rankgauge.inputs.reading_options import ColumnsInput, ReadingOptions


@pytest.mark.parametrize(
    ("common", "own", "expected"),
    [
        ({"query": "who"}, None, {"query": "who"}),
        (None, {"item": "what"}, {"item": "what"}),
        ({"query": "who", "item": "it"}, {"item": "what"}, {"query": "who", "item": "what"}),
        ({"query": "who", "score": "s"}, {"rank": "r"}, {"query": "who", "rank": "r"}),
        ({"query": "who", "grade": "g"}, {"item": "what"}, {"query": "who", "item": "what"}),
        ({"query": "who"}, ["query", "item", "score"], ["query", "item", "score"]),
        (["query", "item"], {"item": "what"}, {"item": "what"}),
        (None, None, None),
    ],
)
def test_columns_of_the_ranking_are_its_own_before_the_common_ones(
    common: ColumnsInput, own: ColumnsInput, expected: ColumnsInput
) -> None:
    assert ReadingOptions(columns=common, columns_ranking=own).for_ranking == expected


def test_columns_of_the_judgments_are_their_own_before_the_common_ones() -> None:
    reading = ReadingOptions({"query": "who", "grade": "g", "score": "s"}, columns_judgments={"score": "stars"})
    assert reading.for_judgments == {"query": "who", "score": "stars"}
    reading = ReadingOptions({"query": "who", "propensity": "p"}, columns_judgments={"position": "place"})
    assert reading.for_judgments == {"query": "who", "position": "place"}


def test_evaluate_with_common_columns_and_columns_of_a_side_takes_both() -> None:
    judged = pd.DataFrame({"who": ["u", "u"], "what": ["a", "b"], "fondness": [0, 1], "user": ["x", "y"]})
    ranked = pd.DataFrame({"who": ["u", "u"], "what": ["a", "b"], "guess": [0.2, 0.9], "user": ["x", "y"]})
    result = rg.evaluate(
        judged,
        ranked,
        "mrr",
        columns={"query": "who", "item": "what"},
        columns_judgments={"grade": "fondness"},
        columns_ranking={"score": "guess"},
    )
    assert result["mrr"] == 1.0
    assert len(result.per_query["mrr"]) == 1
