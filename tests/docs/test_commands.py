"""Every command line in the README and the docs prints what is printed below it.

A ```console block has lines `$ command`, each followed by its output. Of the commands these are run, in order, in one
empty folder per page: `rankgauge …`; `cat FILE`, which makes the file unless a command has already written it; `gzip -k
FILE`; and `echo $?`, the exit code of the command before it. Others (`make`, `pip`, `git`) are not run. What is printed
on stderr is compared only for a command that fails, or that has `2>&1` at its end.
"""

from __future__ import annotations

import gzip
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest
import tomli
from tests.program import run_in_process

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("README*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
AND_SO_ON = "...\n"


class Step(NamedTuple):
    """A command and what the page prints below it."""

    command: str
    expected: str
    line: int


@dataclass
class Folder:
    """An empty folder, the current one, in which the commands of one page run."""

    path: Path
    code: int = 0

    def run(self, step: Step) -> str | None:
        """Return what a command prints, or None for one that is not run."""
        words = shlex.split(step.command)
        if words[0] == "rankgauge":
            return self.rankgauge(words[1:])
        if words[0] == "cat":
            return self.cat(words[1], step.expected)
        if words[:2] == ["gzip", "-k"]:
            plain = self.path / words[2]
            plain.with_name(f"{plain.name}.gz").write_bytes(gzip.compress(plain.read_bytes()))
            return ""
        return f"{self.code}\n" if step.command == "echo $?" else None

    def rankgauge(self, arguments: list[str]) -> str:
        both = arguments[-1:] == ["2>&1"]
        outcome = run_in_process(*arguments[: -1 if both else None], env={"COLUMNS": "80"})
        self.code = outcome.code
        return outcome.stdout + (outcome.stderr if both or self.code else "")

    def cat(self, name: str, content: str) -> str:
        file = self.path / name
        if not file.exists():
            file.write_text(content, encoding="utf-8")
        return file.read_text(encoding="utf-8")


@dataclass
class Findings:
    """What a page promises and what its commands print."""

    expected: list[str] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)

    def add(self, step: Step, printed: str) -> None:
        expected = step.expected
        if expected.endswith(AND_SO_ON) and printed.startswith(expected.removesuffix(AND_SO_ON)):
            printed = expected
        self.expected.append(f"line {step.line} $ {step.command}\n{expected}")
        self.printed.append(f"line {step.line} $ {step.command}\n{printed}")


def steps(text: str) -> Iterator[Step]:
    """Yield the commands of a page, in order."""
    for block in BLOCK.finditer(text):
        line = text.count("\n", 0, block.start(1)) + 1
        for command in re.split(r"^(?=\$ )", block[1], flags=re.MULTILINE):
            first, _, output = command.partition("\n")
            if first.startswith("$ "):
                expected = output.removesuffix("\n") if output.endswith("\n\n") else output  # a gap between commands
                yield Step(first.removeprefix("$ "), expected, line)
            line += command.count("\n")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_print_what_the_page_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Folder(tmp_path)
    findings = Findings()
    for step in steps(page.read_text(encoding="utf-8")):
        printed = folder.run(step)
        if printed is not None:
            findings.add(step, printed)
    assert findings.printed == findings.expected


def test_python_examples_of_every_page_are_collected() -> None:
    options = tomli.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    folders = [ROOT / path for path in options["testpaths"]]
    assert [page for page in PAGES if not any(page.is_relative_to(folder) for folder in folders)] == []


def test_steps_of_the_guides_have_commands() -> None:
    guides = [page for page in PAGES if page.is_relative_to(ROOT / "docs")]
    commands = [step.command for page in guides for step in steps(page.read_text(encoding="utf-8"))]
    assert [command for command in commands if command.startswith("rankgauge ")]


def test_steps_reads_commands_and_their_output() -> None:
    text = "# Page\n\n```console\n$ cat a.txt\none\n\n$ rankgauge demo\nA search engine\n...\n```\n"
    assert list(steps(text)) == [
        Step("cat a.txt", "one\n", 4),
        Step("rankgauge demo", "A search engine\n...\n", 7),
    ]


def test_findings_of_a_wrong_output_differ() -> None:
    findings = Findings()
    findings.add(Step("rankgauge --version", "rankgauge\n", 1), "rankgauge 0.1.0\n")
    findings.add(Step("rankgauge demo", "A search\n...\n", 1), "A recommender\n")
    assert all(expected != printed for expected, printed in zip(findings.expected, findings.printed, strict=True))
