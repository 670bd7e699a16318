"""Conventions: every question that the formula leaves open, answered, and named after who answers it so.

A convention is data. To add one, add a literal below: the command line, the help, the docs and the tests find it.

>>> get("trec_eval").ties
'id-descending'
>>> get("trec_eval(missing=zero)").missing
'zero'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple

from rankgauge.errors import RankgaugeError, nearest
from rankgauge.notation import as_whole, split_call, split_parameters
from rankgauge.terms import (
    DISCOUNTS,
    EXP2,
    GAINS,
    IDEALS,
    JUDGED,
    LINEAR,
    LIST_LENGTH,
    LOG2,
    PERFECT,
    RANKED,
    TERMS,
    Discount,
    Gain,
    Ideal,
    binary,
    jarvelin,
    require_choice,
)

DefaultCutoff = int | Literal["list", "all"]
Ties = Literal["id-descending", "id-ascending", "given", "reversed", "average", "worst", "best"]
Precision = Literal["float64", "float32"]
NothingRelevant = Literal["zero", "one", "nan", "skip", "error"]
Missing = Literal["skip", "zero", "error"]
Unjudged = Literal["zero", "drop", "error"]
Negative = Literal["zero", "keep", "error"]
Duplicates = Literal["error", "first", "last"]


class Question(NamedTuple):
    """A question that the formula leaves open, and what each answer means."""

    text: str
    answers: Mapping[str, str]


QUESTIONS: Final[Mapping[str, Question]] = {
    "gain": Question("What is a grade worth?", GAINS),
    "discount": Question("What is a rank worth?", DISCOUNTS),
    "ideal": Question("Which best ranking is the actual one divided by?", IDEALS),
    "default_cutoff": Question(
        "What does a measure without @k cut?",
        {
            "list": "k is the length of the ranking",
            "all": "nothing: the whole ranking and the whole ideal",
            "a number": "the cutoff",
        },
    ),
    "ties": Question(
        "In which order are items with equal scores?",
        {
            "id-descending": "by item id, bytewise, last first",
            "id-ascending": "by item id, bytewise, first first",
            "given": "as they came",
            "reversed": "the reverse of how they came",
            "average": "the mean over all their orders",
            "worst": "lowest grade first",
            "best": "highest grade first",
        },
    ),
    "precision": Question(
        "How precisely are scores compared?",
        {"float64": "as 64-bit floats", "float32": "rounded to 32-bit floats, which makes near-ties ties"},
    ),
    "nothing_relevant": Question(
        "What is a query worth whose ideal is 0?",
        {
            "zero": "0, and it counts",
            "one": "1, and it counts",
            "nan": "NaN, and so is the mean",
            "skip": "left out of the mean",
            "error": "an error",
        },
    ),
    "missing": Question(
        "What is a judged query worth that the ranking lacks?",
        {"skip": "left out of the mean", "zero": "counted as an empty ranking, worth 0", "error": "an error"},
    ),
    "unjudged": Question(
        "What is a ranked item without a judgment?",
        {
            "zero": "gain 0, and it keeps its rank",
            "drop": "removed before ranking, as is one with a negative grade that counts as 0",
            "error": "an error",
        },
    ),
    "negative": Question(
        "What is a negative grade?",
        {"zero": "gain 0", "keep": "what the gain makes of it", "error": "an error"},
    ),
    "duplicates": Question(
        "What if an item comes twice in a query?",
        {"error": "an error", "first": "the first row counts", "last": "the last row counts"},
    ),
    "decimals": Question(
        "To how many decimals is the mean rounded?", {"None": "not rounded", "a number": "rounded to so many decimals"}
    ),
}


@dataclass(frozen=True, kw_only=True, repr=False)
class Convention:
    """An answer to every question of `QUESTIONS`, with the tool or text that it reproduces.

    Prints as it is typed; `replace` changes answers.

    >>> convention = get("textbook").replace(gain="exp2", ties="average")
    >>> convention
    textbook(gain=exp2,ties=average)
    >>> convention == get("textbook(gain=exp2,ties=average)")
    True
    """

    name: str
    gain: Gain = LINEAR
    discount: Discount = LOG2
    ideal: Ideal = JUDGED
    default_cutoff: DefaultCutoff = "list"
    ties: Ties = "given"
    precision: Precision = "float64"
    nothing_relevant: NothingRelevant = "zero"
    missing: Missing = "zero"
    unjudged: Unjudged = "zero"
    negative: Negative = "zero"
    duplicates: Duplicates = "error"
    decimals: int | None = None
    summary: str = ""
    reproduces: str = ""
    source: str = ""
    cite: str = ""

    def __post_init__(self) -> None:
        for field, term in TERMS.items():
            if not isinstance(getattr(self, field), term):
                require_choice(field, repr(getattr(self, field)), QUESTIONS[field].answers, QUESTIONS[field].text)
        for field in ("ties", "precision", "nothing_relevant", "missing", "unjudged", "negative", "duplicates"):
            question = QUESTIONS[field]
            require_choice(field, getattr(self, field), question.answers, question.text)
        _require_whole("default_cutoff", self.default_cutoff, range(1, 2**31), ("list", "all"))
        _require_whole("decimals", self.decimals, range(18), (None,))

    @property
    def changes(self) -> dict[str, str]:
        """The answers that differ from the named convention of the same name."""
        base = NAMED.get(self.name, self)
        return {field: str(self[field]) for field in QUESTIONS if self[field] != base[field]}

    @property
    def bounded(self) -> bool:
        """Whether 0 ≤ NDCG ≤ 1 is promised."""
        return self.negative != "keep" and self.ideal.kind != "perfect"

    def __getitem__(self, field: str) -> Any:  # noqa: ANN401 - each field has its own type
        return getattr(self, field)

    def __str__(self) -> str:
        changes = ",".join(f"{field}={value}" for field, value in self.changes.items())
        return f"{self.name}({changes})" if changes else self.name

    __repr__ = __str__

    def replace(self, **changes: object) -> Convention:
        """Return this convention with other answers, given as values or in their text form.

        For a convention with a name and a source of its own, use `dataclasses.replace`.
        """
        for field in changes:
            if field not in QUESTIONS:
                raise RankgaugeError(
                    "unknown-parameter",
                    owner=f"the convention {self.name}",
                    known=", ".join(QUESTIONS),
                    got=field,
                    nearest=nearest(field, QUESTIONS),
                    example="trec_eval(missing=zero)",
                )
        return replace(self, **{field: _parse_answer(field, value) for field, value in changes.items()})  # type: ignore[arg-type]


def _parse_answer(field: str, value: object) -> object:
    if not isinstance(value, str):
        return value
    if field in ("default_cutoff", "decimals") and value.isdecimal() and len(value) <= 20:
        return int(value)
    if field == "decimals" and value == "None":
        return None
    return TERMS[field].parse(value) if field in TERMS else value


def _require_whole(field: str, got: object, known: range, others: tuple[object, ...]) -> None:
    number = as_whole(got)
    if (number is None or number not in known) and got not in others:
        expected = " or ".join([f"a whole number from {known[0]} to {known[-1]:,}", *map(repr, others)])
        raise RankgaugeError("bad-number", field=field, expected=expected, got=got, hint=QUESTIONS[field].text)


TEXTBOOK: Final = Convention(
    name="textbook",
    summary="Linear gain over log2(rank + 1); the ideal is all judged items, cut at k; no k means the list's length.",
    reproduces="the usual formula",
    source="docs/guides/ndcg.md",
    cite="Wang et al. 2013, A Theoretical Analysis of NDCG Type Ranking Measures, COLT",
)

TEXTBOOK_CLIPPED: Final = Convention(
    name="textbook-clipped",
    ideal=LIST_LENGTH,
    summary="As textbook, but k is never longer than the list: a short list is not penalised for being short.",
    reproduces="the usual formula with k = min(k, len(list))",
    source="docs/guides/ndcg.md",
    cite="Wang et al. 2013, A Theoretical Analysis of NDCG Type Ranking Measures, COLT",
)

TREC_EVAL: Final = Convention(
    name="trec_eval",
    default_cutoff="all",
    ties="id-descending",
    missing="skip",
    summary="As textbook, but ties go by item id, `ndcg` without k never cuts the ideal, missing queries are left out.",
    reproduces="trec_eval 10.0, ndcg and ndcg_cut",
    source="m_ndcg.c, m_ndcg_cut.c, form_res_rels.c",
    cite="National Institute of Standards and Technology, trec_eval",
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
    summary="The original discount: none below rank b, then log_b(rank); b is 2 unless said.",
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

SKLEARN: Final = Convention(
    name="sklearn",
    ideal=RANKED,
    ties="average",
    negative="error",
    summary="Linear gain; equal scores share the mean of their gains; the ideal is the best order of the rows given.",
    reproduces="scikit-learn 1.9, ndcg_score and dcg_score",
    source="sklearn/metrics/_ranking.py",
    cite="McSherry & Najork 2008, Computing Information Retrieval Performance Measures Efficiently with Ties, ECIR",
)

LIGHTGBM: Final = Convention(
    name="lightgbm",
    gain=EXP2,
    ideal=RANKED,
    nothing_relevant="one",
    negative="error",
    summary="Gain 2^grade - 1; ties in row order; the ideal is the best order of the rows; nothing relevant is 1.",
    reproduces="LightGBM 4.7, metric ndcg",
    source="src/metric/rank_metric.hpp, dcg_calculator.cpp",
    cite="Ke et al. 2017, LightGBM: A Highly Efficient Gradient Boosting Decision Tree, NIPS",
)

XGBOOST: Final = Convention(
    name="xgboost",
    gain=EXP2,
    ideal=RANKED,
    default_cutoff=32,
    precision="float32",
    nothing_relevant="one",
    negative="error",
    summary="As lightgbm, but scores are 32-bit floats, which makes near ones equal, and ndcg without k is cut at 32.",
    reproduces="XGBoost 3.2, metric ndcg",
    source="src/metric/rank_metric.cc, src/common/ranking_utils.h",
    cite="Chen & Guestrin 2016, XGBoost: A Scalable Tree Boosting System, KDD",
)

RECTOOLS: Final = Convention(
    name="rectools",
    gain=binary(),
    ideal=PERFECT,
    missing="zero",
    summary="Gain 1 for each relevant item over k perfect positions, so few relevant items cannot reach 1.",
    reproduces="RecTools 0.19, NDCG with its defaults",
    source="rectools/metrics/ranking.py",
    cite="MTS AI, RecTools",
)

NAMED: Final[Mapping[str, Convention]] = {
    value.name: value for value in list(globals().values()) if isinstance(value, Convention)
}


def get(convention: str | Convention, **changes: object) -> Convention:
    """Return the convention of that name, with changes in parentheses or as keywords; None changes nothing.

    >>> get("jarvelin(discount=jarvelin(10))").discount
    jarvelin(10)
    >>> get("trec-eval")
    Traceback (most recent call last):
        ...
    rankgauge.errors.RankgaugeError: expected a convention (textbook, ...), got 'trec-eval'. Hint: did you mean ...
    """
    given = {field: value for field, value in changes.items() if value is not None}
    if isinstance(convention, Convention):
        return convention.replace(**given)
    name, arguments = split_call(str(convention), "convention(field=value,…)")
    if name not in NAMED:
        raise RankgaugeError("unknown-convention", known=", ".join(NAMED), got=name, nearest=nearest(name, NAMED))
    return NAMED[name].replace(**split_parameters(arguments)).replace(**given)
