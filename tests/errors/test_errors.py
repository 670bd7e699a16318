"""Every error that rankgauge raises: that it is raised, and how it is worded."""

from __future__ import annotations

import copy
import gzip
import math
import re
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.errors.situations import (
    JUDGMENTS,
    PRICES,
    RANKING,
    SCORES,
    beyond_32_bits,
    beyond_the_limit,
    by,
    cli,
    combined_with_another,
    complete,
    evaluated,
    failing_spark,
    file,
    files_of_all,
    java_in,
    plotted_without_altair,
    printed_as_trec,
    raise_internal,
    returns,
    scored,
    shrinking,
    study,
    table,
    under,
    unreachable_spark,
    with_view_of_a_file,
    without_folder,
    without_tables,
    written_over,
)

import rankgauge as rg
from rankgauge.cli import output, spark
from rankgauge.cli.app import app
from rankgauge.cli.gate_verdicts import verdicts_under
from rankgauge.engines.spark import Side, require_order
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.errors.catalogue import PROBLEMS
from rankgauge.inputs import connections
from rankgauge.inputs.roles import Roles
from rankgauge.remarks import Remark, require_none_severe
from rankgauge.reports.id_texts import read_texts
from rankgauge.results.cluster_evaluation import ClusterEvaluation
from rankgauge.sql import query_of

RUNS = {"a": RANKING, "b": RANKING}
TWO_QUERIES = {"q1": {"d1": 1}, "q2": {"d1": 1}}
SEVERE = Remark("ties", "severe", "all scores are equal", "give distinct scores")
NOWHERE = Side(None, Roles("query", "item", "score", descending=True))
anything: Any = 5


def result_of_cluster() -> rg.Result:
    light, request = evaluated("ndcg").light(), rg.Request.of("ndcg")
    counts = rg.evaluate(JUDGMENTS, RANKING, "ndcg").evaluation.counts
    return rg.Result(ClusterEvaluation(queries=(), values={}, counts=counts, request=request, sums=light), request)


def with_little_memory(folder: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connections, "_LEAST", 1 << 21)
        path = file(folder, b'{"query": "q1", "item": "d1", "score": 1}\n')  # DuckDB reads 32 MB of JSON at once
        rg.evaluate(JUDGMENTS, path, memory=1)


RAISED: dict[str, Callable[[Path], object]] = {
    "few-human-labels": lambda _: rg.evaluate(JUDGMENTS, RANKING, human=JUDGMENTS),
    "not-combined": lambda _: rg.evaluate(JUDGMENTS, RANKING, "gm_map", human=JUDGMENTS),
    "combined-alone": lambda _: combined_with_another(),
    "no-query-column": lambda _: by(pl.DataFrame({"which": ["q1"], "device": ["mobile"]})),
    "no-segment-column": lambda _: by((pl.DataFrame({"query": ["q1"], "device": ["mobile"]}), "country")),
    "two-segments": lambda _: by(pl.DataFrame({"query": ["q1", "q1"], "device": ["mobile", "desktop"]})),
    "no-common-segment": lambda _: by({"q2": "mobile"}),
    "unknown-segment": lambda _: rg.evaluate(JUDGMENTS, RANKING).by({"q1": "mobile"})["desktop", "ndcg@10"],
    "unknown-table-kind": lambda _: returns(5),
    "not-a-table": lambda folder: returns(file(folder, b"2 qid:1 1:0.5\n")),
    "same-columns": lambda folder: returns(file(folder, b"date,A,a\n2026-01-02,1,2\n", "prices.csv")),
    "no-such-column": lambda _: returns(excess="SPY"),
    "not-stocks": lambda _: returns(pl.DataFrame({"date": ["2026-01-02"], "A": [1.0], "Volume": [1.0]})),
    "no-such-ticker": lambda _: returns(ignore="SPY"),
    "scores-lost": lambda _: study(pl.concat([SCORES, SCORES.with_columns(ticker=pl.col("ticker") + "X")])),
    "which-session": lambda _: study(SCORES.with_columns(date=pl.lit("2026-01-02T14:30:00Z"))),
    "bad-price": lambda _: returns(PRICES.with_columns(close=0.0)),
    "bad-return": lambda _: returns(pl.DataFrame({"stock": ["A"], "return": ["up"]})),
    "mixed-percents": lambda _: returns(pl.DataFrame({"stock": ["A", "B"], "return": ["1%", "0.02"]})),
    "bad-rank": lambda _: study(SCORES.select("date", "ticker", rank=-pl.col("score"))),
    "needs-prices": lambda _: returns(pl.DataFrame({"stock": ["A"], "return": [0.1]}), lag=1),
    "dates-on-one-side": lambda _: study(SCORES.drop("date")),
    "duplicate-row": lambda _: returns(pl.concat([PRICES, PRICES])),
    "bad-date": lambda _: returns(PRICES.with_columns(date=pl.lit("1/2/2026"))),
    "look-ahead": lambda _: returns(lag=-1),
    "no-grades-at-all": lambda _: study(horizon=9),
    "no-common-stock": lambda _: study(SCORES.with_columns(ticker=pl.lit("Z"))),
    "no-segments-of-dates": lambda _: study().compare(study()).by({}),
    "different-studies": lambda _: study().compare(study(k=1)),
    "unknown-action": lambda _: rg.grading.actions(pl.DataFrame({"user": [1], "item": [2], "action": ["sneeze"]})),
    "needs-column": lambda _: rg.grading.holdout(pl.DataFrame({"user": [1, 1], "item": [2, 3]})),
    "unknown-measure": lambda _: rg.evaluate(JUDGMENTS, RANKING, "ndgc"),
    "bad-cutoff": lambda _: rg.evaluate(JUDGMENTS, RANKING, "ndcg@0"),
    "no-cutoff": lambda _: rg.evaluate(JUDGMENTS, RANKING, "bpref@5"),
    "not-explained": lambda _: rg.explain(JUDGMENTS, RANKING, measure="map"),
    "bad-notation": lambda _: rg.evaluate(JUDGMENTS, RANKING, "ndcg(gain=exp2"),
    "request-of-text": lambda _: rg.Request("ndcg@10", "lightgbm"),  # type: ignore[arg-type]
    "no-measure": lambda _: rg.evaluate(JUDGMENTS, RANKING, []),
    "no-mean": lambda _: rg.evaluate(JUDGMENTS, RANKING, "relstring,ndcg")["relstring"],
    "judged-only": lambda _: rg.evaluate(JUDGMENTS, RANKING, ["nDCG(judged_only=True)@10", "map"]),
    "trec-measure": lambda _: cli("trec_eval", "-m", "MAP", "qrels", "run"),
    "trec-preferences": lambda _: cli("trec_eval", "-m", "prefs_simp", "qrels", "run"),
    "trec-switch": lambda _: cli("trec_eval", "-Z", "means", "qrels", "run"),
    "query-called-all": lambda folder: cli("trec_eval", *files_of_all(folder)),
    "few-runs": lambda _: rg.compare(JUDGMENTS, {"only": RANKING}),
    "several-runs": lambda _: table(query=["q1", "q1"], item=["d1", "d1"], score=[1, 2], run=["a", "b"]),
    "unknown-runs": lambda _: rg.compare(JUDGMENTS, {"a": RANKING, "b": 7}),  # type: ignore[dict-item]
    "no-run-column": lambda _: rg.compare(JUDGMENTS, pl.DataFrame({"query": ["q1"], "item": ["d1"]})),
    "same-run": lambda _: rg.compare(JUDGMENTS, ["a.run", "a.run"]),
    "unknown-run": lambda _: rg.compare(JUDGMENTS, RUNS, baseline="c"),
    "no-shared-query": lambda _: rg.compare(TWO_QUERIES, {"a": {"q1": ["d1"]}, "b": {"q2": ["d1"]}}, missing="skip"),
    "not-compared": lambda _: rg.compare(JUDGMENTS, RUNS, "gm_map"),
    "no-interval": lambda _: list(verdicts_under(rg.evaluate(JUDGMENTS, RANKING), [("ndcg@10", 0.5)], "strict")),
    "other-measures": lambda _: rg.evaluate(JUDGMENTS, RANKING).compare(rg.evaluate(JUDGMENTS, RANKING, "map")),
    "several-measures": lambda _: rg.explain(JUDGMENTS, RANKING, measure="ndcg_cut"),
    "same-query": lambda _: evaluated("ndcg").merge(evaluated("ndcg")),
    "other-request": lambda _: evaluated("ndcg").merge(evaluated("map")),
    "no-light-form": lambda _: evaluated("relstring@5").light(),
    "no-frame": lambda _: rg.evaluate(JUDGMENTS, RANKING).per_query_frame,
    "not-on-cluster": lambda _: rg.evaluate(JUDGMENTS, RANKING, engine="spark"),
    "no-row-order": lambda _: require_order(rg.Request.of("ndcg", "textbook"), NOWHERE),
    "no-java": java_in,
    "spark-failed": lambda _: failing_spark(),
    "no-session": lambda _: unreachable_spark(),
    "not-read-by-spark": lambda folder: spark.read(None, str(file(folder, b"q1 0 d1 1\n", "qrels.txt")), None, None),
    "only-on-cluster": lambda _: rg.evaluate(JUDGMENTS, RANKING, order="place"),
    "values-on-cluster": lambda _: result_of_cluster().per_query,
    "no-queries": lambda _: rg.Result.of(evaluated("ndcg").light()).per_query,
    "bad-bytes": lambda _: type(rg.read_judgments(JUDGMENTS).handle)(b"else"),
    "no-annotation": lambda _: rg.evaluate(rg.read_judgments(JUDGMENTS), RANKING, "strec@5"),
    "bad-subtopics": lambda _: rg.evaluate({"q1": {"d1": 1}}, RANKING, "strec@5"),
    "two-annotations": lambda _: rg.evaluate(JUDGMENTS, RANKING, ["strec@5", "ips_dcg"]),
    "no-ids": lambda _: rg.evaluate_arrays([[1, 0]], [[0.5, 0.4]], "coverage@1"),
    "bad-propensity": lambda _: rg.evaluate(
        pl.DataFrame({"query": ["q1"], "item": ["d1"], "grade": [1], "propensity": [0.0]}), RANKING, "ips_dcg"
    ),
    "repeated-parameter": lambda _: rg.evaluate(JUDGMENTS, RANKING, "ndcg(gain=exp2,gain=linear)"),
    "unknown-parameter": lambda _: rg.evaluate(JUDGMENTS, RANKING, "ndcg(gian=exp2)"),
    "unknown-convention": lambda _: rg.evaluate(JUDGMENTS, RANKING, convention="trek_eval"),
    "too-many-arguments": lambda _: cli("conventions", "one", "two", "three"),
    "no-data": lambda _: cli("conventions", "--identify", "0.5"),
    "unknown-choice": lambda _: under("ties=avg"),
    "bad-number": lambda _: rg.evaluate(JUDGMENTS, RANKING, seed=-1),
    "no-package": lambda _: plotted_without_altair(),
    "measure-not-in-sql": lambda _: query_of("bpref", dialect="duckdb"),
    "convention-not-in-sql": lambda _: query_of("ndcg", "textbook", dialect="duckdb"),
    "bad-name": lambda _: query_of("ndcg", dialect="duckdb", judgments="qrels; DROP TABLE qrels"),
    "taken-name": lambda _: query_of("ndcg", dialect="duckdb", judgments="judged"),
    "score-and-rank": lambda _: query_of("ndcg", dialect="duckdb", columns_ranking={"score": "a", "rank": "b"}),
    "not-plotted": lambda _: rg.evaluate_arrays([[1, 0]], [[0.5, 0.4]]).plot("cutoffs"),
    "unknown-keyword": lambda _: rg.evaluate(JUDGMENTS, RANKING, metrics="map"),  # type: ignore[call-arg]
    "unknown-judgments": lambda _: rg.evaluate(anything, RANKING),
    "unknown-ranking": lambda _: rg.evaluate(JUDGMENTS, anything),
    "no-ranking": lambda _: rg.evaluate([{"d1": 2}]),
    "which-is-truth": lambda _: rg.explain({"d1": 2}, {"d1": 0.5}),
    "one-sided-cases": lambda _: rg.evaluate([{"d1": 2}], RANKING),
    "several-files": lambda folder: rg.evaluate(JUDGMENTS, [file(folder, b"q1 Q0 d1 1 0.5 tag\n")]),
    "nothing-given": lambda _: rg.evaluate(JUDGMENTS, iter(())),
    "cases-differ": lambda _: rg.evaluate([{"d1": 2}], [["d1"], ["d2"]]),
    "swapped-cases": lambda _: rg.evaluate([["d1"]], [{"d1": 2}]),
    "unknown-case": lambda _: rg.evaluate([{"good": {"d1": 2}, "shown": ["d1"]}]),
    "mixed-cases": lambda _: rg.evaluate([{"d1": 2}, 3], [["d1"], ["d2"]]),
    "rows-or-cases": lambda _: rg.evaluate([{"item": 1, "tea": 2}], [["tea"]]),
    "bad-query-rows": lambda _: rg.evaluate({"q1": 5}, RANKING),
    "bad-id": lambda _: rg.evaluate({"q1": {1.5: 1}}, RANKING),
    "bad-value": lambda _: rg.evaluate(JUDGMENTS, {"q1": {"d1": float("nan")}}),
    "duplicate-item": lambda _: rg.evaluate(JUDGMENTS, {"q1": ["d1", "d1"]}),
    "duplicate-query": lambda _: rg.evaluate(JUDGMENTS, {"q1": ["d1"], b"q1": ["d2"]}),
    "no-common-query": lambda _: rg.evaluate(JUDGMENTS, {"q2": ["d1"]}),
    "no-rows": lambda _: rg.evaluate({}, RANKING),
    "unknown-query": lambda _: rg.explain(JUDGMENTS, RANKING, "q2"),
    "which-query": lambda _: rg.explain({"q1": ["d1"], "q2": ["d1"]}, RANKING),
    "missing-query": lambda _: rg.evaluate(JUDGMENTS, {"q2": ["d1"]}, missing="error"),
    "nothing-relevant": lambda _: under("nothing_relevant=error", grade=0),
    "unjudged-item": lambda _: rg.evaluate(JUDGMENTS, {"q1": ["d9"]}, unjudged="error"),
    "negative-grade": lambda _: under("negative=error", grade=-1),
    "grade-not-in-table": lambda _: under("gain=table(0=0,1=1)", grade=2),
    "overflow": lambda _: under("gain=exp2", grade=2000),
    "severe-remark": lambda _: require_none_severe([SEVERE], strict=True),
    "missing-column": lambda _: table(query=["q1"], thing=["d1"]),
    "ambiguous-column": lambda _: table(query=["q1"], doc_id=["d1"], docId=["d1"]),
    "no-header": lambda folder: rg.read_ranking(file(folder, b"q1,d1,0.5\nq1,d2,0.25\n")),
    "columns-without-roles": lambda _: rg.read_ranking(pl.DataFrame({"q": ["q1"]}), columns=["query", "item"]),
    "null-value": lambda _: table(query=["q1", None], item=["d1", "d2"]),
    "bad-column": lambda _: table(query=[True], item=["d1"]),
    "bad-lists": lambda _: table(query=["q1"], item=[["d1", "d2"]], score=[[0.5]]),
    "unknown-table": lambda folder: rg.read_ranking(f"{without_tables(folder)}::run"),
    "reads-elsewhere": lambda folder: rg.read_ranking(with_view_of_a_file(folder)),
    "too-much-unpacked": beyond_the_limit,
    "too-many-rows": beyond_32_bits,
    "failing-table": lambda _: rg.evaluate(JUDGMENTS, pl.LazyFrame({"query": ["x"], "item": ["x"]}).cast(pl.Int64)),
    "too-little-memory": with_little_memory,
    "unreadable-table": lambda folder: rg.read_ranking(file(folder, b"PAR1\x15\x04")),
    "bad-array": lambda _: rg.evaluate_arrays(["high", "low"], [0.5, 0.2]),
    "bad-shape": lambda _: rg.evaluate_arrays([1, 0, 2], [0.5, 0.2]),
    "infinite-value": lambda _: rg.evaluate_arrays([1, 0], [0.5, math.inf]),
    "no-score": lambda _: rg.evaluate_arrays([1, 0], [0.5, math.nan]),
    "no-score-at-all": lambda _: rg.evaluate_arrays([[1, 0]], [[-math.inf, -math.inf]]),
    "not-ids": lambda _: rg.evaluate([{1}, {2}], np.array([[0.5, 0.2], [0.3, 0.1]])),
    "bad-groups": lambda _: rg.evaluate_arrays([1, 0, 2], [0.5, 0.2, 0.1], groups=[1, 1]),
    "bad-format": lambda folder: rg.read_ranking(file(folder, b"version https://git-lfs", "run.parquet")),
    "duplicate-key": lambda folder: rg.read_judgments(file(folder, b'{"q": {"d": 1, "d": 2}}')),
    "one-stream": lambda _: rg.evaluate("-", "-"),
    "score-count": lambda folder: scored(folder, b"0.5\n"),
    "scores-alone": lambda folder: rg.read_ranking(file(folder, b"0.5\n0.25\n")),
    "swapped-sides": lambda folder: rg.read_judgments(file(folder, b"q1 Q0 d1 1 0.5 tag\n")),
    "no-query": lambda folder: rg.read_judgments(file(folder, b"2 1:0.5 2:0.25\n")),
    "ambiguous-score": lambda _: table(query=["q1", "q1"], item=["a", "b"], price=[1, 3], size=[2, 1]),
    "no-scores": lambda folder: rg.read_ranking(file(folder, b"2 qid:q1 1:0.5\n")),
    "no-grades": lambda folder: rg.read_judgments(file(folder, b"0.5\n0.25\n"), format="scores"),
    "file-not-found": lambda folder: rg.read_judgments(folder / "missing.txt"),
    "remote-file": lambda _: rg.read_judgments("s3://bucket/qrels.parquet"),
    "is-directory": rg.grading.ratings,
    "no-pieces": rg.read_judgments,
    "mixed-pieces": lambda folder: rg.read_judgments(file(folder, b"q1 0 d1 1\n").parent),
    "not-a-batch": lambda _: rg.evaluate(JUDGMENTS, chain([pl.DataFrame({"query": [1], "item": [1]})], [7])),
    "no-room-on-disk": without_folder,
    "endless-file": lambda _: rg.read_judgments("/dev/zero"),
    "bad-texts-type": lambda _: read_texts(7, {"x"}),  # type: ignore[arg-type]
    "bad-texts": lambda folder: read_texts(file(folder, b'{"name": "x"}\n'), {"x"}),
    "unreadable-file": lambda folder: rg.read_judgments(folder / ("long" * 100)),
    "file-changed": shrinking,
    "empty-file": lambda folder: rg.read_judgments(file(folder, b"")),
    "bad-columns": lambda folder: rg.read_judgments(file(folder, b"q1 0 d1\n")),
    "bare-return": lambda folder: rg.read_judgments(file(folder, b"q1 0 d1 1\rq1 0 d2 1\n")),
    "line-too-long": lambda folder: rg.read_judgments(
        file(folder, b'query,item\n"q1",' + b"d" * 3_000_000, "file.csv")
    ),
    "bad-utf8": lambda folder: rg.read_judgments(file(folder, b"q1 0 caf\xe9 1\n")),
    "other-encoding": lambda folder: rg.read_judgments(file(folder, "q1 0 문서 1\n".encode("cp949"))),
    "bad-gzip": lambda folder: rg.read_judgments(file(folder, gzip.compress(b"q1 0 d1 1\n")[:15])),
    "unwritable-file": lambda folder: output.write("text", str(folder / "missing" / "out.txt")),
    "output-is-input": lambda folder: written_over(file(folder, b"")),
    "not-trec": lambda _: printed_as_trec({"q 1": {"d1": 1}}),
    "usage": lambda _: complete("tcsh"),
    "unknown-command": lambda _: app.main(["evalute"], standalone_mode=False),
    "internal": lambda _: raise_internal(),
}
FREE_FORM = ("usage", "internal")
CODES = pytest.mark.parametrize("code", PROBLEMS)


def raised(code: str, folder: Path) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as caught:
        RAISED[code](folder)
    return caught.value


def test_error_codes_all_have_a_case() -> None:
    assert set(RAISED) == set(PROBLEMS)


@CODES
def test_error_of_each_case_is_raised(code: str, tmp_path: Path) -> None:
    assert raised(code, tmp_path).code == code


@CODES
def test_error_text_has_expectation_finding_and_hint(code: str, tmp_path: Path) -> None:
    text = str(raised(code, tmp_path))
    assert "\n" not in text
    assert re.search(r"[.?] Hint: \S.*[.?]$", text)
    if code not in FREE_FORM:
        assert re.search(r"(^|: )expected .+, got", text)


@CODES
def test_error_of_a_file_names_its_place(code: str, tmp_path: Path) -> None:
    error = raised(code, tmp_path)
    assert not error.place or str(error).startswith(f"{error.place}: expected ")
    if code in ("bad-columns", "bad-utf8", "other-encoding"):
        assert error.place == f"{tmp_path / 'file.txt'}:1"
    if code in ("bad-value", "duplicate-item", "unjudged-item", "negative-grade", "grade-not-in-table"):
        assert error.place.startswith("query 'q1', item 'd")
    if code in ("missing-query", "nothing-relevant", "overflow", "bad-query-rows"):
        assert error.place.startswith("query 'q1'")


@CODES
def test_error_when_pickled_is_the_same(code: str, tmp_path: Path) -> None:
    error = raised(code, tmp_path)
    again = copy.copy(error)  # by __reduce__, as pickle does
    assert isinstance(again, RankgaugeError)
    assert (again.code, again.place, again.context, str(again)) == (error.code, error.place, error.context, str(error))


def test_error_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="expected a measure"):
        rg.evaluate(JUDGMENTS, RANKING, "ndgc")


BY_DATA: dict[str, dict[str, Any]] = {
    "duplicate-item": {"ranking": {"q1": ["d1", "d1"]}},
    "missing-query": {"ranking": {"q2": ["d1"]}, "missing": "error"},
    "nothing-relevant": {"judgments": {"q1": {"d1": 0}}, "convention": "trec_eval(nothing_relevant=error)"},
    "unjudged-item": {"ranking": {"q1": ["d9"]}, "unjudged": "error"},
    "negative-grade": {"judgments": {"q1": {"d1": -1}}, "convention": "trec_eval(negative=error)"},
    "grade-not-in-table": {"convention": "trec_eval(gain=table(0=0,1=1))"},
    "overflow": {"judgments": {"q1": {"d1": 2000}}, "convention": "burges"},
    "no-common-query": {"ranking": {"q2": ["d1"]}},
    "no-rows": {"judgments": {}},
}


@pytest.mark.parametrize("code", BY_DATA)
def test_error_of_both_engines_names_the_same_place(code: str) -> None:
    inputs: dict[str, Any] = {"judgments": JUDGMENTS, "ranking": RANKING}
    errors = []
    for engine in ("native", "reference"):
        with pytest.raises(RankgaugeError) as caught:
            rg.evaluate(**inputs | BY_DATA[code], engine=engine)
        errors.append((caught.value.code, caught.value.place))
    assert errors[0] == errors[1]
    assert errors[0][0] == code


@pytest.mark.parametrize(
    ("got", "suggestion"),
    [("ndgc", "ndcg"), ("NDCG", "ndcg"), ("dgc", "dcg"), ("trec", ""), ("", "")],
)
def test_nearest_of_a_misspelt_name_is_the_known_name(got: str, suggestion: str) -> None:
    assert nearest(got, ["cg", "dcg", "ndcg"]) == (f"did you mean {suggestion!r}? " if suggestion else "")


@pytest.mark.parametrize(("got", "known"), [("avg", "average"), ("lgbm", "lightgbm"), ("trec", "trec_eval")])
def test_nearest_of_an_abbreviation_is_the_known_name(got: str, known: str) -> None:
    assert nearest(got, ["first", "average", "lightgbm", "trec_eval"]) == f"did you mean {known!r}? "


@pytest.mark.parametrize("got", ["novelty", "diversity", "accuracy", "kendall", "x", ""])
def test_nearest_of_another_word_is_nothing(got: str) -> None:
    assert nearest(got, ["utility", "numrelret", "auroc", "recall", "exp2"]) == ""


@pytest.mark.parametrize("got", ["0,7166", "-0,5", ",5"])
def test_hint_for_a_number_with_a_decimal_comma_names_it(got: str) -> None:
    for grades in ({"q1": {"d1": got}}, pl.DataFrame({"query": ["q1"], "item": ["d1"], "grade": [got]})):
        with pytest.raises(RankgaugeError, match=f"{got}.\\. Hint: a decimal comma is not read"):
            rg.read_judgments(grades)


def test_hint_for_another_text_says_nothing_of_commas() -> None:
    with pytest.raises(RankgaugeError, match="Hint: remove the row"):
        rg.read_judgments({"q1": {"d1": "high, low"}})


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_hint_for_duplicates_speaks_of_subtopics_only_for_judgments(engine: Any) -> None:
    with pytest.raises(RankgaugeError, match="Hint: remove the duplicates") as caught:
        rg.evaluate(JUDGMENTS, {"q1": ["d1", "d1"]}, engine=engine)
    assert "subtopic" not in str(caught.value)
    with pytest.raises(RankgaugeError, match="grades by subtopic are read"):
        rg.evaluate(
            pl.DataFrame({"query": ["q1", "q1"], "item": ["d1", "d1"], "grade": [1, 2]}), RANKING, engine=engine
        )


def test_hint_for_an_explanation_without_a_query_says_both_ways() -> None:
    with pytest.raises(RankgaugeError, match=r"query='q1' in Python, --query q1 on the command line"):
        rg.explain({"q1": ["d1"], "q2": ["d1"]}, RANKING)
