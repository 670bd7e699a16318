"""The verb `rg.stocks.compare`: prices and the scores of several models in, a StudyComparison out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

from rankgauge.conventions import Convention
from rankgauge.errors import RankgaugeError
from rankgauge.errors.unknown_keywords import hinted
from rankgauge.grading.return_rules import Cut, Gaps, ReturnRules, Stopped, Ties
from rankgauge.inputs.reading_options import ColumnsInput
from rankgauge.inputs.runs import named_runs
from rankgauge.inputs.types import TableInput
from rankgauge.remarks import require_none_severe
from rankgauge.statistics import LEVEL
from rankgauge.statistics.corrections import Correction
from rankgauge.stocks.comparison import StudyComparison
from rankgauge.stocks.returns_and_scores import read_returns
from rankgauge.stocks.study import Question, StudyReading, study_of_returns
from rankgauge.stocks.study_pairing import compare_studies

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from rankgauge.inputs.runs import RunsInput
    from rankgauge.stocks.study_result import Study


class StudySettings(TypedDict, total=False):
    """The keywords of `rg.stocks.study` that a comparison takes too; see there."""

    k: int
    gain: str | None
    convention: str | Convention
    horizon: int
    levels: int | Literal["rank"]
    thresholds: Sequence[float] | None
    lag: int
    excess: str | None
    benchmark: str | None
    group: str | None
    least: int | None
    ties: Ties
    stopped: Stopped | float
    gaps: Gaps
    cut: Cut
    ignore: str | Sequence[str]
    close: str | None
    max_loss: float
    seed: int
    columns_prices: ColumnsInput
    columns_scores: ColumnsInput


_RULES: dict[str, Any] = {
    "horizon": 5,
    "levels": 5,
    "thresholds": None,
    "lag": 0,
    "excess": None,
    "benchmark": None,
    "group": None,
    "least": None,
    "ties": "average",
    "stopped": "drop",
    "gaps": "holidays",
    "cut": "equal",
    "ignore": (),
}


@hinted(*StudySettings.__annotations__)
def compare(
    prices: TableInput,
    models: RunsInput,
    *,
    baseline: str | None = None,
    correction: Correction | None = None,
    margin: float | None = None,
    level: float = LEVEL,
    tried: int | None = None,
    strict: bool = False,
    **settings: Unpack[StudySettings],
) -> StudyComparison:
    """Compare the scores of two or more models on the same prices and dates, with each other and with chance.

    Prices are read and graded once. Differences are those of values above chance, over the dates that all models have,
    with the errors of `rg.stocks.study`.

    Parameters:
        prices: as for `rg.stocks.study`.
        models: a mapping of name to scores, a list of files, a folder, a pattern, or a table with a column `model`.
        baseline: the model that all others are compared with; default: the first of two models, all pairs of more.
        correction: of p-values for several comparisons of a measure: `holm`, `bh` or `none`; default: `holm`.
        margin: two models that differ by less are equivalent; the pairs then have the p-value of that.
        level: the level of intervals, and 1 less it that of significance.
        tried: how many models were tried in all; default: those that are compared. The p-values of the models beside
            chance are corrected for it by Holm's method, and their t is deflated.
        strict: whether a severe remark is an error.
        settings: the other keywords of `rg.stocks.study`.

    >>> import polars as pl
    >>> table = {"date": [f"2026-01-{day:02}" for day in range(1, 31)]}
    >>> prices = pl.DataFrame(table | {f"T{i}": [100 + i * day + day % (i + 2) for day in range(30)] for i in range(6)})
    >>> up = pl.DataFrame(table | {f"T{i}": [float(i)] * 30 for i in range(6)})
    >>> down = pl.DataFrame(table | {f"T{i}": [-float(i)] * 30 for i in range(6)})
    >>> comparison = compare(prices, {"down": down, "up": up}, k=2, horizon=1)
    >>> comparison.pair("rank_ic", "up", "down").p < 0.01
    True

    Holm 1979, Scandinavian Journal of Statistics 6(2); Bailey & López de Prado 2014, The Deflated Sharpe Ratio, Journal
    of Portfolio Management 40(5).

    """
    given = cast("dict[str, Any]", settings)

    def among(names: Sequence[str]) -> dict[str, Any]:
        return {name: given[name] for name in names if name in given}

    rules = ReturnRules.check(**(_RULES | among(list(_RULES))))
    question = Question(**among(("k", "gain", "convention", "seed")))
    reading = StudyReading(**among(StudyReading._fields))
    comparison = compare_by_rules(
        prices,
        models,
        rules,
        question,
        reading,
        baseline=baseline,
        correction=correction,
        margin=margin,
        level=level,
        tried=tried,
    )
    require_none_severe(comparison.remarks, strict=strict)
    return comparison


def compare_by_rules(
    prices: TableInput,
    models: RunsInput,
    rules: ReturnRules,
    question: Question,
    reading: StudyReading,
    **design: Any,  # noqa: ANN401 - the keywords of compare_studies
) -> StudyComparison:
    """Compare models by checked rules of grading; see `compare`."""
    named = cast("dict[str, TableInput]", named_runs(models))
    question = question.checked()
    reading.check()
    returns = read_returns(prices, rules, reading.columns_prices, reading.close)

    def studied(name: str) -> Study:
        try:
            return study_of_returns(returns, named[name], rules, question, reading)
        except RankgaugeError as error:
            place = f"model {name!r}: {error.place}" if error.place else f"model {name!r}"
            raise RankgaugeError(error.code, place, **error.context) from None

    return compare_studies({name: studied(name) for name in named}, **design)
