"""Which columns of a table are taken: by their names and, where these leave a choice, by the first rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Final, TypeAlias

from rankgauge.data.ranking import Ranking
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import formats, roles, sampled_values
from rankgauge.inputs.roles import ColumnFinder, Roles, Side
from rankgauge.inputs.sampled_values import SampledValues
from rankgauge.languages import Text
from rankgauge.remarks import Remark

if TYPE_CHECKING:
    from rankgauge._core import _Columns as Columns

# How many rows are looked at where names leave a choice.
HEAD_ROWS: Final = 2000
# The first rows of some columns of a table, as the core takes them.
Head: TypeAlias = "Callable[[Sequence[str]], Columns]"

# Columns of numbers that are never scores: times, and the index that programs write beside a table.
_NO_SCORES: Final = frozenset(
    map(
        roles.key,
        (
            *("timestamp", "time", "datetime", "event_time", "created_at", "day", "ts", "unixtime", "unix_review_time"),
            *("year", "month", "epoch", "시각", "시간", "일시"),
            *("", "index", "level_0", "unnamed_0", "Unnamed: 0", "iteration", "q0", "fold", "split"),
        ),
    )
)
# Where a ranking has no score, these are its ranks.
_RANKS: Final = frozenset(map(roles.key, (*roles.NAMES["position"], "pos", "place")))
# Names of scores of which the lowest is the best.
_DISTANCES: Final = frozenset({"distance", "dist", "loss", "cost", "perplexity"})
# Names of grades that are names of times as well.
_MAY_BE_TIMES: Final = frozenset({"purchased", "bought", "liked", "converted"})
# At most this many columns are searched for numbers that may be grades.
_MOST_TRIED: Final = 20


def choose(
    names: Sequence[str], side: Side, given: Mapping[str, str], place: str = "", head: Head | None = None
) -> Roles:
    """Return the columns that a side needs among `names`, with remarks on what was chosen for the caller.

    >>> chosen = choose(["qid", "query", "docno", "score"], "ranking", {})
    >>> for remark in chosen.remarks:
    ...     print(remark)
    columns: ranking query=qid, item=docno, score=score
    other columns: the ranking also has 'query' for query ('qid' was taken)
    """
    chosen = roles.find(names, side, given, place)
    table = _Table(ColumnFinder(names, roles.table_of(side), given, place), side, chosen, head)
    while table.grades_are_times():
        names = [name for name in names if name != table.chosen.value]
        table = _Table(table.finder, side, roles.find(names, side, given, place), head)
    if side == "ranking" and chosen.value is None:
        table = table.with_number()
    return table.chosen._replace(remarks=(*table.column_remarks(), *table.chosen.remarks, *table.value_remarks()))


class _Table:
    """A table and the columns that are chosen from it."""

    def __init__(self, finder: ColumnFinder, side: Side, chosen: Roles, head: Head | None) -> None:
        self.finder = finder
        self.side = side
        self.chosen = chosen
        self.head = head

    def values(self, column: str) -> SampledValues | None:
        """The values of a column in the first rows; None where it holds no numbers."""
        sample = self._sampled(Roles(self.chosen.query, self.chosen.item, column, descending=True))
        return None if sample is None else [[value for _, value in rows] for rows in sample.text_groups().values()]

    def _sampled(self, chosen: Roles) -> Ranking | None:
        """The first rows by other columns; None where these do not hold what they should."""
        if self.head is None:
            return None
        try:
            return Ranking.from_table(self.head(list(dict.fromkeys(chosen.columns))), chosen)
        except RankgaugeError:
            return None

    def grades_are_times(self) -> bool:
        """Whether the column that was found for the grades says when an item was bought, and not whether it was."""
        column = self.chosen.value
        if self.head is None or self.side == "ranking" or column is None or column in self.finder.given.values():
            return False
        if roles.key(column) not in _MAY_BE_TIMES:
            return False
        values = self.values(column)
        if values is not None:
            return not sampled_values.below_times(values)
        by_value = self._sampled(Roles(column, self.chosen.item, None, descending=True))
        return by_value is not None and all(map(formats.is_date, by_value.text_queries()))

    def with_number(self) -> _Table:
        """The table with its only column of numbers as the score, where it has no column of scores or ranks."""
        numbers = self._numbers(None, "grade", "position") or self._numbers("propensity")
        if not numbers:
            return self
        if len(numbers) > 1:
            raise self._ambiguous(f"the columns of numbers {roles.column_list(list(numbers))}", next(iter(numbers)))
        ((name, values),) = numbers.items()
        if roles.known_role(name) == "grade":
            text = Text(
                "no column of scores or ranks; {!r}, which is called like a grade, was taken for the score", name
            )
            return self._with_value(name, "score", Remark.of("grades-as-scores", text))
        if sampled_values.are_ranks(values):
            text = Text(
                "no column of scores or ranks; {!r} counts from 1 in each query and was taken for the rank", name
            )
            return self._with_value(name, "rank", Remark.of("number-as-score", text))
        if roles.key(name) in _RANKS and sampled_values.may_be_ranks(values):
            text = Text(
                "no column of scores or ranks; {!r}, the only number, was taken for the rank, lowest first", name
            )
            return self._with_value(name, "rank", Remark.of("number-as-score", text))
        if roles.key(name) in _DISTANCES | _RANKS or sampled_values.rise(values) or sampled_values.count(values):
            raise self._ambiguous(f"{name!r}, of which the lowest may be the best", name)
        text = Text("no column of scores or ranks; {!r}, the only number, was taken for the score, highest first", name)
        return self._with_value(name, "score", Remark.of("number-as-score", text))

    def _numbers(self, *of_roles: str | None) -> dict[str, SampledValues]:
        """The columns of numbers that may order items, among those whose names say one of some roles or nothing."""
        unused = (name for name in self.finder.findable if name not in self.chosen.columns)
        others = [name for name in unused if roles.known_role(name) in of_roles and roles.key(name) not in _NO_SCORES]
        return {name: values for name in others if (values := self.values(name)) and _varies(values)}

    def _with_value(self, name: str, role: str, remark: Remark) -> _Table:
        chosen = self.chosen._replace(value=name, descending=role == "score", remarks=(remark,))
        return _Table(self.finder, self.side, chosen, self.head)

    def _ambiguous(self, got: str, example: str) -> RankgaugeError:
        return RankgaugeError("ambiguous-score", self.finder.place, got=got, example=example)

    def column_remarks(self) -> Iterator[Remark]:
        """Say which columns were chosen for the caller, and which others have a name for the same role."""
        taken = self.taken()
        given = set(self.finder.given.values())
        if not set(taken.values()) <= given:
            listed = ", ".join(f"{role}={column}" for role, column in taken.items())
            yield Remark.of("columns", Text("{} {}", Text(self.finder.table), listed))
        others = [
            Text("{} for {} ({!r} was taken)", _listed(rest), role, column)
            for role, column in taken.items()
            if column not in given and (rest := self.finder.others(role, column, taken.values()))
        ]
        if others:
            text = reduce(lambda some, other: Text("{} and {}", some, other), others)
            if self.finder.table == "judgments":
                yield Remark.of("other-columns", Text("the judgments also have {}", text))
            else:
                yield Remark.of("other-columns", Text("the ranking also has {}", text))

    def taken(self) -> dict[str, str]:
        """The columns by role."""
        chosen = self.chosen
        value_role = ("score" if chosen.descending else "rank") if self.side == "ranking" else "grade"
        pairs = [("query", chosen.query), ("item", chosen.item), (value_role, chosen.value)]
        pairs.append((chosen.annotation_role or "", chosen.annotation))
        return {role: column for role, column in pairs if column is not None}

    def value_remarks(self) -> Iterator[Remark]:
        """Say what is odd about the values: scores in the place of grades, or scores that ranks contradict."""
        ranks = self.finder.matches("rank", self.chosen.columns)
        if self.side != "ranking":
            yield from self._scores_as_grades(ranks)
            if self.chosen.value is None and not ranks:
                yield from self._unused_numbers()
        elif self.chosen.descending and self.chosen.value and len(ranks) == 1:
            scores, order = self.values(self.chosen.value), self.values(ranks[0])
            if scores and order:
                yield from sampled_values.rank_remarks(scores, order, Text("the column {!r}", ranks[0]))

    def _scores_as_grades(self, ranks: Sequence[str]) -> Iterator[Remark]:
        value = self.chosen.value
        if value in self.finder.given.values() or (value and roles.known_role(value) != "score"):
            return
        if ranks:
            text = Text("no column of grades, but one of ranks, {!r}, as rankings have", ranks[0])
            yield Remark.of("scores-as-grades", text)
        elif value and (values := self.values(value)) and sampled_values.have_fractions(values):
            text = Text(
                "no column of grades; {!r}, which is called like a score and has fractions, was taken for them", value
            )
            yield Remark.of("scores-as-grades", text)

    def _unused_numbers(self) -> Iterator[Remark]:
        """Name the columns that may be the grades of judgments which have no column called so."""
        others = [name for name in self.finder.findable if name not in self.chosen.columns and _may_grade(name)]
        numbers = [name for name in others[:_MOST_TRIED] if sampled_values.may_be_grades(self.values(name) or ())]
        if numbers:
            from shlex import quote  # rarely needed

            text = Text.counted(
                len(numbers),
                "{names} holds numbers and was not used; columns_judgments={{'grade': {first!r}}} or "
                "--columns-judgments {switch} takes it for the grade",
                "{names} hold numbers and were not used; columns_judgments={{'grade': {first!r}}} or "
                "--columns-judgments {switch} takes the first for the grade",
                names=roles.column_list(numbers),
                first=numbers[0],
                switch=quote(f"grade={numbers[0]}"),
            )
            yield Remark.of("unused-numbers", text)


def _may_grade(name: str) -> bool:
    """Whether a column may hold grades: it has no other role, and is no time, no index and no id."""
    return roles.known_role(name) is None and roles.key(name) not in _NO_SCORES and not roles.key(name).endswith("id")


def _varies(values: SampledValues) -> bool:
    """Whether a column tells items apart: a number that is the same for all items of a query does not order them."""
    return any(len(set(of_query)) > 1 for of_query in values)


def _listed(names: Sequence[str]) -> str:
    return " and ".join(map(repr, names))
