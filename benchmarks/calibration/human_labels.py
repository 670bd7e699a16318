"""Few human and many machine labels: how often the prediction-powered interval holds the true mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
from ppi_py import ppi_mean_ci

from benchmarks.calibration.values import Shape, Values, beta, hits, mixed
from rankgauge.statistics.prediction_powered import PredictionPowered, prediction_powered

# Queries that only the machine labelled.
OTHERS: Final = 1000


def _differences() -> Shape:
    """Differences of two systems, of which the first is better by 0.05 on average."""
    return Shape(lambda source, count: source.normal(0.05, 0.2, count), 0.05, bounded=False)


SHAPES: Final[Mapping[str, Shape]] = {
    "NDCG-like": beta(1.2, 0.9),
    "low AP, skewed": mixed(0.5, 3.0, zeros=0.3),
    "high recall": mixed(2.0, 1.0, ones=0.7),
    "hit at 90 %": hits(0.9),
    "differences of two runs": _differences(),
}


class Labels(NamedTuple):
    """Values by human and by machine labels of a sample, and by machine labels of other queries."""

    human: Values
    machine: Values
    machine_of_others: Values

    def powered(self, *, bounded: bool) -> PredictionPowered:
        """Estimate the mean of the human values."""
        human, machine, others = (column.tolist() for column in self)
        return prediction_powered(human, machine, others, bounded=bounded)


class Coverage(NamedTuple):
    """How often intervals held the true mean, ours and those of ppi-python, and how wide ours were, in percent.

    The width is that beside the human values alone.
    """

    ours: float
    ppi_python: float
    width: float


def labelled(source: np.random.Generator, shape: Shape, sample: int, others: int, agreement: float) -> Labels:
    """Draw labels of a biased machine that knows the true value with a probability, and else guesses."""
    truth = shape.draw(source, sample + others)
    guess = np.where(source.random(sample + others) < agreement, truth, shape.draw(source, sample + others))
    guess = 0.85 * guess + 0.1
    return Labels(truth[:sample], guess[:sample], guess[sample:])


def coverage(name: str, sample: int, agreement: float, repetitions: int, seed: int) -> Coverage:
    """Simulate labels, and count the intervals that hold the mean by human labels."""
    source, shape = np.random.default_rng(seed), SHAPES[name]
    ours, theirs, widths, alone = 0, 0, 0.0, 0.0
    for _ in range(repetitions):
        labels = labelled(source, shape, sample, OTHERS, agreement)
        estimate = labels.powered(bounded=shape.bounded)
        low, high = estimate.interval()
        ours += low <= shape.mean <= high
        widths += high - low
        of_human = estimate.human_interval()
        alone += of_human.high - of_human.low
        low, high = (float(end.item()) for end in ppi_mean_ci(*labels, alpha=0.05))
        theirs += low <= shape.mean <= high
    return Coverage(100.0 * ours / repetitions, 100.0 * theirs / repetitions, 100.0 * widths / alone)
