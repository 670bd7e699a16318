"""Ever more rows: 100 ranked items and five judgments a query, in Polars frames."""

from __future__ import annotations

from benchmarks.datasets.frames import IdKind, random_frames, with_ids
from benchmarks.peers.work import Work

DEPTH = 100


def rankgauge(rows: str, ids: IdKind = "dense") -> Work:
    import rankgauge as rg

    judgments, ranking = (with_ids(frame, ids) for frame in random_frames(int(rows) // DEPTH, DEPTH))
    return lambda: rg.evaluate(judgments, ranking, "ndcg@10")["ndcg@10"]
