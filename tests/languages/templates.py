"""Every English template in the source: what catalogues must have, and nothing else."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import rankgauge as rg
from rankgauge.conventions.convention import QUESTIONS, UNCLAIMED
from rankgauge.data.nearly_equal_ids import DIFFERENCES
from rankgauge.remarks import KINDS
from rankgauge.stocks.regimes import TERCILES
from rankgauge.stocks.summary import OVER_DAYS, SKILL, TRIED

SOURCES = Path(rg.__file__).parent
WORD = re.compile(r"[^\W\d_]{2,}")
# Rooms whose texts are not translated: reports are English, but for the titles of charts, which --plot draws too.
ENGLISH_ONLY = {"languages", "reports"}
DRAWN = {"means.py", "plots.py", "queries.py"}
# Texts that are made of a value: of which table each may come.
ANSWERED = ("ties", "nothing_relevant", "missing", "unjudged")
TABLES = ("judgments", "ranking")
AUDITS = ("actions", "candidates", "holdout", "ratings", "returns", "unseen")
OUTCOMES = ("candidates", "graded", "held out", "left")
NOUNS = ("queries", "users", "dates")
COMPARED = ("query", "queries", "date", "dates")


class Template(NamedTuple):
    """A template, the singular that goes with it, and where it stands."""

    many: str
    one: str
    place: str


@cache
def written() -> tuple[Template, ...]:
    """Return the templates that are literals in the source."""
    return tuple(
        template
        for path in sorted(SOURCES.rglob("*.py"))
        if not ENGLISH_ONLY & set(path.parts) or (path.parent.name == "reports" and path.name in DRAWN)
        for template in _in_file(path)
    )


@cache
def made() -> frozenset[str]:
    """Return the texts that come from tables of the source rather than from literals."""
    return frozenset(
        (
            *(answer for question in ANSWERED for answer in QUESTIONS[question].answers.values()),
            *UNCLAIMED.values(),
            *DIFFERENCES,
            *TABLES,
            *AUDITS,
            *OUTCOMES,
            *(f"{{n:,}} {noun}" for noun in NOUNS),
            *COMPARED,
            *(header for columns in (SKILL, TRIED, OVER_DAYS) for header in columns.values()),
            *TERCILES,
            *(kind.next_step for kind in KINDS.values() if kind.next_step),
        )
    )


def wanted() -> set[str]:
    """Return every template with a word in it: without one, as in `{}; {}`, there is nothing to translate."""
    return {text for text in {*(each.many for each in written()), *made()} if has_words(text)}


def has_words(template: str) -> bool:
    return any(WORD.search(literal) for literal, *_ in string.Formatter().parse(template))


def placeholders(template: str) -> list[tuple[str, str, str | None]]:
    """Return the placeholders with their format and conversion, sorted; `{}` is numbered from 0.

    >>> placeholders("{} of {n:,}")
    [('0', '', None), ('n', ',', None)]
    """
    number = iter(range(100))
    return sorted(
        ((name or str(next(number)), spec, conversion) for name, spec, conversion in fields(template)), key=str
    )


def fields(template: str) -> list[tuple[str, str, str | None]]:
    """Return the placeholders as they are written."""
    parsed = string.Formatter().parse(template)
    return [(name, spec or "", conversion) for _, name, spec, conversion in parsed if name is not None]


def _in_file(path: Path) -> Iterator[Template]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            place = f"{path.relative_to(SOURCES)}:{node.lineno}"
            yield from (Template(many, one, place) for one, many in _of_call(node))


def _of_call(call: ast.Call) -> Iterator[tuple[str, str]]:
    """Yield singular and plural of the templates in a call."""
    texts = [_text(argument) for argument in call.args]
    match ast.unparse(call.func):
        case "Text" if texts[0] is not None:
            yield texts[0], texts[0]
        case "Text.counted" if texts[1] is not None and texts[2] is not None:
            yield texts[1], texts[2]
        case "headings":
            yield from ((text, text) for text in texts if text is not None)
        case "counted" if texts[1] is not None:
            many = texts[2] if len(texts) > 2 and texts[2] is not None else f"{texts[1]}s"
            yield f"{{n:,}} {texts[1]}", f"{{n:,}} {many}"


def _text(argument: ast.expr) -> str | None:
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else None
