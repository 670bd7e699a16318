"""Numbers of items and queries, which are added up over queries, and the utility of a set."""

from __future__ import annotations

from typing import Final

from rankgauge.measures.averaged import RETRIEVAL_EVALUATION
from rankgauge.measures.counted import Counted
from rankgauge.measures.measure import Number


def _total(name: str, title: str, formula: str, *aliases: str) -> Counted:
    return Counted(
        name=name,
        counts=name.replace("_", "-"),
        aggregate="sum",
        is_share=False,
        takes_cutoff=False,
        title=title,
        formula=formula,
        cite=RETRIEVAL_EVALUATION,
        aliases=aliases,
    )


NUM_Q: Final = _total("num_q", "Number of queries", "1 per query, added up", "numq")
NUM_RET: Final = _total("num_ret", "Number of ranked items", "ranked items, added up", "numret")
NUM_REL: Final = _total("num_rel", "Number of relevant items", "relevant items, added up", "numrel")
NUM_REL_RET: Final = _total(
    "num_rel_ret", "Number of relevant items in the ranking", "relevant ranked items, added up", "numrelret"
)
NUM_NONREL_JUDGED_RET: Final = _total(
    "num_nonrel_judged_ret", "Number of irrelevant judged items in the ranking", "irrelevant judged items, added up"
)

UTILITY: Final = Counted(
    name="utility",
    counts="utility",
    parameters=(
        Number(name="hit", default=1.0, means="the worth of a relevant item that is ranked"),
        Number(name="noise", default=-1.0, means="the worth of another item that is ranked"),
        Number(name="miss", default=0.0, means="the worth of a relevant item that is not ranked"),
        Number(name="rest", default=0.0, means="the worth of another item that is not ranked"),
        Number(name="documents", default=0.0, low=0.0, means="the items of the collection, for the rest"),
    ),
    takes_cutoff=False,
    is_share=False,
    title="Utility of the ranking as a set",
    formula="hit · relevant ranked + noise · others ranked + miss · relevant not ranked + rest · others not ranked",
    cite="Lewis 1996, The TREC-4 Filtering Track, TREC",
)
