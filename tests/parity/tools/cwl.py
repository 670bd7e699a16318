"""cwl_eval: `NDCG-k`, which is scaled DCG: it divides by k documents of gain 1, whatever is judged."""

from __future__ import annotations

import tempfile
from pathlib import Path

from cwl.ruler.measures.cwl_dcg import NDCGCWLMetric
from cwl.ruler.ranking import RankingMaker
from cwl.seeker.trec_qrel_handler import TrecQrelHandler
from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case


def ask(case: Case, k: int | None) -> Printed:
    """Ask as its program does, query by query: there is no mean.

    Grades outside 0..1 are refused unless the bounds are said to be others, as `--min_gain` and `--max_gain` do.
    It takes the rows in the order of the file, whatever their scores, so they come best first.
    """
    grades = [f"{query} 0 {item} {grade!r}" for query, items in case.judgments.items() for item, grade in items.items()]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "judgments")
        path.write_text("\n".join(grades) + "\n", encoding="utf-8")
        gains = TrecQrelHandler(str(path))
    highest = max(1.0, *case.grades())
    gains.validate_gains(min_gain=min(0.0, *case.grades()), max_gain=highest)
    values = {}
    for query in case.ranking:
        maker = RankingMaker(query, gains, max_gain=highest)
        for item in case.ranked(query):
            maker.add(item, "Q0")
        values[query] = float(NDCGCWLMetric(k).measure(maker.get_ranking()))
    return Printed(values, None)


ADAPTERS = [
    Adapter(convention="cwl", package="cwl-eval", ask=ask, refuses={"uncut": "the cutoff is a required argument"})
]
