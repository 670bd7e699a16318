"""Dicts of dicts, which are there already: {query: {item: grade}} and {query: {item: score}}."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from benchmarks.peers.work import Work

Number = TypeVar("Number", int, float)


def rankgauge(judgments: str, ranking: str) -> Work:
    import rankgauge as rg

    grades, scores = read(judgments, 3, int), read(ranking, 4, float)
    return lambda: rg.evaluate(grades, scores, "ndcg@10")["ndcg@10"]


def pytrec_eval(judgments: str, ranking: str) -> Work:
    from pytrec_eval import RelevanceEvaluator

    grades, scores = read(judgments, 3, int), read(ranking, 4, float)

    def work() -> float:
        values = RelevanceEvaluator(grades, {"ndcg_cut.10"}).evaluate(scores)
        return sum(measures["ndcg_cut_10"] for measures in values.values()) / len(values)

    return work


def ranx(judgments: str, ranking: str) -> Work:
    """With the construction of its own classes, which every evaluation of dicts needs."""
    from ranx import Qrels, Run, evaluate

    grades, scores = read(judgments, 3, int), read(ranking, 4, float)
    return lambda: float(evaluate(Qrels(grades), Run(scores), "ndcg@10"))


def ranx_prebuilt(judgments: str, ranking: str) -> Work:
    """Its classes built and its functions compiled beforehand: the metric alone."""
    from ranx import Qrels, Run, evaluate

    qrels, run = Qrels(read(judgments, 3, int)), Run(read(ranking, 4, float))
    evaluate(qrels, run, "ndcg@10")
    return lambda: float(evaluate(qrels, run, "ndcg@10"))


def read(path: str, column: int, number: Callable[[str], Number]) -> dict[str, dict[str, Number]]:
    rows: dict[str, dict[str, Number]] = {}
    with Path(path).open(encoding="utf-8") as file:
        for line in file:
            columns = line.split()
            rows.setdefault(columns[0], {})[columns[2]] = number(columns[column])
    return rows
