"""Table and its cells: alignment, digits after the point, and characters that must not reach a reader."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.languages import Text
from rankgauge.presentation.parts import parts_to_text
from rankgauge.presentation.table import Cell, MarkedNumber, Table, format_cell

VALUE = 0.12345678901234568
TABLE = Table(["item", "value", "count"], [["a", VALUE, 3], ["b", None, 12]])
ROUNDING_FORMATS = ("to_text", "to_markdown", "to_latex", "to_html")
CELLS = st.one_of(st.text(), st.floats(), st.integers(), st.booleans(), st.none())


@pytest.mark.parametrize("method", ROUNDING_FORMATS)
@pytest.mark.parametrize("places", [0, 1, 4, 17])
def test_table_with_places_rounds_floats_and_leaves_whole_numbers(method: str, places: int) -> None:
    text = getattr(TABLE, method)(places=places)
    assert f"{VALUE:.{places}f}" in text
    assert "12" in text
    assert "12.0" not in text


@pytest.mark.parametrize("method", ROUNDING_FORMATS)
def test_table_without_places_has_four(method: str) -> None:
    assert getattr(TABLE, method)() == getattr(TABLE, method)(places=4)


@pytest.mark.parametrize("method", ROUNDING_FORMATS)
@pytest.mark.parametrize("places", [-1, 18, 2.0, "4", None, True])
def test_table_with_bad_places_is_refused(method: str, places: object) -> None:
    with pytest.raises(rg.RankgaugeError, match="expected places to be a whole number from 0 to 17") as caught:
        getattr(TABLE, method)(places=places)
    assert caught.value.code == "bad-number"


def test_to_csv_keeps_all_digits() -> None:
    assert TABLE.to_csv() == f"item,value,count\na,{VALUE!r},3\nb,,12\n"


def test_to_text_of_wide_characters_aligns_columns() -> None:
    lines = Table(["item", "rank"], [["映画", 1], ["film", 2]]).to_text().splitlines()
    assert lines == ["item  rank", "映画     1", "film     2"]


def test_to_text_of_a_header_with_control_characters_escapes_them() -> None:
    assert Table(["a\x1b[31m\nb"], [[1]]).to_text().splitlines() == [r"a\x1b[31m\nb", "           1"]


@settings(deadline=None)
@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1), places=st.integers(0, 17))
def test_to_text_of_any_cells_has_a_printable_line_per_row(rows: list[tuple[Cell, Cell]], places: int) -> None:
    lines = Table(["first", "second"], rows).to_text(places=places).split("\n")
    assert len(lines) == len(rows) + 1
    assert all(line.isprintable() for line in lines)


def test_numbers_in_text_as_a_string_has_four_places() -> None:
    text = Text("{} = {} of {}", "ndcg", VALUE, 12)
    assert text == "ndcg = 0.1235 of 12"
    assert isinstance(text, str)


def test_numbers_in_text_with_places_rounds_nested_texts_too() -> None:
    inner = Text("value {}", VALUE)
    assert Text("example: {}", inner).rounded(2) == "example: value 0.12"


def test_numbers_in_text_with_braces_in_its_values_keeps_them() -> None:
    assert Text("query {}: {}", "{0}{}", VALUE).rounded(1) == "query {0}{}: 0.1"


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda text: pickle.loads(pickle.dumps(text))])  # noqa: S301
def test_numbers_in_text_when_copied_can_still_be_rounded(duplicate: object) -> None:
    assert callable(duplicate)
    text = duplicate(Text("{} {}", "{", VALUE))
    assert (text, text.rounded(1)) == ("{ 0.1235", "{ 0.1")


def test_numbers_in_text_in_cells_and_parts_follows_places() -> None:
    text = Text("q {}", VALUE)
    assert format_cell(text, 2) == "q 0.12"
    assert parts_to_text([text, Table(["most moved"], [[text]])], 1) == "q 0.1\nmost moved\nq 0.1"


def test_to_text_of_numbers_beyond_the_digits_of_a_float_writes_powers_of_ten() -> None:
    cells = [1e15, -1e16, 1e200, float("inf"), MarkedNumber(1e200, "ᵃ")]
    expected = ["1000000000000000.00", "-1.00e+16", "1.00e+200", "inf", "1.00e+200ᵃ"]
    assert [format_cell(cell, 2) for cell in cells] == expected


def test_table_in_blocks_keeps_neighbouring_whole_numbers_together() -> None:
    table = Table(["run", "mean", "better", "worse", "equal"], [["bm25", 0.5, 1, 2, 3]])
    blocks = table.in_blocks(1, page=24)
    assert [block.headers for block in blocks] == [["run", "mean"], ["run", "better", "worse", "equal"]]


def test_table_in_blocks_keeps_its_last_columns_together_where_they_fit() -> None:
    table = Table(["rank", "gain", "ideal item", "ideal gain"], [[1, 0.5, "d1", 0.5]], together=2)
    headers = [[block.headers for block in table.in_blocks(1, page=page)] for page in (30, 20)]
    assert headers[0] == [["rank", "gain"], ["rank", "ideal item", "ideal gain"]]
    assert headers[1] == [["rank", "gain"], ["rank", "ideal item"], ["rank", "ideal gain"]]
