"""Arrays of ids in two dimensions, such as the indices of topk, as cases."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError

TRUTHS: list[Any] = [{3, 4}, [5], {7: 3, 1: 1}]
IDS = np.array([[3, 9, 4], [1, 5, 2], [1, 7, 0]])


class Tensor:
    """What matters of a tensor of torch: a shape, a type that is no NumPy type, and a list of its values."""

    def __init__(self, array: Any, dtype: str = "torch.int64") -> None:
        self.array, self.dtype, self.ndim, self.shape = array, dtype, array.ndim, array.shape

    def tolist(self) -> Any:
        return self.array.tolist()


def values(truths: Any, ranking: Any, **options: Any) -> dict[str, float]:
    return rg.evaluate(truths, ranking, "ndcg@3", **options).per_query["ndcg@3"]


def failure(truths: Any, ranking: Any) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate(truths, ranking, "ndcg@3")
    assert "\n" not in str(caught.value)
    return caught.value


EXPECTED = values(TRUTHS, IDS.tolist())


@pytest.mark.parametrize(
    "ranking",
    [
        IDS,
        IDS.astype(np.uint8),
        IDS.astype(">i4"),
        IDS.astype(str),
        IDS.astype(object),
        np.asfortranarray(IDS),
        np.repeat(IDS, 2, axis=1)[:, ::2],
        jnp.asarray(IDS),
        Tensor(IDS),
        list(IDS),
        [jnp.asarray(row) for row in IDS],
        [Tensor(row) for row in IDS],
        tuple(map(tuple, IDS.tolist())),
    ],
)
def test_ids_in_two_dimensions_have_a_case_per_row(ranking: Any) -> None:
    assert values(TRUTHS, ranking) == EXPECTED
    assert values(TRUTHS, ranking, engine="reference") == EXPECTED


def test_topk_of_scores_equals_the_scores_themselves() -> None:
    rng = np.random.default_rng(0)
    labels, scores = rng.integers(0, 2, (5, 20)), rng.normal(size=(5, 20))
    topk = np.argsort(-scores, axis=1)[:, :10]
    truths = [set(np.flatnonzero(row).tolist()) for row in labels]
    by_ids = rg.evaluate(truths, topk, "ndcg@10", convention="textbook")
    by_scores = rg.evaluate_arrays(labels, scores, "ndcg@10", convention="textbook")
    assert by_ids["ndcg@10"] == pytest.approx(by_scores["ndcg@10"], abs=1e-12)


def test_truths_in_two_dimensions_are_the_relevant_items_of_each_row() -> None:
    assert values(np.array([[3], [5], [7]]), IDS) == values([[3], [5], [7]], IDS.tolist())


def test_ids_in_two_dimensions_are_read_once() -> None:
    assert rg.read_ranking(IDS).to_dict()["0"] == rg.read_ranking(IDS.tolist()).to_dict()["0"]
    assert len(rg.read_judgments(np.array([[3], [5]]))) == 2


@pytest.mark.parametrize(
    ("truths", "ranking", "code"),
    [
        (TRUTHS, IDS.astype(float), "not-ids"),
        (TRUTHS, Tensor(IDS * 0.1, "torch.float32"), "not-ids"),
        (TRUTHS, IDS > 2, "not-ids"),
        (np.array([[0, 1, 0], [1, 0, 0]]), IDS[:2], "not-ids"),
        (np.array([[0, 1, 0], [1, 0, 0]]), IDS[:2] * 0.1, "not-ids"),
        (np.array([[True, False], [False, True]]), IDS[:2], "not-ids"),
        (np.arange(20).reshape(2, 10) % 3, IDS[:2], "not-ids"),
        (TRUTHS, (IDS * 0.1, IDS), "mixed-cases"),
        (TRUTHS, [IDS, IDS], "mixed-cases"),
        (TRUTHS, IDS[:2], "cases-differ"),
        (TRUTHS, IDS[None], "one-sided-cases"),
        ({"u": {3}}, IDS, "one-sided-cases"),
        (TRUTHS, IDS * 0, "duplicate-item"),
    ],
)
def test_arrays_that_are_no_ids_are_refused(truths: Any, ranking: Any, code: str) -> None:
    assert failure(truths, ranking).code == code


def test_scores_instead_of_ids_name_the_way() -> None:
    message = str(failure(TRUTHS, IDS * 0.1))
    assert "indices" in message
    assert "rg.evaluate_arrays" in message
