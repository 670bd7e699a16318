"""Texts without a header: what is known by its values, and what the hint proposes for the rest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.inputs.roles import Side

JUDGED = {"q1": {"d2": 1}, "q2": {"d5": 1}}


def written(folder: Path, rows: Sequence[Sequence[object]], delimiter: str = "\t") -> Path:
    path = folder / "run.tsv"
    path.write_text("".join(delimiter.join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    return path


MS_MARCO = [("q1", "d1", 1), ("q1", "d2", 2), ("q1", "d3", 3), ("q2", "d5", 1), ("q2", "d4", 2)]


@pytest.mark.parametrize("delimiter", ["\t", ",", "::"])
def test_run_of_ms_marco_is_read_by_its_ranks(tmp_path: Path, delimiter: str) -> None:
    result = rg.evaluate(JUDGED, written(tmp_path, MS_MARCO, delimiter), "mrr")
    assert result["mrr"] == 0.75
    (remark,) = (remark for remark in result.remarks if remark.code == "no-header")
    assert remark.text == "by their values the columns are query, item, rank"


def test_ms_marco_run_longer_than_the_sampled_head_is_read_by_rank(tmp_path: Path) -> None:
    rows = [(f"q{query}", f"d{rank}", rank) for query in range(20) for rank in range(1, 1001)]
    judged = {f"q{query}": ["d4"] for query in range(20)}
    assert rg.evaluate(judged, written(tmp_path, rows), "mrr")["mrr"] == 0.25


def hint_of(path: Path, side: Side) -> str:
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate(path if side == "judgments" else JUDGED, JUDGED if side == "judgments" else path)
    assert caught.value.code == "no-header"
    return str(caught.value)


@pytest.mark.parametrize(
    ("rows", "side", "names"),
    [
        ([("q1", "d1", 0.5), ("q1", "d2", 0.9)], "ranking", "query,item,score"),
        ([("q1", "d1", 1, 0.5), ("q1", "d2", 2, 0.4)], "ranking", "query,item,rank,score"),
        ([("q1", "d1", 0.5, 1), ("q1", "d2", 0.4, 2)], "ranking", "query,item,score,rank"),
        ([("q1", "Q0", "d1", 1, 0.5), ("q1", "Q0", "d2", 2, 0.4)], "ranking", "query,column2,item,rank,score"),
        ([("q1", "d1", "x", 0.5), ("q2", "d2", "y", 0.4)], "ranking", "query,item,column3,score"),
        ([("q1", "d1", 2), ("q1", "d2", 1)], "judgments", "query,item,grade"),
        ([("q1", "d1", 2, "x", 1260759144), ("q1", "d2", 1, "y", 1260759145)], "judgments", None),
    ],
)
def test_hint_names_as_many_columns_as_there_are(
    tmp_path: Path, rows: list[tuple[object, ...]], side: Side, names: str | None
) -> None:
    names = names or "query,item,grade,column4,timestamp"
    path = written(tmp_path, rows)
    assert f"--columns-{side} {names} on" in hint_of(path, side)
    judged, ranked = (path, {"q1": ["d2"]}) if side == "judgments" else ({"q1": ["d2"]}, path)
    rg.evaluate(judged, ranked, **{f"columns_{side}": names.split(",")})  # type: ignore[arg-type]


def test_hint_for_ranks_in_no_order_says_that_they_may_be_ranks(tmp_path: Path) -> None:
    hint = hint_of(written(tmp_path, [("q1", "d1", 3), ("q1", "d2", 1), ("q1", "d3", 2)]), "ranking")
    assert "where 1 is best, call the number rank instead of score" in hint
    hint = hint_of(written(tmp_path, [("q1", "d1", 3), ("q1", "d2", 0), ("q1", "d3", 2)]), "ranking")
    assert "rank instead" not in hint


def test_hint_that_is_followed_gives_the_order_of_the_file(tmp_path: Path) -> None:
    """The names that the hint proposes order an MS MARCO run with scores by these."""
    path = written(tmp_path, [(*row, 9.5 - row[2]) for row in MS_MARCO])
    names = re.findall(r"--columns-ranking (\S+)", hint_of(path, "ranking"))[0].split(",")
    assert rg.evaluate(JUDGED, path, "mrr", columns_ranking=names)["mrr"] == 0.75


@pytest.mark.parametrize("delimiter", ["\t", "::"])
def test_ratings_of_movielens_are_read_by_their_times(tmp_path: Path, delimiter: str) -> None:
    rows = [(196, 242, 3, 881250949), (196, 302, 5, 891717742), (22, 377, 1, 878887116)]
    judgments = rg.read_judgments(written(tmp_path, rows, delimiter))
    assert judgments.to_dict() == {"196": [("242", 3.0), ("302", 5.0)], "22": [("377", 1.0)]}


def test_ratings_of_movielens_are_held_out_by_their_times(tmp_path: Path) -> None:
    rows = [(196, 242, 3, 881250949), (196, 302, 5, 891717742), (22, 377, 1, 878887116)]
    split = rg.grading.holdout(written(tmp_path, rows))
    assert rg.read_judgments(split.truth).queries == ["196"]
