"""Interactions → what a recommender may learn from, and what it is judged by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import narwhals as nw

from rankgauge.errors import RankgaugeError
from rankgauge.grading.audited import Audit, Audited
from rankgauge.grading.checks import bad, is_finite
from rankgauge.grading.interactions import Interactions, read_interactions, whole_counts, with_number
from rankgauge.grading.random_order import seed_key, with_mixed
from rankgauge.grading.source import Frame, Given, flag, kept, rows
from rankgauge.grading.split import Split
from rankgauge.grading.tally import counted
from rankgauge.statistics import whole_number
from rankgauge.terms import require_choice

__all__ = ["Split", "holdout"]

# What each method asks for; the others stay at their defaults.
METHODS: Final[Mapping[str, tuple[str, ...]]] = {
    "last": ("count",),
    "fraction": ("fraction",),
    "time": ("at",),
    "random": ("fraction", "seed"),
}
DEFAULTS: Final[Mapping[str, Any]] = {"count": 1, "fraction": 0.2, "at": None, "seed": 0}
REPEATS: Final = ("error", "first", "last")
# A tenth of 30 is 3, though 0.1 × 30 may be a little less.
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class _Rule:
    """How interactions are held out."""

    method: str
    count: int
    fraction: float
    at: object
    repeats: str
    seed: int

    @property
    def needs_time(self) -> str:
        """What needs a time, if anything does."""
        if self.method != "random":
            return f"method={self.method!r}"
        return f"repeats={self.repeats!r}" if self.repeats != "error" else ""


def holdout(
    interactions: Frame,
    *,
    method: str = "last",
    count: int = 1,
    fraction: float = 0.2,
    at: object = None,
    repeats: str = "error",
    seed: int = 0,
    columns: Given = None,
) -> Split:
    """Split the interactions of users with items into training and truth.

    `method` says what is held out as the truth. `last` holds out the last `count` interactions of each user, `fraction`
    the last share of them, and `random` a share that is drawn with `seed`, the same in every library and for every
    order of the rows. A share is rounded down. A user keeps at least one interaction for training, and one who has too
    few has no truth. `time` holds out everything `at` a moment or after it: a date, a datetime, a text such as
    2026-01-02 or a number, as the times are. It alone lets no user learn from what another did later (Ji et al. 2023).
    Equal times go by the item ids, in the order of texts.

    The same user and item twice is an error, unless `repeats` says to keep the `first` or the `last` of them in time;
    of equal times, the one with the lower or the higher rating. Rows without a user, an item, a time that is needed or,
    in a table with ratings, a rating are dropped and counted. A rating becomes the grade in the truth; without ratings
    the grade is 1. `columns` maps the roles query, item, time and rating to columns, where their names do not tell.

    >>> import polars as pl
    >>> watched = pl.DataFrame({"user": [1, 1, 1, 2], "movie": [7, 8, 9, 7], "timestamp": [30, 20, 10, 5]})
    >>> split = holdout(watched)
    >>> split
    holdout   rows
    rows in      4
    held out     1
    <BLANKLINE>
    the last interaction of each user by 'timestamp'; equal times go by the item ids, in the order of texts
    2 users, 1 with a truth and 1 without, who would have nothing left for training
    >>> split.truth.frame.rows()
    [(1, 7, 1.0)]
    >>> train, truth = split
    >>> train.rows()
    [(1, 8, 20), (1, 9, 10), (2, 7, 5)]

    Ji et al. 2023, A Critical Study on Data Leakage in Recommender System Offline Evaluation, ACM TOIS 41(3).
    """
    rule = _rule(method, count, fraction, at, repeats, seed)
    given = read_interactions(interactions, columns, rule.needs_time)
    frame = _without_repeats(given.frame, rule.repeats)
    frame, texts = _MARKS[rule.method](frame, given, rule)
    frame = kept(frame, is_file=given.is_file)
    audit = _audit(frame, given, rule, texts)
    return _split(frame, given, audit)


def _rule(method: str, count: int, fraction: float, at: object, repeats: str, seed: int) -> _Rule:
    require_choice("method", method, METHODS, "what is held out of the interactions of a user")
    require_choice("repeats", repeats, REPEATS, "which of the same user and item is kept")
    for name, got in (("count", count), ("fraction", fraction), ("at", at), ("seed", seed)):
        if name not in METHODS[method] and not (type(got) is type(DEFAULTS[name]) and got == DEFAULTS[name]):
            users = " and ".join(f"method={other!r}" for other, names in METHODS.items() if name in names)
            raise bad(name, f"left out with method={method!r}", got, f"it is for {users}")
    if not (is_finite(fraction) and 0.0 < fraction < 1.0):
        raise bad("fraction", "between 0 and 1", fraction, "such as 0.2")
    if method == "time" and at is None:
        hint = "such as at='2026-01-02': what is then or later is the truth"
        raise bad("at", "a moment", at, hint)
    return _Rule(method, whole_number("count", count, 1), float(fraction), at, repeats, whole_number("seed", seed, 0))


def _without_repeats(frame: Frame, repeats: str) -> Frame:
    if repeats == "error":
        return frame
    order = [name for name in ("moment", "grade") if name in frame.collect_schema().names()]
    pair = ["query_text", "item_text"]
    frame = with_number(frame, "nth", pair, order).with_columns(times=nw.len().over(*pair).cast(nw.Int64))
    return frame.filter(nw.col("nth") == (1 if repeats == "first" else nw.col("times")))


_TIES: Final = "equal times go by the item ids, in the order of texts"


def _mark_last(frame: Frame, given: Interactions, rule: _Rule) -> tuple[Frame, tuple[str, str]]:
    """Add whether a row is held out; and say what is done, and why a user may have no truth."""
    many = f"{rule.count:,} interactions" if rule.count > 1 else "interaction"
    frame = _numbered(frame, ["moment", "item_text"])
    held = (nw.col("size") > rule.count) & (nw.col("nth") > nw.col("size") - rule.count)
    rules = f"the last {many} of each user by {given.names['time']!r}; {_TIES}"
    return frame.with_columns(held=flag(held)), (rules, "who would have nothing left for training")


def _mark_fraction(frame: Frame, given: Interactions, rule: _Rule) -> tuple[Frame, tuple[str, str]]:
    frame = _numbered(frame, ["moment", "item_text"])
    share = _share(rule)
    held = (share < nw.col("size")) & (nw.col("nth") > nw.col("size") - share)
    rules = f"the last {rule.fraction:g} of each user's interactions by {given.names['time']!r}, rounded down; {_TIES}"
    return frame.with_columns(held=flag(held)), (rules, _too_few(rule))


def _mark_time(frame: Frame, given: Interactions, rule: _Rule) -> tuple[Frame, tuple[str, str]]:
    held, shown = given.since(rule.at)
    rules = f"everything with {given.names['time']!r} at {shown} or later"
    return frame.with_columns(held=flag(held)), (rules, "who have nothing then or later")


def _mark_random(frame: Frame, given: Interactions, rule: _Rule) -> tuple[Frame, tuple[str, str]]:  # noqa: ARG001
    """Ids are numbered in the order of texts, so that the draw depends on nothing else but the seed."""
    users = frame.select("query_text").unique()
    users = with_number(users, "number", [], ["query_text"])
    users = with_mixed(users, "key", nw.col("number"), seed_key(rule.seed)).select("query_text", "key")
    frame = _numbered(frame, ["item_text"]).join(users, on="query_text", how="inner")
    frame = with_mixed(frame, "drawn", nw.col("nth"), nw.col("key"))
    frame = _numbered(frame, ["drawn"])
    share = _share(rule)
    held = (share < nw.col("size")) & (nw.col("nth") <= share)
    rules = f"{rule.fraction:g} of each user's interactions, rounded down, drawn with seed {rule.seed}"
    return frame.with_columns(held=flag(held)), (rules, _too_few(rule))


_MARKS: Final[Mapping[str, Callable[[Frame, Interactions, _Rule], tuple[Frame, tuple[str, str]]]]] = {
    "last": _mark_last,
    "fraction": _mark_fraction,
    "time": _mark_time,
    "random": _mark_random,
}


def _numbered(frame: Frame, order: list[str]) -> Frame:
    """Add the number of a row among those of its user, from 1 on, and how many these are."""
    frame = with_number(frame, "nth", ["query_text"], order)
    return frame.with_columns(size=nw.len().over("query_text").cast(nw.Int64))


def _share(rule: _Rule) -> nw.Expr:
    return (nw.col("size").cast(nw.Float64) * rule.fraction + _ROUNDING).floor()


def _too_few(rule: _Rule) -> str:
    return f"whose {rule.fraction:g} is less than one interaction"


def _audit(frame: Frame, given: Interactions, rule: _Rule, texts: tuple[str, str]) -> Audit:
    held = nw.col("held")
    pairs = frame.group_by("query_text", "item_text").agg(rows=nw.len(), held=held.sum())
    users = pairs.group_by("query_text").agg(rows=nw.col("rows").sum(), held=held.sum(), most=nw.col("rows").max())
    users = users.with_columns(without=flag(held == 0), cold=flag(held == nw.col("rows")), one=nw.lit(1))
    names = ("one", "rows", "held", "without", "cold")
    (found,) = rows(users.select(*(nw.col(name).sum() for name in names), nw.col("most").max()))
    counts = whole_counts(found)
    if counts["most"] > 1:
        raise _repeated(pairs)
    items = frame.group_by("item_text").agg(rows=nw.len(), held=held.sum()).filter(held == nw.col("rows"))
    (new,) = map(whole_counts, rows(items.select(items=nw.len(), held=held.sum())))
    dropped = dict(given.dropped)
    if rule.repeats != "error":
        dropped[f"not the {rule.repeats} of repeats"] = given.rows - sum(dropped.values()) - counts["rows"]
    remarks = _remarks(counts, new["items"], new["held"], texts)
    return Audit("holdout", given.rows, dropped, counts["held"], remarks=remarks, outcome="held out")


def _repeated(pairs: Frame) -> RankgaugeError:
    (first,) = rows(pairs.filter(nw.col("rows") > 1).sort("query_text", "item_text").head(1))
    place = f"user {first['query_text']!r}, item {first['item_text']!r}"
    got = f"{int(first['rows']):,} rows; repeats='first' or 'last' keeps one of them"
    return RankgaugeError("duplicate-row", place, expected="an item of a user", got=got)


def _remarks(counts: Mapping[str, int], items: int, rows_of_items: int, texts: tuple[str, str]) -> tuple[str, ...]:
    rules, why = texts
    users, without = counts["one"], counts["without"]
    some = f"{users:,} {'user' if users == 1 else 'users'}, {users - without:,} with a truth"
    remarks = [rules, f"{some} and {without:,} without, {why}" if without else some]
    if counts["cold"]:
        remarks.append(f"{counted(counts['cold'], 'user has', 'users have')} a truth and no training")
    if items:
        remarks.append(
            f"items of the truth that training never has: {items:,}, in {counted(rows_of_items, 'row', 'rows')}"
        )
    return tuple(remarks)


def _split(frame: Frame, given: Interactions, audit: Audit) -> Split:
    names = given.names
    train = frame.filter(nw.col("held") == 0).select(*(nw.col(role).alias(name) for role, name in names.items()))
    grade = nw.col("grade") if "rating" in names else nw.lit(1.0).alias("grade")
    ids = {role: names[role] for role in ("query", "item")}
    truth = frame.filter(nw.col("held") == 1).select(*(nw.col(role).alias(ids[role]) for role in ids), grade)
    judged = Audited(truth.to_native(), audit, {**ids, "grade": "grade"})
    return Split(train.to_native(), judged, audit, names)
