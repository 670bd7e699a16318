"""Ids, rows and arguments with control characters, markup or tags: they are printed, and never interpreted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import rankgauge as rg

if TYPE_CHECKING:
    from tests.cli.conftest import Files, Run, RunOnTerminal

Write = Callable[[str, str | bytes], Path]


HOSTILE = {
    "colour": "\x1b[31mred",
    "title": "\x1b]0;title\x07",
    "backspace": "a\x08b",
    "next line": "a\x85b",
    "line separator": "a\u2028b",
    "right to left": "a\u202eb",
    "delete": "a\x7fb",
}
LITERAL = {
    "markup": "[red]x[/red]",
    "closing": "[/]",
    "link": "[link=http://a.b]c[/link]",
    "emoji": ":dog:",
    "backslash": "a\\",
}


def hostile_files(write: Write, text: str) -> tuple[Path, Path]:
    return write("hostile.qrels", f"{text} 0 {text} 1\nq 0 d 1\n"), write(
        "hostile.run", f"{text} Q0 other 1 2 t\n{text} Q0 {text} 2 1 t\nq Q0 d 1 1 t\n"
    )


@pytest.mark.parametrize("command", [["evaluate", "--per-query"], ["explain", "--query"]], ids=["evaluate", "explain"])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_ids_with_control_characters_are_printed_escaped(
    run: Run, run_on_terminal: RunOnTerminal, write: Write, text: str, command: list[str]
) -> None:
    files = hostile_files(write, text)
    query = [text] if command[-1] == "--query" else []
    shown = [run(command[0], *files, *command[1:], *query), run_on_terminal(command[0], *files, *command[1:], *query)]
    for outcome in shown:
        assert text not in outcome.text()
        assert repr(text)[1:-1] in outcome.text()
    assert "\x1b" not in shown[0].text()


@pytest.mark.parametrize("command", [["evaluate", "--per-query"], ["explain", "--query"]], ids=["evaluate", "explain"])
@pytest.mark.parametrize("text", LITERAL.values(), ids=LITERAL)
def test_ids_with_markup_of_rich_are_printed_unchanged(
    run: Run, run_on_terminal: RunOnTerminal, write: Write, text: str, command: list[str]
) -> None:
    files = hostile_files(write, text)
    query = [text] if command[-1] == "--query" else []
    for outcome in (
        run(command[0], *files, *command[1:], *query),
        run_on_terminal(command[0], *files, *command[1:], *query),
    ):
        assert text in outcome.text()
        below_the_headline = outcome.text().partition("\n")[2]
        assert text + "\\" not in below_the_headline


def test_error_of_a_row_with_control_characters_escapes_them(run: Run, files: Files) -> None:
    files.ranking.write_text("q1 Q0 \x1b[31md 1 \x1b[31mx t\n", encoding="utf-8")
    assert "\x1b" not in run("evaluate", *files).refusal()
    files.ranking.write_text("q1 Q0 \x1b[31md 1 1 t\n" * 2, encoding="utf-8")
    assert "\x1b" not in run("evaluate", *files).refusal()


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", "\x1b[31mqrels", "run.txt"],
        ["evaluate", "a\x08b", "run.txt"],
        ["evaluate", "\x1b]0;title\x07", "run.txt"],
        ["conventions", "\x1b[31m"],
        ["--\x1b[31m"],
        ["\x1b[31m"],
        ["completion", "\x1b[31m"],
    ],
)
def test_error_of_an_argument_with_control_characters_escapes_them(run: Run, arguments: list[str]) -> None:
    line = run(*arguments).refusal()
    assert line.rstrip("\n").isprintable()


def test_html_of_ids_with_tags_escapes_them() -> None:
    evil = "<script>alert('&')</script>"
    judgments, ranking = {evil: {evil: 1, "other": 1}}, {evil: ["other", "third", evil]}
    result = rg.evaluate(judgments, ranking, "ndcg@10")
    why = rg.explain(judgments, ranking, evil)
    for page in (result._repr_html_(), result.per_query._repr_html_(), why._repr_html_()):
        assert "<script" not in page
        assert "<table>" in page
    assert "&lt;script&gt;" in result.per_query._repr_html_()
    assert "&lt;script&gt;" in why._repr_html_()
