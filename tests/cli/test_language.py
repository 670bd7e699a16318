"""--lang: Korean where a person reads; the locale counts on a terminal alone, and what programs read never changes."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.program import PROGRAM, environment

from rankgauge.presentation.text import display_width

if TYPE_CHECKING:
    from tests.cli.conftest import Files, Run

KOREAN = {"LC_ALL": "", "LC_MESSAGES": "", "LANG": "ko_KR.UTF-8"}
MACHINE = ["trec", "json", "csv", "markdown", "latex"]
HANGUL = re.compile("[가-힣]")
STYLES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def korean_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the locale of the process to Korean."""
    for name, value in KOREAN.items():
        monkeypatch.setenv(name, value)


def on_terminal(*arguments: str | Path, encoding: str = "utf-8", **variables: str) -> str:
    """Run the program with a terminal for its output; return what it shows, without styles."""
    main, side = pty.openpty()
    settings = {**environment(), "PYTHONIOENCODING": encoding, "COLUMNS": "200", "TERM": "xterm", **variables}
    with subprocess.Popen([PROGRAM, *arguments], stdout=side, env=settings) as process:
        os.close(side)
        chunks = []
        while chunk := _read(main):
            chunks.append(chunk)
    os.close(main)
    assert process.returncode == 0
    return STYLES.sub("", b"".join(chunks).decode(encoding)).replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # the program has ended
        return b""


@pytest.mark.parametrize("before", [True, False])
def test_lang_before_or_after_the_command_gives_korean(run: Run, files: Files, before: bool) -> None:
    shown = (run("--lang", "ko", "evaluate", *files) if before else run("evaluate", *files, "--lang", "ko")).text()
    assert shown.splitlines()[0].split()[:2] == ["지표", "평균"]
    assert "\n규약: trec_eval (이득 linear, 할인 log2, 이상적 순위 judged)\n" in shown


def test_lang_of_the_command_replaces_that_of_the_program(run: Run, files: Files) -> None:
    assert run("--lang", "ko", "evaluate", *files, "--lang", "en").text() == run("evaluate", *files).text()
    assert (
        run("--lang", "en", "evaluate", *files, "--lang", "ko").text() == run("evaluate", *files, "--lang", "ko").text()
    )


@pytest.mark.parametrize("command", ["evaluate", "explain", "compare", "conventions", "stocks", "ndcg", "demo"])
def test_unknown_language_is_refused(run: Run, command: str) -> None:
    assert "'xx' is not one of 'en', 'ko'" in run(command, "--lang", "xx").refusal()
    assert "'xx' is not one of 'en', 'ko'" in run("--lang", "xx", command).refusal()


def test_explanation_of_the_calculator_is_korean(run: Run) -> None:
    shown = run("ndcg", "2", "3", "0", "0", "1", "--gain", "exp2", "--explain", "--lang", "ko").text()
    assert "DCG 7.8034 / IDCG 9.3928 = 0.8308\n" in shown
    assert "모자란 0.1692 가운데 손실이 가장 큰 아이템:\n" in shown


def test_columns_of_korean_headers_are_aligned(run: Run) -> None:
    shown = run("ndcg", "딸기", "초코", "d3", "--truth", "딸기=3,초코=2,d3=1", "--explain", "--lang", "ko").text()
    table = shown.split("\n\n")[1].splitlines()
    assert len({display_width(line) for line in table}) == 1
    assert len(table) == 4


@pytest.mark.parametrize("format_", MACHINE)
def test_output_of_programs_is_the_same_in_every_language(run: Run, files: Files, format_: str) -> None:
    english, korean = (run("evaluate", *files, "--format", format_, "--lang", lang) for lang in ("en", "ko"))
    assert (korean.code, korean.stdout) == (0, english.stdout)
    assert HANGUL.search(korean.stderr)
    assert not HANGUL.search(english.stdout + english.stderr)


def test_html_is_korean_and_says_so(run: Run, files: Files) -> None:
    page = run("evaluate", *files, "--format", "html", "--lang", "ko").text()
    assert '<html lang="ko">' in page
    assert "<th>지표</th>" in page
    assert '<html lang="en">' in run("evaluate", *files, "--format", "html").text()


def test_file_is_korean_where_the_switch_says_so(run: Run, files: Files, tmp_path: Path) -> None:
    run("evaluate", *files, "--lang", "ko", "-o", tmp_path / "result.txt").text()
    assert (tmp_path / "result.txt").read_text(encoding="utf-8").startswith("지표")


@pytest.mark.usefixtures("korean_locale")
def test_pipe_does_not_know_the_locale(run: Run, files: Files) -> None:
    for arguments in (["evaluate", *files], ["explain", *files, "--query", "q1"], ["demo"]):
        assert not HANGUL.search(run(*arguments).text())


def test_terminal_knows_the_locale(files: Files) -> None:
    shown = on_terminal("evaluate", *files, **KOREAN)
    assert "규약: trec_eval" in shown
    assert "convention" not in shown
    assert "convention: trec_eval" in on_terminal("evaluate", *files, "--lang", "en", **KOREAN)


@pytest.mark.parametrize(
    ("variables", "korean"),
    [
        ({"LC_ALL": "ko_KR.UTF-8", "LANG": "en_GB.UTF-8"}, True),
        ({"LC_ALL": "C.UTF-8", "LANG": "ko_KR.UTF-8"}, False),
        ({"LC_MESSAGES": "ko", "LANG": "C"}, True),
        ({"LC_MESSAGES": "fr_FR.UTF-8", "LANG": "ko_KR.UTF-8"}, False),
        ({"LANG": "ko_KR.UTF-8@x"}, True),
        ({"LANG": "kok_IN"}, False),
        ({"LANG": "../ko"}, False),
    ],
)
def test_first_variable_that_is_set_decides_on_a_terminal(variables: dict[str, str], korean: bool) -> None:
    settings = {"LC_ALL": "", "LC_MESSAGES": "", "LANG": "", **variables}
    assert bool(HANGUL.search(on_terminal("ndcg", "3", "2", **settings))) is korean


def test_terminal_that_cannot_show_korean_has_english() -> None:
    assert "convention: textbook" in on_terminal("ndcg", "3", "2", encoding="ascii", **KOREAN)
    assert "규약: textbook" in on_terminal("ndcg", "3", "2", encoding="euc-kr", **KOREAN)


def test_file_written_from_a_terminal_does_not_know_the_locale(files: Files, tmp_path: Path) -> None:
    on_terminal("evaluate", *files, "-o", tmp_path / "result.txt", **KOREAN)
    assert (tmp_path / "result.txt").read_text(encoding="utf-8").startswith("measure")
