"""Ever more rows of integer ids: 100 ranked items and five judgments a query, in Polars frames."""

from __future__ import annotations

from benchmarks.datasets.frames import random_frames
from benchmarks.peers.work import Work

DEPTH = 100


def rankgauge(rows: str) -> Work:
    import rankgauge as rg

    judgments, ranking = random_frames(int(rows) // DEPTH, DEPTH)
    return lambda: rg.evaluate(judgments, ranking, "ndcg@10")["ndcg@10"]
