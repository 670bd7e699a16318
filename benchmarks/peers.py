"""The contenders: each prints the value that it computed and how long a second, warm evaluation took.

Run as `python -m benchmarks.peers NAME FILE…`, so that the whole process is what is timed.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

Work = Callable[[], float]


def rankgauge_files(judgments: str, ranking: str) -> Work:
    import rankgauge as rg

    return lambda: rg.evaluate(judgments, ranking, "ndcg@10")["ndcg@10"]


def rankgauge_many(judgments: str, ranking: str) -> Work:
    import rankgauge as rg

    cutoffs = ("", "@1", "@3", "@5", "@10", "@20", "@50", "@100")
    measures = [f"{name}{at}" for name in ("ndcg", "dcg") for at in cutoffs][:15]
    return lambda: rg.evaluate(judgments, ranking, measures)["ndcg@10"]


def pytrec_eval_files(judgments: str, ranking: str) -> Work:
    import pytrec_eval

    def work() -> float:
        with Path(judgments).open(encoding="utf-8") as file:
            qrel = pytrec_eval.parse_qrel(file)
        with Path(ranking).open(encoding="utf-8") as file:
            run = pytrec_eval.parse_run(file)
        values = pytrec_eval.RelevanceEvaluator(qrel, {"ndcg_cut.10"}).evaluate(run)
        return sum(measures["ndcg_cut_10"] for measures in values.values()) / len(values)

    return work


CONTENDERS = {work.__name__: work for work in (rankgauge_files, rankgauge_many, pytrec_eval_files)}


def main() -> None:
    name, *files = sys.argv[1:]
    work = CONTENDERS[name](*files)
    value = work()
    start = time.perf_counter()
    work()
    print(json.dumps({"value": value, "warm": time.perf_counter() - start}))


if __name__ == "__main__":
    main()
