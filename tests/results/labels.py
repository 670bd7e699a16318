"""Queries that a machine labelled, and people a sample of them."""

from __future__ import annotations

import random
from typing import NamedTuple

Grades = dict[str, dict[str, int]]
Ranking = dict[str, list[str]]


class Labels(NamedTuple):
    """True grades of all queries, what a machine says of them, what people say of 50, and two rankings."""

    truth: Grades
    machine: Grades
    human: Grades
    old: Ranking
    new: Ranking


def labels(seed: int = 3, queries: int = 400, sample: int = 50) -> Labels:
    """Draw grades; the machine calls one in five items better than it is."""
    draw = random.Random(seed)
    made = Labels({}, {}, {}, {}, {})
    for query in (f"q{number:03}" for number in range(queries)):
        grades = {f"d{item}": draw.choice([0, 0, 0, 1, 2]) for item in range(12)}
        made.truth[query] = grades
        made.machine[query] = {
            item: grade if draw.random() < 0.8 else draw.choice([1, 1, 2]) for item, grade in grades.items()
        }
        made.old[query] = sorted(grades, key=lambda item: draw.gauss(0.0, 2.0) - grades[item])
        made.new[query] = sorted(grades, key=lambda item: draw.gauss(0.0, 1.2) - grades[item])
    made.human.update({query: made.truth[query] for query in draw.sample(sorted(made.truth), sample)})
    return made
