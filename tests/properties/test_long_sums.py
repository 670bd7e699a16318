"""Sums of many terms are compensated for what rounding loses, alike in both engines."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rankgauge as rg

MANY = 100_000
MEASURES = ["dcg", f"dcg@{MANY}", f"dcg@{MANY + 1}", "ndcg", "cg", "dcg@10", "err", "bpm", "g"]


def judged_and_ranked(items: int) -> tuple[dict[str, dict[int, float]], dict[str, dict[int, float]]]:
    source = np.random.default_rng(5)
    grades = dict(enumerate(source.random(items).tolist()))
    return {"q": grades}, {"q": {item: -float(item) for item in grades}}


@pytest.mark.parametrize("items", [MANY, MANY + 1, MANY + 5_000])
def test_engines_with_sums_of_many_terms_have_the_same_bits(items: int) -> None:
    judgments, ranking = judged_and_ranked(items)
    native, reference = (
        rg.evaluate(judgments, ranking, MEASURES, convention="textbook", engine=engine)
        for engine in ("native", "reference")
    )
    assert dict(native) == dict(reference)


def test_evaluate_with_sum_of_many_terms_is_the_exact_sum() -> None:
    judgments, ranking = judged_and_ranked(MANY + 5_000)
    result = rg.evaluate(judgments, ranking, ["cg", f"cg@{MANY}"], convention="textbook")
    grades = list(judgments["q"].values())
    assert result["cg"] == math.fsum(grades)
    # Fewer terms are added one by one, which loses some.
    assert result[f"cg@{MANY}"] == pytest.approx(math.fsum(grades[:MANY]), rel=1e-12)


def test_explained_sums_of_many_terms_are_those_of_the_value() -> None:
    judgments, ranking = judged_and_ranked(MANY + 50_000)
    why = rg.explain(judgments, ranking, query="q", measure="ndcg", convention="textbook")
    assert why.dcg == rg.evaluate(judgments, ranking, "dcg", convention="textbook")["dcg"] == why.ranks[-1].running
    assert why.dcg / why.idcg == why.value
    assert why.sums().endswith(f"= {why.value:.4f}")


def test_mean_of_ndcg_over_many_ranks_is_that_of_longer_floats() -> None:
    judgments, ranking = judged_and_ranked(3 * MANY)
    grades = np.array(list(judgments["q"].values()), dtype=np.longdouble)
    discounts = np.log2(np.arange(2, len(grades) + 2, dtype=np.longdouble))
    ratios = np.cumsum(grades / discounts) / np.cumsum(np.sort(grades)[::-1] / discounts)
    actual = rg.evaluate(judgments, ranking, "ndcg_rel", convention="textbook")["ndcg_rel"]
    assert actual == pytest.approx(float(ratios.mean()), rel=1e-14)


def test_measures_of_many_terms_are_sums_without_the_loss_of_rounding() -> None:
    items = 3 * MANY
    judgments, ranking = judged_and_ranked(items)
    grades = np.array(list(judgments["q"].values()), dtype=np.longdouble)
    ranks = np.arange(1, items + 1, dtype=np.longdouble)
    relevant = grades >= 0.5
    ranked_above = np.cumsum(relevant)
    wrong_above = (ranks - ranked_above)[relevant]
    count, others = relevant.sum(), items - relevant.sum()
    expected = {
        "dcg": (grades / np.log2(ranks + 1)).sum(),
        "map(rel=0.5)": (ranked_above / ranks)[relevant].sum() / count,
        "bpref(rel=0.5)": (1 - np.minimum(wrong_above, count) / min(count, others)).sum() / count,
    }
    result = rg.evaluate(judgments, ranking, list(expected), convention="textbook")
    for measure, value in expected.items():
        assert result[measure] == pytest.approx(float(value), rel=1e-15), measure
