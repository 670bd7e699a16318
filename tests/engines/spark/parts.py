"""What partitions send to the driver: the engine is watched, so that a test knows how many parts were merged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from rankgauge.engines import spark as engine
from rankgauge.engines.spark import PartitionResults

# The parts that are merged under the settings of the tests, where no partition is empty.
USUAL = 2


@contextmanager
def watched() -> Iterator[list[PartitionResults]]:
    """Collect what the engine received of each evaluation inside."""
    received: list[PartitionResults] = []
    evaluate = engine.evaluate

    def noted(*arguments: Any) -> PartitionResults:
        received.append(evaluate(*arguments))
        return received[-1]

    with mock.patch.object(engine, "evaluate", noted):
        yield received


def merged(results: PartitionResults, run: int = 0) -> int:
    """How many parts have an evaluation of a run."""
    return sum(part.run == run and part.evaluation is not None for part in results.parts)


def failed(results: PartitionResults) -> int:
    """How many parts have an error."""
    return sum(part.error is not None for part in results.parts)


def shuffles(frame: Any) -> int:
    """How many steps of a DataFrame, of those below a cache too, move rows between partitions."""
    steps = str(frame._jdf.queryExecution().analyzed())
    return len(re.findall(r"\b(?:Repartition\w*|Join|Aggregate|Window|Distinct|Sort) ", steps))
