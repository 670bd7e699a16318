"""Keywords of other libraries are refused with a hint, and stay a TypeError."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.errors.unknown_keywords import MEANT, SAID, UnknownKeywordError

VERBS: dict[str, Callable[..., Any]] = {
    "evaluate": rg.evaluate,
    "evaluate_arrays": rg.evaluate_arrays,
    "explain": rg.explain,
    "ndcg": rg.ndcg,
    "read_judgments": rg.read_judgments,
    "read_ranking": rg.read_ranking,
    "stocks.study": rg.stocks.study,
    "stocks.compare": rg.stocks.compare,
    "grading.returns": rg.grading.returns,
    "grading.actions": rg.grading.actions,
    "grading.ratings": rg.grading.ratings,
    "grading.holdout": rg.grading.holdout,
}


def refusal(verb: str, keyword: str) -> UnknownKeywordError:
    with pytest.raises(UnknownKeywordError) as caught:
        VERBS[verb]([1], [1], **{keyword: 1})
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("verb", "keyword", "hint"),
    [
        ("evaluate", "k", "measures='ndcg@10'"),
        ("evaluate", "at", "measures='ndcg@10'"),
        ("evaluate", "metrics", "measures="),
        ("evaluate", "metric", "measures="),
        ("evaluate", "y_true", "judgments="),
        ("evaluate", "qrels", "judgments="),
        ("evaluate", "labels", "judgments="),
        ("evaluate", "y_score", "ranking="),
        ("evaluate", "run", "ranking="),
        ("evaluate", "qid", "columns={'query': …}"),
        ("evaluate", "group", "columns={'query': …}"),
        ("evaluate", "groups", "columns={'query': …}"),
        ("evaluate", "sample_weight", "every query counts the same"),
        ("evaluate", "n_jobs", "threads="),
        ("evaluate", "random_state", "seed="),
        ("evaluate", "judged_only", "unjudged='drop'"),
        ("evaluate", "covention", "'convention'"),
        ("evaluate_arrays", "k", "measures='ndcg@10'"),
        ("evaluate_arrays", "group", "groups="),
        ("evaluate_arrays", "qid", "groups="),
        ("evaluate_arrays", "y_true", "labels="),
        ("evaluate_arrays", "y_score", "scores="),
        ("evaluate_arrays", "judgments", "labels="),
        ("evaluate_arrays", "ignore_ties", "sklearn-ignore-ties"),
        ("explain", "metrics", "measure="),
        ("explain", "measures", "measure="),
        ("explain", "k", "measure='ndcg@10'"),
        ("explain", "qid", "query="),
        ("ndcg", "at", "k="),
        ("ndcg", "y_true", "truth="),
        ("ndcg", "y_score", "ranking="),
        ("ndcg", "gains", "gain="),
        ("read_judgments", "qrels", "source="),
        ("read_ranking", "run", "source="),
        ("stocks.study", "top_k", "k="),
        ("stocks.study", "predictions", "scores="),
        ("stocks.study", "horizons", "'horizon'"),
        ("stocks.compare", "horizons", "'horizon'"),
        ("grading.returns", "level", "'levels'"),
        ("grading.actions", "column", "'columns'"),
        ("grading.ratings", "threshold", "'thresholds'"),
        ("grading.holdout", "random_state", "seed="),
    ],
)
def test_keyword_of_another_library_names_ours(verb: str, keyword: str, hint: str) -> None:
    error = refusal(verb, keyword)
    assert error.code == "unknown-keyword"
    assert f"rg.{verb}, got {keyword}=" in str(error)
    assert hint in str(error).partition("Hint:")[2]


@pytest.mark.parametrize("verb", VERBS)
def test_unknown_keyword_is_a_type_error_and_one_of_ours(verb: str) -> None:
    error = refusal(verb, "nonsense_xyz")
    assert isinstance(error, TypeError)
    assert isinstance(error, RankgaugeError)
    assert "the keywords are" in str(error)


def test_unknown_keyword_error_pickles() -> None:
    error = refusal("evaluate", "metrics")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - made here
    assert (type(again), str(again), again.code) == (UnknownKeywordError, str(error), "unknown-keyword")


@pytest.mark.parametrize("verb", VERBS)
def test_verb_keeps_its_signature_and_docstring(verb: str) -> None:
    function = VERBS[verb]
    assert "kwargs" not in inspect.signature(function).parameters
    assert function.__doc__
    assert function.__name__ == verb.rpartition(".")[2]


def test_wrong_number_of_arguments_stays_the_error_of_python() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        rg.evaluate()  # type: ignore[call-arg]


def test_type_error_inside_a_verb_is_not_taken_for_a_keyword() -> None:
    class Broken:
        def __iter__(self) -> Any:
            raise TypeError("from the data")

    with pytest.raises(TypeError, match="from the data"):
        rg.ndcg(Broken())


def test_tables_of_keywords_hold_no_word_twice_in_a_row() -> None:
    for theirs in (*MEANT.values(), *SAID.values()):
        assert len(set(theirs)) == len(theirs)
