"""trec_eval's own code, as pytrec_eval-terrier compiles it, gives the same ndcg and ndcg_cut."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
import pytrec_eval

import rankgauge as rg

CUTOFFS = (1, 3, 5, 10, 100)
# pytrec_eval compiles trec_eval 9, which holds scores as 32-bit floats; trec_eval 10 holds 64 bits.
TREC_EVAL_9 = "trec_eval(precision=float32)"


def make(seed: int, *, scores: str) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Judged queries with grades from −2 to 4, some without anything relevant, some missing from the ranking."""
    source = random.Random(seed)
    documents = [f"d{number}" for number in range(120)] + ["é", "ß", "日本", "D1", "d", "d-1"]
    draws: dict[str, Callable[[], float]] = {
        "distinct": source.random,
        "ties": lambda: source.randrange(6) / 2,
        "near ties": lambda: 1.0 + source.randrange(6) * 3e-8,
        "constant": lambda: 1.0,
        "wide": lambda: source.choice([-1, 1]) * 10.0 ** source.randrange(-45, 38),
    }
    judgments = {}
    for query in [f"q{number}" for number in range(30)] + ["10", "9", "é"]:
        pool = source.sample(documents, source.randrange(1, 60))
        judgments[query] = {document: source.choice([-2, -1, 0, 0, 0, 1, 2, 3, 4]) for document in pool}
        judgments[query][pool[0]] = source.choice([0, 1])  # trec_eval crashes where every grade is below −1
        if source.random() < 0.15:
            judgments[query] = dict.fromkeys(pool, 0)
    queries = [query for query in judgments if source.random() < 0.8] + ["unjudged"]
    ranking = {
        query: {d: draws[scores]() for d in source.sample(documents, source.randrange(1, 126))} for query in queries
    }
    return judgments, ranking


def write(folder: Path, judgments: dict[str, dict[str, int]], ranking: dict[str, dict[str, float]]) -> None:
    grades = [f"{q} 0 {d} {grade}\n" for q, items in judgments.items() for d, grade in items.items()]
    rows = [f"{q} Q0 {d} 0 {score!r} tag\n" for q, items in ranking.items() for d, score in items.items()]
    random.Random(0).shuffle(rows)  # rows of a query anywhere in the file
    (folder / "judgments").write_text("".join(grades), encoding="utf-8")
    (folder / "ranking").write_text("".join(rows), encoding="utf-8")


@pytest.mark.parametrize("scores", ["distinct", "ties", "near ties", "constant", "wide"])
@pytest.mark.parametrize("seed", range(4))
def test_ndcg_of_random_data_equals_pytrec_eval(seed: int, scores: str, tmp_path: Path) -> None:
    judgments, ranking = make(seed, scores=scores)
    cutoffs = ",".join(map(str, CUTOFFS))
    expected = pytrec_eval.RelevanceEvaluator(judgments, {"ndcg", f"ndcg_cut.{cutoffs}"}).evaluate(ranking)
    names = {"ndcg": "ndcg"} | {f"ndcg@{k}": f"ndcg_cut_{k}" for k in CUTOFFS}

    write(tmp_path, judgments, ranking)
    from_dicts = rg.evaluate(judgments, ranking, list(names), convention=TREC_EVAL_9)
    from_files = rg.evaluate(tmp_path / "judgments", tmp_path / "ranking", list(names), convention=TREC_EVAL_9)

    assert from_files.to_json(per_query=True) == from_dicts.to_json(per_query=True)
    for ours, theirs in names.items():
        values = {query: measures[theirs] for query, measures in expected.items()}
        assert from_dicts.per_query[ours] == pytest.approx(values, abs=1e-12)
        assert from_dicts[ours] == pytest.approx(sum(values.values()) / len(values), abs=1e-12)


def test_near_ties_are_ties_under_trec_eval_9_alone() -> None:
    judgments = {"q": {"a": 1, "b": 0}}
    ranking = {"q": {"a": 1.0 + 1e-8, "b": 1.0}}
    theirs = pytrec_eval.RelevanceEvaluator(judgments, {"ndcg"}).evaluate(ranking)["q"]["ndcg"]
    assert theirs == rg.evaluate(judgments, ranking, "ndcg", convention=TREC_EVAL_9)["ndcg"] < 1.0
    assert rg.evaluate(judgments, ranking, "ndcg", convention="trec_eval")["ndcg"] == 1.0


def test_missing_zero_equals_trec_eval_c() -> None:
    judgments, ranking = make(7, scores="distinct")
    expected = pytrec_eval.RelevanceEvaluator(judgments, {"ndcg_cut.10"}).evaluate(ranking)
    total = sum(measures["ndcg_cut_10"] for measures in expected.values())
    result = rg.evaluate(judgments, ranking, "ndcg@10", missing="zero", convention=TREC_EVAL_9)
    assert result["ndcg@10"] == pytest.approx(total / len(judgments), abs=1e-12)
    assert result.counts["missing"] == len(judgments) - len(expected) > 0
