"""A file is replaced completely or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.presentation.whole_file import replace_file

RESULT = rg.evaluate({"q1": {"a": 1}}, {"q1": ["a"]}, "ndcg@10")


def half_write(draft: Path) -> None:
    draft.write_text("half", encoding="utf-8")
    raise KeyboardInterrupt


def test_replace_file_over_an_old_one_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    replace_file(path, lambda draft: draft.write_text("new", encoding="utf-8"))
    assert (path.read_text(encoding="utf-8"), path.stat().st_mode & 0o777) == ("new", 0o640)
    assert list(tmp_path.iterdir()) == [path]


def test_file_is_unchanged_after_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        replace_file(path, half_write)
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_report_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.html"
    path.write_text("old", encoding="utf-8")

    def fill_the_disk(draft: Path, *_: object, **__: object) -> None:
        draft.write_bytes(b"<!DOC")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fill_the_disk)
    with pytest.raises(RankgaugeError, match="No space left on device"):
        RESULT.report(path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("path", ["/dev/full", "a\0b", "", "/"])
def test_report_to_a_place_that_takes_no_file_is_an_error(path: str) -> None:
    with pytest.raises(RankgaugeError) as raised:
        RESULT.report(path)
    assert raised.value.code == "unwritable-file"
