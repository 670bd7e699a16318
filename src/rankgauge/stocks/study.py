"""The study of a model that ranks stocks: prices and scores in, a Study out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal, NamedTuple

import numpy as np

from rankgauge.checks import bad_number, is_finite, whole_number
from rankgauge.conventions import Convention
from rankgauge.engines.native import ranked_rows
from rankgauge.errors.unknown_keywords import hinted
from rankgauge.evaluate import evaluate_nouns
from rankgauge.execution_options import ExecutionOptions
from rankgauge.grading.reshape import ValueRequest
from rankgauge.grading.return_rules import MOST_ROWS, Cut, Gaps, ReturnRules, Stopped, Ties, require_no_look_ahead
from rankgauge.inputs.reading_options import ColumnsInput
from rankgauge.inputs.types import TableInput
from rankgauge.languages import Text
from rankgauge.notation import counted
from rankgauge.remarks import Remark, require_none_severe
from rankgauge.request import Request
from rankgauge.results.measure_lookup import ByMeasure
from rankgauge.results.remarks import answer
from rankgauge.results.result import Result
from rankgauge.statistics.best_by_luck import MOST_TRIED
from rankgauge.stocks.daily_numbers import Day, daily_numbers, stocks_by_rank, universe_of_dates
from rankgauge.stocks.group_neutral import require_full_groups, within_groups
from rankgauge.stocks.lost_scores import require_common, require_kept
from rankgauge.stocks.one_table import read_twice, shared_columns
from rankgauge.stocks.ranked_stocks import ranked_stocks
from rankgauge.stocks.regimes import market_returns
from rankgauge.stocks.returns_and_scores import REQUEST, Codes, GradedReturns, Scores, read_returns, read_scores
from rankgauge.stocks.sessions import are_in_utc
from rankgauge.stocks.study_result import Study
from rankgauge.stocks.study_values import PerDate
from rankgauge.stocks.summary import ErrorSettings
from rankgauge.stocks.tranches import tranches_of

__all__ = ["Study", "study"]

# Equal scores are averaged, so that the name of a stock decides nothing.
DEFAULT_CONVENTION: Final = "trec_eval(ties=average)"
DEFAULT_MAX_LOSS: Final = 1 / 3


@hinted()
def study(
    prices: TableInput,
    scores: TableInput | None = None,
    *,
    k: int = 10,
    gain: str | None = None,
    convention: str | Convention = DEFAULT_CONVENTION,
    horizon: int | Iterable[int] = 5,
    levels: int | Literal["rank"] = 5,
    thresholds: Sequence[float] | None = None,
    lag: int = 0,
    excess: str | None = None,
    benchmark: str | None = None,
    group: str | None = None,
    least: int | None = None,
    ties: Ties = "average",
    stopped: Stopped | float = "drop",
    gaps: Gaps = "holidays",
    cut: Cut = "equal",
    ignore: str | Sequence[str] = (),
    close: str | None = None,
    max_loss: float = DEFAULT_MAX_LOSS,
    tried: int = 1,
    seed: int = 0,
    columns_prices: ColumnsInput = None,
    columns_scores: ColumnsInput = None,
    strict: bool = False,
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
        convention: how open questions of NDCG are answered. In all other measures equal scores share their places.
        horizon: how many rows of its own a stock is held; of several, the first is that of the study, and `by_horizon`
            has a row for each.
        levels, thresholds, lag, excess, benchmark, group, least, ties, stopped, gaps, cut, ignore: how returns
            become grades, as in `rg.grading.returns`.
        close: when prices that have dates alone were made, as in "16:00" or "16:00 America/New_York"; default: not
            known, so that a score with a time needs a `lag`. With a time zone, times in others belong to the local date
            there.
        max_loss: the largest share of scores that may have no price of their date and stock.
        tried: how many models were tried, this one among them: p is corrected for their number too, and t deflated by
            that of the luckiest of so many without skill.
        seed: accepted for scripts; nothing is drawn at random.
        columns_prices: role → column of the prices, where names are unusual.
        columns_scores: role → column of the scores, where names are unusual.
        strict: whether a severe remark is an error; default: it is in `study.remarks`.

    >>> import polars as pl
    >>> dates = pl.date_range(pl.date(2026, 1, 1), pl.date(2026, 3, 1), "1d", eager=True)
    >>> prices = pl.DataFrame({"date": dates}).with_columns(
    ...     **{f"T{i}": 100 + i * pl.int_range(pl.len()) / 10 for i in range(1, 10)})
    >>> scores = prices.select("date", *(pl.lit(float(i)).alias(f"T{i}") for i in range(1, 10)))
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

    Grinold & Kahn 2000, Active Portfolio Management; Hansen & Hodrick 1980, Journal of Political Economy 88(5).

    """
    if isinstance(scores, Mapping):
        raise bad_number("scores", "those of one model", "a mapping", "rg.stocks.compare takes several models")
    horizons = several_horizons(horizon)
    rules = ReturnRules.check(
        horizon=horizons[0],
        levels=levels,
        thresholds=thresholds,
        lag=lag,
        excess=excess,
        benchmark=benchmark,
        group=group,
        least=least,
        ties=ties,
        stopped=stopped,
        gaps=gaps,
        cut=cut,
        ignore=ignore,
    )
    reading = StudyReading(columns_prices, columns_scores, close, max_loss)
    question = Question(k, gain, convention, tried, seed).checked()
    result = study_by_rules(prices, scores, rules, question, reading, horizons)
    require_none_severe(result.remarks, strict=strict)
    return result


class Question(NamedTuple):
    """What is asked of scores: how many of the best count, the gain and the convention of NDCG, and how many tried."""

    k: int = 10
    gain: str | None = None
    convention: str | Convention = DEFAULT_CONVENTION
    tried: int = 1
    seed: int = 0

    def checked(self) -> Question:
        """Return the question with plain numbers, or raise."""
        k, tried = whole_number("k", self.k, 1), whole_number("tried", self.tried, 1, most=MOST_TRIED)
        return self._replace(k=k, tried=tried, seed=whole_number("seed", self.seed, 0))

    def request(self) -> Request:
        """Return NDCG, its value for a random order, and what is corrected for that."""
        terms = f"(gain={self.gain})" if self.gain else ""
        measures = [f"{name}{terms}@{self.k}" for name in ("ndcg", "random_ndcg", "corrected_ndcg")]
        return Request.of(measures, self.convention, unjudged="drop")


class StudyReading(NamedTuple):
    """How prices and scores are read: columns by role, the time of the close, and which share may have no price."""

    columns_prices: ColumnsInput = None
    columns_scores: ColumnsInput = None
    close: str | None = None
    max_loss: float = DEFAULT_MAX_LOSS

    def check(self) -> None:
        """Raise if the share is none."""
        if not (is_finite(self.max_loss) and 0 <= self.max_loss <= 1):
            raise bad_number("max_loss", "from 0 to 1", self.max_loss, "such as 0.35: the share without a price")


def several_horizons(horizon: int | Iterable[int]) -> list[int]:
    """Return the horizons that are asked for, each once.

    >>> several_horizons(5), several_horizons([1, 5, 5])
    ([5], [1, 5])
    """
    listed = list(horizon) if isinstance(horizon, Iterable) else [horizon]
    if not listed or isinstance(horizon, str):
        raise bad_number("horizon", "a whole number or several", horizon, "such as 5, or [1, 5, 10, 20]")
    for each in listed:
        require_no_look_ahead(each, 0)
    return list(dict.fromkeys(whole_number("horizon", each, 1, most=MOST_ROWS) for each in listed))


def study_by_rules(
    prices: TableInput,
    scores: TableInput | None,
    rules: ReturnRules,
    question: Question,
    reading: StudyReading,
    horizons: Sequence[int] = (),
) -> Study:
    """Study scores by checked rules of grading, and over other horizons too; see `study`."""
    reading.check()
    others = [horizon for horizon in several_horizons([*horizons, rules.horizon]) if horizon != rules.horizon]
    if not others:
        return _study_of_horizon(prices, scores, rules, question, reading)
    prices, scores = read_twice(prices), None if scores is None else read_twice(scores)
    study = _study_of_horizon(prices, scores, rules, question, reading)
    if study.tranches is None:
        column = f"horizons {', '.join(map(str, horizons))}"
        raise bad_number("horizon", "one, for returns that are given instead of prices", column, "give prices")
    studies = {rules.horizon: study}
    for horizon in others:
        studies[horizon] = _study_of_horizon(prices, scores, replace(rules, horizon=horizon), question, reading)
    summaries = {
        horizon: ByMeasure({measure: each[measure] for measure in each.chances}, each.chances.request)
        for horizon, each in sorted(studies.items())
    }
    return replace(study, horizons=summaries)


def _study_of_horizon(
    prices: TableInput, scores: TableInput | None, rules: ReturnRules, question: Question, reading: StudyReading
) -> Study:
    wanted = REQUEST
    if scores is None:  # a wide table of prices has no column of scores
        prices = scores = read_twice(prices)
        columns_prices, columns_scores = shared_columns(reading.columns_prices, reading.columns_scores)
        reading = reading._replace(columns_prices=columns_prices, columns_scores=columns_scores)
        wanted = REQUEST._replace(may_be_wide=False)
    returns = read_returns(prices, rules, reading.columns_prices, reading.close)
    return study_of_returns(returns, scores, rules, question, reading, wanted)


def study_of_returns(
    returns: GradedReturns,
    scores: TableInput,
    rules: ReturnRules,
    question: Question,
    reading: StudyReading,
    wanted: ValueRequest = REQUEST,
) -> Study:
    """Study scores beside returns that are graded already."""
    columns = reading.columns_scores
    read = read_scores(scores, returns, columns, lag=rules.lag, request=wanted, ignore=_no_stocks(rules))
    require_kept(read, returns, reading.max_loss)
    if rules.group:
        require_full_groups(rules)
        returns, read = within_groups(returns, read)
    judgments, ranking = returns.judgments(), read.ranking(returns)
    request = question.request()
    ranked = np.asarray(ranked_rows(judgments, ranking, request), dtype=np.int64)
    require_common(returns, read, len(ranked))
    result = evaluate_nouns(judgments, ranking, request, ExecutionOptions(question.seed))
    return _study(result, ranked, returns, read, rules, question)


def _no_stocks(rules: ReturnRules) -> tuple[str, ...]:
    """What stands beside the stocks: what is to be ignored, and the benchmark."""
    return (*rules.ignore, *([rules.benchmark] if rules.benchmark else []))


def _study(
    result: Result, ranked: Codes, returns: GradedReturns, scores: Scores, rules: ReturnRules, question: Question
) -> Study:
    precise = scores.as_compared(result.convention.precision)
    stocks = ranked_stocks(returns, precise, ranked)
    dates, (days, weights) = returns.dates, daily_numbers(stocks, question.k)
    names = [str(measure) for measure in result.measures]
    ndcg, random, corrected = names
    request = result.request.labelled(dict(zip(result.measures, names, strict=True)))
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
        per_date=PerDate(ByMeasure(per_date, request)),
        k=question.k,
        rules=rules,
        care=ErrorSettings.of([day.day for day in days], rules.horizon),
        chances=ByMeasure(
            {
                ndcg: gains[random],
                corrected: zeros,
                "rank_ic": zeros,
                "ic": zeros,
                "top_return": columns["universe_return"],
                "spread": zeros,
                "hit_rate": columns["hit_chance"],
                "turnover": [math.nan] * len(days),
            },
            request,
        ),
        rose=[day.market > 0 for day in days],
        convention=result.convention,
        audit=returns.audit,
        input_remarks=_remarks(result, returns, scores, rules),
        stocks=tuple(stocks_by_rank(returns, precise, ranked, days[0].day)) if len(days) == 1 else (),
        universe=universe_of_dates(returns),
        ranked=stocks,
        tranches=tranches_of(returns, stocks, weights, rules),
        tickers=returns.tickers,
        market=market_returns(returns),
        tried=question.tried,
    )


def _remarks(result: Result, returns: GradedReturns, scores: Scores, rules: ReturnRules) -> tuple[Remark, ...]:
    counts = result.counts
    lost = list(_lost(scores, returns.noun))
    read = Text("{:,} rows", scores.rows)
    remarks = [Remark.of("scores", Text("{}; left out: {}", read, Text.joined(", ", lost)) if lost else read)]
    if scores.rank is not None:
        rank = Text("column {!r}, where 1 is the best; the score is minus the rank", scores.rank)
        remarks.append(Remark.of("ranks", rank))
    if rules.group:
        both = Text("scores and returns are less the mean of their date and {!r}", rules.group)
        remarks.append(Remark.of("neutral", both))
    if are_in_utc(returns.sessions, returns.dates):
        remarks.append(Remark.of("utc-sessions", Text("prices have times in UTC, so a session is a date in UTC")))
    if returns.noun == "return" and returns.dated:
        span = Text("a return is taken to span {} of the table", counted(rules.horizon, "date"))
        remarks.append(Remark.of("horizon", span))
    tied = Text("{} with equal scores in the first ranks", counted(counts["tied"], "date"))
    scored = counted(counts["dropped"], "score")
    texts = {
        "dropped": ("no-return", Text("{} of stocks without a graded return left out", scored)),
        "ignored": ("no-grades", Text("{} with scores but without graded returns", counted(counts["ignored"], "date"))),
        "missing": ("no-scores", Text("{} with graded returns but without scores", counted(counts["missing"], "date"))),
        "tied": ("ties", Text("{}; {}", tied, _tie_rule(result.convention))),
    }
    return (*remarks, *(Remark.of(code, text) for name, (code, text) in texts.items() if counts[name]))


def _lost(scores: Scores, noun: str) -> Iterator[Text]:
    """Yield how many scores were left out for which reason."""
    if scores.without_score:
        yield Text("{:,} without a score", scores.without_score)
    if scores.without_date:
        count, priced = scores.without_date, noun == "price"
        yield Text("{:,} of dates without prices", count) if priced else Text("{:,} of dates without returns", count)
    if scores.without_stock:
        count, priced = scores.without_stock, noun == "price"
        yield Text("{:,} of stocks without prices", count) if priced else Text("{:,} of stocks without returns", count)


def _tie_rule(convention: Convention) -> Text:
    rule = answer(convention, "ties")
    return rule if convention.ties == "average" else Text("in NDCG {}; all else averages them", rule)
