"""Stars and match rates → grades: as they are, by thresholds, from a lowest liked rating, or above a user's mean."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import narwhals as nw

from rankgauge.checks import bad_number, require_choice, require_finite, rising_numbers
from rankgauge.errors import RankgaugeError
from rankgauge.errors.unknown_keywords import hinted
from rankgauge.grading import columns as column_names
from rankgauge.grading.audited import Audit, Audited
from rankgauge.grading.grade_counts import GradeCounts, count_grades, refuse_clash
from rankgauge.grading.row_locations import pair_location
from rankgauge.grading.source import NwFrame, any_null, flag, materialise_file, open_table, rows
from rankgauge.inputs.reading_options import ColumnsInput
from rankgauge.inputs.types import TableInput
from rankgauge.languages import Text
from rankgauge.notation import format_number
from rankgauge.remarks import Remark

Below: TypeAlias = Literal["zero", "negative"]

_BELOW: Final = ("zero", "negative")
_TABLE: Final = "ratings"
_KEY: Final = ("query", "item")
# Rounding of the mean: a rating nearer to it than this share of the highest rating is at the mean.
_ROUNDING: Final = 1e-12


@hinted()
def ratings(
    table: TableInput,
    *,
    thresholds: Sequence[float] | None = None,
    centred: bool = False,
    least: float | None = None,
    below: Below = "zero",
    columns: ColumnsInput = None,
) -> Audited:
    """Grade items by ratings: stars, or match rates that are any number.

    A rating is the grade, unless one of `thresholds`, `least` and `centred` is given. Rows without a rating are
    dropped; a user who rates an item twice is an error.

    Parameters:
        table: a DataFrame of any library, or a path, with columns for the user (or query), the item and the rating.
        thresholds: numbers that rise; the grade is how many of them the rating reaches. A rating that reaches none has
            0, or -1 with `below="negative"`.
        centred: whether the grade is the rating less the mean of the user's ratings. A rating below the mean has 0, or
            the negative difference with `below="negative"`. A user's only rating has 0.
        least: the lowest rating that counts as liked. A lower one has 0, or its negative distance from `least` with
            `below="negative"`.
        below: the grade of a rating that does not count as liked: "zero" or "negative".
        columns: role → column for query, item and rating, where names are unusual.

    >>> import polars as pl
    >>> table = pl.DataFrame({"user": ["ann"] * 3, "movie": ["m1", "m2", "m3"], "stars": [5.0, 3.0, 1.0]})
    >>> ratings(table, thresholds=[3, 4, 5]).frame["grade"].to_list()
    [3, 1, 0]
    >>> ratings(table, least=3).frame["grade"].to_list()
    [5.0, 3.0, 0.0]
    >>> ratings(table, centred=True, below="negative").frame["grade"].to_list()
    [2.0, 0.0, -2.0]
    >>> ratings(table).audit
    ratings      rows
    rows in         3
    graded          3
      grade 1       1
      grade 3       1
      grade 5       1
    <BLANKLINE>
    grade: a rating is the grade
    ratings: from 1 to 5, mean 3
    graded: 1 user, 0 of them with nothing above 0
    unlisted: items without a rating are unjudged

    """
    rule = RatingRule(
        () if thresholds is None else rising_numbers("thresholds", thresholds, "[3, 4, 5]"), centred, least, below
    )
    rule.check()
    source = open_table(table, _TABLE, columns)
    names = column_names.find(source.names, _TABLE, source.by_role(columns), (*_KEY, "rating"))
    refuse_clash(names, ["grade"], _TABLE)
    source.require_ordered(names.values(), _TABLE)
    rating = source.number(names["rating"], _TABLE)
    frame = source.frame.select(**{role: nw.col(names[role]) for role in _KEY}, rating=rating)
    summary = _summarise(frame)
    _refuse(frame, summary)
    graded = frame.filter(~any_null((*_KEY, "rating"))).with_columns(grade=rule.grade(summary))
    graded = graded.select(*(nw.col(role).alias(names[role]) for role in _KEY), "grade")
    out = materialise_file(graded, is_file=source.is_file)
    audit = _audit(summary, count_grades(out, names["query"]), rule)
    return Audited(out.to_native(), audit, {**{role: names[role] for role in _KEY}, "grade": "grade"})


class RatingSummary(NamedTuple):
    """Counts and extremes of ratings, made before they are graded."""

    rows: int
    dropped: dict[str, int]
    used: int
    # How often the most frequent pair of user and item occurs.
    repeated: int
    lowest: float
    highest: float
    mean: float


class RatingRule(NamedTuple):
    """How a rating becomes a grade."""

    thresholds: tuple[float, ...]
    centred: bool
    least: float | None
    below: Below

    def check(self) -> None:
        """Raise if options contradict each other."""
        require_choice("below", self.below, _BELOW, "the grade of a rating that does not count as liked")
        if not isinstance(self.centred, bool):
            raise bad_number("centred", "True or False", self.centred, "True subtracts the mean of the user's ratings")
        if self.least is not None:
            require_finite("least", self.least, "the lowest rating that counts as liked, such as 4")
        is_set = {"thresholds": bool(self.thresholds), "centred": self.centred, "least": self.least is not None}
        options = [name for name in is_set if is_set[name]]
        if len(options) > 1:
            first, second = options[:2]
            hint = "give only one of thresholds, centred and least"
            raise bad_number(second, f"left out beside {first}", getattr(self, second), hint)
        if self.below == "negative" and not options:
            hint = "give thresholds, centred or least"
            raise bad_number("below", "left out where a rating is the grade", self.below, hint)

    def grade(self, summary: RatingSummary) -> nw.Expr:
        """The grade of a row."""
        rating = nw.col("rating")
        if self.thresholds:
            reached = sum((flag(rating >= threshold) for threshold in self.thresholds[1:]), start=nw.lit(1))
            lowest = nw.lit(0 if self.below == "zero" else -1)
            return nw.when(rating >= self.thresholds[0]).then(reached).otherwise(lowest).cast(nw.Int64)
        if self.centred:
            return self._centred(rating - rating.mean().over("query"), max(abs(summary.lowest), abs(summary.highest)))
        if self.least is None:
            return rating
        lowest = nw.lit(0.0) if self.below == "zero" else rating - self.least
        return nw.when(rating >= self.least).then(rating).otherwise(lowest)

    def _centred(self, above: nw.Expr, largest: float) -> nw.Expr:
        at_mean = above.abs() <= _ROUNDING * largest
        if self.below == "zero":
            at_mean = at_mean | (above < 0.0)
        return nw.when(at_mean).then(nw.lit(0.0)).otherwise(above)

    def sentence(self) -> Text:
        """How a rating becomes a grade."""
        if self.thresholds:
            lowest = 0 if self.below == "zero" else -1
            numbers = ", ".join(map(format_number, self.thresholds))
            return Text("the grade is how many of {} the rating reaches; {} for none", numbers, lowest)
        if self.centred:
            if self.below == "zero":
                return Text("the grade is the rating less the mean of the user's ratings, 0 below it")
            return Text("the grade is the rating less the mean of the user's ratings, negative below it")
        if self.least is None:
            return Text("a rating is the grade")
        least = format_number(self.least)
        if self.below == "zero":
            return Text("a rating of at least {} is the grade; a lower one has 0", least)
        return Text(
            "a rating of at least {} is the grade; a lower one has its distance from that, which is negative", least
        )


def _summarise(frame: NwFrame) -> RatingSummary:
    """Count rows and find the extremes of ratings, in one pass."""
    nobody, empty = any_null(_KEY), nw.col("rating").is_null()
    flags = {"nobody": flag(nobody), "empty": flag(~nobody & empty), "used": flag(~nobody & ~empty)}
    frame = frame.with_columns(**flags, value=nw.when(~nobody).then(nw.col("rating")))
    value, names = nw.col("value"), list(flags)
    pairs = frame.group_by(*_KEY).agg(
        *(nw.col(name).sum() for name in names), low=value.min(), high=value.max(), total=value.sum()
    )
    (sums,) = rows(
        pairs.select(
            *(nw.col(name).sum() for name in names),
            nw.col("low").min(),
            nw.col("high").max(),
            nw.col("total").sum(),
            repeated=nw.col("used").max(),
        )
    )
    counts = {name: _whole(sums[name]) for name in (*names, "repeated")}
    used = counts["used"]
    low, high, total = (float(sums[name]) if used else 0.0 for name in ("low", "high", "total"))
    dropped: dict[str, int] = {Text("no user or item"): counts["nobody"], Text("no rating"): counts["empty"]}
    return RatingSummary(
        sum(map(counts.__getitem__, names)), dropped, used, counts["repeated"], low, high, total / max(used, 1)
    )


def _whole(count: float | None) -> int:
    """Return a count, which over no rows is None, or NaN in pandas."""
    return 0 if count is None or math.isnan(count) else int(count)


def _refuse(frame: NwFrame, summary: RatingSummary) -> None:
    frame = frame.filter(~any_null((*_KEY, "rating")))
    if max(abs(summary.lowest), abs(summary.highest)) == float("inf"):
        row = rows(frame.filter(nw.col("rating").abs() == float("inf")).head(1))[0]
        raise RankgaugeError("bad-value", pair_location(row), noun="rating", got=row["rating"])
    if summary.repeated > 1:
        counts = frame.group_by(*_KEY).agg(count=nw.len())
        row = rows(counts.filter(nw.col("count") > 1).head(1))[0]
        raise RankgaugeError("duplicate-row", pair_location(row), expected="each item of a user", got=_times(row))


def _times(row: Mapping[str, Any]) -> str:
    return f"it {row['count']} times"


def _audit(summary: RatingSummary, counts: GradeCounts, rule: RatingRule) -> Audit:
    remarks = [Remark.of("grade", rule.sentence())]
    if summary.used:
        extent = Text("from {:.6g} to {:.6g}, mean {:.6g}", summary.lowest, summary.highest, summary.mean)
        remarks.append(Remark.of("ratings", extent))
    remarks += counts.remarks("user", "users")
    if rule.centred:
        alone = Text.counted(
            counts.alone,
            "{n:,} user has no other, and the grade 0",
            "{n:,} users have no other, and the grade 0",
        )
        remarks.append(Remark.of("one-rating", alone))
    remarks.append(Remark.of("unlisted", Text("items without a rating are unjudged")))
    return Audit(_TABLE, summary.rows, summary.dropped, summary.used, counts.grades, tuple(remarks))
