"""Ids with line ends, escape sequences or bidirectional controls forge no line and no terminal title in any format."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.remarks import lines

import rankgauge as rg
from rankgauge.cli import app
from rankgauge.cli.output import GENERAL
from rankgauge.languages.escapes import printable
from rankgauge.presentation.table import Table

if TYPE_CHECKING:
    from tests.cli.conftest import RunOnTerminal

HOSTILE = {
    "newline": "q\nndcg@10,all,1.0",
    "carriage return": "q\rall 1.0",
    "title": "q\x1b]0;title\x07",
    "csi": "q\x9b31m",
    "nel": "q\x85all",
    "line separator": "q\u2028all",
    "bidi": "q\u202e5.0",
    "zero width": "q\u200b",
    "tag": "q\U000e0041",
    "nul": "q\x00",
    "tab": "q\tall\t1.0",
    "html": "<script>alert(1)</script>",
    "latex": r"\input{x} & \\ %",
    "markdown": "a|b`c",
    "formula": "=cmd|'/c calc'!A1",
}
HARMLESS = {"right to left": "שלום", "korean": "질의", "long": "x" * 10_000}
IDS = {**HOSTILE, **HARMLESS}
QUERIES = [*IDS.values()]


class Inputs(NamedTuple):
    """Files in which every query and an item of it have such an id."""

    judgments: str
    ranking: str


@pytest.fixture
def inputs(tmp_path: Path) -> Inputs:
    """Write mappings in JSON, the one text in which any id can stand."""
    judged, ranked = tmp_path / "judged.json", tmp_path / "ranked.json"
    judged.write_text(json.dumps({id_: {id_: 1, "d": 0} for id_ in QUERIES}), encoding="utf-8")
    ranked.write_text(json.dumps({id_: {"d": 0.5, id_: 0.5} for id_ in QUERIES}), encoding="utf-8")
    return Inputs(str(judged), str(ranked))


COMMANDS = {
    "evaluate": ["evaluate", "--per-query"],
    "explain": ["explain", "--query", HOSTILE["newline"]],
    "conventions": ["conventions", "--only", "sklearn"],
    "conventions walked": ["conventions", "--why", "lightgbm", "trec_eval"],
    "conventions identified": ["conventions", "--identify", "0.63"],
}


def is_safe(text: str) -> bool:
    return text.replace("\n", "").isprintable()


def printed(inputs: Inputs, command: list[str], format_: str, capsys: pytest.CaptureFixture[str]) -> str:
    name, *switches = command
    assert app.run([name, *inputs, *switches, "--format", format_]) == 0
    output, errors = capsys.readouterr()
    assert is_safe(errors)
    return output


@pytest.mark.parametrize("format_", [name for name in GENERAL if name != "csv"])
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_format_has_no_control_character(
    inputs: Inputs, command: list[str], format_: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert is_safe(printed(inputs, command, format_, capsys))


@pytest.mark.parametrize(("format_", "rows"), [("markdown", len(IDS) + 3), ("latex", len(IDS) + 7)])
def test_format_has_as_many_lines_as_rows(
    inputs: Inputs, format_: str, rows: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(printed(inputs, COMMANDS["evaluate"], format_, capsys).splitlines()) == rows


def test_table_has_a_line_for_each_query_and_no_other(inputs: Inputs, capsys: pytest.CaptureFixture[str]) -> None:
    header, *rows = printed(inputs, COMMANDS["evaluate"], "table", capsys).splitlines()
    assert header.startswith("query")
    assert [row.split("  ")[0] for row in rows[: len(IDS)]] == [printable(id_) for id_ in sorted(QUERIES)]
    assert rows[len(IDS)] == ""


def test_json_of_hostile_ids_keeps_them(inputs: Inputs, capsys: pytest.CaptureFixture[str]) -> None:
    values = json.loads(printed(inputs, COMMANDS["evaluate"], "json", capsys))
    assert set(values["per_query"]["ndcg@10"]) == set(QUERIES)


def test_csv_of_hostile_ids_keeps_them(inputs: Inputs, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(inputs, COMMANDS["evaluate"], "csv", capsys)
    header, *rows, means = csv.reader(io.StringIO(text, newline=""))
    assert header == ["query", "ndcg@10"]
    assert {row[0] for row in rows} == set(QUERIES)
    assert all(len(row) == 2 for row in rows)
    assert means[0] == "all"


def test_html_has_no_markup_from_ids(inputs: Inputs, capsys: pytest.CaptureFixture[str]) -> None:
    assert "<script" not in printed(inputs, COMMANDS["evaluate"], "html", capsys)


@pytest.mark.parametrize("id_", [*(HOSTILE[name] for name in HOSTILE if name not in ("html", "markdown")), "a b"])
def test_trec_with_an_id_that_could_forge_a_line_is_refused(
    id_: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({id_: {"d": 1}, "q1": {"d": 1}}), encoding="utf-8")
    assert app.run(["evaluate", str(path), str(path), "--per-query", "--format", "trec"]) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    assert is_safe(errors)
    assert f"in the format trec, got {id_!r}" in errors
    assert app.run(["evaluate", str(path), str(path), "--format", "trec"]) == 0  # the means name no query


def test_trec_prints_the_name_of_a_hostile_file_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "run\nndcg\tall\t1.0\x1b]0;title\x07.json"
    path.write_text('{"q1": {"d": 1}}', encoding="utf-8")
    assert app.run(["evaluate", str(path), str(path), "-m", "runid", "--format", "trec"]) == 0
    output, errors = capsys.readouterr()
    assert len(output.splitlines()) == 1
    assert printable(path.name) in output
    assert is_safe(errors)


@pytest.mark.parametrize("id_", IDS.values(), ids=IDS)
def test_error_that_names_an_id_is_one_line(inputs: Inputs, id_: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["explain", *inputs, "--query", f"{id_}?"]) == 2
    errors = capsys.readouterr().err
    assert errors.endswith("\n")
    assert errors[:-1].isprintable()


@pytest.mark.parametrize("id_", ["q\ud800", "\udc80"])
def test_lone_surrogate_is_refused_in_one_line(id_: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "judged.json"
    path.write_text(json.dumps({id_: {"d": 1}}), encoding="utf-8")
    assert app.run(["evaluate", str(path), str(path)]) == 2
    assert repr(id_) in capsys.readouterr().err


@pytest.mark.parametrize("format_", ["table", "csv", "json"])
@pytest.mark.parametrize("command", [COMMANDS["evaluate"], COMMANDS["explain"]], ids=["evaluate", "explain"])
def test_terminal_gets_no_escape_sequence_from_ids(
    run_on_terminal: RunOnTerminal, inputs: Inputs, command: list[str], format_: str
) -> None:
    name, *switches = command
    outcome = run_on_terminal(name, *inputs, *switches, "--format", format_, env={"NO_COLOR": "1"})
    assert outcome.code == 0
    plain = outcome.stdout.replace("\x1b[1m", "").replace("\x1b[2m", "").replace("\x1b[0m", "")
    assert is_safe(plain)
    assert is_safe(outcome.stderr)


def test_grades_on_a_terminal_are_escaped_and_in_a_file_are_not(run_on_terminal: RunOnTerminal, tmp_path: Path) -> None:
    ratings, grades = tmp_path / "ratings.csv", tmp_path / "grades.csv"
    rows = [["user", "item", "rating"], *([id_, id_, "5"] for id_ in QUERIES if "\x00" not in id_)]
    ratings.write_text(Table(rows[0], rows[1:]).to_csv(), encoding="utf-8", newline="")
    outcome = run_on_terminal("grade", "ratings", ratings, "-o", "-")
    assert outcome.code == 0
    assert is_safe(outcome.stdout)
    assert is_safe(outcome.stderr)
    run_on_terminal("grade", "ratings", ratings, "-o", grades)
    with grades.open(encoding="utf-8", newline="") as file:
        assert {row[0] for row in csv.reader(file)} == {row[0] for row in rows}


@pytest.mark.parametrize("format_", [name for name in GENERAL if name != "csv"])
def test_stocks_of_hostile_names_forge_nothing(
    format_: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "stocks.csv"
    tickers = [id_ for id_ in QUERIES if "\x00" not in id_]
    rows = [[ticker, (-1) ** number * 0.01, number + 1] for number, ticker in enumerate(tickers)]
    path.write_text(Table(["ticker", "return", "rank"], rows).to_csv(), encoding="utf-8", newline="")
    assert app.run(["stocks", str(path), "-k", "5", "--format", format_]) == 0
    output, errors = capsys.readouterr()
    assert is_safe(output)
    assert is_safe(errors)


def test_result_in_python_prints_ids_in_one_line() -> None:
    result = rg.evaluate({id_: {id_: 1} for id_ in QUERIES}, {id_: [id_] for id_ in QUERIES})
    assert is_safe(str(result))
    assert is_safe(repr(result.per_query))
    assert is_safe(result._repr_html_())
    assert is_safe("\n".join(lines(result.remarks)))


def test_table_with_one_long_id_does_not_pad_every_row() -> None:
    rows = [["x" * 100_000], *([f"q{number}"] for number in range(100))]
    text = Table(["query", "value"], [[*row, 0.5] for row in rows]).to_text()
    assert len(text) < 200_000
