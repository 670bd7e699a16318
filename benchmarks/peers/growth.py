"""Ever more of one thing while the others stay: rows per query, queries, judged items, measures, runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.datasets.frames import PRIME
from benchmarks.peers.work import Work

if TYPE_CHECKING:
    import polars as pl

MEASURES = [f"ndcg@{k}" for k in range(1, 1_001)]


def rows(count: str) -> Work:
    """One query of that many ranked items, a hundred of them judged; few of these are among the first ranks."""
    return evaluated(1, int(count), 100, ["map", "ndcg@10"])


def queries(count: str) -> Work:
    """That many queries of one ranked and judged item."""
    return evaluated(int(count), 1, 1)


def printed(count: str) -> Work:
    """That many queries of one ranked and judged item, all of whose values are printed in a table."""
    import rankgauge as rg
    from rankgauge.presentation.parts import parts_to_text

    judgments, ranking = tables(int(count), 1, 1)

    def work() -> float:
        result = rg.evaluate(judgments, ranking, ["ndcg@10", "map"])
        return float(len(parts_to_text(result.parts(per_query=True))))

    return work


def judged(count: str) -> Work:
    """One query of that many judged items, and a thousand ranked ones."""
    return evaluated(1, 1_000, int(count))


def explain(count: str) -> Work:
    """One query of that many ranked items, and as many judged ones, which is explained rank by rank."""
    import rankgauge as rg

    judgments, ranking = tables(1, int(count), int(count))
    return lambda: rg.explain(judgments, ranking, measure="ndcg").value


def measures(count: str) -> Work:
    """A thousand queries of a hundred items, and that many measures."""
    return evaluated(1_000, 100, 10, MEASURES[: int(count)])


def runs(count: str) -> Work:
    """A hundred queries of a hundred items, and that many runs, which are compared."""
    import rankgauge as rg

    judgments, _ = tables(100, 100, 10)
    rankings = {f"run {seed}": tables(100, 100, 10, seed)[1] for seed in range(int(count))}

    compared = ("ndcg@10", "run 1", "run 0")
    return lambda: rg.compare(judgments, rankings, "ndcg@10", baseline="run 0").pair(*compared).difference


def evaluated(queries: int, ranked: int, judged: int, measures: list[str] | None = None) -> Work:
    import rankgauge as rg

    judgments, ranking = tables(queries, ranked, judged)
    asked = measures or ["ndcg@10", "map"]
    return lambda: rg.evaluate(judgments, ranking, asked)[asked[0]]


def tables(queries: int, ranked: int, judged: int, seed: int = 8) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Sparse integer ids; half of the judged items are ranked, all where there are few."""
    source = np.random.default_rng(seed)
    users = np.arange(queries) * 13 + 7
    items = source.permutation(ranked + judged) * 7_368_787 % PRIME
    return (
        frame(users, items[:judged], "grade", source.integers(1, 4, queries * judged)),
        frame(users, items[judged // 2 : judged // 2 + ranked], "score", source.random(queries * ranked)),
    )


def frame(users: NDArray[Any], items: NDArray[Any], last: str, values: NDArray[Any]) -> pl.DataFrame:
    import polars as pl

    keys = {"user_id": np.repeat(users, len(items)), "item_id": np.tile(items, len(users))}
    return pl.DataFrame({**keys, last: values})
