"""NDCG@10 in Polars, as one would write it by hand: linear gain over log2(rank + 1)."""

from __future__ import annotations

import polars as pl

K = 10


def discounted(grade: str, position: str) -> pl.Expr:
    """The sum of grades by their places, which count from 0."""
    return (pl.col(grade) / (pl.col(position) + 2).log(2)).sum()


def mean_ndcg(judged: pl.LazyFrame, dcg: pl.LazyFrame, query: str) -> float:
    """The mean over all judged queries; a query with nothing relevant counts as 0."""
    best = pl.col("grade").head(K) / (pl.int_range(pl.len()).head(K) + 2).log(2)
    ideal = judged.sort("grade", descending=True).group_by(query).agg(idcg=best.sum())
    ndcg = (pl.col("dcg").fill_null(0.0) / pl.col("idcg")).fill_nan(0.0)
    return float(ideal.join(dcg, on=query, how="left").select(ndcg.mean()).collect(engine="streaming").item())
