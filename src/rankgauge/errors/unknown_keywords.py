"""Keywords that are not ours: which one of ours is meant, in one table for all verbs.

>>> import rankgauge as rg
>>> rg.evaluate({"q1": {"d1": 1}}, {"q1": ["d1"]}, k=10)
Traceback (most recent call last):
    ...
rankgauge.errors.unknown_keywords.UnknownKeywordError: expected a keyword of rg.evaluate, got k=. Hint: the cutoff ...
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from rankgauge.errors import RankgaugeError, nearest

P = ParamSpec("P")
T = TypeVar("T")

# Our keywords → keywords of other libraries. Of ours, the first that the verb takes is meant.
MEANT: Final[Mapping[tuple[str, ...], tuple[str, ...]]] = {
    ("measures", "measure"): ("metrics", "metric", "measures", "measure", "eval_metric", "evaluation_metrics"),
    ("judgments", "labels", "truth", "source"): (
        *("y_true", "y", "labels", "label", "relevance", "target", "targets", "qrels", "qrel", "truth", "ground_truth"),
        *("actual", "judgments", "judgements", "gold", "true_relevance"),
    ),
    ("ranking", "scores", "source"): (
        *("y_score", "y_pred", "scores", "score", "preds", "pred", "predictions", "predicted", "run", "ranking"),
        *("recommendations", "recommended", "results"),
    ),
    ("groups",): ("group", "qid", "qids", "query_id", "query_ids", "queries", "group_sizes", "ptr", "indexes", "users"),
    ("threads",): ("n_jobs", "num_threads", "nthread", "n_threads", "workers", "num_workers"),
    ("seed",): ("random_state", "random_seed"),
    ("relevance_level",): (
        "rel_level",
        "level_for_rel",
        "relevance_threshold",
        "rel_threshold",
        "threshold",
        "min_rel",
    ),
    ("depth",): ("max_docs", "max_rank"),
    ("mask",): ("masked", "padding_mask", "weights_mask"),
    ("query",): ("qid", "query_id", "user", "user_id"),
    ("convention",): ("tool", "like", "compatible_with"),
    ("k",): ("at", "cutoff", "top_k", "topk", "at_k"),
    ("gain",): ("gains", "label_gain", "gain_function"),
}
# Hint → keywords of other libraries that have no counterpart among ours.
SAID: Final[Mapping[str, tuple[str, ...]]] = {
    "the cutoff is part of the measure: {measures}='ndcg@10'": (
        *("k", "at", "cutoff", "cutoffs", "cut_off", "top_k", "topk", "at_k", "ks", "k_values"),
    ),
    "name the column of the queries: columns={{'query': …}}": ("group", "qid", "query_id", "groups", "user_col"),
    "every query counts the same; write a mean of your own over result.per_query": (
        *("sample_weight", "sample_weights", "weight", "weights", "query_weights"),
    ),
    "choose convention='sklearn-ignore-ties'": ("ignore_ties",),
    "choose unjudged='drop'": ("judged_only", "judged_docs_only", "remove_unjudged"),
    "choose missing='zero'": ("complete", "complete_qrels", "make_comparable", "skip_missing"),
    "the gain is part of the measure or of the convention: 'ndcg(gain=exp2)@10'": (
        *("gain", "gains", "exponential", "exponential_gain", "label_gain", "log_base", "discount"),
    ),
}


class UnknownKeywordError(RankgaugeError, TypeError):
    """A keyword that a function does not have: an error of rankgauge, and the TypeError that Python would raise."""

    def __init__(self, function: str, keyword: str, hint: str) -> None:
        """Say which keyword of ours is meant."""
        super().__init__("unknown-keyword", function=function, got=keyword, hint=hint)
        self._arguments = function, keyword, hint

    def __reduce__(self) -> tuple[object, ...]:
        return UnknownKeywordError, self._arguments


def hinted(*terms: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Make a function refuse unknown keywords with a hint; `terms` are the keywords that its `**` takes."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        code = function.__code__
        name = f"{_namespace(function.__module__)}.{function.__name__}"
        known = (*code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], *terms)

        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> T:
            for keyword in kwargs:
                if keyword not in known:
                    raise UnknownKeywordError(name, keyword, hint_for(keyword, known))
            return function(*args, **kwargs)

        return checked

    return decorate


def _namespace(module: str) -> str:
    """Where a function of a module is found: in `rg.stocks` and `rg.grading`, or in `rg` itself."""
    room = module.split(".")[1]
    return f"rg.{room}" if room in ("stocks", "grading") else "rg"


def hint_for(keyword: str, known: Collection[str]) -> str:
    """Return a hint for an unknown keyword: the known one that is meant, or what to write instead.

    >>> hint_for("metrics", ["judgments", "ranking", "measures"])
    'did you mean measures=?'
    >>> hint_for("sample_weight", ["judgments", "ranking"])
    'every query counts the same; write a mean of your own over result.per_query'
    """
    word = keyword.lower()
    for ours, theirs in MEANT.items():
        meant = next((name for name in ours if name in known), None)
        if word in theirs and meant is not None:
            return f"did you mean {meant}=?"
    for how, theirs in SAID.items():
        if word in theirs:
            return how.format(measures="measure" if "measure" in known else "measures")
    return f"{nearest(word, known)}the keywords are {', '.join(known)}"
