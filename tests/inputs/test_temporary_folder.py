"""The folder for temporary files of a process, and those of processes that were killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.program import environment

_PROGRAM = """
import os
from rankgauge.inputs.temporary_folder import folder
open(os.path.join(folder(), "rows"), "w").close()
{then}
"""
_KILLED = f"os.kill(os.getpid(), {int(signal.SIGKILL)})"
_AN_HOUR = 3_600


def run(temporary: Path, then: str) -> int:
    program = [sys.executable, "-c", _PROGRAM.format(then=then)]
    return subprocess.run(program, env=environment({"TMPDIR": str(temporary)}), check=False).returncode


def grow_old(temporary: Path) -> None:
    for path in temporary.iterdir():
        time = path.stat().st_mtime - _AN_HOUR
        os.utime(path, (time, time))


@pytest.mark.parametrize("then", ["", "1 / 0", "raise KeyboardInterrupt"])
def test_folder_is_removed_when_python_ends(tmp_path: Path, then: str) -> None:
    run(tmp_path, then)
    assert list(tmp_path.iterdir()) == []


def test_folder_of_a_killed_process_is_removed_by_the_next(tmp_path: Path) -> None:
    assert run(tmp_path, _KILLED) == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 1
    grow_old(tmp_path)
    assert run(tmp_path, "") == 0
    assert list(tmp_path.iterdir()) == []


def test_folder_of_a_process_that_runs_is_left_alone(tmp_path: Path) -> None:
    program = [sys.executable, "-c", _PROGRAM.format(then="print(flush=True); input()")]
    running = subprocess.Popen(
        program, env=environment({"TMPDIR": str(tmp_path)}), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert running.stdout is not None
    running.stdout.readline()
    grow_old(tmp_path)
    assert run(tmp_path, "") == 0
    assert [path.name for path in tmp_path.glob("*/*")] == ["rows"]
    running.communicate(b"\n")
    assert list(tmp_path.iterdir()) == []


def test_folders_of_others_are_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    (tmp_path / "rankgauge-1234").mkdir()
    (tmp_path / "rankgauge-own-link").symlink_to(target)
    grow_old(tmp_path)
    assert run(tmp_path, "") == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rankgauge-1234", "rankgauge-own-link", "target"]


_EVALUATING = f"""
import os, sys
import rankgauge as rg
rg.evaluate({{"q1": {{"d1": 1}}}}, sys.argv[1], "mrr")
{_KILLED}
"""
_FILES = {
    "run.csv": 'query,item,score\n"q1","d1",1\n',
    "run.jsonl": '{"query": "q1", "item": "d1", "score": 1}\n',
}


@pytest.mark.parametrize("name", _FILES)
def test_file_that_duckdb_reads_needs_no_folder(tmp_path: Path, name: str) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    (tmp_path / name).write_text(_FILES[name])
    program = [sys.executable, "-c", _EVALUATING, str(tmp_path / name)]
    ended = subprocess.run(program, env=environment({"TMPDIR": str(temporary)}), check=False)
    assert ended.returncode == -signal.SIGKILL
    assert list(temporary.iterdir()) == []
