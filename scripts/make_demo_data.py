"""Make the data of `rankgauge demo`: src/rankgauge/demo_data/*.txt, the same each time.

Three small worlds in which the truth is known: a search engine whose scores follow the grades with noise, a
recommender that finds part of what its users buy later, and a stock model with a little skill.
"""

from __future__ import annotations

import random
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "src" / "rankgauge" / "demo_data"

Judgments = dict[str, dict[str, int]]
Ranking = dict[str, dict[str, float]]


def search(source: random.Random) -> tuple[Judgments, Ranking]:
    """Documents with grades 0 to 3 from a pool; the engine scores judged and unjudged ones."""
    judgments: Judgments = {}
    ranking: Ranking = {}
    for number in range(1, 41):
        query = f"q{number:02}"
        documents = [f"doc{source.randrange(10_000):04}" for _ in range(40)]
        grades = {document: source.choices([0, 1, 2, 3], [60, 22, 12, 6])[0] for document in documents[:30]}
        judgments[query] = grades
        scores = {document: round(grades.get(document, 0) * 0.8 + source.gauss(0, 1), 2) for document in documents}
        ranking[query] = dict(sorted(scores.items(), key=lambda pair: -pair[1])[:20])
    del ranking["q31"]  # an engine that returned nothing
    return judgments, ranking


def recommender(source: random.Random) -> tuple[Judgments, Ranking]:
    """Items bought later, and ten recommendations that hold some of them."""
    judgments: Judgments = {}
    ranking: Ranking = {}
    catalogue = [f"item{number:03}" for number in range(200)]
    for number in range(1, 61):
        bought = source.sample(catalogue, source.randint(1, 6))
        scores = {item: source.random() + (0.55 if item in bought else 0.0) for item in catalogue}
        best = sorted(scores.items(), key=lambda pair: -pair[1])[:10]
        judgments[f"user{number:02}"] = dict.fromkeys(bought, 1)
        ranking[f"user{number:02}"] = {item: round(score, 6) for item, score in best}
    return judgments, ranking


def stocks(source: random.Random) -> tuple[Judgments, Ranking]:
    """Quintiles of the 5-day forward return within each date, and a model that sees a little of it."""
    judgments: Judgments = {}
    ranking: Ranking = {}
    tickers = [f"{first}{second}" for first in "ABCDE" for second in "KLMNOP"]
    for week in range(24):
        date = f"2026-{1 + week // 4:02}-{1 + 7 * (week % 4):02}"
        returns = {ticker: source.gauss(0.002, 0.04) for ticker in tickers}
        order = sorted(returns, key=lambda ticker: returns[ticker])
        judgments[date] = {ticker: place * 5 // len(order) for place, ticker in enumerate(order)}
        ranking[date] = {ticker: round(returns[ticker] * 1.5 + source.gauss(0, 0.2), 6) for ticker in tickers}
    return judgments, ranking


def write(name: str, judgments: Judgments, ranking: Ranking) -> None:
    """Write both as TREC files."""
    grades = [f"{query} 0 {item} {grade}\n" for query, items in judgments.items() for item, grade in items.items()]
    (FOLDER / f"{name}.judgments.txt").write_text("".join(grades), encoding="utf-8")
    rows = []
    for query, items in ranking.items():
        best_first = sorted(items.items(), key=lambda pair: -pair[1])
        rows += [f"{query} Q0 {item} {rank} {score} demo\n" for rank, (item, score) in enumerate(best_first, start=1)]
    (FOLDER / f"{name}.ranking.txt").write_text("".join(rows), encoding="utf-8")


def main() -> None:
    """Write the three cases."""
    FOLDER.mkdir(exist_ok=True)
    for seed, make in enumerate((search, recommender, stocks), start=1):
        write(make.__name__, *make(random.Random(seed)))


if __name__ == "__main__":
    main()
