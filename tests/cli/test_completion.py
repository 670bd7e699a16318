"""`rankgauge completion`: a script per shell, and what it completes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rankgauge.cli.app import COMMANDS
from rankgauge.conventions import NAMED

if TYPE_CHECKING:
    from tests.cli.conftest import Run


def completions(run: Run, line: str) -> list[str]:
    words = line.split(" ")
    env = {"_RANKGAUGE_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    return run(env=env).stdout.split()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_of_a_shell_prints_its_script(run: Run, shell: str) -> None:
    script = run("completion", shell).text()
    assert f"_RANKGAUGE_COMPLETE={shell}_complete" in script
    assert "rankgauge" in script


def test_completion_of_commands_lists_them(run: Run) -> None:
    assert completions(run, "rankgauge ") == [f"plain,{name}" for name in COMMANDS]
    assert completions(run, "rankgauge ex") == ["plain,explain"]


@pytest.mark.parametrize("command", ["evaluate", "explain"])
@pytest.mark.parametrize(
    ("start", "completed"),
    [
        ("--convention ", list(NAMED)),
        ("--convention t", [name for name in NAMED if name.startswith("t")]),
        ("-m nd", ["ndcg", "ndcg@10", "ndcg_rel"]),
        ("-m dc", ["dcg", "dcg@10"]),
        ("--missing ", ["skip", "zero", "error"]),
        ("--unj", ["--unjudged"]),
        ("--format j", ["json"]),
    ],
)
def test_completion_of_switches_lists_them_and_their_values(
    run: Run, command: str, start: str, completed: list[str]
) -> None:
    assert completions(run, f"rankgauge {command} {start}") == [f"plain,{text}" for text in completed]


def test_completion_of_files_is_left_to_the_shell(run: Run) -> None:
    assert completions(run, "rankgauge evaluate ") == ["file,"]


def test_completion_of_conventions_lists_their_names(run: Run) -> None:
    assert completions(run, "rankgauge conventions bu") == ["plain,burges"]
