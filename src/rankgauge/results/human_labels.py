"""Values of queries by human and by machine labels, side by side: what a combined estimate is made of."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text
from rankgauge.notation import counted
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.statistics.prediction_powered import FEWEST_HUMAN, PredictionPowered, prediction_powered

# A sample whose machine values differ from those of the other queries with a smaller p-value is remarked on.
UNLIKE: Final = 0.001


def require_means(request: Request) -> None:
    """Raise for a measure whose number over all queries is no mean of values; with NaN among them there is none."""
    if request.effective.nothing_relevant == "nan":
        raise RankgaugeError("not-combined", got="nothing_relevant=nan")
    for measure in request.measures:
        if measure.letters or measure.aggregate != "mean":
            raise RankgaugeError("not-combined", got=request.label(measure))


def combined(human: Mapping[str, float], machine: Mapping[str, float], *, bounded: bool) -> PredictionPowered:
    """Combine the values of queries by human labels with those by machine labels; NaN is a query that does not count.

    Which queries count may differ between the two: a query without a relevant item may be left out. So that a
    sample stays one, a query that does not count is kept with the mean, and the distances of those that do are scaled
    up to the number of all: the ratio of sums to counts, linearised.
    """
    shared = [query for query in machine if query in human]
    labelled = [human[query] for query in shared]
    counting = sum(not math.isnan(value) for value in labelled)
    if counting < FEWEST_HUMAN:
        raise RankgaugeError("few-human-labels", least=FEWEST_HUMAN, got=counting)
    truth = _all_counting(labelled)
    guesses = dict(zip(machine, _all_counting(list(machine.values())), strict=True))
    others = [guess for query, guess in guesses.items() if query not in human]
    return prediction_powered(truth, [guesses[query] for query in shared], others, bounded=bounded)


def _all_counting(values: Sequence[float]) -> list[float]:
    """Return values with the same mean, in which every query counts.

    >>> _all_counting([0.0, 1.0, math.nan, math.nan])
    [-0.5, 1.5, 0.5, 0.5]
    """
    counting = [value for value in values if not math.isnan(value)]
    if not counting:
        return [0.0] * len(values)
    mean, scale = math.fsum(counting) / len(counting), len(values) / len(counting)
    return [mean if math.isnan(value) else mean + scale * (value - mean) for value in values]


def sample_remarks(estimates: Mapping[str, PredictionPowered], left_out: int) -> Iterator[Remark]:
    """Say on what condition the estimates hold, what the machine was worth, and what does not look like a sample."""
    first = next(iter(estimates.values()))
    sample, everything = first.human.n, counted(first.queries, "query", "queries")
    text = Text(
        "machine labels of {queries}, corrected by human labels of {sample:,} of them; right whatever the machine's "
        "bias, if the {sample:,} are a random sample",
        queries=everything,
        sample=sample,
    )
    yield Remark.of("human-sample", text)
    for label, estimate in estimates.items():
        yield Remark.of("machine-worth", _worth(label, estimate))
    if left_out:
        text = Text.counted(
            left_out,
            "{n:,} query has no machine labels; left out",
            "{n:,} queries have no machine labels; left out",
        )
        yield Remark.of("human-only", text)
    for label, estimate in estimates.items():
        if estimate.p_sample < UNLIKE:
            text = Text(
                "{}: the machine's mean differs between queries with and without human labels (p < {})",
                label,
                str(UNLIKE),
            )
            yield Remark.of("unlike-sample", text)


def _worth(label: str, estimate: PredictionPowered) -> Text:
    """Say how many human labels the machine stood for, and how many would halve the interval."""
    human, queries = estimate.to_halve
    half = Text("half the interval takes human labels of {:,} of {:,} queries", human, queries)
    if queries == estimate.queries:
        half = Text("half the interval takes human labels of {:,} of these {:,} queries", human, queries)
    return Text(
        "{label}: {n:,} human-labelled queries count as {effective:,} (λ = {weight}); {half}",
        label=label,
        n=estimate.human.n,
        effective=round(estimate.effective),
        weight=estimate.weight,
        half=half,
    )
