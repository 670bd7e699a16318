"""The learner's page as a person uses it: by mouse, finger and keys, in both languages, at every width."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import rankgauge as rg
from rankgauge.presentation.learner.initial_state import InitialState
from rankgauge.presentation.learner.page import learner_page
from rankgauge.presentation.learner.rules import Rules

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page
    from tests.browser.watched_page import WatchedPages

LIKES = {"strawberry": 3, "chocolate": 2, "lemon": 1, "grape": 0, "mint": 0}
FRIEND = ["chocolate", "strawberry", "grape", "mint", "lemon"]
Open = Callable[..., "Page"]


@pytest.fixture
def open_learner(open_page: WatchedPages, tmp_path: Path) -> Open:
    """Opens the page with the candies, or with a text that is a page."""

    def open_text(text: str | None = None, **window: Any) -> Page:
        path = tmp_path / "learner.html"
        path.write_text(text or learner_page(), encoding="utf-8")
        return open_page(path, **window)

    return open_text


def order_of(page: Page) -> list[str]:
    """The items of the list, and those below the line behind None."""
    rows = page.locator("#rows > li").all()
    return [row.locator(".name").input_value() if "row" in _classes(row) else "|" for row in rows]


def _classes(row: Locator) -> list[str]:
    return (row.get_attribute("class") or "").split()


def value_of(page: Page) -> str:
    return page.locator("#value").inner_text()


def ndcg(ranked: list[str], **terms: Any) -> str:
    return f"{rg.ndcg(ranked, LIKES, **terms):.4f}"


def handle(page: Page, item: str) -> Locator:
    return page.locator(f".handle[aria-label^='Move {item}:']")


def drag(page: Page, item: str, to: Locator) -> None:
    """Drag an item by its handle to the middle of a row."""
    start, end = handle(page, item).bounding_box(), to.bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(start["x"] + 40, end["y"] + end["height"] / 2, steps=8)
    page.mouse.up()


def test_page_starts_with_the_candies(open_learner: Open) -> None:
    page = open_learner()
    assert order_of(page) == [*FRIEND, "|"]
    assert value_of(page) == ndcg(FRIEND, gain="exp2") == "0.8308"
    assert "earns 7.8034 of the 9.3928 that the best order would: 83.1 %" in page.locator("h1").inner_text()
    assert page.locator("#convention option:checked").inner_text() == "burges, kaggle"
    first = page.locator(".row").first
    assert first.locator(".sum").inner_text().split("\n") == ["(2² − 1) × (1 / log₂ 2)", "3 × 1.0000 = 3.0000"]
    assert first.locator(".best").inner_text() == "best order: strawberry (3), 7.0000"
    assert page.locator("#costs li").first.inner_text().split("\n")[-1] == "▼ −0.2751"
    assert page.locator("#cost-total").inner_text().split("\n") == ["together: 1 − 0.8308", "0.1692"]


def test_arrow_keys_move_an_item_and_keep_the_focus(open_learner: Open) -> None:
    page = open_learner()
    handle(page, "strawberry").focus()
    page.keyboard.press("ArrowUp")
    expected = ["strawberry", "chocolate", "grape", "mint", "lemon"]
    assert order_of(page) == [*expected, "|"]
    assert value_of(page) == ndcg(expected, gain="exp2") == "0.9880"
    assert page.locator("#live").inner_text() == "strawberry: rank 1 of 5. NDCG 0.9880"
    page.keyboard.press("End")
    assert order_of(page) == ["chocolate", "grape", "mint", "lemon", "strawberry", "|"]
    page.keyboard.press("ArrowDown")
    assert order_of(page) == ["chocolate", "grape", "mint", "lemon", "|", "strawberry"]
    assert value_of(page) == ndcg(["chocolate", "grape", "mint", "lemon"], gain="exp2")
    page.keyboard.press("Home")
    assert order_of(page) == [*expected, "|"]
    assert page.evaluate("document.activeElement.ariaLabel").startswith("Move strawberry: rank 1 of 5")


def test_whole_page_is_reached_by_the_tab_key(open_learner: Open) -> None:
    page = open_learner()
    seen = set()
    for _ in range(80):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.id || document.activeElement.className"))
    assert {"language", "theme", "handle", "name", "add", "share", "convention", "gain", "k"} <= seen


def test_mouse_drags_items_and_the_value_changes_on_the_way(open_learner: Open) -> None:
    page = open_learner()
    drag(page, "lemon", page.locator(".row").nth(2))
    expected = ["chocolate", "strawberry", "lemon", "grape", "mint"]
    assert order_of(page) == [*expected, "|"]
    assert value_of(page) == ndcg(expected, gain="exp2")
    drag(page, "chocolate", page.locator(".row").nth(1))
    assert value_of(page) == "1.0000"
    assert page.locator("#why-lead").inner_text() == "Nothing is lost: no order is better."
    drag(page, "strawberry", page.locator(".divider"))
    assert order_of(page) == ["chocolate", "lemon", "grape", "mint", "|", "strawberry"]
    assert page.locator(".lifted").count() == 0


def test_value_changes_while_an_item_is_held(open_learner: Open) -> None:
    page = open_learner()
    box = handle(page, "chocolate").bounding_box()
    below = page.locator(".row").nth(1).bounding_box()
    assert box is not None
    assert below is not None
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 5, below["y"] + below["height"] / 2, steps=5)
    assert page.locator(".lifted").count() == 1
    assert value_of(page) == "0.9880"
    page.mouse.up()


def test_finger_drags_items(open_learner: Open) -> None:
    page = open_learner(width=400, height=800, touch=True)
    page.locator(".row").nth(2).scroll_into_view_if_needed()
    start = handle(page, "strawberry").bounding_box()
    end = page.locator(".row").first.bounding_box()
    assert start is not None
    assert end is not None
    client = page.context.new_cdp_session(page)
    x, y, top = start["x"] + 10, start["y"] + 10, end["y"] + 5

    def touch(kind: str, points: list[dict[str, float]]) -> None:
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", [{"x": x, "y": y}])
    for step in range(1, 9):
        touch("touchMove", [{"x": x, "y": y + (top - y) * step / 8}])
    touch("touchEnd", [])
    assert order_of(page)[:2] == ["strawberry", "chocolate"]
    assert value_of(page) == "0.9880"


def test_buttons_move_grade_add_and_remove(open_learner: Open) -> None:
    page = open_learner()
    page.get_by_role("button", name="Move strawberry up").click()
    assert value_of(page) == "0.9880"
    page.get_by_role("button", name="Raise the grade of lemon").click()
    assert value_of(page) == f"{rg.ndcg([3, 2, 0, 0, 2], gain='exp2'):.4f}"
    page.get_by_label("Grade of grape; empty means not judged").fill("")
    assert page.locator(".row").nth(2).locator(".sum").inner_text().startswith("not judged: gain 0")
    page.get_by_role("button", name="Add an unjudged item").click()
    page.get_by_role("button", name="Remove grape").click()
    assert order_of(page) == ["strawberry", "chocolate", "mint", "lemon", "item 6", "|"]
    page.get_by_label("Name of the item").last.fill("melon")
    page.get_by_role("button", name="Raise the grade of melon").click()
    page.get_by_role("button", name="Raise the grade of melon").click()
    assert value_of(page) == f"{rg.ndcg([3, 2, 0, 2, 1], gain='exp2'):.4f}"
    page.get_by_role("button", name="Best order").click()
    assert value_of(page) == "1.0000"
    page.get_by_role("button", name="Worst order").click()
    assert value_of(page) == page.locator("#value-worst").inner_text() == f"{rg.ndcg([0, 1, 2, 2, 3], gain='exp2'):.4f}"
    page.get_by_role("button", name="Start again").click()
    assert (value_of(page), order_of(page)) == ("0.8308", [*FRIEND, "|"])


def test_rules_are_chosen_one_by_one_and_by_convention(open_learner: Open) -> None:
    page = open_learner()
    page.select_option("#gain", "linear")
    assert value_of(page) == ndcg(FRIEND)
    page.select_option("#discount", "geometric()")
    page.fill("#discount-numbers", "0.5")
    assert value_of(page) == ndcg(FRIEND, discount="geometric(0.5)")
    assert page.locator("#convention option:checked").inner_text() == "rules of your own"
    page.fill("#discount-numbers", "1.5")
    assert page.get_attribute("#discount-numbers", "aria-invalid") == "true"
    assert "out of range" in page.locator("h1").inner_text()
    page.select_option("#convention", label="lightgbm, allrank")
    page.fill("#k", "2")
    assert value_of(page) == ndcg(FRIEND, k=2, convention="lightgbm")
    assert page.locator("#value-label").inner_text() == "NDCG@2"
    assert page.locator(".row.cut .sum").inner_text() == "beyond k: counts nothing"
    page.select_option("#ideal", "uncut")
    assert value_of(page) == ndcg(FRIEND, k=2, convention="lightgbm(ideal=uncut)")
    page.locator("summary").click()
    page.select_option("#nothing", "none")
    for item in ("strawberry", "chocolate", "lemon"):
        page.get_by_label(f"Grade of {item}; empty").fill("0")
    assert value_of(page) == "no value"


def test_short_list_has_the_value_of_the_text_and_that_of_the_whole_ideal(open_learner: Open) -> None:
    page = open_learner()
    page.get_by_role("button", name="A short list").click()
    assert order_of(page) == ["A", "B", "C", "|", "D", "E"]
    assert value_of(page) == "0.6049"
    page.select_option("#ideal", "uncut")
    assert value_of(page) == f"{0.7654648767857287 / 1.347217813316522:.4f}"


def test_link_brings_the_same_list_back(open_learner: Open) -> None:
    page = open_learner()
    assert page.evaluate("location.hash") == ""
    page.get_by_role("button", name="A short list").click()
    page.get_by_label("Name of the item").first.fill("a,b:c&d=e#f 사탕%")
    page.get_by_role("button", name="Add an unjudged item").click()
    page.fill("#k", "4")
    page.select_option("#gain", "binary()")
    link = page.evaluate("location.hash")
    order, value = order_of(page), value_of(page)
    again = open_learner(fragment=link)
    assert (order_of(again), value_of(again)) == (order, value)
    assert again.locator(".grade input").nth(3).input_value() == ""
    page.get_by_role("button", name="Start again").click()
    assert page.evaluate("location.hash") == ""


@pytest.mark.parametrize(
    "fragment",
    [
        "#top",
        "#ranked=%E0%A4%A&unranked=",
        "#ranked=<b>:x,b:1&unranked=&gain=evil(1)&k=-3&lang=__proto__",
        "#ranked=&unranked=",
    ],
)
def test_link_that_is_broken_leaves_a_working_page(open_learner: Open, fragment: str) -> None:
    page = open_learner(fragment=fragment)
    page.get_by_role("button", name="Start again").click()
    assert value_of(page) == "0.8308"


def test_page_is_korean_at_a_click(open_learner: Open) -> None:
    page = open_learner()
    page.click("#language")
    assert order_of(page) == ["초코", "딸기", "포도", "민트", "레몬", "|"]
    assert page.get_attribute("html", "lang") == "ko"
    assert "이 순서는 7.8034, 곧 83.1 %를 얻습니다" in page.locator("h1").inner_text()
    page.click("#language")
    assert order_of(page) == [*FRIEND, "|"]


def test_both_languages_have_every_word(open_learner: Open) -> None:
    keys = """() => {
      const flat = (words, name) => typeof words === "string" ? [name] :
        Object.entries(words).flatMap(([key, inner]) => flat(inner, `${name}.${key}`));
      return Object.keys(WORDS).map(lang => flat({...WORDS[lang], names: {}}, ""));
    }"""
    page = open_learner()
    english, korean = page.evaluate(keys)
    assert english == korean
    said = page.evaluate("[...document.querySelectorAll('[data-say]')].map(part => part.dataset.say)")
    assert {f".{word}" for word in said} <= set(english)
    kinds = page.evaluate("Object.entries(data.terms).flatMap(([field, kinds]) => kinds.map(kind => [field, kind]))")
    for field, kind in kinds:
        assert {f".terms.{field}.{kind}", f".terms.{field}.{kind}()"} & set(english), kind


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (820, False), (400, True), (320, False)])
def test_page_fits_its_window(open_learner: Open, open_page: WatchedPages, width: int, dark: bool) -> None:
    page = open_learner(width=width, dark=dark)
    page.click("#language")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.click("#language")
    page.select_option("#gain", "table()")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == ("rgb(20, 23, 28)" if dark else "rgb(255, 255, 255)")
    open_page.screenshot(page, f"learner-{width}-{'dark' if dark else 'light'}")
    page.click("#theme")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != background


HOSTILE = [
    "</script><script>document.title='run'</script>",
    "<img src=x onerror=document.title='run'>",
    "constructor",
    "\u202eabc",
    "x" * 300,
]


def test_hostile_ids_are_texts(open_learner: Open) -> None:
    judged = {name: float(at) for at, name in enumerate(HOSTILE)}
    page = open_learner(rg.explain({"<i>": judged}, {"<i>": HOSTILE}).to_html(), width=400)
    assert order_of(page)[:3] == HOSTILE[:3]
    assert page.title() == "NDCG, moved by hand"
    assert page.locator("script:not([type])").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_long_list_shows_its_first_rows_and_counts_all(open_learner: Open) -> None:
    ranked = [(f"d{at}", float(at % 5)) for at in range(400)]
    page = open_learner(learner_page(InitialState(ranked, [], Rules.of(rg.conventions.get("trec_eval")))))
    assert page.locator(".row").count() == 50
    assert value_of(page) == f"{rg.ndcg([grade for _, grade in ranked]):.4f}"
    page.get_by_role("button", name="Show 100 more").click()
    assert page.locator(".row").count() == 150
    handle(page, "d4").focus()
    page.keyboard.press("Home")
    assert order_of(page)[0] == "d4"
