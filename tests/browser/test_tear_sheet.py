"""Tear sheets in Chromium: drawn at every width, quiet, and deaf to what tickers and groups say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest

import rankgauge as rg
from tests.browser.test_report import HOSTILE, WIDTHS, ready, require_drawn
from tests.stocks.market import framed, noise, wandering

if TYPE_CHECKING:
    from tests.browser.watched_page import WatchedPages

PRICES = wandering(days=220)


def hostile() -> pd.DataFrame:
    """The same prices with tickers that try to be markup."""
    return PRICES.rename(columns=dict(zip(PRICES.columns, HOSTILE, strict=False)))


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page of each kind, written once."""
    folder = tmp_path_factory.mktemp("sheets")
    scores, bad = noise(PRICES), hostile()
    groups = {ticker: f"<i>{number % 3}" for number, ticker in enumerate(bad.columns)}
    few = framed(PRICES.iloc[:12].to_numpy())
    one = pd.DataFrame({"stock": HOSTILE[:5], "return": [0.1, 0.0, -0.1, 0.2, 0.3], "rank": [1, 2, 3, 4, 5]})
    models = {"<b>new": noise(bad, seed=3), "old": noise(bad, seed=4), "third": noise(bad, seed=5)}
    made = {
        "study": rg.stocks.study(PRICES, scores, k=4, horizon=[5, 1, 10]).report(),
        "hostile": rg.stocks.study(bad, noise(bad), k=4).report(group=groups),
        "few dates": rg.stocks.study(few, noise(few), k=4, horizon=2).report(),
        "one date": rg.stocks.study(one, k=3).report(),
        "models": rg.stocks.compare(bad, models, k=4).report(),
    }
    for name, report in made.items():
        report.save(folder / f"{name}.html")
    return {name: folder / f"{name}.html" for name in made}


@pytest.mark.parametrize("kind", ["study", "hostile", "few dates", "one date", "models"])
@pytest.mark.parametrize("width", WIDTHS)
def test_every_sheet_is_drawn_at_every_width(
    open_page: WatchedPages, sheets: dict[str, Path], kind: str, width: int
) -> None:
    page = ready(open_page(sheets[kind], width=width, dark=width == 820))
    require_drawn(page, width)
    assert page.title().startswith("rankgauge: ")
    assert "nan" not in page.evaluate("document.body.innerText").lower().split()
    open_page.screenshot(page, f"tear-sheet-{kind}-{width}")


def test_ranking_of_a_day_unfolds_by_keyboard(open_page: WatchedPages, sheets: dict[str, Path]) -> None:
    page = ready(open_page(sheets["study"]))
    first = page.locator("details", has_text="as it was ranked").first
    assert not first.locator("table").is_visible()
    first.locator("summary").focus()
    page.keyboard.press("Enter")
    assert first.locator("table").is_visible()
    assert first.locator("tbody tr").count() == 12
