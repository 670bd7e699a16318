"""How returns become grades: the options, checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from rankgauge.checks import bad_number, is_finite, require_choice, rising_numbers, whole_number
from rankgauge.errors import RankgaugeError

Stopped: TypeAlias = Literal["drop", "last"]
Ties: TypeAlias = Literal["average", "min", "max"]
Gaps: TypeAlias = Literal["holidays", "skip", "drop"]
Cut: TypeAlias = Literal["equal", "qcut"]

DEFAULT_LEVELS: Final = 5
DEFAULT_GAPS: Final = "holidays"
MOST_LEVELS: Final = 1_000_000
MOST_ROWS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class ReturnRules:
    """The checked options of `rg.grading.returns`."""

    horizon: int
    levels: int | Literal["rank"]
    thresholds: tuple[float, ...] | None
    lag: int
    excess: Literal["mean"] | None
    benchmark: str | None
    group: str | None
    least: int
    ties: Ties
    stopped: Literal["drop"] | float
    gaps: Gaps
    cut: Cut
    ignore: tuple[str, ...]

    @property
    def ahead(self) -> int:
        """The number of rows from the date to the end of the horizon."""
        return self.lag + self.horizon

    @property
    def cell(self) -> list[str]:
        """The columns within which returns are compared."""
        return ["day", "group"] if self.group else ["day"]

    @classmethod
    def check(
        cls,
        *,
        horizon: object,
        levels: object,
        thresholds: Sequence[float] | None,
        lag: object,
        excess: str | None,
        benchmark: str | None,
        group: str | None,
        least: object,
        ties: Ties,
        stopped: Stopped | float,
        gaps: Gaps,
        cut: Cut,
        ignore: str | Sequence[str],
    ) -> ReturnRules:
        """Check the options and return the rules."""
        require_no_look_ahead(horizon, lag)
        parts: Any = levels if levels == "rank" else whole_number("levels", levels, 2, most=MOST_LEVELS)
        if thresholds is not None and levels != DEFAULT_LEVELS:
            raise bad_number("levels", "left out beside thresholds", levels, "give only one of levels and thresholds")
        cuts = None if thresholds is None else rising_numbers("thresholds", thresholds, "[-0.02, 0.02]")
        require_choice("ties", ties, ["average", "min", "max"], "which rank equal returns have")
        require_choice("gaps", gaps, ["holidays", "skip", "drop"], "how to treat a stock without a price on some dates")
        _check_cut(cut, parts, thresholds, ties)
        fewest_stocks = (2 if cuts or parts == "rank" else parts) if least is None else least
        return cls(
            horizon=whole_number("horizon", horizon, 1, most=MOST_ROWS),
            levels=parts,
            thresholds=cuts,
            lag=whole_number("lag", lag, 0, most=MOST_ROWS),
            excess="mean" if excess == "mean" else None,
            benchmark=_checked_benchmark(excess, benchmark),
            group=group,
            least=whole_number("least", fewest_stocks, 1),
            ties=ties,
            stopped=_checked_stopped(stopped),
            gaps=gaps,
            cut=cut,
            ignore=(ignore,) if isinstance(ignore, str) else tuple(map(str, ignore)),
        )

    def require_no_prices(self, column: str) -> None:
        """Raise if an option needs prices, for a table of returns."""
        needs = {
            "lag": self.lag != 0,
            "benchmark": self.benchmark is not None,
            "stopped": self.stopped != "drop",
            "gaps": self.gaps != DEFAULT_GAPS,
        }
        for option, is_set in needs.items():
            if is_set:
                raise RankgaugeError("needs-prices", option=option, got=getattr(self, option), column=column)


def _check_cut(cut: object, levels: object, thresholds: object, ties: Ties) -> None:
    require_choice("cut", cut, ["equal", "qcut"], "how the returns of a date are cut into levels")
    if cut == "equal":
        return
    others = {"levels": levels if levels == "rank" else None, "thresholds": thresholds}
    others["ties"] = ties if ties != "average" else None
    for option, got in others.items():
        if got is not None:
            raise bad_number(
                option, "left out beside cut='qcut'", got, "qcut has edges by value, between levels of equal size"
            )


def require_no_look_ahead(horizon: object, lag: object) -> None:
    """Raise if a trade would come before its score, or end before it begins."""
    if isinstance(lag, int) and lag < 0:
        raise RankgaugeError(
            "look-ahead",
            expected="a trade on the date of the score or after it",
            got=f"lag={lag}, which trades before the score is known",
            hint="lag=0 trades at the close of the date, lag=1 a row later",
        )
    if isinstance(horizon, int) and horizon < 1:
        raise RankgaugeError(
            "look-ahead",
            expected="a horizon that ends after the entry",
            got=f"horizon={horizon}",
            hint="horizon=5 holds a stock for five of its rows",
        )


def _checked_benchmark(excess: str | None, benchmark: str | None) -> str | None:
    """The column of the benchmark's price, which either option may name."""
    if excess is None or benchmark is None:
        return benchmark if excess in (None, "mean") else excess
    raise bad_number("excess", "left out beside benchmark", excess, "the return of the benchmark is subtracted already")


def _checked_stopped(stopped: object) -> Literal["drop"] | float:
    if stopped in ("drop", "last"):
        return "drop" if stopped == "drop" else 0.0
    if is_finite(stopped) and stopped >= -1:
        return float(stopped)
    raise bad_number("stopped", "'drop', 'last' or a delisting return of at least -1", stopped, "-1 loses everything")
