"""Files of any bytes give rows or an error, never a panic, and plain lines are read as a plain reader reads them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.grids import examples

import rankgauge as rg
from rankgauge.errors import RankgaugeError

MANY = examples(800)

token = st.sampled_from(["q", "q1", "d" * 70, "é", "0", "1", "-1.5", "1e3", "+2", "#", "x#", "nan", "日本語", "0.1"])
gap = st.sampled_from([" ", " ", " ", "\t", "  ", "\x0b\x0c"])
line_end = st.sampled_from(["\n", "\n", "\n", "\r\n", "\n\n", " \n"])
NO_NUMBERS = ("nan", "q", "q1", "é", "#", "x#", "日本語", "d" * 70)
columns = st.sampled_from([0, 3, 4, 5, 6, 6, 6, 7])


@st.composite
def files(draw: st.DrawFn) -> str:
    """Lines of TREC columns, some of them broken, some of them long."""
    lines = []
    for _ in range(draw(st.integers(0, 12))):
        words = [draw(token) for _ in range(draw(columns))]
        gaps = [draw(gap) for _ in words]
        lines.append(
            "".join(word + space for word, space in zip(words, gaps, strict=True)).rstrip(" ") + draw(line_end)
        )
    text = "".join(lines)
    return text.rstrip("\n") if draw(st.booleans()) else text


def plain_reader(text: str, value_column: int, least: int, most: int) -> dict[str, list[tuple[str, float]]] | None:
    """Query → rows, read with str.split; None where the file is not as it should be."""
    groups: dict[str, list[tuple[str, float]]] = {}
    for line in text.split("\n"):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if not least <= len(words) <= most or words[value_column] in NO_NUMBERS:
            return None
        if len(words) > 6 and words[3] in NO_NUMBERS:  # an item with a space in it moves every column
            return None
        groups.setdefault(words[0], []).append((words[2], float(words[value_column])))
    return groups or None


def rows_of(path: Path, reader: type[rg.Judgments | rg.Ranking]) -> dict[str, list[tuple[str, float]]] | None:
    try:
        return reader.from_trec(str(path)).to_dict()
    except RankgaugeError:
        return None


@MANY
@given(text=files())
def test_trec_reader_of_any_lines_equals_a_plain_reader(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "file"
    path.write_text(text, encoding="utf-8", newline="")
    assert rows_of(path, rg.Judgments) == plain_reader(text, 3, 4, 4)
    assert rows_of(path, rg.Ranking) == plain_reader(text, 4, 6, 99)


def outcome(judgments: Path | dict[str, list[str]], ranking: Path | dict[str, list[str]]) -> str:
    """The number or the code of the error, as text; anything else that is raised fails the test."""
    try:
        return str(rg.evaluate(judgments, ranking, "ndcg@10", missing="zero")["ndcg@10"])
    except RankgaugeError as error:
        return error.code


@MANY
@given(content=st.binary(max_size=300) | files().map(str.encode).flatmap(lambda text: st.just(b"\x1f\x8b" + text)))
def test_reader_of_any_bytes_reads_or_refuses_them(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "file"
    path.write_bytes(content)
    assert outcome(path, {"q": ["d"]})
    assert outcome({"q": ["d"]}, path)


@pytest.mark.parametrize("length", range(1, 140))
def test_trec_reader_of_lines_of_every_length_equals_a_plain_reader(length: int, tmp_path: Path) -> None:
    """Lines are looked at in blocks of sixty-four bytes: no length may fall between them."""
    item = "d" * length
    path = tmp_path / "ranking"
    path.write_text(f"q Q0 {item} 1 0.5 t\n" + f"q Q0 x{item} 2 0.25 tag\n", encoding="utf-8")
    assert rg.Ranking.from_trec(str(path)).to_dict() == {"q": [(item, 0.5), (f"x{item}", 0.25)]}
