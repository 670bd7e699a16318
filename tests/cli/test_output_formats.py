"""--format, --places and the suffix of -o: the same on every command."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.program import without_remarks

from rankgauge.cli import app
from rankgauge.presentation.formats import SUFFIXES
from rankgauge.stocks.study import study_by_rules

if TYPE_CHECKING:
    from tests.cli.conftest import Files, RunOnTerminal

Show = Callable[..., str]

COMMANDS: dict[str, list[str]] = {
    "evaluate": ["evaluate", "qrels.txt", "run.txt"],
    "evaluate per query": ["evaluate", "qrels.txt", "run.txt", "--per-query"],
    "evaluate by segment": ["evaluate", "qrels.txt", "run.txt", "--by", "segments.csv:device"],
    "explain": ["explain", "qrels.txt", "run.txt", "--query", "q1"],
    "calculator": ["ndcg", "3", "2", "3", "0", "1"],
    "calculator explained": ["dcg", "3", "2", "3", "0", "1", "--explain"],
    "conventions": ["conventions"],
    "convention": ["conventions", "trec_eval"],
    "conventions compared": ["conventions", "qrels.txt", "run.txt", "--only", "sklearn,lightgbm"],
    "conventions walked": ["conventions", "qrels.txt", "run.txt", "--why", "lightgbm", "sklearn"],
    "conventions identified": ["conventions", "qrels.txt", "run.txt", "--identify", "0.63"],
    "measures": ["measures"],
    "measure": ["measures", "ndcg"],
    "stocks": ["stocks", "stocks.csv", "-k", "2"],
    "stocks per date": ["stocks", "stocks.csv", "-k", "2", "--per-date"],
    "stocks compared": ["stocks", "returns.csv", "ranks.csv", "other.csv", "-k", "2"],
}
WITHOUT_FRACTIONS = ("conventions", "convention", "measures", "measure")
STOCKS = [("A", 0.1, 1, 2), ("B", -0.1, 2, 1), ("C", 0.05, 3, 3), ("D", 0.0, 4, 4), ("E", 0.02, 5, 5)]


study = functools.cache(study_by_rules)  # the files are the same in every test, and a study takes long


@pytest.fixture
def show(files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Show:
    """Run a command in a folder with its files, and return what it prints."""
    assert files.judgments.parent == tmp_path
    rows = {
        "stocks.csv": ["ticker,return,rank", *(f"{stock[0]},{stock[1]},{stock[2]}" for stock in STOCKS)],
        "returns.csv": ["ticker,return", *(f"{stock[0]},{stock[1]}" for stock in STOCKS)],
        "ranks.csv": ["ticker,rank", *(f"{stock[0]},{stock[2]}" for stock in STOCKS)],
        "other.csv": ["ticker,rank", *(f"{stock[0]},{stock[3]}" for stock in STOCKS)],
        "segments.csv": ["query,device", "q1,mobile", "q2,desktop"],
        "log.csv": ["user,item,action", "u1,i1,click", "u1,i2,purchase"],
    }
    for name, lines in rows.items():
        (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("rankgauge.cli.stocks.study_by_rules", study)

    def run(*arguments: str) -> str:
        code = app.run(arguments)
        printed = capsys.readouterr()
        assert (code, without_remarks(printed.err)) == (0, [])
        return printed.out

    return run


@pytest.mark.parametrize(("suffix", "format_"), SUFFIXES.items())
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_output_file_with_a_known_suffix_has_its_format(
    show: Show, command: list[str], suffix: str, format_: str
) -> None:
    assert show(*command, "-o", f"out{suffix}") == ""
    assert Path(f"out{suffix}").read_text(encoding="utf-8") == show(*command, "--format", format_)


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_output_file_with_another_suffix_has_the_table(show: Show, command: list[str]) -> None:
    show(*command, "-o", "out.txt")
    assert Path("out.txt").read_text(encoding="utf-8") == show(*command)


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_format_with_the_suffix_of_another_wins(show: Show, command: list[str]) -> None:
    show(*command, "--format", "markdown", "-o", "out.json")
    assert Path("out.json").read_text(encoding="utf-8") == show(*command, "--format", "markdown")
    show(*command, "--format", "table", "-o", "out.html")
    assert Path("out.html").read_text(encoding="utf-8") == show(*command)


def test_format_trec_with_a_suffix_wins(show: Show) -> None:
    show(*COMMANDS["evaluate"], "--format", "trec", "-o", "out.csv")
    assert Path("out.csv").read_text(encoding="utf-8") == show(*COMMANDS["evaluate"], "--format", "trec")


@pytest.mark.parametrize(
    "command",
    [name for name in app.COMMANDS if name not in ("evaluate", "report", "trec_eval", "sql", "demo", "completion")],
)
def test_format_trec_of_other_commands_is_refused(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = [command, "actions"] if command == "grade" else [command]
    assert app.run([*name, "--format", "trec"]) == 2
    assert "'trec' is not one of" in capsys.readouterr().err


@pytest.mark.parametrize("format_", ["table", "markdown", "latex", "html"])
@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in WITHOUT_FRACTIONS])
def test_places_in_formats_for_people_rounds_every_number(show: Show, name: str, format_: str) -> None:
    command = [*COMMANDS[name], "--format", format_]
    assert re.search(r"\d\.\d{7}\b", show(*command, "--places", "7"))
    assert re.findall(r"\d\.\d{3,}\b", show(*command, "--places", "2")) == []


@pytest.mark.parametrize("format_", ["table", "html"])
def test_places_of_a_measure_rounds_its_example(show: Show, format_: str) -> None:
    shown = show("measures", "ndcg", "--format", format_, "--places", "2")
    assert re.search(r"ranked: 0\.\d\d\b", shown)
    assert re.findall(r"\d\.\d{3,}\b", shown) == []


@pytest.mark.parametrize("format_", ["json", "csv"])
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_places_in_formats_for_programs_changes_nothing(show: Show, command: list[str], format_: str) -> None:
    assert show(*command, "--format", format_, "--places", "0") == show(*command, "--format", format_)


@pytest.mark.parametrize("places", ["-1", "18", "2.5", "x"])
@pytest.mark.parametrize("command", [*COMMANDS.values(), ["demo"], ["grade", "actions", "log.csv"]], ids=" ".join)
def test_places_out_of_range_is_refused(
    show: Show, command: list[str], places: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.run([*command, "--places", places]) == 2
    assert "--places" in capsys.readouterr().err


def test_places_of_the_calculator_without_it_keeps_all_digits(show: Show) -> None:
    command = COMMANDS["calculator"]
    value = json.loads(show(*command, "--format", "json"))["value"]
    assert show(*command).startswith(f"ndcg = {value!r}\n")
    assert show(*command, "--places", "3").startswith(f"ndcg = {value:.3f}\n")


def test_places_of_the_demo_rounds_its_tables(show: Show) -> None:
    shown = show("demo", "--places", "2")
    assert re.search(r"ndcg@5 +0\.\d\d +0\.\d\d +0\.\d\d +39\n", shown)
    assert re.search(r"DCG \d+\.\d\d / IDCG \d+\.\d\d = 0\.\d\d\n", shown)


def test_places_on_a_terminal_are_those_of_a_pipe(run_on_terminal: RunOnTerminal, files: Files, show: Show) -> None:
    command = [*COMMANDS["explain"], "--places", "6"]
    arguments = [{"qrels.txt": str(files.judgments), "run.txt": str(files.ranking)}.get(word, word) for word in command]
    shown = re.sub(r"\x1b\[[0-9;]*m", "", run_on_terminal(*arguments).text())
    numbers = re.compile(r"\d+\.\d+")
    assert numbers.findall(shown) == numbers.findall(show(*command))


@pytest.mark.parametrize("format_", ["json", "csv", "markdown", "latex", "html"])
def test_format_of_grade_is_that_of_the_audit(show: Show, format_: str) -> None:
    plain = show("grade", "actions", "log.csv", "--format", format_)
    assert "graded" in plain
    # The suffix of -o is the format of the grades.
    assert show("grade", "actions", "log.csv", "--format", format_, "-o", "grades.json") == plain
    assert show("grade", "actions", "log.csv", "-o", "grades.json") == show("grade", "actions", "log.csv")
    assert [row["grade"] for row in json.loads(Path("grades.json").read_text(encoding="utf-8"))] == [1.0, 3.0]


def numbered(count: int) -> tuple[str, str]:
    queries = sorted(str(number) for number in range(1, count + 1))
    judged = "".join(f"{query} 0 d 1\n" for query in queries)
    return judged, "".join(f"{query} Q0 d 1 1.0 t\n" for query in queries)


def test_per_query_with_numeric_ids_is_sorted_by_number_and_trec_bytewise(show: Show) -> None:
    for name, text in zip(("qrels.txt", "run.txt"), numbered(12), strict=True):
        Path(name).write_text(text, encoding="utf-8")
    command = COMMANDS["evaluate per query"]
    by_number = [str(number) for number in range(1, 13)]
    patterns = {"table": r"^(\d+) ", "csv": r"^(\d+),", "markdown": r"^\| (\d+) ", "latex": r"^(\d+) &"}
    for format_, pattern in patterns.items():
        assert re.findall(pattern, show(*command, "--format", format_), re.MULTILINE) == by_number
    assert re.findall(r"<td>(\d+)</td>", show(*command, "--format", "html")) == by_number
    assert list(json.loads(show(*command, "--format", "json"))["per_query"]["ndcg@10"]) == by_number
    assert re.findall(r"\t(\d+)\t", show(*command, "--format", "trec")) == sorted(by_number)


def test_format_html_of_hostile_ids_escapes_them(show: Show) -> None:
    hostile = "<script>alert(1)</script>"
    Path("qrels.txt").write_text(f"{hostile} 0 {hostile} 1\n", encoding="utf-8")
    Path("run.txt").write_text(f"{hostile} Q0 {hostile} 1 1.0 t\n", encoding="utf-8")
    for command in (COMMANDS["evaluate per query"], ["explain", "qrels.txt", "run.txt"]):
        page = show(*command, "--format", "html")
        assert hostile not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


@pytest.mark.parametrize("command", ["evaluate", "explain", "ndcg", "conventions", "measures", "stocks"])
def test_help_of_output_lists_suffixes_formats_and_places(show: Show, command: str) -> None:
    words = " ".join(show(command, "--help").split())
    assert "the suffix picks the format: .json, .csv, .md, .tex, .html, .htm; any other writes a table" in words
    assert "json|csv|markdown|latex|html]" in words
    assert "Digits after the point, 0 to 17" in words
