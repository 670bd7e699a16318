"""Texts with quotes whose lines are longer than DuckDB reads."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest
from tests.inputs.files import Put, refusal

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.grading import ratings

LONG = 33_000_000  # more than a buffer of DuckDB holds


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_read_quoted_text_with_a_last_line_beyond_the_buffer_loses_no_row(
    put: Put, end: str, pack: Callable[[bytes], bytes]
) -> None:
    text = f'query,item,score\n"q1",d1,1\nq1,d2,0.5\nq1,{"x" * LONG},0.25{end}'
    error = refusal(put(pack(text.encode()), "run.csv"))
    assert error.code == "line-too-long"
    assert "at most 2,000,000 bytes in a text with quotes, or larger than memory=, got one of 33,000,008" in str(error)


def test_read_text_without_quotes_has_lines_of_any_length(put: Put) -> None:
    text = f"query,item,score\nq1,d1,1\nq1,{'x' * LONG},0.25"
    assert len(rg.read_ranking(put(text)).to_dict()["q1"]) == 2


def test_read_quoted_text_with_long_lines_below_the_limit_is_read(put: Put) -> None:
    text = "query,item,score\n" + "".join(f'"q1",{letter * 1_900_000},1\n' for letter in "abcdefghijklmnopqrstuvwxyz")
    assert len(rg.read_ranking(put(text)).to_dict()["q1"]) == 26


def test_read_quoted_text_whose_lines_end_in_carriage_returns_is_no_long_line(put: Put) -> None:
    text = "query,item,score\r" + "".join(f'"q1",d{row},1\r' for row in range(200_000))
    assert len(rg.read_ranking(put(text)).to_dict()["q1"]) == 200_000


def test_grade_quoted_text_with_a_last_line_beyond_the_buffer_is_refused(put: Put) -> None:
    text = f'user,item,rating\n"u1",d1,1\nu1,{"x" * LONG},5'
    with pytest.raises(RankgaugeError) as caught:
        ratings(put(text), thresholds=[3])
    assert caught.value.code == "line-too-long"
