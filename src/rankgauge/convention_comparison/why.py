"""From one convention to another, one answer at a time: what each step does to the number, and to which queries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankgauge import conventions
from rankgauge.convention_comparison.trials import Trial, Trials
from rankgauge.conventions.convention import QUESTIONS, Convention
from rankgauge.inputs.types import JudgmentsInput, RankingInput
from rankgauge.languages import Text
from rankgauge.languages.escapes import printable
from rankgauge.languages.text import headings
from rankgauge.measures import Measure
from rankgauge.presentation.ids import id_text, sorted_as_numbers
from rankgauge.presentation.parts import Part
from rankgauge.presentation.parts_mixin import PartsMixin
from rankgauge.presentation.table import Table
from rankgauge.remarks import Remark

SHOWN_QUERIES = 3

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rankgauge.shared_keywords import Settings


@dataclass(frozen=True, slots=True)
class Step:
    """One answer changed: the value after it, how far that moved it, and the queries that moved, most first.

    A query that enters the mean or leaves it has None for the value that it does not have.
    """

    field: str
    before: str
    after: str
    value: float | None
    moved: float | None
    queries: dict[Any, tuple[float | None, float | None]]
    refusal: str | None


@dataclass(frozen=True, slots=True, repr=False)
class Walk(PartsMixin):
    """The way from one convention to another."""

    measure: Measure
    start: Convention
    end: Convention
    start_value: float | None
    end_value: float | None
    steps: tuple[Step, ...]
    # What was remarked on while the inputs were read, and what is severe about the result under the first convention.
    remarks: tuple[Remark, ...] = ()

    def table(self) -> Table:
        """Return a row per step."""
        rows = [
            [
                f"{step.field}: {step.before} → {step.after}",
                step.value,
                step.moved,
                len(step.queries),
                step.refusal or _most_moved(step),
            ]
            for step in self.steps
        ]
        return Table([Text("step"), str(self.measure), *headings("moved", "queries", "most moved")], rows)

    def parts(self) -> list[Part]:
        """Return the texts and tables that a person reads."""
        first = self._value_of(self.start, self.start_value)
        last = self._value_of(self.end, self.end_value)
        if not self.steps:
            return [first, last, Text("the two give the same answers to all questions"), *self.remarks]
        return [first, "", self.table(), "", last, *self.remarks]

    def _value_of(self, convention: Convention, value: float | None) -> str:
        return Text("{}: {} = {}", convention, self.measure, "–" if value is None else value)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, with all digits."""
        return {
            "measure": str(self.measure),
            "from": {"convention": str(self.start), "value": self.start_value},
            "to": {"convention": str(self.end), "value": self.end_value},
            "steps": [
                {
                    "field": step.field,
                    "before": step.before,
                    "after": step.after,
                    "value": step.value,
                    "moved": step.moved,
                    "queries": {query: list(values) for query, values in step.queries.items()},
                    "refusal": step.refusal,
                }
                for step in self.steps
            ],
            "remarks": [remark.to_dict() for remark in self.remarks],
        }


def why(
    judgments: JudgmentsInput,
    ranking: RankingInput | None,
    measure: str | Measure | None,
    start: str | Convention,
    end: str | Convention,
    **settings: Unpack[Settings],
) -> Walk:
    """Walk from one convention to another, one answer at a time, and say what each step does.

    The steps go in the order of the questions; where two answers work on each other, another order would share the
    difference among them in another way, but the two ends stay. The last step is from the measure that the one tool
    means by the name to that of the other, where they differ.

    Parameters:
        judgments: what `rg.evaluate` takes.
        ranking: what `rg.evaluate` takes.
        measure: one measure, or None for that of `rg.evaluate`.
        start: the convention of the first number.
        end: the convention of the second number.
        settings: further keywords of `rg.evaluate`, such as `depth` and `columns`.

    >>> import rankgauge as rg
    >>> print(rg.conventions.why({"q": {"a": 1, "b": 3, "x": 2}}, {"q": ["a", "b"]}, "ndcg@2", "lightgbm", "sklearn"))
    lightgbm: ndcg@2 = 0.7098
    <BLANKLINE>
    step                            ndcg@2   moved  queries  most moved
    gain: exp2 → linear             0.7967  0.0869        1  q 0.7098 → 0.7967
    ties: given → average           0.7967  0.0000        0
    nothing_relevant: one → zero    0.7967  0.0000        0
    <BLANKLINE>
    sklearn: ndcg@2 = 0.7967

    """
    return walk(Trials.of(judgments, ranking, measure, **settings), start, end)


def walk(trials: Trials, start: str | Convention, end: str | Convention) -> Walk:
    """Walk from one convention to another by trials; see `why`."""
    first, last = conventions.get(start), conventions.get(end)
    steps, current = [], first
    for field in QUESTIONS:
        if current[field] != last[field]:
            # Intermediate conventions have no name: they are neither the first nor the last.
            changed = current.replace(**{field: last[field]})
            told = str(current[field]), str(last[field])
            steps.append(_step(field, told, trials.under(current), trials.under(changed)))
            current = changed
    told = str(trials.meant(current)), str(trials.meant(last))
    if told[0] != told[1]:
        steps.append(_step("measure", told, trials.under(current), trials.under(last)))
    begin, finish = trials.under(first), trials.under(last)
    return Walk(trials.measure, first, last, begin.value, finish.value, tuple(steps), trials.data_remarks(begin))


def _step(field: str, told: tuple[str, str], before: Trial, after: Trial) -> Step:
    both = before.value is not None and after.value is not None
    return Step(
        field=field,
        before=told[0],
        after=told[1],
        value=after.value,
        moved=after.value - before.value if both else None,  # type: ignore[operator]
        queries=_moved_queries(before, after) if both else {},
        refusal=after.refusal,
    )


def _moved_queries(before: Trial, after: Trial) -> dict[Any, tuple[float | None, float | None]]:
    old, new = before.per_query, after.per_query
    moved = {query: (old.get(query), new.get(query)) for query in sorted_as_numbers(sorted(old.keys() | new.keys()))}
    changed = [(query, pair) for query, pair in moved.items() if not _same(*pair)]
    changed.sort(key=lambda row: -abs((row[1][1] or 0.0) - (row[1][0] or 0.0)))
    return dict(changed)


def _same(old: float | None, new: float | None) -> bool:
    return old == new or (old is not None and new is not None and math.isnan(old) and math.isnan(new))


def _most_moved(step: Step) -> str:
    shown = list(step.queries.items())[:SHOWN_QUERIES]
    more = len(step.queries) - len(shown)
    moved = (Text("{} {} → {}", printable(id_text(query)), *map(_value, values)) for query, values in shown)
    text = Text.joined(", ", moved)
    return Text("{}, {:,} more", text, more) if more else text


def _value(value: float | None) -> str | float:
    return Text("left out") if value is None else value
