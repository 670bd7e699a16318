"""The page of a report: parts in sections, texts escaped, one policy, few bytes of code."""

from __future__ import annotations

import pytest
from tests.reports.unpacked import Unpacked

from rankgauge.presentation.charts import Bar, Bars, OrderedBars
from rankgauge.presentation.parts import Heading, SideBySide
from rankgauge.presentation.report.page import PACKAGE, Definitions, FoldedParts, Report
from rankgauge.presentation.report.tables import copies_of
from rankgauge.presentation.standalone_html import asset
from rankgauge.presentation.table import Estimate, Probability, Table
from rankgauge.remarks import Remark

HOSTILE = "<b>\u202e"
SHOWN = r"&lt;b&gt;\u202e"
BARS = Bars(title=HOSTILE, subtitle="how", bars=(Bar("a", 0.5),))


def page(*parts: object, **others: object) -> str:
    texts = {"title": "t", "what": "w", "headline": "h", **others}
    return Report(**texts, parts=parts).to_html()  # type: ignore[arg-type]


def test_code_of_a_report_is_small() -> None:
    code = asset(PACKAGE, "charts.css", "report.css", "page.js", "explorer.js")
    assert len(code.encode()) < 100 * 1024


def test_script_writes_no_markup() -> None:
    script = asset(PACKAGE, "page.js", "explorer.js")
    for name in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "fetch("):
        assert name not in script


def test_policy_allows_only_the_code_of_the_page_and_images_that_it_makes() -> None:
    text = page()
    assert "default-src 'none'; script-src 'sha256-" in text
    assert "img-src blob: data:;" in text
    assert " style=" not in text


def test_headings_begin_sections_with_links() -> None:
    text = page(Heading("One", "note"), "text", Heading("Two"), Heading("Three"))
    assert text.count("<section ") == text.count("</section>") == 3
    assert '<a href="#one">One</a>' in text
    assert '<h2 id="one">One</h2><p class="note">note</p><p class="legend">text</p>' in text


def test_texts_of_every_part_are_escaped() -> None:
    parts = (
        Heading(HOSTILE, HOSTILE),
        Heading(HOSTILE, level=3),
        HOSTILE,
        Table([HOSTILE], [[HOSTILE]]),
        Definitions(((HOSTILE, HOSTILE),)),
        FoldedParts(HOSTILE, (HOSTILE,)),
        SideBySide((BARS,)),
        Remark("ties", "note", HOSTILE, ""),
    )
    text = page(*parts, title=HOSTILE, what=HOSTILE, aside=HOSTILE, headline=HOSTILE, lead=HOSTILE)
    assert "<b>\u202e" not in text
    assert "\u202e" not in text
    assert text.count(SHOWN) >= 16


def test_tables_can_be_copied() -> None:
    table = Table(["run", "mean"], [["a", 0.5]])
    text = page(table, FoldedParts("more", (table,)))
    assert text.count('data-copy="csv"') == 2
    assert Unpacked.of(text).values["copies"] == [copies_of(table)] * 2


def test_estimates_are_drawn_with_their_intervals() -> None:
    cells = [
        Estimate(0.5, 0.4, 0.6, "▲", best=True, finding="better"),
        Estimate(0.3, 0.2, 0.4, "", finding="undecided"),
    ]
    text = page(
        Table(["run", "ndcg"], [["a", cells[0]], ["b", cells[1]], ["c", Estimate(0.1, float("nan"), float("nan"))]])
    )
    assert '<b class=best>0.5000</b> <span class="symbol better">▲</span><small>0.400 to 0.600</small>' in text
    assert '<span class="symbol undecided">≈</span>' in text
    assert text.count('class="span"') == 2
    assert "<b>0.1000</b></td>" in text


def test_numbers_of_other_columns_have_true_minus_signs() -> None:
    text = page(Table(["name", "difference", "p"], [["a-b", -0.25, Probability(0.00001)]]))
    assert '<td class="number">−0.2500</td><td class="number">&lt;0.0001</td>' in text
    assert ">a-b</th>" in text


def test_severe_remarks_stand_out() -> None:
    text = page(Remark("order", "severe", "no scores", "add them"))
    assert '<p class="remark severe"><b>order:</b> no scores. Hint: add them</p>' in text


def test_chart_of_differences_knows_its_runs() -> None:
    bars = OrderedBars(title="a less b", labels=("q",), values=(0.5,))
    assert '<svg data-first="1" data-second="0" class="plot ordered"' in page(bars, pairs={"a less b": (1, 0)})
    assert '<svg data-first="' not in page(bars)


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_charts_can_be_saved(kind: str) -> None:
    text = page(Bars(title="Grades: by rank", bars=(Bar("a", 0.5),)))
    assert f'data-save="{kind}" aria-label="Save as {kind.upper()}: Grades: by rank"' in text
    assert 'data-name="grades-by-rank"' in text
