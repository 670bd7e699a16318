"""The first line of a text whose columns are named by a list: a header, a row, or a line that may be either."""

from __future__ import annotations

import pytest
from tests.inputs.files import Put, refusal
from tests.remarks import lines

import rankgauge as rg
from rankgauge.inputs.first_line import Verdict, verdict

RANKED = {"u0": ["p4", "p5"], "u1": ["p9", "p19"]}
BOUGHT = "u0,p4,2024-01-02\nu0,p18,2024-01-05\nu1,p19,2024-01-08\n"


@pytest.mark.parametrize("quote", ["", '"'], ids=["bare", "quoted"])
@pytest.mark.parametrize("first", ["visitor,sku,bought_at", "user,item,bought_at", "who,what,when"])
def test_header_above_dates_is_left_out_with_a_remark(put: Put, first: str, quote: str) -> None:
    judged = put(f"{first}\n{BOUGHT}".replace("p18", f"{quote}p18{quote}"))
    result = rg.evaluate(judged, RANKED, columns_judgments=["user", "item", "date"])
    assert list(rg.read_judgments(judged, columns=["user", "item", "date"])) == ["u0", "u1"]
    assert lines(result.remarks, "header", "first-line") == [
        f"header: the first line, '{first}', was taken for a header and is no row"
    ]


def test_header_with_the_given_names_is_left_out_without_a_remark(put: Put) -> None:
    judged = rg.read_judgments(put(f"User,Item,Date\n{BOUGHT}"), columns=["user", "item", "date"])
    assert list(judged) == ["u0", "u1"]
    assert lines(judged.remarks, "header", "first-line") == []


@pytest.mark.parametrize("first", ["", "u0,p7,null\n", "ann,apple,\n", "ann,apple,n/a\n", "ann,apple,2024-01-01\n"])
def test_first_row_that_lacks_a_date_is_read(put: Put, first: str) -> None:
    judged = rg.read_judgments(put(first + BOUGHT), columns=["user", "item", "date"])
    assert sum(map(len, judged.to_dict().values())) == 3 + bool(first)
    assert lines(judged.remarks, "header") == []


def test_first_line_that_may_be_a_header_is_a_row_with_a_caution(put: Put) -> None:
    judged = rg.read_judgments(put("visitor,thing\nann,p4\nbob,p19\n"), columns=["user", "item"])
    assert list(judged) == ["ann", "bob", "visitor"]
    (remark,) = (remark for remark in judged.remarks if remark.code == "first-line")
    assert (remark.severity, remark.text) == ("caution", "'visitor,thing' may be a header and was read as a row")


def test_first_row_without_a_number_of_a_known_query_is_refused(put: Put) -> None:
    assert "abc" in str(refusal(put("q1,d1,abc\nq1,d2,3\n"), columns=["query", "item", "score"]))


def test_header_of_scores_is_left_out_with_a_remark(put: Put) -> None:
    ranking = rg.read_ranking(put("a,b,c\nq1,d2,3\n"), columns=["query", "item", "score"])
    assert ranking.queries == ["q1"]
    assert lines(ranking.remarks, "header") == ["header: the first line, 'a,b,c', was taken for a header and is no row"]


def test_header_that_is_only_likely_is_a_row_of_graders_that_could_not_remark_on_it(put: Put) -> None:
    log = put("visitor,sku,event\nu0,p4,e1\nu1,p19,e1\n")
    graded = rg.grading.actions(log, grades={"e1": 1, "event": 2}, columns=["user", "item", "action"])
    assert list(rg.read_judgments(graded)) == ["u0", "u1", "visitor"]


@pytest.mark.parametrize(
    ("first", "names", "below", "expected"),
    [
        ("visitor thing", "user item", "u1 p4/u2 p5", "likely"),
        ("user thing", "user item", "ann tea/bob milk", "unsure"),
        ("user sku", "user item", "ann tea/bob milk", "certain"),
        ("visitor thing", "user item", "ann tea/bob milk", "row"),
        ("user sku", "user item", "user tea/bob milk", "row"),
        ("who what liked", "user item liked", "u1 a 3/u2 b 1", "certain"),
        ("who what enjoyed", "user item liked", "u1 a 3/u2 b 1", "certain"),
        ("day code", "date ticker", "2026-01-02 AAPL/2026-01-03 MSFT", "certain"),
        ("ann u7", "user item", "bob u7/cid u8", "row"),
        ("u1 apple", "user item", "u2 p4/u3 p5", "row"),
        ("visitor thing", "user item", "visitor thing/u1 p4", "likely"),
        ("visitor thing", "user item", "", "row"),
        ("visitor thing", "user item", "u1 p4 x", "row"),
    ],
)
def test_verdict_of_a_first_line_depends_on_the_rows_below(
    first: str, names: str, below: str, expected: Verdict
) -> None:
    rows = [row.split() for row in below.split("/")]
    assert verdict(first.split(), names.split(), rows) == expected
