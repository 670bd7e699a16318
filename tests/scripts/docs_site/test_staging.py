"""What is changed in the copy of a page that the site shows."""

from __future__ import annotations

from docs_site.drawings import with_drawings
from docs_site.staging import staged

KNOWN = {"docs/a.md", "docs/decisions/README.md", "LICENSE"}


def test_link_to_a_folder_leads_to_its_page() -> None:
    text = "# A\n\n[a](a.md#x), [why](decisions), [licence](../LICENSE), [site](https://semver.org), [here](#x)\n"
    assert staged("docs/b.md", text, KNOWN) == text.replace("(decisions)", "(decisions/README.md)")


def test_link_to_what_the_site_lacks_becomes_text() -> None:
    assert staged("docs/b.md", "# A\n\n[proof](../tests/parity)\n", KNOWN) == "# A\n\nproof (`tests/parity`)\n"


def test_links_inside_code_are_left_alone() -> None:
    text = "# A\n\n```text\n[proof](../tests/parity)\n```\n"
    assert staged("docs/b.md", text, KNOWN) == text


def test_examples_are_sessions_without_the_marks_of_doctest() -> None:
    text = "# A\n\n```python\n>>> print(1)\n1\n<BLANKLINE>\n2\n\n```\n\n```python\nx = 1\n```\n"
    assert staged("docs/b.md", text, KNOWN) == ("# A\n\n```pycon\n>>> print(1)\n1\n\n2\n```\n\n```python\nx = 1\n```\n")


def test_page_without_a_title_gets_that_of_its_file() -> None:
    assert staged("docs/a-page.md", "text\n", KNOWN) == "# A page\n\ntext\n"


def test_drawing_becomes_svg_that_has_no_colours_of_its_own() -> None:
    drawn = with_drawings('before\n\n```mermaid\nflowchart TD\n  a["one"]\n  b["two"]\n  a --> b\n```\n\nafter')
    before, figure, after = drawn.split("\n\n")
    assert (before, after) == ("before", "after")
    assert figure.startswith('<figure class="drawing"')
    assert all(text in figure for text in ("<svg viewBox=", ">one<", ">two<", "<path"))
    assert not any(text in figure for text in ("<style", "#28253D", "mermaid"))
