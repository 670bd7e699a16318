"""Data sets that people have are read as they are, and the guide lists them."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.inputs.data_sets import DATA_SETS, GRADERS, DataSet
from tests.remarks import lines

import rankgauge as rg
from rankgauge.errors import RankgaugeError

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "inputs.md"


def content_of(data_set: DataSet, folder: Path) -> tuple[dict[str, Any], list[str]]:
    """What is read of a sample, with ids as text, and the columns that the remark names."""
    source = data_set.make(folder)
    if data_set.use == "ranking":
        ranking = rg.read_ranking(source)
        by_query = {query: sorted(rows, key=lambda row: -row[1]) for query, rows in ranking.text_groups().items()}
        return {query: [item for item, _ in rows] for query, rows in by_query.items()}, lines(
            ranking.remarks, "columns"
        )
    judgments = rg.read_judgments(GRADERS[data_set.use](source) if data_set.use in GRADERS else source)
    return {query: dict(rows) for query, rows in judgments.text_groups().items()}, lines(judgments.remarks, "columns")


@pytest.mark.parametrize("data_set", DATA_SETS, ids=lambda each: f"{each.name}, {each.form}")
def test_data_set_is_read_as_it_is(data_set: DataSet, tmp_path: Path) -> None:
    content, columns = content_of(data_set, tmp_path)
    assert content == data_set.content
    assert columns == ([f"columns: {data_set.use} {data_set.columns}"] if data_set.columns else [])


def test_guide_lists_the_data_sets() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    table = text.partition("## Data sets\n")[2].partition("\n## ")[0]
    rows = [re.split(r" *\| *", line.strip("| ")) for line in table.splitlines() if line.startswith("| ")][1:]
    given = {"judgments": "judgments", "ranking": "a ranking"}
    given |= {grader: f"`rg.grading.{grader}`" for grader in GRADERS}
    expected = [[one.name, one.form, given[one.use], one.columns or "–"] for one in DATA_SETS]
    assert rows == expected


def test_evaluate_of_a_series_with_named_columns_takes_them() -> None:
    (scores,) = (one for one in DATA_SETS if one.form == "scores")
    alpha = scores.make(Path())
    given = {"query": "asset", "item": "date", "score": "alpha"}
    assert rg.read_ranking(alpha, columns=given).to_dict().keys() == {"A", "B"}


def test_evaluate_of_a_series_with_unnamed_levels_takes_the_first_for_the_query() -> None:
    (scores,) = (one for one in DATA_SETS if one.form == "scores")
    unnamed = scores.make(Path()).rename_axis([None, None])
    assert rg.read_ranking(unnamed) == rg.read_ranking(scores.make(Path()))
    swapped = scores.make(Path()).swaplevel()
    assert rg.read_ranking(swapped).queries == [datetime(2026, 1, 2), datetime(2026, 1, 5)]


def test_open_file_is_read_from_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("written by x\nqid,docno,score\nq1,a,2\n", encoding="utf-8")
    with (tmp_path / "run.csv").open(encoding="utf-8") as file:
        file.readline()
        assert rg.read_ranking(file).to_dict() == {"q1": [("a", 2.0)]}
    with pytest.raises(RankgaugeError, match="closed file"):
        rg.read_ranking(file)
