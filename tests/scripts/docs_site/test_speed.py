"""The charts of the site and the page of benchmarks say what the committed rows say."""

from __future__ import annotations

import re

from benchmarks import page

from docs_site.speed import with_charts

TEXT = page.PAGE.read_text(encoding="utf-8")


def test_page_is_what_the_newest_rows_give() -> None:
    assert page.page() == TEXT, "run `make docs`"


def test_every_image_of_the_page_becomes_a_chart() -> None:
    shown = with_charts(TEXT)
    assert shown.count('<figure class="bars">') == TEXT.count("![") > 1
    assert "![" not in shown


def test_bars_of_a_case_are_its_medians() -> None:
    case, summaries = page.newest_results()[0]
    chart = with_charts(f"![{case.title}](../benchmarks/runs/x/{case.name}.svg)")
    values = re.findall(r'<span class="bars-value">([\d.]+) s</span>', chart)
    assert values == [f"{seconds:.3g}" for seconds in sorted(row.cold for row in summaries.values())]
    assert chart.count('class="bar ours"') == sum(name.startswith("rankgauge") for name in summaries)
    longest = max(re.findall(r"width: ([\d.]+)%", chart), key=float)
    assert longest == "100.0"


def test_other_images_are_kept() -> None:
    image = "![report](docs/images/report.png)"
    assert with_charts(image) == image
