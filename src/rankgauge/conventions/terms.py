"""The terms of the formula: gain, discount and ideal, as values with a text form.

>>> Gain.parse("binary(2)"), Discount.parse("jarvelin(10)"), Ideal.parse("perfect")
(binary(2), jarvelin(10), perfect)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final, Literal

from rankgauge.checks import bad_number, require_choice, require_finite
from rankgauge.errors import RankgaugeError
from rankgauge.immutable_value import Value
from rankgauge.notation import format_number, parse_number, split_call, split_pair

GainKind = Literal["linear", "exp2", "binary", "share", "chance", "table"]
DiscountKind = Literal["log", "jarvelin", "clipped", "reciprocal", "geometric", "table"]
IdealKind = Literal["judged", "uncut", "ranked", "top", "list-length", "perfect"]

GAINS: Final[Mapping[str, str]] = {
    "linear": "the grade itself; linear(1=3,2=9) has exceptions",
    "exp2": "2^grade - 1; exp2(s) is 2^(grade + s) - 1",
    "binary": "1 for a positive grade that reaches the threshold t of binary(t), else 0",
    "share": "grade / t, share(t), the share of the highest grade t; without t, of that in the query",
    "chance": "(2^grade - 1) / 2^t, chance(t), where t is the highest grade of the scale",
    "table": "table(0=0,1=3,…): the gain of each grade, looked up",
}
DISCOUNTS: Final[Mapping[str, str]] = {
    "log2": "1 / log2(rank + 1)",
    "log": "1 / log_b(rank + 1), log(b); b cancels in NDCG",
    "jarvelin": "1 below rank b, then 1 / log_b(rank): the 2002 form, jarvelin(b), default base 2",
    "clipped": "1 / log2(max(rank, 2))",
    "reciprocal": "1 / rank",
    "geometric": "(1 - p) p^(rank - 1), geometric(p): a reader goes on to the next rank with probability p",
    "table": "table(1,0.6,…): the weight of each rank, 0 beyond the last",
}
IDEALS: Final[Mapping[str, str]] = {
    "judged": "all judged items, best first, cut at k",
    "uncut": "all judged items, best first, never cut",
    "ranked": "only the items in the ranking, best first, cut at k",
    "top": "only the items in the first k ranks, best first",
    "list-length": "all judged items, best first, cut at k and at the length of the ranking",
    "perfect": "k positions of the highest gain g, perfect(g), default 1",
}


_bad_term: Final = partial(bad_number, hint="see `rankgauge conventions`")
# The largest exponent for which 2**exponent is a finite float.
HIGHEST_OF_CHANCE: Final = 1000


_EXPONENTIAL: Final = "did you mean 'exp2', which is 2^grade - 1?"


class Gain(Value):
    """The gain of a grade.

    >>> Gain("binary", threshold=3), Gain("table", table=((0, 0), (1, 3)))
    (binary(3), table(0=0,1=3))
    """

    __slots__ = ("kind", "threshold", "table", "shift", "top")  # noqa: RUF023 - the order of the parameters

    kind: GainKind
    threshold: float
    table: tuple[tuple[float, float], ...]
    shift: float
    top: float | None

    def __init__(
        self,
        kind: GainKind,
        threshold: float = 0.0,
        table: tuple[tuple[float, float], ...] = (),
        shift: float = 0.0,
        top: float | None = None,
    ) -> None:
        """Check the terms, and keep them."""
        self._keep(kind, threshold, table, shift, top)
        require_choice("gain", self.kind, GAINS)
        require_finite("gain", self.threshold)
        require_finite("gain", self.shift)
        if (bool(self.table) and self.kind not in ("table", "linear")) or (self.kind == "table" and not self.table):
            raise _bad_term("gain", "table(grade=gain,…) with at least one grade", self.kind)
        if self.kind == "chance" and self.top is None:
            raise _bad_term("gain", "chance(t) with the highest grade of the scale", self.kind)
        if self.top is not None and not 0.0 < self.top < float("inf"):
            raise _bad_term("the highest grade", "greater than 0", self.top)
        if self.kind == "chance" and self.top is not None and self.top > HIGHEST_OF_CHANCE:
            raise _bad_term("the highest grade", f"at most {HIGHEST_OF_CHANCE}", self.top)
        for grade, gain in self.table:
            require_finite("gain table", grade)
            _require_weight("gain table", gain)

    def __str__(self) -> str:
        if self.table:
            return _call(self.kind, (f"{format_number(grade)}={format_number(gain)}" for grade, gain in self.table))
        if self.top is not None:
            return _call(self.kind, [format_number(self.top)])
        if self.kind == "binary" and self.threshold:
            return _call("binary", [format_number(self.threshold)])
        if self.kind == "exp2" and self.shift:
            return _call("exp2", [format_number(self.shift)])
        return self.kind

    @classmethod
    def parse(cls, text: str) -> Gain:
        """Read the text form: `linear`, `exp2`, `exp2(1)`, `binary`, `binary(2)`, `share(4)`, `table(0=0,1=3)`."""
        kind, arguments = split_call(text, "gain(…)")
        require_choice("gain", kind, GAINS, _EXPONENTIAL if kind.lower().startswith("exp") else "")
        if kind in ("table", "linear"):
            pairs = (split_pair(argument, f"{kind}(grade=gain,…)") for argument in arguments)
            rows = ((parse_number(grade, "grade"), parse_number(gain, "gain")) for grade, gain in pairs)
            return cls(kind, table=tuple(rows))  # type: ignore[arg-type]
        if kind in ("share", "chance") and len(arguments) == 1:
            return cls(kind, top=parse_number(arguments[0], "the highest grade"))  # type: ignore[arg-type]
        if kind == "binary" and len(arguments) == 1:
            return cls("binary", threshold=parse_number(arguments[0], "threshold"))
        if kind == "exp2" and len(arguments) == 1:
            return cls("exp2", shift=parse_number(arguments[0], "shift"))
        _require_no_arguments(text, arguments, GAINS[kind])
        return cls(kind)  # type: ignore[arg-type]


class Discount(Value):
    """The weight of a rank, which never increases with the rank.

    >>> Discount("log", base=10), Discount("table", table=(1, 0.5))
    (log(10), table(1,0.5))
    """

    __slots__ = ("kind", "base", "table")  # noqa: RUF023 - the order of the parameters

    kind: DiscountKind
    base: float
    table: tuple[float, ...]

    def __init__(self, kind: DiscountKind, base: float = 2.0, table: tuple[float, ...] = ()) -> None:
        """Check the terms, and keep them."""
        self._keep(kind, base, table)
        require_choice("discount", self.kind, DISCOUNTS)
        if self.kind == "geometric":
            if not 0.0 < self.base < 1.0:
                raise _bad_term("the persistence of geometric(p)", "between 0 and 1", self.base)
        elif not 1.0 < self.base < float("inf"):
            raise _bad_term("the base of the logarithm", "greater than 1", self.base)
        if (self.kind == "table") != bool(self.table):
            raise _bad_term("discount", "table(weight,…) with at least one weight", self.kind)
        for weight in self.table:
            _require_weight("discount table", weight)
        if any(earlier < later for earlier, later in zip(self.table, self.table[1:], strict=False)):
            raise _bad_term("discount table", "weights that never grow with the rank", self.table)

    def __str__(self) -> str:
        if self.kind == "table":
            return _call("table", map(format_number, self.table))
        if self.kind == "log" and self.base == 2.0:
            return "log2"
        if self.kind in ("log", "geometric") or (self.kind == "jarvelin" and self.base != 2.0):
            return _call(self.kind, [format_number(self.base)])
        return self.kind

    @classmethod
    def parse(cls, text: str) -> Discount:
        """Read the text form: `log2`, `log(10)`, `jarvelin(2)`, `clipped`, `geometric(0.8)`, `table(1,0.5)`."""
        kind, arguments = split_call(text, "discount(…)")
        require_choice("discount", kind, DISCOUNTS)
        if kind == "table":
            return cls("table", table=tuple(parse_number(weight, "weight") for weight in arguments))
        if kind in ("log", "jarvelin", "geometric") and len(arguments) == 1:
            return cls(kind, base=parse_number(arguments[0], "base"))  # type: ignore[arg-type]
        if kind in ("log", "geometric"):
            raise RankgaugeError("bad-notation", form=f"{kind}(number)", got=text)
        _require_no_arguments(text, arguments, DISCOUNTS[kind])
        return cls("log" if kind == "log2" else kind)  # type: ignore[arg-type]


class Ideal(Value):
    """The best ranking that the actual one is divided by.

    >>> Ideal("judged"), Ideal("perfect", top=3)
    (judged, perfect(3))
    """

    __slots__ = ("kind", "top")

    kind: IdealKind
    top: float

    def __init__(self, kind: IdealKind, top: float = 1.0) -> None:
        """Check the terms, and keep them."""
        self._keep(kind, top)
        require_choice("ideal", self.kind, IDEALS)
        if not 0.0 < self.top < float("inf"):
            raise _bad_term("the highest gain of a perfect position", "greater than 0", self.top)

    def __str__(self) -> str:
        return self.kind if self.top == 1.0 else _call(self.kind, [format_number(self.top)])

    @classmethod
    def parse(cls, text: str) -> Ideal:
        """Read the text form: `judged`, `uncut`, `ranked`, `top`, `list-length`, `perfect`, `perfect(3)`."""
        kind, arguments = split_call(text, "ideal(…)")
        require_choice("ideal", kind, IDEALS)
        if kind == "perfect" and len(arguments) == 1:
            return cls("perfect", top=parse_number(arguments[0], "top"))
        _require_no_arguments(text, arguments, IDEALS[kind])
        return cls(kind)  # type: ignore[arg-type]


def binary(threshold: float = 0.0) -> Gain:
    """Return the gain that counts each positive grade of at least `threshold` as 1.

    >>> binary(2)
    binary(2)
    """
    return Gain("binary", threshold=threshold)


def jarvelin(base: float = 2.0) -> Discount:
    """Return Järvelin and Kekäläinen's discount: none below rank `base`, then 1 / log_base(rank).

    >>> jarvelin(10)
    jarvelin(10)
    """
    return Discount("jarvelin", base=base)


def _call(name: str, arguments: Iterable[str]) -> str:
    return f"{name}({','.join(arguments)})"


def _require_weight(field: str, number: float) -> None:
    if not 0.0 <= number < float("inf"):
        raise _bad_term(field, "numbers of at least 0", number)


def _require_no_arguments(text: str, arguments: list[str], meaning: str) -> None:
    if arguments:
        raise RankgaugeError("bad-notation", form=meaning, got=text)


TERMS: Final[Mapping[str, type[Gain | Discount | Ideal]]] = {"gain": Gain, "discount": Discount, "ideal": Ideal}
LINEAR: Final = Gain("linear")
EXP2: Final = Gain("exp2")
LOG2: Final = Discount("log")
CLIPPED: Final = Discount("clipped")
RECIPROCAL: Final = Discount("reciprocal")
JUDGED: Final = Ideal("judged")
LIST_LENGTH: Final = Ideal("list-length")
RANKED: Final = Ideal("ranked")
TOP: Final = Ideal("top")
PERFECT: Final = Ideal("perfect")
