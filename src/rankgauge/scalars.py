"""The measures as functions of one plain list, for a quick number and for learning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from rankgauge.conventions import Convention
from rankgauge.conventions.terms import Discount, Gain, Ideal
from rankgauge.errors import RankgaugeError
from rankgauge.errors.unknown_keywords import hinted
from rankgauge.evaluate import evaluate
from rankgauge.measures import CG, DCG, IDCG, NDCG, Measure

RankingOrGrades = Iterable[object] | Mapping[object, float]
Truth = Mapping[object, float] | Iterable[object]
Term = str | Gain | Discount | Ideal


@hinted(*CG.takes)
def cg(
    ranking: RankingOrGrades,
    truth: Truth | None = None,
    k: int | None = None,
    *,
    convention: str | Convention = "textbook",
    **terms: Term,
) -> float:
    """Return the cumulative gain of one ranking: CG@k = Σ_{i≤k} gain_i.

    Parameters:
        ranking: the grades in ranked order; or, with a `truth`, the items in ranked order or {item: score}.
        truth: {item: grade}, or the relevant items; default: `ranking` has the grades.
        k: how many of the first ranks count; default: all.
        convention: its name, or an `rg.Convention`.
        terms: `gain`, where they differ from those of the convention.

    >>> cg([3, 2, 3, 0, 1, 2])
    11.0
    >>> cg([3, 2, 3, 0, 1, 2], k=3)
    8.0

    Järvelin & Kekäläinen 2000, IR evaluation methods for retrieving highly relevant documents, SIGIR.

    """
    return _scalar(CG, ranking, truth, k, convention, terms)


@hinted(*DCG.takes)
def dcg(
    ranking: RankingOrGrades,
    truth: Truth | None = None,
    k: int | None = None,
    *,
    convention: str | Convention = "textbook",
    **terms: Term,
) -> float:
    """Return the discounted cumulative gain of one ranking: DCG@k = Σ_{i≤k} gain_i / log2(i + 1).

    Parameters:
        ranking: the grades in ranked order; or, with a `truth`, the items in ranked order or {item: score}.
        truth: {item: grade}, or the relevant items; default: `ranking` has the grades.
        k: how many of the first ranks count; default: all.
        convention: its name, or an `rg.Convention`.
        terms: `gain` and `discount`, where they differ from those of the convention.

    >>> dcg([3, 2, 3, 0, 1, 2])
    6.861126688593502
    >>> dcg([2, 3, 0, 0, 1], gain="exp2")
    7.803361082234744
    >>> dcg([6, 3, 8, 4, 5], {3, 4})
    1.0616063116448506
    >>> dcg(["A", "B", "C"], {"A": 0.1, "B": 0.5, "C": 0.7, "D": 0.5, "E": 0.1})
    0.7654648767857287

    Järvelin & Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4).

    """
    return _scalar(DCG, ranking, truth, k, convention, terms)


@hinted(*IDCG.takes)
def idcg(
    ranking: RankingOrGrades,
    truth: Truth | None = None,
    k: int | None = None,
    *,
    convention: str | Convention = "textbook",
    **terms: Term,
) -> float:
    """Return the DCG of the best ranking there could be: IDCG@k = Σ_{i≤k} ideal gain_i / log2(i + 1).

    Parameters:
        ranking: the grades in ranked order; or, with a `truth`, the items in ranked order or {item: score}. A mapping
            alone is the truth; no k then means all of it.
        truth: {item: grade}, or the relevant items; default: `ranking` has the grades.
        k: how many of the first ranks count; default: the length of the ranking.
        convention: its name, or an `rg.Convention`.
        terms: `gain`, `discount` and `ideal`, where they differ from those of the convention.

    >>> idcg([3, 2, 3, 0, 1, 2])
    7.1409951840957
    >>> idcg([2, 3, 0, 0, 1], gain="exp2")
    9.392789260714373
    >>> idcg([6, 3, 8, 4, 5], {3, 4})
    1.6309297535714575
    >>> idcg([3, 2, 2, 1], k=4)
    5.692536065216308
    >>> truth = {"A": 0.1, "B": 0.5, "C": 0.7, "D": 0.5, "E": 0.1}
    >>> idcg(truth)
    1.347217813316522
    >>> idcg(["A", "B", "C"], truth)  # no k: the length of the list
    1.2654648767857286

    Järvelin & Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4).

    """
    if truth is None and isinstance(ranking, Mapping):
        ranking, truth = list(ranking), ranking
    return _scalar(IDCG, ranking, truth, k, convention, terms)


@hinted(*NDCG.takes)
def ndcg(
    ranking: RankingOrGrades,
    truth: Truth | None = None,
    k: int | None = None,
    *,
    convention: str | Convention = "textbook",
    **terms: Term,
) -> float:
    """Return the normalised discounted cumulative gain of one ranking: NDCG@k = DCG@k / IDCG@k.

    Parameters:
        ranking: the grades in ranked order; or, with a `truth`, the items in ranked order or {item: score}.
        truth: {item: grade}, or the relevant items; default: `ranking` has the grades.
        k: how many of the first ranks count; default: the length of the ranking.
        convention: its name, or an `rg.Convention`.
        terms: `gain`, `discount` and `ideal`, where they differ from those of the convention.

    >>> ndcg([3, 2, 3, 0, 1, 2])
    0.9608081943360617
    >>> ndcg([2, 3, 0, 0, 1], gain="exp2")
    0.8307820888596468
    >>> ndcg([6, 3, 8, 4, 5], {3, 4}, k=5, convention="implicit-feedback")
    0.6509209298071326
    >>> truth = {"A": 0.1, "B": 0.5, "C": 0.7, "D": 0.5, "E": 0.1}
    >>> ndcg(["A", "B", "C"], truth)
    0.6048882832133625
    >>> ndcg(["D", "A", "C", "B", "E"], truth)
    0.8663161395143223

    A list shorter than k: the ideal goes on to k, or it is cut at the list's length.

    >>> ndcg(["A", "B", "C"], truth, k=10)
    0.5681819741540833
    >>> ndcg(["A", "B", "C"], truth, k=10, convention="textbook-clipped")
    0.6048882832133625

    The base of the logarithm cancels, except in the form of 2002, which does not discount ranks below it.

    >>> ndcg([2, 3, 0, 0, 1], gain="exp2", discount="log(10)")
    0.8307820888596468
    >>> ndcg([2, 3, 0, 0, 1], gain="exp2", discount="jarvelin(2)")
    0.9811631531634579
    >>> ndcg([2, 3, 0, 0, 1], gain="exp2", discount="jarvelin(10)")
    1.0

    Nothing relevant is worth 0.

    >>> ndcg([0, 0]), ndcg(["A"], {}), ndcg([])
    (0.0, 0.0, 0.0)

    A perfect order of stocks by the quintile of their return is worth 1.

    >>> ndcg(["A", "B", "C", "D", "E"], {"A": 4, "B": 3, "C": 2, "D": 1, "E": 0})
    1.0

    Järvelin & Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4).

    """
    return _scalar(NDCG, ranking, truth, k, convention, terms)


def _scalar(
    measure: Measure,
    ranking: RankingOrGrades,
    truth: Truth | None,
    k: int | None,
    convention: str | Convention,
    terms: Mapping[str, Term],
) -> float:
    _require_one_list(ranking, truth)
    ranked, judged = _split_grades(ranking) if truth is None else (ranking, truth)
    full = measure(**terms)
    full = full if k is None else full @ k
    result = evaluate({"list": judged}, {"list": ranked}, full, convention=convention)
    return result[full]


def _require_one_list(ranking: object, truth: object) -> None:
    """Raise for a table, and for scores beside a list: the list may be the ranking, and the scores its truth."""
    if hasattr(ranking, "columns"):
        expected = "a list of grades in ranked order, or of items"
        raise RankgaugeError("bad-query-rows", expected=expected, got=f"a {type(ranking).__name__}")
    if isinstance(ranking, Mapping) and isinstance(truth, list | tuple):
        raise RankgaugeError("which-is-truth", got=f"a dict and a {type(truth).__name__}")


def _split_grades(grades: RankingOrGrades) -> tuple[list[int], dict[int, object]]:
    """Name the items of a list of grades by their rank."""
    if isinstance(grades, Mapping | Set | str) or not isinstance(grades, Iterable):
        expected = "a list of grades in ranked order, or a ranking and a truth"
        raise RankgaugeError("bad-query-rows", expected=expected, got=type(grades).__name__)
    judged = dict(enumerate(grades, start=1))
    return list(judged), judged
