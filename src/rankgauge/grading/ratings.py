"""Stars and match rates → grades: as they are, by thresholds, above a least one, or above a user's mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import narwhals as nw

from rankgauge.errors import RankgaugeError
from rankgauge.grading import columns as named
from rankgauge.grading.audited import Audit, Audited
from rankgauge.grading.checks import bad, is_finite, rising
from rankgauge.grading.source import Frame, Given, absent, flag, kept, open_table, rows
from rankgauge.grading.tally import Tally, counted, place, refuse_clash, tally
from rankgauge.notation import format_number
from rankgauge.terms import require_choice

Below: TypeAlias = Literal["zero", "negative"]

_BELOW: Final = ("zero", "negative")
_TABLE: Final = "ratings"
_KEY: Final = ("query", "item")
# A mean is off by its rounding: what is nearer to it than this share of the highest rating is at the mean.
_ROUNDING: Final = 1e-12


def ratings(
    table: Frame,
    *,
    thresholds: Sequence[float] | None = None,
    centred: bool = False,
    least: float | None = None,
    below: Below = "zero",
    columns: Given = None,
) -> Audited:
    """Grade items by ratings: stars, or match rates that are any number.

    `table` is a DataFrame of any library or a path, with a column each for the user (or query), the item and the
    rating. A rating is the grade as it is, unless one of these says otherwise:

    `thresholds`, numbers that rise: the grade is how many of them the rating reaches; one that reaches none has 0, or
    -1 with `below="negative"`.
    `least`, the lowest rating that counts as liked: one below it has 0, or with `below="negative"` its distance
    from `least`, which is negative.
    `centred`: the rating less the mean of the user's ratings; one below the mean has 0, or what it lacks with
    `below="negative"`. A user's only rating has 0.

    Rows without a rating are dropped; a user who rates an item twice is an error. `columns` names columns by role:
    query, item, rating.

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
    a rating is the grade
    ratings from 1 to 5, mean 3
    1 user, 0 of them with nothing above 0
    items without a rating are unjudged
    """
    rule = Rule(() if thresholds is None else rising("thresholds", thresholds, "[3, 4, 5]"), centred, least, below)
    rule.check()
    opened = open_table(table, _TABLE, columns)
    found = named.find(opened.names, _TABLE, opened.by_role(columns), (*_KEY, "rating"))
    refuse_clash(found, ["grade"], _TABLE)
    rating = opened.number(found["rating"], _TABLE)
    frame = opened.frame.select(**{role: nw.col(found[role]) for role in _KEY}, rating=rating)
    seen = _look(frame)
    _refuse(frame, seen)
    graded = frame.filter(~absent((*_KEY, "rating"))).with_columns(grade=rule.grade(seen))
    graded = graded.select(*(nw.col(role).alias(found[role]) for role in _KEY), "grade")
    out = kept(graded, is_file=opened.is_file)
    audit = _audit(seen, tally(out, found["query"]), rule)
    return Audited(out.to_native(), audit, {**{role: found[role] for role in _KEY}, "grade": "grade"})


class Seen(NamedTuple):
    """What is known of ratings before they are graded."""

    rows: int
    dropped: dict[str, int]
    used: int
    # How often the most frequent pair of user and item occurs.
    repeated: int
    lowest: float
    highest: float
    mean: float


class Rule(NamedTuple):
    """What a rating is worth."""

    thresholds: tuple[float, ...]
    centred: bool
    least: float | None
    below: Below

    def check(self) -> None:
        """Raise unless the options go together."""
        require_choice("below", self.below, _BELOW, "it says what a rating is worth that is not liked")
        if not isinstance(self.centred, bool):
            raise bad("centred", "True or False", self.centred, "True takes the mean of the user's ratings away")
        if self.least is not None and not is_finite(self.least):
            raise bad("least", "a finite number", self.least, "the lowest rating that counts as liked, such as 4")
        chosen = {"thresholds": bool(self.thresholds), "centred": self.centred, "least": self.least is not None}
        given = [name for name, is_given in chosen.items() if is_given]
        if len(given) > 1:
            raise bad(given[1], f"left out beside {given[0]}", getattr(self, given[1]), "each of them makes the grade")
        if self.below == "negative" and not given:
            raise bad("below", "left out where a rating is the grade", self.below, "give thresholds, centred or least")

    def grade(self, seen: Seen) -> nw.Expr:
        """The grade of a row."""
        rating = nw.col("rating")
        if self.thresholds:
            reached = sum((flag(rating >= threshold) for threshold in self.thresholds[1:]), start=nw.lit(1))
            lowest = nw.lit(0 if self.below == "zero" else -1)
            return nw.when(rating >= self.thresholds[0]).then(reached).otherwise(lowest).cast(nw.Int64)
        if self.centred:
            return self._centred(rating - rating.mean().over("query"), max(abs(seen.lowest), abs(seen.highest)))
        if self.least is None:
            return rating
        lowest = nw.lit(0.0) if self.below == "zero" else rating - self.least
        return nw.when(rating >= self.least).then(rating).otherwise(lowest)

    def _centred(self, above: nw.Expr, largest: float) -> nw.Expr:
        at_mean = above.abs() <= _ROUNDING * largest
        if self.below == "zero":
            at_mean = at_mean | (above < 0.0)
        return nw.when(at_mean).then(nw.lit(0.0)).otherwise(above)

    def sentence(self) -> str:
        """How a rating becomes a grade."""
        if self.thresholds:
            lowest = 0 if self.below == "zero" else -1
            numbers = ", ".join(map(format_number, self.thresholds))
            return f"the grade is how many of {numbers} the rating reaches; {lowest} for none"
        if self.centred:
            lowest_text = "0 below it" if self.below == "zero" else "negative below it"
            return f"the grade is the rating less the mean of the user's ratings, {lowest_text}"
        if self.least is None:
            return "a rating is the grade"
        otherwise = "0" if self.below == "zero" else "its distance from that, which is negative"
        return f"a rating of at least {format_number(self.least)} is the grade; a lower one has {otherwise}"


def _look(frame: Frame) -> Seen:
    """Count what must be known before the grades, in one pass."""
    nobody, empty = absent(_KEY), nw.col("rating").is_null()
    flags = {"nobody": flag(nobody), "empty": flag(~nobody & empty), "used": flag(~nobody & ~empty)}
    frame = frame.with_columns(**flags, value=nw.when(~nobody).then(nw.col("rating")))
    value, names = nw.col("value"), list(flags)
    pairs = frame.group_by(*_KEY).agg(
        *(nw.col(name).sum() for name in names), low=value.min(), high=value.max(), total=value.sum()
    )
    (found,) = rows(
        pairs.select(
            *(nw.col(name).sum() for name in names),
            nw.col("low").min(),
            nw.col("high").max(),
            nw.col("total").sum(),
            repeated=nw.col("used").max(),
        )
    )
    counts = {name: int(found[name] or 0) for name in (*names, "repeated")}
    used = counts["used"]
    low, high, total = (float(found[name]) if used else 0.0 for name in ("low", "high", "total"))
    dropped = {"no user or item": counts["nobody"], "no rating": counts["empty"]}
    return Seen(sum(map(counts.__getitem__, names)), dropped, used, counts["repeated"], low, high, total / max(used, 1))


def _refuse(frame: Frame, seen: Seen) -> None:
    frame = frame.filter(~absent((*_KEY, "rating")))
    who = [("query", "user"), ("item", "item")]
    if max(abs(seen.lowest), abs(seen.highest)) == float("inf"):
        row = rows(frame.filter(nw.col("rating").abs() == float("inf")).head(1))[0]
        raise RankgaugeError("bad-value", place(row, who), noun="rating", got=row["rating"])
    if seen.repeated > 1:
        counts = frame.group_by(*_KEY).agg(count=nw.len())
        row = rows(counts.filter(nw.col("count") > 1).head(1))[0]
        raise RankgaugeError("duplicate-row", place(row, who), expected="each item of a user", got=_times(row))


def _times(row: Mapping[str, Any]) -> str:
    return f"it {row['count']} times"


def _audit(seen: Seen, known: Tally, rule: Rule) -> Audit:
    remarks = [rule.sentence()]
    if seen.used:
        remarks += [f"ratings from {seen.lowest:.6g} to {seen.highest:.6g}, mean {seen.mean:.6g}"]
    remarks += known.remarks("user", "users")
    if rule.centred:
        remarks += [f"{counted(known.alone, 'user has', 'users have')} one rating, whose grade is 0"]
    remarks += ["items without a rating are unjudged"]
    return Audit(_TABLE, seen.rows, seen.dropped, seen.used, known.grades, tuple(remarks))
