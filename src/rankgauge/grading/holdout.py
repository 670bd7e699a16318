"""Interactions → a training set and the truth that recommendations are judged by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import narwhals as nw

from rankgauge.checks import bad_number, is_finite, require_choice, whole_number
from rankgauge.errors import RankgaugeError
from rankgauge.errors.unknown_keywords import hinted
from rankgauge.grading.audited import Audit, Audited
from rankgauge.grading.interactions import Interactions, read_interactions, whole_counts, with_number
from rankgauge.grading.random_order import seed_key, with_mixed
from rankgauge.grading.row_locations import pair_location
from rankgauge.grading.source import NwFrame, flag, materialise_file, rows
from rankgauge.grading.split import Split
from rankgauge.inputs.reading_options import ColumnsInput
from rankgauge.inputs.types import TableInput
from rankgauge.languages import Text
from rankgauge.notation import counted
from rankgauge.remarks import Remark

__all__ = ["Split", "holdout"]

# The options of each method.
METHODS: Final[Mapping[str, tuple[str, ...]]] = {
    "last": ("count",),
    "fraction": ("fraction",),
    "time": ("at",),
    "random": ("fraction", "seed"),
}
DEFAULTS: Final[Mapping[str, Any]] = {"count": 1, "fraction": 0.2, "at": None, "seed": 0}
REPEATS: Final = ("error", "first", "last")
# So that a tenth of 30 is 3 where 0.1 × 30 is rounded to a little less.
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class HoldoutRule:
    """How interactions are held out."""

    method: str
    count: int
    fraction: float
    at: object
    repeats: str
    seed: int

    @property
    def needs_time(self) -> str:
        """The option that needs a time, empty if none does."""
        if self.method != "random":
            return f"method={self.method!r}"
        return f"repeats={self.repeats!r}" if self.repeats != "error" else ""


@hinted()
def holdout(
    interactions: TableInput,
    *,
    method: str = "last",
    count: int = 1,
    fraction: float = 0.2,
    at: object = None,
    repeats: str = "error",
    seed: int = 0,
    columns: ColumnsInput = None,
) -> Split:
    """Split the interactions of users with items into training and truth.

    A user keeps at least one interaction for training; one with too few has no truth. Only `method="time"` keeps every
    user from learning from what others did later (Ji et al. 2023). Equal times are ordered by the item ids, as texts.
    Rows without a user, an item, a time that is needed or, in a table with ratings, a rating are dropped and counted.
    Training keeps every column of the table. A rating becomes the grade in the truth; without ratings the grade is 1.

    Parameters:
        interactions: a DataFrame of any library, or a path, with columns for the user and the item, and optionally a
            time and a rating.
        method: what is held out: "last", the last `count` interactions of each user; "fraction", the last share of
            them; "random", a random share; "time", everything `at` a moment or later.
        count: how many interactions of each user "last" holds out.
        fraction: the share that "fraction" and "random" hold out, rounded down.
        at: the moment of "time": a date, a datetime, a text such as 2026-01-02, or a number, as the times are.
        repeats: the same user and item twice is an "error", or only the "first" or the "last" in time is kept; of equal
            times, the one with the lower or the higher rating.
        seed: the seed of "random"; a seed draws the same in every library and for every order of the rows.
        columns: role → column for query, item, time and rating, where names are unusual.

    >>> import polars as pl
    >>> watched = pl.DataFrame({"user": [1, 1, 1, 2], "movie": [7, 8, 9, 7], "timestamp": [30, 20, 10, 5]})
    >>> split = holdout(watched)
    >>> split
    holdout   rows
    rows in      4
    held out     1
    <BLANKLINE>
    held out: the last interaction of each user by 'timestamp'; equal times go by the item ids, in the order of texts
    users: 2 users, 1 with a truth and 1 without, who would have nothing left for training
    >>> split.truth.frame.rows()
    [(1, 7, 1.0)]
    >>> train, truth = split
    >>> train.rows()
    [(1, 8, 20), (1, 9, 10), (2, 7, 5)]

    Ji et al. 2023, A Critical Study on Data Leakage in Recommender System Offline Evaluation, ACM TOIS 41(3).

    """
    rule = _rule(method, count, fraction, at, repeats, seed)
    table = read_interactions(interactions, columns, rule.needs_time)
    frame = _without_repeats(table.frame, rule.repeats)
    frame, texts = _MARKS[rule.method](frame, table, rule)
    frame = materialise_file(frame, is_file=table.is_file)
    audit = _audit(frame, table, rule, texts)
    return _split(frame, table, audit)


def _rule(method: str, count: int, fraction: float, at: object, repeats: str, seed: int) -> HoldoutRule:
    require_choice("method", method, METHODS, "which interactions of a user are held out")
    require_choice("repeats", repeats, REPEATS, "which interaction of the same user and item is kept")
    for name, got in (("count", count), ("fraction", fraction), ("at", at), ("seed", seed)):
        if name not in METHODS[method] and not (type(got) is type(DEFAULTS[name]) and got == DEFAULTS[name]):
            users = " and ".join(f"method={other!r}" for other, names in METHODS.items() if name in names)
            raise bad_number(name, f"left out with method={method!r}", got, f"it is for {users}")
    if not (is_finite(fraction) and 0.0 < fraction < 1.0):
        raise bad_number("fraction", "between 0 and 1", fraction, "such as 0.2")
    if method == "time" and at is None:
        hint = "such as at='2026-01-02': interactions at that time or later are the truth"
        raise bad_number("at", "a moment", at, hint)
    return HoldoutRule(
        method, whole_number("count", count, 1), float(fraction), at, repeats, whole_number("seed", seed, 0)
    )


def _without_repeats(frame: NwFrame, repeats: str) -> NwFrame:
    if repeats == "error":
        return frame
    order = [name for name in ("moment", "grade") if name in frame.collect_schema().names()]
    pair = ["query_text", "item_text"]
    frame = with_number(frame, "nth", pair, order).with_columns(times=nw.len().over(*pair).cast(nw.Int64))
    return frame.filter(nw.col("nth") == (1 if repeats == "first" else nw.col("times")))


_TIES: Final = Text("equal times go by the item ids, in the order of texts")


def _mark_last(frame: NwFrame, table: Interactions, rule: HoldoutRule) -> tuple[NwFrame, tuple[Text, Text]]:
    """Add whether a row is held out; return the rule, and why a user may have no truth, as texts."""
    frame = _numbered(frame, ["moment", "item_text"])
    held = (nw.col("size") > rule.count) & (nw.col("nth") > nw.col("size") - rule.count)
    rules = Text.counted(
        rule.count,
        "the last interaction of each user by {time!r}",
        "the last {n:,} interactions of each user by {time!r}",
        time=table.names["time"],
    )
    texts = Text("{}; {}", rules, _TIES), Text("who would have nothing left for training")
    return frame.with_columns(held=flag(held)), texts


def _mark_fraction(frame: NwFrame, table: Interactions, rule: HoldoutRule) -> tuple[NwFrame, tuple[Text, Text]]:
    frame = _numbered(frame, ["moment", "item_text"])
    share = _share(rule)
    held = (share < nw.col("size")) & (nw.col("nth") > nw.col("size") - share)
    rules = Text("the last {:g} of each user's interactions by {!r}, rounded down", rule.fraction, table.names["time"])
    return frame.with_columns(held=flag(held)), (Text("{}; {}", rules, _TIES), _too_few(rule))


def _mark_time(frame: NwFrame, table: Interactions, rule: HoldoutRule) -> tuple[NwFrame, tuple[Text, Text]]:
    held, shown = table.since(rule.at)
    rules = Text("everything with {!r} at {} or later", table.names["time"], shown)
    return frame.with_columns(held=flag(held)), (rules, Text("who have nothing then or later"))


def _mark_random(frame: NwFrame, table: Interactions, rule: HoldoutRule) -> tuple[NwFrame, tuple[Text, Text]]:  # noqa: ARG001
    """Ids are numbered in text order, so that the draw depends on the seed alone."""
    users = frame.select("query_text").unique()
    users = with_number(users, "number", [], ["query_text"])
    users = with_mixed(users, "key", nw.col("number"), seed_key(rule.seed)).select("query_text", "key")
    frame = _numbered(frame, ["item_text"]).join(users, on="query_text", how="inner")
    frame = with_mixed(frame, "drawn", nw.col("nth"), nw.col("key"))
    frame = _numbered(frame, ["drawn"])
    share = _share(rule)
    held = (share < nw.col("size")) & (nw.col("nth") <= share)
    rules = Text("{:g} of each user's interactions, rounded down, drawn with seed {}", rule.fraction, rule.seed)
    return frame.with_columns(held=flag(held)), (rules, _too_few(rule))


_MARKS: Final[Mapping[str, Callable[[NwFrame, Interactions, HoldoutRule], tuple[NwFrame, tuple[Text, Text]]]]] = {
    "last": _mark_last,
    "fraction": _mark_fraction,
    "time": _mark_time,
    "random": _mark_random,
}


def _numbered(frame: NwFrame, order: list[str]) -> NwFrame:
    """Add the number of a row among those of its user, from 1, and their count."""
    frame = with_number(frame, "nth", ["query_text"], order)
    return frame.with_columns(size=nw.len().over("query_text").cast(nw.Int64))


def _share(rule: HoldoutRule) -> nw.Expr:
    return (nw.col("size").cast(nw.Float64) * rule.fraction + _ROUNDING).floor()


def _too_few(rule: HoldoutRule) -> Text:
    return Text("whose {:g} is less than one interaction", rule.fraction)


def _audit(frame: NwFrame, table: Interactions, rule: HoldoutRule, texts: tuple[Text, Text]) -> Audit:
    held = nw.col("held")
    pairs = frame.group_by("query_text", "item_text").agg(rows=nw.len(), held=held.sum())
    users = pairs.group_by("query_text").agg(rows=nw.col("rows").sum(), held=held.sum(), most=nw.col("rows").max())
    users = users.with_columns(without=flag(held == 0), cold=flag(held == nw.col("rows")), one=nw.lit(1))
    names = ("one", "rows", "held", "without", "cold")
    (sums,) = rows(users.select(*(nw.col(name).sum() for name in names), nw.col("most").max()))
    counts = whole_counts(sums)
    if counts["most"] > 1:
        raise _repeated(pairs)
    items = frame.group_by("item_text").agg(rows=nw.len(), held=held.sum()).filter(held == nw.col("rows"))
    (new,) = map(whole_counts, rows(items.select(items=nw.len(), held=held.sum())))
    dropped = dict(table.dropped)
    if rule.repeats != "error":
        not_kept = Text("not the first of repeats") if rule.repeats == "first" else Text("not the last of repeats")
        dropped[not_kept] = table.rows - sum(dropped.values()) - counts["rows"]
    remarks = _remarks(counts, new["items"], new["held"], texts)
    return Audit("holdout", table.rows, dropped, counts["held"], remarks=remarks, outcome="held out")


def _repeated(pairs: NwFrame) -> RankgaugeError:
    (first,) = rows(pairs.filter(nw.col("rows") > 1).sort("query_text", "item_text").head(1))
    place = pair_location(first, query="query_text", item="item_text")
    got = f"{int(first['rows']):,} rows; repeats='first' or 'last' keeps one of them"
    return RankgaugeError("duplicate-row", place, expected="an item of a user", got=got)


def _remarks(counts: Mapping[str, int], items: int, rows_of_items: int, texts: tuple[Text, Text]) -> tuple[Remark, ...]:
    rules, why = texts
    users, without = counts["one"], counts["without"]
    some = Text("{}, {:,} with a truth", counted(users, "user"), users - without)
    remarks = [
        Remark.of("held-out", rules),
        Remark.of("users", Text("{} and {:,} without, {}", some, without, why) if without else some),
    ]
    if counts["cold"]:
        cold = Text.counted(
            counts["cold"],
            "{n:,} user has a truth and no training",
            "{n:,} users have a truth and no training",
        )
        remarks.append(Remark.of("cold-users", cold))
    if items:
        of_items = counted(rows_of_items, "row", "rows")
        never = Text("items of the truth that training never has: {:,}, in {}", items, of_items)
        remarks.append(Remark.of("cold-items", never))
    return tuple(remarks)


def _split(frame: NwFrame, table: Interactions, audit: Audit) -> Split:
    names = table.names
    kept = (nw.col(column).alias(name) for name, column in table.columns.items())
    train = frame.filter(nw.col("held") == 0).select(*kept)
    grade = nw.col("grade") if "rating" in names else nw.lit(1.0).alias("grade")
    ids = {role: names[role] for role in ("query", "item")}
    truth = frame.filter(nw.col("held") == 1).select(*(nw.col(role).alias(ids[role]) for role in ids), grade)
    judged = Audited(truth.to_native(), audit, {**ids, "grade": "grade"})
    return Split(train.to_native(), judged, audit, names)
