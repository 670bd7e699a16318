"""The formula as papers and textbooks have it."""

from __future__ import annotations

from typing import Final

from rankgauge.conventions.convention import Convention
from rankgauge.conventions.terms import EXP2, LIST_LENGTH, binary, jarvelin

WANG: Final = "Wang et al. 2013, A Theoretical Analysis of NDCG Type Ranking Measures, COLT"

TEXTBOOK: Final = Convention(
    name="textbook",
    summary="Linear gain over log2(rank + 1); the ideal is all judged items, cut at k; no k means the list's length.",
    reproduces="the usual formula",
    source="docs/guides/ndcg.md",
    cite=WANG,
)

TEXTBOOK_CLIPPED: Final = Convention(
    name="textbook-clipped",
    ideal=LIST_LENGTH,
    summary="As textbook, but k is never longer than the list: a short list is not penalised for being short.",
    reproduces="the usual formula with k = min(k, len(list))",
    source="docs/guides/ndcg.md",
    cite=WANG,
)

BURGES: Final = Convention(
    name="burges",
    gain=EXP2,
    summary="As textbook with the gain 2^grade - 1, which puts the weight on the highest grades.",
    reproduces="the formula of RankNet and most learning to rank since",
    source="section 6 of the paper",
    cite="Burges et al. 2005, Learning to Rank using Gradient Descent, ICML",
)

JARVELIN: Final = Convention(
    name="jarvelin",
    discount=jarvelin(2),
    summary="The original discount: none below rank b, then log_b(rank); default b: 2.",
    reproduces="the formula of 2002",
    source="section 2.2 of the paper",
    cite="Järvelin & Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4)",
)

IMPLICIT_FEEDBACK: Final = Convention(
    name="implicit-feedback",
    gain=binary(),
    summary="Gain 1 for each held-out item; the ideal has min(k, number of held-out items) terms.",
    reproduces="the usual formula for held-out items",
    source="docs/guides/ndcg.md",
    cite="He et al. 2017, Neural Collaborative Filtering, WWW",
)

KAGGLE: Final = Convention(
    name="kaggle",
    gain=EXP2,
    ties="reversed",
    summary="Gain 2^grade - 1; the ideal is all judged items, cut at k: Expedia at 38, Airbnb at 5.",
    reproduces="the formula of Kaggle's competitions with NDCG, as their pages state it",
    source="the evaluation pages of Expedia Personalized Sort (2013) and Airbnb New User Bookings (2015)",
    cite="Kaggle, Personalize Expedia Hotel Searches, ICDM 2013",
    quirks=("scores are compared as participants' scorers sort them: descending by a reversed ascending sort",),
    undefined={"ties": "the competitions ask for an order, and scorers differ in what they make of equal scores"},
)
