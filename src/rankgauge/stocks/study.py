"""The study of a model that ranks stocks: prices and scores in, a Study out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from rankgauge.checks import whole_number
from rankgauge.conventions import Convention
from rankgauge.conventions.convention import QUESTIONS
from rankgauge.engines.native import ranked_rows
from rankgauge.evaluate import Running, evaluate_nouns
from rankgauge.grading.rules import Cut, Gaps, Rules, Stopped, Ties
from rankgauge.inputs.reading import Given
from rankgauge.inputs.types import TableInput
from rankgauge.notation import counted
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results.result import Result
from rankgauge.stocks.aligned import REQUEST, Codes, GradedReturns, Scores, read_returns, read_scores, require_common
from rankgauge.stocks.daily import Day, daily, ranked_stocks
from rankgauge.stocks.one_table import read_twice, shared_columns
from rankgauge.stocks.study_result import PerDate, Study
from rankgauge.stocks.summary import ErrorSettings

__all__ = ["Study", "study"]


def study(
    prices: TableInput,
    scores: TableInput | None = None,
    *,
    k: int = 10,
    gain: str | None = None,
    convention: str | Convention = "trec_eval",
    horizon: int = 5,
    levels: int | Literal["rank"] = 5,
    thresholds: Sequence[float] | None = None,
    lag: int = 0,
    excess: str | None = None,
    group: str | None = None,
    least: int | None = None,
    ties: Ties = "average",
    stopped: Stopped | float = "drop",
    gaps: Gaps = "skip",
    cut: Cut = "equal",
    seed: int = 0,
    columns_prices: Given = None,
    columns_scores: Given = None,
) -> Study:
    """Study how well the scores of a model order stocks, date by date.

    Prices or known returns are graded as by `rg.grading.returns`. The measures of each date, in one ranking under the
    convention:

    - `ndcg@k`, its expected value for a random order, and `corrected_ndcg@k`, corrected for that chance;
    - `rank_ic` and `ic`: the correlation of scores and returns, by rank and plain;
    - `top_return`, `universe_return` and `spread`: the mean return of the best k, of all, and of the best k less that
      of the worst k, each at most half of the stocks;
    - `hit_rate`: the share of the best k whose return is above the mean of all;
    - `turnover`: the share of the best k that were not among the best k on the date before.

    Stocks with a score but no return are left out; those with a return but no score count in the ideal. A score that
    was known only after the price at which it would be traded is an error.

    Parameters:
        prices: a DataFrame of any library, or a path, with prices or returns, as for `rg.grading.returns`.
        scores: a score per date and ticker, long or wide, or, long, a rank, where 1 is the best. Default: columns of
            `prices`.
        k: how many of the best stocks count.
        gain: the gain of a grade in NDCG; default: that of the convention.
        convention: how open questions are answered, such as the order of equal scores.
        horizon, levels, thresholds, lag, excess, group, least, ties, stopped, gaps, cut: how returns become grades, as
            in `rg.grading.returns`.
        seed: the seed of the intervals.
        columns_prices: role → column of the prices, where names are unusual.
        columns_scores: role → column of the scores, where names are unusual.

    >>> import polars as pl
    >>> dates = pl.date_range(pl.date(2026, 1, 1), pl.date(2026, 3, 1), "1d", eager=True)
    >>> prices = pl.DataFrame({"date": dates}).with_columns(
    ...     **{f"T{i}": 100 + i * pl.int_range(pl.len()) / 10 for i in range(9)})
    >>> scores = prices.select("date", *(pl.lit(float(i)).alias(f"T{i}") for i in range(9)))
    >>> result = study(prices, scores, k=3, horizon=2)
    >>> result["ndcg@3"].mean, round(result["rank_ic"].mean, 3)
    (1.0, 1.0)

    Known returns need no dates; without them, all rows are one date:

    >>> table = pl.DataFrame({"stock": ["A", "B", "C"], "return": ["+3%", "-1%", "+9%"], "predicted_rank": [2, 3, 1]})
    >>> print(study(table, k=3, levels=3).by_stock())
    rank  ticker   return  grade
       1  C        0.0900      2
       2  A        0.0300      1
       3  B       -0.0100      0

    Grinold & Kahn 2000, Active Portfolio Management; Newey & West 1987, Econometrica 55(3).

    """
    rules = Rules.check(
        horizon=horizon,
        levels=levels,
        thresholds=thresholds,
        lag=lag,
        excess=excess,
        group=group,
        least=least,
        ties=ties,
        stopped=stopped,
        gaps=gaps,
        cut=cut,
    )
    columns = StudyColumns(columns_prices, columns_scores)
    return study_by_rules(prices, scores, rules, k=k, gain=gain, convention=convention, seed=seed, columns=columns)


class StudyColumns(NamedTuple):
    """The columns of prices and scores by role, where their names are unusual."""

    prices: Given = None
    scores: Given = None


def study_by_rules(
    prices: TableInput,
    scores: TableInput | None,
    rules: Rules,
    *,
    k: int,
    gain: str | None,
    convention: str | Convention,
    seed: int,
    columns: StudyColumns,
) -> Study:
    """Study scores by checked rules of grading; see `study`."""
    k, seed = whole_number("k", k, 1), whole_number("seed", seed, 0)
    wanted = REQUEST
    if scores is None:  # a wide table of prices has no column of scores
        prices = scores = read_twice(prices)
        columns = StudyColumns(*shared_columns(*columns))
        wanted = REQUEST._replace(may_be_wide=False)
    returns = read_returns(prices, rules, columns.prices)
    read = read_scores(scores, returns, columns.scores, lag=rules.lag, request=wanted)
    terms = f"(gain={gain})" if gain else ""
    measures = [f"{name}{terms}@{k}" for name in ("ndcg", "random_ndcg", "corrected_ndcg")]
    judgments, ranking = returns.judgments(), read.ranking(returns)
    request = Request.of(measures, convention, unjudged="drop")
    ranked = np.asarray(ranked_rows(judgments, ranking, request), dtype=np.int64)
    require_common(returns, read, len(ranked))
    result = evaluate_nouns(judgments, ranking, request, Running(seed))
    return _study(result, ranked, returns, read, rules, k, seed)


def _study(
    result: Result, ranked: Codes, returns: GradedReturns, scores: Scores, rules: Rules, k: int, seed: int
) -> Study:
    dates, days = returns.dates, daily(returns, scores, ranked, k)
    names = [str(measure) for measure in result.measures]
    ndcg, random, corrected = names
    by_date = {name: result.per_query[name] for name in names}
    gains = {name: [by_date[name].get(dates[day.day], math.nan) for day in days] for name in names}
    columns = {name: [getattr(day, name) for day in days] for name in Day._fields}
    zeros = [0.0] * len(days)
    per_date = {
        "date": [dates[day.day] for day in days],
        "n": columns["n"],
        **gains,
        **{
            name: columns[name]
            for name in ("rank_ic", "ic", "top_return", "universe_return", "spread", "hit_rate", "turnover")
        },
    }
    return Study(
        per_date=PerDate(per_date),
        k=k,
        rules=rules,
        care=ErrorSettings.of([day.day for day in days], rules.horizon, seed),
        chances={
            ndcg: gains[random],
            corrected: zeros,
            "rank_ic": zeros,
            "ic": zeros,
            "top_return": columns["universe_return"],
            "spread": zeros,
            "hit_rate": columns["hit_chance"],
            "turnover": [math.nan] * len(days),
        },
        rose=[day.market > 0 for day in days],
        convention=result.convention,
        audit=returns.audit,
        input_remarks=_remarks(result, returns, scores, rules),
        stocks=tuple(ranked_stocks(returns, scores, ranked, days[0].day)) if len(days) == 1 else (),
    )


def _remarks(result: Result, returns: GradedReturns, scores: Scores, rules: Rules) -> tuple[Remark, ...]:
    counts = result.counts
    causes = {
        "without a score": scores.without_score,
        f"of dates without {returns.noun}s": scores.without_date,
        f"of stocks without {returns.noun}s": scores.without_stock,
    }
    lost = [f"{count:,} {why}" for why, count in causes.items() if count]
    remarks = [Remark.of("scores", f"{scores.rows:,} rows{'; left out: ' + ', '.join(lost) if lost else ''}")]
    if scores.rank is not None:
        remarks.append(Remark.of("ranks", f"column {scores.rank!r}, where 1 is the best; the score is minus the rank"))
    if returns.noun == "return" and returns.dated:
        span = f"a return is taken to span {counted(rules.horizon, 'date')} of the table"
        remarks.append(Remark.of("horizon", span))
    texts = {
        "dropped": ("no-return", "score", "of stocks without a graded return left out"),
        "ignored": ("no-grades", "date", "with scores but without graded returns"),
        "missing": ("no-scores", "date", "with graded returns but without scores"),
        "tied": ("ties", "date", f"with equal scores in the first ranks; {_tie_rule(result.convention)}"),
    }
    counted_remarks = (
        Remark.of(code, f"{counted(counts[name], noun)} {text}")
        for name, (code, noun, text) in texts.items()
        if counts[name]
    )
    return (*remarks, *counted_remarks)


def _tie_rule(convention: Convention) -> str:
    rule = f"{QUESTIONS['ties'].answers[convention.ties]} (ties={convention.ties})"
    return f"{rule}; among the best k, the last ticker comes first" if convention.ties == "average" else rule
