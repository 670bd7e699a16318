"""Frames of interactions and recommendations, in memory."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from benchmarks.datasets.frames import Frames
from benchmarks.peers.expressions import K, discounted, mean_ndcg
from benchmarks.peers.work import Work


def load(folder: str) -> Frames:
    frames = Frames(*(pl.read_parquet(Path(folder) / f"{name}.parquet") for name in Frames._fields))
    return frames._replace(recommendations=frames.recommendations.drop("rank"))


def rankgauge_pandas(folder: str, convention: str) -> Work:
    import rankgauge as rg

    interactions, recommendations = (frame.to_pandas() for frame in load(folder))
    return lambda: rg.evaluate(interactions, recommendations, "ndcg@10", convention=convention)["ndcg@10"]


def rankgauge_polars(folder: str, convention: str) -> Work:
    import rankgauge as rg

    interactions, recommendations = load(folder)
    return lambda: rg.evaluate(interactions, recommendations, "ndcg@10", convention=convention)["ndcg@10"]


def rankgauge_chunks(folder: str, convention: str) -> Work:
    """As frames that were put together from many."""
    import rankgauge as rg

    interactions, recommendations = (in_chunks(frame) for frame in load(folder))
    return lambda: rg.evaluate(interactions, recommendations, "ndcg@10", convention=convention)["ndcg@10"]


def in_chunks(frame: pl.DataFrame) -> pl.DataFrame:
    return pl.concat(frame.iter_slices(100_000), rechunk=False)


def rectools(folder: str) -> Work:
    """Ranks are there already; rankgauge finds them from the scores."""
    import pandas as pd
    from rectools.metrics import NDCG

    interactions = pd.read_parquet(Path(folder) / "interactions.parquet", columns=["user_id", "item_id"])
    ranks = pd.read_parquet(Path(folder) / "recommendations.parquet", columns=["user_id", "item_id", "rank"])
    return lambda: float(NDCG(k=K).calc(ranks, interactions))


def polars(folder: str) -> Work:
    interactions, recommendations = (frame.lazy() for frame in load(folder))

    def work() -> float:
        at = pl.col("score").rank("ordinal", descending=True).over("user_id").cast(pl.Int64) - 1
        top = recommendations.with_columns(at=at).filter(pl.col("at") < K)
        hits = top.join(interactions, on=["user_id", "item_id"])
        return mean_ndcg(interactions, hits.group_by("user_id").agg(dcg=discounted("grade", "at")), "user_id")

    return work
