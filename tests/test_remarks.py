"""Remarks: every kind is declared and used, prints as one line, and is an error for a strict caller if it is severe."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import polars as pl
import pytest

import rankgauge as rg
from rankgauge.cli import app
from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text
from rankgauge.remarks import KINDS, Kind, Remark, Severity, require_none_severe
from tests.remarks import lines

SOURCES = Path(rg.__file__).parent
USED = re.compile(r"""Remark\.of\(\s*"([^"]+)\"""")
JUDGED = {"q1": {"a": 1, "b": 0}}
TIED = {"q1": {"a": 0.5, "b": 0.5}}
VERBS: dict[str, Callable[..., object]] = {
    "evaluate": rg.evaluate,
    "explain": rg.explain,
    "compare": rg.conventions.compare,
}


def sources() -> list[str]:
    """Return the files of the package without the declarations of errors and remarks."""
    declarations = (*(SOURCES / "errors").iterdir(), *(SOURCES / "remarks").iterdir())
    return [path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py") if path not in declarations]


@pytest.fixture
def severe(monkeypatch: pytest.MonkeyPatch) -> str:
    """Make a kind severe that any ranking of a table without scores has."""
    kind = KINDS["order"]._replace(severity="severe")
    monkeypatch.setitem(KINDS, "order", kind)
    return kind.next_step


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Judgments, and a ranking without scores or ranks."""
    judgments, ranking = tmp_path / "judgments.csv", tmp_path / "ranking.csv"
    judgments.write_text("query,item,grade\nq1,a,1\nq1,b,0\n", encoding="utf-8")
    ranking.write_text("query,item\nq1,b\nq1,a\n", encoding="utf-8")
    return [str(judgments), str(ranking)]


@pytest.mark.parametrize("code", KINDS)
def test_kind_has_a_slug_a_severity_and_says_when_it_is_made(code: str) -> None:
    kind = KINDS[code]
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code)
    assert kind.severity in get_args(Severity)
    assert kind.when.strip()
    assert "\n" not in kind.when + kind.next_step
    assert not kind.when.endswith(".")


@pytest.mark.parametrize("code", [code for code, kind in KINDS.items() if kind.severity != "note"])
def test_kind_that_may_matter_has_a_next_step(code: str) -> None:
    assert KINDS[code].next_step.strip()


def test_code_that_the_source_uses_is_declared() -> None:
    assert {code for text in sources() for code in USED.findall(text)} <= set(KINDS)


def test_kind_that_is_declared_is_used() -> None:
    everything = "".join(sources())
    assert [code for code in KINDS if f'"{code}"' not in everything] == []


def test_remark_of_an_unknown_kind_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        Remark.of("no-such-kind", Text("text"))


def test_remark_prints_its_code_and_a_severe_one_its_next_step() -> None:
    assert str(Remark.of("nothing-ranked", Text("1 query"))) == "nothing ranked: 1 query"
    severe = Remark("nothing-ranked", "severe", "1 query", "check the ranking")
    assert str(severe) == "nothing ranked: 1 query. Hint: check the ranking"


def test_remark_about_a_hostile_id_is_one_printable_line() -> None:
    text = str(Remark.of("order", Text("query 'q\n1\r\x1b]0;title\x07\x9b\u202e\u2028'")))
    assert text.isprintable()
    assert text == r"order: query 'q\n1\r\x1b]0;title\x07\x9b\u202e\u2028'"


def test_remark_with_another_next_step_keeps_it_and_is_plain_values() -> None:
    remark = Remark.of("ties", Text("2 queries"), "sort them")
    values = {"code": "ties", "severity": "caution", "text": "2 queries", "next_step": "sort them"}
    assert remark.to_dict() == values
    assert pickle.loads(pickle.dumps(remark)) == remark  # noqa: S301 - our own bytes


@pytest.mark.parametrize("severity", ["note", "caution"])
def test_strict_without_a_severe_remark_raises_nothing(severity: Severity) -> None:
    require_none_severe([Remark("ties", severity, "text", "")], strict=True)


def test_strict_raises_the_first_severe_remark_with_its_next_step() -> None:
    remarks = [
        Remark.of("ties", Text("x")),
        Remark("order", "severe", "y", "do z"),
        Remark("cases", "severe", "v", "w"),
    ]
    require_none_severe(remarks, strict=False)
    with pytest.raises(RankgaugeError, match=r"got order: y\. Hint: do z\.$") as raised:
        require_none_severe(remarks, strict=True)
    assert raised.value.code == "severe-remark"


@pytest.mark.parametrize("verb", VERBS)
def test_verb_lists_a_severe_remark_and_raises_it_if_strict(verb: str, severe: str, files: list[str]) -> None:
    remarks = VERBS[verb](*files).remarks  # type: ignore[attr-defined]
    (line,) = lines(remarks, "order")
    assert line.endswith(f". Hint: {severe}")
    with pytest.raises(RankgaugeError) as raised:
        VERBS[verb](*files, strict=True)
    assert raised.value.code == "severe-remark"


def test_verbs_that_are_strict_take_data_without_severe_remarks() -> None:
    assert rg.evaluate(JUDGED, TIED, strict=True)["ndcg@10"] == rg.evaluate(JUDGED, TIED)["ndcg@10"]
    assert rg.explain(JUDGED, TIED, strict=True).value == rg.explain(JUDGED, TIED).value
    assert rg.evaluate_arrays([[1, 0]], [[1.0, 2.0]], strict=True)["ndcg@10"] > 0


COMMANDS = {
    "evaluate": ["evaluate"],
    "explain": ["explain"],
    "conventions": ["conventions", "--only", "sklearn"],
    "conventions walked": ["conventions", "--why", "lightgbm", "sklearn"],
    "conventions identified": ["conventions", "--identify", "0.63"],
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_command_that_is_strict_exits_with_2_and_one_line(
    command: list[str], severe: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    name, *switches = command
    assert app.run([name, *files, *switches, "--format", "json", "--strict"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    assert printed.err.startswith("rankgauge: expected data without a severe remark (strict), got order: ")
    assert severe in printed.err


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_command_without_strict_prints_severe_remarks_in_json_and_on_stderr(
    command: list[str], severe: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    name, *switches = command
    assert app.run([name, *files, *switches, "--format", "json"]) == 0
    printed = capsys.readouterr()
    remarks = json.loads(printed.out)["remarks"]
    (remark,) = [remark for remark in remarks if remark["severity"] == "severe"]
    assert (remark["code"], remark["next_step"]) == ("order", severe)
    assert printed.err.splitlines() == [str(Remark(**remark)) for remark in remarks]


@pytest.mark.parametrize("format_", ["table", "html"])
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_command_in_a_format_for_people_has_the_remarks_in_its_output_alone(
    command: list[str], format_: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    name, *switches = command
    assert app.run([name, *files, *switches, "--format", format_]) == 0
    printed = capsys.readouterr()
    assert "order: no column of scores or ranks" in printed.out
    assert printed.err == ""


@pytest.mark.parametrize("format_", ["trec", "csv", "latex", "markdown"])
def test_command_in_a_format_for_programs_has_the_remarks_on_stderr_alone(
    format_: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.run(["evaluate", *files, "--format", format_]) == 0
    printed = capsys.readouterr()
    assert "order: " not in printed.out
    assert printed.err.splitlines() == lines(rg.evaluate(*files).remarks)


@pytest.mark.parametrize(
    "arguments", [["conventions"], ["conventions", "trec_eval"], ["measures"], ["measures", "map"]]
)
@pytest.mark.parametrize("format_", ["json", "csv", "markdown", "latex"])
def test_command_without_data_is_silent(arguments: list[str], format_: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run([*arguments, "--format", format_]) == 0
    assert capsys.readouterr().err == ""


def test_calculator_has_its_remarks_as_objects(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["ndcg", "0", "0", "--format", "json", "--strict"]) == 0
    remarks = json.loads(capsys.readouterr().out)["remarks"]
    assert [remark["code"] for remark in remarks] == ["convention", "nothing-relevant"]


def test_study_and_comparison_have_their_remarks_as_objects() -> None:
    table = {"ticker": list("ABCDE"), "return": [0.1, -0.1, 0.05, 0.0, 0.02]}
    studies = [
        rg.stocks.study(pl.DataFrame({**table, "rank": ranks}), k=2) for ranks in ([1, 2, 3, 4, 5], [5, 4, 3, 2, 1])
    ]
    for result in (studies[0], studies[0].compare(studies[1])):
        assert json.loads(result.to_json())["remarks"] == [remark.to_dict() for remark in result.remarks]


def test_kind_is_what_the_page_of_remarks_lists() -> None:
    page = (Path(__file__).parents[1] / "docs" / "remarks.md").read_text(encoding="utf-8")
    assert [code for code in KINDS if f"\n| {code} " not in page] == []
    assert isinstance(KINDS["ties"], Kind)
