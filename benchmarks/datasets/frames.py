"""Frames of a recommender: what users did, and what they were recommended."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from benchmarks.datasets.folder import kept

if TYPE_CHECKING:
    import polars as pl

ITEMS = 50_000
# A prime: multiples of anything else, modulo it, differ.
PRIME = 999_999_937

# Dense ids are 0, 1, 2 …; sparse ones are users 7, 20, 33 … and items up to 10^9; strings are the sparse ones as text.
IdKind = Literal["dense", "sparse", "strings"]
# Whether the rows of a user lie together, best first, or anywhere.
RowOrder = Literal["grouped", "random"]


class Frames(NamedTuple):
    """`interactions` has user_id, item_id, grade; `recommendations` has user_id, item_id, score."""

    interactions: pl.DataFrame
    recommendations: pl.DataFrame


def recommender_files(users: int, depth: int, ids: IdKind = "dense", order: RowOrder = "grouped") -> Path:
    """A folder with interactions.parquet and recommendations.parquet; the latter has ranks as well, for RecTools."""
    name = f"recommender-{users}x{depth}-{ids}" + ("" if order == "grouped" else f"-{order}")
    return kept(name, lambda draft: _write(draft, random_frames(users, depth), ids, order))


def _write(folder: Path, frames: Frames, ids: IdKind, order: RowOrder) -> None:
    import polars as pl

    interactions, recommendations = (with_ids(frame, ids) for frame in frames)
    rank = pl.col("score").rank("ordinal", descending=True).over("user_id").cast(pl.Int64)
    written = {"interactions": interactions, "recommendations": recommendations.with_columns(rank=rank)}
    for name, frame in written.items():
        rows = frame if order == "grouped" else frame.sample(fraction=1, shuffle=True, seed=5)
        rows.write_parquet(folder / f"{name}.parquet")


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


def with_ids(frame: pl.DataFrame, ids: IdKind) -> pl.DataFrame:
    """Return a frame of dense ids with ids of that kind."""
    import polars as pl

    if ids == "dense":
        return frame
    frame = frame.with_columns(user_id=pl.col("user_id") * 13 + 7, item_id=pl.col("item_id") * 7_368_787 % PRIME)
    if ids == "sparse":
        return frame
    return frame.with_columns(
        pl.format("u{}", "user_id").alias("user_id"), pl.format("i{}", "item_id").alias("item_id")
    )


def _frame(users: int, items: Any, last: str, values: Any) -> pl.DataFrame:  # noqa: ANN401 - arrays of numpy
    import numpy as np
    import polars as pl

    return pl.DataFrame(
        {"user_id": np.repeat(np.arange(users), items.shape[1]), "item_id": items.ravel(), last: values}
    )
