"""TREC files, from reading to the mean."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.peers.work import Work

if TYPE_CHECKING:
    import polars as pl


def rankgauge(judgments: str, ranking: str) -> Work:
    import rankgauge as rg

    return lambda: rg.evaluate(judgments, ranking, "ndcg@10")["ndcg@10"]


def rankgauge_many(judgments: str, ranking: str) -> Work:
    import rankgauge as rg

    cutoffs = ("", "@1", "@3", "@5", "@10", "@20", "@50", "@100")
    measures = [f"{name}{cutoff}" for name in ("ndcg", "dcg") for cutoff in cutoffs][:15]
    return lambda: rg.evaluate(judgments, ranking, measures)["ndcg@10"]


# What papers report together: sums of gains, sets, relevant items, readers who stop, numbers of items.
FORTY = (
    *("ndcg@5", "ndcg@10", "ndcg@20", "ndcg@100", "ndcg@1000", "ndcg", "ndcg(gain=exp2)@10", "dcg@10", "idcg@10"),
    *("cg@10", "map", "map@10", "map@100", "map@1000", "capped_map@10", "precision@1", "precision@5", "precision@10"),
    *("precision@20", "precision@100", "recall@10", "recall@100", "recall@1000", "f@10", "success@1", "success@10"),
    *("mrr", "mrr@10", "mrr@100", "r_precision", "bpref", "judged@10", "rbp", "rbp(p=0.95)", "err@10", "err@20"),
    *("infap", "11pt_avg", "num_rel_ret", "relative_precision@10"),
)


def rankgauge_forty(judgments: str, ranking: str) -> Work:
    import rankgauge as rg

    return lambda: rg.evaluate(judgments, ranking, FORTY)["ndcg@10"]


def rankgauge_all_trec(judgments: str, ranking: str) -> Work:
    import rankgauge as rg

    return lambda: rg.evaluate(judgments, ranking, ["all_trec", "ndcg@10"])["ndcg@10"]


def pytrec_eval(judgments: str, ranking: str) -> Work:
    import pytrec_eval

    def work() -> float:
        with Path(judgments).open(encoding="utf-8") as file:
            qrel = pytrec_eval.parse_qrel(file)
        with Path(ranking).open(encoding="utf-8") as file:
            run = pytrec_eval.parse_run(file)
        values = pytrec_eval.RelevanceEvaluator(qrel, {"ndcg_cut.10"}).evaluate(run)
        return sum(measures["ndcg_cut_10"] for measures in values.values()) / len(values)

    return work


def ranx(judgments: str, ranking: str) -> Work:
    from ranx import Qrels, Run, evaluate

    def work() -> float:
        qrels, run = Qrels.from_file(judgments, kind="trec"), Run.from_file(ranking, kind="trec")
        return float(evaluate(qrels, run, "ndcg@10"))

    return work


def polars(judgments: str, ranking: str) -> Work:
    """Ten rows a query are kept before anything is joined; the streaming engine was the quickest of those tried."""
    import polars as pl

    from benchmarks.peers.expressions import discounted, mean_ndcg

    def work() -> float:
        judged = scan(judgments, ["query", "iteration", "item", "grade"]).select("query", "item", "grade")
        ranked = scan(ranking, ["query", "q0", "item", "rank", "score", "tag"])
        top = ranked.group_by("query").agg(pl.col("item").top_k_by("score", 10))
        top = top.with_columns(at=pl.int_ranges(pl.col("item").list.len())).explode("item", "at")
        hits = top.join(judged, on=["query", "item"])
        return mean_ndcg(judged, hits.group_by("query").agg(dcg=discounted("grade", "at")), "query")

    return work


def scan(path: str, columns: list[str]) -> pl.LazyFrame:
    import polars as pl

    return pl.scan_csv(path, separator=" ", has_header=False, new_columns=columns)
