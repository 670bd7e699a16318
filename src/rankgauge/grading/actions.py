"""A log of actions → grades: seen 0, clicked 1, put into the cart 2, bought 3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import narwhals as nw

from rankgauge.checks import bad_number, is_number, require_choice, require_finite
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.errors.unknown_keywords import hinted
from rankgauge.grading import columns as column_names
from rankgauge.grading import times
from rankgauge.grading.audited import Audit, Audited
from rankgauge.grading.grade_counts import GradeCounts, as_float, count_grades, refuse_clash
from rankgauge.grading.merged_rows import merged_rows
from rankgauge.grading.row_locations import pair_location
from rankgauge.grading.source import NwFrame, SourceTable, any_null, flag, materialise_file, open_table, rows
from rankgauge.inputs import roles
from rankgauge.inputs.reading_options import ColumnsInput
from rankgauge.inputs.types import TableInput
from rankgauge.languages import Text
from rankgauge.notation import counted, format_number
from rankgauge.remarks import Remark

Combine: TypeAlias = Literal["max", "sum", "last"]

# Names with one usual meaning. A checkout may be begun or completed, so it is not among them.
_NOTHING: Final = (
    *("none", "impression", "view", "shown", "exposure"),
    *("no_response", "no_action", "no_reaction", "ignored", "viewed", "displayed", "exposed", "무반응", "노출"),
)
# The name of an impression in some logs, and of a visit to the page of an item in those of shops.
_VISITED: Final = ("view", "viewed")
_CLICKED: Final = ("click", "clicked", "클릭")
_IN_CART: Final = (
    *("cart", "add_to_cart", "added_to_cart", "carted"),
    *("basket", "add_to_basket", "added_to_basket", "장바구니", "장바구니 담기"),
)
_BOUGHT: Final = ("purchase", "buy", "order", "transaction", "purchased", "bought", "ordered", "구매", "주문")
GRADES: Final[Mapping[str, float]] = {
    name: grade for grade, names in enumerate((_NOTHING, _CLICKED, _IN_CART, _BOUGHT)) for name in names
}
_COMBINE: Final[Mapping[str, Text]] = {
    "max": Text("of several actions on an item, the highest grade counts"),
    "sum": Text("the grades of several actions on an item add up"),
    "last": Text("of several actions on an item, the last counts; of several at that time, the highest grade"),
}
_TABLE: Final = "log"
_KEY: Final = ("query", "item")
# Where an item was shown: the best of its rows counts.
_ANNOTATIONS: Final = ("position", "propensity")


@hinted()
def actions(
    log: TableInput,
    *,
    grades: Mapping[Any, float] | None = None,
    combine: Combine = "max",
    cap: float | None = None,
    half_life: float | timedelta | None = None,
    now: datetime | date | str | float | None = None,
    columns: ColumnsInput = None,
) -> Audited:
    """Grade items by what people did: one grade for each query (or user) and item of a log.

    A row without an action is an item that was shown. Items that are not in the log stay unjudged. A column `weight`
    multiplies the grade of its row; an empty weight is 1. The lowest position and the highest propensity of each item
    are kept, for measures such as `ips_dcg`.

    The default grades; case, blanks, hyphens and underscores in names do not matter:

    - 0: none, impression, view, shown, exposure, no_response, no_action, no_reaction, ignored, viewed, displayed,
      exposed, 무반응, 노출
    - 1: click, clicked, 클릭
    - 2: cart, add_to_cart, added_to_cart, carted, basket, add_to_basket, added_to_basket, 장바구니, 장바구니 담기
    - 3: purchase, buy, order, transaction, purchased, bought, ordered, 구매, 주문

    Parameters:
        log: a DataFrame of any library, or a path, with columns for the query or user, the item and the action.
        grades: action → grade, instead of the default grades; an action without a grade is an error.
        combine: the grade of several actions on one item: "max", the highest; "sum", at most `cap`; "last", the latest,
            and of several at that time the highest. With grades below 0, "last" and "sum" are the better choice: the
            highest of a dislike of -1 and an impression of 0 is 0.
        cap: the largest sum; default: the highest of `grades`.
        half_life: a grade halves for each such span between its action and `now`: a timedelta, or a number of days, or
            of the units of a column of numbers. Default: grades do not decay.
        now: the time from which `half_life` counts back; default: the latest time of the log. A later action is an
            error. A time with a zone is converted to that of the column; a column without one is in UTC.
        columns: role → column for query, item, action, time, weight, position and propensity, where names are unusual.

    With `half_life` or `combine="last"`, rows without a time are dropped.

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
    action: view has grade 0.5, 2 rows
    action: click has grade 1, 1 row
    action: purchase has grade 5, 1 row
    combine: of several actions on an item, the highest grade counts
    graded: 2 queries, 0 of them with nothing above 0
    unlisted: items that are not in the log are unjudged

    """
    mapping = _mapping(GRADES if grades is None else grades)
    rule = ActionRule(mapping, combine, _cap(cap, combine, mapping), half_life, now)
    rule.check()
    source = open_table(log, _TABLE, columns)
    optional = ("time", "weight", *_ANNOTATIONS)
    names = column_names.find(source.names, _TABLE, source.by_role(columns), (*_KEY, "action"), optional)
    refuse_clash(names, ("grade", *_ANNOTATIONS), _TABLE)
    source.require_ordered(names.values(), _TABLE)
    time = _time_column(source, names, rule)
    frame = _events(source, names, time)
    summary = _summarise(frame, time is not None)
    _refuse_weights(frame, summary)
    rule = rule.with_visits(summary.actions) if grades is None else rule
    grade, remarks = _grade(source, time, summary, rule)
    combined = _combined(_usable(frame, time is not None), grade, rule)
    out = materialise_file(_with_original_names(combined, names), is_file=source.is_file)
    remarks += merged_rows(_usable(frame, time is not None), names)
    if "weight" in names:
        weighted = Text("the grade of a row is multiplied by its {!r}", names["weight"])
        remarks.append(Remark.of("weight", weighted))
    remarks.append(Remark.of("combine", rule.sentence()))
    audit = _audit(summary, count_grades(out, names["query"]), remarks)
    by_role = {role: names.get(role, role) for role in _KEY} | {role: role for role in ("grade", *_ANNOTATIONS)}
    present = out.collect_schema().names()
    return Audited(out.to_native(), audit, {role: name for role, name in by_role.items() if name in present})


@dataclass(frozen=True, slots=True)
class ActionRule:
    """The grade of each action, and of several actions on one item."""

    grades: Mapping[str, float]
    combine: Combine
    cap: float
    half_life: float | timedelta | None
    now: datetime | date | str | float | None
    views_are_visits: bool = False

    def check(self) -> None:
        """Raise if options contradict each other."""
        if self.half_life is not None:
            times.time_span("half_life", self.half_life, "number" if is_number(self.half_life) else "moment")
        elif self.now is not None:
            raise bad_number("now", "given with half_life alone", self.now, "only the decay of grades depends on now")

    def needs_time(self) -> str | None:
        """The option that needs a column of times, if any."""
        if self.half_life is not None:
            return "half_life"
        return "combine='last'" if self.combine == "last" else None

    def name(self, action: str) -> str | None:
        """The name in `grades` that an action matches: exactly, or but for case, blanks, hyphens and underscores."""
        texts = (action, action.removesuffix(".0"))  # whole numbers beside missing ones are floats in pandas
        exact = next((text for text in texts if text in self.grades), None)
        if exact is not None or not any(map(str.isalpha, action)):  # -1 and 1 are different actions
            return exact
        alike = [name for name in self.grades if roles.key(name) == roles.key(action)]
        return alike[0] if len({self.grades[name] for name in alike}) == 1 else None

    def with_visits(self, actions: Iterable[str]) -> ActionRule:
        """The rule for a log that has carts or purchases, but neither impressions nor clicks: there a view is a click.

        So are the logs of RetailRocket and REES46.
        """
        names = {self.name(action) for action in actions}
        shown = {*_NOTHING, *_CLICKED} - {*_VISITED, "none"}
        if not names & set(_VISITED) or names & shown or not names & {*_IN_CART, *_BOUGHT}:
            return self
        visits = dict.fromkeys(_VISITED, self.grades[_CLICKED[0]])
        return replace(self, grades={**self.grades, **visits}, views_are_visits=True)

    def sentence(self) -> Text:
        """How the actions on an item combine."""
        how = _COMBINE[self.combine]
        return Text("{}, to at most {}", how, format_number(self.cap)) if self.combine == "sum" else how


def _mapping(grades: Mapping[Any, float]) -> dict[str, float]:
    if not isinstance(grades, Mapping) or not grades:
        raise bad_number("grades", "a mapping of action to grade", grades, "such as {'click': 1, 'purchase': 3}")
    for name, grade in grades.items():
        require_finite(f"the grade of {name!r}", grade, "such as 1, or 0 for an item that was shown without any action")
    return {"none": 0.0, **{str(name): float(grade) for name, grade in grades.items()}}


def _cap(cap: float | None, combine: Combine, grades: Mapping[str, float]) -> float:
    require_choice("combine", combine, _COMBINE, "how several actions on one item become one grade")
    if cap is None:
        return max(grades.values())
    if combine != "sum":
        raise bad_number("cap", "given with combine='sum' alone", cap, "it limits a sum of grades; leave it out")
    require_finite("cap", cap)
    if cap < 0:
        raise bad_number("cap", "at least 0", cap, "it is the largest sum of grades")
    return float(cap)


def _time_column(source: SourceTable, names: Mapping[str, str], rule: ActionRule) -> times.TimeColumn | None:
    what = rule.needs_time()
    if what is None:
        return None
    if "time" not in names:
        known = ", ".join(column_names.NAMES["time"][:6])
        raise RankgaugeError("needs-column", _TABLE, role="time", known=known, what=what, side=_TABLE, instead="")
    return times.time_column(source, names["time"], _TABLE)


def _events(source: SourceTable, names: Mapping[str, str], time: times.TimeColumn | None) -> NwFrame:
    """The columns of a log by role; other columns are left out, so that no name clashes."""
    action = nw.col(names["action"])
    is_set = ~action.is_null() & (action.cast(nw.String) != "")
    wanted = {role: nw.col(names[role]) for role in _KEY}
    wanted |= {"action": nw.when(is_set).then(action.cast(nw.String)).otherwise(nw.lit("none"))}
    wanted |= {role: source.number(names[role], _TABLE) for role in _ANNOTATIONS if role in names}
    weight = source.number(names["weight"], _TABLE).fill_null(1.0) if "weight" in names else nw.lit(1.0)
    frame = source.frame
    if isinstance(frame, nw.DataFrame):  # keeps the order of the rows
        frame = frame.with_row_index("rankgauge_row")
        wanted |= {"row": nw.col("rankgauge_row")}
    return frame.select(**wanted, weight=weight, **(time.columns() if time else {}))


class LogSummary(NamedTuple):
    """Counts of a log, made before it is graded."""

    rows: int
    dropped: dict[str, int]
    # Action → rows that have all that is needed.
    actions: dict[str, int]
    # Sums and extremes over those rows.
    totals: dict[str, Any]


def _summarise(frame: NwFrame, timed: bool) -> LogSummary:
    """Count the actions, and find the extremes of weights and times, in one pass."""
    nobody = any_null(_KEY)
    late = ~nobody & nw.col("time").is_null() & (nw.col("unread") == 0) if timed else nw.lit(value=False)
    helpers = {"nobody": flag(nobody), "late": flag(late)}
    helpers |= {"used": 1 - helpers["nobody"] - helpers["late"]}
    sums = ["nobody", "late", "used", *(["moments", "days", "unread"] if timed else [])]
    aggregates = {name: nw.col(name).sum() for name in sums}
    aggregates |= {"least": nw.col("weight").min(), "most": nw.col("weight").max()}
    if timed:
        helpers |= {"of_use": nw.when(~nobody).then(nw.col("seconds"))}
        aggregates |= {"latest": nw.col("of_use").max(), "timed": nw.col("seconds").count()}
    by_action = rows(frame.with_columns(**helpers).group_by("action").agg(count=nw.len(), **aggregates))
    totals = {name: sum(row[name] for row in by_action) for name in (*sums, *(["timed"] if timed else []))}
    latest = [last for row in by_action if (last := as_float(row.get("latest"))) is not None]
    totals |= {"least": min((row["least"] for row in by_action), default=1.0)}
    totals |= {"most": max((row["most"] for row in by_action), default=1.0), "latest": max(latest, default=0.0)}
    dropped: dict[str, int] = {Text("no query or item"): int(totals["nobody"]), Text("no time"): int(totals["late"])}
    used = {row["action"]: int(row["used"]) for row in by_action if row["used"]}
    return LogSummary(sum(row["count"] for row in by_action), dropped, used, totals)


def _refuse_weights(frame: NwFrame, summary: LogSummary) -> None:
    if summary.totals["least"] >= 0.0 and summary.totals["most"] < float("inf"):
        return
    weight = nw.col("weight")
    row = rows(frame.filter((weight < 0.0) | (weight == float("inf"))).select(*_KEY, "weight").head(1))[0]
    where = pair_location(row, "query")
    raise RankgaugeError("bad-value", where, noun="weight of at least 0", got=row["weight"])


def _grade(
    source: SourceTable, time: times.TimeColumn | None, summary: LogSummary, rule: ActionRule
) -> tuple[nw.Expr, list[Remark]]:
    """The grade of a row, and the remarks on how it is made."""
    by_action = {action: rule.name(action) for action in sorted(summary.actions)}
    unknown = sorted(
        (action for action, name in by_action.items() if name is None), key=lambda each: -summary.actions[each]
    )
    if unknown:
        known, got = ", ".join(rule.grades), unknown[0]
        raise RankgaugeError("unknown-action", _TABLE, known=known, got=got, nearest=nearest(got, rule.grades))
    grade: Any = nw.lit(0.0)
    for action, name in by_action.items():
        grade = nw.when(nw.col("action") == action).then(nw.lit(rule.grades[str(name)])).otherwise(grade)
    remarks = [
        Remark.of("action", _graded(name, rule.grades[name], count))
        for name in rule.grades
        if (count := sum(summary.actions[action] for action, known in by_action.items() if known == name))
    ]
    if rule.views_are_visits:
        text = Text(
            "a view is a visit to an item's page and graded like a click: the log has no clicks and no impressions"
        )
        remarks.append(Remark.of("views", text))
    grade = grade * nw.col("weight")
    if time is not None:
        kind = times.time_kind(summary.totals, source, time, _TABLE)
        if rule.half_life is not None:
            share, sentence = _decay(time, kind, summary, rule)
            return grade * share, [*remarks, Remark.of("decay", sentence)]
    return grade, remarks


def _graded(action: str, grade: float, count: int) -> Text:
    return Text("{} has grade {}, {}", action, format_number(grade), counted(count, "row", "rows"))


def _decay(time: times.TimeColumn, kind: times.TimeKind, summary: LogSummary, rule: ActionRule) -> tuple[nw.Expr, Text]:
    span = times.time_span("half_life", rule.half_life, kind)
    latest = summary.totals["latest"]
    if kind == "day" and latest:
        latest = times.time_point("time", latest, kind, None)
    now = latest if rule.now is None else times.time_point("now", rule.now, kind, time.zone)
    if latest > now:
        raise RankgaugeError(
            "look-ahead",
            _TABLE,
            expected=f"no action after now, which is {times.point_text(now, kind)}",
            got=f"one at {times.point_text(latest, kind)}",
            hint="leave out the later actions, or give a later now",
        )
    share = nw.lit(0.5) ** ((now - times.in_seconds(nw.col("seconds"), kind)) / span)
    unit = _days(span / times.DAY)
    if kind == "number":
        unit = Text("{} in the units of {!r}", format_number(span), time.column)
    return share, Text("a grade halves each {} before {}", unit, times.point_text(now, kind))


def _days(days: float) -> Text:
    return Text("day") if days == 1.0 else Text("{:g} days", days)


def _usable(frame: NwFrame, timed: bool) -> NwFrame:
    return frame.filter(~any_null([*_KEY, "time"] if timed else _KEY))


def _combined(frame: NwFrame, grade: nw.Expr, rule: ActionRule) -> NwFrame:
    """Combine the actions on each query and item into one row."""
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


def _with_original_names(frame: NwFrame, names: Mapping[str, str]) -> NwFrame:
    beside = [role for role in _ANNOTATIONS if role in names]
    return frame.select(*(nw.col(role).alias(names[role]) for role in _KEY), "grade", *beside)


def _audit(summary: LogSummary, counts: GradeCounts, remarks: list[Remark]) -> Audit:
    unlisted = Remark.of("unlisted", Text("items that are not in the log are unjudged"))
    remarks = [*remarks, *counts.remarks("query", "queries"), unlisted]
    return Audit("actions", summary.rows, summary.dropped, counts.items, counts.grades, tuple(remarks))
