"""A convention: an answer to every question that the formula leaves open, with the tool or text it comes from."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple

from rankgauge.checks import require_choice, require_whole_or
from rankgauge.conventions.literals_by_name import LiteralsByName
from rankgauge.conventions.terms import (
    DISCOUNTS,
    GAINS,
    IDEALS,
    JUDGED,
    LINEAR,
    LOG2,
    TERMS,
    Discount,
    Gain,
    Ideal,
)
from rankgauge.errors import RankgaugeError, nearest

DefaultCutoff = int | Literal["list", "all"]
Ties = Literal["id-descending", "id-ascending", "given", "reversed", "average", "worst", "best"]
Precision = Literal["float64", "float32"]
NothingRelevant = Literal["zero", "one", "nan", "skip", "error"]
Missing = Literal["skip", "zero", "error"]
Unjudged = Literal["zero", "drop", "error"]
Negative = Literal["zero", "keep", "drop", "error"]
Duplicates = Literal["error", "first", "last"]
OwnId = Literal["keep", "drop"]


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
        {
            "zero": "gain 0",
            "keep": "what the gain makes of it",
            "drop": "no item: it is removed before ranking",
            "error": "an error",
        },
    ),
    "duplicates": Question(
        "What if an item comes twice in a query?",
        {"error": "an error", "first": "the first row counts", "last": "the last row counts"},
    ),
    "own_id": Question(
        "What is a ranked item that has the id of its query?",
        {"keep": "an item like any other", "drop": "removed before ranking: the query found itself"},
    ),
    "decimals": Question(
        "To how many decimals is the mean rounded?", {"None": "not rounded", "a number": "rounded to so many decimals"}
    ),
}


# Traits of data for which the result of a tool may be undefined.
UNCLAIMED: Final[Mapping[str, str]] = {
    "ties": "equal scores",
    "fractional grades": "grades that are no whole numbers",
    "negative grades": "grades below 0",
    "missing queries": "judged queries that the ranking lacks",
    "unjudged queries": "ranked queries without judgments",
}


@dataclass(frozen=True, kw_only=True, repr=False)
class Convention:
    """An answer to every question of `QUESTIONS`, with the tool or text that it reproduces.

    Prints as it is typed; `replace` changes answers.

    >>> from rankgauge.conventions import get
    >>> convention = get("textbook").replace(gain="exp2", ties="average")
    >>> convention
    textbook(gain=exp2,ties=average)
    >>> convention == get("textbook(gain=exp2,ties=average)")
    True

    `reproduces` is the tool with the version that was checked, `source` where it computes NDCG, `quirks` what may
    surprise and is reproduced. `undefined` has the data for which equality with the tool is not claimed, and why:
    a key of `UNCLAIMED` each. `measures` says which measure the tool means by a name, where it is not the one that has
    the name here, and `proven` for which measures, by their names here, the tool was asked and says the same.
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
    own_id: OwnId = "keep"
    decimals: int | None = None
    summary: str = ""
    reproduces: str = ""
    source: str = ""
    cite: str = ""
    quirks: tuple[str, ...] = ()
    undefined: Mapping[str, str] = dataclasses.field(default_factory=dict, hash=False)
    measures: Mapping[str, str] = dataclasses.field(default_factory=dict, hash=False)
    proven: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for field, term in TERMS.items():
            if not isinstance(getattr(self, field), term):
                require_choice(field, repr(getattr(self, field)), QUESTIONS[field].answers, QUESTIONS[field].text)
        for field in (
            "ties",
            "precision",
            "nothing_relevant",
            "missing",
            "unjudged",
            "negative",
            "duplicates",
            "own_id",
        ):
            question = QUESTIONS[field]
            require_choice(field, getattr(self, field), question.answers, question.text)
        for field, known, others in (
            ("default_cutoff", range(1, 2**31), ("list", "all")),
            ("decimals", range(18), (None,)),
        ):
            require_whole_or(field, getattr(self, field), known, others, QUESTIONS[field].text)
        for data in self.undefined:
            require_choice("undefined", data, UNCLAIMED, "for which data is equality with the tool not claimed?")

    @property
    def changes(self) -> dict[str, str]:
        """The answers that differ from the named convention of the same name."""
        return self.changes_from(NAMED.get(self.name, self))

    def changes_from(self, other: Convention) -> dict[str, str]:
        """Return the answers that differ from those of another convention.

        Parameters:
            other: the convention to compare with.

        >>> from rankgauge.conventions import get
        >>> get("burges").changes_from(get("textbook"))
        {'gain': 'exp2'}

        """
        return {field: str(self[field]) for field in QUESTIONS if self[field] != other[field]}

    @property
    def answers(self) -> tuple[object, ...]:
        """The answers to all questions, in their order; conventions with equal answers compute equal values."""
        return tuple(self[field] for field in QUESTIONS)

    @property
    def bounded(self) -> bool:
        """Whether NDCG is between 0 and 1 for all data."""
        return self.negative != "keep" and self.ideal.kind != "perfect"

    def meaning(self, field: str) -> str:
        """Return what the answer to a question means; `binary(2)` is explained as `binary`.

        Parameters:
            field: a question of `rg.conventions.QUESTIONS`, such as `ties`.

        >>> from rankgauge.conventions import get
        >>> get("textbook(gain=binary(2))").meaning("gain")
        '1 for a positive grade that reaches the threshold t of binary(t), else 0'

        """
        answer = str(self[field])
        return QUESTIONS[field].answers["a number" if answer.isdecimal() else answer.partition("(")[0]]

    def __getitem__(self, field: str) -> Any:  # noqa: ANN401 - each field has its own type
        return getattr(self, field)

    def __str__(self) -> str:
        changes = ",".join(f"{field}={value}" for field, value in self.changes.items())
        return f"{self.name}({changes})" if changes else self.name

    __repr__ = __str__

    def replace(self, **changes: object) -> Convention:
        """Return this convention with other answers, given as values or in their text form.

        For a convention with a name and a source of its own, use `dataclasses.replace`.

        Parameters:
            changes: answers by question, as of `rg.conventions.QUESTIONS`.

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


# The fields of the tools: each is the name of the file that has their conventions.
FIELDS: Final = ("textbook", "search", "learning_to_rank", "recommenders")

NAMED: Final = LiteralsByName("rankgauge.conventions", FIELDS, Convention, lambda convention: [convention.name])
