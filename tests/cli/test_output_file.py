"""`-o` writes a file completely or not at all; devices are written to; a closed pipe is no error."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from tests.program import PROGRAM, without_remarks

from rankgauge.cli import app
from rankgauge.presentation.formats import FORMATS

if TYPE_CHECKING:
    from tests.cli.conftest import Files, Run

Write = Callable[[str, str], Path]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def half_written_by(error: BaseException) -> Callable[..., NoReturn]:
    def write_half(path: Path, *_: object, **__: object) -> NoReturn:
        path.write_bytes(b"half a res")
        raise error

    return write_half


def failing_with(error: BaseException) -> Callable[..., NoReturn]:
    def fail(*_: object, **__: object) -> NoReturn:
        raise error

    return fail


ERRORS = [(KeyboardInterrupt(), 130, "interrupted"), (OSError(28, "No space left on device"), 2, "No space left")]
STEPS: dict[str, tuple[str, Callable[[BaseException], Callable[..., NoReturn]]]] = {
    "write": ("pathlib.Path.write_text", half_written_by),
    "rename": ("pathlib.Path.replace", failing_with),
}


@pytest.mark.parametrize("old", [None, "old"], ids=["new file", "old file"])
@pytest.mark.parametrize(("error", "code", "message"), ERRORS, ids=["interrupted", "disk full"])
@pytest.mark.parametrize("step", STEPS)
def test_output_file_when_writing_fails_is_unchanged(
    files: Files,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    step: str,
    error: BaseException,
    code: int,
    message: str,
    old: str | None,
) -> None:
    output = tmp_path / "out" / "result.json"
    output.parent.mkdir()
    if old is not None:
        output.write_text(old, encoding="utf-8")
    before = names(output.parent)
    target, make = STEPS[step]
    with monkeypatch.context() as patch:
        patch.setattr(target, make(error))
        exit_code = app.run(["evaluate", *map(str, files), "-o", str(output)])
    assert exit_code == code
    assert message in capsys.readouterr().err
    assert names(output.parent) == before
    assert old is None or output.read_text(encoding="utf-8") == old


def test_output_file_on_a_full_disk_is_unchanged(large: Files, tmp_path: Path) -> None:
    output = tmp_path / "out" / "result.csv"
    output.parent.mkdir()
    output.write_text("old", encoding="utf-8")
    done = subprocess.run(
        ["sh", "-c", 'ulimit -f 1; exec "$0" "$@"', PROGRAM, "evaluate", *large, "-q", "--format", "csv", "-o", output],
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"expected to write the output" in done.stderr
    assert output.read_text(encoding="utf-8") == "old"
    assert names(output.parent) == ["result.csv"]


def test_output_file_when_written_has_no_draft_beside_it(run: Run, files: Files, tmp_path: Path) -> None:
    output = tmp_path / "out" / "result.json"
    output.parent.mkdir()
    assert run("evaluate", *files, "-o", output).text() == ""
    assert names(output.parent) == ["result.json"]


def test_output_file_of_bad_input_is_unchanged(run: Run, files: Files, tmp_path: Path) -> None:
    output = tmp_path / "result.json"
    output.write_text("old", encoding="utf-8")
    run("evaluate", *files, "--missing", "error", "-o", output).refusal()
    assert output.read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_output_file_that_exists_keeps_its_mode(run: Run, files: Files, tmp_path: Path, mode: int) -> None:
    output = tmp_path / "result.json"
    output.write_text("old", encoding="utf-8")
    output.chmod(mode)
    run("evaluate", *files, "-o", output).text()
    assert output.read_text(encoding="utf-8") != "old"
    assert output.stat().st_mode & 0o777 == mode


def test_output_file_that_is_new_has_the_usual_mode(run: Run, files: Files, tmp_path: Path) -> None:
    usual, output = tmp_path / "usual", tmp_path / "result.json"
    usual.write_text("", encoding="utf-8")
    run("evaluate", *files, "-o", output).text()
    assert output.stat().st_mode == usual.stat().st_mode


def test_output_file_that_is_a_link_stays_one(run: Run, files: Files, tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    run("evaluate", *files, "-o", link).text()
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == run("evaluate", *files).text()


@pytest.mark.parametrize("command", ["evaluate", "explain", "conventions"])
@pytest.mark.parametrize("side", ["judgments", "ranking"])
def test_output_file_that_is_an_input_is_refused(run: Run, files: Files, command: str, side: str) -> None:
    path: Path = getattr(files, side)
    before = path.read_bytes()
    line = run(command, *files, "-o", path).refusal()
    assert f"{path}: expected a file that is not an input to write to" in line
    assert path.read_bytes() == before


@pytest.mark.parametrize("command", ["compare", "report"])
@pytest.mark.parametrize("runs", ["runs", "runs/*.txt"])
def test_output_file_that_is_in_a_folder_of_inputs_is_refused(
    run: Run, files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, runs: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    for name in ("a", "b"):
        Path(f"runs/{name}.txt").write_bytes(files.ranking.read_bytes())
    line = run(command, files.judgments, runs, "-o", "runs/a.txt").refusal()
    assert f"runs/a.txt: expected a file that is not an input to write to, got the input '{runs}'" in line
    assert Path("runs/a.txt").read_bytes() == files.ranking.read_bytes()
    assert run(command, files.judgments, runs, "-o", "runs/new.html").code == 0


@pytest.mark.parametrize("command", ["compare", "report"])
def test_output_file_that_has_the_segments_is_refused(
    run: Run, files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("segments.csv").write_text("query,device\n", encoding="utf-8")
    for by in ("segments.csv:device", "segments.csv"):
        line = run(command, *files, files.ranking, "--by", by, "-o", "segments.csv").refusal()
        assert "expected a file that is not an input" in line
    assert Path("segments.csv").read_text(encoding="utf-8") == "query,device\n"


def test_output_file_that_is_an_input_by_another_name_is_refused(run: Run, files: Files, tmp_path: Path) -> None:
    link, hard, folder = tmp_path / "link.txt", tmp_path / "hard.txt", tmp_path / "folder"
    link.symlink_to(files.ranking)
    hard.hardlink_to(files.ranking)
    folder.mkdir()
    for name in (link, hard, folder / ".." / files.ranking.name):
        run("evaluate", *files, "-o", name).refusal()


def test_output_file_that_is_standard_input_is_refused(files: Files) -> None:
    before = files.ranking.read_bytes()
    with files.ranking.open("rb") as ranking:
        arguments: list[str | Path] = [PROGRAM, "evaluate", files.judgments, "-", "-o", files.ranking]
        done = subprocess.run(arguments, stdin=ranking, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"expected a file that is not an input" in done.stderr
    assert files.ranking.read_bytes() == before


def test_output_file_of_grades_that_is_an_input_is_refused(run: Run, write: Write) -> None:
    log = write("log.csv", "user,item,action,time\nu1,i1,click,1\nu1,i2,click,2\nu1,i3,click,3\n")
    before = log.read_bytes()
    run("grade", "actions", log, "-o", log).refusal()
    run("grade", "holdout", log, "--train", log).refusal()
    run("grade", "holdout", log, "--ranking", log, "--unseen", log).refusal()
    assert log.read_bytes() == before


def test_output_file_is_on_the_disk_before_it_has_its_name(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def synced(handle: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else f"file of {os.fstat(handle).st_size > 0}")
        fsync(handle)

    def renamed(path: Path, target: Path) -> Path:
        steps.append("rename")
        return replace(path, target)

    monkeypatch.setattr("os.fsync", synced)
    monkeypatch.setattr("pathlib.Path.replace", renamed)
    assert app.run(["evaluate", *map(str, files), "-o", str(tmp_path / "out.csv")]) == 0
    assert steps == ["file of True", "rename", "folder"]


@pytest.mark.parametrize("name", ["/proc/rankgauge.csv", "/nowhere/out.csv", "/dev/null/out.csv", "/"])
def test_output_file_in_a_folder_that_takes_none_is_refused(run: Run, files: Files, name: str) -> None:
    line = run("evaluate", *files, "-o", name).refusal()
    assert f"{name}: expected to write the output" in line


def test_output_file_that_is_a_link_to_itself_is_refused(run: Run, files: Files, tmp_path: Path) -> None:
    link = tmp_path / "loop.csv"
    link.symlink_to(link)
    assert "expected to write the output" in run("evaluate", *files, "-o", link).refusal()
    assert link.is_symlink()


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_output_file_that_is_standard_output_is_appended_to(files: Files, tmp_path: Path, name: str) -> None:
    log = tmp_path / "log.txt"
    log.write_text("old\n", encoding="utf-8")
    with log.open("ab") as end:
        subprocess.run([PROGRAM, "evaluate", *files, "-o", name], stdout=end, check=True)
    assert log.read_text(encoding="utf-8").startswith("old\nmeasure ")


def test_output_file_that_is_a_process_substitution_is_written_to(run: Run, files: Files, tmp_path: Path) -> None:
    copy = tmp_path / "copy.txt"
    script = f'"$@" -o >(cat > {copy}; echo done >&2)'
    done = subprocess.run(["bash", "-c", script, "bash", PROGRAM, "evaluate", *files], capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"done\n")  # waits for `cat`, which holds stderr
    assert copy.read_text(encoding="utf-8") == run("evaluate", *files).text()


@pytest.mark.parametrize("format_", ["table", "json"])
def test_output_file_that_is_a_device_is_written_to(start: Run, files: Files, format_: str) -> None:
    printed = start("evaluate", *files, "--format", format_).text()
    assert start("evaluate", *files, "--format", format_, "-o", "/dev/stdout").text() == printed
    assert start("evaluate", *files, "--format", format_, "-o", "/dev/null").text() == ""
    assert Path("/dev/null").is_char_device()


def test_output_file_that_is_a_full_device_is_refused(run: Run, files: Files) -> None:
    line = run("evaluate", *files, "-o", "/dev/full").refusal()
    assert "/dev/full: expected to write the output" in line


@pytest.mark.parametrize("format_", ["table", "json", "csv", "trec"])
@pytest.mark.parametrize("size", ["small", "large"])
def test_standard_output_closed_by_its_reader_is_no_error(files: Files, large: Files, size: str, format_: str) -> None:
    inputs = files if size == "small" else large
    reading, writing = os.pipe()
    os.close(reading)  # as if `head` had already left
    arguments: list[str | Path] = [
        PROGRAM,
        "evaluate",
        *inputs,
        "--per-query",
        "--format",
        format_,
        "-m",
        "ndcg,ndcg@1,ndcg@5,dcg,cg,idcg",
    ]
    done = subprocess.run(arguments, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("arguments", [["conventions"], ["completion", "bash"], ["demo"], ["--help"]])
def test_standard_output_of_other_commands_closed_by_its_reader_is_no_error(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([PROGRAM, *arguments], stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("format_", FORMATS)
def test_standard_output_on_a_full_device_is_refused(files: Files, format_: str) -> None:
    with Path("/dev/full").open("wb") as full:
        arguments: list[str | Path] = [PROGRAM, "evaluate", *files, "--format", format_]
        done = subprocess.run(arguments, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"rankgauge: ")
    assert done.stderr.count(b"\n") == 1
    assert b"No space left on device" in done.stderr
    assert b"this is a bug" not in done.stderr


@pytest.mark.parametrize("format_", ["table", "json"])
def test_standard_output_when_closed_gives_no_traceback(files: Files, format_: str) -> None:
    closed = ["sh", "-c", 'exec "$@" >&-', "sh"]
    arguments = [*closed, PROGRAM, "evaluate", *map(str, files), "--format", format_]
    done = subprocess.run(arguments, capture_output=True, check=False)
    assert done.returncode == 0
    assert without_remarks(done.stderr.decode()) == []


def test_standard_output_in_ascii_replaces_other_characters(start: Run, files: Files) -> None:
    shown = start("explain", *files, "--query", "q1", env={"PYTHONIOENCODING": "ascii"}).text()
    assert "DCG" in shown
