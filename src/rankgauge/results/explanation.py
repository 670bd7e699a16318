"""Explanation: one query, rank by rank, beside the ideal, and which items cost most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice, zip_longest
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from rankgauge.conventions import Convention
from rankgauge.engines.reference import engine
from rankgauge.engines.reference import gains as gains_formulas
from rankgauge.engines.reference.long_sum import LongSum, sum_in_order
from rankgauge.engines.reference.order import Ranked
from rankgauge.errors import RankgaugeError
from rankgauge.languages import ENGLISH, Text
from rankgauge.languages.escapes import printable
from rankgauge.languages.text import headings
from rankgauge.measures import Gains
from rankgauge.notation import counted
from rankgauge.presentation.parts import Part, parts_in_language, parts_to_text
from rankgauge.presentation.parts_mixin import PartsMixin
from rankgauge.presentation.table import PLACES, Table
from rankgauge.remarks import Remark
from rankgauge.results.remarks import answer, describe, other_reading, two_readings

if TYPE_CHECKING:
    import altair as alt

SHOWN_RANKS = 20
SHOWN_COSTS = 5


@dataclass(frozen=True, slots=True)
class Rank:
    """One rank of the actual or of the ideal ranking; `running` is the sum down to here."""

    rank: int
    item: str | None
    grade: float | None
    gain: float
    discount: float
    contribution: float
    running: float


@dataclass(frozen=True, slots=True)
class Cost:
    """What an item's place costs: its share of what is missing to the ideal. All costs sum to 1 − NDCG.

    For a measure that is not normalised they sum to IDCG − DCG. No item stands for ranks that hold none, where the
    ideal is k perfect positions.
    """

    item: str | None
    grade: float | None
    rank: int | None
    ideal_rank: int | None
    cost: float


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(PartsMixin):
    """Why a query has its value: the ranks, the ideal ranks, the sums, and the items that cost most.

    >>> import rankgauge as rg
    >>> print(rg.explain({"candy": {"a": 2, "b": 3, "c": 0, "d": 0, "e": 1}}, {"candy": ["a", "b", "c", "d", "e"]},
    ...                  measure="ndcg@5", convention="burges"))
    ndcg@5 = 0.8308 for query 'candy', convention: burges (gain exp2, discount log2, ideal judged)
    <BLANKLINE>
    rank  item  grade  gain  discount    adds     DCG  ideal item  ideal grade    IDCG
       1  a         2     3    1.0000  3.0000  3.0000  b                     3  7.0000
       2  b         3     7    0.6309  4.4165  7.4165  a                     2  8.8928
       3  c         0     0    0.5000  0.0000  7.4165  e                     1  9.3928
       4  d         0     0    0.4307  0.0000  7.4165  c                     0  9.3928
       5  e         1     1    0.3869  0.3869  7.8034  d                     0  9.3928
    <BLANKLINE>
    DCG 7.8034 / IDCG 9.3928 = 0.8308
    <BLANKLINE>
    What costs most of the missing 0.1692:
    item  grade  rank  ideal rank    cost
    b         3     2           1  0.2751
    e         1     5           3  0.0120
    Items that stand higher than in the ideal win back 0.1179.
    """

    query: str
    measure: Gains
    convention: Convention
    ranks: tuple[Rank, ...]
    ideal_ranks: tuple[Rank, ...]
    dcg: float
    idcg: float
    value: float
    costs: tuple[Cost, ...]
    remarks: tuple[Remark, ...]
    # The measure as it was asked for.
    label: str = ""
    # All ranked items that count, also below k, with their grades, and the judged items that the ranking lacks.
    listed: tuple[tuple[str, float | None], ...] = ()
    unlisted: tuple[tuple[str, float | None], ...] = ()

    def table(self) -> Table:
        """Return the ranks beside the ideal ones, as far as they are shown; a rank adds gain × discount."""
        total = self._total()
        return Table(
            [
                *headings("rank", "item", "grade", "gain", "discount", "adds"),
                total,
                *headings("ideal item", "ideal grade"),
                f"I{total}",
            ],
            [
                [rank, *_shown(self.ranks, rank, actual=True), *_shown(self.ideal_ranks, rank, actual=False)]
                for rank in self._shown_ranks()
            ],
            together=3,
        )

    def costs_table(self) -> Table:
        """Return the items whose place costs most."""
        rows = [
            [cost.item, _whole(cost.grade), cost.rank, cost.ideal_rank, cost.cost]
            for cost in self.costs[:SHOWN_COSTS]
            if cost.cost > 0
        ]
        return Table(headings("item", "grade", "rank", "ideal rank", "cost"), rows)

    def headline(self) -> str:
        """Return the value and what it is of."""
        convention = describe(self.convention, self.measure)
        return Text(
            "{measure} = {value} for query '{query}', convention: {convention}",
            measure=self.label or str(self.measure),
            value=self.value,
            query=printable(self.query),
            convention=convention,
        )

    def sums(self) -> str:
        """Return how the value comes from the sums."""
        total = self._total()
        if not self.measure.normalised:
            return Text("{} {}, I{} {}", total, self.dcg, total, self.idcg)
        if self.idcg > 0 and self.dcg / self.idcg == self.value:
            return Text("{} {} / I{} {} = {}", total, self.dcg, total, self.idcg, self.value)
        setting = f"(nothing_relevant={self.convention.nothing_relevant})"
        if not self.ranks:
            return Text("nothing is ranked, so the value is {}", self.value)
        if self.idcg > 0:
            return Text("nothing is relevant, so the value is {} {}", self.value, setting)
        return Text("the ideal is 0, so the value is {} {}", self.value, setting)

    def cost_headline(self) -> str:
        """Return what the costs are a share of."""
        if self.measure.normalised:
            return Text("What costs most of the missing {}:", 1 - self.value)
        return Text("What costs most of what is missing to the ideal:")

    def won_back(self) -> list[str]:
        """Return what items that stand higher than in the ideal make good."""
        gained = -sum(cost.cost for cost in self.costs if cost.cost < 0)
        remark = Text("Items that stand higher than in the ideal win back {}.", gained)
        return [remark] if gained > 0 else []

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, with all digits."""
        return {
            "query": self.query,
            "measure": self.label or str(self.measure),
            "convention": str(self.convention),
            "value": self.value,
            "dcg": self.dcg,
            "idcg": self.idcg,
            "ranks": [asdict(rank) for rank in self.ranks],
            "ideal_ranks": [asdict(rank) for rank in self.ideal_ranks],
            "costs": [asdict(cost) for cost in self.costs],
            "remarks": [remark.to_dict() for remark in self.remarks],
        }

    def to_html(self, *, places: int = PLACES, lang: str = ENGLISH) -> str:
        """Write a page, to be saved as UTF-8, on which the items can be moved; the value follows.

        It needs no other file and no network, and has the tables of `print` below.

        Parameters:
            places: the number of digits after the point.
            lang: the language, `en` or `ko`; the page has a switch for it.

        >>> import rankgauge as rg
        >>> page = rg.explain([2, 3, 0, 0, 1], measure="ndcg(gain=exp2)").to_html()

        """
        from rankgauge.presentation.html import parts_to_html
        from rankgauge.presentation.learner.initial_state import InitialState
        from rankgauge.presentation.learner.page import learner_page
        from rankgauge.presentation.learner.rules import Rules

        parts = parts_in_language(self.parts(), lang)
        start = InitialState(
            self.listed,
            self.unlisted,
            Rules.of(self.convention, self.measure.under(self.convention)),
            printed=parts_to_text(parts[:1], places),
            tied=any(remark.code == "averaged-ties" for remark in self.remarks),
        )
        return learner_page(start, places=places, lang=lang, in_full=parts_to_html(parts, places))

    def plot(self, what: str = "ranks", *, themed: bool = True) -> alt.TopLevelMixin:
        """Return a chart of Altair; it takes `pip install 'rankgauge[plots]'`.

        Parameters:
            what: `ranks`, what each rank adds beside the ideal; `sums` down to each rank; `costs` of each item's place.
            themed: whether it has our theme; charts that are to be joined with others must have none.

        >>> import rankgauge as rg
        >>> chart = rg.explain([2, 3, 0, 0, 1], measure="ndcg@5").plot("sums")

        """
        from rankgauge.presentation.charts.plotting import plot
        from rankgauge.reports.plots import chart_of_explanation

        return plot(chart_of_explanation(self, what), themed=themed)

    def parts(self) -> list[Part]:
        """Return the texts and tables that a person reads, one below the other."""
        costs = self.costs_table()
        below: list[Part] = ["", self.cost_headline(), costs, *self.won_back()] if costs.rows else []
        return [self.headline(), "", self.table(), "", self.sums(), *self.remarks, *below]

    def _total(self) -> str:
        return "DCG" if self.measure.discounted else "CG"

    def _shown_ranks(self) -> list[int]:
        """The first ranks, and of the rest those that add something."""
        count = max(len(self.ranks), len(self.ideal_ranks))
        extra = (rank for rank in range(SHOWN_RANKS + 1, count + 1) if self._adds(rank))
        return [*range(1, min(count, SHOWN_RANKS) + 1), *islice(extra, SHOWN_RANKS)]

    def _adds(self, rank: int) -> bool:
        return any(ranks[rank - 1].contribution for ranks in (self.ranks, self.ideal_ranks) if rank <= len(ranks))


def explain_query(
    query: str, grades: Mapping[str, float], order: Ranked, full: Gains, convention: Convention
) -> Explanation:
    """Explain a measure, with every term given, of a query that the reference engine has ordered."""
    if order.missing and convention.missing == "error":
        raise RankgaugeError("missing-query", place=f"query {query!r}")
    gains_formulas.require_gain(grades, full, query, convention)
    worth = gains_formulas.gain_by_grade(grades, full, convention)
    listed = [(item, grades.get(item)) for item in order.items]
    counted = set(order.items[: order.length])
    unlisted = sorted((item, grade) for item, grade in grades.items() if item not in counted)
    gains = [worth[grade] for _, grade in listed]
    ranks = _ranks(listed, gains_formulas.gains_that_count(gains, order, full, convention), full)
    ideal = _ideal(worth, listed, unlisted, order, full, convention)
    ideal_ranks = _ranks([(best.item, best.grade) for best in ideal], [best.gain for best in ideal], full)
    dcg, idcg = _last(ranks), _last(ideal_ranks)
    value = _value(dcg, idcg, grades, order, full, query, convention)
    remarks = [Remark.of("missing", _missing(convention))] if order.missing else []
    if engine.is_short(grades, order, full, convention):
        remarks.append(_short_remark(grades, order, full, query, convention))
    if convention.ties == "average" and order.ties:
        remarks.append(Remark.of("averaged-ties", Text("gains are means over the items that share a score")))
    costs = _costs(ranks, ideal_ranks, [best.rank for best in ideal], idcg if full.normalised else 1.0)
    why = Explanation(
        query=query,
        measure=full,
        convention=convention,
        ranks=ranks,
        ideal_ranks=ideal_ranks,
        dcg=dcg,
        idcg=idcg,
        value=value,
        costs=tuple(costs),
        remarks=tuple(remarks),
        listed=tuple(listed[: order.length]),
        # The best first; those of equal grades stay in the order of their ids.
        unlisted=tuple(sorted(unlisted, key=itemgetter(1), reverse=True)),
    )
    hidden = max(len(ranks), len(ideal_ranks)) - len(why.table().rows)
    if hidden:
        remarks.append(Remark.of("hidden-ranks", Text("{hidden:,} more ranks are not shown", hidden=hidden)))
    return replace(why, remarks=tuple(remarks))


def _missing(convention: Convention) -> Text:
    return Text("this query is not in the ranking; {}", answer(convention, "missing"))


def _short_remark(
    grades: Mapping[str, float], order: Ranked, full: Gains, query: str, convention: Convention
) -> Remark:
    """Say that the list is shorter than k, where the ideal ends, and what the value is where it ends elsewhere."""
    with_ideal = convention.replace(ideal=full.ideal or convention.ideal)
    other = replace(full, ideal=other_reading(with_ideal).ideal)
    value = engine.evaluate_query(grades, order, other, query, convention)
    ranked = Text(
        "{items} ranked, fewer than k = {k} and than are relevant", items=counted(order.length, "item"), k=full.k
    )
    return Remark.of("short-lists", Text("{}; {}: {}", ranked, two_readings(with_ideal), value))


def _value(
    dcg: float,
    idcg: float,
    grades: Mapping[str, float],
    order: Ranked,
    full: Gains,
    query: str,
    convention: Convention,
) -> float:
    """Return what the reference engine makes of the sums, which it need not compute again."""
    value = gains_formulas.read_sums(dcg, idcg, grades, order, full, query, convention)
    return engine.value_of_query(value, order, full, query, convention)


def _ranks(
    items: Sequence[tuple[str | None, float | None]], gains: Sequence[float], measure: Gains
) -> tuple[Rank, ...]:
    ranks = []
    running = LongSum()
    for rank, ((item, grade), gain) in enumerate(zip(items, gains, strict=False), start=1):
        discount = gains_formulas.weight_at(rank, measure)
        contribution = gain * discount
        running.add(contribution)
        ranks.append(Rank(rank, item, grade, gain, discount, contribution, running.value))
    return tuple(ranks)


class _Best(NamedTuple):
    """An item of the ideal ranking, and the rank at which it stands; no item where the ideal is a perfect position."""

    item: str | None
    grade: float | None
    gain: float
    rank: int | None


def _ideal(
    worth: Mapping[float | None, float],
    listed: Sequence[tuple[str, float | None]],
    unlisted: Sequence[tuple[str, float]],
    order: Ranked,
    measure: Gains,
    convention: Convention,
) -> Sequence[_Best]:
    """Return the ideal ranking; of equal gains the better ranked comes first, so that it costs nothing."""
    k = gains_formulas.ideal_cutoff(measure, order.length, convention)
    ideal = measure.ideal or convention.ideal
    if ideal.kind == "perfect":
        return [_Best(None, None, ideal.top, None)] * (k or 0)
    candidates = [_Best(item, grade, worth[grade], rank) for rank, (item, grade) in enumerate(listed, start=1)]
    if ideal.kind == "top":
        candidates = candidates[:k]
    if ideal.kind not in ("ranked", "top"):
        # What ties with the last rank that counts is among the listed as well.
        below = set(order.items[order.length :])
        candidates = [best for best in candidates if best.grade is not None]
        candidates += [_Best(item, grade, worth[grade], None) for item, grade in unlisted if item not in below]
    return sorted(candidates, key=attrgetter("gain"), reverse=True)[:k]  # stable


def _costs(
    ranks: Sequence[Rank], ideal_ranks: Sequence[Rank], ranks_of_ideal: Sequence[int | None], scale: float
) -> list[Cost]:
    """Return what each item costs; `ranks_of_ideal` is where the items of the ideal stand in the ranking."""
    if not scale > 0:
        return []
    costs = []
    if ideal_ranks and ideal_ranks[0].item is None:  # perfect positions have no items: each rank answers for itself
        pairs = list(zip_longest(ranks, ideal_ranks[: len(ranks)]))
        empty = [rank.contribution for rank in ideal_ranks[len(ranks) :]]
        costs = [Cost(None, None, None, None, sum_in_order(empty) / scale)] if empty else []
    else:
        at_rank = [ranks[rank - 1] if rank is not None and rank <= len(ranks) else None for rank in ranks_of_ideal]
        pairs = list(zip(at_rank, ideal_ranks, strict=True))
        in_ideal = set(ranks_of_ideal)
        pairs += [(rank, None) for rank in ranks if rank.rank not in in_ideal]
    costs += [_cost(is_at, should_be, scale) for is_at, should_be in pairs]
    return sorted(costs, key=attrgetter("cost"), reverse=True)


def _cost(is_at: Rank | None, should_be: Rank | None, scale: float) -> Cost:
    lost = (should_be.contribution if should_be else 0.0) - (is_at.contribution if is_at else 0.0)
    places = (is_at.rank if is_at else None, should_be.rank if should_be else None)
    item, grade = (
        (is_at.item, is_at.grade) if is_at else (should_be.item, should_be.grade) if should_be else (None, None)
    )
    return Cost(item, grade, *places, lost / scale)


def _shown(ranks: Sequence[Rank], rank: int, *, actual: bool) -> list[str | float | int | None]:
    if rank > len(ranks):
        return [None] * (6 if actual else 3)
    shown = ranks[rank - 1]
    terms = [_whole(shown.gain), shown.discount, shown.contribution] if actual else []
    return [shown.item, _whole(shown.grade), *terms, shown.running]


def _whole(number: float | None) -> float | int | None:
    return int(number) if number is not None and number == int(number) else number


def _last(ranks: Sequence[Rank]) -> float:
    return ranks[-1].running if ranks else 0.0
