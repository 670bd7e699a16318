"""What every convention says of the same ranking, side by side, equal values together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankgauge import conventions
from rankgauge.convention_comparison.trials import Trial, Trials, measure_remarks, unclaimed_remark
from rankgauge.conventions.convention import Convention
from rankgauge.inputs.types import JudgmentsInput, RankingInput
from rankgauge.languages import Text
from rankgauge.languages.text import headings
from rankgauge.measures import Measure
from rankgauge.presentation.parts import Part
from rankgauge.presentation.parts_mixin import PartsMixin
from rankgauge.presentation.table import Cell, Table
from rankgauge.remarks import Remark
from rankgauge.results.remarks import describe

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rankgauge.shared_keywords import Settings


@dataclass(frozen=True, slots=True)
class ConventionValue:
    """What one convention says: a value, or why it refuses the data.

    `difference` is its value less yours, `differs` the answers in which it differs from yours to questions that this
    data asks, and `unclaimed` the traits of the data for which the tool has no defined answer: there the value is the
    nearest defined one.
    """

    convention: Convention
    value: float | None
    difference: float | None
    differs: dict[str, str]
    refusal: str | None
    unclaimed: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class ConventionComparison(PartsMixin):
    """The values of all conventions, highest first, and what differs from yours."""

    measure: Measure
    yours: Convention
    said: tuple[ConventionValue, ...]
    # What was remarked on while the inputs were read, and what is severe about the result under your convention.
    data_remarks: tuple[Remark, ...] = ()

    def groups(self) -> list[list[ConventionValue]]:
        """Group conventions whose values are equal to twelve digits; the highest value first, refusals last."""
        by_value: dict[str | None, list[ConventionValue]] = {}
        for one in self.said:
            by_value.setdefault(_digits(one.value), []).append(one)
        return list(by_value.values())

    def table(self) -> Table:
        """Return a row per convention with all digits: its value, the difference from yours, what differs."""
        return Table(self._headers(), [self._row(one) for one in self.said])

    def grouped_table(self) -> Table:
        """Return the table with the value of each group of equal conventions written once."""
        rows: list[list[Cell]] = []
        for group in self.groups():
            first, *others = [self._row(one) for one in group]
            rows += [first, *([row[0], None, None, row[3]] for row in others)]
        return Table(self._headers(), [[_blank(cell) for cell in row] for row in rows])

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """The remarks on the table."""
        values = {_digits(one.value) for one in self.said if one.value is not None}
        compared = [one.convention for one in self.said]
        text = Text(
            "{compared} compared, {values} different values; yours is {yours}",
            compared=len(self.said),
            values=len(values),
            yours=describe(self.yours),
        )
        traits = {trait for one in self.said for trait in one.unclaimed}
        unclaimed = (unclaimed_remark(traits),) if traits else ()
        return (
            Remark.of("conventions", text),
            *measure_remarks(self.measure, compared),
            *unclaimed,
            *self.data_remarks,
        )

    def parts(self) -> list[Part]:
        """Return the texts and tables that a person reads."""
        return [self.grouped_table(), "", *self.remarks]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, with all digits."""
        return {
            "measure": str(self.measure),
            "convention": str(self.yours),
            "conventions": [
                {
                    "convention": str(one.convention),
                    "reproduces": one.convention.reproduces,
                    "value": one.value,
                    "difference": one.difference,
                    "differs": one.differs,
                    "refusal": one.refusal,
                    "unclaimed": list(one.unclaimed),
                }
                for one in self.said
            ],
            "remarks": [remark.to_dict() for remark in self.remarks],
        }

    def _headers(self) -> list[str]:
        return [Text("convention"), str(self.measure), *headings("difference", "what differs")]

    def _row(self, one: ConventionValue) -> list[Cell]:
        answers = ", ".join(f"{field}={answer}" for field, answer in one.differs.items())
        what = Text("refused: {}", one.refusal) if one.refusal else answers or Text("nothing")
        return [f"{one.convention}{'*' if one.unclaimed else ''}", one.value, one.difference, what]


def compare(
    judgments: JudgmentsInput,
    ranking: RankingInput | None = None,
    measure: str | Measure | None = None,
    *,
    convention: str | Convention | None = None,
    only: Iterable[str | Convention] | None = None,
    **settings: Unpack[Settings],
) -> ConventionComparison:
    """Say what every named convention makes of a ranking, and how each differs from yours.

    Parameters:
        judgments: what `rg.evaluate` takes.
        ranking: what `rg.evaluate` takes.
        measure: one measure; default: as for `rg.evaluate`.
        convention: yours, with which the others are compared; default: as for `rg.evaluate`.
        only: the conventions to compare with, which may have answers of your own: "sklearn(ties=given)"; default: all.
        settings: further keywords of `rg.evaluate`, such as `depth` and `columns`.

    >>> import rankgauge as rg
    >>> judgments = {"q": {"a": 1, "b": 3, "c": 0, "d": 2}}
    >>> compared = rg.conventions.compare(judgments, {"q": ["a", "b", "c", "d"]}, "ndcg@3")
    >>> [(str(one.convention), one.value) for one in compared.said if "lightgbm" in str(one.convention)]
    [('lightgbm', 0.5766666455144387)]

    """
    return compare_trials(Trials.of(judgments, ranking, measure, **settings), convention, only)


def compare_trials(
    trials: Trials, convention: str | Convention | None = None, only: Iterable[str | Convention] | None = None
) -> ConventionComparison:
    """Compare conventions by their trials; see `compare`."""
    yours = conventions.get(trials.convention if convention is None else convention)
    your_trial = trials.under(yours)
    asked = conventions.NAMED.values() if only is None else map(conventions.get, only)
    values = [_said(trials, trials.under(one), your_trial) for one in dict.fromkeys([yours, *asked])]
    values.sort(key=lambda one: (one.value is None, -(one.value or 0.0)))
    return ConventionComparison(trials.measure, yours, tuple(values), trials.data_remarks(your_trial))


def _said(trials: Trials, trial: Trial, yours: Trial) -> ConventionValue:
    both = trial.value is not None and yours.value is not None
    idle = trials.idle(trial, yours)
    changes = trial.convention.changes_from(yours.convention)
    return ConventionValue(
        convention=trial.convention,
        value=trial.value,
        difference=trial.value - yours.value if both else None,  # type: ignore[operator]
        differs={field: answer for field, answer in changes.items() if field not in idle},
        refusal=trial.refusal,
        unclaimed=trials.unclaimed(trial.convention),
    )


def _digits(value: float | None) -> str | None:
    return None if value is None else f"{value:.12g}"


def _blank(cell: Cell) -> Cell:
    return "" if cell is None else cell
