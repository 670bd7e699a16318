"""What Spark computes, to the bit: `python -m tests.engines.spark.one_number KIND MEASURE…`."""

from __future__ import annotations

import json
import sys
from typing import Any

from tests.engines.spark.data import JUDGED, RANKED, rows
from tests.engines.spark.parts import USUAL, merged, watched
from tests.engines.spark.sessions import session

import rankgauge as rg


def summary(result: rg.Result) -> dict[str, Any]:
    """Means and intervals in hexadecimal digits, and counts, as JSON keeps them."""
    return {
        "means": {name: value.hex() for name, value in result.means.items()},
        "intervals": {name: [end.hex() for end in result.interval(name)] for name in result.means},
        "counts": result.counts,
    }


def main(kind: str, *measures: str) -> None:
    judged, ranked = rows()
    with session(remote=kind == "connect") as spark, watched() as received:
        tables = spark.createDataFrame(judged, JUDGED), spark.createDataFrame(ranked, RANKED)
        result = rg.evaluate(*tables, list(measures), engine="spark")
        assert [merged(each) for each in received] == [USUAL]  # a single part would be merged with nothing
        sys.stdout.write(json.dumps(summary(result)))


if __name__ == "__main__":
    main(*sys.argv[1:])
