"""Judgments and runs of known quality, for tests of comparisons."""

from __future__ import annotations

import random
from pathlib import Path

Judged = dict[str, dict[str, int]]
Scored = dict[str, dict[str, float]]


def small_judgments(queries: int = 40, items: int = 15, seed: int = 1) -> Judged:
    source = random.Random(seed)
    return {
        f"q{query:02}": {f"d{item}": source.choice((0, 0, 1, 2)) for item in range(items)} | {"d0": 2}
        for query in range(queries)
    }


def run_with_noise(judgments: Judged, noise: float, seed: int) -> Scored:
    """Score items by their grade and noise: less noise makes a better run."""
    source = random.Random(seed)
    return {
        query: {item: grade + source.gauss(0.0, noise) for item, grade in grades.items()}
        for query, grades in judgments.items()
    }


def write_qrels(path: Path, judgments: Judged) -> Path:
    lines = [f"{query} 0 {item} {grade}\n" for query, grades in judgments.items() for item, grade in grades.items()]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def write_run(path: Path, run: Scored) -> Path:
    lines = [f"{query} Q0 {item} 0 {score!r} run\n" for query, scores in run.items() for item, score in scores.items()]
    path.write_text("".join(lines), encoding="utf-8")
    return path
