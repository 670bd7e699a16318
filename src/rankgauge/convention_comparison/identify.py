"""The conventions that give a published number, to its printed digits."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from rankgauge import conventions
from rankgauge.checks import bad_number
from rankgauge.convention_comparison.trials import Trials, measure_remarks, unclaimed_remark
from rankgauge.inputs.types import JudgmentsInput, RankingInput
from rankgauge.languages import Text
from rankgauge.measures import Measure
from rankgauge.presentation.parts import Part
from rankgauge.presentation.parts_mixin import PartsMixin
from rankgauge.presentation.table import Table
from rankgauge.remarks import Remark

SHOWN_NEAREST = 5

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rankgauge.shared_keywords import Settings


@dataclass(frozen=True, slots=True, repr=False)
class Identified(PartsMixin):
    """The conventions that give a number, and those that come nearest to it.

    `unclaimed` has those whose tool has no defined answer to traits of this data, and the traits.
    """

    measure: Measure
    printed: str
    percent: bool
    matches: dict[str, float]
    nearest: dict[str, float]
    unclaimed: dict[str, tuple[str, ...]]
    # What was remarked on while the inputs were read, and what is severe about the result under the default convention.
    data_remarks: tuple[Remark, ...] = ()

    def table(self) -> Table:
        """Return a row per convention that gives the number, or else per convention that comes near."""
        conventions_shown = self.matches or self.nearest
        return Table(
            [Text("convention"), str(self.measure), Text("what it reproduces")],
            [
                [f"{name}{'*' if name in self.unclaimed else ''}", value, conventions.NAMED[name].reproduces]
                for name, value in conventions_shown.items()
            ],
        )

    def parts(self) -> list[Part]:
        """Return the texts and tables that a person reads."""
        head = Text("no convention gives {printed}", printed=self.printed)
        if self.matches:
            head = Text.counted(
                len(self.matches),
                "{n} convention gives {printed}",
                "{n} conventions give {printed}",
                printed=self.printed,
            )
        head = Text("{}, read as a percentage", head) if self.percent else head
        below = [] if self.matches else ["", Text("These come nearest.")]
        remarks: list[Part] = ["", *self.remarks] if self.remarks else []
        return [head, "", self.table(), *below, *remarks]

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """The remarks on the table."""
        shown = [self.unclaimed[name] for name in self.matches or self.nearest if name in self.unclaimed]
        unclaimed = (unclaimed_remark({trait for traits in shown for trait in traits}),) if shown else ()
        named = map(conventions.get, self.matches or self.nearest)
        return (*unclaimed, *measure_remarks(self.measure, named), *self.data_remarks)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, with all digits."""
        return {
            "measure": str(self.measure),
            "printed": self.printed,
            "percent": self.percent,
            "matches": self.matches,
            "nearest": self.nearest,
            "unclaimed": {name: list(traits) for name, traits in self.unclaimed.items()},
            "remarks": [remark.to_dict() for remark in self.remarks],
        }


def identify(
    judgments: JudgmentsInput,
    ranking: RankingInput | None,
    measure: str | Measure | None,
    value: str | float,
    **settings: Unpack[Settings],
) -> Identified:
    """Say which named conventions give this number, to its printed digits: "0.80" has two, 0.7967 four.

    Parameters:
        judgments: what `rg.evaluate` takes.
        ranking: what `rg.evaluate` takes.
        measure: one measure, or None for that of `rg.evaluate`.
        value: the number as it was printed; a text keeps a zero at the end that a number does not. A normalised measure
            above 1 is read as a percentage.
        settings: further keywords of `rg.evaluate`, such as `depth` and `columns`.

    >>> import rankgauge as rg
    >>> identified = rg.conventions.identify({"q": {"a": 1, "b": 3}}, {"q": ["a", "b"]}, "ndcg@2", "0.710")
    >>> "lightgbm" in identified.matches, "sklearn" in identified.matches
    (True, False)

    """
    return identify_value(Trials.of(judgments, ranking, measure, **settings), value)


def identify_value(trials: Trials, value: str | float) -> Identified:
    """Say which conventions give a number in their trials; see `identify`."""
    printed = _printed(value)
    percent = trials.measure.is_share and printed > 1
    target = printed / 100 if percent else printed
    values = {name: trials.under(convention).value for name, convention in conventions.NAMED.items()}
    known = {name: value for name, value in values.items() if value is not None}
    by_distance = sorted(known, key=lambda name: abs(Decimal(known[name]) - target))
    half = _last_digit(target) / 2
    matches = {name: known[name] for name in by_distance if abs(Decimal(known[name]) - target) <= half}
    near = {name: known[name] for name in by_distance[:SHOWN_NEAREST]}
    unclaimed = {name: trials.unclaimed(conventions.NAMED[name]) for name in known}
    named = {name: traits for name, traits in unclaimed.items() if traits}
    remarks = trials.data_remarks(trials.under(conventions.get(trials.convention)))
    return Identified(trials.measure, str(value).strip(), percent, matches, near, named, remarks)


def _printed(value: str | float) -> Decimal:
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite():
        hint = 'give it as a text where its last digit is 0, as in "0.7100"'
        raise bad_number("value", "the number as it was printed", value, hint)
    return number


def _last_digit(number: Decimal) -> Decimal:
    """Return one unit of the last digit, and a grain more for the rounding of binary fractions."""
    exponent = number.as_tuple().exponent
    return Decimal(1).scaleb(int(exponent)) * Decimal("1.000001")
