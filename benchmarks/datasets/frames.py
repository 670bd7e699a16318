"""Frames of a recommender: what users did, and what they were recommended. Ids are integers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.datasets.folder import kept

if TYPE_CHECKING:
    import polars as pl

ITEMS = 50_000


class Frames(NamedTuple):
    """`interactions` has user_id, item_id, grade; `recommendations` has user_id, item_id, score."""

    interactions: pl.DataFrame
    recommendations: pl.DataFrame


def recommender_files(users: int, depth: int) -> Path:
    """A folder with interactions.parquet and recommendations.parquet; the latter has ranks as well, for RecTools."""
    return kept(f"recommender-{users}x{depth}", lambda draft: _write(draft, users, depth))


def _write(folder: Path, users: int, depth: int) -> None:
    import polars as pl

    interactions, recommendations = random_frames(users, depth)
    rank = pl.col("score").rank("ordinal", descending=True).over("user_id").cast(pl.Int64)
    interactions.write_parquet(folder / "interactions.parquet")
    recommendations.with_columns(rank=rank).write_parquet(folder / "recommendations.parquet")


def random_frames(users: int, depth: int, seed: int = 3) -> Frames:
    """`depth` recommendations, best first, and five interactions a user; three of the five were recommended."""
    import numpy as np

    source = np.random.default_rng(seed)
    # Place p only holds items that are p modulo depth, so that no user is recommended an item twice.
    items = source.integers(ITEMS // depth, size=(users, depth)) * depth + np.arange(depth)
    hits = source.integers(depth // 3, size=(users, 3)) + np.arange(3) * (depth // 3)
    others = ITEMS + source.integers(ITEMS // 2, size=(users, 2)) * 2 + np.arange(2)
    happened = np.concatenate([np.take_along_axis(items, hits, axis=1), others], axis=1)
    grades = source.integers(1, 4, size=happened.size)
    scores = np.sort(source.random(items.shape), axis=1)[:, ::-1]
    return Frames(_frame(users, happened, "grade", grades), _frame(users, items, "score", scores.ravel()))


def _frame(users: int, items: Any, last: str, values: Any) -> pl.DataFrame:  # noqa: ANN401 - arrays of numpy
    import numpy as np
    import polars as pl

    return pl.DataFrame(
        {"user_id": np.repeat(np.arange(users), items.shape[1]), "item_id": items.ravel(), last: values}
    )
