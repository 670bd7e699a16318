"""A measure: a declaration with a text form, an optional cutoff and parameters."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Final, Literal, NamedTuple

from rankgauge.checks import as_whole, bad_number, require_choice
from rankgauge.conventions import Convention
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.notation import format_number, parse_number

# How the values of queries become one number.
Aggregate = Literal["mean", "sum", "geometric", "weighted", "union"]
# What a measure may need of judgments beside grades. A position serves as a propensity: the measure says how likely
# each position is to be seen.
Annotation = Literal["subtopic", "propensity"]


def read_number(value: object, field: str) -> float:
    """Return a finite number as a float; a text is parsed."""
    try:
        text = value if isinstance(value, str) else repr(float(value))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        text = repr(value)
    return parse_number(text, field)


class Number(NamedTuple):
    """A numeric parameter, or a list of numbers: its default and its range.

    >>> Number(name="p", default=0.8, low=0, high=1, strict=True).read("0.95")
    0.95
    """

    name: str
    default: float | tuple[float, ...]
    low: float = -math.inf
    high: float = math.inf
    # Whether the range excludes its ends.
    strict: bool = False
    means: str = ""

    def read(self, value: object) -> float | tuple[float, ...]:
        """Return a value or its text as a checked number; the text of several numbers separates them by slashes.

        Parameters:
            value: a number, several in a tuple, or the text of either.

        """
        if not isinstance(self.default, tuple):
            return self._number(value)
        parts = value.split("/") if isinstance(value, str) else value
        numbers = tuple(self._number(part) for part in (parts if isinstance(parts, Iterable) else (parts,)))
        if not numbers:
            raise self._refused(value)
        return numbers

    def write(self, value: float | tuple[float, ...]) -> str:
        """Return a value as it is typed.

        Parameters:
            value: a number, or several in a tuple.

        """
        return "/".join(map(format_number, value)) if isinstance(value, tuple) else format_number(value)

    def _number(self, value: object) -> float:
        number = read_number(value, self.name)
        if not (self.low < number < self.high if self.strict else self.low <= number <= self.high):
            raise self._refused(value)
        return number

    def _refused(self, value: object) -> RankgaugeError:
        hint = f"{self.means}; default: {self.write(self.default)}".removeprefix("; ")
        return bad_number(self.name, self._range(), value, hint)

    def _range(self) -> str:
        if self.high == math.inf:
            return f"{'greater than' if self.strict else 'at least'} {format_number(self.low)}"
        return f"{'between' if self.strict else 'from'} {format_number(self.low)} {'and' if self.strict else 'to'} " + (
            format_number(self.high)
        )


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Measure(ABC):
    """What is computed of a query, by a declaration: its name, formula and citation, what it takes, and a cutoff.

    `aliases` are the names that other tools have for it. `parameters` are its numbers, and `numbers` their values.
    `aggregate` says how the values of queries become one. `judged_only` leaves out unjudged items; a request makes it
    the answer of its convention. Prints as it is typed.

    >>> from rankgauge.measures import NDCG
    >>> NDCG(discount="reciprocal") @ 5
    ndcg(discount=reciprocal)@5
    """

    # The family, by which each engine finds the function; the native engine refuses one that it does not know.
    family: ClassVar[str]

    name: str
    title: str
    formula: str
    cite: str
    aliases: tuple[str, ...] = ()
    parameters: tuple[Number, ...] = ()
    # The numbers that were given; None leaves one to the declaration, or to what a tool means by the name.
    given: tuple[float | tuple[float, ...] | None, ...] = ()
    aggregate: Aggregate = "mean"
    # Whether its values are from 0 to 1.
    is_share: bool = True
    takes_cutoff: bool = True
    # Whether a query that has no value is left out, whatever the convention says of those with nothing relevant.
    skips: bool = False
    k: int | None = None
    judged_only: bool = False

    def __post_init__(self) -> None:
        if not self.given:
            object.__setattr__(self, "given", (None,) * len(self.parameters))
        if self.k is None:
            return
        k = as_whole(self.k)
        if k is None or not 0 < k < 2**31:
            raise RankgaugeError("bad-cutoff", got=self.k)
        if not self.takes_cutoff:
            raise RankgaugeError("no-cutoff", measure=self.name, got=self.k)
        object.__setattr__(self, "k", k)  # an int, also where it came as one of NumPy's

    @property
    @abstractmethod
    def terms(self) -> Mapping[str, Callable[[object], object]]:
        """The parameters that are not plain numbers, each with the function that reads its value or text."""

    @property
    def takes(self) -> tuple[str, ...]:
        """The names of all parameters."""
        return (*self.terms, *(number.name for number in self.parameters))

    @property
    def numbers(self) -> tuple[float | tuple[float, ...], ...]:
        """The values of all parameters that are numbers."""
        pairs = zip(self.parameters, self.given, strict=True)
        return tuple(number.default if value is None else value for number, value in pairs)

    def number(self, name: str) -> Any:  # noqa: ANN401 - one number or several
        """Return the value of a parameter that is a number.

        Parameters:
            name: the name of a parameter.

        """
        return dict(zip((number.name for number in self.parameters), self.numbers, strict=True))[name]

    @property
    def example(self) -> str:
        """A text with a parameter, for messages."""
        return f"{self.name}@10" if self.takes_cutoff else self.name

    @property
    def annotation(self) -> Annotation | None:
        """The annotation that judgments must carry beside grades."""
        return None

    @property
    def needs_ids(self) -> bool:
        """Whether items are compared across queries, which is impossible for arrays: their items have no ids."""
        return False

    @property
    def letters(self) -> int:
        """How many letters its text has at most, where it has one instead of a number."""
        return 0

    def is_bounded(self, convention: Convention) -> bool:
        """Whether its values stay between 0 and 1 under a convention; negative grades that count may leave them.

        Parameters:
            convention: the convention under which it is computed.

        """
        return self.is_share and convention.negative != "keep"

    def takes_level(self, convention: Convention) -> bool:  # noqa: ARG002 - of measures of gains
        """Whether a relevance level changes anything.

        Parameters:
            convention: the convention under which it is computed.

        """
        return True

    def __matmul__(self, k: int) -> Measure:
        return replace(self, k=k)

    def __call__(self, **parameters: Any) -> Measure:  # noqa: ANN401 - a term, a number, or the text of one
        """Return the measure with parameters of its own, as values or in their text form."""
        for name in parameters:
            if name not in self.takes:
                raise RankgaugeError(
                    "unknown-parameter",
                    owner=self.name,
                    known=", ".join(self.takes) or "none",
                    got=name,
                    nearest=nearest(name, self.takes),
                    example=self.example,
                )
        terms: dict[str, Any] = {
            name: read(parameters[name]) for name, read in self.terms.items() if name in parameters
        }
        given = tuple(
            number.read(parameters[number.name]) if number.name in parameters else known
            for number, known in zip(self.parameters, self.given, strict=True)
        )
        return replace(self, given=given, **terms)

    def __str__(self) -> str:
        given = [(name, self.shown(name)) for name in self.takes]
        given += [("judged_only", "true")] if self.judged_only else []
        parameters = ",".join(f"{name}={value}" for name, value in given if value is not None)
        cutoff = f"@{self.k}" if self.k is not None else ""
        return f"{self.name}({parameters}){cutoff}" if parameters else f"{self.name}{cutoff}"

    __repr__ = __str__

    def shown(self, parameter: str) -> object:
        """Return a parameter as it is typed, or None if it was not given.

        Parameters:
            parameter: the name of a parameter.

        """
        if parameter in self.terms:
            return getattr(self, parameter)
        pairs = zip(self.parameters, self.given, strict=True)
        number, value = next(pair for pair in pairs if pair[0].name == parameter)
        return None if value is None else number.write(value)

    @abstractmethod
    def under(self, convention: Convention, level: float | None = None) -> Measure:
        """Return the measure with all terms set; those it leaves open come from the convention and relevance level.

        Parameters:
            convention: what answers the terms that are left open.
            level: the relevance level that was asked for; default: none was.

        """


def read_level(value: object) -> float:
    """Return a relevance level, or the one that a text says."""
    return read_number(value, "rel")


# Which relevant items there are: all that are judged so, or those of the ranking.
Relevant = Literal["judged", "ranked"]
# What a query without relevant items is worth to a measure that does not leave it to the convention.
NothingRelevant = Literal["zero", "one"]
NOTHING: Final[Mapping[NothingRelevant | None, float | None]] = {None: None, "zero": 0.0, "one": 1.0}


def _read_word(name: str, known: tuple[str, ...], hint: str, value: object) -> object:
    require_choice(name, value, known, hint)
    return value


read_relevant: Final = partial(
    _read_word, "relevant", ("judged", "ranked"), "all items that are judged relevant, or those of the ranking"
)
read_nothing: Final = partial(
    _read_word, "nothing_relevant", ("zero", "one"), "the value of a query without relevant items"
)
