"""Reports in Chromium: drawn, quiet, usable by keyboard, and deaf to what ids say."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import polars as pl
import pytest

import rankgauge as rg
from tests.small_runs import run_with_noise, small_judgments

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.watched_page import WatchedPages

HOSTILE = [
    "</script><script>document.title='run'</script>",
    "<img src=x onerror=document.title='run'>",
    "\"'><svg onload=document.title='run'>",
    "javascript:document.title='run'",
    "\u202eright to left\u202c",
    "{{constructor}}${document.title='run'}",
    "long" * 1500,
    "질의 映画 🎬",
]
JUDGMENTS = small_judgments(40)
RUNS = {
    name: run_with_noise(JUDGMENTS, noise, seed)
    for seed, (name, noise) in enumerate([("bm25", 1.2), ("dense", 1.1), ("hybrid", 0.3)])
}
WIDTHS = (1280, 820, 400)


def hostile(table: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """The same data with ids that try to be markup, of queries and of items."""
    queries = dict(zip(sorted(JUDGMENTS), [*HOSTILE, *sorted(JUDGMENTS)[len(HOSTILE) :]], strict=True))
    items = dict(zip((f"d{number}" for number in range(len(HOSTILE))), HOSTILE, strict=True))
    return {queries[query]: {items.get(item, item): v for item, v in row.items()} for query, row in table.items()}


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A report of each kind, written once."""
    folder = tmp_path_factory.mktemp("reports")
    comparison = rg.compare(JUDGMENTS, RUNS, ["ndcg@10", "map", "P@5"], baseline="bm25")
    bad_names = {f"{name}<b onclick=alert(1)>": hostile(run) for name, run in RUNS.items()}
    graded = rg.grading.ratings(pl.DataFrame({"user": [1, 1, 2], "item": [7, 8, 7], "rating": [5.0, 3.0, 4.0]}))
    segments = {query: f"<i>{number % 2}" for number, query in enumerate(JUDGMENTS)}
    texts = ({"q00": "<b>shoes</b>"}, {"d1": "an <i>item</i>"})
    made = {
        "comparison": comparison.report(),
        "hostile": rg.compare(hostile(JUDGMENTS), bad_names, "ndcg@10").report(),
        "result": rg.evaluate(JUDGMENTS, RUNS["dense"], ["ndcg@10", "map"]).report(by=segments, texts=texts),
        "without inputs": pickle.loads(pickle.dumps(comparison)).report(),  # noqa: S301 - our own bytes
        "audit": graded.report(),
    }
    paths = {}
    for name, report in made.items():
        paths[name] = folder / f"{name}.html"
        report.save(paths[name])
    return paths


def ready(page: Page) -> Page:
    page.wait_for_selector("html[data-ready=true]")  # a function to wait for would be refused by the policy
    return page


DRAWN = """() => [...document.querySelectorAll("figure.chart")].map((figure) => {
    const parts = [...figure.querySelectorAll("path, rect, circle, line")];
    const seen = parts.filter((part) => {
        const box = part.getBoundingClientRect();
        const style = getComputedStyle(part);
        return (box.width > 0 || box.height > 0) && (style.fill !== "none" || style.stroke !== "none");
    });
    const text = figure.querySelector("[role=img]").getAttribute("aria-label");
    const folded = figure.closest("details:not([open])") !== null;
    return [figure.querySelector("h3").textContent, folded, seen.length, text.length];
})"""
OUTSIDE = """() => [...document.querySelectorAll("svg.plot text")].filter((text) => {
    if (text.closest("details:not([open])")) return false;
    const box = text.getBoundingClientRect();
    return box.left < -1 || box.right > innerWidth + 1;
}).map((text) => text.textContent)"""


def require_drawn(page: Page, width: int) -> None:
    """Fail unless every chart is drawn and described, and nothing is wider than the window."""
    charts = page.evaluate(DRAWN)
    assert charts
    for name, folded, drawn, described in charts:
        assert folded or drawn > 0, name
        assert described > 10, name
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("kind", ["comparison", "hostile", "result", "without inputs", "audit"])
@pytest.mark.parametrize("width", WIDTHS)
def test_every_report_is_drawn_at_every_width(
    open_page: WatchedPages, reports: dict[str, Path], kind: str, width: int
) -> None:
    page = ready(open_page(reports[kind], width=width, dark=width == 820))
    require_drawn(page, width)
    open_page.screenshot(page, f"report-{kind}-{width}")


def test_explorer_works_by_keyboard(open_page: WatchedPages, reports: dict[str, Path]) -> None:
    page = ready(open_page(reports["comparison"]))
    page.focus("input[type=search]")
    page.keyboard.type("q0")
    assert page.text_content(".found") == "10 of 40 queries"
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") == "open":
            break
    first = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Enter")
    assert page.get_attribute("button.open >> nth=0", "aria-expanded") == "true"
    assert page.locator("tr.opened .panel").count() == 4
    assert page.evaluate("document.activeElement.textContent") == first
    page.keyboard.press("ArrowDown")
    second = page.evaluate("document.activeElement.textContent")
    assert second != first
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Escape")
    assert page.locator("tr.opened").count() == 0
    assert page.evaluate("document.activeElement.textContent") == first


def test_opened_query_shows_the_ranks_of_the_explanation(open_page: WatchedPages, reports: dict[str, Path]) -> None:
    page = ready(open_page(reports["comparison"]))
    page.fill("input[type=search]", "q07")
    page.click("button.open")
    for number, run in enumerate(RUNS):
        why = rg.explain(JUDGMENTS, RUNS[run], "q07", "ndcg@10")
        panel = page.locator(".panel").nth(number)
        assert f"ndcg@10 {why.value:.4f}" in (panel.locator("h4").text_content() or "")
        rows = panel.locator("tbody tr").all()
        shown = [[cell.text_content() for cell in row.locator("td").all()[:4]] for row in rows]
        assert shown == [
            [str(rank.rank), rank.item, f"{rank.grade:g}", f"{rank.contribution:.3f}"] for rank in why.ranks
        ]
        costs = [cost for cost in why.costs if cost.cost >= 0.0005][:3]
        marked = [str(row.locator("td").nth(1).text_content()) for row in panel.locator("tr.lost").all()]
        named = panel.locator("p.note").all_text_contents()
        assert sorted(marked) == sorted(str(cost.item) for cost in costs if cost.rank is not None)
        assert len(named) == len([cost for cost in costs if cost.rank is None])
    ideal = page.locator(".panel").nth(3).locator("tbody tr td:nth-child(2)").all_text_contents()
    assert ideal == [rank.item for rank in rg.explain(JUDGMENTS, RUNS["bm25"], "q07", "ndcg@10").ideal_ranks]


def test_explorer_sorts_filters_and_shows_more(open_page: WatchedPages, reports: dict[str, Path]) -> None:
    page = ready(open_page(reports["comparison"]))
    assert page.locator("button.open").count() == 25
    page.click("button.more")
    assert page.locator("button.open").count() == 40
    assert page.is_hidden("button.more")
    assert page.get_attribute("th:has-text('change')", "aria-sort") == "ascending"
    page.click("th button:has-text('query')")
    assert page.get_attribute("th:has-text('query') >> nth=0", "aria-sort") == "ascending"
    assert page.text_content("button.open >> nth=0") == "q00"
    page.click("th button:has-text('query')")
    assert page.text_content("button.open >> nth=0") == "q39"
    header = page.locator(".explorer-table th:has-text('bm25') >> nth=0")
    header.click(position={"x": 14, "y": 14})  # left of the name, which stands at the right
    assert header.get_attribute("aria-sort") == "ascending"
    expected = rg.compare(JUDGMENTS, RUNS, "ndcg@10", baseline="bm25").pair("ndcg@10", "hybrid", "bm25")
    for choice, count in (("worse", expected.losses), ("better", expected.wins), ("equal", expected.ties)):
        page.select_option("label:has-text('Show') select", choice)
        assert page.text_content(".found") == f"{count} of 40 queries"
    page.select_option("label:has-text('Show') select", "changed")
    assert page.text_content(".found") == f"{expected.losses + expected.wins} of 40 queries"
    page.select_option("label:has-text('Change of') select", "1")
    dense = rg.compare(JUDGMENTS, RUNS, "ndcg@10", baseline="bm25").pair("ndcg@10", "dense", "bm25")
    assert page.text_content(".found") == f"{dense.losses + dense.wins} of 40 queries"


def test_click_on_the_differences_opens_a_query(open_page: WatchedPages, reports: dict[str, Path]) -> None:
    page = ready(open_page(reports["comparison"]))
    chart = page.locator("svg.ordered svg")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    assert box
    page.mouse.click(box["x"] + 2, box["y"] + box["height"] / 2)
    moved = rg.compare(JUDGMENTS, RUNS, "ndcg@10", baseline="bm25").pair("ndcg@10", "hybrid", "bm25").moved
    best = max(moved, key=lambda one: one.difference)
    assert page.evaluate("document.activeElement.textContent") == best.query
    assert page.locator("tr.opened").count() == 1


def test_result_without_a_pair_filters_by_value(open_page: WatchedPages, reports: dict[str, Path]) -> None:
    page = ready(open_page(reports["result"]))
    values = list(rg.evaluate(JUDGMENTS, RUNS["dense"], "ndcg@10").per_query["ndcg@10"].values())
    mean = sum(values) / len(values)
    page.select_option("label:has-text('Show') select", "below")
    assert page.text_content(".found") == f"{sum(value < mean for value in values)} of 40 queries"
    page.select_option("label:has-text('Show') select", "all")
    page.fill("input[type=search]", "SHOES")
    assert page.locator("button.open").all_text_contents() == ["q00"]
    assert page.text_content("td.query .text") == "<b>shoes</b>"
    page.click("button.open")
    assert "an <i>item</i>" in page.locator(".panel .text").all_text_contents()


def test_hostile_ids_are_shown_and_do_nothing(open_page: WatchedPages, reports: dict[str, Path]) -> None:
    page = ready(open_page(reports["hostile"], width=820))
    title = page.title()
    page.click("button.more")
    for button in page.locator("button.open").all():
        button.click()
    page.click("th button:has-text('query')")
    page.click("button.more")
    assert page.title() == title
    assert page.locator("img, iframe, object, embed, script[src], link").count() == 0
    shown = page.locator("button.open").all_text_contents()
    assert {HOSTILE[0], HOSTILE[1], HOSTILE[7], r"\u202eright to left\u202c"} <= set(shown)
    assert page.evaluate("document.documentElement.scrollWidth") == 820


def test_policy_blocks_what_is_added_to_the_page(open_page: WatchedPages, reports: dict[str, Path]) -> None:
    page = ready(open_page(reports["comparison"]))
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "document.title = 'run'";
            document.body.append(script);
            document.body.insertAdjacentHTML("beforeend", "<p style='color: red' onclick='0'>x</p>");
            const picture = new Image();
            picture.src = "https://example.org/x.png";
            document.body.append(picture);
        }"""
    )
    page.wait_for_timeout(50)
    assert page.title().startswith("rankgauge: ")
    assert len([problem for problem in open_page.problems if "Content Security Policy" in problem]) >= 3
    open_page.problems.clear()


@pytest.mark.parametrize("kind", ["csv", "markdown", "latex"])
def test_table_is_copied_as_python_writes_it(open_page: WatchedPages, reports: dict[str, Path], kind: str) -> None:
    page = ready(open_page(reports["comparison"]))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click(f"button[data-copy={kind}] >> nth=0")
    page.wait_for_selector("#status:text-matches(': copied')", state="attached")
    table = rg.compare(JUDGMENTS, RUNS, ["ndcg@10", "map", "P@5"], baseline="bm25").table()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == getattr(table, f"to_{kind}")()


def test_every_chart_is_saved_as_svg_and_png(open_page: WatchedPages, reports: dict[str, Path], tmp_path: Path) -> None:
    page = ready(open_page(reports["comparison"]))
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for figure in page.locator("figure.chart").all():
        for kind in ("svg", "png"):
            with page.expect_download() as download:
                figure.locator(f"button[data-save={kind}]").click()
            path = tmp_path / download.value.suggested_filename
            download.value.save_as(path)
            assert path.suffix == f".{kind}"
            if kind == "svg":
                drawing = ET.fromstring(path.read_bytes())  # noqa: S314 - our own file
                assert float(drawing.attrib["width"]) > 200
                assert "var(--" not in path.read_text(encoding="utf-8")
            else:
                assert path.read_bytes().startswith(b"\x89PNG")
                assert path.stat().st_size > 2000


def test_saved_svg_looks_as_on_the_page(open_page: WatchedPages, reports: dict[str, Path], tmp_path: Path) -> None:
    page = ready(open_page(reports["comparison"]))
    with page.expect_download() as download:
        page.locator("figure.chart:has(svg.curves) button[data-save=svg]").first.click()
    path = tmp_path / "curves.svg"
    download.value.save_as(path)
    shown = tmp_path / "curves.html"
    shown.write_text(f"<!doctype html><title>saved</title>{path.read_text(encoding='utf-8')}", encoding="utf-8")
    opened = open_page(shown)
    colours = opened.evaluate("[...document.querySelectorAll('path')].map((path) => getComputedStyle(path).stroke)")
    assert "rgb(0, 114, 178)" in colours
    assert opened.evaluate("document.querySelector('text').textContent") == "ndcg by cutoff"
    open_page.screenshot(opened, "saved-curves")


def test_theme_is_switched_by_the_button(open_page: WatchedPages, reports: dict[str, Path]) -> None:
    page = ready(open_page(reports["comparison"]))
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.focus("#theme")
    page.keyboard.press("Enter")
    assert page.evaluate(background) != light
    assert page.get_attribute("#theme", "aria-pressed") == "true"
    page.keyboard.press("Enter")
    assert page.evaluate(background) == light


def test_printed_page_has_no_buttons(open_page: WatchedPages, reports: dict[str, Path]) -> None:
    page = ready(open_page(reports["comparison"], dark=True))
    page.emulate_media(media="print")
    assert page.locator("button:visible").count() == page.locator("button.open:visible, th button:visible").count()
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(26, 29, 35)"


def test_charts_and_tables_are_there_without_the_script(browser: object, reports: dict[str, Path]) -> None:
    context = browser.new_context(java_script_enabled=False)  # type: ignore[attr-defined]
    page = context.new_page()
    page.goto(reports["comparison"].as_uri())
    assert page.locator("figure.chart svg").count() > 5
    assert "needs the script" in page.inner_text("#explorer-root")
    context.close()


def test_long_names_of_runs_neither_break_into_pieces_nor_cover_other_cells(
    open_page: WatchedPages, tmp_path: Path
) -> None:
    judgments = small_judgments(8)
    names = ("bm25-baseline-with-rm3-expansion", "dense_retriever_contriever_msmarco_finetuned_epoch_12")
    runs = {name: run_with_noise(judgments, 1.0, seed) for seed, name in enumerate(names)}
    path = tmp_path / "long.html"
    rg.compare(judgments, runs, ["ndcg@5", "map"]).report(path)
    page = ready(open_page(path, width=1000))
    open_page.screenshot(page, "long-names-1000")
    cells = page.evaluate("""() => [...document.querySelectorAll("th[scope=row]")].filter((th) => th.offsetWidth).map(
      (th) => ({text: th.textContent, width: th.clientWidth, over: th.scrollWidth - th.clientWidth}))""")
    long = [cell for cell in cells if any(name in cell["text"] for name in names)]
    assert len(long) >= 6
    assert min(cell["width"] for cell in long) >= 180
    assert max(cell["over"] for cell in cells) <= 0
