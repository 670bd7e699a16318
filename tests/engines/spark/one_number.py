"""The means that Spark computes, in hexadecimal digits: `python -m tests.engines.spark.one_number KIND MEASURE…`."""

from __future__ import annotations

import json
import sys

from tests.engines.spark.data import JUDGED, RANKED, rows
from tests.engines.spark.sessions import session

import rankgauge as rg


def main(kind: str, *measures: str) -> None:
    judged, ranked = rows()
    with session(remote=kind == "connect") as spark:
        tables = spark.createDataFrame(judged, JUDGED), spark.createDataFrame(ranked, RANKED)
        means = rg.evaluate(*tables, list(measures), engine="spark").means
    sys.stdout.write(json.dumps({name: value.hex() for name, value in means.items()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
