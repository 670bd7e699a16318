from __future__ import annotations

import unicodedata

import pytest

from rankgauge.data.nearly_equal_ids import find


@pytest.mark.parametrize(
    ("judged", "ranked", "difference"),
    [
        ("7", "007", "leading zeros"),
        ("1", "1.0", "a decimal point"),
        ("Doc-A", "doc-a", "upper and lower case"),
        ("a", "a ", "blanks"),
        (unicodedata.normalize("NFC", "Gödel"), unicodedata.normalize("NFD", "Gödel"), "Unicode form"),
        ("7", "doc_7", "a prefix"),
        ("MSMARCO-123", "123", "a prefix"),
        ("a1", "a1.html", "an ending"),
        ("7", "'7'", "quotes"),
        ("7", "b'7'", "quotes"),
    ],
)
def test_find_of_ids_that_are_written_in_two_ways_says_how(judged: str, ranked: str, difference: str) -> None:
    for pair in ([judged, "x"], ["y", ranked]), (["x", ranked], [judged, "y"]):
        miss = find(*pair)
        assert miss is not None
        assert difference in str(miss)
        assert {miss.judged, miss.ranked} == {judged, ranked}


@pytest.mark.parametrize(
    ("judged", "ranked"), [("7", "8"), ("a", "a"), ("70", "7"), ("0.5", "0.50"), ("", ""), ("x1", "p1")]
)
def test_find_of_other_ids_returns_nothing(judged: str, ranked: str) -> None:
    assert find([judged], [ranked]) is None


def test_find_takes_the_difference_that_most_ids_have() -> None:
    miss = find(["1", "2", "A"], ["01", "02", "a"])
    assert miss is not None
    assert miss.difference == "leading zeros"
