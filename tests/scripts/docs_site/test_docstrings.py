"""Docstrings become Markdown with nothing lost."""

from __future__ import annotations

import inspect

from docs_site.docstrings import to_markdown


def scale(value: float, by: int | str = 2) -> float:
    """Scale a value.

    Parameters:
        value: what is scaled,
            on two lines.
        by: the factor, `2` or more.

    Text between.

    >>> scale(1.0)
    2.0

    >>> scale(2.0)
    4.0

    Author 2020, Title.
    """
    return value * int(by)


def test_parts_of_a_docstring_keep_their_order() -> None:
    actual = to_markdown(inspect.getdoc(scale) or "", inspect.signature(scale))
    assert actual.split("\n\n", 5) == [
        "Scale a value.",
        '`value` <span class="api-type">float</span>\n:   what is scaled, on two lines.',
        '`by` <span class="api-type">int &#124; str = 2</span>\n:   the factor, `2` or more.',
        "Text between.",
        "```pycon\n>>> scale(1.0)\n2.0",
        ">>> scale(2.0)\n4.0\n```\n\nAuthor 2020, Title.",
    ]


def test_parameters_below_an_underlined_heading_are_found() -> None:
    text = "Ask.\n\nParameters\n----------\n    query: the id.\n\n>>> 1\n1"
    assert to_markdown(text) == "Ask.\n\n`query`\n:   the id.\n\n```pycon\n>>> 1\n1\n```"
