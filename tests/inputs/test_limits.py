"""How much a file may unpack to."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import polars as pl
import pytest
from tests.inputs.files import TWO, Put, refusal

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import limits

MEBIBYTE = 1 << 20
TREC = b"q1 Q0 d1 1 0.5 t\nq1 Q0 d2 2 0.25 t\n"
BLANK = b"\n" * (2 * MEBIBYTE)
PACKED = {
    "TREC": TREC + BLANK,
    "CSV": b"query,item,score\nq1,d1,0.5\nq1,d2,0.25\n" + BLANK,
    "CSV with quotes": b'query,item,score\n"q1",d1,0.5\nq1,d2,0.25\n' + BLANK,
    "JSON lines": b'{"query": "q1", "item": "d1", "score": 0.5}\n{"query": "q1", "item": "d2", "score": 0.25}\n'
    + BLANK,
    "JSON": json.dumps({"q1": {"d1": 0.5, "d2": 0.25}}).encode() + BLANK,
    "JSON with a mark": b"\xef\xbb\xbf" + json.dumps([{"query": "q1", "item": "d1", "score": 0.5}]).encode() + BLANK,
}


@pytest.mark.parametrize("content", PACKED.values(), ids=PACKED)
def test_read_gzip_beyond_the_limit_is_refused(content: bytes, put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(gzip.compress(content), "run.gz")
    assert rg.read_ranking(path).to_dict().keys() == {"q1"}
    monkeypatch.setenv("RANKGAUGE_MAX_UNPACKED", "1M")
    for lazy in (False, True):
        error = refusal(path, lazy=lazy)
        assert (error.code, error.place) == ("too-much-unpacked", str(path))
        assert "at most 1048576 bytes" in str(error)
        assert "RANKGAUGE_MAX_UNPACKED" in str(error)


def test_read_gzip_of_exactly_the_limit_is_read(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(gzip.compress(TREC), "run.gz")
    monkeypatch.setenv("RANKGAUGE_MAX_UNPACKED", str(len(TREC)))
    assert rg.read_ranking(path).to_dict() == TWO
    monkeypatch.setenv("RANKGAUGE_MAX_UNPACKED", str(len(TREC) - 1))
    assert refusal(path).code == "too-much-unpacked"


def test_read_plain_file_has_no_limit(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKGAUGE_MAX_UNPACKED", "1")
    assert rg.read_ranking(put(TREC, "run.txt")).to_dict() == TWO


def test_read_parquet_beyond_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = 200_000
    frame = pl.DataFrame({"query": [1] * rows, "item": range(rows), "score": [0.0] * rows})
    frame.write_parquet(tmp_path / "run.parquet")
    monkeypatch.setenv("RANKGAUGE_MAX_UNPACKED", "1M")
    assert refusal(tmp_path / "run.parquet").code == "too-much-unpacked"


@pytest.mark.parametrize(
    ("setting", "bytes_"),
    [("1", 1), ("500k", 500 << 10), (" 20G ", 20 << 30), ("3T", 3 << 40), ("7M", 7 << 20), ("", 1 << 30)],
)
def test_unpacked_takes_a_number_of_bytes(setting: str, bytes_: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKGAUGE_MAX_UNPACKED", setting)
    assert limits.unpacked("missing") == bytes_


@pytest.mark.parametrize("setting", ["much", "-1", "1.5G", "G", "5X", "99999999T"])
def test_unpacked_of_no_number_is_refused(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKGAUGE_MAX_UNPACKED", setting)
    with pytest.raises(RankgaugeError, match="RANKGAUGE_MAX_UNPACKED to be a number of bytes"):
        limits.unpacked("missing")


def test_unpacked_grows_with_the_file(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RANKGAUGE_MAX_UNPACKED", raising=False)
    path = put(b"")
    with path.open("wb") as file:
        file.truncate(20 * MEBIBYTE)
    assert limits.unpacked(str(path)) == 2000 * MEBIBYTE
