"""Arrays of labels and scores: a dense table of queries and items, and groups of uneven sizes in one flat array."""

from __future__ import annotations

from pathlib import Path

from benchmarks.datasets.folder import kept


def dense_arrays(queries: int, items: int) -> Path:
    """A folder with labels.npy and scores.npy, both queries × items; scores know something of the labels."""
    return kept(f"dense-{queries}x{items}", lambda draft: _write_dense(draft, queries, items))


def grouped_arrays(groups: int) -> Path:
    """A folder with labels.npy, scores.npy and sizes.npy: groups of 100 to 300 rows, one after the other.

    Scores are 32-bit floats kept as 64-bit ones, so that tools which compare 32-bit floats see the same ties.
    """
    return kept(f"grouped-{groups}", lambda draft: _write_grouped(draft, groups))


def _write_dense(folder: Path, queries: int, items: int) -> None:
    import numpy as np

    source = np.random.default_rng(1)
    labels = source.choice([0.0, 1.0, 2.0, 3.0], size=(queries, items), p=[0.9, 0.06, 0.03, 0.01])
    np.save(folder / "labels.npy", labels)
    np.save(folder / "scores.npy", 0.8 * labels + source.standard_normal((queries, items)))


def _write_grouped(folder: Path, groups: int) -> None:
    import numpy as np

    source = np.random.default_rng(2)
    sizes = source.integers(100, 301, size=groups)
    labels = source.choice([0.0, 1.0, 2.0, 3.0, 4.0], size=int(sizes.sum()), p=[0.6, 0.2, 0.12, 0.06, 0.02])
    scores = (0.4 * labels + source.standard_normal(len(labels))).astype(np.float32)
    np.save(folder / "sizes.npy", sizes)
    np.save(folder / "labels.npy", labels)
    np.save(folder / "scores.npy", scores.astype(np.float64))
