"""TREC files that are of the other side, or whose ranks contradict their scores."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.remarks import lines

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import trec_files

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a 2\n"
RUN = "q1 Q0 a 1 0.9 tag\nq1 Q0 b 2 0.8 tag\nq2 Q0 a 1 0.7 tag\nq2 Q0 b 2 0.6 tag\n"


def put(folder: Path, name: str, content: str) -> Path:
    (folder / name).write_text(content, encoding="utf-8")
    return folder / name


def test_trec_files_that_are_swapped_are_refused(tmp_path: Path) -> None:
    qrels, run = put(tmp_path, "qrels.txt", QRELS), put(tmp_path, "run.txt", RUN)
    with pytest.raises(RankgaugeError, match=r"run.txt: expected judgments, got a TREC run.*swapped\?") as caught:
        rg.evaluate(run, qrels)
    assert caught.value.code == "swapped-sides"
    with pytest.raises(RankgaugeError, match=r"qrels.txt: expected a ranking, got TREC judgments") as caught:
        rg.read_ranking(qrels)
    assert caught.value.code == "swapped-sides"
    assert rg.evaluate(qrels, run)["ndcg@10"] == 1.0


def test_features_without_a_query_are_refused_with_what_is_missing(tmp_path: Path) -> None:
    features = put(tmp_path, "rank.train", "0 1:0.5 3:0.25\n2 2:1 4:7\n")
    scores = put(tmp_path, "scores.txt", "0.5\n0.4\n")
    with pytest.raises(RankgaugeError, match=r"expected qid:… behind each label.*\.query.*groups=sizes") as caught:
        rg.evaluate(features, scores)
    assert caught.value.code == "no-query"


def remarks_of(folder: Path, run: str) -> list[str]:
    result = rg.evaluate(put(folder, "qrels.txt", QRELS), put(folder, "run.txt", run))
    return lines(result.remarks, "reversed-scores", "ranks-and-scores")


def test_run_whose_ranks_agree_is_not_remarked(tmp_path: Path) -> None:
    assert remarks_of(tmp_path, RUN) == []
    assert remarks_of(tmp_path, RUN.replace(" 2 0", " 1 0")) == []  # a rank that is the same in all rows
    assert remarks_of(tmp_path, RUN.replace(" 1 0", " first 0")) == []


def test_run_with_distances_for_scores_is_a_severe_remark_and_keeps_its_number(tmp_path: Path) -> None:
    (remark,) = remarks_of(tmp_path, "q1 Q0 a 1 0.1 tag\nq1 Q0 b 2 0.2 tag\nq2 Q0 a 1 0.3 tag\nq2 Q0 b 2 0.6 tag\n")
    assert "the fourth column gives the best rank to the lowest score in 2 of 2 queries among the first 4" in remark
    assert rg.evaluate(tmp_path / "qrels.txt", tmp_path / "run.txt", "mrr")["mrr"] == 0.5


def test_run_with_some_ranks_out_of_order_is_a_caution(tmp_path: Path) -> None:
    (remark,) = remarks_of(tmp_path, RUN + "q2 Q0 c 3 0.65 tag\n")
    assert remark.startswith("ranks and scores: the fourth column is not in the order of the scores in 1 of 2 queries")


def test_rank_remarks_look_at_the_first_lines_only(tmp_path: Path) -> None:
    run = "".join(f"q{query} Q0 d{rank} {rank} {-rank} t\n" for query in range(100) for rank in range(1, 11))
    path = put(tmp_path, "run.txt", run + "q999 Q0 a 1 0.1 t\nq999 Q0 b 2 0.2 t\n")
    assert list(trec_files.rank_remarks(str(path))) == []
