"""A log of what people did → grades: seen 0, clicked 1, put into the cart 2, bought 3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import narwhals as nw

from rankgauge.errors import RankgaugeError, nearest
from rankgauge.grading import columns as named
from rankgauge.grading import times
from rankgauge.grading.audited import Audit, Audited
from rankgauge.grading.checks import bad, is_finite, is_number
from rankgauge.grading.source import Frame, Given, Opened, absent, flag, kept, open_table, rows
from rankgauge.grading.tally import Tally, counted, number, place, refuse_clash, tally
from rankgauge.inputs import roles
from rankgauge.notation import format_number
from rankgauge.terms import require_choice

Combine: TypeAlias = Literal["max", "sum", "last"]

# Names with one meaning everywhere. A checkout may be begun or completed, so it has none.
_NOTHING: Final = (
    *("none", "impression", "view", "shown", "exposure"),
    *("no_response", "no_action", "no_reaction", "ignored", "viewed", "displayed", "exposed", "무반응", "노출"),
)
_CLICKED: Final = ("click", "clicked", "클릭")
_IN_CART: Final = (
    *("cart", "add_to_cart", "added_to_cart", "carted"),
    *("basket", "add_to_basket", "added_to_basket", "장바구니", "장바구니 담기"),
)
_BOUGHT: Final = ("purchase", "buy", "order", "transaction", "purchased", "bought", "ordered", "구매", "주문")
GRADES: Final[Mapping[str, float]] = {
    name: grade for grade, names in enumerate((_NOTHING, _CLICKED, _IN_CART, _BOUGHT)) for name in names
}
_COMBINE: Final[Mapping[str, str]] = {
    "max": "of several actions on an item, the highest grade counts",
    "sum": "the grades of several actions on an item add up, to at most {cap}",
    "last": "of several actions on an item, the last counts; of several at that time, the highest grade",
}
_TABLE: Final = "log"
_KEY: Final = ("query", "item")
# What is known of where a pair was shown: the best of its rows counts.
_BESIDE: Final = ("position", "propensity")


def actions(
    log: Frame,
    *,
    grades: Mapping[Any, float] | None = None,
    combine: Combine = "max",
    cap: float | None = None,
    half_life: float | timedelta | None = None,
    now: datetime | date | str | float | None = None,
    columns: Given = None,
) -> Audited:
    """Grade items by what people did: one grade for each query (or user) and item of a log.

    `log` is a DataFrame of any library or a path, with a column each for the query or user, the item and the action; a
    row without an action was shown and nothing more. Items that are not in the log stay unjudged.

    `grades` gives each action its grade, instead of the usual ones:

    - 0: none, impression, view, shown, exposure, no_response, no_action, no_reaction, ignored, viewed, displayed,
      exposed, 무반응, 노출
    - 1: click, clicked, 클릭
    - 2: cart, add_to_cart, added_to_cart, carted, basket, add_to_basket, added_to_basket, 장바구니, 장바구니 담기
    - 3: purchase, buy, order, transaction, purchased, bought, ordered, 구매, 주문

    Case, blanks, hyphens and underscores do not matter; an action that has no grade is an error. A column `weight`
    multiplies the grade of its row; nothing there counts as 1.

    `combine` says what several actions on one item are worth: `max`, the highest grade; `sum`, at most `cap`, which is
    the highest of `grades` unless said; `last`, the latest, and of several at that time the highest grade. The highest
    of a dislike of -1 and an impression of 0 is 0: grades below 0 go better with `last` or `sum`.

    `half_life` halves a grade for each such span that its action lies before `now`: a timedelta, or a number of days,
    or of units of the column of times if that holds numbers. `now` is the latest time of the log unless said; an
    action after it is an error. What has a time zone is moved to that of the column; a column without one is in UTC.
    With `half_life` or `last`, rows without a time are dropped.

    A position (the lowest) and a propensity (the highest) of each item are kept, for measures such as `ips_dcg`.
    `columns` names columns by role: query, item, action, time, weight, position, propensity.

    >>> import polars as pl
    >>> log = pl.DataFrame({
    ...     "user": ["ann", "ann", "ann", "bob"],
    ...     "item": ["tea", "tea", "cup", "cup"],
    ...     "event": ["view", "purchase", "click", "view"],
    ... })
    >>> actions(log).frame.rows()
    [('ann', 'tea', 3.0), ('ann', 'cup', 1.0), ('bob', 'cup', 0.0)]
    >>> actions(log, grades={"view": 0.5, "click": 1, "purchase": 5}).audit
    actions       rows
    rows in          4
    graded           3
      grade 0.5      1
      grade 1        1
      grade 5        1
    <BLANKLINE>
    view: grade 0.5, 2 rows
    click: grade 1, 1 row
    purchase: grade 5, 1 row
    of several actions on an item, the highest grade counts
    2 queries, 0 of them with nothing above 0
    items that are not in the log are unjudged
    """
    mapping = _mapping(GRADES if grades is None else grades)
    rule = Rule(mapping, combine, _cap(cap, combine, mapping), half_life, now)
    rule.check()
    opened = open_table(log, _TABLE, columns)
    optional = ("time", "weight", *_BESIDE)
    found = named.find(opened.names, _TABLE, opened.by_role(columns), (*_KEY, "action"), optional)
    refuse_clash(found, ("grade", *_BESIDE), _TABLE)
    clock = _clock(opened, found, rule)
    frame = _events(opened, found, clock)
    seen = _look(frame, clock is not None)
    _refuse_weights(frame, seen)
    grade, remarks = _graded(opened, clock, seen, rule)
    combined = _combined(_usable(frame, clock is not None), grade, rule)
    out = kept(_named(combined, found), is_file=opened.is_file)
    known = tally(out, found["query"])
    if "weight" in found:
        remarks.append(f"the grade of a row is multiplied by its {found['weight']!r}")
    audit = _audit(seen, known, [*remarks, rule.sentence()])
    by_role = {role: found.get(role, role) for role in _KEY} | {role: role for role in ("grade", *_BESIDE)}
    names = out.collect_schema().names()
    return Audited(out.to_native(), audit, {role: name for role, name in by_role.items() if name in names})


@dataclass(frozen=True, slots=True)
class Rule:
    """What actions are worth, and together."""

    grades: Mapping[str, float]
    combine: Combine
    cap: float
    half_life: float | timedelta | None
    now: datetime | date | str | float | None

    def check(self) -> None:
        """Raise unless the options go together."""
        if self.half_life is not None:
            times.length("half_life", self.half_life, "number" if is_number(self.half_life) else "moment")
        elif self.now is not None:
            raise bad("now", "given with half_life alone", self.now, "without decay no action depends on now")

    def needs_time(self) -> str | None:
        """What of it needs a column of times."""
        if self.half_life is not None:
            return "half_life"
        return "combine='last'" if self.combine == "last" else None

    def name(self, action: str) -> str | None:
        """The name in `grades` that an action goes by: its own, or one that differs in style alone."""
        texts = (action, action.removesuffix(".0"))  # whole numbers beside missing ones are floats in pandas
        exact = next((text for text in texts if text in self.grades), None)
        if exact is not None or not any(map(str.isalpha, action)):  # -1 and 1 do not differ in style
            return exact
        alike = [name for name in self.grades if roles.key(name) == roles.key(action)]
        return alike[0] if len({self.grades[name] for name in alike}) == 1 else None

    def sentence(self) -> str:
        """How the actions on an item combine."""
        return _COMBINE[self.combine].format(cap=format_number(self.cap))


def _mapping(grades: Mapping[Any, float]) -> dict[str, float]:
    if not isinstance(grades, Mapping) or not grades:
        raise bad("grades", "a mapping of action to grade", grades, "such as {'click': 1, 'purchase': 3}")
    given = {str(name): _finite(f"the grade of {name!r}", grade) for name, grade in grades.items()}
    return {"none": 0.0, **given}  # what was shown and nothing more


def _finite(field: str, got: object) -> float:
    if not is_finite(got):
        raise bad(field, "a finite number", got, "such as 1, or 0 for what was shown and nothing more")
    return float(got)


def _cap(cap: float | None, combine: Combine, grades: Mapping[str, float]) -> float:
    require_choice("combine", combine, _COMBINE, "it says what several actions on one item are worth")
    if cap is None:
        return max(grades.values())
    if combine != "sum":
        raise bad("cap", "given with combine='sum' alone", cap, "it cuts a sum of grades; leave it out")
    if _finite("cap", cap) < 0:
        raise bad("cap", "at least 0", cap, "it is the most that a sum of grades can be")
    return float(cap)


def _clock(opened: Opened, found: Mapping[str, str], rule: Rule) -> times.Clock | None:
    what = rule.needs_time()
    if what is None:
        return None
    if "time" not in found:
        known = ", ".join(named.NAMES["time"][:6])
        raise RankgaugeError("needs-column", _TABLE, role="time", known=known, what=what, side=_TABLE, instead="")
    return times.clock(opened, found["time"], _TABLE)


def _events(opened: Opened, found: Mapping[str, str], clock: times.Clock | None) -> Frame:
    """The rows of a log, by role; other columns are left out, so that no name stands for two."""
    action = nw.col(found["action"])
    is_set = ~action.is_null() & (action.cast(nw.String) != "")
    wanted = {role: nw.col(found[role]) for role in _KEY}
    wanted |= {"action": nw.when(is_set).then(action.cast(nw.String)).otherwise(nw.lit("none"))}
    wanted |= {role: opened.number(found[role], _TABLE) for role in _BESIDE if role in found}
    weight = opened.number(found["weight"], _TABLE).fill_null(1.0) if "weight" in found else nw.lit(1.0)
    frame = opened.frame
    if isinstance(frame, nw.DataFrame):  # so that what comes out is in the order of what came in
        frame = frame.with_row_index("rankgauge_row")
        wanted |= {"row": nw.col("rankgauge_row")}
    return frame.select(**wanted, weight=weight, **(clock.columns() if clock else {}))


class Seen(NamedTuple):
    """What is known of a log before it is graded."""

    rows: int
    dropped: dict[str, int]
    # How many rows of use there are of each action.
    actions: dict[str, int]
    # Sums and extremes over the rows of use.
    totals: dict[str, Any]


def _look(frame: Frame, timed: bool) -> Seen:
    """Count the actions, and all else that must be known, in one pass."""
    nobody = absent(_KEY)
    late = ~nobody & nw.col("time").is_null() & (nw.col("unread") == 0) if timed else nw.lit(value=False)
    helpers = {"nobody": flag(nobody), "late": flag(late)}
    helpers |= {"used": 1 - helpers["nobody"] - helpers["late"]}
    sums = ["nobody", "late", "used", *(["moments", "days", "unread"] if timed else [])]
    aggregates = {name: nw.col(name).sum() for name in sums}
    aggregates |= {"least": nw.col("weight").min(), "most": nw.col("weight").max()}
    if timed:
        helpers |= {"of_use": nw.when(~nobody).then(nw.col("seconds"))}
        aggregates |= {"latest": nw.col("of_use").max(), "timed": nw.col("seconds").count()}
    found = rows(frame.with_columns(**helpers).group_by("action").agg(count=nw.len(), **aggregates))
    totals = {name: sum(row[name] for row in found) for name in (*sums, *(["timed"] if timed else []))}
    latest = [last for row in found if (last := number(row.get("latest"))) is not None]
    totals |= {"least": min((row["least"] for row in found), default=1.0)}
    totals |= {"most": max((row["most"] for row in found), default=1.0), "latest": max(latest, default=0.0)}
    dropped = {"no query or item": int(totals["nobody"]), "no time": int(totals["late"])}
    used = {row["action"]: int(row["used"]) for row in found if row["used"]}
    return Seen(sum(row["count"] for row in found), dropped, used, totals)


def _refuse_weights(frame: Frame, seen: Seen) -> None:
    if seen.totals["least"] >= 0.0 and seen.totals["most"] < float("inf"):
        return
    weight = nw.col("weight")
    row = rows(frame.filter((weight < 0.0) | (weight == float("inf"))).select(*_KEY, "weight").head(1))[0]
    where = place(row, [("query", "query"), ("item", "item")])
    raise RankgaugeError("bad-value", where, noun="weight of at least 0", got=row["weight"])


def _graded(opened: Opened, clock: times.Clock | None, seen: Seen, rule: Rule) -> tuple[nw.Expr, list[str]]:
    """The grade of a row, and what to say of it."""
    by_action = {action: rule.name(action) for action in sorted(seen.actions)}
    unknown = sorted(
        (action for action, name in by_action.items() if name is None), key=lambda each: -seen.actions[each]
    )
    if unknown:
        known, got = ", ".join(rule.grades), unknown[0]
        raise RankgaugeError("unknown-action", _TABLE, known=known, got=got, nearest=nearest(got, rule.grades))
    grade: Any = nw.lit(0.0)
    for action, name in by_action.items():
        grade = nw.when(nw.col("action") == action).then(nw.lit(rule.grades[str(name)])).otherwise(grade)
    remarks = [
        f"{name}: grade {format_number(rule.grades[name])}, {counted(count, 'row', 'rows')}"
        for name in rule.grades
        if (count := sum(seen.actions[action] for action, own in by_action.items() if own == name))
    ]
    grade = grade * nw.col("weight")
    if clock is not None:
        which = times.kind(seen.totals, opened, clock, _TABLE)
        if rule.half_life is not None:
            share, sentence = _decay(clock, which, seen, rule)
            return grade * share, [*remarks, sentence]
    return grade, remarks


def _decay(clock: times.Clock, which: times.Kind, seen: Seen, rule: Rule) -> tuple[nw.Expr, str]:
    span = times.length("half_life", rule.half_life, which)
    latest = seen.totals["latest"]
    if which == "day" and latest:
        latest = times.point("time", latest, which, None)
    now = latest if rule.now is None else times.point("now", rule.now, which, clock.zone)
    if latest > now:
        raise RankgaugeError(
            "look-ahead",
            _TABLE,
            expected=f"no action after now, which is {times.shown(now, which)}",
            got=f"one at {times.shown(latest, which)}",
            hint="leave out the later actions, or give a later now: what is not yet known has no grade",
        )
    share = nw.lit(0.5) ** ((now - times.in_seconds(nw.col("seconds"), which)) / span)
    unit = f"{format_number(span)} in the units of {clock.column!r}" if which == "number" else _days(span / times.DAY)
    return share, f"a grade halves each {unit} before {times.shown(now, which)}"


def _days(days: float) -> str:
    return "day" if days == 1.0 else f"{days:g} days"


def _usable(frame: Frame, timed: bool) -> Frame:
    return frame.filter(~absent([*_KEY, "time"] if timed else _KEY))


def _combined(frame: Frame, grade: nw.Expr, rule: Rule) -> Frame:
    """One row for each query and item."""
    names = frame.collect_schema().names()
    frame = frame.with_columns(grade=grade)
    value = nw.col("grade")
    if rule.combine == "last":
        is_last = nw.col("time") == nw.col("time").max().over(*_KEY)
        frame = frame.with_columns(grade=nw.when(is_last).then(value))
    best = {"position": nw.col("position").min(), "propensity": nw.col("propensity").max(), "row": nw.col("row").min()}
    beside = {name: expression for name, expression in best.items() if name in names}
    out = frame.group_by(*_KEY).agg(grade=value.sum() if rule.combine == "sum" else value.max(), **beside)
    if rule.combine == "sum":
        out = out.with_columns(grade=nw.when(value > rule.cap).then(nw.lit(rule.cap)).otherwise(value))
    return out.sort("row") if "row" in names else out


def _named(frame: Frame, found: Mapping[str, str]) -> Frame:
    beside = [role for role in _BESIDE if role in found]
    return frame.select(*(nw.col(role).alias(found[role]) for role in _KEY), "grade", *beside)


def _audit(seen: Seen, known: Tally, remarks: list[str]) -> Audit:
    remarks = [*remarks, *known.remarks("query", "queries"), "items that are not in the log are unjudged"]
    return Audit("actions", seen.rows, seen.dropped, known.items, known.grades, tuple(remarks))
