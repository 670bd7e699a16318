"""TREC files: a ranking as search toolkits write it, and its judgments."""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

from benchmarks.datasets.folder import FOLDER


class TrecFiles(NamedTuple):
    judgments: Path
    ranking: Path
    rows: int


def trec_files(queries: int, depth: int) -> TrecFiles:
    """Numeric ids, six decimals, best first; about ten judgments a query."""
    judgments = FOLDER / f"judgments-{queries}x{depth}.txt"
    ranking = FOLDER / f"ranking-{queries}x{depth}.txt"
    if not ranking.exists():
        FOLDER.mkdir(exist_ok=True)
        _write(judgments, ranking, queries, depth)
    return TrecFiles(judgments, ranking, queries * depth)


def _write(judgments: Path, ranking: Path, queries: int, depth: int) -> None:
    source = random.Random(1)
    draft = ranking.with_suffix(".draft")
    with judgments.open("w", encoding="ascii") as grades, draft.open("w", encoding="ascii") as rows:
        for query in source.sample(range(1_000, 1_200_000), queries):
            documents = source.sample(range(8_841_823), depth)
            score = 20.0 + source.random() * 10.0
            lines = []
            for rank, document in enumerate(documents, start=1):
                score -= source.random() * 0.02
                lines.append(f"{query} Q0 {document} {rank} {score:.6f} engine\n")
            rows.writelines(lines)
            near_the_top = {documents[min(int(source.expovariate(1 / 15)), depth - 1)] for _ in range(8)}
            judged = [*sorted(near_the_top), *source.sample(range(8_841_823, 9_000_000), 2)]
            grades.writelines(f"{query} 0 {document} {source.choice([0, 1, 1, 2, 3])}\n" for document in judged)
    draft.replace(ranking)
