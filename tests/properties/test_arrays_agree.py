"""Arrays and lists much longer than the cutoff: the native engine equals the reference.

Plain sums of gains do so to the last bit, since both add in rank order; the other formulas to 12 digits.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.grids import examples
from tests.grids import grid as spread
from tests.properties.strategies import (
    GRADES,
    PLACED,
    SCORES,
    Case,
    conventions,
    group,
    judgments_file,
    mapping,
    measures,
    ranking_file,
)

import rankgauge as rg
from rankgauge.conventions import NAMED, QUESTIONS, Convention
from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.engines import native
from rankgauge.engines.reference import engine as reference
from rankgauge.errors import RankgaugeError
from rankgauge.measures import Measure, parse_all
from rankgauge.results.evaluation import Evaluation
from rankgauge.results.result import Result

Numbers = npt.NDArray[np.float64]

MANY = examples(1000)
SOME = examples(150)
HOLES = [*SCORES, math.nan]
TIES = list(QUESTIONS["ties"].answers)


class Request(NamedTuple):
    measures: list[Measure]
    convention: Convention
    depth: int | None


@st.composite
def requests(draw: st.DrawFn) -> Request:
    asked = draw(st.lists(measures(PLACED), min_size=1, max_size=4, unique=True))
    # The items of arrays are places, which are nobody's ids.
    return Request(asked, draw(conventions(own_id="keep")), draw(st.none() | st.sampled_from([1, 2, 4, 50])))


@st.composite
def grids(draw: st.DrawFn) -> tuple[Numbers, Numbers]:
    """Labels and scores of up to five queries, with ties, zeros, negatives and places without an item."""
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(0, 12))
    grades = draw(st.sampled_from([GRADES, [0.0, 1.0], [0.0, 1.0, 3.0, math.nan], [0.0]]))
    scores = draw(st.sampled_from([HOLES, SCORES, [0.0, 1.0], [0.5, 0.5 + 1e-9, math.nan]]))

    def grid(values: list[float]) -> Numbers:
        cells = st.lists(st.sampled_from(values), min_size=rows * columns, max_size=rows * columns)
        return np.array(draw(cells), dtype=np.float64).reshape(rows, columns)

    return grid(grades), grid(scores)


def as_mappings(
    labels: Numbers, scores: Numbers, queries: list[Any]
) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Query → {place in the query: number}, for flat arrays with the query of each row."""
    judged: dict[str, dict[str, float]] = {str(query): {} for query in queries}
    ranked: dict[str, dict[str, float]] = {str(query): {} for query in queries}
    seen = dict.fromkeys(judged, 0)
    for label, score, query in zip(labels.ravel().tolist(), scores.ravel().tolist(), map(str, queries), strict=True):
        if not (math.isnan(label) or math.isnan(score)):
            judged[query][str(seen[query])] = label
            ranked[query][str(seen[query])] = score
        seen[query] += 1
    return judged, ranked


def lacks_scores(labels: Numbers, scores: Numbers, queries: list[Any], *, padded: bool) -> bool:
    """Whether a labelled item has NaN for a score that cannot be padding, or a query has no score at all."""
    labelled, scored = ~np.isnan(labels.ravel()), ~np.isnan(scores.ravel())
    unscored = labelled & ~scored
    left = {query for query, is_left in zip(queries, labelled & scored, strict=True) if is_left}
    emptied = any(is_lost and query not in left for query, is_lost in zip(queries, unscored, strict=True))
    return bool((unscored & (labels.ravel() > 0)).any() or emptied) if padded else bool(unscored.any())


def outcome(verb: Any, *data: Any, request: Request, **options: Any) -> Result | None:
    try:
        result = verb(*data, request.measures, convention=request.convention, depth=request.depth, **options)
    except RankgaugeError:
        return None
    assert isinstance(result, Result)
    return result


def assert_same(actual: Result | None, expected: Result | None) -> None:
    if expected is None or actual is None:
        assert actual is expected  # both refuse, or none
        return
    assert actual.counts == expected.counts
    for measure, values in expected.evaluation.values.items():
        actual_values = dict(zip(actual.evaluation.queries, actual.evaluation.values[measure], strict=True))
        others = dict(zip(expected.evaluation.queries, values, strict=True))
        assert actual_values.keys() == others.keys()
        for query, value in others.items():
            assert is_same(actual_values[query], value, measure), (str(measure), query)


def is_same(actual: float, other: float, measure: Measure) -> bool:
    plain = measure.name in ("cg", "dcg", "idcg", "ndcg")
    exact = plain and "geometric" not in str(measure) and "residual" not in str(measure)
    tolerance = 0.0 if exact else 1e-12
    return math.isclose(actual, other, rel_tol=tolerance, abs_tol=tolerance) or (
        math.isnan(actual) and math.isnan(other)
    )


@MANY
@given(grids(), requests())
def test_evaluate_arrays_of_rows_equals_evaluate(grid: tuple[Numbers, Numbers], request: Request) -> None:
    labels, scores = grid
    rows, columns = labels.shape
    queries = np.repeat(np.arange(rows), columns).tolist()
    judged, ranked = as_mappings(labels, scores, queries)
    whole: dict[str, dict[str, float]] = {
        str(row): {} for row in range(rows)
    }  # a matrix without columns has queries without items
    expected = outcome(rg.evaluate, whole | judged, whole | ranked, request=request, engine="reference")
    actual = outcome(rg.evaluate_arrays, labels, scores, request=request)
    assert_same(actual, None if lacks_scores(labels, scores, queries, padded=True) else expected)
    assert actual is None or list(actual.evaluation.queries) == list(whole)


@MANY
@given(grids(), requests(), st.data())
def test_evaluate_arrays_of_shuffled_ids_equals_evaluate(
    grid: tuple[Numbers, Numbers], request: Request, data: st.DataObject
) -> None:
    labels, scores = (numbers.ravel() for numbers in grid)
    ids: list[Any] = data.draw(
        st.lists(st.sampled_from(["q", "q10", "q2", "é", "日本"]), min_size=len(labels), max_size=len(labels))
        | st.lists(st.sampled_from([-1, 0, 2, 10, 10**18]), min_size=len(labels), max_size=len(labels))
    )
    if not ids:
        return
    judged, ranked = as_mappings(labels, scores, ids)
    expected = outcome(rg.evaluate, judged, ranked, request=request, engine="reference")
    actual = outcome(rg.evaluate_arrays, labels, scores, request=request, groups=ids, groups_are="ids")
    assert_same(actual, None if lacks_scores(labels, scores, ids, padded=False) else expected)
    assert actual is None or list(actual.evaluation.queries) == list(judged)


@SOME
@given(grids(), requests(), st.data())
def test_evaluate_arrays_of_sizes_boundaries_mask_and_nan_are_equal(
    grid: tuple[Numbers, Numbers], request: Request, data: st.DataObject
) -> None:
    labels, scores = (numbers.ravel() for numbers in grid)
    ends = sorted(data.draw(st.lists(st.integers(0, len(labels)), max_size=4)))
    bounds = [0, *ends, len(labels)]
    queries = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds)).tolist()
    judged, ranked = as_mappings(labels, scores, queries)
    whole: dict[str, dict[str, float]] = {str(query): {} for query in range(len(bounds) - 1)}
    expected = outcome(rg.evaluate, whole | judged, whole | ranked, request=request, engine="reference")
    absent = np.isnan(labels) | np.isnan(scores)
    hidden = np.where(absent, 99.0, labels), np.where(absent, np.inf, scores)
    by_bounds = outcome(rg.evaluate_arrays, labels, scores, request=request, groups=bounds, groups_are="boundaries")
    sizes = np.diff(bounds)
    by_sizes = outcome(rg.evaluate_arrays, *hidden, request=request, groups=sizes, groups_are="sizes", mask=absent)
    assert_same(by_bounds, None if lacks_scores(labels, scores, queries, padded=False) else expected)
    assert_same(by_sizes, expected)


def numbered_rows(rng: np.random.Generator, values: list[float], queries: int, length: int) -> list[Any]:
    """Up to `length` rows per query, shuffled, with items out of more than there are rows."""
    rows = [
        (f"q{query}", f"d{item}", values[rng.integers(len(values))])
        for query in range(queries)
        for item in rng.permutation(length + length // 4)[: rng.integers(length // 2, length + 1)]
    ]
    return [rows[row] for row in rng.permutation(len(rows))]


@st.composite
def long_cases(draw: st.DrawFn, /, **fixed: object) -> Case:
    """Lists of some hundred items: most are below every cutoff, and many tie with the last that counts."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    length = draw(st.sampled_from([20, 33, 60, 200]))
    spread = [float(number) for number in rng.normal(size=50)]
    near = [0.1 + step * 1e-9 for step in range(40)]
    scores = draw(st.sampled_from([[0.0, 1.0, 2.0], SCORES, spread, near, [0.0, -0.0]]))
    grades = draw(st.sampled_from([GRADES, [0.0, 1.0, 2.0]]))
    request = draw(requests())
    # Where every ranked item is judged, unjudged=error is not an error.
    judged = numbered_rows(rng, grades, 3, length)
    ranked = numbered_rows(rng, scores, 3, length)
    if draw(st.booleans()):
        judged = [(query, item, grades[rng.integers(len(grades))]) for query, item, _ in ranked]
    convention = request.convention.replace(**fixed)
    return Case(judged, ranked, request.measures, convention, draw(st.none() | st.sampled_from([1, 7, 30, 500])))


def refused_or(evaluate: Any, *arguments: Any) -> Evaluation | None:
    try:
        evaluation = evaluate(*arguments)
    except RankgaugeError:
        return None
    assert isinstance(evaluation, Evaluation)
    return evaluation


def assert_equal(actual: Evaluation | None, expected: Evaluation | None) -> None:
    if expected is None or actual is None:
        assert actual is expected
        return
    assert actual.queries == expected.queries
    assert actual.counts == expected.counts
    for measure, values in expected.values.items():
        pairs = zip(actual.values[measure], values, strict=True)
        assert all(is_same(value, other, measure) for value, other in pairs), str(measure)


def expected_of(case: Case) -> Evaluation | None:
    rows = group(case.judged), group(case.ranked)
    return refused_or(reference.evaluate, *rows, case.request)


@pytest.mark.parametrize("ties", spread(TIES, 3))
@SOME
@given(data=st.data())
def test_engines_on_long_lists_in_mappings_agree(ties: str, data: st.DataObject) -> None:
    case = data.draw(long_cases(ties=ties))
    judgments, ranking = Judgments.from_mapping(mapping(case.judged)), Ranking.from_mapping(mapping(case.ranked))
    actual = refused_or(native.evaluate, judgments, ranking, case.request)
    assert_equal(actual, expected_of(case))


@SOME
@given(case=long_cases())
def test_engines_on_long_lists_in_files_agree(case: Case, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.getbasetemp()
    (folder / "long_judgments").write_text(judgments_file(case.judged), encoding="utf-8")
    (folder / "long_ranking").write_text(ranking_file(case.ranked), encoding="utf-8")
    judgments, ranking = rg.read_judgments(folder / "long_judgments"), rg.read_ranking(folder / "long_ranking")
    actual = refused_or(native.evaluate, judgments, ranking, case.request)
    assert_equal(actual, expected_of(case))


@pytest.mark.parametrize("unjudged", ["zero", "drop", "error"])
@pytest.mark.parametrize("precision", ["float64", "float32"])
@examples(100)
@given(data=st.data())
def test_engines_on_rankings_of_changing_length_agree(precision: str, unjudged: str, data: st.DataObject) -> None:
    case = data.draw(long_cases(precision=precision, unjudged=unjudged))
    judgments, ranking = Judgments.from_mapping(mapping(case.judged)), Ranking.from_mapping(mapping(case.ranked))
    actual = refused_or(native.evaluate, judgments, ranking, case.request)
    assert_equal(actual, expected_of(case))


@pytest.mark.parametrize("name", spread(NAMED, 8))
@examples(50)
@given(
    seed=st.integers(0, 2**32 - 1),
    kinds=st.sampled_from([np.float64, np.float32, np.int8]),
    depth=st.none() | st.sampled_from([3, 40]),
)
def test_engines_on_long_rows_of_each_convention_agree(name: str, seed: int, kinds: Any, depth: int | None) -> None:
    rng = np.random.default_rng(seed)
    rows, columns = 4, int(rng.choice([15, 32, 33, 34, 300]))
    labels = rng.integers(0, 4, (rows, columns)).astype(np.float64)
    scores = (rng.integers(-20, 20, (rows, columns)) if seed % 2 else rng.normal(size=(rows, columns)) * 9).astype(
        kinds
    )
    convention = NAMED[name].replace(own_id="keep")  # the items of arrays are places
    request = Request(list(parse_all(["ndcg@10", "ndcg", "dcg@33", "map@40"])), convention, depth)
    judged, ranked = as_mappings(labels, scores.astype(np.float64), np.repeat(np.arange(rows), columns).tolist())
    expected = outcome(rg.evaluate, judged, ranked, request=request, engine="reference")
    assert expected is not None
    assert_same(outcome(rg.evaluate_arrays, labels, scores, request=request), expected)


def test_evaluate_arrays_with_any_number_of_threads_gives_the_same_bits() -> None:
    rng = np.random.default_rng(5)
    labels, scores = rng.integers(0, 4, (3000, 50)), rng.integers(0, 20, (3000, 50)).astype(np.float32)
    one, many = (rg.evaluate_arrays(labels, scores, ["ndcg@10", "dcg"], threads=threads) for threads in (1, 8))
    assert one.to_json(per_query=True) == many.to_json(per_query=True)
