"""Files that are larger than the memory which they may take, eight measures."""

from __future__ import annotations

from benchmarks.peers.work import Work

MEASURES = ["ndcg@10", "ndcg", "map", "mrr", "precision@10", "recall@100", "success@5", "dcg@20"]


def rankgauge(judgments: str, ranking: str, memory: str) -> Work:
    import rankgauge as rg

    return lambda: rg.evaluate(judgments, ranking, MEASURES, memory=memory)["ndcg@10"]
