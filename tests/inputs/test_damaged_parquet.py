"""Parquet files that are not what they say: refused with their name, whoever decodes them."""

from __future__ import annotations

import gzip
import random
import struct
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import memory_budget

FIELDS = [pa.field(name, kind, nullable=False) for name, kind in (("query", pa.string()), ("item", pa.string()))]
SCHEMA = pa.schema([*FIELDS, pa.field("score", pa.float64(), nullable=False)])
# Numbers of the format.
DATA, DICTIONARY, PLAIN, RLE, CODED = 0, 2, 0, 3, 8


@pytest.fixture(autouse=True, params=["in memory", "page by page"])
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Large files are evaluated as their pages are decoded; here small ones are too."""
    if request.param == "page by page":
        monkeypatch.setattr(memory_budget, "LEAST_ROWS", 0)


def varint(number: int) -> bytes:
    return bytes([number & 127 | 128]) + varint(number >> 7) if number > 127 else bytes([number])


def fields(*numbers: int) -> bytes:
    """Whole numbers as the first fields of a structure of Thrift."""
    return b"".join(b"\x15" + varint(2 * number) for number in numbers)


def page(kind: int, values: int, encoding: int, body: bytes, padding: int = 0) -> bytes:
    """A page that is not packed; its header is as long as is asked, by a text that no reader looks at."""
    levels = fields(RLE, RLE) if kind == DATA else b""
    inner = (b"\x2c" if kind == DATA else b"\x4c") + fields(values, encoding) + levels + b"\x00"
    unread = b"\xf8" + varint(padding) + bytes(padding) if padding else b""
    return fields(kind, len(body), len(body)) + inner + unread + b"\x00" + body


def text(content: bytes) -> bytes:
    return struct.pack("<I", len(content)) + content


def with_pages(path: Path, column: int, *pages: tuple[int, int, int, bytes]) -> Path:
    """A file of three rows, one of whose columns has other pages of the same length."""
    longest = "x" * 400
    table = pa.table([["q1", longest, "q1"], ["", longest, ""], [0.1, 0.2, 0.3]], schema=SCHEMA)
    pq.write_table(table, path, compression="none")
    chunk = pq.read_metadata(path).row_group(0).column(column)
    start, length = chunk.dictionary_page_offset, chunk.total_compressed_size
    *first, last = pages
    made = (b"".join(page(*each) for each in first) + page(*last, padding) for padding in range(130, 1_200))
    content = bytearray(path.read_bytes())
    content[start : start + length] = next(each for each in made if len(each) == length)
    path.write_bytes(content)
    return path


def refused(path: Path) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate({"q1": {"a": 1}}, path, "ndcg@10")
    assert str(path) in str(caught.value)
    return caught.value


def test_place_beyond_the_dictionary_is_refused_though_plain_texts_follow_it(tmp_path: Path) -> None:
    dictionary = (DICTIONARY, 1, PLAIN, text(b"q1"))
    coded, plain = (DATA, 1, CODED, b"\x00\x02"), (DATA, 1, PLAIN, text(b"q2"))
    path = with_pages(tmp_path / "run.parquet", 0, dictionary, coded, plain, (DATA, 1, CODED, b"\x01\x02\x01"))
    assert refused(path).code == "unreadable-table"


@pytest.mark.parametrize("rows", [4, 100_000_000, 3_000_000_000])
def test_page_that_claims_more_rows_than_its_group_is_refused(rows: int, tmp_path: Path) -> None:
    coded = (DATA, rows, CODED, b"\x00" + varint(2 * rows))
    path = with_pages(tmp_path / "run.parquet", 1, (DICTIONARY, 1, PLAIN, text(b"")), coded)
    assert refused(path).code == "unreadable-table"


@pytest.mark.parametrize("compression", ["none", "zstd", "gzip"])
def test_row_group_of_fewer_rows_than_its_columns_is_refused(compression: str, tmp_path: Path) -> None:
    count = 582
    items = [f"d{number}" for number in range(count)]
    table = pa.table({"query": ["q1"] * count, "item": items, "score": [float(number) for number in range(count)]})
    path = tmp_path / "run.parquet"
    pq.write_table(table, path, row_group_size=50, compression=compression)
    whole = path.read_bytes()
    footer = len(whole) - 8 - struct.unpack("<I", whole[-8:-4])[0]
    changed = 0
    for place in range(footer, len(whole) - 8):
        if whole[place : place + 2] == b"\x16\x64":  # a whole number of 64 bits, 50
            path.write_bytes(whole[: place + 1] + b"\x24" + whole[place + 2 :])
            changed += refused(path).code == "unreadable-table"
    assert changed >= count // 50


def test_gzip_page_with_a_changed_byte_is_refused_or_read_as_before(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    count = 40
    items = [f"d{7 * number % count}" for number in range(count)]
    table = pa.table({"query": ["q1"] * count, "item": items, "score": [number / 8 for number in range(count)]})
    pq.write_table(table, path, compression="gzip")
    whole = path.read_bytes()
    grades = {"q1": {f"d{number}": number for number in range(count)}}
    value = rg.evaluate(grades, path, "ndcg")["ndcg"]
    score = pq.read_metadata(path).row_group(0).column(2)
    refusals = 0
    for place in range(score.data_page_offset, score.data_page_offset + score.total_compressed_size):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        try:
            assert rg.evaluate(grades, path, "ndcg")["ndcg"] == value, place
        except RankgaugeError as error:
            refusals += error.code == "unreadable-table"
    assert refusals > score.total_compressed_size // 2


def test_gzip_page_that_unpacks_to_more_than_it_says_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    noise = random.Random(1).randbytes(30_000).hex()
    table = pa.table([["q1"], [noise], [0.5]], schema=SCHEMA)
    pq.write_table(table, path, compression="gzip", use_dictionary=False)
    chunk = pq.read_metadata(path).row_group(0).column(1)
    start, length = chunk.data_page_offset, chunk.total_compressed_size
    body = gzip.compress(bytes(20 * 2**20))
    inner = b"\x2c" + fields(1, PLAIN, RLE, RLE) + b"\x00"
    sizes = fields(DATA, 100, len(body)) + inner
    padding = length - len(sizes) - len(body) - 4  # a field of two bytes for its length, and the end
    made = sizes + b"\xf8" + varint(padding) + bytes(padding) + b"\x00" + body
    content = bytearray(path.read_bytes())
    content[start : start + length] = made
    assert len(made) == length
    path.write_bytes(content)
    assert "more than it says" in str(refused(path))


def test_page_of_another_checksum_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    table = pa.table({"query": ["q1", "q1"], "item": ["a", "b"], "score": [0.25, 0.5]})
    for version in ("1.0", "2.0"):
        pq.write_table(table, path, compression="none", write_page_checksum=True, data_page_version=version)
        whole = path.read_bytes()
        assert rg.evaluate({"q1": {"a": 1}}, path, "mrr")["mrr"] == 0.5
        path.write_bytes(whole.replace(struct.pack("<d", 0.25), struct.pack("<d", 0.75), 1))
        assert "checksum" in str(refused(path))
