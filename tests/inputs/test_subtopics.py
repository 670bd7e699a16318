"""Judgments by subtopic: the same request has one outcome, however they come."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from tests.remarks import lines

import rankgauge as rg

ROWS = [("q1", "1", "a", 1), ("q1", "2", "a", 2), ("q1", "1", "b", 0), ("q1", "2", "b", 1)]
NAMES = ["query", "subtopic", "item", "grade"]
FRAME = pl.DataFrame(ROWS, schema=NAMES, orient="row")
MAPPING = {"q1": {"a": {"1": 1, "2": 2}, "b": {"1": 0, "2": 1}}}
RANKING = {"q1": ["b", "a"]}
KINDS = ["trec", "csv", "json rows", "json mapping", "parquet", "pandas", "polars", "rows", "mapping", "read"]
OUTCOME = {"ndcg@5": 0.8597186998521972, "alpha_ndcg@5": 0.8406064155285841}


def judgments(kind: str, folder: Path) -> Any:
    in_memory = {"pandas": pd.DataFrame(ROWS, columns=NAMES), "polars": FRAME, "rows": FRAME.to_dicts()}
    in_memory |= {"mapping": MAPPING, "read": rg.read_judgments(MAPPING)}
    if kind in in_memory:
        return in_memory[kind]
    path = folder / "judgments"
    texts = {
        "trec": "".join(f"{' '.join(map(str, row))}\n" for row in ROWS),
        "csv": FRAME.write_csv(),
        "json rows": FRAME.write_ndjson(),
        "json mapping": json.dumps(MAPPING),
    }
    if kind == "parquet":
        FRAME.write_parquet(path)
    else:
        path.write_text(texts[kind], encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("duplicates", ["error", "first", "last"])
@pytest.mark.parametrize("measures", ["ndcg@5", "alpha_ndcg@5", "ndcg@5,alpha_ndcg@5"])
def test_request_on_judgments_by_subtopic_has_one_outcome(
    kind: str, duplicates: str, measures: str, tmp_path: Path
) -> None:
    convention = f"trec_eval(duplicates={duplicates})"
    result = rg.evaluate(judgments(kind, tmp_path), RANKING, measures, convention=convention)
    assert dict(result) == {measure: OUTCOME[measure] for measure in measures.split(",")}
    said = ["subtopics: for ndcg@5 the grade of an item is the highest of its subtopics"]
    assert lines(result.remarks, "subtopics") == (said if measures.startswith("ndcg") else [])


def test_judgments_whose_iteration_varies_without_duplicates_have_no_subtopics(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text("q1 0 a 1\nq1 1 b 2\nq2 0 a 1\n", encoding="utf-8")
    assert rg.read_judgments(path).annotation is None


def test_table_with_a_column_of_intents_without_duplicates_has_no_subtopics() -> None:
    frame = pd.DataFrame({"query": ["q1", "q1"], "item": ["a", "b"], "grade": [1, 2], "intent": ["buy", None]})
    assert rg.read_judgments(frame).to_dict() == {"q1": [("a", 1.0), ("b", 2.0)]}


def test_extra_is_the_former_name_of_annotation() -> None:
    assert rg.read_judgments(FRAME, extra="subtopic") == rg.read_judgments(FRAME, annotation="subtopic")


def test_annotation_and_its_former_name_together_are_refused() -> None:
    with pytest.raises(rg.RankgaugeError, match="got 'annotation, formerly extra' twice") as caught:
        rg.read_judgments(FRAME, annotation="subtopic", extra="subtopic")
    assert caught.value.code == "repeated-parameter"


def test_unknown_annotation_is_refused_by_its_name() -> None:
    with pytest.raises(rg.RankgaugeError, match="annotation"):
        rg.read_judgments(FRAME, annotation="subtopics")  # type: ignore[arg-type]
